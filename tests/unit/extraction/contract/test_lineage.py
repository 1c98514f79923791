"""A row is found by id or words, and tells where it came from and how its values go back."""

from __future__ import annotations

from dataclasses import replace

from extraction.contract.history.words import charted_text, history_lines
from extraction.contract.lineage import find_rows, lineage
from extraction.contract.records import (
    Alias,
    Cell,
    Contract,
    ContractOption,
    ContractRow,
    RelationKind,
    RowRelation,
    Source,
)
from extraction.contract.row_history import Companion, NumberHistory, OptionHistory, RowHistory

ROW = ContractRow(
    "70003",
    "Colour of the skin",
    "single_select",
    aliases=(Alias("COLOUR", "label"),),
    former_ids=("V-13",),
    categories=(("Adult ward", "Skin"),),
    options=(ContractOption("Pink", "P"), ContractOption("Wan", "W", retired=True)),
    loinc="39107-8",
    charted=12,
    cells=(Cell("rows.csv", 4, "PARAM_ID"), Cell("rows.csv", 4, "LABEL"), Cell("values.csv", 2, "")),
)
CONTRACT = Contract(
    "wards-1",
    1,
    "",
    "2026-03-02T10:00:00Z",
    sources=(Source("rows.csv", "a" * 64),),
    rows=(ROW, ContractRow("7", "Skin temperature", "numeric")),
)


def test_an_id_finds_its_row_alone_and_words_find_rows_by_all_their_names() -> None:
    assert find_rows(CONTRACT, "7") == [CONTRACT.rows[1]]
    assert find_rows(CONTRACT, "V-13") == [ROW]
    assert find_rows(CONTRACT, "skin") == list(CONTRACT.rows)
    assert find_rows(CONTRACT, "Colour SKIN") == [ROW]
    assert find_rows(CONTRACT, "gait") == []


def test_the_chain_goes_from_the_cells_to_the_code_of_a_filed_value() -> None:
    assert lineage(ROW, CONTRACT).splitlines() == [
        "70003  Colour of the skin",
        "",
        "from",
        "  rows.csv (aaaaaaaaaaaa)  line 4  PARAM_ID, LABEL",
        "  values.csv (?)  line 2  charted values",
        "",
        "is",
        "  single_select",
        "  LOINC 39107-8",
        "  also called COLOUR (label)",
        "  formerly V-13",
        "  in Adult ward / Skin",
        "  P      Pink",
        "  W      Wan (retired)",
        "",
        "charted",
        "  12 times, too few for more",
        "",
        "goes back as",
        "  70003",
        "  Pink -> P",
        "  Wan -> W",
    ]


def test_rows_that_belong_together_are_shown_as_a_proposal() -> None:
    warm = ContractRow("8", "Skin temperature, probe", "numeric")
    relation = RowRelation(RelationKind.ALIKE, ("7", "8"), "skin temperature", 0.6)
    related = replace(CONTRACT, rows=(*CONTRACT.rows, warm), relations=(relation,))
    assert lineage(warm, related).splitlines()[-3:] == [
        "",
        "charts the same in another way: skin temperature (60% sure, by a rule)",
        "  7  Skin temperature",
    ]
    assert "charts the same" not in lineage(ROW, related)


def test_the_history_of_a_row_is_told() -> None:
    numbers = NumberHistory(90, 30, 52.0, 131.5, ((0.25, 70.0), (0.5, 79.0), (0.75, 90.0)))
    history = RowHistory(
        1204, 30, 0.96, 0.71, 0.4, 60, 2880, "2026-02", (OptionHistory("Pink", 1201), OptionHistory("Wan", 3)),
        (numbers,), (Companion("7", 0.98),),
    )  # fmt: skip
    assert list(history_lines(1204, history, {"7": "Skin temperature"})) == [
        "1,204 times for 30 patients, last in 2026-02",
        "in 96% of stays, 71% of days, 40% of shifts",
        "every 60 min; nine of ten times within 2 days",
        "52 to 131.5; half of them 70 to 90",
        " 100%  Pink",
        "  <1%  Wan",
        "with Skin temperature (98%)",
    ]
    assert (charted_text(1204, history), charted_text(3, None), charted_text(0, None)) == (
        "71% of days", "3 times", "never",
    )  # fmt: skip
    assert list(history_lines(0, None, {})) == ["never, in what was exported"]
