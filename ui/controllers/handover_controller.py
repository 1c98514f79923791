"""Opens handovers and the nurse's note, and keeps what is written there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.chart.handover.page import Handover
from app.chart.note.note import Note
from app.chart.records import Patient
from app.record.errors import NotSigned
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.handover.handover_dialog import HandoverDialog
from ui.handover.note_dialog import NoteDialog
from ui.handover.ward_dialog import WardHandoverDialog
from ui.kit.responsive_layout import accepted, is_open


class HandoverController(Controller):
    """Attributes: `dialog` is the page that is open, or was last."""

    def __init__(self, context: WindowContext, navigation: Navigation) -> None:
        super().__init__(context)
        self._navigation = navigation
        self.dialog: HandoverDialog | None = None

    def show_patient(self) -> None:
        """Shows the handover of the chosen patient."""
        if patient := self._selection.patient:
            self._prepare(patient)

    def show_ward(self) -> None:
        """Shows the list of the ward."""
        self._jobs.watch(self._workbench.handover.prepare_ward(), done=self._show_ward)

    def show_note(self) -> None:
        """Shows the nurse's note of the dictation shown."""
        if sheet := self._page.sheet:
            self._jobs.watch(self._workbench.notes.make(sheet.dictation.id), done=self._show_note)

    def _show_note(self, note: Note) -> None:
        if self._page.sheet is None or self._page.sheet.dictation.id != note.dictation_id:
            return  # another dictation is shown by now
        dialog = NoteDialog(self._theme, note, self._parent)
        dialog.value_asked.connect(self._page.show_value)
        dialog.save_asked.connect(
            lambda path: self._jobs.watch(
                self._workbench.notes.save(note, path),
                done=lambda written: self._message.show_message("done", "Note saved.", str(written)),
            )
        )
        accepted(dialog)

    def _prepare(self, patient: Patient) -> None:
        self._jobs.watch(self._workbench.handover.prepare(patient), done=self._show)

    def _show(self, page: Handover) -> None:
        if self.dialog and is_open(self.dialog):
            if self.dialog.page.patient.id == page.patient.id:
                self.dialog.show_page(page)
            return
        self.dialog = dialog = HandoverDialog(self._theme, page, self._parent)
        dialog.save_asked.connect(lambda written: self._save(dialog, written))
        dialog.pdf_asked.connect(lambda path: self._write((dialog.page,), path, ward=False))
        dialog.dictation_asked.connect(self._navigation.show_dictation)
        accepted(dialog)

    def _show_ward(self, pages: tuple[Handover, ...]) -> None:
        if not pages:
            self._message.show_message("info", "There is no patient on the ward.", "Add one (Ctrl+Shift+P).")
            return
        dialog = WardHandoverDialog(self._theme, pages, self._parent)
        dialog.pdf_asked.connect(lambda path: self._write(pages, path, ward=True))
        dialog.pages_asked.connect(lambda path: self._write(pages, path, ward=False))
        dialog.patient_asked.connect(lambda page: self._prepare(page.patient))
        accepted(dialog)

    def _save(self, dialog: HandoverDialog, written: dict[str, str]) -> None:
        """Keeps what is written, and shows the page as it is then; says so if nobody signs it."""
        patient = dialog.page.patient
        try:
            job = self._workbench.handover.write(dialog.page, written)
        except NotSigned as error:
            dialog.show_error(str(error))
            self._message.show_error(error)
            return

        def kept(_: None) -> None:
            if is_open(dialog):
                self._prepare(patient)

        def failed(error: WardlightError) -> None:
            if is_open(dialog):
                dialog.show_error(str(error))
            self._message.show_error(error)

        self._jobs.watch(job, done=kept, failed=failed)

    def _write(self, pages: Sequence[Handover], path: Path, *, ward: bool) -> None:
        self._jobs.watch(
            self._workbench.handover.save_pdf(pages, path, ward=ward),
            done=lambda written: self._message.show_message("done", "Handover written.", str(written)),
        )
