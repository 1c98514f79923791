"""Why proposals are lit for the nurse, in plain words. `app.lighting` decides which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.reviewer_tendencies import NO_TENDENCIES, ReviewerTendency
from app.record.values import ProposedValue
from extraction.flowsheet.findings import Finding, quote
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.validation import display
from extraction.language.spans import overlap

# Thresholds for naming a doubt, 0 to 1: a layer's distance from the mean of all layers; probability of the best
# alternative relative to the proposal; probability that the row was not mentioned; similarity of row and sentence.
_DISAGREEMENT = 0.2
_TIE = 0.5
_UNMENTIONED = 0.5
_UNCLEAR = 0.35


class LitBy(StrEnum):
    """What decides which proposals are lit: this hospital's calibration, the shipped one, or confidence alone."""

    OWN = "own"
    SHIPPED = "shipped"
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True)
class LightsBasis:
    """What the lights of a dictation are based on.

    Attributes:
        alpha, weight, threshold: see `app.lighting.Lighting`.
    """

    by: LitBy
    alpha: float
    weight: float
    threshold: float


def of_same_words(value: ReviewedValue, among: Iterable[ReviewedValue]) -> tuple[ReviewedValue, ...]:
    """Other values read from the same words as a value, or read as the same from overlapping words."""
    return tuple(one for one in among if one.id != value.id and _is_of_same_words(value, one))


def _is_of_same_words(value: ReviewedValue, other: ReviewedValue) -> bool:
    one, its = value.filled, other.filled
    if one is None or its is None or value.transcript_id != other.transcript_id:
        return False
    said, also = (one.evidence.start, one.evidence.end), (its.evidence.start, its.evidence.end)
    return said == also or (one.value == its.value and overlap(said, also))


def is_disputed(value: ReviewedValue) -> bool:
    """Whether a person rejected a value, or put another one in its place."""
    return value.status is ReviewStatus.REJECTED or value.corrected is not None


def disputed_beside(values: Sequence[ReviewedValue], schema: Schema) -> dict[int, Finding]:
    """By id of a value, what a person disputed that was read from the same words: both may be wrong for one reason."""
    disputed = [value for value in values if is_disputed(value)]
    return {
        value.id: Finding("disputed", (" and ".join(_disputed_words(schema.row(one.row_id), one) for one in others),))
        for value in values
        if (others := of_same_words(value, disputed))
    }


def accepted_beside(before: Sequence[ReviewedValue], now: Sequence[ReviewedValue]) -> tuple[int, int] | None:
    """The ids of a value that a step of review disputed, and of one read from the same words that stands unchanged."""
    former = {value.id for value in before if is_disputed(value)}
    standing = [value for value in now if value.stands and value.corrected is None]
    for value in now:
        if is_disputed(value) and value.id not in former and (others := of_same_words(value, standing)):
            return value.id, others[0].id
    return None


def _disputed_words(row: Row, value: ReviewedValue) -> str:
    corrected = value.status is not ReviewStatus.REJECTED
    return f"{row.name}, which was {f'corrected to {display(row, value.value)}' if corrected else 'rejected'}"


def reasons(
    row: Row, value: ProposedValue, tendencies: Mapping[str, ReviewerTendency] = NO_TENDENCIES
) -> tuple[Finding, ...]:
    """Why a proposal is doubtful: what flags it, the models' doubts, and what reviewers usually do. Never empty."""
    found = list(value.lighting)
    # if an alternative is likelier, a rule set this value, and its flag names the alternative
    if value.alternatives and _TIE * value.confidence <= value.alternatives[0][1] <= value.confidence:
        found.append(Finding("near_tie", (display(row, value.value), value.alternatives[0][0])))
    if value.not_mentioned >= _UNMENTIONED:
        found.append(Finding("maybe_not_said"))
    if value.relevance < _UNCLEAR:
        found.append(Finding("no_clear_mention"))
    if value.errors and max(value.errors) - sum(value.errors) / len(value.errors) >= _DISAGREEMENT:
        found.append(Finding("layers_disagree"))
    tendency = tendencies.get(row.id)
    if tendency and (usually := tendency.reason(row, value.value)):
        found.append(usually)
    return tuple(found or [_what_to_check(row, value)])


def _what_to_check(row: Row, value: ProposedValue) -> Finding:
    """What may be wrong with a value that nothing else is known against: its row, or what was heard for it."""
    heard = quote(value.evidence.text)
    said = value.evidence.text.casefold()
    chosen = set(value.value) if isinstance(value.value, tuple) else {value.value}
    forms = (option.forms for option in row.options if option.name in chosen)
    if row.options and not all(any(form.casefold() in said for form in one) for one in forms):
        return Finding("may_not_mean", (heard, display(row, value.value)))
    return Finding("may_not_belong", (heard,))
