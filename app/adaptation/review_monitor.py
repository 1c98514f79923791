"""Monitors the lights in the latest reviews: whether the promise is kept, and what becomes of each row's proposals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.adaptation.recalibration import RECENT, drifted, samples_of
from app.adaptation.reviewed_cases import latest_reviewed
from app.chart.reviewer_tendencies import ReviewerTendency, tendencies_of
from app.lighting import Lighting
from app.store import Store
from extraction.flowsheet.schema import Schema


@dataclass(frozen=True, slots=True)
class RecentReviews:
    """What the latest reviewed dictations of one signature show.

    Attributes:
        weighed_by: the signature of their values.
        drifted: whether they contradict the promise.
        tendencies: by row id, what became of its proposals.
    """

    weighed_by: str
    drifted: bool
    tendencies: Mapping[str, ReviewerTendency]


def analyse_recent_reviews(store: Store, schema: Schema, lighting: Lighting) -> RecentReviews:
    """Analyses the latest fully reviewed dictations; reads no more dictations than it needs to find them."""
    latest = latest_reviewed(store, schema, lighting.weighed_by, RECENT)
    proposals = (value for one in latest for value in one.proposals)
    return RecentReviews(
        lighting.weighed_by, drifted(samples_of(reversed(latest)), lighting), tendencies_of(schema, proposals)
    )
