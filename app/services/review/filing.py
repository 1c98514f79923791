"""Files a dictation: checks that its review is complete, writes its values to files and marks it as filed; exports."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app.chart.dictation_identity import refusal
from app.chart.records import Filing, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.exchange.file_formats import DEFAULT_OPTIONS, EXPORTERS, ExportOptions, options_in
from app.record.errors import NothingToChart
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import AnyJob, Job
from app.services.review.jobs import EXPORT, FILE, REOPEN
from app.services.review.sheets import SheetService
from extraction.flowsheet.ranges import is_impossible
from models.base.errors import InputError

if TYPE_CHECKING:
    from app.store import Store

_NAMED = 3

# By name of a format that values can be written in, what it is called.
FORMAT_LABELS = {name: exporter.label for name, exporter in EXPORTERS.items()}


class FilingService:
    """Files, reopens and exports dictations. Each call is a job."""

    def __init__(self, workspace: Workspace, sheets: SheetService) -> None:
        self._workspace, self._sheets = workspace, sheets

    def file(
        self, sheet: Sheet, folder: Path | None, formats: Sequence[str] = (), *, without_values: bool = False
    ) -> Job[int, Filing | None]:
        """Files a sheet after the review steps that are already queued, see `file_dictation`.

        Without a folder it only fails if the sheet cannot be filed yet. A sheet without values fails with
        NothingToChart unless it is to be filed `without_values`.
        """
        signed = self._workspace.sign()

        def work(job: AnyJob) -> Filing | None:
            now = self._sheets.read(sheet.dictation.id)
            if folder is None:
                refuse_unreviewed(now, without_values=without_values)
                return None
            options = options_in(self._workspace.settings, now.schema, formats)
            return file_dictation(
                self._workspace.store,
                now,
                signed,
                folder,
                formats,
                options,
                without_values=without_values,
                deliver=self._workspace.settings.delivery.on,
            )

        return self._workspace.sheets.submit(FILE, sheet.dictation.id, work)

    def reopen(self, sheet: Sheet) -> Job[int, None]:
        """Reopens a filed sheet for review; its files stay."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            REOPEN, dictation_id, lambda _: self._workspace.store.filings.reopen(dictation_id, signed)
        )

    def export(self, sheet: Sheet, folder: Path, formats: Sequence[str]) -> Job[int, list[Path]]:
        """Writes the confirmed, edited and added values to files in `folder`."""

        def work(job: AnyJob) -> list[Path]:
            from app.exchange.export import export

            options = options_in(self._workspace.settings, sheet.schema, formats)
            return export(self._workspace.store, sheet.dictation.id, sheet.schema, folder, formats, options)

        return self._workspace.files.submit(EXPORT, sheet.dictation.id, work)


def file_dictation(
    store: Store,
    sheet: Sheet,
    reviewer: str,
    folder: Path,
    formats: Sequence[str],
    options: ExportOptions = DEFAULT_OPTIONS,
    *,
    without_values: bool = False,
    deliver: bool = False,
) -> Filing:
    """Writes the accepted values to new files and marks the dictation as filed; without such values, only marks it.

    The files are written first, and deleted again if the dictation cannot be marked. What the receiver has to be told
    is in the outbox once it is marked: with `deliver`, or if the receiver was told of this dictation before.

    Raises InputError as `refuse_unreviewed` does; see also `export` and `app.store.filings.Filings.file`.
    """
    from app.exchange.export import export  # imports the store, which the window starts without
    from app.exchange.outbox import queue

    refuse_unreviewed(sheet, without_values=without_values)
    number = sheet.dictation.id
    files = export(store, number, sheet.schema, folder, formats, options) if sheet.exportable else []
    try:
        with store.transaction():
            filing = store.filings.file(number, reviewer, [str(path.absolute()) for path in files])
            queue(store, number, sheet.schema, reviewer, new=deliver)
        return filing
    except BaseException:
        for path in files:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise


def refuse_unreviewed(sheet: Sheet, *, without_values: bool = False) -> None:
    """Raises InputError if a sheet cannot be filed, naming some of the values that prevent it.

    It must be filled, without doubt whose it is, with values (unless `without_values`), and none undecided or
    impossible.
    """
    if question := sheet.identity_question:
        raise refusal(question.naming, question.patient)
    if sheet.dictation.status != "filled":
        raise InputError("This dictation is not finished.", "Resume it, review it, then file it.")
    if not sheet.values and not without_values:
        raise NothingToChart("No values to chart: sign without values?", "Nothing from this dictation will be charted.")
    left = [value for value in sheet.values if value.status is ReviewStatus.PROPOSED]
    claimed = [value for value in sheet.values if value.id in sheet.conflicts and (value in left or value.stands)]
    lit = [value for value in left if value.id in sheet.reasons]
    for values, called, next_step in (
        (claimed, "conflict", "Keep or replace each one (L goes to the next), then file."),
        (lit, "flagged value", "Check and decide each one (L goes to the next), then file."),
        (left, "value", "Decide each one, then file."),
    ):
        if values:
            raise InputError(f"Not filed: {_count(values, called)} not reviewed ({_names(sheet, values)}).", next_step)
    never = [one for one in sheet.values if one.stands and is_impossible(sheet.schema.row(one.row_id), one.value)]
    if never:  # accepted before ranges existed
        what = f"Not filed: {_count(never, 'value')} not possible ({_names(sheet, never)})."
        raise InputError(what, "Correct each one or reject it, then file.")


def _count(values: Sequence[ReviewedValue], noun: str) -> str:
    return f"1 {noun} is" if len(values) == 1 else f"{len(values)} {noun}s are"


def _names(sheet: Sheet, values: Sequence[ReviewedValue]) -> str:
    names = [sheet.schema.row(value.row_id).name for value in values[:_NAMED]]
    return ", ".join([*names, "…"] if len(values) > _NAMED else names)
