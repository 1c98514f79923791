"""Values, units, times and states in the words a nurse reads."""

from __future__ import annotations

import re
from datetime import datetime

from PySide6.QtCore import QLocale

from app.records import ReviewStatus
from extraction.schema import Row, ValueType
from extraction.validate import DIMENSION_UNITS, chart_unit, unit_words

STATUS_WORDS = {
    ReviewStatus.PROPOSED: "Proposed",
    ReviewStatus.CONFIRMED: "Confirmed",
    ReviewStatus.EDITED: "Edited",
    ReviewStatus.REJECTED: "Rejected",
    ReviewStatus.ADDED: "Added",
}
LOOK_FIRST = "Look at these first"
STAGE_WORDS = {
    "load": "Start the models",
    "transcribe": "Write down what was said",
    "segment": "Cut into sentences",
    "index": "Read the flowsheet",
    "reduce": "Find the rows that were meant",
    "fill": "Fill the rows",
    "install": "Install the model",
}
KIND_WORDS = {
    ValueType.SINGLE_SELECT: "one of several options",
    ValueType.MULTI_SELECT: "any of several options",
    ValueType.NUMERIC: "number",
    ValueType.QUANTITY: "measurement",
    ValueType.BLOOD_PRESSURE: "blood pressure",
    ValueType.YES_NO: "yes or no",
    ValueType.TEXT: "free text",
    ValueType.DATE: "date",
    ValueType.TIME: "time",
    ValueType.DATE_TIME: "date and time",
}
ROLE_WORDS = {"speech": "Speech recognition", "filler": "Filling the flowsheet", "embedder": "Finding rows"}


def unit_text(unit: str | None) -> str:
    """A unit for the eye: '[degF]' as '°F'; UCUM's notes in braces, such as '{count}', are none."""
    return re.sub(r"\{[^}]*\}", "", unit_words(unit)).replace("[H2O]", "H₂O").replace("mm[Hg]", "mmHg")


def row_unit(row: Row) -> str:
    """The unit of a row for the eye."""
    return unit_text(row.unit or ("mm[Hg]" if row.value_type is ValueType.BLOOD_PRESSURE else None))


def units_of(row: Row) -> tuple[str, ...]:
    """The units (UCUM) a quantity row can be entered in; its own comes first."""
    own = chart_unit(row) or ""
    return (own, *(unit for unit in DIMENSION_UNITS.get(row.dimension or "", ()) if unit != own))


def limits_text(row: Row) -> str:
    """The plausible range of a row, empty where it has none."""
    low, high = row.minimum, row.maximum
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    if low is not None:
        return f"{low:g} or more"
    return f"up to {high:g}" if high is not None else ""


def category_text(row: Row) -> str:
    return " › ".join(row.category)


def when_text(created_at: str, now: datetime) -> str:
    """A stored UTC time in local time: '14:05' for today, else with the day."""
    moment, now = datetime.fromisoformat(created_at).astimezone(), now.astimezone()
    return f"{moment:%H:%M}" if moment.date() == now.date() else f"{_day(moment)}, {moment:%H:%M}"


def clock(seconds: float) -> str:
    """Seconds of a recording as m:ss."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def size_text(size: int) -> str:
    """Bytes as a person compares them with a disk or a download: '145 MB', '1.12 GB'."""
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def language_text(tag: str) -> str:
    """A language tag as the language's English name, or the tag itself where nobody knows it."""
    locale = QLocale(tag)
    return tag if locale.language() == QLocale.Language.C else QLocale.languageToString(locale.language())


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %Y}"
