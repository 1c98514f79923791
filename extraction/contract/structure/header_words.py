"""The words of headers that speak for each role, and forms of values that do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from extraction.contract.catalogue import Column
from extraction.contract.records import NUMBERS, TIMES, FieldRole, FieldType
from extraction.contract.rows.loinc import loinc_named
from extraction.contract.rows.units import is_unit
from extraction.contract.rows.value_types import is_value_type
from extraction.contract.value_shapes import folded

WORDS: Mapping[FieldRole, frozenset[str]] = {
    role: frozenset(words.split())
    for role, words in {
        FieldRole.ROW_NAME: "name label display disp title description desc caption text longname"
        " fullname item measure",
        FieldRole.ROW_ALIAS: "abbreviation abbr short alias synonym internal mnemonic old legacy former alt alternate",
        FieldRole.CATEGORY: "category group section template panel system domain heading grp sheet"
        " page tab subsection topic area assessment"
        " cat chapter folder form class chart flowsheet screen groups sections categories templates",
        FieldRole.VALUE_TYPE: "type datatype param valtype kind format",
        FieldRole.UNIT: "unit units uom unitname valueuom",
        FieldRole.OPTION_LIST: "list lists picklist valueset codeset options choices enum set",
        FieldRole.OPTION_CODE: "code cd value val number key k",
        FieldRole.OPTION_NAME: "option text term name label display choice answer response meaning description title v"
        " wording",
        FieldRole.MINIMUM: "min minimum low lower lo llo lownormalvalue minvalue from",
        FieldRole.MAXIMUM: "max maximum high upper hi highnormalvalue maxvalue to",
        FieldRole.VALUE: "value val result meas amount reading answer response finding measurement",
        FieldRole.OBSERVED_AT: "recorded observed observation taken chart charttime event start"
        " effective performed measured time date datetime",
        FieldRole.RECORDED_AT: "entry entered store storetime stored filed file documented created"
        " inserted verified saved update updated",
        FieldRole.ORDER: "line order seq sequence position sort rank ordinal nr lineno index number num",
        FieldRole.ACTIVE: "active state status retired deleted inactive enabled hidden record obsolete use"
        " off archived voided void used valid current live disabled discontinued withdrawn suppressed hide visible"
        " expired deactivated invalid blocked published released",
    }.items()
}


def heard_in(words: set[str], role: FieldRole) -> float:
    """How much the words of a header speak for a role, from 0 to 1."""
    hits = len(words & WORDS[role])
    return min(1.0, 0.5 * hits + 0.3) if hits else 0.0


def value_type_share(column: Column) -> float:
    """The share of a field's values that name a type of values."""
    if column.field.type in (*NUMBERS, *TIMES) or column.field.distinct > 60:
        return 0.0
    return _share(column, is_value_type)


def unit_share(column: Column) -> float:
    """The share of a field's values that are units."""
    if column.field.type in (*TIMES, FieldType.BOOLEAN):
        return 0.0
    return _share(column, is_unit)


def loinc_share(column: Column) -> float:
    """The share of a field's values that are LOINC codes with the right check digit."""
    return _share(column, lambda value: bool(loinc_named(value)))


def _share(column: Column, holds: Callable[[str], bool]) -> float:
    values = [value for value in column.sample if folded(value) not in ("none", "na", "")]
    return sum(bool(holds(value)) for value in values) / len(values) if values else 0.0
