"""A handover as values: what stands on the page of one patient. Nothing is in it that nobody confirmed or wrote."""

from __future__ import annotations

from dataclasses import dataclass

from app.chart.handover.entries import SEVERITY, HandoverEntry
from app.chart.handover.layout import HandoverSection, SectionKind
from app.chart.records import Patient, ReviewedValue
from extraction.flowsheet.schema import Row


@dataclass(frozen=True, slots=True)
class HandoverCell:
    """A confirmed value.

    Attributes:
        at: when it was observed, UTC to the minute.
        source: name of the dictation.
        flagged: why it was flagged when it was confirmed; empty if it was not.
        direction: of the numbers of this row, see `app.chart.trends.direction`; empty for fewer than two.
        before: number of earlier values that the direction is of.
    """

    row: Row
    value: ReviewedValue
    at: str
    source: str
    flagged: tuple[str, ...] = ()
    direction: str = ""
    before: int = 0


@dataclass(frozen=True, slots=True)
class HandoverGap:
    """A row that is usually charted and was not for a while.

    Attributes:
        last: its last value; None if the stay has none.
        hours: since then, or since the stay began.
    """

    row: Row
    last: HandoverCell | None
    hours: int


@dataclass(frozen=True, slots=True)
class HandoverBalance:
    """Volumes in mL that are charted from one moment to another, by the ward's clock; None where none is charted."""

    start: str
    end: str
    intake: float | None
    output: float | None
    uncounted: int

    @property
    def net(self) -> float | None:
        return None if self.intake is None or self.output is None else self.intake - self.output


@dataclass(frozen=True, slots=True)
class HandoverPart:
    """A section with what is in it."""

    section: HandoverSection
    cells: tuple[HandoverCell, ...] = ()
    entry: HandoverEntry | None = None
    balance: HandoverBalance | None = None
    gaps: tuple[HandoverGap, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.cells or self.entry or self.balance or self.gaps)


@dataclass(frozen=True, slots=True)
class Handover:
    """A page.

    Attributes:
        layout: its name.
        encounter_id: the stay; 0 if nothing was dictated in it.
        since: when the stay began, UTC; empty without one.
        prepared_at: UTC.
        older: number of confirmed values that are too old for the page.
        unreviewed: number of dictations of the stay with proposals that nobody decided about, which are not in it.
    """

    patient: Patient
    layout: str
    encounter_id: int
    since: str
    prepared_at: str
    parts: tuple[HandoverPart, ...]
    older: int = 0
    unreviewed: int = 0

    @property
    def cells(self) -> tuple[HandoverCell, ...]:
        return tuple(cell for part in self.parts for cell in part.cells)

    @property
    def dictations(self) -> int:
        return len({cell.value.dictation_id for cell in self.cells})

    @property
    def flagged(self) -> int:
        return sum(bool(cell.flagged) for cell in self.cells)

    @property
    def severity(self) -> str:
        """As chosen; empty if it was not."""
        return self.written(SEVERITY)

    def written(self, part: str) -> str:
        """What stands written in a part; empty if nothing does."""
        for one in self.parts:
            own = SEVERITY if one.section.kind is SectionKind.SEVERITY else one.section.part
            if own == part and one.entry:
                return one.entry.content
        return ""

    @property
    def gaps(self) -> tuple[HandoverGap, ...]:
        return tuple(gap for part in self.parts for gap in part.gaps)

    @property
    def balance(self) -> HandoverBalance | None:
        return next((part.balance for part in self.parts if part.balance), None)
