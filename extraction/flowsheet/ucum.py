"""Checks UCUM codes (https://ucum.org) and converts between them, using ucumvert and pint.

Both libraries load on first use.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

_LIKE_A_CODE = re.compile(r"[!-~]{1,80}")  # avoids loading the libraries for "out of ten"

# Dimensionless numbers. Every other dimensionless unit, such as the plane angle or any arbitrary unit, is a quantity of
# its own, because UCUM converts none of these into another.
_NUMBERS = frozenset("% 10* 10^ [pi] [ppth] [ppm] [ppb] [pptr]".split())

# Units that measure something other than their dimension suggests: an equivalent is not an amount of substance (1 mmol
# of calcium is 2 meq), the size of a drop depends on the drip chamber, a catheter's gauge is not a length.
_KINDS = {
    "eq": "equivalents", "osm": "osmoles", "[drp]": "drops", "[Ch]": "gauge of catheters", "[diop]": "refraction",
    "Hz": "frequency", "Bd": "signal rate", "Bq": "radioactivity", "Ci": "radioactivity", "[MET]": "metabolic cost",
    "Gy": "absorbed dose", "RAD": "absorbed dose", "Sv": "dose equivalent", "REM": "dose equivalent",
    "rad": "plane angle", "deg": "plane angle", "gon": "plane angle", "circ": "plane angle",
    "lm": "luminous flux", "lx": "illuminance",
}  # fmt: skip

# Not converted: units that ucumvert 0.3.2 defines differently from UCUM, some only with a prefix, and units on a
# logarithmic or other scale without a factor. tests/unit/extraction/flowsheet/test_ucum.py compares all others with
# UCUM's own table.
_REFUSED = frozenset(
    "' '' [Cal] [Btu] [in_i'H2O] [in_i'Hg] g% [LPF] [cft_i] [cyd_i] [rd_br] [ch_br] [lk_br] Mx G Oe Gb [h] [G] "
    "[g] R ph hbar [pH] Np B B[SPL] B[V] B[mV] B[uV] B[10.nV] B[W] B[kW] [p'diop] %[slope] [m/s2/Hz^(1/2)] bit_s "
    "bit By".split()
)


@dataclass(frozen=True, slots=True)
class Measure:
    """What a UCUM code measures.

    Attributes:
        unit: the pint unit.
        factor: how many of that unit the code stands for, such as 100 for 100/{cells}.
        quantity: the measured quantity; codes with equal quantities are convertible.
        atoms: the units in the code, without prefixes and exponents.
    """

    unit: Any
    factor: float
    quantity: tuple[Any, ...]
    atoms: frozenset[str]


def is_ucum(code: str) -> bool:
    """Whether a text is a UCUM code (case-sensitive); an annotation alone, such as {score}, is valid."""
    return _tree(code) is not None


@lru_cache(maxsize=1024)
def measure(code: str) -> Measure | None:
    """What a UCUM code measures; None if it is invalid, only counts, or cannot be converted reliably."""
    tree = _tree(code)
    if tree is None:
        return None
    from lark import Token
    from lark.exceptions import LarkError
    from pint import PintError

    if isinstance(tree, Token):  # only an annotation
        return None
    units = [_spelled(one) for one in tree.find_data("simple_unit")]
    if any(one in _REFUSED for unit in units for one in unit):
        return None
    try:
        quantity = _registry().Quantity(_transformer().transform(tree))
        kinds = _kinds(tree)
        return Measure(
            quantity.units,
            float(quantity.magnitude),
            (quantity.dimensionality, frozenset((kind, count) for kind, count in kinds.items() if count)),
            frozenset(atom for atom, _ in units),
        )
    except (LarkError, PintError, ArithmeticError):
        return None  # an offset unit within a product, such as degrees per minute


def converted(value: float, source: Measure, target: Measure) -> float:
    """Converts `value` between units of one quantity, without rounding."""
    quantity = _registry().Quantity(value * source.factor, source.unit).to(target.unit)
    return float(quantity.magnitude) / target.factor


@lru_cache(maxsize=1024)
def _tree(code: str) -> Any:
    """The syntax tree of a code, or its only token; None if the code is invalid."""
    if not _LIKE_A_CODE.fullmatch(code):
        return None
    from ucumvert import InvalidUcumError, parse_ucum

    try:
        tree = parse_ucum(code, _parser())
    except InvalidUcumError:
        return None
    only = tree.children[0] if len(tree.children) == 1 else tree
    return only if getattr(only, "type", "") == "ANNOTATION" else tree


def _spelled(simple_unit: Any) -> tuple[str, str]:
    """A unit without and with its prefix."""
    return str(simple_unit.children[-1]), "".join(map(str, simple_unit.children))


def _kinds(node: Any) -> Counter[str]:
    """The kinds in a syntax tree with their exponents."""
    children = getattr(node, "children", None)
    if children is None:
        return Counter()
    if node.data == "simple_unit":
        kind = _kind(str(children[-1]))
        return Counter({kind: 1} if kind else {})
    if node.data == "annotatable":  # has an exponent
        return _times(_kinds(children[0]), int(children[1]))
    total: Counter[str] = Counter()
    sign = 1
    for child in children:
        if getattr(child, "type", "") in ("OPERATOR", "DIVIDE"):
            sign = 1 if child == "." else -1
        else:
            total.update(_times(_kinds(child), sign))
    return total


def _times(kinds: Counter[str], exponent: int) -> Counter[str]:
    return Counter({kind: count * exponent for kind, count in kinds.items()})


@cache
def _kind(atom: str) -> str | None:
    if atom in _KINDS or atom in _NUMBERS or atom.isdigit():
        return _KINDS.get(atom)
    quantity = _registry().Quantity(_transformer().transform(_tree(atom)))
    return atom if quantity.dimensionless else None


@cache
def _parser() -> Any:
    from ucumvert import get_ucum_parser

    return get_ucum_parser()


@cache
def _registry() -> Any:
    import pint
    import ucumvert

    registry: Any = pint.UnitRegistry()
    registry.load_definitions(Path(ucumvert.__file__).parent / "pint_ucum_defs.txt")
    return registry


@cache
def _transformer() -> Any:
    from ucumvert import UcumToPintTransformer

    return UcumToPintTransformer(ureg=_registry())
