"""A row that a dictation lacks, in words."""

from __future__ import annotations

from datetime import datetime

from app.chart.cells import column_of, local_of
from app.chart.gaps.gaps import Gap
from app.chart.records import ReviewedValue
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import NotObtained


def gap_text(gap: Gap, now: str) -> str:
    """What lacks, and since when: "Pain score, last charted 19:40 yesterday: 4"."""
    if gap.last is None:
        return f"{gap.row.name}, not charted in this stay"
    return f"{gap.row.name}, last charted {time_ago(column_of(gap.last), now)}: {said(gap.row, gap.last.value)}"


def reasons_text(gap: Gap) -> str:
    return ", ".join(gap.reasons)


def said(row: Row, value: ReviewedValue) -> str:
    """A value with its unit."""
    if isinstance(value.value, NotObtained):
        return display(row, value.value)
    unit = value.unit or row.unit or ("mm[Hg]" if row.value_type is ValueType.BLOOD_PRESSURE else None)
    return f"{display(row, value.value)} {unit_words(unit)}".strip()


def time_ago(moment: str, now: str) -> str:
    """A time (UTC) by the ward's clock as seen from `now`: '19:40', '19:40 yesterday', '19:40 on 3 Nov'."""
    then, today = local_of(moment), local_of(now)
    days = (today.date() - then.date()).days
    return f"{then:%H:%M}" + ("" if days == 0 else " yesterday" if days == 1 else f" on {_day(then, today)}")


def _day(then: datetime, now: datetime) -> str:
    return f"{then.day} {then:%b}" + ("" if then.year == now.year else f" {then.year}")
