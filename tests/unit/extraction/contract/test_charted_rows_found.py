"""Charted values lead to their rows, also where they name them otherwise, or a line of the dictionary is odd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from extraction.contract.build import build_contract
from extraction.contract.records import Contract
from extraction.contract.sources.discovery import find_sources
from tests.kit.exports import write_table
from tests.kit.ward_rows import ROWS, WardRow, acts, faults

_LETTERS = str.maketrans("0123456789", "ABCDEFGHIJ")


def contract_of(folder: Path) -> Contract:
    return build_contract(find_sources(folder), "2026-03-01T10:00:00Z").contract


def mnemonic(row: WardRow) -> str:
    return f"NUR{row.id.translate(_LETTERS)}"


def charted(head: Sequence[str], row_id: Callable[[WardRow], str]) -> list[Sequence[str]]:
    """Values charted under what `row_id` makes of a row."""
    lines = (
        (f"V{act.patient:05}", f"2026-02-{act.day:02} {act.minute // 60:02}:{act.minute % 60:02}", row_id(act.row), one)
        for act in acts()
        for one in act.said
    )
    return [head, *lines]


def test_a_dictionary_in_which_an_id_stands_twice(tmp_path: Path) -> None:
    """Types are those of the values; options are lettered, as "A - Alert"."""
    most = max(len(row.options) for row in ROWS)
    items = [["Mnemonic", "Screen Label", "UOM", "Low", "High", "Live?", *(f"Choice {n + 1}" for n in range(most))]]
    for row in ROWS:
        choices = [f"{code if code.isalpha() else 'X' + code} - {name}" for code, name in row.options]
        live = "N" if row.retired else "Y"
        items.append([mnemonic(row), row.name, row.unit, row.low, row.high, live, *choices])
    items += [[f"NURTEST{letter}", f"Test item {letter}", "", "", "", "N"] for letter in "ABCDEFGH"]
    items.append(list(items[3]))
    answers = charted(("AccountNo", "ChartedDT", "ItemMnemonic", "AnswerText"), mnemonic)
    write_table(tmp_path / "items.csv", [[*line, *[""] * (len(items[0]) - len(line))] for line in items])
    write_table(tmp_path / "answers.csv", answers)
    contract = contract_of(tmp_path)
    assert [link.parent for link in contract.links if link.child == ("answers.csv", "ItemMnemonic")] == [
        ("items.csv", "Mnemonic")
    ]
    ids = {mnemonic(row): row.id for row in ROWS}
    rows = {ids[row.id]: replace(row, id=ids[row.id]) for row in contract.rows if row.id in ids}
    assert [fault for fault in faults(rows, codes=False, groups=False) if ": type" not in fault] == []
    assert {rows[row.id].value_type for row in ROWS if row.kind == "numeric" and not row.retired} == {"numeric"}
    assert all(rows[row.id].charted for row in ROWS if not row.retired)
    assert {option.code for option in rows["30612"].options} == {"A", "D", "U"}


def test_rows_out_of_use_listed_apart(tmp_path: Path) -> None:
    """A list of retired rows names their successors: those stay the dictionary, and get no groups from it."""
    items = [["Mnemonic", "Screen Label", "Answer Type", "UOM"]]
    items += [[mnemonic(row), row.name, "Number" if row.kind == "numeric" else "Free text", row.unit] for row in ROWS]
    items += [[f"NURTEST{letter}", f"Test item {letter}", "Number", ""] for letter in "ABCDEFGH"]
    items.append(list(items[3]))
    retired = [["Mnemonic", "Screen Label", "Answer Type", "Off Date", "Replaced By"]]
    for number, row in enumerate(ROWS[:6], 1):
        retired.append([f"OLDROW{'ABCDEF'[number - 1]}", f"Old {row.name}", "Number" if row.kind == "numeric" else
                        "Free text", f"2020-05-0{number}", mnemonic(row) if number < 4 else ""])  # fmt: skip
    write_table(tmp_path / "items.csv", items)
    write_table(tmp_path / "retired.csv", retired)
    write_table(tmp_path / "answers.csv", charted(("AccountNo", "ChartedDT", "ItemMnemonic", "Answer"), mnemonic))
    rows = {row.id: row for row in contract_of(tmp_path).rows}
    assert {mnemonic(row) for row in ROWS} <= set(rows)
    assert not any(row.categories for row in rows.values())
    assert rows["OLDROWD"].retired


def test_charted_under_another_unique_column_than_the_id(tmp_path: Path) -> None:
    """Values and groups name the rows by a code, which the dictionary has beside the id; one code names no row."""
    codes = {row.id: f"{40207 + 13 * number}" for number, row in enumerate(ROWS)}
    head = ["ASSAY_ID", "DESCRIPTION", "EVENT_CD", "UNITS", "LOW", "HIGH", "ACTIVE_IND"]
    assays = [[row.id, row.name, codes[row.id], row.unit, row.low, row.high, str(int(not row.retired))] for row in ROWS]
    stray = ROWS[0].id  # the id of a row, where codes are meant
    values = charted(("ENCNTR_ID", "EVENT_END_DT_TM", "EVENT_CD", "RESULT_VAL"), lambda row: codes[row.id])
    values += [("V00001", "2026-02-03 04:05", stray, "Not for this row")] * 3
    ranges = [["RANGE_ID", "ASSAY_ID", "SEX"], *([str(9000 + n), row.id, "0"] for n, row in enumerate(ROWS))]
    sections = [["EVENT_CD", "SECTION_NAME", "SEQ"]]
    sections += [[codes[row.id], name, str(n)] for n, row in enumerate(ROWS, 1) for name in (row.group[1], "All")]
    write_table(tmp_path / "assays.csv", [head, *assays])
    log = [["LOG_ID", "ASSAY_ID", "REASON"], *([str(700 + n), row.id, ""] for n, row in enumerate(ROWS))]
    write_table(tmp_path / "log.csv", log)
    write_table(tmp_path / "ranges.csv", ranges)
    write_table(tmp_path / "sections.csv", sections)
    write_table(tmp_path / "clinical_event.csv", values)
    built = build_contract(find_sources(tmp_path), "2026-03-01T10:00:00Z")
    rows = {row.id: row for row in built.contract.rows}
    assert set(rows) == set(codes.values()), "values go back under what charted values refer to"
    counts = {codes[row.id]: sum(len(act.said) for act in acts() if act.row == row) for row in ROWS}
    assert {row.id: row.charted for row in rows.values()} == counts
    assert built.orphans == {stray: 3}
    assert [row.name for row in ROWS if (row.group[1],) not in rows[codes[row.id]].categories] == []
    numbers = {rows[codes[row.id]].value_type for row in ROWS if row.kind == "numeric" and not row.retired}
    assert numbers == {"numeric"}
