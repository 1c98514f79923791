"""A time of observation that was said."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from extraction.flowsheet.findings import Finding


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of observation, said in characters [start, end) of the transcript.

    Attributes:
        sentence: characters of the sentence it applies to.
        at: the minute, local time of the ward; None for the time of the dictation, or if no exact minute is given.
        since: the start of a period that ends at `at`.
        finding: why it is doubtful; None if it is not.
        planned: whether it belongs to something still to be done, so that no observation has this time.
        heads: whether it also applies to the sentences behind it that state no time, up to the next one that heads.
    """

    start: int
    end: int
    sentence: tuple[int, int]
    at: dt.datetime | None = None
    since: dt.datetime | None = None
    finding: Finding | None = None
    planned: bool = False
    heads: bool = False

    @property
    def is_vague(self) -> bool:
        """Whether no minute is given."""
        return self.at is None and self.since is None
