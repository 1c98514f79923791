"""What the printed sheet says of one value, as markup of a paragraph."""

from __future__ import annotations

from collections.abc import Iterator

from app.exchange.records import ExportRecord, Former, content_words
from app.exchange.sheets.arrangement import clock_text
from app.exchange.sheets.typeface import markup
from extraction.flowsheet.ranges import judged_words
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.values import Value

ALARM, QUIET = "#a2191f", "#525252"
_ARROWS = {"H": "↑", "HH": "↑↑", "L": "↓", "LL": "↓↓"}


def cell_markup(record: ExportRecord, row: Row, signer: str) -> str:
    """The value with its unit, how it lies in the row's ranges, and below what it was before and how it came about.

    Args:
        signer: the letter of who decided about the value, which is then said with the time; empty to say neither.
    """
    said = f"<b>{markup(value_words(row, record.value, record.unit))}</b>"
    if mark := _mark(record, row):
        said += f' <font color="{ALARM}"><b>{markup(mark)}</b></font>'
    notes = "<br/>".join(_notes(record, row, signer))
    return f'{said}<br/><font color="{QUIET}" size="7">{notes}</font>' if notes else said


def value_words(row: Row, value: Value, unit: str | None) -> str:
    """A value with its unit, as nurses write it."""
    words = content_words(value, between=", ")
    if row.value_type is ValueType.DATE_TIME:
        words = words.replace("T", " ")
    return f"{words} {unit_words(unit)}".strip()


def _mark(record: ExportRecord, row: Row) -> str:
    words = judged_words(row, record.value)
    arrows = "".join(dict.fromkeys(_ARROWS.get(code, "") for code in record.interpretation.split("/")))
    return f"{arrows or '!'}\u00a0{words}" if words else ""


def _notes(record: ExportRecord, row: Row, signer: str) -> Iterator[str]:
    if record.proposed is not None:
        before = value_words(row, record.proposed, record.proposed_unit)
        yield f"corrected from <strike>{markup(before)}</strike>"
    for former in record.replaces:
        yield _replaced(row, former)
    if record.status == "computed":
        yield markup(f"calculated: {record.evidence}")
    if record.observed_since:
        yield f"since {clock_text(record.observed_since)}"
    if record.observed_words and not record.observed_at:
        yield markup(f"time as said: “{record.observed_words}”")
    if record.confirmed_outside:
        yield "confirmed a second time"
    if signer:
        yield f"[{signer}] {clock_text(record.reviewed_at)}"


def _replaced(row: Row, former: Former) -> str:
    before = value_words(row, former.value, former.unit)
    return f"in place of <strike>{markup(before)}</strike> " + markup(
        f"({former.reviewer}, {clock_text(former.reviewed_at)})"
    )
