"""`contract codes` and `contract alike`: what may be true of rows, listed, and what a person decides about it."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Sequence

from app.cli.console import Console, table
from app.cli.contract_words import proposal_data
from app.contracts import load_contract, save_contract
from app.system.clock import utc_now
from extraction.contract.codes.decisions import decide_codes
from extraction.contract.codes.proposals import CodeProposal, exact_codes, is_decided, propose_codes
from extraction.contract.lineage import how_sure
from extraction.contract.records import ContractRow, RelationKind
from extraction.contract.relations.decisions import NO, OPEN, YES, alike_state, decide_alike


def codes(arguments: argparse.Namespace, console: Console) -> int:
    stored = load_contract(arguments.contract)
    contract = stored.contract
    proposed = propose_codes(contract.rows)
    given = exact_codes(contract.rows, proposed) if arguments.accept_exact else {}
    given |= {row.strip(): code.strip() for row, _, code in (one.rpartition("=") for one in arguments.set)}
    if given:
        contract = decide_codes(contract, stored.sha256, given, getpass.getuser(), utc_now())
        save_contract(contract, arguments.contract)
    rows = [row for row in contract.rows if not row.retired and (row.loinc or row.id in proposed)]
    cells = [[row.id, row.name, row.unit, row.loinc, *_likeliest(row, proposed.get(row.id, ()))] for row in rows]
    text = table(["id", "row", "unit", "code", "proposed", "name", ""], cells, widest=40)
    said = (
        f"{len(given)} decided; {arguments.contract} is version {contract.version}" if given else "nothing was changed"
    )
    data = [
        {"row": row.id, "loinc": row.loinc, "proposed": [proposal_data(one) for one in proposed.get(row.id, ())]}
        for row in rows
    ]
    console.answer({"version": contract.version, "decided": given, "rows": data}, f"{text}\n{said}")
    return 0


def _likeliest(row: ContractRow, proposed: Sequence[CodeProposal]) -> list[str]:
    if row.loinc or is_decided(row) or not proposed:
        return ["", "", ""]
    return [proposed[0].code, proposed[0].name, how_sure(proposed[0])]


def alike(arguments: argparse.Namespace, console: Console) -> int:
    stored = load_contract(arguments.contract)
    contract = stored.contract
    answers = ((YES, arguments.confirm), (NO, arguments.refuse), (OPEN, arguments.reopen))
    given = {rows.strip(): answer for answer, all_rows in answers for rows in all_rows}
    if given:
        contract = decide_alike(contract, stored.sha256, given, getpass.getuser(), utc_now())
        save_contract(contract, arguments.contract)
    names = {row.id: row.name for row in contract.rows}
    found = [one for one in contract.relations if one.kind is RelationKind.ALIKE]
    cells = [
        [",".join(one.rows), one.name, ", ".join(names[row] for row in one.rows), alike_state(one)] for one in found
    ]
    text = table(["rows", "what", "names", ""], cells, widest=60)
    said = f"{len(given)} decided; {arguments.contract} is version {contract.version}"
    data = [{"rows": list(one.rows), "name": one.name, "state": alike_state(one)} for one in found]
    console.answer(
        {"version": contract.version, "decided": given, "alike": data},
        f"{text}\n{said if given else 'nothing was changed'}",
    )
    return 0
