"""Any table that is written as CSV is read back as it was, in every dialect and encoding."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.contract.sources.discovery import find_sources

_ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
# in windows-1252 none of these begins what could be UTF-8, as an é before a ° does
_PLAIN = st.text('aZ09 /°µ–"\n', max_size=12)
_WIDTHS = st.integers(2, 5)


@st.composite
def _tables(draw: st.DrawFn, cells: st.SearchStrategy[str]) -> list[list[str]]:
    width = draw(_WIDTHS)
    return draw(st.lists(st.lists(cells, min_size=width, max_size=width).filter(any), min_size=1, max_size=8))


def _read_back(rows: list[list[str]], encoding: str, **dialect: object) -> list[list[str]]:
    header = ["ROW_ID", "NAME", "UNIT", "LOW", "HIGH"][: len(rows[0])]
    text = io.StringIO(newline="")
    csv.writer(text, **dialect).writerows([header, *rows])  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rows.csv").write_bytes(text.getvalue().encode(encoding))
        (table,) = find_sources(Path(folder))
        assert (table.source.header_line, table.fields) == (1, tuple(header))
        return [list(record.values) for record in table.records()]


@settings(max_examples=150)
@given(_tables(_ANY), st.sampled_from(",;\t|"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_any_text_in_quotation_marks_comes_back(rows: list[list[str]], delimiter: str, encoding: str) -> None:
    assert _read_back(rows, encoding, delimiter=delimiter, quoting=csv.QUOTE_ALL) == rows


@settings(max_examples=150)
@given(
    _tables(_PLAIN),
    st.sampled_from(",;\t|"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_texts_come_back_from_every_dialect_and_encoding(
    rows: list[list[str]], delimiter: str, encoding: str, end: str
) -> None:
    assert _read_back(rows, encoding, delimiter=delimiter, lineterminator=end) == rows
