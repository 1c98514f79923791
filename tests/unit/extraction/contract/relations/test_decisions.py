"""Alike rows that a person confirms or refuses: kept through later exports, and named in the vocabulary."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from extraction.contract.compile import contract_vocabulary
from extraction.contract.document import contract_bytes, contract_hash, read_contract
from extraction.contract.errors import ContractError
from extraction.contract.lineage import lineage
from extraction.contract.records import Cell, Contract, ContractRow, Field, FieldType, RelationKind, RowRelation, Source
from extraction.contract.relations.decisions import (
    NO,
    OPEN,
    YES,
    alike_question,
    alike_rows,
    alike_state,
    decide_alike,
    related_rows,
    rows_asked,
)

AT = "2026-01-01T00:00:00Z"


def row(row_id: str, name: str) -> ContractRow:
    return ContractRow(row_id, name, "numeric", unit="/min", ucum="/min", cells=(Cell("rows.csv", 2, "ID"),))


ROWS = (row("1", "Pulse"), row("2", "Heart rate"), row("3", "HR"))


def contract_of(*rows: ContractRow) -> Contract:
    source, field = Source("rows.csv", "0" * 64), Field("f", "rows.csv", "ID", FieldType.CODE, 1, 1, 0.0)
    return Contract("c", 1, "", AT, (source,), (field,), rows=rows, relations=related_rows(rows, {}))


def alike(*rows: ContractRow, answers: dict[str, str]) -> dict[tuple[str, ...], str]:
    return {one.rows: alike_state(one) for one in related_rows(rows, answers) if one.kind is RelationKind.ALIKE}


def test_a_proposal_is_confirmed_refused_and_reopened() -> None:
    assert alike(*ROWS, answers={}) == {("1", "2", "3"): "not decided, 80% sure"}
    question = alike_question(["3", "1", "2"])
    assert rows_asked(question) == ("1", "2", "3")
    assert alike(*ROWS, answers={question: YES}) == {("1", "2", "3"): "confirmed"}
    assert alike(*ROWS, answers={question: NO}) == {("1", "2", "3"): "refused"}
    assert alike(*ROWS, answers={question: OPEN}) == {("1", "2", "3"): "not decided, 80% sure"}


def test_what_was_confirmed_stays_when_rows_come_go_and_get_other_ids() -> None:
    answers = {alike_question(["1", "2"]): YES}
    assert alike(*ROWS, answers=answers) == {("1", "2", "3"): "not decided, 80% sure", ("1", "2"): "confirmed"}
    renamed = (replace(ROWS[0], name="Beats"), replace(ROWS[1], id="20", former_ids=("2",)))
    assert alike(*renamed, answers=answers) == {("1", "20"): "confirmed"}
    retired = (ROWS[0], replace(ROWS[1], retired=True))
    assert alike(*retired, answers=answers) == {("1", "2"): "confirmed"}, "values under it are still there"
    assert alike(ROWS[0], answers=answers) == {}, "one row alone is like no other"


def test_confirmed_rows_alone_stand_in_the_vocabulary() -> None:
    contract = contract_of(*ROWS)
    assert alike_rows(contract) == {}
    for answer, others in ((YES, ["1", "3"]), (NO, []), (OPEN, [])):
        decided = decide_alike(contract, "a" * 64, {"1,2,3": answer}, "R. Nurse", AT)
        rows = json.loads(contract_vocabulary(decided))["rows"]
        assert {one["id"]: one["alike"] for one in rows}["2"] == others


def test_a_decision_makes_the_next_version_which_says_who_decided() -> None:
    contract = contract_of(*ROWS)
    digest = contract_hash(contract_bytes(contract))
    decided = decide_alike(contract, digest, {"1,2,3": YES}, "R. Nurse", AT)
    assert read_contract(contract_bytes(decided), "contract.json") == decided
    assert (decided.version, decided.parent) == (2, digest)
    assert decided.log == ("2: alike: heart rate: 1,2,3 chart the same",)
    assert "charts the same in another way: heart rate (confirmed by R. Nurse)" in lineage(ROWS[0], decided)
    assert "80% sure, by a rule" in lineage(ROWS[0], contract)
    with pytest.raises(ContractError, match="'1,2' are no alike rows"):
        decide_alike(contract, digest, {"1,2": YES}, "R. Nurse", AT)


@pytest.mark.parametrize("question", ["alike:", "alike:{}", "alike:[1]", 'alike:["1"', "role:a:b"])
def test_a_question_that_names_no_rows_decides_nothing(question: str) -> None:
    assert rows_asked(question) == ()
    assert alike(*ROWS, answers={question: YES}) == {("1", "2", "3"): "not decided, 80% sure"}


def test_instances_are_never_decided_about() -> None:
    pupils = (row("l", "Pupil size left"), row("r", "Pupil size right"))
    answers = {alike_question(["l", "r"]): NO}
    found = related_rows(pupils, answers)
    assert RowRelation(RelationKind.INSTANCES, ("l", "r"), "Pupil size left", 0.9) in found
