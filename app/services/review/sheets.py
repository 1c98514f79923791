"""The sheet of a dictation, with its lights and what the latest reviews show about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chart.sheet import Sheet
from app.lighting import lighting_of
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import AnyJob, Job
from app.services.review.jobs import REVIEW_MONITOR, SHEET
from app.services.review.sheet_loader import lit, read_sheet

if TYPE_CHECKING:
    from app.adaptation.review_monitor import RecentReviews


class SheetService:
    """Reads sheets. What the latest reviews show is computed ahead, so that no sheet has to wait for it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def load(self, dictation_id: int) -> Job[int, Sheet]:
        """Reads a dictation with its transcript and values, as a job."""

        def work(_: AnyJob) -> Sheet:
            import extraction.filling.spoken_value  # noqa: F401 - else the window waits for it at the first line

            return self.read(dictation_id)

        return self._workspace.sheets.submit(SHEET, dictation_id, work)

    def read(self, dictation_id: int) -> Sheet:
        """The same at once; call it on a thread that may wait. Raises InputError if there is no such dictation."""
        sheet = read_sheet(self._workspace.store, dictation_id, self._workspace.schema_of)
        return lit(sheet, self._workspace.settings, self._recent_reviews_of(sheet))

    def analyse_recent_reviews(self) -> Job[None, None]:
        """Analyses the latest reviews, if examples are collected."""
        return self._workspace.sheets.submit(REVIEW_MONITOR, None, lambda _: self._read_recent_reviews())

    def _read_recent_reviews(self) -> None:
        workspace = self._workspace
        if not (workspace.ready and workspace.collect):
            workspace.recent_reviews = None
            return
        from app.adaptation.review_monitor import analyse_recent_reviews

        chosen = lighting_of(workspace.settings, workspace.schema, workspace.model_ids())
        workspace.recent_reviews = analyse_recent_reviews(workspace.store, workspace.schema, chosen)

    def _recent_reviews_of(self, sheet: Sheet) -> RecentReviews | None:
        """What the latest reviews show about values with this sheet's signature; None if not known."""
        known = self._workspace.recent_reviews
        return known if known and known.weighed_by == sheet.run.weighed_by else None

    def drifted(self, sheet: Sheet) -> bool:
        """Whether the latest reviews contradict the promise for a sheet."""
        recent_reviews = self._recent_reviews_of(sheet)
        return recent_reviews is not None and recent_reviews.drifted
