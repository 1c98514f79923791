"""Validates and normalises a value for its row; filler output and typed input follow the same rules.

Invalid values are refused; values that are merely suspicious (out of range) are kept with a finding.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import Any

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import DIMENSION_UNITS, as_ucum, convert, meant, unit_words
from extraction.flowsheet.values import NotObtained, Value
from extraction.language.numbers import numbers
from extraction.language.quantities import whole_unit
from models.base.errors import InputError

_PRESSURE = re.compile(r"\s*(\d{2,3})\s*(?:/|over)\s*(\d{2,3})\s*$", re.IGNORECASE)
_TIME = re.compile(r"\s*(\d{1,2}):?(\d{2})\s*$")


def json_schema(row: Row) -> dict[str, Any]:
    """The row's value as JSON Schema (SchemaRAG, Table 1): types and options. Ranges only warn and are not included."""
    match row.value_type:
        case ValueType.SINGLE_SELECT:
            return {"type": "string", "enum": list(row.option_names)}
        case ValueType.MULTI_SELECT:
            items = {"type": "string", "enum": list(row.option_names)}
            return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return {"type": "number"}
        case ValueType.YES_NO:
            return {"type": "boolean"}
        case ValueType.TEXT:
            return {"type": "string", "minLength": 1}
        case ValueType.BLOOD_PRESSURE:
            return {"type": "string", "pattern": "^[0-9]{2,3}/[0-9]{2,3}$"}
        case ValueType.TIME:
            return {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
        case ValueType.DATE:
            return {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
        case ValueType.DATE_TIME:
            return {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]$"}


def normalise(row: Row, value: object) -> tuple[Value, str | None, tuple[Finding, ...]]:
    """Returns `value` in the form the row keeps, its unit (None for what was not obtained), and findings about it.

    Raises:
        InputError: it is not a valid value; the message names the row and what it accepts.
    """
    if isinstance(value, NotObtained):
        return value, None, ()
    kept = _coerce(row, value)
    _validator(row).validate(list(kept) if isinstance(kept, tuple) else kept)
    return kept, row.unit, _findings(row, kept)


@lru_cache(maxsize=4096)
def _validator(row: Row) -> _Checked:
    return _Checked(row)


class _Checked:
    """A compiled JSON Schema of a row, with refusals in plain words."""

    def __init__(self, row: Row) -> None:
        from jsonschema import Draft202012Validator

        self._row = row
        self._validator = Draft202012Validator(json_schema(row))

    def validate(self, value: object) -> None:
        if not self._validator.is_valid(value):
            raise _refusal(self._row, value)


def _refusal(row: Row, value: object) -> InputError:
    match row.value_type:
        case ValueType.SINGLE_SELECT | ValueType.MULTI_SELECT:
            shown = ", ".join(row.option_names[:8]) + (", ..." if len(row.options) > 8 else "")
            expected = f"Choose from: {shown}."
        case ValueType.NUMERIC:
            expected = "Enter a number" + (f" in {unit_words(row.unit)}." if row.unit else ".")
        case ValueType.QUANTITY:
            units = ", ".join(unit_words(unit) for unit in DIMENSION_UNITS.get(row.dimension or "", ()))
            expected = f"Enter a number in {unit_words(row.unit)}, or with one of the units {units}."
        case ValueType.YES_NO:
            expected = "Answer Yes or No."
        case ValueType.BLOOD_PRESSURE:
            expected = "Enter systolic/diastolic, as 120/80."
        case ValueType.TIME:
            expected = "Enter a time of day, as 19:00."
        case ValueType.DATE:
            expected = "Enter a date, as 2026-01-31."
        case ValueType.DATE_TIME:
            expected = "Enter date and time, as 2026-01-31 19:00."
        case ValueType.TEXT:
            expected = "Enter some text."
    return InputError(f"'{value}' cannot be a value of '{row.name}'.", expected)


def _coerce(row: Row, value: object) -> Value:
    match row.value_type:
        case ValueType.SINGLE_SELECT:
            return _option(row, value)
        case ValueType.MULTI_SELECT:
            parts = value if isinstance(value, list | tuple | set | frozenset) else _listed(row, str(value))
            chosen = {_option(row, part) for part in parts}
            return tuple(name for name in row.option_names if name in chosen)
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return _number(row, value)
        case ValueType.YES_NO:
            if isinstance(value, bool):
                return value
            word = str(value).strip().lower()
            if word in ("yes", "y", "true", "no", "n", "false"):
                return word in ("yes", "y", "true")
        case ValueType.TEXT:
            return str(value).strip()
        case ValueType.BLOOD_PRESSURE:
            match = _PRESSURE.match(str(value))
            if match:
                return f"{int(match[1])}/{int(match[2])}"
        case ValueType.TIME:
            clock = _TIME.match(str(value))
            if clock and int(clock[1]) < 24 and int(clock[2]) < 60:
                return f"{int(clock[1]):02d}:{clock[2]}"
        case ValueType.DATE:
            try:
                return dt.date.fromisoformat(str(value).strip()).isoformat()
            except ValueError:
                pass
        case ValueType.DATE_TIME:
            try:
                return dt.datetime.fromisoformat(str(value).strip()).strftime("%Y-%m-%dT%H:%M")
            except ValueError:
                pass
    raise _refusal(row, value)


def _option(row: Row, value: object) -> str:
    """The option whose name or synonym is `value`, ignoring case."""
    wanted = str(value).strip().casefold()
    for option in row.options:
        if wanted == option.name.casefold():
            return option.name
    for option in row.options:
        if wanted in (synonym.casefold() for synonym in option.synonyms):
            return option.name
    raise _refusal(row, value)


def _listed(row: Row, text: str) -> list[str]:
    """The options of a text as `display` shows them, separated by commas, which an option may have, too."""
    forms = sorted((form for option in row.options for form in (option.name, *option.synonyms)), key=len, reverse=True)
    found, rest = [], text.strip()
    while rest:
        begins = (form for form in forms if f"{rest.casefold()}, ".startswith(f"{form.casefold()}, "))
        form = next(begins, rest)
        found.append(rest[: len(form)])
        rest = rest[len(form) :].removeprefix(", ")
    return found


def _number(row: Row, value: object) -> float:
    if isinstance(value, bool):
        raise _refusal(row, value)
    if isinstance(value, int | float):
        number = float(value)
    else:
        text = str(value).strip()
        negative = text.startswith("-")
        found = numbers(text.lstrip("-"))
        if len(found) != 1 or found[0].start != 0:
            raise _refusal(row, value)
        number = -found[0].value if negative else found[0].value
        unit, end = whole_unit(text.lstrip("-"), found[0].end)
        if text.lstrip("-")[end:].strip():
            raise _refusal(row, value)
        if unit and (chart := chart_unit(row)):
            chart = as_ucum(chart)
            try:
                number = convert(number, meant(unit, chart), chart)
            except ValueError:
                raise _refusal(row, value) from None
    if number != number or number in (float("inf"), float("-inf")):
        raise _refusal(row, value)
    return number


def chart_unit(row: Row) -> str | None:
    """The UCUM code of the unit the chart keeps for this row."""
    return row.ucum or row.unit


def is_plausible(row: Row, number: float) -> bool | None:
    """Whether a number lies in the row's plausible range; None if the row has none."""
    return None if row.minimum is None or row.maximum is None else row.minimum <= number <= row.maximum


def _findings(row: Row, value: Value) -> tuple[Finding, ...]:
    checked: list[float] = []
    found = []
    if isinstance(value, float) and not isinstance(value, bool):
        checked = [value]
    elif row.value_type is ValueType.BLOOD_PRESSURE:
        checked = [float(part) for part in str(value).split("/")]
        if checked[0] <= checked[1]:
            found.append(Finding("pressure_order"))
    low, high = row.minimum, row.maximum
    if any(_is_outside(number, low, high) for number in checked):
        found.append(Finding("implausible", (_limits(row, low, high),)))
        return tuple(found)
    for number, usual in zip(checked, row.usual, strict=False):
        if _is_outside(number, usual.minimum, usual.maximum):
            found.append(Finding("unusual", (_limits(row, usual.minimum, usual.maximum),)))
    return tuple(found)


def _is_outside(number: float, low: float | None, high: float | None) -> bool:
    return (low is not None and number < low) or (high is not None and number > high)


def _limits(row: Row, low: float | None, high: float | None) -> str:
    limits = f"{'' if low is None else f'{low:g}'} to {'' if high is None else f'{high:g}'}".strip()
    return f"{limits} {unit_words(row.unit)}".strip()


def display(row: Row, value: Value) -> str:
    """The value as displayed, without its unit."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
    if isinstance(value, NotObtained):
        return value.value
    return value.replace("T", " ") if row.value_type is ValueType.DATE_TIME else value
