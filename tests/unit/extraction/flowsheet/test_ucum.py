"""UCUM codes checked against UCUM's own table of units."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import ucumvert

from extraction.flowsheet.ucum import _REFUSED, converted, is_ucum, measure


def _value(unit: ET.Element, name: str) -> str:
    value = unit.find("u:value", _NAMES)
    assert value is not None
    return value.attrib[name]


_NAMES = {"u": "http://unitsofmeasure.org/ucum-essence"}
_TABLE = ET.parse(Path(ucumvert.__file__).parent / "vendor" / "ucum-essence.xml").getroot()
_PREFIXES = {one.attrib["Code"]: float(_value(one, "value")) for one in _TABLE.findall("u:prefix", _NAMES)}
_BASE = [one.attrib["Code"] for one in _TABLE.findall("u:base-unit", _NAMES)]
_UNITS = {one.attrib["Code"]: one for one in _TABLE.findall("u:unit", _NAMES)}
_PARSER = ucumvert.get_ucum_parser()
# UCUM defines the mole as a number; here it is the amount of substance.
_OWN = {"mol"} | {
    code for code, one in _UNITS.items() if one.get("isArbitrary") == "yes" or one.get("isSpecial") == "yes"
}
PREFIXES = ("M", "k", "da", "d", "c", "m", "u", "n")
TEMPERATURES = {"Cel", "[degF]", "[degRe]", "K", "[degR]"}  # their zeros differ; see test_units.py
_EXACT = 1e-4  # the calorie at 15 °C differs by 7e-5


def _of_table(node: Any) -> tuple[float, Counter[str]]:
    """A code by UCUM's table: a factor, and exponents of base units."""
    children = getattr(node, "children", None)
    if children is None:  # an annotation
        return 1.0, Counter()
    if node.data == "simple_unit":
        factor, base = _of_atom(str(children[-1]))
        return factor * (_PREFIXES[str(children[0])] if len(children) == 2 else 1.0), base
    if node.data == "annotatable":
        return _power(_of_table(children[0]), int(children[1]))
    factor, base, sign = 1.0, Counter[str](), 1
    for child in children:
        if getattr(child, "type", "") in ("OPERATOR", "DIVIDE"):
            sign = 1 if child == "." else -1
            continue
        one, units = _power(_of_table(child), sign)
        factor, base = factor * one, Counter({key: base[key] + units[key] for key in base.keys() | units.keys()})
    return factor, base


def _power(unit: tuple[float, Counter[str]], exponent: int) -> tuple[float, Counter[str]]:
    return unit[0] ** exponent, Counter({key: count * exponent for key, count in unit[1].items()})


@cache
def _of_atom(atom: str) -> tuple[float, Counter[str]]:
    if atom.isdigit():
        return float(atom), Counter()
    if atom in _BASE or atom in _OWN:
        return 1.0, Counter({"[IU]" if atom == "[iU]" else atom: 1})
    factor, base = _of_table(_PARSER.parse(_value(_UNITS[atom], "Unit")))
    return float(_value(_UNITS[atom], "value")) * factor, base


def _base_units(code: str) -> tuple[float, frozenset[tuple[str, int]]]:
    factor, base = _of_table(_PARSER.parse(code))
    return factor, frozenset((key, count) for key, count in base.items() if count)


def _metric() -> list[str]:
    return [*_BASE, *(code for code, one in _UNITS.items() if one.get("isMetric") == "yes")]


def test_every_unit_has_the_size_in_ucums_table() -> None:
    """Each by itself and with the usual prefixes, in the first unit with the same base units."""
    codes = [*_BASE, *_UNITS, *(prefix + code for code in _metric() for prefix in PREFIXES)]
    first: dict[object, str] = {}
    wrong, compared = [], 0
    for code in codes:
        found = measure(code)
        if found is None or found.atoms & TEMPERATURES:
            continue
        factor, base = _base_units(code)
        other = first.setdefault((base, found.quantity), code)
        known = measure(other)
        assert known
        compared += other != code
        if not math.isclose(converted(1.0, found, known), factor / _base_units(other)[0], rel_tol=_EXACT):
            wrong.append((code, other, converted(1.0, found, known), factor / _base_units(other)[0]))
    assert wrong == []
    assert compared > 600


def test_convertible_units_have_the_same_base_units() -> None:
    bases: dict[object, set[object]] = {}
    for code in (*_BASE, *_UNITS):
        found = measure(code)
        if found and not found.atoms & TEMPERATURES:
            bases.setdefault(found.quantity, set()).add(_base_units(code)[1])
    assert [units for units in bases.values() if len(units) > 1] == []
    assert len(bases) > 80


def test_every_refused_unit_exists() -> None:
    assert {code for code in _REFUSED if not is_ucum(code)} == set()
    assert {code for code in (*_BASE, *_UNITS) if measure(code) is None} == _REFUSED - {"hbar"}


@pytest.mark.parametrize(
    ("code", "holds"),
    [
        ("mL", True), ("10*3/uL", True), ("ug/kg/min", True), ("{score}", True), ("{beats}/min", True), ("[pH]", True),
        ("100/{cells}", True), ("mmHg", False), ("bpm", False), ("°F", False), ("", False), ("mL ", False),
        ("out of ten", False), ("ML/", False), ("{", False), ("(" * 79, False), ("m" * 81, False),
    ],
)  # fmt: skip
def test_ucum_codes_are_recognised(code: str, holds: bool) -> None:
    assert is_ucum(code) is holds


@pytest.mark.parametrize("code", ["{score}", "{INR}", "[pH]", "dB", "Cel/min", "mmHg", "'", "[Cal]", "k[h]", "hbar"])
def test_unreliable_conversions_are_refused(code: str) -> None:
    assert measure(code) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mmol/L", "meq/L"), ("mmol/kg", "mosm/kg"), ("mmol/L", "mg/dL"), ("/min", "Hz"), ("Gy", "Sv"), ("deg", "%"),
        ("[drp]/min", "mL/h"), ("[Ch]", "mm"), ("[IU]/L", "[USP'U]/L"), ("[IU]/L", "/L"), ("[CFU]/mL", "/mL"),
        ("[HPF]", "/[HPF]"), ("U/L", "[IU]/L"), ("[IU]", "%"), ("Bq", "Hz"), ("kg", "[lbf_av]"),
    ],
)  # fmt: skip
def test_different_quantities_of_one_dimension_stay_apart(one: str, other: str) -> None:
    first, second = measure(one), measure(other)
    assert first
    assert second
    assert first.quantity != second.quantity


def test_annotations_in_braces_do_not_change_the_quantity() -> None:
    one, other = measure("{beats}/min"), measure("/min")
    assert one
    assert other
    assert (one.quantity, one.factor) == (other.quantity, other.factor)
