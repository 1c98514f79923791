"""Numbers of charted values in one unit, in decimals, and how they and times are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from app.chart.cells import column_at, local_of, utc_of
from app.store.questions import Fact
from extraction.flowsheet.schema import PRESSURES, Row, Schema, ValueType
from extraction.flowsheet.unit_conversion import convert, is_volume, ucum, unit_words
from extraction.flowsheet.validation import display
from extraction.questions.query import Measure, Part, Window

_DIGITS = 3  # significant digits of a computed number below one tenth
_AMOUNT = re.compile(r"\s*(\d+(?:,\d{3})*(?:\.\d+)?)\s*(\D.*?)?\s*")
HOUR = timedelta(hours=1)


def row_of(schema: Schema, row_id: str) -> Row:
    """The row with this id; one of text in place of a row that the schema no longer has."""
    return schema.by_id.get(row_id) or Row(row_id, row_id, ValueType.TEXT, ())


def unit_of(schema: Schema, measure: Measure) -> str | None:
    """The unit in which values of a measure are compared and added: that of its first row."""
    row = row_of(schema, measure.row_ids[0])
    return row.ucum or row.unit


@lru_cache(maxsize=4096)
def _converted(number: float, source: str, target: str) -> float | None:
    with suppress(ValueError):
        return convert(number, ucum(source) or source, ucum(target) or target)
    return None


def converted(number: float, source: str | None, target: str | None) -> Decimal | None:
    """A number in another unit; None if it cannot be converted. Numbers without a unit are taken to be in the other."""
    if source in (None, target) or target is None:
        return Decimal(repr(number))
    found = _converted(number, source or "", target)
    return None if found is None else Decimal(repr(found))


def converted_difference(number: float, source: str | None, target: str | None) -> Decimal | None:
    """As `converted`, for a difference of two numbers: 1.8 degrees Fahrenheit are 1 degree Celsius."""
    one, zero = converted(number, source, target), converted(0.0, source, target)
    return None if one is None or zero is None else one - zero


def number_of(fact: Fact, schema: Schema, unit: str | None, part: Part | None = None) -> Decimal | None:
    """The number of a value in a unit, of a pressure the systolic one by default; None without one.

    That of a text is its number if it says nothing but a number or a volume, in mL, such as "250" or "0.5 L".
    """
    number = fact.second if part is Part.DIASTOLIC else fact.number
    row = row_of(schema, fact.row_id)
    if number is not None:
        return converted(number, fact.unit or row.ucum or row.unit, unit)
    found = _AMOUNT.fullmatch(fact.value) if row.value_type is ValueType.TEXT and isinstance(fact.value, str) else None
    if found is None or (found[2] and not is_volume(found[2])):
        return None
    return converted(float(found[1].replace(",", "")), found[2] and ucum(found[2]), unit or (found[2] and "mL"))


def shown(number: Decimal) -> str:
    """A number as it is shown: at most two decimals, or three digits if it is small."""
    places = 2
    if number and abs(number) < Decimal("0.1"):
        places = _DIGITS - 1 - number.adjusted()
    text = f"{round(number, places):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


@lru_cache(maxsize=256)
def _words(unit: str) -> str:
    return unit_words(unit)


def with_unit(text: str, unit: str | None) -> str:
    """A number with its unit as nurses write it: '37.2 °C', '98%'."""
    words = _words(unit) if unit and not unit.startswith("{") else ""
    return f"{text}{'' if words == '%' else ' '}{words}".strip()


def text_of(fact: Fact, schema: Schema, part: Part | None = None) -> str:
    """A charted value as it is shown, with its unit."""
    row = row_of(schema, fact.row_id)
    if part is not None and fact.second is not None and fact.number is not None:
        number = fact.number if part.value == PRESSURES[0] else fact.second
        return with_unit(shown(Decimal(repr(number))), fact.unit or row.ucum)
    text = display(row, fact.value)
    return with_unit(text, fact.unit or row.ucum or row.unit) if fact.number is not None else text


def minute(local: datetime | None) -> str | None:
    """A minute by the ward's clock as the chart keeps it, UTC; in an hour that occurs twice, the first is meant."""
    return None if local is None else column_at(utc_of(local.replace(tzinfo=None).isoformat()))


def between(since: str, until: str) -> timedelta:
    """The time from one charted minute to another."""
    return datetime.fromisoformat(until).replace(tzinfo=UTC) - datetime.fromisoformat(since).replace(tzinfo=UTC)


def hours_of(window: Window, now: datetime, facts: Iterable[Fact]) -> Decimal:
    """The hours of a window up to the clock, from the first value if it has no start.

    A day on which the clock changes has 23 or 25.
    """
    until = minute(min(window.until, now) if window.until else now) or ""
    since = minute(window.since) or min((fact.at for fact in facts), default=until)
    return Decimal(round(between(since, until) / timedelta(minutes=1))) / 60


def clock_words(at: datetime, now: datetime) -> str:
    """A time as it is shown beside the clock: '22:10', or '20 Nov 22:10' of another day."""
    return f"{at:%H:%M}" if at.date() == now.date() else f"{at.day} {at:%b %H:%M}"


def duration_words(length: timedelta) -> str:
    """A length of time: '3 h 20 min', '2 d 4 h'."""
    minutes = round(length / timedelta(minutes=1))
    days, hours = minutes // 1440, minutes % 1440 // 60
    parts = ((days, "d"), (hours, "h"), (0 if days else minutes % 60, "min"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"


def local(at: str) -> datetime:
    """A charted minute by the ward's clock."""
    return local_of(at)
