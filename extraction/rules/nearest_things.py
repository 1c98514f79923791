"""Which thing a dressing, a site or drainage is of: the nearest that is named, of those that have a row for the same.

"Central line in the neck. Right hip incision, dressing intact" says nothing of the central line's dressing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from extraction.flowsheet.naming.instance_families import family_of
from extraction.flowsheet.naming.row_words import asked_words
from extraction.flowsheet.schema import SELECT_TYPES, Row, Schema, of_schema
from extraction.flowsheet.values import Evidence, FilledValue
from extraction.language.analysis import analyse
from extraction.language.clauses import clauses
from extraction.language.vocabulary.words import said_whole, stems

# What is recorded of many things under the same options, and words that name none of these.
_PARTS = stems("dressing site drainage")
_NO_THING = _PARTS | stems("line skin drain catheter tube change changed")
_TYPE = stems("type")
_SHORTEST_KIND = 3  # letters


def is_of_another_thing(transcript: str, schema: Schema, value: FilledValue) -> bool:
    """Whether the nearest thing that is named, from the value's clause backwards, is another than that of its row."""
    row = schema.row(value.row_id)
    if row.value_type not in SELECT_TYPES or not _part(row):
        return False
    rivals = _rivals(schema, row, value)
    for clause in clauses_by_distance(transcript, value.evidence) if rivals else ():
        if _is_named(schema, row, clause):
            return False
        besides = clause.replace(value.evidence.text, " ")  # "negative pressure dressing" names no pressure injury
        if any(_is_named(schema, other, besides) for other in rivals):
            return True
    return False


def clauses_by_distance(transcript: str, said: Evidence) -> Iterator[str]:
    """The clause of some words, those before it, nearest first, and those behind it in its sentence."""
    spans = [
        (one.start + start, one.start + end)
        for one in analyse(transcript).sentences
        for start, end in clauses(one.text)
        if one.start + start < said.sentence_end
    ]
    own = max((place for place, (start, _) in enumerate(spans) if start <= said.start), default=0)
    for start, end in (*reversed(spans[: own + 1]), *spans[own + 1 :]):
        yield transcript[start:end]


def _part(row: Row) -> frozenset[str]:
    return stems(row.name) & _PARTS


def _rivals(schema: Schema, row: Row, value: FilledValue) -> list[Row]:
    """The rows of other things that record the same part, under the same option."""
    chosen = set(value.value) if isinstance(value.value, tuple) else {value.value}
    return [
        other
        for other in schema.rows
        if other.category != row.category and _part(other) & _part(row) and chosen & set(other.option_names)
    ]


def _is_named(schema: Schema, row: Row, clause: str) -> bool:
    """Whether a clause names what a row is about, by a word of its name or by its kind: "PICC" for a central line."""
    if family := family_of(schema, row.id):
        return family.mention(clause) is not None
    named = bool(_thing_words(schema)[row.id] & stems(clause))
    return named or any(said_whole(kind, clause) for kind in _kinds(schema).get(row.category, ()))


@of_schema
def _thing_words(schema: Schema) -> Mapping[str, frozenset[str]]:
    asked = asked_words(schema.rows) | _NO_THING
    return {row.id: stems(" ".join((row.name, *row.synonyms))) - asked for row in schema.rows}


@of_schema
def _kinds(schema: Schema) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """By category, what the options of its types are called."""
    kinds: dict[tuple[str, ...], tuple[str, ...]] = defaultdict(tuple)
    for row in schema.rows:
        if _TYPE & stems(row.name):
            kinds[row.category] += tuple(
                form for one in row.options for form in one.forms if len(form) >= _SHORTEST_KIND
            )
    return kinds
