"""LOINC codes are proposed for rows; only a person's decision, or the export's own column, gives a row one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from extraction.contract.build import Built, build_contract
from extraction.contract.codes.decisions import decide_codes
from extraction.contract.codes.proposals import NO_CODE, code_question, exact_codes, is_decided, propose_codes
from extraction.contract.compile import flowsheet_schema
from extraction.contract.document import contract_bytes, contract_hash, read_contract
from extraction.contract.errors import ContractError
from extraction.contract.extension import extend
from extraction.contract.records import Alias, Contract, ContractOption, ContractRow, Decision
from extraction.contract.rows.units import ucum_of
from extraction.contract.sources.discovery import find_sources

AT = "2026-03-01T10:00:00Z"
BRADEN = ("1 - Completely limited", "2 - Very limited", "3 - Slightly limited", "4 - No impairment")


def number(name: str, unit: str = "", kind: str = "numeric", *aliases: Alias) -> ContractRow:
    return ContractRow(name, name, kind, aliases, unit=unit, ucum=ucum_of(unit))


def choice(name: str, *options: str) -> ContractRow:
    return ContractRow(name, name, "single_select", options=tuple(map(ContractOption, options)))


def proposed(row: ContractRow) -> list[tuple[str, bool]]:
    return [(one.code, one.exact) for one in propose_codes([row]).get(row.id, ())]


def exact(*rows: ContractRow) -> dict[str, str]:
    return exact_codes(rows, propose_codes(rows))


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        (number("Heart rate", "bpm"), [("8867-4", True)]),
        (number("Resp Rate", "breaths/min"), [("9279-1", True)]),
        (number("Temperature, oral", "°F"), [("8331-1", True)]),
        (number("BP", "", "blood_pressure"), [("85354-9", True)]),
        (number("Weight (kg)", "kg"), [("29463-7", True)]),
        (number("Left pupil size", "mm"), [("8641-3", True)]),
        (number("Pupil size R", "mm"), [("8643-9", True)]),
        (number("FLACC score"), [("38215-0", True)]),
        (number("APGAR 5 min"), [("9274-2", True)]),
        (number("Capillary glucose", "mmol/L"), [("14743-9", True)]),
        (number("Capillary glucose", "mg/dL"), [("41653-7", True)]),
        (number("ETCO2", "%"), [("19889-5", True)]),
        (number("ETCO2", "mmHg"), [("19891-1", True)]),
    ],
)
def test_the_name_and_the_unit_of_a_row_agree_exactly(row: ContractRow, codes: list[tuple[str, bool]]) -> None:
    assert proposed(row) == codes


@pytest.mark.parametrize(
    "row",
    [
        number("Heart rate", "mmHg"),  # another unit
        number("Weight", "oz"),  # a unit that the profile of weights refuses
        number("Heart rate alarm high", "bpm"),
        number("Heart rate goal", "bpm"),
        number("Heart rate #2", "bpm"),
        number("Temperature of bath", "°C"),
        number("Systolic BP left arm", "mmHg"),
        number("% minute volume", "L/min"),
        number("OR urine", "mL"),
        number("PEEP", "cmH2O"),  # set or measured
        ContractRow("n", "Heart rate", "text"),
        choice("Heart rate", "Fast", "Slow"),
        choice("Braden moisture", "Checked", "Due"),  # options of something else
    ],
)
def test_what_is_not_certain_has_no_proposal(row: ContractRow) -> None:
    assert proposed(row) == []


def test_less_certain_ones_are_proposed_but_not_exact() -> None:
    assert proposed(number("Heart rate")) == [("8867-4", False)]  # no unit
    written = Alias("Heart rate", "expansion")
    assert proposed(number("Hrt Rt", "bpm", "numeric", written)) == [("8867-4", False)]
    label = Alias("Heart rate", "label")
    assert proposed(number("HRX1", "bpm", "numeric", label)) == [("8867-4", True)]
    shorter = Alias("TEMP", "label")  # says less than the name
    assert proposed(number("Temperature of patient", "°C", "numeric", shorter)) == [("8310-5", False)]
    assert proposed(number("Skin temperature", "°C", "numeric", shorter)) == [("8310-5", False)]
    probe = Alias("Skin probe temperature", "label")
    assert proposed(number("Temp", "°C", "numeric", probe)) == [("8310-5", False)]
    assert proposed(number("ETCO2")) == [("19889-5", False), ("19891-1", False)]


def test_a_choice_needs_the_options_of_its_concept() -> None:
    assert proposed(choice("Braden sensory perception", *BRADEN)) == [("38222-6", True)]
    assert proposed(choice("Sensory perception", *BRADEN)) == [("38222-6", False)]  # the scale is not named
    group = replace(choice("Sensory perception", *BRADEN), categories=(("Risks", "Braden scale"),))
    assert proposed(group) == [("38222-6", True)]
    falls = choice("History of falls", "Yes", "No")  # not only the Morse scale asks so
    assert ("59454-9", True) not in proposed(falls)
    stool = ("Soft", "Formed", "Loose", "Watery", "Hard")
    assert proposed(choice("Stool consistency", *stool)) == [("11029-6", True)]
    other = propose_codes([choice("Stool type", *stool)])["Stool type"]  # another word for the concept
    assert [(one.code, one.exact, one.score) for one in other] == [("11029-6", False, 0.9)]
    assert proposed(choice("Urine colour", "Yellow", "Amber", "Clear")) == [("5778-6", True)]
    assert proposed(choice("Right pupil reaction", "Brisk", "Sluggish", "Fixed")) == [("79815-7", True)]
    assert proposed(choice("Pupil reaction", "Brisk", "Sluggish", "Fixed")) == []  # of which eye is not said


def test_all_that_agree_exactly_leave_out_what_is_decided_coded_or_double() -> None:
    rows = [number("Heart rate", "bpm"), number("Resp rate", "/min"), number("SpO2", "%"), number("Temp", "°C")]
    rows[1] = replace(rows[1], loinc="9279-1")
    rows[2] = replace(rows[2], retired=True)
    assert exact(*rows) == {"Heart rate": "8867-4", "Temp": "8310-5"}
    decided = decide_codes(contract(*rows), "0" * 64, {"Heart rate": NO_CODE}, "N. Nurse", AT)
    assert exact(*decided.rows) == {"Temp": "8310-5"}


def contract(*rows: ContractRow) -> Contract:
    return Contract("wards", 1, "", AT, rows=rows)


def codes_of(data: bytes) -> dict[str, str]:
    rows = [row for category in json.loads(data)["categories"] for row in category["rows"]]
    return {row["id"]: row["codes"]["loinc"] for row in rows if "loinc" in row.get("codes", {})}


def test_no_proposal_reaches_the_schema_and_so_no_message() -> None:
    row = number("Heart rate", "bpm")
    before = contract(row)
    assert codes_of(flowsheet_schema(before)) == {}
    after = decide_codes(before, "1" * 64, {row.id: "8867-4"}, "N. Nurse", AT)
    assert codes_of(flowsheet_schema(after)) == {row.id: "8867-4"}
    assert (after.version, after.parent, after.log) == (2, "1" * 64, ("2: code: Heart rate: LOINC 8867-4",))
    assert after.decisions == (Decision("loinc:Heart rate", "8867-4", "N. Nurse", AT),)
    assert is_decided(after.rows[0])
    again = decide_codes(after, "2" * 64, {row.id: NO_CODE}, "N. Nurse", AT)
    assert codes_of(flowsheet_schema(again)) == {}
    assert [one.answer for one in again.decisions] == [NO_CODE]


@pytest.mark.parametrize("codes", [{"Heart rate": "8867-5"}, {"Heart rate": "pulse"}, {"no such row": "8867-4"}])
def test_a_wrong_code_is_refused(codes: dict[str, str]) -> None:
    with pytest.raises(ContractError):
        decide_codes(contract(number("Heart rate", "bpm")), "0" * 64, codes, "N. Nurse", AT)


# exports

ROWS = (
    ("1", "Heart rate", "Number", "bpm", "8867-4"),
    ("2", "Weight", "Number", "kg", "29463-8"),  # wrong check digit
    ("3", "Bath temperature", "Number", "°C", ""),
    ("4", "Resp rate", "Number", "/min", "LOINC:9279-1"),
    *(
        (str(number), f"Item {number}", "Free text", "", code)
        for number, code in enumerate(("8302-2", "8310-5") * 5, 5)
    ),
)


def write(folder: Path, rows: tuple[tuple[str, ...], ...], header: str = "LOINC_CODE") -> Path:
    folder.mkdir(exist_ok=True)
    lines = [f"ROW_ID,ROW_NAME,DATA_TYPE,UNIT,{header}", *map(",".join, rows)]
    (folder / "rows.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def built(folder: Path, **codes: str) -> Contract:
    decisions = [Decision(code_question(row), code, "N. Nurse", AT) for row, code in codes.items()]
    return build_contract(find_sources(folder), AT, decisions, name="wards").contract


def loinc(contract: Contract) -> dict[str, str]:
    return {row.id: row.loinc for row in contract.rows if row.id in tuple("1234")}


def test_the_export_s_own_column_is_taken_where_the_check_digit_is_right(tmp_path: Path) -> None:
    found = built(write(tmp_path, ROWS))
    assert loinc(found) == {"1": "8867-4", "2": "", "3": "", "4": "9279-1"}
    heart_rate = next(row for row in found.rows if row.id == "1")
    assert ("rows.csv", 2, "LOINC_CODE") in [(one.source, one.line, one.field) for one in heart_rate.cells]
    assert read_contract(contract_bytes(found), "it") == found


def test_a_column_of_another_name_or_form_is_no_loinc_column(tmp_path: Path) -> None:
    assert loinc(built(write(tmp_path, ROWS, "VENDOR_CODE"))) == dict.fromkeys("1234", "")
    other = tuple((*row[:4], f"L{row[0]}") for row in ROWS)
    assert loinc(built(write(tmp_path, other))) == dict.fromkeys("1234", "")


def test_building_takes_no_proposal_and_a_person_overrules_the_export(tmp_path: Path) -> None:
    without = tuple((*row[:4], "") for row in ROWS)
    folder = write(tmp_path, without)
    assert loinc(built(folder)) == dict.fromkeys("1234", "")
    assert loinc(built(folder, **{"1": "8867-4", "2": "29463-9"}))["1"] == "8867-4"
    assert loinc(built(folder, **{"2": "29463-9"}))["2"] == ""  # no code at all
    assert loinc(built(write(tmp_path, ROWS), **{"1": NO_CODE, "2": "29463-7"})) == {
        "1": "", "2": "29463-7", "3": "", "4": "9279-1",
    }  # fmt: skip


def test_decisions_live_through_later_exports(tmp_path: Path) -> None:
    without = tuple((*row[:4], "") for row in ROWS)
    first = built(write(tmp_path, without), **{"1": "8867-4"})
    digest = contract_hash(contract_bytes(first))
    same = extend(first, digest, Built(built(tmp_path, **{"1": "8867-4"})))
    assert same.contract is first
    # a person decides about an export that has not changed
    further = extend(first, digest, Built(built(tmp_path, **{"1": "8867-4", "2": "29463-7"})))
    assert loinc(further.contract) == {"1": "8867-4", "2": "29463-7", "3": "", "4": ""}
    assert [(one.kind, one.says) for one in further.changes] == [("code", "Weight: LOINC 29463-7")]
    rejected = extend(first, digest, Built(built(tmp_path, **{"1": NO_CODE})))
    assert loinc(rejected.contract)["1"] == ""
    # the export gets a column of its own
    later = extend(first, digest, Built(built(write(tmp_path, ROWS), **{"1": "8867-4"})))
    assert loinc(later.contract) == {"1": "8867-4", "2": "", "3": "", "4": "9279-1"}


def test_another_code_of_a_later_export_is_a_conflict(tmp_path: Path) -> None:
    first = built(write(tmp_path, ROWS))
    changed = (("1", "Heart rate", "Number", "bpm", "8893-0"), *ROWS[1:])
    found = extend(first, "0" * 64, Built(built(write(tmp_path, changed))))
    assert [one.question for one in found.changes] == ["conflict:1:LOINC code:8867-4:8893-0"]
    assert loinc(found.contract)["1"] == "8867-4"
    later = replace(built(tmp_path), decisions=(Decision(found.changes[0].question, "new", "N. Nurse", AT),))
    assert loinc(extend(first, "0" * 64, Built(later)).contract)["1"] == "8893-0"
