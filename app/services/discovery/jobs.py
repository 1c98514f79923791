"""The jobs of looking for what has no row: their subjects and results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.services.discovery.decisions_file import Decisions
from app.services.engine.job_lanes import JobKind
from extraction.discovery.discover import Discovery, Unplaced
from extraction.flowsheet.schema import Schema


@dataclass(frozen=True, slots=True)
class Found:
    """What the stored dictations say that has no row, what was decided about it, and the schema it was found with."""

    discovery: Discovery
    decisions: Decisions
    schema: Schema

    @property
    def open(self) -> tuple[Unplaced, ...]:
        """Those about which nobody has decided, the one in most dictations first."""
        decided = {one.about for one in self.decisions.decided}
        return tuple(one for one in self.discovery.found if one.name not in decided)


DISCOVER = JobKind[None, Found]("discover", passing=True)  # nothing of it is kept
DECIDE = JobKind[str, Decisions]("decide about what has no row")  # what it is called
UNDO_DECISION = JobKind[None, Decisions]("undo decision about what has no row")
SAVE_PROPOSED_SCHEMA = JobKind[Path, Path]("save proposed schema")  # the file
