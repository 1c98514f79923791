"""Scores and balances of a dictation, computed from its values and never stored, because they change with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.chart.records import ACCEPTED, ReviewedValue, ReviewStatus
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.formulas import Computed, Item, compute
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.validation import display

Score = Computed[ReviewedValue]


def scores_of(values: Iterable[ReviewedValue], schema: Schema) -> tuple[Score, ...]:
    """Scores computed from current values; rejected and replaced values are ignored."""
    parts = [value for value in values if value.status is not ReviewStatus.REJECTED and value.replaced_by is None]
    return compute(schema, parts)


def is_confirmed(score: Score) -> bool:
    """Whether a person has accepted every part; only then may the score be exported."""
    return score.value is not None and all(part.status in ACCEPTED for part in score.parts)


def differences(scores: Iterable[Score]) -> dict[int, Finding]:
    """By id of a value that was said or entered but differs from its formula's result, the finding."""
    return {value.id: difference(score) for score in scores for value in score.differing}


def difference(score: Computed[Item]) -> Finding:
    """The finding that values of a row differ from the result of its formula."""
    said = ", ".join(display(score.row, value.value) for value in score.differing)
    return Finding("other_total", (f"{score.value:g}", said, score.steps))


def doubted(values: Sequence[Item], schema: Schema) -> tuple[Item, ...]:
    """Values of computed rows that differ from the result of their formula."""
    return tuple(value for score in compute(schema, values) for value in score.differing)


def state(score: Score) -> str:
    """What a score is based on, in words."""
    if score.value is None:
        return f"needs: {', '.join(score.missing)}" if score.missing else "no result"
    if is_confirmed(score):
        return "from confirmed values"
    return "provisional until confirmed"


def arithmetic(score: Computed[Item]) -> str:
    """The result with its unit; a dash if there is no result."""
    return "–" if score.value is None else f"{score.value:g} {unit_words(score.row.unit)}".strip()
