"""How often the filed dictations of a ward chart each row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Fewer dictations with a row than this may be chance: the ward does not chart it regularly.
_LEAST_SUPPORT = 3
# The ward counts for a patient's own assessments as much as so many of them.
_WARD_WEIGHT = 4


@dataclass(frozen=True, slots=True)
class ChartingHabits:
    """Counts over filed dictations of one flowsheet.

    Attributes:
        dictations: how many were counted.
        rows: by row id, how many of them chart it.
    """

    dictations: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)

    def share(self, row_id: str) -> float:
        """The share of the ward's dictations that chart a row; 0 if too few do to tell."""
        count = self.rows.get(row_id, 0)
        return count / self.dictations if count >= _LEAST_SUPPORT else 0.0

    def expected(self, row_id: str, *, charted: int, assessments: int) -> float:
        """How likely a patient's next assessment charts a row that `charted` of their earlier `assessments` have.

        Without earlier ones the ward's share; with each one, the patient's own counts more.
        """
        return (charted + _WARD_WEIGHT * self.share(row_id)) / (assessments + _WARD_WEIGHT)


NO_HABITS = ChartingHabits()
