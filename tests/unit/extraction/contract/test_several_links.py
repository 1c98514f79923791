"""What is said of a row two links away from it: options, limits, and the groups above a group."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.contract.build import Built, build_contract
from extraction.contract.records import Contract, ContractRow, Decision, SourceKind
from extraction.contract.sources.discovery import find_sources
from tests.kit.exports import write_table
from tests.unit.extraction.contract.test_layouts import contract_of, items, rows_of

_TYPES = ("Numeric", "Alpha", "Alpha", "Numeric", "Free text", "Alpha", "Yes/No", "Numeric")
_TERMS = (("Pink", "Pink"), ("Pale", "Pale"), ("Steady on both feet", "Steady on..."), ("Clear", "Clear"),
          ("Wheezes", "Wheezes"), ("Unsteady, needs a hand", "Unsteady,..."))  # fmt: skip
_CHOSEN = {1: (0, 1), 2: (3, 4), 5: (2, 5)}
_LIMITS = {0: ("20", "250"), 3: ("0", "3000"), 7: ("30", "43")}


def _chained(folder: Path) -> Contract:
    terms = [["TERM_ID", "SHORT_STRING", "SOURCE_STRING"]]
    terms += [[str(55100 + 7 * place), short, text] for place, (text, short) in enumerate(_TERMS)]
    ranges = [["RANGE_ID", "ITEM_ID", "AGE_FROM", "AGE_TO", "NORMAL_LOW", "NORMAL_HIGH", "LIMIT_LOW", "LIMIT_HIGH",
               "ACTIVE_IND"]]  # fmt: skip
    answers = [["RANGE_ID", "LINE_SEQ", "TERM_ID", "RESULT_VALUE"]]
    number = 91000
    for place in range(8):
        low, high = _LIMITS.get(place, ("", ""))
        usual = ("60", "100") if low else ("", "")
        ranges.append([str(number), str(4100 + place), "0", "9000", *usual, low, high, "1"])
        ranges.append([str(number + 3), str(4100 + place), "9001", "99999", *usual, low, high[:-1] or high, "1"])
        ranges.append([str(number + 5), str(4100 + place), "0", "99999", "", "", low and "1", high and "99999", "0"])
        for seq, term in enumerate(_CHOSEN.get(place, ()), 1):
            answers.append([str(number), str(seq), str(55100 + 7 * term), ""])
        number += 11
    boards = [["BOARD_ID", "DISPLAY_NAME"]]
    boards += [
        [str(310 + place), f"Board {name}"] for place, name in enumerate(("adult", "child", "heart", "skin", "gut"))
    ]
    sections = [["SECTION_ID", "BOARD_ID", "DISPLAY_NAME", "SECTION_SEQ"]]
    sections += [[str(8800 + place), str(310 + place % 5), f"Part {'ABCDEF'[place]}", str(place)] for place in range(6)]
    members = [["SECTION_ID", "ITEM_ID", "ITEM_SEQ"]]
    members += [[str(8800 + place % 6), str(4100 + place), str(place)] for place in range(8)]
    return contract_of(
        folder, items=items("KIND", KIND=_TYPES), terms=terms, ranges=ranges, answers=answers, boards=boards,
        sections=sections, members=members,
    )  # fmt: skip


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Contract:
    return _chained(tmp_path_factory.mktemp("chained"))


@pytest.fixture(scope="module")
def rows(contract: Contract) -> dict[str, ContractRow]:
    return rows_of(contract)


def test_options_of_a_line_about_a_row_are_those_of_the_row(contract: Contract, rows: dict[str, ContractRow]) -> None:
    assert {source.name: source.kind for source in contract.sources}["answers.csv"] is SourceKind.OPTIONS
    assert [(option.name, option.code) for option in rows["Skin colour"].options] == [
        ("Pink", "55100"), ("Pale", "55107"),
    ]  # fmt: skip
    assert rows["Skin colour"].value_type == "single_select"
    assert [option.name for option in rows["Gait"].options] == ["Steady on both feet", "Unsteady, needs a hand"]
    assert rows["Remarks"].options == ()


def test_the_widest_limits_in_use_hold_and_no_normal_ones(contract: Contract, rows: dict[str, ContractRow]) -> None:
    assert {source.name: source.kind for source in contract.sources}["ranges.csv"] is SourceKind.LIMITS
    assert (rows["Pulse rate"].minimum, rows["Pulse rate"].maximum) == (20, 250)
    assert (rows["Temperature"].minimum, rows["Temperature"].maximum) == (30, 43)
    assert not any(row.retired for row in rows.values())
    assert "ranges.csv" in {cell.source for cell in rows["Temperature"].cells}


def test_what_alone_is_led_to_by_groups_stands_above_them(rows: dict[str, ContractRow]) -> None:
    assert rows["Pulse rate"].categories == (("Board adult", "Part A"),)
    assert rows["Temperature"].categories == (("Board child", "Part B"),)


def test_another_name_of_each_row_is_no_group(tmp_path: Path) -> None:
    codes = [["EVENT_CODE", "DISPLAY"], *([str(6000 + place), f"Event {'ABCDEFGH'[place]}"] for place in range(8))]
    events = tuple(str(6000 + place) for place in range(8))
    table = items("KIND", "EVENT_CODE", "SECTION", KIND=_TYPES, EVENT_CODE=events, SECTION=("Vital signs", "Skin") * 4)
    row = rows_of(contract_of(tmp_path, items=table, codes=codes))["Pulse rate"]
    assert row.categories == (("Vital signs",),)


def _named_twice(folder: Path, *decisions: Decision) -> Built:
    """Rows with an id, under which values are charted, and a short code, by which three other sources name them."""
    shorts = [f"SC{101 + 7 * place}" for place in range(8)]
    tables = {
        "items": items("SHORT_CODE", "KIND", SHORT_CODE=shorts, KIND=_TYPES),
        "charted": [["VISIT_NO", "ITEM_ID", "RESULT", "CHARTED_AT"],
                    *([f"V{7000 + n}", str(4100 + n % 8), str(n), f"2026-02-01 08:{10 + n}"] for n in range(24))],
    }  # fmt: skip
    for name in ("pages", "hints", "prices"):
        lines = [[short, f"{name} {place % 3}"] for place, short in enumerate(shorts * 2)]
        tables[name] = [["SHORT_CODE", name.upper()], *lines]
    for name, lines in tables.items():
        write_table(folder / f"{name}.csv", lines)
    return build_contract(find_sources(folder), "2026-03-01T10:00:00Z", decisions)


def test_the_id_of_a_row_is_what_charted_values_refer_to_though_more_sources_name_rows_otherwise(
    tmp_path: Path,
) -> None:
    built = _named_twice(tmp_path)
    assert [row.id for row in built.contract.rows] == [str(4100 + place) for place in range(8)]
    asked = next(question for question in built.questions if question.id == "role:items.csv:SHORT_CODE")
    assert "row-id" in dict(asked.choices)
    assert asked.default != "row-id"
    person = Decision(asked.id, "row-id", "R. Vance", "2026-03-01T11:00:00Z")
    decided = _named_twice(tmp_path, person)
    assert [row.id for row in decided.contract.rows][:2] == ["SC101", "SC108"]
    assert {row.charted for row in decided.contract.rows} == {3}
    assert asked.id not in {question.id for question in decided.questions}
