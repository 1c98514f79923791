"""Units as they are spoken, written in UCUM, and converted into the chart's unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from extraction.spoken import Said

# spoken form -> UCUM; the longest form that fits wins
_SPOKEN = {
    "%": "%", "percent": "%",
    "°f": "[degF]", "f": "[degF]", "fahrenheit": "[degF]", "degrees f": "[degF]", "degrees fahrenheit": "[degF]",
    "°c": "Cel", "c": "Cel", "celsius": "Cel", "degrees c": "Cel", "degrees celsius": "Cel", "centigrade": "Cel",
    "kg": "kg", "kgs": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg",
    "lb": "[lb_av]", "lbs": "[lb_av]", "pound": "[lb_av]", "pounds": "[lb_av]",
    "g": "g", "gram": "g", "grams": "g", "mg": "mg", "milligrams": "mg", "mcg": "ug", "micrograms": "ug",
    "oz": "[oz_av]", "ounces": "[oz_av]", "ounce": "[oz_av]", "fluid ounces": "[foz_us]",
    "cm": "cm", "centimeters": "cm", "centimeter": "cm", "centimetres": "cm", "mm": "mm", "millimeters": "mm",
    "m": "m", "meters": "m", "in": "[in_i]", "inch": "[in_i]", "inches": "[in_i]", "ft": "[ft_i]", "feet": "[ft_i]",
    "foot": "[ft_i]",
    "ml": "mL", "mls": "mL", "milliliters": "mL", "milliliter": "mL", "millilitres": "mL", "cc": "mL", "ccs": "mL",
    "cubic centimeters": "mL", "l": "L", "liter": "L", "liters": "L", "litres": "L",
    "l/min": "L/min", "lpm": "L/min", "liters per minute": "L/min", "liter per minute": "L/min",
    "liters a minute": "L/min", "ml/hr": "mL/h", "ml/h": "mL/h", "ml/hour": "mL/h", "mls an hour": "mL/h",
    "ml per hour": "mL/h", "ml an hour": "mL/h",
    "milliliters per hour": "mL/h", "cc per hour": "mL/h", "mg/dl": "mg/dL", "milligrams per deciliter": "mg/dL",
    "mmhg": "mm[Hg]", "mm hg": "mm[Hg]", "millimeters of mercury": "mm[Hg]", "cmh2o": "cm[H2O]", "cm h2o": "cm[H2O]",
    "centimeters of water": "cm[H2O]", "kpa": "kPa",
    "bpm": "/min", "beats per minute": "/min", "beats a minute": "/min", "breaths per minute": "/min",
    "breaths a minute": "/min", "per minute": "/min", "/min": "/min", "a minute": "/min",
    "kcal": "kcal", "calories": "kcal", "cal": "cal", "hz": "Hz", "cycles per second": "Hz", "fraction": "1",
    "decimal": "1", "ml/min": "mL/min",
    "minutes": "min", "minute": "min", "min": "min", "seconds": "s", "sec": "s", "hours": "h", "hour": "h", "hrs": "h",
    "days": "d", "day": "d", "units": "[IU]",
}  # fmt: skip

# UCUM -> the name that pint knows
_PINT = {
    "[degF]": "degF", "Cel": "degC", "kg": "kilogram", "[lb_av]": "pound", "g": "gram", "mg": "milligram",
    "ug": "microgram", "[oz_av]": "ounce", "[foz_us]": "fluid_ounce", "cm": "centimeter", "mm": "millimeter",
    "m": "meter", "[in_i]": "inch", "[ft_i]": "foot", "mL": "milliliter", "L": "liter", "L/min": "liter/minute",
    "mL/min": "milliliter/minute", "mL/h": "milliliter/hour", "mm[Hg]": "mmHg", "kPa": "kilopascal",
    "cm[H2O]": "cmH2O", "min": "minute", "s": "second", "h": "hour", "d": "day", "kcal": "kilocalorie",
    "cal": "calorie",
}  # fmt: skip

_SHORT: dict[tuple[str, str | None], str] = {("cm", "cm[H2O]"): "cm[H2O]", ("L", "L/min"): "L/min"}
_VOLUMES = frozenset({"mL", "L", "[foz_us]"})
_KNOWN = frozenset(_SPOKEN.values())
_ALTERNATIVES = "|".join(re.escape(form) for form in sorted(_SPOKEN, key=len, reverse=True))
_AFTER_NUMBER = re.compile(rf"[\s-]*({_ALTERNATIVES})(?![\w/])", re.IGNORECASE)
# what may follow a time of day, although it may be a unit, too
_NO_MEASURE = frozenset({"in", "m", "h", "hours", "hour", "hrs", "a"})
_DEGREES = re.compile(r"[\s-]*(?:degrees?|°)(?!\w)", re.IGNORECASE)


def ucum(spoken: str) -> str | None:
    """The UCUM code of a unit as it is spoken or written; None for one that is not known."""
    return _SPOKEN.get(spoken.strip().lower()) or (spoken if spoken in _PINT else None)


def said_unit(text: str, position: int) -> tuple[str | None, int]:
    """The unit that follows a number ending at `position`, and where it ends; (None, position) when none is said."""
    match = _AFTER_NUMBER.match(text, position)
    if match:
        return _SPOKEN[match.group(1).lower()], match.end()
    bare = _DEGREES.match(text, position)
    return None, bare.end() if bare else position


def is_measured(text: str, position: int) -> bool:
    """Whether the number that ends at `position` has a unit; hours, and words such as 'in' and 'a', are none here."""
    unit, end = said_unit(text, position)
    return unit is not None and text[position:end].strip(" -").lower() not in _NO_MEASURE


_PARTS = {"half": 0.5, "quarter": 0.25, "three quarters": 0.75}
_PART_OF_A = re.compile(
    rf"\b(?:(?:an?|one)[\s-]+)?(half|quarter|three[\s-]+quarters)\s+(?:of\s+)?an?\s+({_ALTERNATIVES})(?![\w/])",
    re.IGNORECASE,
)
_A_LITER = re.compile(
    r"(?<!half )(?<!half of )(?<!quarter of )(?<!quarters of )"
    r"\ba\s+lit(?:er|re)(\s+and\s+a\s+half)?\b(?!\s+(?:a|per)\s)",
    re.IGNORECASE,
)
_SMALLER = {"[ft_i]": ("[in_i]", 12.0), "[lb_av]": ("[oz_av]", 16.0)}


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that is said in other words than a number and its unit: characters [start, end)."""

    value: float
    unit: str
    start: int
    end: int


def amounts(text: str, numbers: Sequence[Said[float]]) -> list[Amount]:
    """Amounts in two units ('five foot six', in inches), 'half a liter', 'three quarters of a liter', 'a liter and a
    half'; `numbers` are those of the text."""
    found = [
        Amount(_PARTS[" ".join(re.split(r"[\s-]+", match[1].lower()))], _SPOKEN[match[2].lower()], *match.span())
        for match in _PART_OF_A.finditer(text)
    ]
    found += [Amount(1.5 if match[1] else 1.0, "L", *match.span()) for match in _A_LITER.finditer(text)]
    for large, small in pairwise(numbers):
        unit, behind = said_unit(text, large.end)
        if unit not in _SMALLER or not re.fullmatch(r"[\s,-]*(?:and\s+)?", text[behind : small.start]):
            continue
        smaller, count = _SMALLER[unit]
        said, last = said_unit(text, small.end)
        if small.value < count and (said == smaller or (said is None and unit == "[ft_i]")):
            found.append(Amount(large.value * count + small.value, smaller, large.start, last))
    return sorted(found, key=lambda amount: amount.start)


def meant(said: str, unit: str | None) -> str:
    """The unit that is meant by a spoken one where the chart keeps `unit`: ounces of a volume are fluid ounces,
    centimeters of a pressure those of water, and liters of a flow are a minute's."""
    if said == "[oz_av]" and unit in _VOLUMES:
        return "[foz_us]"
    return _SHORT.get((said, unit), said)


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


def convert(value: float, source: str, target: str) -> float:
    """`value` of UCUM unit `source` in UCUM unit `target`, rounded to a tenth of the precision it was said with.

    Raises:
        ValueError: one of the units is unknown, or they measure different things.
    """
    if source == target:
        return value
    import pint

    try:
        quantity = _registry().Quantity(value, _PINT[source]).to(_PINT[target])
    except (KeyError, pint.DimensionalityError) as error:
        raise ValueError(f"{source} cannot be converted into {target}") from error
    return round(float(quantity.magnitude), 2)


def counts(unit: str) -> bool:
    """Whether a UCUM unit is but a note in braces of what is counted, such as {score}."""
    return unit.startswith("{") and "/" not in unit


def contradict(said: str, unit: str) -> bool:
    """Whether a number said with UCUM unit `said` cannot be one of a row in `unit`: they measure different things, or
    the row counts and the number measures."""
    if said == unit:
        return False
    if counts(unit):
        return True
    if said not in _PINT or unit not in _PINT:
        return said in _KNOWN and unit in _KNOWN
    registry = _registry()
    return bool(registry.Unit(_PINT[said]).dimensionality != registry.Unit(_PINT[unit]).dimensionality)
