"""Exports whose rows stand in a sheet for each form, with lists of options and of other names beside."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from extraction.contract.build import build_contract
from extraction.contract.records import Contract, ContractRow, FieldRole, SourceKind
from extraction.contract.sources.discovery import find_sources
from tests.kit.exports import write_table
from tests.unit.extraction.contract.test_layouts import contract_of, items, rows_of

_UPPER = ("Row", "", "Answer", "", "", "Limits", "", "State")
_LOWER = ("Code", "Text", "Kind", "Answers", "List", "From", "To", "")
_FORMS = {
    "Admission": [
        ("Body",),
        ("AD10", "Weight", "Number", "", "", "2", "300", "In use"),
        ("AD11", "Height", "Number", "", "", "30", "230", "In use"),
        ("AD12", "Girth (old)", "Number", "", "", "30", "230", "Withdrawn 02/2024"),
        ("Habits",),
        ("AD20", "Drinks", "Choose one", "", "K1", "", "", "In use"),
        ("AD21", "Smokes", "Choose one", "", "K2", "", "", "In use"),
        ("AD22", "Sleeps well", "Yes/No", "", "", "", "", "In use"),
    ],
    "Rounds": [
        ("Signs",),
        ("RO10", "Pulse", "Number", "", "", "20", "250", "In use"),
        ("RO11", "Hydration", "Choose one", "D- = Dry\nN = Normal\nD+ = Swollen", "", "", "", "In use"),
        ("RO12", "Thirst", "Choose one", "", "K1", "", "", "In use"),
        ("RO13", "Note", "Free text", "", "", "", "", "In use"),
    ],
}
_LISTS = {"K1": ("How often", ("Never", "Weekly", "Daily")), "K2": ("Habit", ("No", "Cigars", "Pipe", "Stopped"))}


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Contract:
    folder = tmp_path_factory.mktemp("forms")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, lines in _FORMS.items():
        sheet = book.create_sheet(name)
        for line in (("Chart of rows",), (), _UPPER, _LOWER, *lines):
            sheet.append([cell or None for cell in line])
        for merged in ("A1:H1", "A3:B3", "C3:E3", "F3:G3", "H3:H4", "A5:H5"):
            sheet.merge_cells(merged)
    shared = book.create_sheet("Shared lists")
    shared.append(["List", "Title", "Code", "Wording"])
    for key, (title, answers) in _LISTS.items():
        for number, answer in enumerate(answers, 1):
            shared.append([key, title, str(number), answer])
    known = book.create_sheet("Also known as")
    known.append(["Row code", "Other term", "Origin of term"])
    for line in (("AD10", "Mass", "Paper"), ("AD10", "Kilos", "Ward"), ("RO10", "Beats", "Paper")):
        known.append(line)
    book.save(folder / "rows.xlsx")
    codes = [line[0] for lines in _FORMS.values() for line in lines if len(line) > 1]
    charted = [["ENTRY_NO", "MRN", "ROW_CODE", "RESULT", "CHARTED_AT"]]
    charted += [
        [str(700100 + 13 * number), f"M{5000 + number % 7}", codes[number % len(codes)], str(40 + number % 30),
         f"2026-01-{1 + number % 27:02} {number % 24:02}:15"]
        for number in range(120)
    ]  # fmt: skip
    write_table(folder / "charted.csv", charted)
    return build_contract(find_sources(folder), "2026-03-01T10:00:00Z").contract


@pytest.fixture(scope="module")
def rows(contract: Contract) -> dict[str, ContractRow]:
    return rows_of(contract)


def test_a_header_of_two_rows_names_the_columns(rows: dict[str, ContractRow]) -> None:
    assert {row.id for row in rows.values()} == {
        line[0] for lines in _FORMS.values() for line in lines if len(line) > 1
    }
    assert (rows["Weight"].value_type, rows["Weight"].minimum, rows["Weight"].maximum) == ("numeric", 2.0, 300.0)
    assert rows["Girth (old)"].retired
    assert not rows["Weight"].retired


def test_sheets_of_one_form_each_are_groups_and_a_single_line_above_rows_is_one(rows: dict[str, ContractRow]) -> None:
    assert rows["Height"].categories == (("Admission", "Body"),)
    assert rows["Smokes"].categories == (("Admission", "Habits"),)
    assert rows["Pulse"].categories == (("Rounds", "Signs"),)


def test_the_options_of_a_shared_list_are_its_answers_and_not_its_title(rows: dict[str, ContractRow]) -> None:
    assert [(one.name, one.code) for one in rows["Smokes"].options] == [
        ("No", "1"), ("Cigars", "2"), ("Pipe", "3"), ("Stopped", "4"),
    ]  # fmt: skip
    assert [one.name for one in rows["Thirst"].options] == ["Never", "Weekly", "Daily"]
    assert [(one.name, one.code) for one in rows["Hydration"].options] == [
        ("Dry", "D-"), ("Normal", "N"), ("Swollen", "D+"),
    ]  # fmt: skip


def test_charted_values_lead_to_the_rows_of_all_sheets(contract: Contract, rows: dict[str, ContractRow]) -> None:
    to = {link.parent[0] for link in contract.links if link.child == ("charted.csv", "ROW_CODE")}
    assert to == {"rows.xlsx#Admission", "rows.xlsx#Rounds"}
    assert all(row.charted for row in rows.values())


def test_a_list_of_synonyms_gives_other_names(contract: Contract, rows: dict[str, ContractRow]) -> None:
    assert [one.text for one in rows["Weight"].aliases] == ["Mass", "Kilos"]
    assert rows["Weight"].former_ids == ()
    roles = {role.field: role.role for role in contract.roles if role.source == "rows.xlsx#Also known as"}
    assert roles["Other term"] is FieldRole.ROW_ALIAS


def test_a_group_of_answers_is_a_list_with_its_codes(tmp_path: Path) -> None:
    answers = [["ANSWER_GRP_ID", "SEQ", "TERM_ID", "SOURCE_STRING", "TRUTH_VAL"]]
    for group, names in (
        (310, ("Pink", "Pale")),
        (317, ("Clear", "Wheezes", "Crackles")),
        (325, ("Steady", "Unsteady")),
    ):
        answers += [
            [str(group), str(seq), str(55000 + 17 * group + 31 * seq), name, ""] for seq, name in enumerate(names, 1)
        ]
    kinds = ("Numeric", "Alpha", "Alpha", "Numeric", "Free text", "Alpha", "Yes/No", "Numeric")
    groups = ("0", "310", "317", "0", "0", "325", "0", "0")
    contract = contract_of(
        tmp_path, items=items("KIND", "ANSWER_GRP_ID", KIND=kinds, ANSWER_GRP_ID=groups), answers=answers
    )
    assert {source.name: source.kind for source in contract.sources}["answers.csv"] is SourceKind.OPTIONS
    assert [(one.name, one.code) for one in rows_of(contract)["Gait"].options] == [
        ("Steady", str(55000 + 17 * 325 + 31)), ("Unsteady", str(55000 + 17 * 325 + 62)),
    ]  # fmt: skip
