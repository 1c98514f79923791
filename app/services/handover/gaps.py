"""Rows that a dictation lacks: dismissed and restored by a person. `app.chart.gaps` says which they are."""

from __future__ import annotations

from app.chart.gaps.gaps import Gap, gaps_of
from app.chart.sheet import Sheet
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import Job
from app.services.handover.jobs import DISMISS, GAPS


class GapService:
    """Submits what a person says about rows that a dictation lacks. Each call is a job."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def now(self) -> str:
        """The present time by the store's clock, UTC in ISO 8601."""
        return self._workspace.store.now().isoformat()

    def find(self, sheet: Sheet) -> Job[int, tuple[Gap, ...]]:
        """The rows that a sheet lacks, see `gaps_of`; it takes a while for a long dictation."""
        return self._workspace.sheets.submit(GAPS, sheet.dictation.id, lambda _: gaps_of(sheet))

    def dismiss(self, sheet: Sheet, row_id: str) -> Job[int, tuple[str, ...]]:
        """Offers a row no more for this dictation. Raises NotSigned; the job fails if the dictation is filed."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            DISMISS, dictation_id, lambda _: self._workspace.store.gaps.dismiss(dictation_id, row_id, signed)
        )

    def restore(self, sheet: Sheet, row_id: str) -> Job[int, tuple[str, ...]]:
        """Takes the dismissal of a row back. As `dismiss`."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            DISMISS, dictation_id, lambda _: self._workspace.store.gaps.restore(dictation_id, row_id, signed)
        )
