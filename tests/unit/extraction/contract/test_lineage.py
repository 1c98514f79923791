"""A row is found by id or words, and tells where it came from and how its values go back."""

from __future__ import annotations

from dataclasses import replace

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
        "  charted 12 times",
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
