"""How often a rule is right, from the values that it wrote."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Assumed precision of an unmeasured rule: as likely right as wrong.
UNMEASURED = 0.5
# By rule id: how often the rule is right, 0 to 1; and how many of the values it wrote were right and wrong.
Precisions = Mapping[str, float]
Counts = Mapping[str, tuple[int, int]]
NOT_MEASURED: Precisions = MappingProxyType({})


def measured(counts: Counts) -> Precisions:
    """The precision of each rule, from how many of its values were right and wrong.

    Laplace's rule of succession: the mean under a uniform prior, so that few cases prove little.
    """
    return {rule: (right + 1) / (right + wrong + 2) for rule, (right, wrong) in counts.items()}
