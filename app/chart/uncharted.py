"""What was said and is in no value: whole sentences, what was set aside, and of sentences that have a value the clauses
with a number or a doubtful reading.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from app.record.run import SetAside
from app.record.values import Evidence
from extraction.flowsheet.schema import Row, Schema, ValueType, of_schema
from extraction.flowsheet.values import Value
from extraction.language.clauses import clause_of, clauses
from extraction.language.numbers import numbers, times
from extraction.language.sentences import Segment, sentence_cues
from extraction.language.spans import Span, overlap

# Between two numbers of one measurement, of which a value often quotes only the first: "6 out of 10", "142 over 78".
_SAME_MEASUREMENT = re.compile(r"\s*(?:out of|of|over|/)\s*", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([a-z]+)[\s-]*$", re.IGNORECASE)
_WORD = re.compile("[a-z]+", re.IGNORECASE)
_FRAGMENT = 2  # words at most
_SHORTEST = 3  # letters of a word that is no abbreviation
_LETTER = re.compile("[a-z]", re.IGNORECASE)
# "One" that stands for a thing: "the right one".
_STANDS_FOR = re.compile(r"\b(?:the|this|that|right|left|other|each|which|every|any|no)\s+one\b", re.IGNORECASE)
_NUMBERED = re.compile(r"([a-z]+) (\d+)\b", re.IGNORECASE)


def uncharted(
    text: str,
    sentences: Sequence[Segment],
    charted: Sequence[Span],
    aside: Sequence[SetAside],
    schema: Schema,
    doubtful: Sequence[Span] = (),
    counted: Sequence[Span] | None = None,
) -> tuple[Segment, ...]:
    """Sentences of a transcript without a value, and statements that were set aside. Of sentences with a value the
    clauses without one, if they hold a number or a doubtful reading. What matters most comes first, see `_rank`.

    Statements that were set aside are shown instead of the sentences that they contain.

    Args:
        sentences: those that can state something.
        charted: what values were read from: their words, their times, and what the speaker took back.
        aside: what was set aside on purpose.
        doubtful: what values were read from that are too doubtful to propose.
        counted: the numbers that values state, see `counted_in`; by default every number of what is charted.
    """
    with_value = _overlapped(sentences, charted)
    covered = with_value | _within(sentences, aside)
    left = [_with_reason(one, aside) for place, one in enumerate(sentences) if place not in covered]
    taken = [(one.start, one.end) for one in aside]
    valued = [sentences[place] for place in sorted(with_value)]
    known = [*(charted if counted is None else counted), *taken]
    lost = [part for one in valued for part in _lost_numbers(text, one, charted, known, schema)]
    shown = [*charted, *taken, *((one.start, one.end) for one in lost)]
    lost += _doubted(text, valued, shown, doubtful)
    # at the same rank, parts of sentences are most easily overlooked, and what was set aside was so for a reason
    kinds = enumerate((lost, left, _set_aside(left, aside)))
    found = [((_rank(text, one, schema, doubtful), kind, one.start), one) for kind, lines in kinds for one in lines]
    return tuple(one for _, one in sorted(found, key=lambda ranked: ranked[0]))


def _rank(text: str, line: Segment, schema: Schema, doubtful: Iterable[Span]) -> int:
    """Numbers first, then what Wardlight read something from or the schema has a word of, and fragments last."""
    said, span = text[line.start : line.end], (line.start, line.end)
    words = _WORD.findall(said)
    if any(numbers(said)):
        return 0
    if any(_key(word) in _clinical_words(schema) for word in words) or any(overlap(span, one) for one in doubtful):
        return 1
    return 2 if len(words) > _FRAGMENT else 3


def _key(word: str) -> str:
    """A word without the ending of the plural."""
    return word.casefold().removesuffix("s")


@of_schema
def _clinical_words(schema: Schema) -> frozenset[str]:
    """What rows and their options are called, word by word."""
    cues = sentence_cues()
    names = (name for row in schema.rows for name in (*row.names, *(form for one in row.options for form in one.forms)))
    words = {word for name in names for word in _WORD.findall(name) if len(word) >= _SHORTEST or word.isupper()}
    return frozenset(_key(word) for word in words if word.casefold() not in cues.empty | cues.common)


def counted_in(row: Row, value: Value, said: Evidence) -> list[Span]:
    """Where in the words that a value was read from it states a number: everywhere if it is a number or a text, else
    where its option has the number said, or where as many options are chosen ("oriented times four").
    """
    if not isinstance(value, bool | tuple) and row.value_type not in (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT):
        return [(said.start, said.end)]
    options = value if isinstance(value, tuple) else (str(value),)
    stated = {one.value for option in options for one in numbers(option)} | {float(len(options))}
    return [(said.start + one.start, said.start + one.end) for one in numbers(said.text) if one.value in stated]


def _overlapped(sentences: Sequence[Segment], spans: Iterable[Span]) -> set[int]:
    """Places of the sentences that share a character with a span."""
    found: set[int] = set()
    for start, end in spans:
        first = bisect_right(sentences, start, key=lambda sentence: sentence.end)
        found.update(range(first, bisect_left(sentences, end, key=lambda sentence: sentence.start)))
    return found


def _within(sentences: Sequence[Segment], aside: Iterable[SetAside]) -> set[int]:
    """Places of the sentences that a statement contains."""
    found: set[int] = set()
    for one in aside:
        first = bisect_left(sentences, one.start, key=lambda sentence: sentence.start)
        found.update(range(first, bisect_right(sentences, one.end, key=lambda sentence: sentence.end)))
    return found


def _with_reason(sentence: Segment, aside: Sequence[SetAside]) -> Segment:
    """A sentence with the reasons if something in it was set aside."""
    why = [one.why for one in aside if sentence.start <= one.start and one.end <= sentence.end]
    return replace(sentence, text=f"{sentence.text} ({'; '.join(dict.fromkeys(why))})") if why else sentence


def _set_aside(shown: Sequence[Segment], aside: Sequence[SetAside]) -> Iterator[Segment]:
    """What was set aside, except within sentences that are shown anyway."""
    for one in aside:
        if not any(sentence.start <= one.start and one.end <= sentence.end for sentence in shown):
            yield Segment(-1, one.start, one.end, f"{one.text} ({one.why})")


def _lost_numbers(
    text: str, sentence: Segment, charted: Sequence[Span], known: Sequence[Span], schema: Schema
) -> Iterator[Segment]:
    """The clauses of a sentence with a number that is not `known` to be in a value or set aside."""
    said = text[sentence.start : sentence.end]
    known = [*known, *((sentence.start + one.start, sentence.start + one.end) for one in times(said))]
    found: dict[Span, None] = {}
    for one in numbers(said):
        span = (sentence.start + one.start, sentence.start + one.end)
        if any(overlap(span, other) for other in known):
            continue
        same = any(end <= span[0] and _SAME_MEASUREMENT.fullmatch(text, end, span[0]) for _, end in charted)
        if any(overlap((one.start, one.end), match.span()) for match in _STANDS_FOR.finditer(said)):
            continue
        if not same and not _is_name(said[: one.start], one.value, schema):
            start, end = _told(said, one.start)
            found[(sentence.start + start, sentence.start + end)] = None
    for start, end in found:
        if any(other != (start, end) and other[0] <= start and end <= other[1] for other in found):
            continue
        yield _stripped(text, (start, end))


def _doubted(
    text: str, sentences: Iterable[Segment], shown: Iterable[Span], doubtful: Iterable[Span]
) -> Iterator[Segment]:
    """Runs of clauses that share words with what is doubtful and with nothing that is `shown` anyway."""
    parts = [
        Segment(place, one.start + start, one.start + end, text[one.start + start : one.start + end])
        for place, one in enumerate(sentences)
        for start, end in clauses(one.text)
        if one.text[start:end].strip()  # nothing stands between ", then"
    ]
    found = sorted(_overlapped(parts, doubtful) - _overlapped(parts, shown))
    for _, run in groupby(enumerate(found), key=lambda one: (parts[one[1]].index, one[1] - one[0])):
        places = [place for _, place in run]
        yield _stripped(text, (parts[places[0]].start, parts[places[-1]].end))


def _stripped(text: str, span: Span) -> Segment:
    """A part of a sentence, without the spaces around it."""
    words = text[slice(*span)].strip()
    start = text.index(words, span[0])
    return Segment(-1, start, start + len(words), words)


def _told(said: str, number: int) -> Span:
    """The clause of a sentence with the number at a position, and those before it as long as it has no words of its
    own: "biceps 3, 4".
    """
    start, end = clause_of(said, number)
    while start > 0 and not _LETTER.search(said, start, end):
        start = clause_of(said, max(start - 2, 0))[0]
    return start, end


def _is_name(before: str, value: float, schema: Schema) -> bool:
    """Whether a number is part of the name of a line or wound, such as 1 in "Wound 1"."""
    word = _WORD_BEFORE.search(before)
    return word is not None and (word[1].casefold(), f"{value:g}") in _numbered_names(schema)


@of_schema
def _numbered_names(schema: Schema) -> frozenset[tuple[str, str]]:
    return frozenset(
        (word.casefold(), number)
        for row in schema.rows
        for name in row.names
        for word, number in _NUMBERED.findall(name)
    )
