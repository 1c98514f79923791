"""Numbers in the unit that their row is charted in, and the doubts that remain."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.filling.evidence import unit_said
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import (
    DIMENSION_UNITS,
    VESSELS,
    amounts_differ,
    as_ucum,
    convert,
    meant,
    ucum,
    unit_words,
)
from extraction.flowsheet.validation import chart_unit, is_plausible
from extraction.flowsheet.values import Value

_NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)
# Findings of a number that was said in a unit which its row cannot have: of the same amount over something else, and of
# another amount, which is not charted.
_OTHER_RATE, OTHER_AMOUNT = "other_rate", "other_amount"
MISFITS = (_OTHER_RATE, OTHER_AMOUNT)


def in_chart_unit(row: Row, value: Value, text: str, span: tuple[int, int] | None) -> tuple[Value, tuple[Finding, ...]]:
    """A spoken number in the chart's unit, and what had to be assumed for it; other values are unchanged.

    `span` are the characters of `text` that it was read from.
    """
    unit = chart_unit(row)
    if row.value_type not in _NUMBERS or not isinstance(value, float) or unit is None:
        return value, ()
    said = unit_said(text, span)
    if said is None:
        return _in_assumed_unit(row, value, unit)
    if said != unit:
        unit = as_ucum(unit)
        said = meant(said, unit)
    try:
        converted = convert(value, said, unit)
    except ValueError:
        return value, (Finding(_misfit(said, unit), (unit_words(said), unit_words(row.unit))),)
    if said in VESSELS:
        return converted, (
            Finding("vessel_size", (unit_words(said), f"{convert(1.0, said, unit):.0f} {unit_words(unit)}")),
        )
    for other in DIMENSION_UNITS.get(row.dimension or "", ()) if is_plausible(row, converted) is False else ():
        if other != said and is_plausible(row, instead := convert(value, other, unit)):
            return instead, (Finding("unit_contradicted", (unit_words(said), unit_words(other))),)
    return converted, ()


def _misfit(said: str, unit: str) -> str:
    """The code of the finding for a unit that cannot be converted into the chart's.

    Of a rate only the amount may be said, "50 mcg" of 50 mcg/h, but not for one by weight: that may be meant without.
    """
    differ = amounts_differ(said, unit)
    if differ:
        return OTHER_AMOUNT
    is_short = said == unit.partition("/")[0] and "kg" not in unit.split("/")
    return "other_unit" if differ is None or is_short else _OTHER_RATE


def _in_assumed_unit(row: Row, value: float, unit: str) -> tuple[float, tuple[Finding, ...]]:
    """A number without a unit is in the chart's unit, unless only another unit makes it plausible.

    A fraction of a percentage row whose range starts above 1 is a share: 0.4 becomes 40. A temperature that no unit
    makes plausible may have lost its point: 386 becomes 38.6.
    """
    if unit == "%" and 0 < value <= 1 < (row.minimum or 0) <= 100 * value:
        return round(100 * value, 2), (Finding("fraction_as_percent"),)
    if row.value_type is not ValueType.QUANTITY or row.minimum is None or row.maximum is None:
        return value, ()
    others = [one for one in DIMENSION_UNITS.get(row.dimension or "", ()) if one != unit]
    possible = [(one, there) for one in others if is_plausible(row, there := convert(value, one, unit))]
    if is_plausible(row, value):
        is_open = possible and row.dimension != "volume"
        return value, (Finding("unit_assumed", (unit_words(row.unit),)),) if is_open else ()
    for other, converted in possible:
        return converted, (Finding("unit_guessed", (unit_words(other),)),)
    for other in DIMENSION_UNITS["temperature"] if row.dimension == "temperature" else ():
        converted = convert(value / 10, other, unit)
        if is_plausible(row, converted):
            taken = f"{value / 10:g} {unit_words(other)}"
            return converted, (Finding("point_guessed", (f"{value:g}", taken)),)
    return value, ()


def unit_option(row: Row, said: str | None, number: Value) -> tuple[str, tuple[Finding, ...]]:
    """The option of the unit that was said, or the one that is taken instead, with the doubt about it."""
    options: Sequence[str] = row.option_names
    known = {
        option.name: next(filter(None, map(_ucum_of, (*option.synonyms, option.name))), None) for option in row.options
    }
    for name in options:
        if said is not None and known[name] == said:
            return name, ()
    fahrenheit = next((name for name in options if known[name] == "[degF]"), None)
    taken = fahrenheit if fahrenheit and isinstance(number, float) and number > 60 else options[0]
    if len(options) < 2 or (said and not any(known.values())):
        return taken, ()
    return taken, (
        Finding("unit_contradicted", (unit_words(said), taken)) if said else Finding("unit_guessed", (taken,)),
    )


def _ucum_of(name: str) -> str | None:
    """The unit that an option of a unit row names."""
    return ucum(name) or (code if (code := as_ucum(name)) != name or "/" in name else None)
