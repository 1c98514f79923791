"""Lights a value if its deciding words may have been misheard; the last step of a run, in the program's own process.

It is no rule of `extraction.rules.engine`: rules run with the models, again and again while a dictation grows, and this
needs how each word of the whole recording was heard, which is known at the end (`app.pipeline`). It changes no value;
its findings are signed `hearing`.

The language model is sure of "hyperactive" whether or not the nurse said it: it only sees what the speech model wrote.
So this step checks how the deciding words of a value were heard. A value is lit if:

- a similar-sounding word would give another value of the same row ("hypoactive"; 50 for 15, inside the plausible range;
  "now" for "no"), and the word was not heard clearly enough to rule that out. Such pairs are in
  `extraction.language.vocabulary.confusable_words`, and options of one row that sound nearly alike count too;
- a deciding word was heard unclearly, with or without such a pair.

A typed text has no such doubts.

The bounds were measured: recordings of six texts and of 85 sentences, with and without noise, were transcribed by
Whisper base and compared word by word with what was said. Of the words with hypo- and hyper-, 24 of 54 were the wrong
one, and as probable (median 0.86) as the right ones (0.88): no bound separates them. Of the words transcribed as their
counterpart in another pair, 17 of 22 were below 0.9, as were 24 of 28 wrong -teen and -ty numbers, and 21 % of the
right words in such a pair. Below 0.4 were 2 % of the right words of clear recordings (5 % in noise), and 7 % of the
wrong ones (33 %). Left and right were never confused in 82 cases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.flowsheet.findings import Finding, of_rule
from extraction.flowsheet.schema import SAID_TYPES, SELECT_TYPES, TIME_TYPES, Option, Row, Schema, ValueType
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.clauses import phrase_around
from extraction.language.negation import negation_cues
from extraction.language.numbers import numbers
from extraction.language.vocabulary.confusable_words import Care, Confusable, confusable
from extraction.language.vocabulary.words import stem, stems
from extraction.preparation.exception_statements import STRATEGY as BY_DEFINITION
from models.base.phonetics import sounds_like

# The probability from which a word counts as heard clearly: for one in a confusable pair, for one whose option sounds
# nearly like another, and for any other.
_CLEAR = 0.9
_SOUNDS_CLEAR = 0.8
_NOT_UNCLEAR = 0.4
_MINUTES = 60
_RULE = "hearing"
_BOUNDS = {Care.ALWAYS: 1.1, Care.UNLESS_CLEAR: _CLEAR, Care.IF_UNCLEAR: _NOT_UNCLEAR}
_EDGES = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """Characters [start, end) of the transcript, and the speech model's probability for them, 0 to 1."""

    start: int
    end: int
    text: str
    probability: float

    @property
    def plain(self) -> str:
        """In lower case and without surrounding punctuation."""
        return _EDGES.sub("", self.text.lower().replace("’", "'"))


def with_doubts_of_hearing(
    transcript: str, words: Sequence[SpokenWord], schema: Schema, proposals: Proposals
) -> Proposals:
    """Adds a finding to each value whose deciding words may have been misheard; `words` is empty for a typed text."""
    if not words:
        return proposals
    twins = confusable(schema.language or "en")
    values = []
    for value in proposals.values:
        doubt = next(_doubts(transcript, words, schema.row(value.row_id), value, twins), None)
        found = of_rule((doubt,) if doubt else (), _RULE)
        values.append(replace(value, findings=(*value.findings, *found)) if found else value)
    return replace(proposals, values=tuple(values))


def _doubts(
    transcript: str, words: Sequence[SpokenWord], row: Row, value: FilledValue, twins: Confusable
) -> Iterator[Finding]:
    """Why the words of a value may have been misheard, most important first."""
    said = value.evidence
    inside = _within(words, said.start, said.end)
    if value.strategy == BY_DEFINITION or value.neighbour.kind == "unit" or not inside:
        return
    if row.value_type in SAID_TYPES or row.value_type in TIME_TYPES:
        yield from _number_doubts(transcript, row, value, inside, twins)
        return
    around = _within(words, *_clause(transcript, value))
    if row.value_type in SELECT_TYPES:
        yield from _option_doubts(row, value, inside, around, twins)
    if row.value_type is ValueType.YES_NO:
        yield from _name_doubts(row, around, twins)
    if row.value_type is not ValueType.TEXT:
        yield from _negation_doubts(row, value, around, twins)
    yield from _unclear_word_doubts(row, value, inside)


def _within(words: Sequence[SpokenWord], start: int, end: int) -> list[SpokenWord]:
    return [word for word in words if word.start < end and start < word.end]


def _clause(transcript: str, value: FilledValue) -> tuple[int, int]:
    said = value.evidence
    start, end = phrase_around(transcript, (said.start, said.end))
    return max(start, said.sentence_start), min(end, max(said.sentence_end, said.end))


def _unclear(word: SpokenWord) -> Finding:
    return Finding("heard_unclearly", (word.plain,))


def _heard_as(word: str, twin: str) -> Finding:
    return Finding("heard_as", (word, twin))


# numbers


def _number_doubts(
    transcript: str, row: Row, value: FilledValue, inside: Sequence[SpokenWord], twins: Confusable
) -> Iterator[Finding]:
    start, end = value.evidence.start, value.evidence.end
    spans = [(start + one.start, start + one.end, one.value) for one in numbers(transcript[start:end])]
    for begin, stop, number in spans:
        sure = min((word.probability for word in _within(inside, begin, stop)), default=1.0)
        twin = _similar_time(row, value, twins) or _similar_number(row, value, number, twins)
        if twin and sure < _CLEAR:
            yield _heard_as(transcript[begin:stop], twin)
    for begin, stop, _ in spans or [(start, end, 0.0)]:
        for word in _within(inside, begin, stop):
            if word.probability < _NOT_UNCLEAR:
                yield _unclear(word)


def _similar_time(row: Row, value: FilledValue, twins: Confusable) -> str | None:
    """The time that sounds like this one: 06:15 and 06:50."""
    if row.value_type not in TIME_TYPES or row.value_type is ValueType.DATE:
        return None
    clock = str(value.value)[-5:]
    minute = twins.numbers.get(int(clock[3:]))
    return f"{clock[:3]}{minute}" if minute is not None and minute < _MINUTES else None


def _similar_number(row: Row, value: FilledValue, number: float, twins: Confusable) -> str | None:
    """The number that sounds like this one, if it is possible for the row in its own unit."""
    twin = twins.number_like(number)
    if twin is None or row.value_type in TIME_TYPES:
        return None
    in_unit = twin
    if isinstance(value.value, float) and value.value != number:
        if not number or row.dimension == "temperature":
            return None  # in another unit, the similar-sounding number is never a possible temperature
        in_unit = twin * value.value / number
    possible = (row.minimum is None or row.minimum <= in_unit) and (row.maximum is None or in_unit <= row.maximum)
    return f"{twin:g}" if possible else None


# options


def _option_doubts(
    row: Row, value: FilledValue, inside: Sequence[SpokenWord], around: Sequence[SpokenWord], twins: Confusable
) -> Iterator[Finding]:
    chosen = value.value if isinstance(value.value, tuple) else (str(value.value),)
    own = [option for option in row.options if option.name in chosen]
    others = [option for option in row.options if option.name not in chosen]
    for option in own:
        for mine, theirs, bound in sorted(_confusable_words(option, others, twins), key=lambda one: -one[2]):
            for near in (inside, around):
                heard = _which_was_heard(near, mine, theirs)
                if heard is not None:
                    word, probability = heard
                    if probability < bound:
                        yield _heard_as(word, mine if word == theirs else theirs)
                    break


def _confusable_words(option: Option, others: Sequence[Option], twins: Confusable) -> Iterator[tuple[str, str, float]]:
    """Words that alone distinguish an option from another and sound like the other's word.

    Each with its counterpart and the probability below which it is doubted.
    """
    for name in (option.name, *option.synonyms):
        mine = _words(name)
        for other in others:
            for other_name in (other.name, *other.synonyms):
                theirs = _words(other_name)
                only, instead = mine - theirs, theirs - mine
                if len(only) != 1 or len(instead) != 1:
                    continue
                one, two = next(iter(only)), next(iter(instead))
                if care := twins.between(one, two):
                    yield one, two, _BOUNDS[care]
                elif stem(one) != stem(two) and sounds_like(one, two):
                    yield one, two, _SOUNDS_CLEAR


def _words(name: str) -> frozenset[str]:
    return frozenset(filter(None, (_EDGES.sub("", word) for word in name.lower().replace("’", "'").split())))


def _which_was_heard(words: Sequence[SpokenWord], mine: str, theirs: str) -> tuple[str, float] | None:
    """Which of two words was heard, possibly in two pieces ("hypo active"), and its probability."""
    plain = [word.plain for word in words]
    for wanted in (mine, theirs):
        flat = wanted.replace("-", "")
        for place, word in enumerate(plain):
            if word.replace("-", "") == flat:
                return wanted, words[place].probability
            if place + 1 < len(plain) and word.replace("-", "") + plain[place + 1] == flat:
                return wanted, min(words[place].probability, words[place + 1].probability)
    return None


def _name_doubts(row: Row, around: Sequence[SpokenWord], twins: Confusable) -> Iterator[Finding]:
    """A finding whose own name has a counterpart that is always doubted: "hypotension"."""
    named = frozenset[str]().union(*map(_words, (row.name, *row.synonyms)))
    for word in around:
        for first, second, care in twins.prefixes:
            for a, b in ((first, second), (second, first)):
                if care is Care.ALWAYS and word.plain in named and word.plain.startswith(a):
                    yield _heard_as(word.plain, b + word.plain.removeprefix(a))
        for twin, care in twins.twins_of(word.plain):
            if care is Care.ALWAYS and word.plain in named:
                yield _heard_as(word.plain, twin)


# yes and no


def _negation_doubts(
    row: Row, value: FilledValue, around: Sequence[SpokenWord], twins: Confusable
) -> Iterator[Finding]:
    """A value that a single word reverses: "no" for "now", "is" for "isn't"."""
    cues = negation_cues()
    negative = value.value is False or str(value.value).casefold() in cues.options
    if row.value_type is not ValueType.YES_NO and not negative:
        return
    for word in around:
        negates = cues.heard.fullmatch(word.plain) is not None
        for twin, care in twins.twins_of(word.plain):
            turned = (cues.heard.fullmatch(twin) is not None) != negates
            if negates == negative and turned and word.probability < _BOUNDS[care]:
                yield _heard_as(word.plain, twin)


# any value


def _unclear_word_doubts(row: Row, value: FilledValue, inside: Sequence[SpokenWord]) -> Iterator[Finding]:
    """An unclearly heard word of the chosen value."""
    chosen = value.value if isinstance(value.value, tuple) else (str(value.value),)
    names = [name for one in row.options if one.name in chosen for name in (one.name, *one.synonyms)]
    if row.value_type is ValueType.YES_NO:
        names = [row.name, *row.synonyms]
    deciding = frozenset[str]().union(*map(stems, names))
    for word in inside:
        if word.probability < _NOT_UNCLEAR and stems(word.plain) & deciding:
            yield _unclear(word)
