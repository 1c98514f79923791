"""What reviewers usually do with a row's proposals, as a reason to check the next one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.chart.records import ReviewedValue, ReviewStatus
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import NotObtained, Value

_FEWEST = 4
# Only values chosen from a list are named again: a number, a time or a text belongs to one patient.
_CHOSEN = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.YES_NO)


@dataclass(frozen=True, slots=True)
class ReviewerTendency:
    """What became of the latest proposals of a row.

    Attributes:
        accepted: how many were confirmed unchanged.
        rejected, changed: how many were not.
        usual: the value most often entered instead, `put` times; None if none can be named.
    """

    accepted: int = 0
    rejected: int = 0
    changed: int = 0
    usual: Value | None = None
    put: int = 0

    def reason(self, row: Row, value: Value) -> Finding | None:
        """The finding against a proposed value; None if there is none, or too few proposals are known."""
        refused = self.rejected + self.changed
        known = self.accepted + refused
        if known < _FEWEST or 2 * refused < known:
            return None
        if self.usual is not None and 2 * self.put >= known:
            if self.usual == value:
                return None
            return Finding("usually_entered", (display(row, self.usual), str(self.put), str(known)))
        did = "changed" if not self.rejected else "rejected or changed" if self.changed else "rejected"
        return Finding("usually_refused", (did, str(refused), str(known)))


NO_TENDENCIES: Mapping[str, ReviewerTendency] = {}


def tendencies_of(schema: Schema, proposals: Iterable[ReviewedValue]) -> dict[str, ReviewerTendency]:
    """By row id, what became of proposals, all of them decided."""
    became: defaultdict[str, Counter[ReviewStatus]] = defaultdict(Counter)
    instead: defaultdict[str, Counter[Value]] = defaultdict(Counter)
    for value in proposals:
        became[value.row_id][value.status] += 1
        chosen = schema.row(value.row_id).value_type in _CHOSEN and not isinstance(value.value, NotObtained)
        if value.status is ReviewStatus.EDITED and chosen:
            instead[value.row_id][value.value] += 1
    return {row_id: _habit(statuses, instead[row_id]) for row_id, statuses in became.items()}


def _habit(became: Counter[ReviewStatus], instead: Counter[Value]) -> ReviewerTendency:
    usual, put = instead.most_common(1)[0] if instead else (None, 0)
    return ReviewerTendency(
        became[ReviewStatus.CONFIRMED], became[ReviewStatus.REJECTED], became[ReviewStatus.EDITED], usual, put
    )
