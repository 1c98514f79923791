"""Checks what a row says about other rows that contradict it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extraction.flowsheet.schema import SELECT_TYPES, Contradiction, Row, ValueType

_WITH_NUMBER = frozenset({ValueType.NUMERIC, ValueType.QUANTITY})


def contradiction_faults(row: Row, by_id: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    """What is wrong in "contradicts" of a row, and how to correct it."""
    for one in row.contradicts:
        if not _is_value(row, one.value):
            yield (
                f'"value" is {one.value!r}, which is not a value of the row',
                "Write one of its options, or true or false.",
            )
        for row_id in one.row_ids:
            if (other := by_id.get(row_id)) is None:
                yield f'"rows" names "{row_id}", and no row has that id', "Write the id of a row."
            elif row_id == row.id:
                yield '"rows" names the row itself', 'Mark the option as "exclusive" instead.'
            else:
                yield from _condition_faults(one, other)


def _condition_faults(one: Contradiction, other: Row) -> Iterator[tuple[str, str]]:
    if one.above is not None and other.value_type not in _WITH_NUMBER:
        yield f'"above" is for numbers, and "{other.id}" has none', 'Use "other_than".'
    for value in one.other_than:
        if other.value_type not in SELECT_TYPES or value not in other.option_names:
            yield f'"other_than" has "{value}", which is not an option of "{other.id}"', "Write one of its options."


def _is_value(row: Row, value: str | bool) -> bool:
    return row.value_type is ValueType.YES_NO if isinstance(value, bool) else value in row.option_names
