"""Proposes explicitly stated values, however little confidence the models have in them.

The models give short, bare statements a low confidence: "CVP is twelve", "no JVD". A held-back value is proposed after
all, lit because the models held it back, if the words leave no doubt about the row:

- a finding that is denied;
- an option said word for word in the clause of the number that its row qualifies ("temp 38.4 oral": Temperature,
  Temperature site), or together with more of its row's name than of any other's ("the bed alarm is on": Bed exit
  alarm).

Numbers are left to `extraction.rules.spoken_measurements`. Denials are handled in `extraction.rules.denied_findings`,
and opposites in `extraction.rules.opposite_options`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extraction.flowsheet.naming.instance_families import family_of
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import FilledValue, Proposals, Value
from extraction.language.analysis import analyse
from extraction.language.clauses import nearby_words, phrase_around
from extraction.language.spans import Span
from extraction.language.vocabulary.words import best_share, share, stems
from extraction.rules.changes import Change, promoted
from extraction.rules.denied_findings import as_denied, denied_by_name
from extraction.rules.opposite_options import as_said

# The share of a row's name that must be said for an option, with at least two words.
_MOSTLY = 0.6
# Words of row names that do not identify the topic of the row.
_COMMON = stems("patient score level total amount volume left right rate of and to or for 0 10")


def explicit_statements(text: str, proposals: Proposals, schema: Schema) -> Iterator[Change]:
    """The explicit statements of the text."""
    free = (value for value in proposals.held_back if not value.held_back_by)
    held_back = [value for value in free if _mentions_instance(text, value, schema)]
    kept = []
    for value in proposals.values:
        row = schema.row(value.row_id)
        if change := as_said(text, value, row) or as_denied(text, value, row):
            yield change
        kept.append((change and change.value) or value)
    rows = {value.row_id for value in kept}
    raised = [
        *denied_by_name(text, held_back, rows, schema),
        *_options(text, held_back, kept, schema),
    ]
    left = [value for value in proposals.held_back if all(value is not one for one in raised)]
    for value in {id(one): one for one in raised}.values():
        others = [one for one in left if (one.row_id, one.observed_at) == (value.row_id, value.observed_at)]
        left = [one for one in left if all(one is not other for other in others)]
        yield promoted(value, instead_of=others)


def _mentions_instance(text: str, value: FilledValue, schema: Schema) -> bool:
    """Whether the sentence can mean the value's row; a row of a wound requires that a wound is mentioned."""
    sentence = text[value.evidence.sentence_start : value.evidence.sentence_end]
    family = family_of(schema, value.row_id)
    return family is None or family.mention(sentence) is not None


# options


def _options(
    text: str, held_back: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema
) -> Iterator[FilledValue]:
    """Held-back options of single selects, said word for word with the number they qualify or with their row."""
    rows = {value.row_id for value in kept}
    found: set[str] = set()
    for value in held_back:
        row = schema.row(value.row_id)
        if row.value_type is not ValueType.SINGLE_SELECT or row.unit_of or row.id in rows | found:
            continue
        start, end = value.evidence.sentence_start, value.evidence.sentence_end
        sentence = text[start:end]
        said = said_options(row, sentence)
        if {name for name, _ in said} != {value.value} or any(analyse(sentence).is_denied(span) for _, span in said):
            continue
        place = start + said[0][1][0], start + said[0][1][1]
        if _is_in_clause_of_number(text, place[0], row, kept, schema) or _names_row_best(
            text, place, value.value, row, schema
        ):
            found.add(row.id)
            yield value


def _is_in_clause_of_number(text: str, place: int, row: Row, kept: Sequence[FilledValue], schema: Schema) -> bool:
    """Whether the option's clause contains a number that its row qualifies."""
    start, end = phrase_around(text, (place, place))
    numbers = meaning_of(schema).of(row.id).measured_with
    return any(one.row_id in numbers for one in kept if start <= one.evidence.start < end)


def _names_row_best(text: str, place: Span, option: Value, row: Row, schema: Schema) -> bool:
    """Whether the option's phrase names its row better than any other row with that option.

    At least two topic words of the row must be said: a statement about the left leg does not mean the right one.
    """
    said = nearby_words(text, place)
    names = [stems(name) for name in (row.name, *row.synonyms)]
    named = max((share(words, said) for words in names if len((words - _COMMON) & said) > 1), default=0.0)
    return named >= _MOSTLY and not any(
        best_share((other.name, *other.synonyms), said) >= named
        for other in schema.rows
        if other is not row and any(one.name == option for one in other.options)
    )
