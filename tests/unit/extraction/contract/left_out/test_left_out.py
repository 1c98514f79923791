"""Every line of the lists of rows is a row in use or is left out with its reason, and a person can take some in."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.contracts import StoredContract, build_from_folder, extend_from_folder, left_out_of
from extraction.contract.build import Built
from extraction.contract.document import contract_bytes, contract_hash
from extraction.contract.left_out.finding import counted
from extraction.contract.left_out.records import Reason
from extraction.contract.left_out.taking_in import use_question
from extraction.contract.records import Decision, FieldRole, Source
from extraction.contract.rows.dictionary import DictionaryLine
from extraction.contract.rows.unused_lines import lines_left_out
from extraction.contract.sources.ragged_lines import Record
from extraction.contract.sources.source_table import SourceTable

HEAD = "ROW_ID,ROW_NAME,VALUE_TYPE,UNITS,ACTIVE_YN"
ROWS = [
    "r1,Heart rate,Numeric,/min,Y",
    "r2,Weight,Numeric,kg,Y",
    "r3,Pulse deficit,Numeric,/min,N",
    "r4,Weight,Numeric,kg,N",
    "r5,Gait,String,,Y",
    "r6,Mood,String,,Y",
    "r7,Skin color,String,,Y",
]
VALUES = [
    "PAT_ID,ROW_ID,MEAS_VALUE,TAKEN_TIME",
    *(f"P{n % 9},r1,{60 + n},2026-03-{n % 28 + 1:02d} 08:{n:02d}" for n in range(50)),
]


def write(folder: Path, rows: list[str]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "rows.csv").write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
    (folder / "values.csv").write_text(
        "\n".join([*VALUES, "P8,x9,1,2026-03-08 08:00", "P9,x9,2,2026-03-09 08:00"]) + "\n", encoding="utf-8"
    )
    return folder


def decided(*rows: str, answer: str = "yes") -> list[Decision]:
    return [Decision(use_question(row), answer, "R. Nurse", "2026-01-01T00:00:00Z") for row in rows]


def stored(built: Built) -> StoredContract:
    return StoredContract(built.contract, contract_hash(contract_bytes(built.contract)))


def in_use(built: Built) -> list[str]:
    return [row.id for row in built.contract.rows if not row.retired]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "exports", ROWS)


def test_every_line_is_accounted_for(folder: Path) -> None:
    built = build_from_folder(folder)
    found = left_out_of(built.contract, built)
    assert counted(found) == {
        Reason.RETIRED: 1,
        Reason.DOUBLE: 1,
        Reason.UNLISTED: 1,
    }
    lines = [one for one in found if one.source == "rows.csv"]
    assert len(in_use(built)) + len(lines) == len(ROWS)
    by_reason = {one.reason: one for one in found}
    assert (by_reason[Reason.RETIRED].row, by_reason[Reason.RETIRED].line) == ("r3", 4)
    double = by_reason[Reason.DOUBLE]
    assert (double.row, double.line, double.says) == ("r4", 5, "its values count for Weight (r2)")
    assert (by_reason[Reason.UNLISTED].row, by_reason[Reason.UNLISTED].says) == ("x9", "2 values")
    assert {one.reason for one in found if one.can_be_used} == {Reason.RETIRED, Reason.DOUBLE}


def test_a_line_without_an_id_a_further_one_and_a_heading_are_told_apart() -> None:
    records = [
        Record(2, ("a", "Gait")),
        Record(3, ("a", "Gait, cane")),
        Record(4, ("", "Extra")),
        Record(5, ("g", "Vitals")),
    ]
    table = SourceTable(Source("rows.csv", ""), ("ID", "NAME"), lambda: iter(records))
    roles = {("rows.csv", "ID"): FieldRole.ROW_ID, ("rows.csv", "NAME"): FieldRole.ROW_NAME}
    found = list(lines_left_out([table], roles, {"a": DictionaryLine("a", "Gait")}, {"g"}, {}))
    assert [(one.reason, one.line, one.name) for one in found] == [
        (Reason.SAME_ROW, 3, "Gait, cane"),
        (Reason.NO_ID, 4, "Extra"),
        (Reason.HEADING, 5, "Vitals"),
    ]


def test_a_person_takes_a_retired_row_and_a_double_in(folder: Path) -> None:
    built = build_from_folder(folder, decided("r3", "r4"))
    assert in_use(built) == ["r1", "r2", "r3", "r4", "r5", "r6", "r7"]
    assert all(not row.former_ids for row in built.contract.rows)
    assert all(gate.passed for gate in built.contract.gates)
    assert not any(one.can_be_used for one in left_out_of(built.contract, built))
    assert in_use(build_from_folder(folder, decided("r3", "r4", answer=""))) == in_use(build_from_folder(folder))


def test_what_was_taken_in_stays_through_later_exports_until_it_is_taken_back(folder: Path) -> None:
    first = stored(build_from_folder(folder))
    second = extend_from_folder(first, folder, decided("r3", "r4"))
    assert {row.id for row in second.contract.rows if not row.retired} >= {"r3", "r4"}
    assert any(change.says == "Pulse deficit is used all the same (R. Nurse)" for change in second.changes)
    third = extend_from_folder(StoredContract(second.contract, contract_hash(contract_bytes(second.contract))), folder)
    assert third.contract is second.contract, "nothing is new, and nothing is asked again"
    back = extend_from_folder(
        StoredContract(second.contract, contract_hash(contract_bytes(second.contract))),
        folder,
        decided("r3", answer=""),
    )
    assert next(row for row in back.contract.rows if row.id == "r3").retired


def test_a_row_that_the_exports_lost_is_named_and_can_be_kept(folder: Path) -> None:
    first = stored(build_from_folder(folder))
    write(folder, [line for line in ROWS if not line.startswith("r5")])
    later = extend_from_folder(first, folder)
    gone = [one for one in left_out_of(later.contract, later.built) if one.reason is Reason.GONE]
    assert [(one.row, one.can_be_used) for one in gone] == [("r5", True)]
    kept = extend_from_folder(first, folder, decided("r5"))
    assert not next(row for row in kept.contract.rows if row.id == "r5").retired
    retired = StoredContract(later.contract, contract_hash(contract_bytes(later.contract)))
    again = extend_from_folder(retired, folder, decided("r5"))
    assert not next(row for row in again.contract.rows if row.id == "r5").retired
