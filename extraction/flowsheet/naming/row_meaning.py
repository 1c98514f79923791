"""The meaning of rows beyond their type: instance, what it records of that instance, side, and the number it qualifies.

The schema states it (`instance`, `role`, `laterality`, `measured_with`), or it is inferred from row names, here and in
`extraction.flowsheet.naming.instance_names` and `extraction.flowsheet.naming.row_words`. All other code reads it from
this module. Field by field, stated values win over inferred ones, and a field stated as none stays empty. Inferred
values are never stored in the row itself, so that models stay bound to what the file says
(`extraction.confidence.binding`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from extraction.flowsheet.naming.instance_names import Group, Unclaimed, groups_of
from extraction.flowsheet.naming.row_names import Key, key_of, key_of_text, unbracketed, words_of
from extraction.flowsheet.schema import (
    NUMBER_TYPES,
    SAID_TYPES,
    Fluid,
    Instance,
    Laterality,
    Role,
    Row,
    Schema,
    ValueType,
    of_rows,
    of_schema,
)
from extraction.flowsheet.unit_conversion import is_volume, ucum
from extraction.language.body_sites import WrittenSide, sides_in, written_sides
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import measurement_cues
from extraction.language.vocabulary.tables import words_by_entry
from extraction.language.vocabulary.words import stem, stems

_TEMPERATURE_UNITS = frozenset({"Cel", "[degF]"})


@dataclass(frozen=True, slots=True)
class RowMeaning:
    """The meaning of one row.

    Attributes:
        records: what the row records of its instance, in the words of its name; empty without an instance.
        measured_with: ids of the rows whose numbers it may qualify; a single one if stated.
        inferred: the fields that were inferred from names rather than stated.
    """

    instance: Instance | None = None
    records: str = ""
    role: Role | None = None
    laterality: Laterality | None = None
    measured_with: tuple[str, ...] = ()
    inferred: frozenset[str] = frozenset()


NOTHING = RowMeaning()


@dataclass(frozen=True, slots=True)
class SchemaMeaning:
    """The meaning of a schema's rows.

    Attributes:
        rows: by id; only rows about which something is known.
        groups: things that exist more than once, in the order of their first rows.
        unclaimed: rows that resemble those of instances, and why they are not.
    """

    rows: Mapping[str, RowMeaning] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    unclaimed: tuple[Unclaimed, ...] = ()

    def of(self, row_id: str) -> RowMeaning:
        """The meaning of one row; empty if nothing is known."""
        return self.rows.get(row_id, NOTHING)


@of_rows
def meaning_of(rows: tuple[Row, ...]) -> SchemaMeaning:
    """The stated or inferred meaning of a schema's rows."""
    groups, unclaimed = groups_of(rows)
    places = {
        row.id: (Instance(group.name, number), records, group.roles.get(records))
        for group in groups
        for number, of in group.rows.items()
        for records, row in of.items()
    }
    sides, numbers = _sides(rows), _numbers_of_selects(rows)
    found = {
        row.id: _meaning(row, places.get(row.id), sides.get(row.id), numbers.get(row.id, ()))
        for row in rows
        if row.id in places or row.id in sides or row.id in numbers
    }
    homeless = tuple(row.id for row in rows if row.role and row.id not in places)
    if homeless:
        unclaimed += (Unclaimed("", homeless, "a role says what is recorded of an instance, and they belong to none"),)
    return SchemaMeaning(found, groups, unclaimed)


def _meaning(
    row: Row,
    place: tuple[Instance, str, Role | None] | None,
    side: Laterality | None,
    numbers: tuple[str, ...],
) -> RowMeaning:
    instance, records, role = place or (None, "", None)
    inferred = {
        "instance": instance is not None and row.instance is None,
        "role": role is not None and row.role is None,
        "laterality": side is not None and row.laterality is None,
        "measured_with": bool(numbers) and row.measured_with is None,
    }
    names = frozenset(name for name, holds in inferred.items() if holds)
    return RowMeaning(instance, records, role, side, numbers, names)


# sides


def side_of_name(name: str) -> Laterality | None:
    """The only side in a name, as a word or a limb's abbreviation ('LUE'); ignores ambiguous letters ('L')."""
    said = sides_in(name)
    if not said:
        said = frozenset(one.side for one in written_sides(name) if not one.short)
    return Laterality(next(iter(said))) if len(said) == 1 else None


def _sides(rows: Iterable[Row]) -> dict[str, Laterality]:
    """The side of each row.

    A short form counts only if another row has the same name with the other side: 'L Pupil size' and 'R Pupil size',
    but not the liters of 'Flow (L)'.
    """
    found: dict[str, Laterality] = {}
    named: list[tuple[Row, WrittenSide]] = []
    for row in rows:
        written = written_sides(row.name)
        if side := row.laterality or (side_of_name(row.name) if written and _may_infer(row, "laterality") else None):
            found[row.id] = side
        if len({one.side for one in written}) == 1:
            named.append((row, written[0]))
    alike: dict[Key, list[tuple[Row, str]]] = defaultdict(list)
    if any(one.short for _, one in named):
        for row, one in named:
            alike[_without_side(row.name, one.start, one.end)].append((row, one.side))
    for pairs in alike.values():
        if len({side for _, side in pairs}) > 1:
            new = ((row, side) for row, side in pairs if row.id not in found and _may_infer(row, "laterality"))
            found |= {row.id: Laterality(side) for row, side in new}
    return found


def _may_infer(row: Row, name: str) -> bool:
    """Whether a field may be inferred, which is not the case if it is stated as none."""
    return name not in row.stated_none


def _without_side(name: str, start: int, end: int) -> Key:
    """The words of a name with its side replaced by a blank, so that both sides of a pair compare equal."""
    return (*key_of_text(name[:start]), " ", *key_of_text(name[end:]))


# selects that qualify a number


def _numbers_of_selects(rows: Iterable[Row]) -> dict[str, tuple[str, ...]]:
    """The rows whose numbers each single-select row qualifies.

    One name must be the beginning of the other: 'Temperature' and 'Temperature site', 'Meal' and 'Meal percentage
    eaten'.
    """
    selects: dict[Key, list[Row]] = defaultdict(list)
    numbers: dict[Key, list[Row]] = defaultdict(list)
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        if row.measured_with is not None:
            found[row.id] = (row.measured_with,)
        elif row.value_type in SAID_TYPES:
            numbers[_name_key(row)].append(row)
        elif row.value_type is ValueType.SINGLE_SELECT and not row.unit_of and _may_infer(row, "measured_with"):
            selects[_name_key(row)].append(row)
    pairs = [
        *(
            (select, number)
            for key, of in selects.items()
            for number in _rows_named_by_prefix(key, numbers)
            for select in of
        ),
        *(
            (select, number)
            for key, of in numbers.items()
            for select in _rows_named_by_prefix(key, selects)
            for number in of
        ),
    ]
    qualified: dict[str, list[str]] = defaultdict(list)
    for select, number in pairs:
        qualified[select.id].append(number.id)
    return found | {row_id: tuple(ids) for row_id, ids in qualified.items()}


def _name_key(row: Row) -> Key:
    words = words_of(row.name)
    return key_of(unbracketed(words)) if any(word.bracket >= 0 for word in words) else key_of_text(row.name)


def _rows_named_by_prefix(key: Key, rows: Mapping[Key, Sequence[Row]]) -> Iterator[Row]:
    """The rows whose whole name is the beginning of a longer one."""
    return (row for end in range(1, len(key)) for row in rows.get(key[:end], ()))


@dataclass(frozen=True, slots=True)
class TemperatureWords:
    """Stems that mean a temperature, and words that mean one unless a unit says otherwise."""

    words: frozenset[str]
    short: frozenset[str]


@of_vocabularies
def temperature_words() -> TemperatureWords:
    """Raises InputError if the ward's own file is invalid."""
    of = words_by_entry("row_names", "temperature", ("words", "short"))
    return TemperatureWords(frozenset(map(stem, of["words"])), frozenset(of["short"]))


def is_temperature(row: Row) -> bool:
    """Whether a row's number is a temperature, by its dimension, its unit or a word in its name."""
    if row.value_type not in NUMBER_TYPES:
        return False
    words = temperature_words()
    unit = row.ucum or (ucum(row.unit) if row.unit else None)
    if row.dimension == "temperature" or words.words & stems(row.name) or unit in _TEMPERATURE_UNITS:
        return True
    return row.unit is None and not words.short.isdisjoint(key_of(words_of(row.name)))


def fluid_of(row: Row) -> Fluid | None:
    """Whether a row's volume is an intake or an output, as the schema says or by its name; None if it is neither."""
    named = stems(row.name)
    return row.fluid or next((one for one in Fluid if is_volume(row.ucum or row.unit) and stems(one) & named), None)


@of_vocabularies
def total_words() -> frozenset[str]:
    """Stems of the words by which a row is a total of others."""
    return frozenset(map(stem, words_by_entry("row_names", "totals", ("words",))["words"]))


def is_total(row: Row) -> bool:
    """Whether a row's number already holds those of other rows or of a longer time, by a word in its name."""
    return not total_words().isdisjoint(stems(row.name))


@of_schema
def newborn_rows(schema: Schema) -> frozenset[str]:
    """Ids of the rows that their name or category says to be a newborn's, besides those of the mother."""
    child = measurement_cues().child
    return frozenset(row.id for row in schema.rows if child.search(" ".join((*row.category, row.name))))
