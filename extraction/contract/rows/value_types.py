"""The value types that record systems name, as the types of a flowsheet schema."""

from __future__ import annotations

import re
from collections.abc import Mapping

from extraction.contract.value_shapes import folded
from extraction.flowsheet.schema import ValueType

_MULTI = re.compile(
    r"\bmulti\b|multi[- ]?(?:select|choice|value|list)|multiple|several|pick (?:many|any)|check ?(?:boxes|list)"
    r"|select all"
)
_AFTER = "type|field|value|entry|item|data|row|with tag|decision"
# by type, what record systems call it: patterns
_NAMES: Mapping[ValueType, str] = {
    ValueType.BLOOD_PRESSURE: "blood ?pressure, bp, nibp, systolic/diastolic",
    ValueType.YES_NO: "yes ?[/ ]? ?no, dv_boolean, y/n, bool(ean)?, bit, logical, flag, check ?box,"
    " true ?/ ?false, binary,"
    " indicator",
    ValueType.DATE_TIME: "date (and|&|/) ?time, dv_date_time, date/time, date ?time, timestamp, instant, dttm, dtm",
    ValueType.DATE: "date, dv_date, day, calendar",
    ValueType.TIME: "time, dv_time, clock, time of day, hh:?mm",
    ValueType.NUMERIC: "numeric, number, int(eger)?, decimal, float, double, real, num, nm, quantity, smallint, long,"
    " solution, ingredient, processes, temperature, weight, height, volume, rate, percent(age)?, score, calculated,"
    " computed, dv_quantity, dv_count, dv_proportion, dv_scale",
    ValueType.SINGLE_SELECT: "category, custom list, list, single ?-?select, select(ion)?, drop ?-?down, choice, coded,"
    " code, pick ?-?list, radio( buttons?)?, combo( ?box)?, enum(erated|eration)?, options?, single choice,"
    " dv_coded_text, dv_ordinal,"
    " pick one, choose one, lookup,"
    " value ?set, cwe, ce, alpha coded, nomenclature",
    ValueType.TEXT: "text, string, dv_text, free ?-?text, alpha( ?numeric)?, varchar, char(acters?)?,"
    " comments?, notes?, memo,"
    " narrative, st, tx, str, long text, short text, rich text",
}
_TYPES = {
    value_type: re.compile(
        rf"(?:{'|'.join(names.split(', '))})(?: (?:type|field|value|entry|item|data|row|with tag|decision))?"
    )
    for value_type, names in _NAMES.items()
}


def is_value_type(text: str) -> bool:
    """Whether a text names a type of values."""
    return type_named(text) is not None


def type_named(text: str) -> ValueType | None:
    """The type that a record system calls so, such as 'Custom List - Multi'; None if it is not known."""
    plain = folded(text)
    if not plain or len(plain) > 60:
        return None
    if _MULTI.search(plain):
        return ValueType.MULTI_SELECT
    head = re.split(r"\s*[-(:,]", plain)[0]
    words = head.split()
    for part in dict.fromkeys((plain, head, " ".join(words[:3]), " ".join(words[:2]))):
        if found := next((value_type for value_type, pattern in _TYPES.items() if pattern.fullmatch(part)), None):
            return found
    return None
