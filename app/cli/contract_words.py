"""What the commands about contracts print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.cli.console import table
from app.contracts import left_out_of
from extraction.contract.build import Built
from extraction.contract.codes.proposals import CodeProposal
from extraction.contract.compile import row_export
from extraction.contract.document import contract_bytes
from extraction.contract.gates import figures, may_be_used
from extraction.contract.left_out.finding import counted
from extraction.contract.left_out.records import REASON_WORDS
from extraction.contract.records import Contract, ContractRow
from extraction.contract.row_extension import Change


def summary(built: Built, out: Path) -> dict[str, Any]:
    contract = built.contract
    return {
        "contract": str(out),
        "id": contract.id,
        "version": contract.version,
        "usable": may_be_used(contract),
        "rows": len(contract.rows),
        "sources": [
            {"name": one.name, "kind": one.kind.value, "rows": one.rows, "encoding": one.encoding}
            for one in contract.sources
        ],
        "keys": [{"source": key.source, "fields": list(key.fields)} for key in contract.keys],
        "links": [{"child": list(link.child), "parent": list(link.parent)} for link in contract.links],
        "gates": gates_data(contract),
        "figures": {one.name: one.value for one in figures(contract)} | {"SchTime": round(built.seconds, 2)},
        "left_out": {reason.value: count for reason, count in counted(left_out_of(contract, built)).items()},
        "questions": [{"id": one.id, "text": one.text, "default": one.default} for one in built.questions],
        "orphans": dict(built.orphans),
    }


def gates_data(contract: Contract) -> list[dict[str, Any]]:
    return [
        {"name": gate.name, "value": gate.value, "required": gate.required, "passed": gate.passed, "says": gate.says}
        for gate in contract.gates
    ]


def summary_text(built: Built, out: Path) -> str:
    contract = built.contract
    cells = [[one.name, one.kind.value, f"{one.rows:,}", one.encoding] for one in contract.sources]
    parts = [table(["source", "holds", "records", "encoding"], cells), "", gates_text(contract)]
    left_out = counted(left_out_of(contract, built))
    if left_out:
        parts.append("\nleft out:")
        parts += [f"{count:>7}  {REASON_WORDS[reason]}" for reason, count in left_out.items()]
    if built.questions:
        parts.append(f"\n{len(built.questions)} questions are open; without answers the likeliest was taken.")
    parts.append(f"\n{out}: {len(contract.rows)} rows, {'may be used' if may_be_used(contract) else 'may NOT be used'}")
    return "\n".join(parts)


def gates_text(contract: Contract) -> str:
    def mark(required: bool, passed: bool) -> str:
        return ("ok" if passed else "FAILED") if required else ""

    cells = [[gate.name, f"{gate.value:g}", mark(gate.required, gate.passed), gate.says] for gate in contract.gates]
    return table(["check", "value", "", ""], cells, widest=90)


def row_data(row: ContractRow, contract: Contract, proposed: Sequence[CodeProposal] = ()) -> dict[str, Any]:
    related = tuple(one for one in contract.relations if row.id in one.rows)
    document = json.loads(contract_bytes(Contract(row.id, 1, "", "", rows=(row,), relations=related)))
    data: dict[str, Any] = document["rows"][0]
    back = row_export(row)
    return data | {
        "exported_as": {"id": back.id, "unit": back.unit, "options": dict(back.options)},
        "relations": document["relations"],
        "proposed_codes": [proposal_data(one) for one in proposed],
    }


def proposal_data(one: CodeProposal) -> dict[str, Any]:
    return {"loinc": one.code, "name": one.name, "score": one.score, "exact": one.exact}


def change_data(change: Change) -> dict[str, str]:
    return {"kind": change.kind, "row": change.row, "says": change.says, "question": change.question}


def changes_text(changes: Sequence[Change]) -> str:
    if not changes:
        return "Nothing differs."
    ordered = sorted(changes, key=lambda change: not change.is_conflict)
    return table(["change", "row", ""], [[one.kind, one.row, one.says] for one in ordered], widest=90)
