"""A later export extends a contract: what it says otherwise stays listed until a person takes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from extraction.contract.build import Built, build_contract
from extraction.contract.document import contract_bytes, contract_hash, read_contract
from extraction.contract.errors import ContractError
from extraction.contract.extension import Extension, decide, extend, standing
from extraction.contract.gates import may_be_used
from extraction.contract.records import (
    Cell,
    Contract,
    ContractOption,
    ContractRow,
    Decision,
    Field,
    FieldRole,
    FieldType,
    Link,
    Source,
    SourceKind,
)
from extraction.contract.row_history import NumberHistory, RowHistory
from extraction.contract.sources.discovery import find_sources
from tests.kit.exports import DICTIONARY, write_exports

AT, LATER = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"
SOURCE = Source("rows.csv", "0" * 64, SourceKind.DICTIONARY)
FIELD = Field("0" * 12, "rows.csv", "ID", FieldType.INTEGER, 5, 5, 0.0)
CELLS = (Cell("rows.csv", 2, "ID"),)
PULSE = ContractRow("1", "Pulse", "numeric", unit="bpm", minimum=20, maximum=250, cells=CELLS)
TEMPERATURE = ContractRow("2", "Temperature", "numeric", unit="Cel", minimum=30, maximum=43, cells=CELLS)
SKIN = ContractRow(
    "3",
    "Skin",
    "single_select",
    options=(ContractOption("Pink", "P", cells=CELLS), ContractOption("Pale", "W", cells=CELLS)),
    cells=CELLS,
)
ROWS = (PULSE, TEMPERATURE, SKIN)


def contract(*rows: ContractRow, decisions: tuple[Decision, ...] = ()) -> Contract:
    return Contract("made", 1, "", AT, (SOURCE,), (FIELD,), rows=rows, decisions=decisions)


def extended(
    former: Contract, *rows: ContractRow, answers: dict[str, str] | None = None, guessed: str = ""
) -> Extension:
    given = tuple(Decision(question, answer, "R. Nurse", LATER) for question, answer in (answers or {}).items())
    later = replace(contract(*rows, decisions=given), created_at=LATER)
    return extend(former, contract_hash(contract_bytes(former)), Built(later, guessed=frozenset(guessed)))


def kinds(extension: Extension) -> list[tuple[str, str]]:
    return [(change.kind, change.row) for change in extension.changes]


def row(contract: Contract, row_id: str) -> ContractRow:
    return next(one for one in contract.rows if one.id == row_id)


FAHRENHEIT = replace(TEMPERATURE, unit="degF", minimum=None, maximum=None)
UNIT = "conflict:2:unit:Cel:degF"


def test_a_conflict_stays_listed_through_later_versions_until_it_is_taken() -> None:
    first = extended(contract(*ROWS), PULSE, FAHRENHEIT, SKIN).contract
    again = extended(first, PULSE, FAHRENHEIT, SKIN)
    assert again.changes == ()
    assert again.contract is first
    second = extended(first, replace(PULSE, maximum=300), FAHRENHEIT, SKIN)
    assert kinds(second) == [("range", "1")]  # the conflict is no news
    assert [one.question for one in second.contract.conflicts] == [UNIT]
    (listed,) = standing(second.contract)
    assert listed.says == "Temperature: its unit is degF in an export; Cel stands until somebody decides"
    assert read_contract(contract_bytes(second.contract), "contract.json") == second.contract
    taken = extended(second.contract, PULSE, FAHRENHEIT, SKIN, answers={UNIT: "new"})
    assert ("changed", "2") in kinds(taken)
    assert taken.contract.conflicts == ()
    assert row(taken.contract, "2").unit == "degF"


def test_a_conflict_is_decided_without_the_export_even_after_the_old_was_kept() -> None:
    first = extended(contract(*ROWS), PULSE, FAHRENHEIT, SKIN).contract
    kept = decide(first, "1" * 64, [Decision(UNIT, "old", "R. Nurse", LATER)], LATER)
    assert (kept.contract.version, kept.contract.parent) == (3, "1" * 64)
    assert [change.kind for change in kept.changes] == ["decided"]
    assert row(kept.contract, "2").unit == "Cel"
    assert standing(kept.contract)[0].says.endswith("Cel was kept by R. Nurse")
    taken = decide(kept.contract, "2" * 64, [Decision(UNIT, "new", "R. Nurse", LATER)], LATER)
    assert row(taken.contract, "2").unit == "degF"
    assert row(taken.contract, "1") == PULSE
    assert taken.contract.conflicts == ()
    assert may_be_used(taken.contract)
    with pytest.raises(ContractError, match="is no conflict of this contract"):
        decide(taken.contract, "3" * 64, [Decision(UNIT, "old", "R. Nurse", LATER)], LATER)


def test_limits_in_the_former_unit_go_with_it() -> None:
    taken = extended(contract(*ROWS), PULSE, FAHRENHEIT, SKIN, answers={UNIT: "new"}).contract
    assert (row(taken, "2").minimum, row(taken, "2").maximum) == (None, None)


def test_figures_in_another_unit_come_with_it_and_not_before() -> None:
    ours, theirs = (
        RowHistory(500, 40, numbers=(NumberHistory(500, 40, *spread),)) for spread in ((35.0, 41.0), (95.0, 105.8))
    )
    later = extended(
        contract(PULSE, replace(TEMPERATURE, history=ours), SKIN), PULSE, replace(FAHRENHEIT, history=theirs), SKIN
    )
    assert kinds(later) == [("conflict", "2")]
    assert row(later.contract, "2").history == ours
    taken = decide(later.contract, "1" * 64, [Decision(UNIT, "new", "R. Nurse", LATER)], LATER)
    assert row(taken.contract, "2").history == theirs
    shown_as_text = replace(TEMPERATURE, value_type="text", unit="", history=RowHistory(9, 4))
    unseen = extended(
        contract(PULSE, replace(TEMPERATURE, history=ours), SKIN), PULSE, shown_as_text, SKIN, guessed="2"
    )
    assert row(unseen.contract, "2").history == ours


def test_a_conflict_that_the_exports_no_longer_have_is_settled() -> None:
    first = extended(contract(*ROWS), PULSE, FAHRENHEIT, SKIN).contract
    settled = extended(first, *ROWS)
    assert kinds(settled) == [("settled", "2")]
    assert settled.contract.conflicts == ()
    retired = extended(first, PULSE, SKIN)
    assert kinds(retired) == [("retired", "2")]
    assert [one.question for one in retired.contract.conflicts] == [UNIT]
    taken = extended(retired.contract, PULSE, SKIN, answers={UNIT: "new"}).contract
    assert (row(taken, "2").unit, row(taken, "2").retired) == ("degF", True)


def test_a_new_name_is_taken_only_by_a_person_and_the_former_one_stays_known() -> None:
    named = replace(PULSE, name="Heart rate")
    kept = extended(contract(*ROWS), named, TEMPERATURE, SKIN).contract
    assert (row(kept, "1").name, [alias.text for alias in row(kept, "1").aliases]) == ("Pulse", ["Heart rate"])
    question = "conflict:1:name:Pulse:Heart rate"
    taken = decide(kept, "1" * 64, [Decision(question, "new", "R. Nurse", LATER)], LATER).contract
    assert (row(taken, "1").name, [alias.text for alias in row(taken, "1").aliases]) == ("Heart rate", ["Pulse"])


def test_a_type_that_the_later_export_does_not_show_is_no_conflict() -> None:
    assert extended(contract(*ROWS), replace(PULSE, value_type="text"), TEMPERATURE, SKIN, guessed="1").changes == ()


def test_rows_and_options_come_back_from_retirement() -> None:
    without = extended(contract(*ROWS), PULSE, replace(SKIN, options=SKIN.options[:1])).contract
    assert row(without, "2").retired
    assert [option.retired for option in row(without, "3").options] == [False, True]
    back = extended(without, *ROWS)
    assert kinds(back) == [("in use again", "2"), ("option in use again", "3")]
    assert (row(back.contract, "2"), row(back.contract, "3")) == (TEMPERATURE, SKIN)


def test_options_that_were_not_charted_lately_are_not_retired() -> None:
    charted = replace(SKIN, options=tuple(replace(option, cells=()) for option in SKIN.options))
    assert extended(contract(charted), replace(charted, options=charted.options[:1])).changes == ()


def test_values_alone_retire_no_row() -> None:
    former = contract(*ROWS)
    later = replace(contract(PULSE), sources=(replace(SOURCE, kind=SourceKind.VALUES),))
    assert extend(former, "", Built(later)).contract is former


def test_the_checks_are_those_of_the_whole_contract() -> None:
    lost = replace(SKIN, id="4", name="Old skin", cells=())
    former = contract(*ROWS, lost)
    later = contract(*ROWS, ContractRow("5", "Gait", "text", cells=CELLS))
    gates = {gate.name: gate for gate in extend(former, "", Built(later, orphans={"4": 7, "9": 1})).contract.gates}
    assert gates["provenance"].says == "4 of 5 rows name the cells they came from"
    assert gates["values explained"].says.startswith("1 of 1 "), "4 is a row of the contract, retired"
    assert not gates["provenance"].passed


def test_a_double_that_becomes_a_row_of_its_own_leaves_the_row_that_had_it() -> None:
    former = contract(replace(PULSE, former_ids=("9",)), TEMPERATURE, SKIN)
    own = extended(former, PULSE, TEMPERATURE, SKIN, replace(PULSE, id="9", name="Pulse at rest"))
    assert kinds(own) == [("new row", "9"), ("former id", "1")]
    assert row(own.contract, "1").former_ids == ()
    assert may_be_used(own.contract)


def test_a_row_under_a_new_id_keeps_the_former_one_readable() -> None:
    renumbered = tuple(replace(one, id=f"X{one.id}", former_ids=(one.id,)) for one in ROWS)
    later = extended(contract(*ROWS), *renumbered)
    assert {one.id: one.retired for one in later.contract.rows} == {
        "1": True, "2": True, "3": True, "X1": False, "X2": False, "X3": False,
    }  # fmt: skip
    assert may_be_used(later.contract)
    assert extended(later.contract, *renumbered).changes == ()


def test_links_of_the_exports_are_those_that_the_latest_one_showed() -> None:
    link = Link(("rows.csv", "ID"), ("rows.csv", "ID"), 1.0)
    assert extended(replace(contract(*ROWS), links=(link,)), replace(PULSE, maximum=9), *ROWS[1:]).contract.links == ()


def test_a_role_that_a_person_decides_in_an_update_is_honoured(tmp_path: Path) -> None:
    def build(folder: Path, *decisions: Decision) -> Built:
        return build_contract(find_sources(folder), AT, decisions)

    former = build(write_exports(tmp_path / "first")).contract
    lines = [(*line, "NAME_NOW" if line is DICTIONARY[0] else f"{line[2]} (ward)") for line in DICTIONARY]
    folder = write_exports(tmp_path / "later", dictionary=lines)
    assert extend(former, "", build(folder)).contract.rows[0].name == "Pulse rate"
    decision = Decision("role:dictionary.csv:NAME_NOW", "row-name", "R. Nurse", LATER)
    extension = extend(former, "", build(folder, decision))
    roles = {(role.source, role.field): role.role for role in extension.contract.roles}
    assert roles["dictionary.csv", "NAME_NOW"] is FieldRole.ROW_NAME
    assert roles["dictionary.csv", "LABEL"] is not FieldRole.ROW_NAME
    pulse = row(extension.contract, "70001")
    assert pulse.name == "Pulse rate (ward)"
    assert "Pulse rate" in {alias.text for alias in pulse.aliases}
    assert not [one for one in extension.contract.conflicts if one.what == "name"]
    assert decision in extension.contract.decisions


def test_a_role_that_was_decided_before_takes_no_further_names(tmp_path: Path) -> None:
    def build(month: str, words: str) -> Built:
        lines = [(*line, "NAME_NOW" if line is DICTIONARY[0] else f"{line[2]} {words}") for line in DICTIONARY]
        folder = write_exports(tmp_path / month, dictionary=lines)
        (folder / "dictionary.csv").rename(folder / f"dictionary_{month}.csv")
        return build_contract(find_sources(folder), AT, [decision])

    decision = Decision("role:dictionary_2026-01.csv:NAME_NOW", "row-name", "R. Nurse", AT)
    former = build("2026-01", "here").contract
    later = extend(former, "", build("2026-02", "there")).contract
    assert row(later, "70001").name == "Pulse rate here"
    assert ("Pulse rate here", "Pulse rate there") in {(one.before, one.now) for one in later.conflicts}


def test_a_decision_alone_makes_a_version_and_is_given_once() -> None:
    decided = extended(contract(*ROWS), *ROWS, answers={"type:3": "single_select"})
    assert [change.says for change in decided.changes] == ["type:3 = single_select (R. Nurse)"]
    assert extended(decided.contract, *ROWS, answers={"type:3": "single_select"}).changes == ()
