"""Rows that a dictation lacks: found, and dismissed and restored by a person. `app.chart.gaps` says which they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chart.gaps.gaps import gaps_of
from app.chart.sheet import Sheet
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import Job
from app.services.handover.jobs import DISMISS, GAPS, FoundGaps
from app.services.handover.stated_rows import rows_stated

if TYPE_CHECKING:
    from app.store import Store


class GapService:
    """Submits what a person asks and says about rows that a dictation lacks. Each call is a job."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def find(self, sheet: Sheet) -> Job[int, FoundGaps]:
        """The rows that a sheet lacks; it takes a while for a long dictation."""
        store = self._workspace.store
        return self._workspace.sheets.submit(GAPS, sheet.dictation.id, lambda _: found_gaps(store, sheet))

    def dismiss(self, sheet: Sheet, row_id: str) -> Job[int, None]:
        """Offers a row no more for this dictation. Raises NotSigned; the job fails if the dictation is filed."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            DISMISS, dictation_id, lambda _: self._workspace.store.gaps.dismiss(dictation_id, row_id, signed)
        )

    def restore(self, sheet: Sheet, row_id: str) -> Job[int, None]:
        """Takes the dismissal of a row back. As `dismiss`."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            DISMISS, dictation_id, lambda _: self._workspace.store.gaps.restore(dictation_id, row_id, signed)
        )


def found_gaps(store: Store, sheet: Sheet) -> FoundGaps:
    """The rows that a sheet lacks, with what the store knows of the ward's habits and of dismissals."""
    dictation = sheet.dictation
    habits = store.gaps.habits(dictation.schema_version_id, without=dictation.id)
    dismissed = store.gaps.dismissed(dictation.id)
    gaps = gaps_of(sheet, habits, rows_stated(sheet), dismissed)
    return FoundGaps(gaps, habits, dismissed, store.now().isoformat())
