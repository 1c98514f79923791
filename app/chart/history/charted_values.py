"""A value that stands in a patient's chart, without what it was read from."""

from __future__ import annotations

from dataclasses import dataclass

from app.chart.records import ReviewStatus
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.values import Value


@dataclass(frozen=True, slots=True)
class ChartedValue:
    """A value that a person accepted and no other one replaced.

    Attributes:
        value_id: id of the `ReviewedValue`.
        at: the minute at which it is charted, UTC: that of the observation, or of the dictation if no time was said.
        observed_at: as in `ReviewedValue`; None if no time was said.
        number, second_number: those of a number, or of a blood pressure, systolic first; None for anything else.
        code: the LOINC code of its row in the schema of its dictation; None without one.
        confirmed_outside: as in `ReviewedValue`.
        signer: who decided about it; `signed_at` says when.
        filed: whether its dictation is filed.
    """

    value_id: int
    patient_id: int
    encounter_id: int
    dictation_id: int
    row_id: str
    at: str
    observed_at: str | None
    value: Value
    number: float | None
    second_number: float | None
    unit: str | None
    code: str | None
    status: ReviewStatus
    confirmed_outside: Outside | None
    signer: str
    signed_at: str
    filed: bool
