"""Layouts in which record systems export the same things: each says it another way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from extraction.contract.build import build_contract
from extraction.contract.compile import flowsheet_schema
from extraction.contract.records import Contract, ContractRow, FieldRole, SourceKind
from extraction.contract.sources.discovery import find_sources
from extraction.schema_files.native_format import parse_schema
from tests.kit.exports import write_table

Lines = Sequence[Sequence[str]]
_CODES = ("9001", "9002", "9003", "9004", "9101", "9102", "9103")
NAMES = (
    "Pulse rate",
    "Skin colour",
    "Lung sounds",
    "Drainage volume",
    "Remarks",
    "Gait",
    "Bell in reach",
    "Temperature",
)


def contract_of(folder: Path, **tables: Lines) -> Contract:
    for name, lines in tables.items():
        write_table(folder / f"{name}.csv", lines)
    return build_contract(find_sources(folder), "2026-03-01T10:00:00Z").contract


def rows_of(contract: Contract) -> dict[str, ContractRow]:
    return {row.name: row for row in contract.rows}


def items(*columns: str, **values: Sequence[str]) -> list[list[str]]:
    """A dictionary of the eight rows, with further columns by name."""
    lines = [["ITEM_ID", "ITEM_NAME", *columns]]
    for place, name in enumerate(NAMES):
        lines.append([str(4100 + place), name, *(values[column][place] for column in columns)])
    return lines


def test_types_and_units_as_codes_of_a_table(tmp_path: Path) -> None:
    texts = ("Numeric", "Pick list", "Free text", "Yes/No", "bpm", "mL", "degC")
    codes = [["CODE_NO", "CODE_DISPLAY"], *([number, text] for number, text in zip(_CODES, texts, strict=True))]
    types = ("9001", "9003", "9003", "9001", "9003", "9003", "9004", "9001")
    units = ("9101", "0", "0", "9102", "0", "0", "0", "9103")
    contract = contract_of(
        tmp_path, items=items("TYPE_CODE", "UNIT_CODE", TYPE_CODE=types, UNIT_CODE=units), codes=codes
    )
    rows = rows_of(contract)
    assert (rows["Pulse rate"].value_type, rows["Pulse rate"].unit) == ("numeric", "bpm")
    assert (rows["Remarks"].value_type, rows["Remarks"].unit) == ("text", "")
    assert (rows["Temperature"].unit, rows["Temperature"].ucum) == ("degC", "Cel")
    assert {(link.child[1], link.parent) for link in contract.links} == {
        ("TYPE_CODE", ("codes.csv", "CODE_NO")),
        ("UNIT_CODE", ("codes.csv", "CODE_NO")),
    }


def test_ids_of_rows_from_the_same_table_of_codes(tmp_path: Path) -> None:
    texts = ("Numeric", "Pick list", "Free text", "Yes/No", "bpm", "mL", "degC")
    codes = [["CODE_NO", "DISPLAY"], *([number, text] for number, text in zip(_CODES, texts, strict=True))]
    codes += [[str(4100 + place), name] for place, name in enumerate(NAMES)]
    types = ("9001", "9003", "9003", "9001", "9003", "9003", "9004", "9001")
    tasks = [["TASK_ID", *line] for line in items("TYPE_CODE", TYPE_CODE=types)]
    for place, line in enumerate(tasks[1:]):
        line[0] = str(70310 + 17 * place)
    values = [["VISIT_NO", "ITEM_ID", "RESULT", "CHARTED_AT"]]
    values += [[f"V{7000 + n}", str(4100 + n % 8), str(n), f"2026-02-01 08:{10 + n}"] for n in range(24)]
    rows = rows_of(contract_of(tmp_path, codes=codes, tasks=tasks, values=values))
    assert set(rows) == set(NAMES)
    assert (rows["Pulse rate"].value_type, rows["Bell in reach"].value_type) == ("numeric", "yes_no")


def test_types_that_a_legend_explains(tmp_path: Path) -> None:
    legend = [
        ["Kind", "Meaning"],
        ["N", "number"],
        ["T", "text, free"],
        ["L", "list, one entry"],
        ["LS", "list, several entries"],
        ["YN", "yes/no decision"],
    ]
    kinds = ("N", "L", "LS", "N", "T", "L", "YN", "N")
    choices = ("", "pink/pale", "clear/wheezes", "", "", "steady/unsteady", "", "")
    choices = tuple(value.replace("/", " | ") for value in choices)
    contract = contract_of(tmp_path, items=items("Kind", "Choices", Kind=kinds, Choices=choices), legend=legend)
    rows = rows_of(contract)
    assert [rows[name].value_type for name in NAMES] == [
        "numeric",
        "single_select",
        "multi_select",
        "numeric",
        "text",
        "single_select",
        "yes_no",
        "numeric",
    ]
    assert [option.name for option in rows["Lung sounds"].options] == ["clear", "wheezes"]


def test_options_joined_in_a_cell_with_their_codes(tmp_path: Path) -> None:
    choices = ("", "1=Pink|2=Pale|9=Wan (invalid)", "C: Clear; W: Wheezes", "", "", "1 - steady / 2 - unsteady", "", "")
    contract = contract_of(tmp_path, items=items("CHOICES", CHOICES=choices))
    rows = rows_of(contract)
    assert [(option.name, option.code, option.retired) for option in rows["Skin colour"].options] == [
        ("Pink", "1", False),
        ("Pale", "2", False),
        ("Wan", "9", True),
    ]
    assert [(option.name, option.code) for option in rows["Lung sounds"].options] == [("Clear", "C"), ("Wheezes", "W")]
    assert [(option.name, option.code) for option in rows["Gait"].options] == [("steady", "1"), ("unsteady", "2")]


def test_lists_without_a_line_of_their_own(tmp_path: Path) -> None:
    lists = ("", "ZC_SKIN", "ZC_LUNGS", "", "", "ZC_SKIN", "", "")
    several = ("", "N", "Y", "", "", "N", "", "")
    options = [
        ["CAT_TABLE", "CAT_C", "NAME", "HIDDEN_YN"],
        ["ZC_SKIN", "1", "Pink", "N"],
        ["ZC_SKIN", "2", "Pale", "N"],
        ["ZC_SKIN", "3", "Wan", "Y"],
        ["ZC_LUNGS", "1", "Clear", "N"],
        ["ZC_LUNGS", "2", "Wheezes", "N"],
    ]
    table = items("CAT_TABLE", "MULT_RESP_YN", CAT_TABLE=lists, MULT_RESP_YN=several)
    rows = rows_of(contract_of(tmp_path, items=table, options=options))
    assert rows["Lung sounds"].value_type == "multi_select"
    assert [(option.name, option.code, option.retired) for option in rows["Skin colour"].options] == [
        ("Pink", "1", False),
        ("Pale", "2", False),
        ("Wan", "3", True),
    ]


def test_former_ids_successors_and_units_in_the_dictionary(tmp_path: Path) -> None:
    old = ("K1", "", "K3", "", "", "", "", "")
    table = items("OLD_NO", "SUPERSEDED_BY", OLD_NO=old, SUPERSEDED_BY=("", "", "", "", "", "4104", "", ""))
    table[4][1] = "Drainage volume (mL)"
    contract = contract_of(tmp_path, items=table)
    rows = rows_of(contract)
    assert rows["Pulse rate"].former_ids == ("K1",)
    assert rows["Remarks"].former_ids == ("4105",)
    assert "4105" not in {row.id for row in contract.rows}
    assert (rows["Drainage volume (mL)"].value_type, rows["Drainage volume (mL)"].unit) == ("numeric", "mL")


def test_groups_in_a_tree_that_a_table_of_members_joins(tmp_path: Path) -> None:
    groups = [
        ["GROUP_ID", "PARENT_ID", "TITLE"],
        ["G100", "", "Ward chart"],
        ["G101", "G100", "Vital signs"],
        ["G102", "G100", "Skin and lungs"],
        ["G103", "G102", "Skin"],
        ["G104", "G105", "Circle"],
        ["G105", "G104", "Back"],
    ]
    members = [
        ["GROUP_ID", "ITEM_ID", "POS"],
        ["G101", "4100", "1"],
        ["G101", "4107", "2"],
        ["G103", "4101", "1"],
        ["G102", "4102", "1"],
        ["G104", "4103", "1"],
        ["G101", "4106", "3"],
    ]
    rows = rows_of(contract_of(tmp_path, items=items(), groups=groups, members=members))
    assert rows["Pulse rate"].categories == (("Ward chart", "Vital signs"),)
    assert rows["Skin colour"].categories == (("Ward chart", "Skin and lungs", "Skin"),)
    assert rows["Drainage volume"].categories == (("Back", "Circle"),)  # groups that contain each other end the way up


def test_group_names_that_stand_on_the_first_line_of_their_group(tmp_path: Path) -> None:
    sections = [
        ["ASSESSMENT", "SECTION", "SEQ", "ITEM_ID"],
        ["Adult", "Vital signs", "1", "4100"],
        ["", "", "2", "4107"],
        ["", "", "3", "4106"],
        ["", "Skin", "1", "4101"],
        ["", "", "2", "4102"],
        ["Surgery", "Drains", "1", "4103"],
        ["", "", "2", "4104"],
    ]
    rows = rows_of(contract_of(tmp_path, items=items(), sections=sections))
    assert rows["Temperature"].categories == (("Adult", "Vital signs"),)
    assert rows["Lung sounds"].categories == (("Adult", "Skin"),)
    assert rows["Remarks"].categories == (("Surgery", "Drains"),)


def test_lines_of_json_with_choices_inside(tmp_path: Path) -> None:
    with (tmp_path / "items.jsonl").open("w", encoding="utf-8") as stream:
        for place, name in enumerate(NAMES):
            choices = (
                [{"k": "a", "v": "steady"}, {"k": "b", "v": "unsteady", "off": place == 1}] if place in (1, 5) else []
            )
            unit = {"code": "/min"} if place == 0 else None
            item = {"id": f"item-{4100 + place}", "label": name, "unit": unit, "choices": choices}
            stream.write(json.dumps({"item": item}) + "\n")
    contract = build_contract(find_sources(tmp_path), "2026-03-01T10:00:00Z").contract
    rows = rows_of(contract)
    assert [(option.name, option.code, option.retired) for option in rows["Gait"].options] == [
        ("steady", "a", False),
        ("unsteady", "b", False),
    ]
    assert [option.retired for option in rows["Skin colour"].options] == [False, True]
    assert rows["Pulse rate"].unit == "/min"
    kinds = {source.name: source.kind for source in contract.sources}
    assert kinds["items.jsonl#item.choices"] is SourceKind.OPTIONS


def test_the_last_line_of_an_export_and_marks_that_are_letters(tmp_path: Path) -> None:
    lines = ["ITEM_ID|ITEM_NAME|UNIT", *(f"{4100 + place}|{name}|" for place, name in enumerate(NAMES))]
    lines[3] = '4102|"Sounds of the lungs|'
    (tmp_path / "items.txt").write_text("\n".join([*lines, "(8 rows selected)"]), encoding="utf-8")
    contract = build_contract(find_sources(tmp_path), "2026-03-01T10:00:00Z").contract
    assert len(contract.rows) == 8
    assert '"Sounds of the lungs' in rows_of(contract)


def test_names_that_stand_in_the_values_only(tmp_path: Path) -> None:
    table = items()
    table[6][1] = ""
    values = [["VISIT_NO", "ITEM_ID", "ITEM_TEXT", "RESULT", "CHARTED_AT"]]
    for number in range(24):
        place = number % 8
        values.append(
            [
                f"V{7000 + number // 2}",
                str(4100 + place),
                NAMES[place],
                str(number),
                f"2026-02-0{1 + number % 7} 08:{10 + number}",
            ]
        )
    contract = contract_of(tmp_path, items=table, values=values)
    assert next(row for row in contract.rows if row.id == "4105").name == "Gait"


def test_terse_names_get_their_written_out_names_as_synonyms(tmp_path: Path) -> None:
    table = items("SECTION", SECTION=["Respiratory"] * 8)
    table[3][1] = "Resp Rate"
    contract = contract_of(tmp_path, items=table)
    terse = rows_of(contract)["Resp Rate"]
    assert [(alias.text, alias.origin) for alias in terse.aliases] == [("Respiratory Rate", "expansion")]
    row = next(row for row in parse_schema(flowsheet_schema(contract), "schema").rows if row.id == terse.id)
    assert (row.name, row.written_out, row.synonyms) == ("Resp Rate", "Respiratory Rate", ())
    roles = {role.field: role.role for role in contract.roles}
    assert roles["SECTION"] is FieldRole.CATEGORY


def test_codes_that_one_table_of_all_enumerations_explains(tmp_path: Path) -> None:
    enumerations = [["TABLE_NAME", "COLUMN_NAME", "ENUM_VALUE", "MEANING"], ["visit", "STATE", "0", "Planned"],
                    ["visit", "STATE", "1", "Here"], ["items", "DATA_KIND", "0", "Numeric"],
                    ["items", "DATA_KIND", "1", "Free text"],
                    ["items", "DATA_KIND", "2", "Yes/No"]]  # fmt: skip
    kinds = ("0", "1", "1", "0", "1", "1", "2", "0")
    rows = rows_of(contract_of(tmp_path, items=items("DATA_KIND", DATA_KIND=kinds), enumerations=enumerations))
    assert [rows[name].value_type for name in NAMES] == [
        "numeric", "text", "text", "numeric", "text", "text", "yes_no", "numeric",
    ]  # fmt: skip


def test_values_in_one_column_for_each_form_and_multiplicities(tmp_path: Path) -> None:
    kinds = ("QUANTITY", "CODED_TEXT", "CODED_TEXT", "QUANTITY", "TEXT", "ORDINAL", "BOOLEAN", "QUANTITY")
    kinds = tuple(f"DV_{kind}" for kind in kinds)
    occurs = ("0..1", "0..1", "0..*", "0..1", "0..1", "0..1", "0..1", "1..1")
    sets = ("", "VS-1", "VS-2", "", "", "VS-1", "", "")
    terms = [["VALUE_SET", "SEQ", "CODE", "TERM"], ["VS-1", "1", "at01", "Pink"], ["VS-1", "2", "at02", "Pale"],
             ["VS-2", "1", "at03", "Clear"], ["VS-2", "2", "at04", "Wheezes"]]  # fmt: skip
    values = [["VISIT_NO", "ITEM_ID", "AT_DATETIME", "VALUE_AS_NUMBER", "VALUE_AS_CODE"]]
    for number in range(24):
        place = (0, 1, 3)[number % 3]
        number_said, code_said = ("", "at01") if place == 1 else (str(60 + number), "")
        values.append([f"V{7000 + number}", str(4100 + place), f"2026-02-01 08:{10 + number}", number_said, code_said])
    table = items("KIND", "OCCURRENCES", "VALUE_SET", KIND=kinds, OCCURRENCES=occurs, VALUE_SET=sets)
    rows = rows_of(contract_of(tmp_path, items=table, terms=terms, values=values))
    assert rows["Lung sounds"].value_type == "multi_select"
    assert rows["Skin colour"].value_type == "single_select"
    assert [(option.name, option.code) for option in rows["Gait"].options] == [("Pink", "at01"), ("Pale", "at02")]
    assert [rows[name].charted for name in ("Pulse rate", "Skin colour", "Drainage volume")] == [8, 8, 8]


def test_a_value_as_code_text_and_number_is_the_text_where_the_others_are_empty(tmp_path: Path) -> None:
    values = [["VISIT_NO", "ITEM_ID", "AT_DATETIME", "ANSWER_CODE", "ANSWER_TEXT", "ANSWER_NUMBER"]]
    for number in range(24):
        place = (0, 1, 4)[number % 3]
        said = {0: ("", "71", "71.0"), 1: ("PK", "Pink", ""), 4: ("", f"slept, woke {number} times", "")}[place]
        values.append([f"V{7000 + number}", str(4100 + place), f"2026-02-01 08:{10 + number}", *said])
    kinds = ("Number", "Pick list", "Pick list", "Number", "Free text", "Pick list", "Yes/No", "Number")
    rows = rows_of(contract_of(tmp_path, items=items("KIND", KIND=kinds), values=values))
    assert [rows[name].charted for name in ("Pulse rate", "Skin colour", "Remarks")] == [8, 8, 8]


def test_options_that_go_on_in_the_line_below(tmp_path: Path) -> None:
    choices = [f"CHOICE {number}" for number in range(1, 5)]
    table = [[*line, *[""] * 4] for line in items("KIND", KIND=("Number", "Pick list", *["Free text"] * 6))]
    table[0][3:] = choices
    table[2][3:] = ["PK - Pink", "PL - Pale", "JD - Jaundiced", "MT - Mottled"]
    table.insert(3, ["", "", "", "CY - Cyanotic", "FL - Flushed", "", ""])
    rows = rows_of(contract_of(tmp_path, items=table))
    assert [option.code for option in rows["Skin colour"].options] == ["PK", "PL", "JD", "MT", "CY", "FL"]
    assert len(rows) == 8


def test_both_limits_in_one_cell(tmp_path: Path) -> None:
    ranges = ("30 - 220", "", "", "0-4000", ">= 0", "", "", "34,0 bis 42,5")
    kinds = ("Number", "Free text", "Free text", "Number", "Free text", "Free text", "Yes/No", "Number")
    rows = rows_of(contract_of(tmp_path, items=items("KIND", "VALUE_RANGE", KIND=kinds, VALUE_RANGE=ranges)))
    limits = {name: (row.minimum, row.maximum) for name, row in rows.items() if row.value_type == "numeric"}
    assert limits == {"Pulse rate": (30, 220), "Drainage volume": (0, 4000), "Temperature": (34, 42.5)}
