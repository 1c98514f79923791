"""Rule: a number that is said as an amount of something else than its row records is not charted.

"Fentanyl at 5 mL an hour" says no micrograms. The same amount over something else, units/h for units/kg/h, is lit.
"""

from __future__ import annotations

from collections.abc import Iterator

from extraction.filling.chart_units import OTHER_AMOUNT
from extraction.flowsheet.values import Proposals
from extraction.rules.changes import Change, hold_back


def other_amounts(proposals: Proposals) -> Iterator[Change]:
    """Holds back all such numbers, so that no other rule proposes them."""
    for value in (*proposals.values, *proposals.held_back):
        if any(one.code == OTHER_AMOUNT for one in value.findings):
            yield hold_back(value)
