"""What the reading of a question knows of a ward: who lies where, what time it is, and since when there are notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time


@dataclass(frozen=True, slots=True)
class WardPatient:
    """A patient whom questions can name.

    Attributes:
        bed: as it is written, such as "13" or "B4"; None without one.
        mrn: the record number; None without one.
    """

    id: int
    name: str
    bed: str | None = None
    mrn: str | None = None


@dataclass(frozen=True, slots=True)
class WardFacts:
    """The ward at the time of a question, by its own clock (naive local times, as in `ReviewedValue.observed_at`).

    Attributes:
        now: when the question is asked.
        first_note: the time of the first charted value; None if nothing is charted.
        shift_starts: times of day at which shifts begin, earliest first; for "this shift".
    """

    patients: tuple[WardPatient, ...]
    now: datetime
    first_note: datetime | None = None
    shift_starts: tuple[time, ...] = (time(7), time(19))
