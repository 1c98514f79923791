"""A transcript with parts left out or moved, in which every character knows where it was heard."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from extraction.language.spans import Span

# What stays behind where words were left out: doubled spaces and marks, and marks after a space.
_LEFTOVER = re.compile(
    r"[ \t]+(?=[ \t])|[ \t]+(?=[,;.!?](?:\s|$))|[,;](?=[ \t]*[,;.!?](?:\s|$))|(?<=[.!?])[,;.](?=\s|$)|^[\s,;.]+(?=\w)"
)


@dataclass(frozen=True, slots=True)
class EditedText:
    """A text made of the characters of a transcript; `places` says for each which one of the transcript it is."""

    text: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, transcript: str) -> EditedText:
        """The transcript as it is."""
        return cls(transcript, tuple(range(len(transcript))))

    def heard(self, start: int, end: int) -> Span:
        """The shortest stretch of the transcript that holds the characters [start, end), of which there is one."""
        places = self.places[start:end]
        return min(places), max(places) + 1

    def made_of(self, spans: Iterable[Span]) -> EditedText:
        """These stretches of the text, one after the other."""
        spans = list(spans)
        places = tuple(place for start, end in spans for place in self.places[start:end])
        return EditedText("".join(self.text[start:end] for start, end in spans), places)

    def without(self, *cuts: Span) -> EditedText:
        """The text without some stretches, which do not overlap, and without the marks that they leave behind."""
        kept, position = [], 0
        for start, end in sorted(cuts):
            kept.append((position, start))
            position = end
        return self.made_of([*kept, (position, len(self.text))]).tidied()

    def moved(self, what: Span, to: Span, cut: Span) -> EditedText:
        """The text with `what` in place of `to`, and without `cut`, which ends where `what` begins."""
        pieces = [(0, to[0]), what, (to[1], cut[0]), (what[1], len(self.text))]
        return self.made_of(pieces).tidied()

    def tidied(self) -> EditedText:
        """Without the marks and spaces that words which were left out had around them."""
        leftover = [match.span() for match in _LEFTOVER.finditer(self.text)]
        if not leftover:
            return self
        kept, position = [], 0
        for start, end in leftover:
            kept.append((position, start))
            position = end
        return self.made_of([*kept, (position, len(self.text))]).tidied()
