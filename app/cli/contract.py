"""`contract build | check | show | diff | extend | compile`."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.cli.arguments import add_common, add_machine
from app.cli.common import stoppable
from app.cli.console import Console, table
from app.contracts import (
    StoredContract,
    build_from_folder,
    extend_from_folder,
    load_contract,
    save_bytes,
    save_contract,
)
from app.system.clock import utc_now
from extraction.contract.build import Built
from extraction.contract.compile import export_map, flowsheet_schema, row_export
from extraction.contract.document import contract_bytes
from extraction.contract.gates import may_be_used
from extraction.contract.lineage import find_rows, lineage
from extraction.contract.questions import Question
from extraction.contract.records import Contract, ContractRow, Decision
from extraction.contract.row_extension import Change
from extraction.schema_files.native_format import parse_schema
from models.base.errors import InputError
from models.base.progress import ProgressMonitor


def contract_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    actions = parser.add_subparsers(metavar="ACTION", required=True, parser_class=argparse.ArgumentParser)

    def action(name: str, about: str, function: Any) -> argparse.ArgumentParser:
        one: argparse.ArgumentParser = actions.add_parser(name, help=about, description=about)
        add_machine(one)
        one.set_defaults(function=function)
        return one

    build = action("build", "build a contract from a folder of exports", _build)
    build.add_argument("folder", type=Path, metavar="DIR", help="the folder with the exports")
    _add_out(build, "contract.json")
    _add_yes(build)
    build.add_argument("--name", default="", help="an id for the contract (default: made from the columns)")
    check = action("check", "check a contract, and say whether it may be used", _check)
    _add_contract(check)
    show = action("show", "show where a row came from and what becomes of it", _show)
    _add_contract(show)
    show.add_argument("row", nargs="?", default="", help="id or words of the name (default: all rows)")
    diff = action("diff", "what a later export would change; nothing is written", _diff)
    extend = action("extend", "extend a contract by a later export", _extend)
    for one in (diff, extend):
        _add_contract(one)
        one.add_argument("folder", type=Path, metavar="DIR", help="the folder with the later exports")
    extend.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: the same file)")
    compiled = action("compile", "write the flowsheet schema of a contract", _compile)
    _add_contract(compiled)
    _add_out(compiled, "schema.json")
    compiled.add_argument("--title", default="", help="what a person calls the schema")
    compiled.add_argument("--export-map", type=Path, metavar="FILE", help="also write ids and codes for exports")


def _add_contract(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("contract", type=Path, metavar="CONTRACT", help="the contract's JSON file")


def _add_out(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("--out", type=Path, default=Path(name), metavar="FILE", help=f"where to write it ({name})")


def _add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="ask nothing; take the likeliest answers")


# build


def _build(arguments: argparse.Namespace, console: Console) -> int:
    _refuse_to_begin_again(arguments.out)
    decisions = list(_answers_so_far(arguments.out))
    with stoppable() as cancelled:
        monitor = ProgressMonitor(console.progress, cancelled)
        built = build_from_folder(arguments.folder, decisions, monitor, arguments.name)
        console.end_progress()
        if built.questions and not arguments.yes and sys.stdin.isatty():
            decisions += _ask(built.questions, arguments.out, decisions)
            built = build_from_folder(arguments.folder, decisions, monitor, arguments.name)
    console.end_progress()
    save_contract(built.contract, arguments.out)
    _answers_file(arguments.out).unlink(missing_ok=True)
    usable = may_be_used(built.contract)
    console.answer(_summary(built, arguments.out), _summary_text(built, arguments.out))
    return 0 if usable else 1


def _refuse_to_begin_again(out: Path) -> None:
    if out.exists() and (version := load_contract(out).contract.version) > 1:
        raise InputError(
            f"{out} is version {version} of a contract, and building would begin again at the first.",
            "Extend it ('wardlight contract extend'), or name another file with --out.",
        )


def _answers_file(out: Path) -> Path:
    return out.with_name(f"{out.name}.answers")


def _answers_so_far(out: Path) -> Sequence[Decision]:
    """What was answered for this contract before, in a build that was stopped or in the contract that is there."""
    try:
        kept = json.loads(_answers_file(out).read_bytes())
        return [Decision(**one) for one in kept]
    except (OSError, ValueError, TypeError):
        return load_contract(out).contract.decisions if out.exists() else ()


def _ask(questions: Sequence[Question], out: Path, before: Sequence[Decision]) -> list[Decision]:
    """Asks at the terminal, and keeps each answer at once; an empty answer takes the first choice."""
    given: list[Decision] = []
    for number, question in enumerate(questions, 1):
        print(f"\n{number} of {len(questions)}  {question.text}", file=sys.stderr)
        if question.examples:
            print(f"    for example: {'; '.join(question.examples)}", file=sys.stderr)
        for place, (answer, words) in enumerate(question.choices, 1):
            mark = "*" if answer == question.default else " "
            print(f"  {mark}{place}  {words}", file=sys.stderr)
        answer = _choice(question)
        now = utc_now()
        given.append(Decision(question.id, answer, getpass.getuser(), now))
        kept = [
            {"question": one.question, "answer": one.answer, "by": one.by, "at": one.at} for one in (*before, *given)
        ]
        save_bytes(json.dumps(kept, ensure_ascii=False).encode(), _answers_file(out))
    return given


def _choice(question: Question) -> str:
    while True:
        print("Number, or Enter for the one marked *: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line.strip():
            return question.default
        if line.strip().isdigit() and 1 <= int(line) <= len(question.choices):
            return question.choices[int(line) - 1][0]


def _summary(built: Built, out: Path) -> dict[str, Any]:
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
        "gates": _gates(contract),
        "questions": [{"id": one.id, "text": one.text, "default": one.default} for one in built.questions],
        "orphans": dict(built.orphans),
    }


def _gates(contract: Contract) -> list[dict[str, Any]]:
    return [
        {"name": gate.name, "value": gate.value, "required": gate.required, "passed": gate.passed, "says": gate.says}
        for gate in contract.gates
    ]


def _summary_text(built: Built, out: Path) -> str:
    contract = built.contract
    cells = [[one.name, one.kind.value, f"{one.rows:,}", one.encoding] for one in contract.sources]
    parts = [table(["source", "holds", "records", "encoding"], cells), "", _gates_text(contract)]
    if built.questions:
        parts.append(f"\n{len(built.questions)} questions are open; without answers the likeliest was taken.")
    parts.append(f"\n{out}: {len(contract.rows)} rows, {'may be used' if may_be_used(contract) else 'may NOT be used'}")
    return "\n".join(parts)


def _gates_text(contract: Contract) -> str:
    def mark(required: bool, passed: bool) -> str:
        return ("ok" if passed else "FAILED") if required else ""

    cells = [[gate.name, f"{gate.value:g}", mark(gate.required, gate.passed), gate.says] for gate in contract.gates]
    return table(["check", "value", "", ""], cells, widest=90)


# the other actions


def _check(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    schema = parse_schema(flowsheet_schema(contract), "its schema")
    usable = may_be_used(contract)
    data = {"id": contract.id, "version": contract.version, "usable": usable, "rows": len(schema.rows)}
    console.answer(data | {"gates": _gates(contract)}, f"{_gates_text(contract)}\n\n{len(schema.rows)} rows in use")
    return 0 if usable else 1


def _show(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    found = find_rows(contract, arguments.row)
    if len(found) == 1:
        console.answer(_row_data(found[0]), lineage(found[0], contract))
    else:
        cells = [[row.id, row.name, row.value_type, row.unit, str(row.charted)] for row in found]
        text = table(["id", "row", "type", "unit", "charted"], cells, widest=48)
        console.answer([_row_data(row) for row in found], f"{text}\n{len(found)} of {len(contract.rows)} rows")
    return 0 if found else 1


def _row_data(row: ContractRow) -> dict[str, Any]:
    document = json.loads(contract_bytes(Contract(row.id, 1, "", "", rows=(row,))))
    data: dict[str, Any] = document["rows"][0]
    back = row_export(row)
    return data | {"exported_as": {"id": back.id, "unit": back.unit, "options": dict(back.options)}}


def _diff(arguments: argparse.Namespace, console: Console) -> int:
    _, changes = _extended(arguments, console)
    console.answer([_change(change) for change in changes], _changes_text(changes))
    return 0 if changes else 1


def _extend(arguments: argparse.Namespace, console: Console) -> int:
    contract, changes = _extended(arguments, console)
    if not changes:
        console.answer({"version": contract.version, "changes": []}, "The export has nothing new; nothing was written.")
        return 1
    out = arguments.out or arguments.contract
    save_contract(contract, out)
    data = {"contract": str(out), "version": contract.version, "changes": [_change(change) for change in changes]}
    console.answer(data, f"{_changes_text(changes)}\n\n{out}: version {contract.version}")
    return 0


def _extended(arguments: argparse.Namespace, console: Console) -> tuple[Contract, tuple[Change, ...]]:
    stored: StoredContract = load_contract(arguments.contract)
    with stoppable() as cancelled:
        extension = extend_from_folder(stored, arguments.folder, monitor=ProgressMonitor(console.progress, cancelled))
    console.end_progress()
    return extension.contract, extension.changes


def _change(change: Change) -> dict[str, str]:
    return {"kind": change.kind, "row": change.row, "says": change.says}


def _changes_text(changes: Sequence[Change]) -> str:
    if not changes:
        return "Nothing differs."
    ordered = sorted(changes, key=lambda change: not change.is_conflict)
    return table(["change", "row", ""], [[one.kind, one.row, one.says] for one in ordered], widest=90)


def _compile(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    if not may_be_used(contract):
        failed = next(gate for gate in contract.gates if gate.required and not gate.passed)
        raise InputError(
            f"{arguments.contract} may not be used: {failed.name}, {failed.says}.",
            "Correct the exports, and build the contract again.",
        )
    data = flowsheet_schema(contract, arguments.title)
    schema = parse_schema(data, arguments.out.name)
    save_bytes(data, arguments.out)
    if arguments.export_map:
        rows = {
            row: {"id": one.id, "name": one.name, "unit": one.unit, "options": dict(one.options)}
            for row, one in export_map(contract).items()
        }
        content = {"format": "wardlight-export-map/1", "contract": contract.id, "version": contract.version}
        save_bytes(json.dumps(content | {"rows": rows}, ensure_ascii=False, indent=1).encode(), arguments.export_map)
    console.answer(
        {"schema": str(arguments.out), "id": schema.id, "version": schema.version, "rows": len(schema.rows)},
        f"{arguments.out}: {len(schema.rows)} rows",
    )
    return 0
