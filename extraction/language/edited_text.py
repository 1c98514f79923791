"""A transcript with parts removed or moved, in which every character keeps its original position."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from extraction.language.spans import Span

# Debris around removed words: doubled spaces and punctuation, and punctuation after a space.
_LEFTOVER = re.compile(
    r"[ \t]+(?=[ \t])|[ \t]+(?=[,;.!?](?:\s|$))|[,;](?=[ \t]*[,;.!?](?:\s|$))|(?<=[.!?])[,;.](?=\s|$)|^[\s,;.]+(?=\w)"
)


@dataclass(frozen=True, slots=True)
class EditedText:
    """An edited text; `places` holds the position in the transcript of each of its characters."""

    transcript: str
    text: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, transcript: str) -> EditedText:
        """The unedited transcript."""
        return cls(transcript, transcript, tuple(range(len(transcript))))

    def heard(self, start: int, end: int) -> Span:
        """The shortest span of the transcript that covers the non-empty characters [start, end) of the edited text."""
        places = self.places[start:end]
        return min(places), max(places) + 1

    def read(self, start: int, end: int) -> Span:
        """The inverse of `heard`: the characters of the edited text from the one heard at `start` to the last one
        before `end`. Both must be in the edited text.
        """
        first, last = self.places.index(start), self.places.index(end - 1)
        return min(first, last), max(first, last) + 1

    def keeps(self, start: int, end: int) -> bool:
        """Whether the first and the last character of [start, end) of the transcript are in the edited text."""
        return start in self.places and end - 1 in self.places

    def made_of(self, spans: Iterable[Span]) -> EditedText:
        """Concatenates spans of the text."""
        spans = list(spans)
        places = tuple(place for start, end in spans for place in self.places[start:end])
        return EditedText(self.transcript, "".join(self.text[start:end] for start, end in spans), places)

    def without(self, *cuts: Span) -> EditedText:
        """The text without the given spans, which must not overlap, and without the punctuation they leave behind."""
        kept, position = [], 0
        for start, end in sorted(cuts):
            kept.append((position, start))
            position = end
        return self.made_of([*kept, (position, len(self.text))]).tidied()

    def moved(self, what: Span, to: Span, cut: Span) -> EditedText:
        """The text with `what` moved over `to`, and without `cut`, which ends where `what` begins."""
        pieces = [(0, to[0]), what, (to[1], cut[0]), (what[1], len(self.text))]
        return self.made_of(pieces).tidied()

    def tidied(self) -> EditedText:
        """The text without the punctuation and spaces that surrounded removed words."""
        leftover = [match.span() for match in _LEFTOVER.finditer(self.text)]
        if not leftover:
            return self
        kept, position = [], 0
        for start, end in leftover:
            kept.append((position, start))
            position = end
        return self.made_of([*kept, (position, len(self.text))]).tidied()
