"""The names by which the numbers of a schema's own rows are said, where the bedside measurements know none.

"Propofol rate" is said as "propofol rate", "propofol" or "prop"; a name that two rows share says neither.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_measurements import divided_rows, measurement_rows
from extraction.flowsheet.naming.row_names import key_of_text, unbracketed, words_of
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, ValueType, of_schema
from extraction.flowsheet.validation import chart_unit
from extraction.language.measuring.measured_numbers import measured_numbers
from extraction.language.measuring.pairs import MeasuredNumbers
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import Measurement, OwnNames, measurement_of_phrase, own_names
from extraction.language.vocabulary.tables import words_by_entry

_SHORTEST = 3  # characters of a name


@dataclass(frozen=True, slots=True)
class NumberNames:
    """The names of rows that record no bedside measurement, and the row of each of their numbers, by measurement id."""

    names: OwnNames
    rows: Mapping[str, Row]


@of_schema
def number_names(schema: Schema) -> NumberNames:
    """The names of a schema's own numbers."""
    known = meaning_of(schema)
    linked = {*measurement_rows(schema), *divided_rows(schema)}
    recorded = {row.id for row in measurement_rows(schema).values()}
    found: dict[str, list[Row]] = defaultdict(list)
    for row in schema.rows:
        meaning = known.of(row.id)
        is_own = row.value_type in NUMBER_TYPES and row.unit_of is None and row.id not in recorded
        if is_own and not meaning.instance and not meaning.laterality and not row.formula:
            for name in {" ".join(key_of_text(name)) for name in _names(row)}:
                other = measurement_of_phrase(name)
                if len(name) >= _SHORTEST and (other is None or other not in linked):
                    found[name].append(row)
    by_name = {name: rows[0] for name, rows in found.items() if len(rows) == 1}
    own = {row.id: _measurement(row, [name for name, of in by_name.items() if of is row]) for row in by_name.values()}
    return NumberNames(own_names(own.values()), {own[row.id].id: row for row in by_name.values()})


def measured_in(schema: Schema, sentence: str) -> MeasuredNumbers:
    """The numbers of a sentence, and what each measures: one of the bedside measurements, or one of the schema's own.

    Everything that asks what a number was said of asks here. A sentence is looked through once.
    """
    return measured_numbers(sentence, number_names(as_spoken(schema)).names)


def _measurement(row: Row, said: list[str]) -> Measurement:
    low = -math.inf if row.minimum is None else row.minimum
    high = math.inf if row.maximum is None else row.maximum
    kind = "pressure" if row.value_type is ValueType.BLOOD_PRESSURE else "number"
    return Measurement(
        id=f"row {row.id}",
        kind=kind,
        unit=chart_unit(row) or "",
        low=low,
        high=high,
        whole=False,
        loinc=frozenset(),
        rows=(),
        said=tuple(said),
        own=True,
    )


def _names(row: Row) -> Iterator[str]:
    """Names of a row, without brackets, without the word for what is measured, and with other names of drugs."""
    for name in (row.name, *row.synonyms):
        words = [word.key for word in unbracketed(words_of(name))]
        ends = name_words().ends
        shorter = words[: next((at for at in range(len(words), 0, -1) if words[at - 1] not in ends), 0)]
        for of in (words, shorter):
            if of:
                yield " ".join(of)
                for at, word in enumerate(of):
                    yield from (
                        " ".join((*of[:at], other, *of[at + 1 :])) for other in name_words().drugs.get(word, ())
                    )


@dataclass(frozen=True, slots=True)
class _NameWords:
    """Other names of drugs, and words at the end of a name that go unsaid."""

    drugs: Mapping[str, tuple[str, ...]]
    ends: frozenset[str]


@of_vocabularies
def name_words() -> _NameWords:
    ends = words_by_entry("row_names", "unsaid", ("words",))["words"]
    return _NameWords(words_by_entry("row_names", "drugs"), frozenset(ends))
