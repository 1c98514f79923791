"""Codes that a person accepts or rejects in a contract that is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from extraction.contract.codes.proposals import NO_CODE, code_question, with_decided_code
from extraction.contract.errors import ContractError
from extraction.contract.records import Contract, Decision
from extraction.schema_files.checks import is_loinc


def decide_codes(contract: Contract, sha256: str, codes: Mapping[str, str], by: str, at: str) -> Contract:
    """The next version of a contract, in which rows have the codes that a person gave them.

    Args:
        sha256: of the present version's document.
        codes: by the row's id; `NO_CODE` for none.
        at: UTC in ISO 8601.

    Raises:
        ContractError: there is no such row, or a code is none of LOINC's.
    """
    names = {row.id: row.name for row in contract.rows}
    for row_id, code in codes.items():
        if row_id not in names:
            raise ContractError(f"The contract has no row {row_id!r}.", "Take the id that 'contract show' prints.")
        if code != NO_CODE and not is_loinc(code):
            raise ContractError(
                f"{code!r}, for the row {row_id}, is not a LOINC code: its form or its check digit is wrong.",
                f"Copy the code from loinc.org, or write {NO_CODE!r}.",
            )
    given = {code_question(row_id): code for row_id, code in codes.items()}
    kept = tuple(one for one in contract.decisions if one.question not in given)
    version = contract.version + 1
    said = (
        f"{version}: code: {names[row_id]}: {'no LOINC code' if code == NO_CODE else f'LOINC {code}'}"
        for row_id, code in codes.items()
    )
    return replace(
        contract,
        version=version,
        parent=sha256,
        created_at=at,
        rows=tuple(with_decided_code(row, given) for row in contract.rows),
        decisions=(*kept, *(Decision(question, answer, by, at) for question, answer in given.items())),
        log=(*contract.log, *said),
    )
