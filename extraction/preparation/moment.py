"""A time of observation that was said."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from extraction.flowsheet.findings import Finding
from extraction.language.edited_text import EditedText
from extraction.language.spans import Span


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of observation, said in characters [start, end) of a text.

    Attributes:
        sentence: characters of the sentence it applies to.
        clause: characters of its own clause, where the sentence states several times.
        at: the minute, local time of the ward; None for the time of the dictation, or if no exact minute is given.
        since: the start of a period that ends at `at`.
        finding: why it is doubtful; None if it is not.
        planned: whether it belongs to something still to be done, so that no observation has this time.
        apart: whether it is said of its own clause alone, not of what stands before it in its sentence.
        told: where its sentence gives several readings of one measurement, those that were taken then.
        untold: the others of them that no time was said of.
        heads: whether it also applies to the sentences behind it that state no time, up to the next one that heads.
    """

    start: int
    end: int
    sentence: Span
    at: dt.datetime | None = None
    since: dt.datetime | None = None
    finding: Finding | None = None
    planned: bool = False
    heads: bool = False
    clause: Span = (0, 0)
    apart: bool = False
    told: tuple[Span, ...] = ()
    untold: tuple[Span, ...] = ()

    def heard(self, text: EditedText) -> Moment:
        """A moment of an edited text, in positions of its transcript."""
        start, end = text.heard(self.start, self.end)
        sentence, clause = text.heard(*self.sentence), text.heard(*self.clause)
        told, untold = (tuple(text.heard(*span) for span in spans) for spans in (self.told, self.untold))
        return replace(self, start=start, end=end, sentence=sentence, clause=clause, told=told, untold=untold)

    def shifted(self, by: int) -> Moment:
        """The same in a text that begins `by` characters earlier; sentence and clause are left to the caller."""
        told, untold = (tuple((start + by, end + by) for start, end in spans) for spans in (self.told, self.untold))
        return replace(self, start=self.start + by, end=self.end + by, told=told, untold=untold)

    @property
    def is_vague(self) -> bool:
        """Whether no minute is given."""
        return self.at is None and self.since is None
