"""Values of two rows that cannot both be so, as the schema declares it: no pain and a pain score of 4."""

from __future__ import annotations

from extraction.flowsheet.schema import Contradiction, Row
from extraction.flowsheet.values import Value


def contradict(row: Row, value: Value, other_id: str, other: Value) -> bool:
    """Whether a row's value contradicts that of another row at the same time; what the other row declares is left out.

    No row contradicts itself.
    """
    return any(other_id in rule.row_ids and _holds(rule, value) and _excludes(rule, other) for rule in row.contradicts)


def _holds(rule: Contradiction, value: Value) -> bool:
    return rule.value in value if isinstance(value, tuple) else rule.value == value


def _excludes(rule: Contradiction, other: Value) -> bool:
    if rule.above is not None:
        return isinstance(other, float) and other > rule.above
    return any(one not in rule.other_than for one in (other if isinstance(other, tuple) else (other,)))
