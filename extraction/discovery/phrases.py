"""The phrases of a dictation that may say something of the patient, each a piece of a sentence.

Left out are talk, orders, plans, the past and other people, words about who the patient is, and what is said twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from extraction.flowsheet.schema import Schema
from extraction.language.analysis import analyse
from extraction.language.clauses import clauses
from extraction.language.negation import denials
from extraction.language.numbers import numbers, times
from extraction.language.quantities import whole_unit
from extraction.language.sentences import sentence_cues
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.spoken_units import spoken_units
from extraction.preparation.people.named_patients import named_patients
from extraction.preparation.people.other_patients import NOBODY, Person
from extraction.preparation.prepared_transcript import PreparedTranscript

NUMBER = "#"
_WORD = re.compile(r"[a-z][a-z'’-]*", re.IGNORECASE)
_FEWEST = 2  # words of a phrase that stands alone; a shorter one belongs to the phrase before it
_MOST = 16  # words; a longer one is a story
_SPACE = re.compile(r"\s+")
_MARKS = " \n\t,;:.!?-–—"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Characters [start, end) of a dictation.

    Attributes:
        sentence: the span of the sentence that it is a piece of.
        words: as compared with others: in lower case, each number as `NUMBER`.
        number: whether it states one.
        unit: of its first number; empty if none is said.
        denied: whether it denies something.
    """

    start: int
    end: int
    sentence: Span
    words: str
    number: bool = False
    unit: str = ""
    denied: bool = False

    @property
    def span(self) -> Span:
        return self.start, self.end


def phrases(text: str, schema: Schema, person: Person = NOBODY, ward: Collection[Person] = ()) -> tuple[Phrase, ...]:
    """The phrases of a dictation in order; of phrases with the same words the first.

    Args:
        person, ward: whose dictation it is and who else is present, as far as that is known.
    """
    prepared = PreparedTranscript.of(text, schema, person, ward)
    aside = [(one.start, one.end) for one in prepared.set_aside]
    aside += [(one.start, one.end) for one in analyse(text).scopes if not one.status.is_doubt]
    aside += [(one.start, one.end) for one in prepared.strangers]
    aside += [
        (sentence.start + one.start, sentence.start + one.end)
        for sentence in analyse(text).sentences
        for one in named_patients(sentence.text, ward)
    ]
    found: dict[str, Phrase] = {}
    for sentence in analyse(text).sentences:
        denied = [(sentence.start + start, sentence.start + end) for start, end in denials(sentence.text)]
        for start, end in _pieces(text, (sentence.start, sentence.end)):
            if any(overlap((start, end), one) for one in aside):
                continue
            piece = _phrase(text, (start, end), (sentence.start, sentence.end), denied)
            if _FEWEST <= len(piece.words.split()) <= _MOST:
                found.setdefault(piece.words, piece)
    return tuple(found.values())


def _pieces(text: str, sentence: Span) -> Iterator[Span]:
    """The clauses of a sentence; one without a subject, or of one word, goes with the clause before it."""
    kept: list[Span] = []
    bare: Span | None = None  # what stands before the first clause with a subject
    for start, end in clauses(text[slice(*sentence)]):
        span = _trimmed(text, (sentence[0] + start, sentence[0] + end))
        said = text[slice(*span)]
        if span[0] == span[1]:
            continue
        if subject_words(masked(said)) and (len(said.split()) > 1 or not kept):
            kept.append((bare[0] if bare else span[0], span[1]))
            bare = None
        elif kept:
            kept[-1] = (kept[-1][0], span[1])
        elif any(numbers(said)):
            bare = bare or span
    yield from kept


def subject_words(text: str) -> list[str]:
    """The words of a text that say what it is about, in lower case: no numbers, units, talk or words of degree."""
    cues, units = sentence_cues(), spoken_units().said
    words = (word.casefold() for word in _WORD.findall(text))
    return [word for word in words if word not in cues.empty | cues.common | cues.light and word not in units]


def _phrase(text: str, span: Span, sentence: Span, denied: Sequence[Span]) -> Phrase:
    said = text[slice(*span)]
    clock = [(one.start, one.end) for one in times(said)]
    stated = [one for one in numbers(said) if not any(overlap((one.start, one.end), it) for it in clock)]
    unit = next((found for one in stated if (found := whole_unit(said, one.end)[0])), "")
    words = _SPACE.sub(" ", masked(said)).strip(_MARKS).casefold()
    return Phrase(*span, sentence, words, bool(stated), unit, any(overlap(span, one) for one in denied))


def masked(text: str) -> str:
    """A text with `NUMBER` in place of each number and time of day."""
    parts, last = [], 0
    for start, end in sorted((one.start, one.end) for found in (times(text), numbers(text)) for one in found):
        if start >= last:
            parts += [text[last:start], NUMBER]
            last = end
    return "".join((*parts, text[last:]))


def _trimmed(text: str, span: Span) -> Span:
    words = text[slice(*span)]
    start = span[0] + len(words) - len(words.lstrip(_MARKS))
    return start, max(start, span[0] + len(words.rstrip(_MARKS)))
