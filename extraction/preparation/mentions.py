"""The values that a dictation says, each with what its surroundings make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.estimators.mention_reader import MentionReader, ReadMention
from extraction.language.spans import Span, overlap
from extraction.preparation.correctable_values import CorrectableValue, correctable_values


@dataclass(frozen=True, slots=True)
class Mention:
    """A number or pressure in the transcript, and what is said of it."""

    value: CorrectableValue
    read: ReadMention

    @property
    def span(self) -> Span:
        """Its characters, without its unit."""
        return self.value.start, self.value.number_end


def mentions(transcript: str, reader: MentionReader) -> tuple[Mention, ...]:
    """All of them in order."""
    values = correctable_values(transcript)
    read = reader.read(transcript, [(one.start, one.number_end) for one in values])
    return tuple(map(Mention, values, read))


def mention_at(found: Sequence[Mention], span: Span) -> Mention | None:
    """The first mention that shares a character with a span of the transcript."""
    return next((one for one in found if overlap(one.span, span)), None)
