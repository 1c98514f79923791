"""Maps spoken units to UCUM and converts values into the chart's unit."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from extraction.flowsheet.ucum import Measure, converted, is_ucum, measure
from extraction.language.vocabulary.loader import refusal, shipped_vocabulary, ward_file
from extraction.language.vocabulary.spoken_units import SpokenUnits, spoken_units

# Units in which a quantity may be typed or spoken, including the chart's own.
DIMENSION_UNITS = {
    "temperature": ("Cel", "[degF]"),
    "weight": ("kg", "g", "[lb_av]", "[oz_av]"),
    "height": ("cm", "m", "[in_i]", "[ft_i]"),
    "volume": ("mL", "L", "[foz_us]"),
}

# Common UCUM codes and their pint names, which convert without loading the full UCUM table.
_COMMON = {
    "[degF]": "degF", "Cel": "degC", "kg": "kilogram", "[lb_av]": "pound", "g": "gram", "mg": "milligram",
    "ug": "microgram", "[oz_av]": "ounce", "[foz_us]": "fluid_ounce", "[cup_us]": "cup",
    "cm": "centimeter", "mm": "millimeter", "m": "meter", "[in_i]": "inch", "[ft_i]": "foot",
    "mL": "milliliter", "L": "liter", "L/min": "liter/minute",
    "mL/min": "milliliter/minute", "mL/h": "milliliter/hour", "mm[Hg]": "mmHg", "kPa": "kilopascal",
    "cm[H2O]": "cmH2O", "min": "minute", "s": "second", "h": "hour", "d": "day", "kcal": "kilocalorie",
    "cal": "calorie",
}  # fmt: skip
# Units that are as large as the vessel at hand, so what they convert to is a guess.
VESSELS = frozenset({"[cup_us]"})
_MILLI = "m"
_DIGITS = 4  # significant digits of a converted number below one


def ucum(spoken: str) -> str | None:
    """The UCUM code of a spoken or written unit; None if unknown."""
    return spoken_units().said.get(spoken.strip().lower()) or (spoken if spoken in _COMMON else None)


def unit_words(unit: str | None) -> str:
    """A unit as nurses write it: '°F' for '[degF]', 'mcg/min' for 'ug/min'."""
    written = spoken_units().written
    if not unit or unit in written:
        return written.get(unit or "", "")
    return "/".join(written.get(part) or written.get(_part_as_ucum(part) or "", part) for part in unit.split("/"))


def meant(said: str, unit: str | None) -> str:
    """The unit meant by a spoken one, given that the chart keeps `unit`.

    Ounces of a volume are fluid ounces, centimeters of a pressure are of water, and liters of a flow are per minute.
    Units of which no word says the kind are of the chart's kind.
    """
    spoken, chart = spoken_units(), _measure_of(unit) if unit else None
    said = spoken.short.get((said, unit or ""), said)
    amount, stroke, rest = said.partition("/")
    prefix = _MILLI if amount.startswith(_MILLI) else ""
    for kinds in spoken.alike.values():
        if chart and amount.removeprefix(prefix) in kinds and (of_chart := kinds & chart.atoms):
            return prefix + next(iter(of_chart)) + stroke + rest
    return said


def as_ucum(unit: str) -> str:
    """A unit in UCUM as a schema may write it, "mcg/kg/min"; itself if a part of it is unknown."""
    if is_ucum(unit) and not is_read_otherwise(unit):
        return unit
    parts = [_part_as_ucum(part) if part else "" for part in unit.split("/")]
    return unit if None in parts else "/".join(map(str, parts))


def _part_as_ucum(part: str) -> str | None:
    spoken = spoken_units()
    for general, kinds in spoken.alike.items():
        if part.startswith(_MILLI) and part.removeprefix(_MILLI) in kinds:
            return _MILLI + general  # people write some with it that take no prefix in UCUM
    return part if part in _COMMON else spoken.said.get(part)


def amounts_differ(said: str, unit: str) -> bool | None:
    """Whether of two UCUM units that cannot be converted what is counted differs, too, as in mL/h and ug/h.

    False if they are the same amount over something else: [IU]/h and [IU]/kg/h. None if it is not known.
    """
    one, other = (_measure_of(code.partition("/")[0] or "1") for code in (said, unit))
    if one is None or other is None:
        return None
    if one.quantity == other.quantity:
        return False
    # what is as large but counted otherwise, mmol and meq, may be meant
    return True if one.quantity[0] != other.quantity[0] or one.unit.dimensionless else None


def convert(value: float, source: str, target: str) -> float:
    """Converts `value` between UCUM units, rounded to hundredths.

    Numbers below one keep four significant digits, so that 4 ug is 0.004 mg rather than 0.

    Raises:
        ValueError: a unit is unknown, or the units measure different things.
    """
    if source == target:
        return value
    if source in _COMMON and target in _COMMON:
        import pint

        try:
            quantity = _registry().Quantity(value, _COMMON[source]).to(_COMMON[target])
        except pint.DimensionalityError as error:
            raise ValueError(f"{source} cannot be converted into {target}") from error
        return _rounded(float(quantity.magnitude))
    one, other = _measure_of(source), _measure_of(target)
    if one is None or other is None or one.quantity != other.quantity:
        raise ValueError(f"{source} cannot be converted into {target}")
    return _rounded(converted(value, one, other))


def is_volume(unit: str | None) -> bool:
    """Whether a unit, as UCUM or as it is written, measures a volume."""
    code = ucum(unit) if unit else None
    if code is None:
        return False
    try:
        convert(1.0, code, "mL")
    except ValueError:
        return False
    return True


def _rounded(number: float) -> float:
    return round(number, 2) if abs(number) >= 1 else float(f"{number:.{_DIGITS}g}")


def is_read_otherwise(code: str) -> bool:
    """Whether a UCUM code is also a common spelling of another unit: "ft" is femtotonnes in UCUM, but means feet."""
    usual = ucum(code)
    if usual in (None, code) or not is_ucum(code):
        return False
    found, other = measure(code), measure(usual or "")
    return found is None or other is None or found.quantity != other.quantity


def counts(unit: str) -> bool:
    """Whether a UCUM unit is merely an annotation of what is counted, such as {score}."""
    return unit.startswith("{") and "/" not in unit


def contradict(said: str, unit: str) -> bool:
    """Whether a number said with UCUM unit `said` cannot belong to a row in `unit`.

    True if they measure different things, or if the row counts and the number measures. Unknown spoken units never
    contradict: "2 mcg per kilo per minute" is heard as micrograms only, and the models were fitted to the numbers
    offered for each row.
    """
    if said == unit:
        return False
    return counts(unit) or _contradict(spoken_units(), said, unit)


@lru_cache(maxsize=4096)
def _contradict(spoken: SpokenUnits, said: str, unit: str) -> bool:
    if said in _COMMON and unit in _COMMON:
        registry = _registry()
        return bool(registry.Unit(_COMMON[said]).dimensionality != registry.Unit(_COMMON[unit]).dimensionality)
    units = frozenset(spoken.said.values())
    if said not in units or unit not in units:
        return False
    one, other = _measure_of(said), _measure_of(unit)
    if one is None or other is None:
        return True
    alike = any(said in those and (unit in those or other.atoms & those) for those in spoken.alike.values())
    return one.quantity != other.quantity and not alike


def check_spoken_units() -> None:
    """Checks that every unit a ward adds to the vocabulary is UCUM.

    Raises InputError, with file and entry, if one is not.
    """
    spoken = spoken_units()
    if ward_file("units") is None:
        return
    shipped = shipped_vocabulary("units")["said"]
    for unit in spoken.units:
        if unit not in shipped and not is_ucum(unit):
            raise refusal("units", f"“{unit}” is not a UCUM code")
    for large, smaller in spoken.smaller.items():
        try:
            count = convert(1.0, large, smaller.unit)
        except ValueError as error:
            raise refusal("units", f"smaller.{large}: {error}") from error
        if count != smaller.count:
            raise refusal("units", f"smaller.{large}: there are {count:g} {smaller.unit} in one")


def _measure_of(code: str) -> Measure | None:
    """What a code measures; None if it is invalid or commonly means another unit."""
    return None if is_read_otherwise(code) else measure(code)


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()
