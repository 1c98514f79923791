"""The closed-world catalogue: every field of the sources with what its values are like, made in one pass.

Seeds: "Executable Schema Contracts", section 3.2 and appendix A.4.3 to A.5.1.
"""

from __future__ import annotations

import hashlib
import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from extraction.contract.people import is_encounter, is_number_of_a_person, is_patient, person_reason
from extraction.contract.records import Field, FieldType, Source
from extraction.contract.row_history import LEAST_PATIENTS, LEAST_VALUES
from extraction.contract.value_shapes import (
    are_moments,
    folded,
    is_boolean,
    is_nothing,
    is_time_header,
    number_of,
    spread,
    type_of,
)

EXAMPLES = 5
_SAMPLE = 2000
_LONGEST_EXAMPLE = 80
_MOST_WORDS, _MOST_WORDS_OF_OPTIONS = 3, 5  # of an example about people; of a value in a field without free text
_LEAST_SHARED = 0.95  # share of records with a value that several patients have, in a field without free text
# Hashes of so many records are kept of each field: 8 bytes for each.
_MOST_RECORDS = 5_000_000
_NOTHING = 0
_Sampled = tuple[int, str, int]  # the number of the record, a value, and the hash of the patient


class Record(Protocol):
    """A record of a source: its line in the file, and its values as texts in the order of the fields."""

    @property
    def line(self) -> int: ...

    @property
    def values(self) -> Sequence[str]: ...


class Table(Protocol):
    """A source that can be read, more than once."""

    @property
    def source(self) -> Source: ...

    @property
    def fields(self) -> Sequence[str]: ...

    def records(self) -> Iterator[Any]:
        """Its records, each a `Record`."""


@dataclass
class Column:
    """A field with the hashes of all its values, by which keys and links are found exactly.

    Attributes:
        field: what the catalogue keeps.
        hashes: of each record's value, 0 where there is none; shape (records,), uint64.
        sample: values of some records, in the order of the file.
    """

    field: Field
    hashes: Any
    sample: tuple[str, ...] = ()

    @cached_property
    def present(self) -> Any:
        """The different hashes, sorted; without 0."""
        different = np.unique(self.hashes)
        return different[different != _NOTHING]

    @property
    def complete(self) -> bool:
        """Whether each record has a value."""
        return self.field.null_rate == 0

    @property
    def unique(self) -> bool:
        """Whether no two records have the same value."""
        return 0 < self.field.count == self.field.distinct


@dataclass
class Profile:
    """A source with its columns, by field."""

    source: Source
    columns: dict[str, Column]


def hash_of(value: str) -> int:
    """The hash of a value in a column, without regard to case; never 0."""
    return hash(value.strip().casefold()) & 0xFFFF_FFFF_FFFF_FFFF or 1


def field_id(source: str, path: str) -> str:
    """The id of a field in the catalogue."""
    return hashlib.sha256(f"{source}\0{path}".encode()).hexdigest()[:12]


def ignore_count(records: int) -> None:
    """Ignores how many records were read."""


def profile(table: Table, counted: Callable[[int], None] = ignore_count) -> Profile:
    """Reads a source once, and says what its fields are like.

    Args:
        counted: is told the number of records read, now and then.
    """
    count = len(table.fields)
    hashes = [array("Q") for _ in range(count)]
    filled = [0] * count
    lengths = [0] * count
    samples: list[list[_Sampled]] = [[] for _ in range(count)]
    chance = random.Random(0)
    whose_at = _place_of_person(table.fields)
    number = 0
    for number, record in enumerate(table.records(), 1):
        keep = number <= _SAMPLE or chance.random() < _SAMPLE / number
        kept = number <= _MOST_RECORDS
        whose = hash_of(record.values[whose_at]) if whose_at is not None else 0
        for place, value in enumerate(record.values):
            if is_nothing(value):
                if kept:
                    hashes[place].append(_NOTHING)
                continue
            filled[place] += 1
            lengths[place] += len(value)
            if kept:
                hashes[place].append(hash_of(value))
            if keep:
                _sampled(samples[place], (number, value, whose), chance)
        if number % 20_000 == 0:
            counted(number)
    counted(number)
    source = replace(table.source, rows=number)
    columns = {}
    for place, path in enumerate(table.fields):
        sample = sorted(samples[place])
        values = tuple(value for _, value, _ in sample)
        examples = values if whose_at is None else _of_several_people(sample)
        columns[path] = _column(source, path, filled[place], lengths[place], hashes[place], values, examples)
    return Profile(source, columns)


def names_people(fields: Sequence[str]) -> bool:
    """Whether a field tells the patients or stays of the records apart."""
    return _place_of_person(fields) is not None


def _place_of_person(fields: Sequence[str]) -> int | None:
    """The field that tells patients apart, else the one that tells stays apart; None where records are about nobody."""
    patients = (place for place, path in enumerate(fields) if is_patient(path))
    stays = (place for place, path in enumerate(fields) if is_encounter(path))
    return next(patients, next(stays, None))


def _of_several_people(sample: Sequence[_Sampled]) -> tuple[str, ...]:
    """Values that cannot be what somebody wrote about one patient: enough records of enough patients have each.

    Words are among them only if the field is a closed set: hardly a record has another value, and none is long.
    """
    whose: dict[str, set[int]] = {}
    for _, value, person in sample:
        whose.setdefault(folded(value), set()).add(person)
    counts = Counter(folded(value) for _, value, _ in sample)
    shared = {
        value for value, people in whose.items() if len(people) >= LEAST_PATIENTS and counts[value] >= LEAST_VALUES
    }
    closed = sum(counts[value] for value in shared) >= _LEAST_SHARED * len(sample)
    closed = closed and all(len(value.split()) <= _MOST_WORDS_OF_OPTIONS for value in whose)
    return tuple(
        value
        for _, value, _ in sample
        if folded(value) in shared and (number_of(value) is not None or (closed and len(value.split()) <= _MOST_WORDS))
    )


def _sampled(sample: list[_Sampled], one: _Sampled, chance: random.Random) -> None:
    if len(sample) < _SAMPLE:
        sample.append(one)
    else:
        sample[chance.randrange(_SAMPLE)] = one


def _column(
    source: Source,
    path: str,
    count: int,
    length: int,
    hashes: array[int],
    values: tuple[str, ...],
    examples: tuple[str, ...],
) -> Column:
    array_of = np.frombuffer(hashes, dtype=np.uint64) if hashes else np.empty(0, np.uint64)
    different = np.unique(array_of)
    kind = type_of(values)
    if kind in (FieldType.TEXT, FieldType.INTEGER) and is_boolean(values):
        kind = FieldType.BOOLEAN
    if kind in (FieldType.INTEGER, FieldType.NUMBER) and are_moments(values) and is_time_header(path):
        kind = FieldType.DATE_TIME
    reason = person_reason(path, values)
    shown = not reason and not is_number_of_a_person(path)
    minimum, maximum = _bounds(kind, examples) if shown else ("", "")
    return Column(
        Field(
            field_id(source.name, path),
            source.name,
            path,
            kind,
            count,
            int(different.size - (1 if different.size and different[0] == _NOTHING else 0)),
            round(1 - count / source.rows, 6) if source.rows else 1.0,
            minimum,
            maximum,
            round(length / count, 2) if count else 0.0,
            tuple(_cut(value) for value in spread(examples, EXAMPLES)) if shown else (),
            reason,
        ),
        array_of,
        values,
    )


def _bounds(kind: FieldType, values: Sequence[str]) -> tuple[str, str]:
    if kind in (FieldType.INTEGER, FieldType.NUMBER):
        numbers = sorted(number for number in map(number_of, values) if number is not None)
        return (f"{numbers[0]:g}", f"{numbers[-1]:g}") if numbers else ("", "")
    if kind in (FieldType.DATE, FieldType.DATE_TIME):
        return (min(values), max(values)) if values else ("", "")
    return "", ""


def _cut(value: str) -> str:
    value = value.strip()
    return value if len(value) <= _LONGEST_EXAMPLE else f"{value[: _LONGEST_EXAMPLE - 1]}…"
