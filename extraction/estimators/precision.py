"""How often a rule is right, from the values that it wrote."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Of a rule whose precision was not measured: as likely right as wrong.
UNMEASURED = 0.5
# How often each rule is right, by its id, 0 to 1; and how many of the values that it wrote were right, and wrong.
Precisions = Mapping[str, float]
Counts = Mapping[str, tuple[int, int]]
NOT_MEASURED: Precisions = MappingProxyType({})


def measured(counts: Counts) -> Precisions:
    """How often each rule is right, from how many of the values that it wrote were right and wrong: the mean of what
    may be true of it when nothing was known before (Laplace's rule of succession), so that few cases prove little."""
    return {rule: (right + 1) / (right + wrong + 2) for rule, (right, wrong) in counts.items()}
