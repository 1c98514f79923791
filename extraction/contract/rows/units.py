"""Units as exports write them, and the UCUM codes they mean."""

from __future__ import annotations

import re
from functools import lru_cache

from extraction.contract.value_shapes import tidied
from extraction.flowsheet.ucum import is_ucum
from extraction.flowsheet.unit_conversion import as_ucum, ucum

_NO_UNIT = frozenset(("", "none", "null", "n/a", "na", "-", "no unit", "unitless", "\\n", "text"))
# how exports write units that are not spoken so
_WRITTEN = {
    "bpm": "/min",
    "insp/min": "/min",
    "breaths/min": "/min",
    "beats/min": "/min",
    "rpm": "/min",
    "mmhg": "mm[Hg]",
    "mm hg": "mm[Hg]",
    "cmh2o": "cm[H2O]",
    "cm h2o": "cm[H2O]",
    "°c": "Cel",
    "deg c": "Cel",
    "degc": "Cel",
    "celsius": "Cel",
    "c": "Cel",
    "°f": "[degF]",
    "deg f": "[degF]",
    "degf": "[degF]",
    "fahrenheit": "[degF]",
    "f": "[degF]",
    "cc": "mL",
    "ml": "mL",
    "milliliters": "mL",
    "cc/hr": "mL/h",
    "ml/hr": "mL/h",
    "ml/h": "mL/h",
    "ml/min": "mL/min",
    "l/min": "L/min",
    "lpm": "L/min",
    "liters": "L",
    "litres": "L",
    "lbs": "[lb_av]",
    "lb": "[lb_av]",
    "pounds": "[lb_av]",
    "ounces": "[oz_av]",
    "oz": "[oz_av]",
    "inch": "[in_i]",
    "inches": "[in_i]",
    "in": "[in_i]",
    "ft": "[ft_i]",
    "feet": "[ft_i]",
    "grams": "g",
    "gram": "g",
    "gm": "g",
    "kgs": "kg",
    "kilograms": "kg",
    "mcg": "ug",
    "meq": "meq",
    "units": "[U]",
    "unit": "[U]",
    "international units": "[iU]",
    "sec": "s",
    "secs": "s",
    "seconds": "s",
    "minutes": "min",
    "mins": "min",
    "hours": "h",
    "hour": "h",
    "hr": "h",
    "hrs": "h",
    "days": "d",
    "years": "a",
    "percent": "%",
    "mg/hr": "mg/h",
    "mg/hour": "mg/h",
    "mcg/min": "ug/min",
    "mcg/kg/min": "ug/kg/min",
    "units/hr": "[U]/h",
    "g/dl": "g/dL",
    "mg/dl": "mg/dL",
    "mmol/l": "mmol/L",
    "meq/l": "meq/L",
    "kcal": "kcal",
    "watts": "W",
    "msec": "ms",
    "cmh2o/l/seconds": "cm[H2O].s/L",
    "dynes*sec/cm5": "dyn.s/cm5",
    "dynes.sec.cm-5/m2": "dyn.s/cm5/m2",
    "mmhg.": "mm[Hg]",
    "meq.": "meq",
    "kcal/day": "kcal/d",
    "decimal": "1",
    "ratio": "1",
    "ml/beat": "mL",
    "degree": "deg",
    "degrees": "deg",
    "breaths per minute": "/min",
    "beats per minute": "/min",
    "l/m": "L/min",
    "psi": "[psi]",
    "dose": "{dose}",
    "score": "{score}",
    "points": "{score}",
    "fr": "[Ch]",
    "french": "[Ch]",
    "ga": "{gauge}",
    "gauge": "{gauge}",
    "g (gauge)": "{gauge}",
}


def unit_named(text: str) -> str:
    """The unit in a cell, as it is written there; empty if it says that there is none."""
    unit = tidied(text).strip(" ")
    return "" if unit.casefold() in _NO_UNIT else unit


@lru_cache(maxsize=4096)
def ucum_of(unit: str) -> str:
    """The UCUM code of a unit as an export writes it; empty if it is not known. The case is kept where it matters."""
    plain = unit_named(unit)
    if not plain:
        return ""
    if code := _WRITTEN.get(plain.casefold()):
        return code
    if is_ucum(plain) and not plain.isdigit():
        return plain
    for code in (ucum(plain), as_ucum(plain)):
        if code and is_ucum(code):
            return code
    return ""


@lru_cache(maxsize=4096)
def is_unit(text: str) -> bool:
    """Whether a text is a unit."""
    if re.search(r"[A-Za-z]\d\d", text):  # an id such as L10, which is a power of litres in UCUM
        return False
    return len(text) <= 25 and not text.strip().isdigit() and bool(ucum_of(text)) and len(text.split()) <= 4
