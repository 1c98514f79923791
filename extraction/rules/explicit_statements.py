"""What a sentence states outright goes before the nurse, however little the models trust it.

The models weigh short, bare statements low: "CVP is twelve", "no JVD". A value that they read, but held back, is
proposed after all, lit by its low confidence, when the words leave no doubt about the row:

- a number in words, or said as a correction, beside the name of its row, that no proposal has taken; or one with its
  unit, beside all of the name ("voided 150 milliliters");
- a finding that is denied;
- an option that is said word for word in the clause of the number that its row qualifies ("temp 38.4 oral":
  Temperature, Temperature site), or beside more of its row's name than of any other's ("the bed alarm is on": Bed exit
  alarm);
- a number of a sentence that goes on about the number before it ("Heart rate was 118 at 0630. It is 92 now").

What the text denies is decided in `extraction.rules.denied_findings`.
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
from extraction.language.clauses import phrase_around, said_beside
from extraction.language.spans import Span
from extraction.language.vocabulary.words import best_share, share, stems
from extraction.rules.changes import Change, promoted
from extraction.rules.denied_findings import as_denied, denied_by_name

_GOES_ON = re.compile(
    r"(?:(?:and|but|now|then|currently)\s+)*(?:it|that)(?:['’]s|\s+(?:is|was|has|went|came))\b", re.IGNORECASE
)
# How much of a row's name must be said for a number.
_NAMED = 1 / 3
# And for an option, of two words at least.
_MOSTLY = 0.6
# Words of row names that do not say what the row is about.
_COMMON = stems("patient score level total amount volume left right rate of and to or for 0 10")


def explicit_statements(text: str, proposals: Proposals, schema: Schema, corrected: Sequence[Span]) -> Iterator[Change]:
    """What the text states outright; `corrected` are stretches that were said as corrections."""
    free = (value for value in proposals.unlikely if not value.held_back_by)
    unlikely = [value for value in free if _may_be_meant(text, value, schema)]
    kept = []
    for value in proposals.values:
        if change := as_denied(text, value, schema.row(value.row_id)):
            yield change
        kept.append((change and change.value) or value)
    rows = {value.row_id for value in kept}
    raised = [
        *_numbers(text, unlikely, kept, schema, corrected),
        *denied_by_name(text, unlikely, rows, schema),
        *_options(text, unlikely, kept, schema),
        *_of_the_same(text, unlikely, kept, schema),
    ]
    left = [value for value in proposals.unlikely if all(value is not one for one in raised)]
    for value in {id(one): one for one in raised}.values():
        others = [one for one in left if (one.row_id, one.observed_at) == (value.row_id, value.observed_at)]
        left = [one for one in left if all(one is not other for other in others)]
        yield promoted(value, instead_of=others)


def _may_be_meant(text: str, value: FilledValue, schema: Schema) -> bool:
    """Whether a row can be meant by the words for what it records: a wound's is not where no wound is named."""
    sentence = text[value.evidence.sentence_start : value.evidence.sentence_end]
    family = family_of(schema, value.row_id)
    return family is None or family.mention(sentence) is not None


# numbers


def _numbers(
    text: str, unlikely: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema, corrected: Sequence[Span]
) -> Iterator[FilledValue]:
    """For each number that no proposal has taken the reading whose row is named best beside it."""
    rows = {value.row_id for value in kept}
    taken = [_span(value) for value in kept if schema.row(value.row_id).value_type in SAID_TYPES]
    best: dict[Span, tuple[float, float, FilledValue]] = {}
    for value in unlikely:
        row, span = schema.row(value.row_id), _span(value)
        if row.value_type not in SAID_TYPES or row.unit_of or row.id in rows:
            continue
        if any(_overlap(span, other) for other in taken):
            continue
        said = said_beside(text, span)
        if not _said_apart(value, row, span, corrected) and not _said_whole(text, row, span, said):
            continue
        named = _share(row, said)
        if named >= _NAMED:
            best[span] = max(
                best.get(span, (0.0, 0.0, value)), (named, value.confidence, value), key=lambda one: one[:2]
            )
    chosen: dict[str, FilledValue] = {}
    for _, _, value in best.values():
        chosen.setdefault(value.row_id, value)
    yield from chosen.values()


def _share(row: Row, said: frozenset[str]) -> float:
    """Which share of the row's best name was said, with a word that says what it is about; else 0."""
    names = [words for name in (row.name, *row.synonyms) if (words := stems(name)) and (words - _COMMON) & said]
    return max((share(words, said) for words in names), default=0.0)


def _said_apart(value: FilledValue, row: Row, span: Span, corrected: Sequence[Span]) -> bool:
    """Whether the number was said in words, or as a correction."""
    if row.value_type is ValueType.BLOOD_PRESSURE or isinstance(value.value, float):
        digits = re.search(r"\d", value.evidence.text)
        return not digits or any(_overlap(span, other) for other in corrected)
    return False


def _said_whole(text: str, row: Row, span: Span, said: frozenset[str]) -> bool:
    """Whether the number has its unit, and a name of its row is said but for words that any row may have."""
    names = [stems(name) - _COMMON for name in (row.name, *row.synonyms)]
    return unit_said(text, span) is not None and any(words and words <= said for words in names)


def _of_the_same(
    text: str, unlikely: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema
) -> Iterator[FilledValue]:
    """Numbers of the row that the last number of the sentence before was charted in, at another time, where nothing is
    charted from a sentence but that it goes on about it."""
    sentences = analyse(text).sentences
    for value in unlikely:
        # a number that was read for the sentence before has none of its own
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
    text: str, unlikely: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema
) -> Iterator[FilledValue]:
    """Held back options of single selects that are said word for word beside a number of their kind, or their row."""
    rows = {value.row_id for value in kept}
    found: set[str] = set()
    for value in unlikely:
        row = schema.row(value.row_id)
        if row.value_type is not ValueType.SINGLE_SELECT or row.unit_of or row.id in rows | found:
            continue
        start, end = value.evidence.sentence_start, value.evidence.sentence_end
        sentence = text[start:end]
        said = said_options(row, sentence)
        if {name for name, _ in said} != {value.value} or any(analyse(sentence).is_denied(span) for _, span in said):
            continue
        place = start + said[0][1][0], start + said[0][1][1]
        if _goes_with_number(text, place[0], row, kept, schema) or _is_named(text, place, value.value, row, schema):
            found.add(row.id)
            yield value


def _goes_with_number(text: str, place: int, row: Row, kept: Sequence[FilledValue], schema: Schema) -> bool:
    """Whether the clause of an option has the number that its row qualifies."""
    start, end = phrase_around(text, (place, place))
    numbers = meaning_of(schema).of(row.id).measured_with
    return any(one.row_id in numbers for one in kept if start <= one.evidence.start < end)


def _is_named(text: str, place: Span, option: Value, row: Row, schema: Schema) -> bool:
    """Whether most of a name of the row is said beside its option, with two words that say what the row is about, and
    more of it than of any other row that has the option: the right leg is not meant by what is said of the left one."""
    said = said_beside(text, place)
    names = [stems(name) for name in (row.name, *row.synonyms)]
    named = max((share(words, said) for words in names if len((words - _COMMON) & said) > 1), default=0.0)
    return named >= _MOSTLY and not any(
        best_share((other.name, *other.synonyms), said) >= named
        for other in schema.rows
        if other is not row and any(one.name == option for one in other.options)
    )


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
