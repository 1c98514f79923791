"""Proposes explicitly stated values, however little confidence the models have in them.

The models give short, bare statements a low confidence: "CVP is twelve", "no JVD". A held-back value is proposed after
all, lit because the models held it back, if the words leave no doubt about the row:

- a number in words, or said as a correction, together with the name of its row, that no proposal uses; or one with its
  unit, together with the full name ("voided 150 milliliters");
- a finding that is denied;
- an option said word for word in the clause of the number that its row qualifies ("temp 38.4 oral": Temperature,
  Temperature site), or together with more of its row's name than of any other's ("the bed alarm is on": Bed exit
  alarm);
- a number in a sentence that continues the topic of the previous number ("Heart rate was 118 at 0630. It is 92 now").

Denials are handled in `extraction.rules.denied_findings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from extraction.filling.proposals import unit_said
from extraction.flowsheet.naming.instance_families import family_of
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import SAID_TYPES, Row, Schema, ValueType
from extraction.flowsheet.values import FilledValue, Proposals, Value
from extraction.language.analysis import analyse
from extraction.language.clauses import nearby_words, phrase_around
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.words import best_share, share, stems
from extraction.rules.changes import Change, promoted
from extraction.rules.denied_findings import as_denied, denied_by_name

_GOES_ON = re.compile(
    r"(?:(?:and|but|now|then|currently)\s+)*(?:it|that)(?:['’]s|\s+(?:is|was|has|went|came))\b", re.IGNORECASE
)
# The share of a row's name that must be said for a number.
_NAMED = 1 / 3
# The same for an option, with at least two words.
_MOSTLY = 0.6
# Words of row names that do not identify the topic of the row.
_COMMON = stems("patient score level total amount volume left right rate of and to or for 0 10")


def explicit_statements(text: str, proposals: Proposals, schema: Schema, corrected: Sequence[Span]) -> Iterator[Change]:
    """The explicit statements of the text; `corrected` holds spans that were said as corrections."""
    free = (value for value in proposals.held_back if not value.held_back_by)
    held_back = [value for value in free if _mentions_instance(text, value, schema)]
    kept = []
    for value in proposals.values:
        if change := as_denied(text, value, schema.row(value.row_id)):
            yield change
        kept.append((change and change.value) or value)
    rows = {value.row_id for value in kept}
    raised = [
        *_numbers(text, held_back, kept, schema, corrected),
        *denied_by_name(text, held_back, rows, schema),
        *_options(text, held_back, kept, schema),
        *_continued_numbers(text, held_back, kept, schema),
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


# numbers


def _numbers(
    text: str, held_back: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema, corrected: Sequence[Span]
) -> Iterator[FilledValue]:
    """For each number that no proposal uses, the reading whose row is named best in the same phrase."""
    rows = {value.row_id for value in kept}
    taken = [_span(value) for value in kept if schema.row(value.row_id).value_type in SAID_TYPES]
    best: dict[Span, tuple[float, float, FilledValue]] = {}
    for value in held_back:
        row, span = schema.row(value.row_id), _span(value)
        if row.value_type not in SAID_TYPES or row.unit_of or row.id in rows:
            continue
        if any(overlap(span, other) for other in taken):
            continue
        said = nearby_words(text, span)
        if not _in_words_or_corrected(value, row, span, corrected) and not _has_unit_and_name(text, row, span, said):
            continue
        named = _share_of_name(row, said)
        if named >= _NAMED:
            best[span] = max(
                best.get(span, (0.0, 0.0, value)), (named, value.confidence, value), key=lambda one: one[:2]
            )
    chosen: dict[str, FilledValue] = {}
    for _, _, value in best.values():
        chosen.setdefault(value.row_id, value)
    yield from chosen.values()


def _share_of_name(row: Row, said: frozenset[str]) -> float:
    """The largest share said of any of the row's names, requiring a word that identifies its topic; else 0."""
    names = [words for name in (row.name, *row.synonyms) if (words := stems(name)) and (words - _COMMON) & said]
    return max((share(words, said) for words in names), default=0.0)


def _in_words_or_corrected(value: FilledValue, row: Row, span: Span, corrected: Sequence[Span]) -> bool:
    """Whether the number was said in words, or as a correction."""
    if row.value_type is ValueType.BLOOD_PRESSURE or isinstance(value.value, float):
        digits = re.search(r"\d", value.evidence.text)
        return not digits or any(overlap(span, other) for other in corrected)
    return False


def _has_unit_and_name(text: str, row: Row, span: Span, said: frozenset[str]) -> bool:
    """Whether the number has its unit, and a name of its row is said completely apart from common words."""
    names = [stems(name) - _COMMON for name in (row.name, *row.synonyms)]
    return unit_said(text, span) is not None and any(words and words <= said for words in names)


def _continued_numbers(
    text: str, held_back: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema
) -> Iterator[FilledValue]:
    """Numbers in a sentence that continues the previous one about the same row at another time.

    Nothing else may be charted from the sentence.
    """
    sentences = analyse(text).sentences
    for value in held_back:
        # the sentence stored with a number read for the previous one is not its own
        around = next((one for one in sentences if one.start <= value.evidence.start < one.end), None)
        start, end = (around.start, around.end) if around else _span(value)
        if schema.row(value.row_id).value_type not in SAID_TYPES or not _GOES_ON.match(text, start, end):
            continue
        before = [one for one in kept if schema.row(one.row_id).value_type in SAID_TYPES and one.evidence.end <= start]
        last = max(before, key=_span, default=None)
        if (
            last is not None
            and last.row_id == value.row_id
            and last.observed_at != value.observed_at
            and not text[last.evidence.sentence_end : start].strip()
            and not any(start <= one.evidence.start < end for one in kept)
        ):
            yield value


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


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end
