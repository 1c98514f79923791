"""The type, the options and the unit of a row: as the export says, else as its values show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from extraction.contract.records import Alias, ContractOption, ContractRow, FieldType
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.dictionary import DictionaryLine
from extraction.contract.rows.options import OptionLists, are_several, options_charted
from extraction.contract.rows.units import is_unit, ucum_of, unit_named
from extraction.contract.rows.value_types import type_named
from extraction.contract.value_shapes import folded, number_of, number_with_unit, type_of
from extraction.flowsheet.schema import NUMBER_TYPES, ValueType

_PRESSURE = re.compile(r"\s*\d{2,3}\s*/\s*\d{2,3}\s*")
_MOSTLY = 0.9
_LEAST_CHARTED = 3
_LEAST_AGREEING, _LEAST_OF_GROUP, _ALL_BUT = 5, 0.2, 0.95
_YES_NO = (frozenset(("yes", "no", "y", "n")), frozenset(("true", "false")))
_UNIT_ROW = re.compile(r"(.+?)[ -]*\b(?:units?|uom)(?: of measure)?", re.IGNORECASE)
_SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT)


def row_of(line: DictionaryLine, lists: OptionLists, charted: ChartedValues) -> ContractRow:
    options = line.options or lists.options(line.list_id, line.id)
    value_type, options = _type_and_options(line, options, charted)
    unit = line.unit or (_unit_charted(charted) or _unit_in(line.name) if value_type in NUMBER_TYPES else "")
    has_range = value_type in NUMBER_TYPES and _in_order(line)
    aliases = {label: Alias(label, "label") for label in line.labels if folded(label) != folded(line.name)}
    return ContractRow(
        line.id,
        line.name,
        value_type.value,
        tuple(aliases.values()),
        tuple(dict.fromkeys(line.former)),
        tuple(dict.fromkeys(line.categories)),
        options if value_type in _SELECTS else (),
        unit,
        ucum_of(unit),
        line.loinc,
        minimum=line.minimum if has_range else None,
        maximum=line.maximum if has_range else None,
        charted=charted.count,
        retired=line.retired,
        cells=tuple(dict.fromkeys(line.cells)),
    )


def _unit_in(name: str) -> str:
    """The unit at the end of a name, such as 'Drainage (mL)'."""
    match = re.search(r"\(([^()]{1,20})\)\s*$", name)
    return unit_named(match[1]) if match and is_unit(match[1]) else ""


def _in_order(line: DictionaryLine) -> bool:
    """Whether the bounds can be; two that are both nought stand for none."""
    if line.minimum is None or line.maximum is None:
        return True
    return line.minimum <= line.maximum and not line.minimum == line.maximum == 0


def _type_and_options(
    line: DictionaryLine, options: tuple[ContractOption, ...], charted: ChartedValues
) -> tuple[ValueType, tuple[ContractOption, ...]]:
    said = type_named(line.value_type) or _type_beside(charted)
    if said is ValueType.YES_NO and len(options) > 0:
        said = ValueType.SINGLE_SELECT
    if said in (ValueType.SINGLE_SELECT, None) and line.several:
        said = ValueType.MULTI_SELECT
    if said in (None, ValueType.TEXT) and options:  # some systems call a choice from a list a text
        said = ValueType.SINGLE_SELECT
    if said in _SELECTS and not options:
        options = options_charted(charted, is_choice=True)
    if said is ValueType.SINGLE_SELECT and options and are_several(charted, options):
        said = ValueType.MULTI_SELECT
    if said in _SELECTS and not options:
        return ValueType.TEXT, ()  # nothing says what can be chosen
    if said is not None:
        return said, options
    guessed = _type_charted(charted)
    if guessed is not ValueType.TEXT:
        return guessed, ()
    if not line.unit and (options := options_charted(charted, is_choice=False)):
        several = are_several(charted, options)
        return ValueType.MULTI_SELECT if several else ValueType.SINGLE_SELECT, options
    return (
        ValueType.NUMERIC
        if line.unit or _unit_in(line.name) or line.minimum is not None or line.maximum is not None
        else ValueType.TEXT
    ), ()


def _type_beside(charted: ChartedValues) -> ValueType | None:
    """The type that stands beside the values in the dumps, if nearly all say the same."""
    named = Counter(kind for text, count in charted.types.items() if (kind := type_named(text)) for _ in range(count))
    if not named:
        return None
    kind, count = named.most_common(1)[0]
    return kind if count >= _MOSTLY * sum(named.values()) and kind is not ValueType.TEXT else None


def _type_charted(charted: ChartedValues) -> ValueType:
    values = list(charted.values.elements())
    if len(values) < _LEAST_CHARTED:
        return ValueType.TEXT
    if sum(bool(_PRESSURE.fullmatch(value)) for value in values) >= _MOSTLY * len(values):
        return ValueType.BLOOD_PRESSURE
    numbers = sum(number_of(value) is not None or number_with_unit(value) is not None for value in values)
    if numbers >= _MOSTLY * len(values):
        return ValueType.NUMERIC
    if any(set(charted.values) <= forms for forms in _YES_NO) and charted.values:
        return ValueType.YES_NO
    form = type_of(values)
    return {
        FieldType.DATE: ValueType.DATE,
        FieldType.DATE_TIME: ValueType.DATE_TIME,
        FieldType.TIME: ValueType.TIME,
    }.get(form, ValueType.TEXT)


def _unit_charted(charted: ChartedValues) -> str:
    """The unit that stands beside most values, or after their numbers."""
    if charted.units:
        unit, count = charted.units.most_common(1)[0]
        return unit_named(unit) if count >= 0.5 * charted.count and ucum_of(unit) else ""
    after = Counter(
        found[1]
        for value, count in charted.values.items()
        for _ in range(count)
        if (found := number_with_unit(charted.spelling(value)))
    )
    if not after:
        return ""
    unit, count = after.most_common(1)[0]
    return unit if count >= max(2, 0.3 * charted.count) and ucum_of(unit) else ""


def is_guessed(line: DictionaryLine, lists: OptionLists, charted: ChartedValues) -> bool:
    if line.retired or line.unit or line.minimum is not None or line.maximum is not None or line.options:
        return False
    named = type_named(line.value_type) or _type_beside(charted)
    return named is None and charted.count < _LEAST_CHARTED and not lists.options(line.list_id, line.id)


def with_types_of_groups(rows: Sequence[ContractRow], guessed: Set[str]) -> list[ContractRow]:
    """Gives rows of which nothing shows the type that of their group, where all rows of the group with values agree."""
    known: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for row in rows:
        groups = {name for path in row.categories for name in path}
        sizes.update(groups)
        if row.id not in guessed and row.charted >= _LEAST_CHARTED:
            for name in groups:
                known.setdefault(name, Counter())[row.value_type] += 1
    agreed = {
        name: value_type
        for name, types in known.items()
        for value_type, count in types.most_common(1)
        if count >= max(_LEAST_AGREEING, _LEAST_OF_GROUP * sizes[name], _ALL_BUT * sum(types.values()))
        and value_type not in _SELECTS
    }

    def value_type(row: ContractRow) -> str:
        of_groups = (agreed[name] for path in row.categories for name in path if name in agreed)
        return next(of_groups, row.value_type) if row.id in guessed else row.value_type

    return [replace(row, value_type=value_type(row)) for row in rows]


def with_unit_rows(rows: Sequence[ContractRow], charted: Mapping[str, ChartedValues]) -> list[ContractRow]:
    """Pairs of a row and one that records its unit, by their names; the unit of the first from the second."""
    by_name = {folded(row.name): row for row in rows if not row.retired}
    pairs: dict[str, ContractRow] = {}
    for row in rows:
        match = _UNIT_ROW.fullmatch(row.name)
        measured = by_name.get(folded(match[1])) if match and row.options else None
        if measured is not None and measured is not row:
            pairs[measured.id] = row
    measured_by = {unit.id: measured for measured, unit in pairs.items()}
    return [_paired(row, pairs.get(row.id), measured_by.get(row.id, ""), charted) for row in rows]


def _paired(
    row: ContractRow, unit_row: ContractRow | None, unit_of: str, charted: Mapping[str, ChartedValues]
) -> ContractRow:
    if unit_row is None:
        return replace(row, unit_of=unit_of)
    unit = row.unit or _usual_unit(unit_row, charted.get(unit_row.id))
    return replace(row, unit=unit, ucum=ucum_of(unit), unit_of=unit_of)


def _usual_unit(row: ContractRow, charted: ChartedValues | None) -> str:
    """The option that is charted most often; the first one where nothing is."""
    names = {folded(option.name): option.name for option in row.options}
    codes = {folded(option.code): option.name for option in row.options if option.code}
    for value, _ in charted.values.most_common() if charted else ():
        if found := names.get(value) or codes.get(value):
            return found
    return row.options[0].name if len(row.options) == 1 else ""
