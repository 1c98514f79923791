"""Goes to patients and dictations, and shows their stored state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.chart.records import Patient, ReviewStatus
from app.chart.sheet import Overview, Sheet
from app.services.intake.jobs import FOLLOW, TranscriptReady
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.work_controller import WorkController
from ui.dialogs.questions import Leave, ask_to_leave_recording
from ui.kit.responsive_layout import Pages
from ui.patients.banner import Banner
from ui.patients.side_bar import Sided
from ui.patients.start_page import StartPage
from ui.review.live_page import LivePage


class Navigation(Controller):
    """Shows one of the pages for the chosen patient and dictation.

    Attributes:
        spoken: id of the dictation made from the recording on the live page; None until it is saved.
        first: id of the dictation to show when the window opens; None for the newest.

    Signals:
        changed: another page is shown (for actions that depend on it).
        read: patients and dictations were read anew.
    """

    changed = Signal()
    read = Signal()

    def __init__(
        self,
        context: WindowContext,
        work: WorkController,
        banner: Banner,
        sided: Sided,
        pages: Pages,
        start: StartPage,
        live: LivePage,
    ) -> None:
        super().__init__(context)
        self._work, self._banner, self._sided = work, banner, sided
        self._pages, self._start, self._live = pages, start, live
        self.spoken: int | None = None
        self.first: int | None = None
        self._beside: tuple[QWidget | None, int | None] | None = None
        self._then: tuple[int, Callable[[], object]] | None = None
        work.asked.connect(self.show_dictation)
        work.ended.connect(self.read_again)
        sided.changed.connect(lambda: banner.stand_in(needed=not sided.beside))
        sided.side.patients.chosen.connect(self._open_patient)
        sided.side.patients.left.connect(self.back_to_values)
        sided.side.recent.chosen.connect(self._open_dictation)
        sided.side.recent.chosen.connect(sided.leave)
        self._recorder.bar.words_asked.connect(self.show_live)
        self._jobs.on(TranscriptReady, self._show_transcript)

    # reading

    def load_overview(self) -> None:
        """Reads the patients and dictations for the lists."""
        self._jobs.watch(self._workbench.dictations.load_overview(), done=self._show_overview)

    def load_sheet(self, dictation_id: int) -> None:
        """Reads a dictation, and shows it if it is still the chosen one by then."""
        self._jobs.watch(
            self._workbench.sheets.load(dictation_id),
            done=partial(self._show_sheet, dictation_id),
            failed=partial(self._not_shown, dictation_id),
        )

    def analyse_recent_reviews(self) -> None:
        """Reads what the latest reviews show, for the sheets that are read afterwards and the line about flags."""
        self._jobs.watch(self._workbench.sheets.analyse_recent_reviews(), done=lambda _: self._page.show_lit())

    # patients

    def choose_patient(self, patient: Patient) -> None:
        """Goes to a patient's newest dictation, or to the start page if there is none.

        While another patient's recording runs, asks first whether to finish it.
        """
        if not self._may_leave_recording(patient):
            return
        self._show_patient(patient)
        newest = self._selection.newest_of(patient)
        if newest is None:
            self._show_start()
        else:
            self.show_dictation(newest)

    def find_patient(self) -> None:
        """Moves the focus to the patient list, or back to the values if the list has it already."""
        patients = self._sided.side.patients
        if patients.has_keyboard():
            self.back_to_values()
        else:
            self._sided.call()
            patients.begin_search()

    def show_or_hide_side(self) -> None:
        """Folds the side bar away or shows it."""
        if self._sided.shown:
            self._sided.fold()
        else:
            self._sided.call()

    def back_to_values(self) -> None:
        """Moves the focus to the flowsheet of the page shown, or to the page itself if it has none."""
        shown: tuple[tuple[QWidget, QWidget], ...] = (
            (self._page, self._page.flowsheet),
            (self._live, self._live.values.flowsheet),
        )
        page = self._pages.currentWidget() or self._start
        values = next((values for one, values in shown if one is page), page)
        (values if values.isVisible() else page).setFocus()

    def _open_patient(self, patient: Patient) -> None:
        self.choose_patient(patient)
        self.back_to_values()

    def _open_dictation(self, dictation_id: int) -> None:
        """Goes to the values of a dictation, also of the one that is open already."""
        is_open = self._page.isVisible() and dictation_id == self._selection.dictation_id
        self.show_dictation(dictation_id)
        if is_open:
            self._page.leave_look()
            self.back_to_values()

    def _may_leave_recording(self, patient: Patient) -> bool:
        recording = self._recorder.recording
        if not (recording and self._recorder.running) or recording.patient.id == patient.id:
            return True
        answer = ask_to_leave_recording(self._parent, recording.patient, patient)
        if answer is Leave.FINISH:
            self._recorder.finish()
        return answer is not Leave.STAY

    def _show_patient(self, patient: Patient) -> None:
        self._selection.patient = patient
        self._banner.show_patient(patient)
        self._start.show_patient(patient.name)
        self._work.mark_current()

    def _show_start(self) -> None:
        self._selection.dictation_id = None
        self._page.sheet = None
        self._pages.setCurrentWidget(self._start)
        self._work.mark_current()

    # dictations

    def show_dictation(self, dictation_id: int) -> None:
        """Goes to a dictation."""
        self._selection.dictation_id = dictation_id
        self.load_sheet(dictation_id)

    def open_at(self, dictation_id: int, at: Callable[[], object]) -> None:
        """Goes to a dictation, also of another patient, and calls `at` once it is shown."""
        patient = self._selection.patient_of(dictation_id)
        if patient is None or self._may_leave_recording(patient):
            self._then = (dictation_id, at)
            self.show_dictation(dictation_id)

    def show_beside(self, page: QWidget) -> None:
        """Shows a page that is about no dictation, until `come_back` or until another page is asked for."""
        self._beside = (self._pages.currentWidget(), self._selection.dictation_id)
        self._selection.dictation_id = None
        self._page.evidence.player.stop()
        self._pages.setCurrentWidget(page)
        self._work.mark_current()
        self.changed.emit()

    def come_back(self) -> None:
        """Goes back to the page from which `show_beside` went."""
        page, dictation_id = self._beside or (None, None)
        if page is self._live:
            self.show_live()
        elif dictation_id is not None:
            self.show_dictation(dictation_id)
        else:
            self._show_start()
            self.changed.emit()
        self.back_to_values()

    def read_again(self, dictation_id: int) -> None:
        """Reloads the lists, and the sheet if it shows this dictation."""
        self.load_overview()
        if dictation_id == self._selection.dictation_id:
            self.load_sheet(dictation_id)

    def leave_deleted(self, dictation_id: int) -> None:
        """Removes a deleted dictation from the lists; if it was shown, goes to the patient's newest other one."""
        selection = self._selection
        left = [entry for entry in selection.overview.entries if entry.dictation.id != dictation_id]
        selection.overview = replace(selection.overview, entries=tuple(left))
        if dictation_id == selection.dictation_id and selection.patient:
            self._page.evidence.player.stop()
            other = selection.newest_of(selection.patient)
            if other is None:
                self._show_start()
            else:
                self.show_dictation(other)
        self.analyse_recent_reviews()
        self.load_overview()

    def show_restored(self, dictation_id: int) -> None:
        """Shows a dictation that was restored."""
        self.load_overview()
        self.show_dictation(dictation_id)

    def show_live(self) -> None:
        """Shows the live page with the recording and what was heard of it."""
        if self._live.recording:
            self._selection.dictation_id = None
            self._show_patient(self._live.recording.patient)
            self._pages.setCurrentWidget(self._live)
            self._work.mark_current()
            self.changed.emit()

    def show_what_was_spoken(self) -> None:
        """Replaces the live page with the chosen dictation, once live transcription has ended."""
        if self._selection.dictation_id is not None and self._pages.currentWidget() is self._live:
            self.load_sheet(self._selection.dictation_id)

    @property
    def _follows(self) -> bool:
        """True if the chosen dictation is still on the live page, because its end is being transcribed and filled."""
        shown = self._pages.currentWidget() is self._live and self._selection.dictation_id == self.spoken
        return shown and any(job.kind == FOLLOW for job in self._workbench.jobs)

    def _show_transcript(self, event: TranscriptReady) -> None:
        if event.job.subject == self._selection.dictation_id:
            self.load_sheet(event.job.subject)

    def _show_sheet(self, dictation_id: int, sheet: Sheet) -> None:
        if dictation_id != self._selection.dictation_id:
            return
        left = self._page.sheet
        if left and left.dictation.id != dictation_id and not left.count(ReviewStatus.PROPOSED):
            self._work.delete_expired()
        self._show_patient(sheet.patient)
        if not self._follows:
            self._pages.setCurrentWidget(self._page)
        self._page.show_sheet(sheet)
        self._work.mark_current()
        then, self._then = self._then, None
        if then and then[0] == dictation_id:
            then[1]()

    def _not_shown(self, dictation_id: int, error: WardlightError) -> None:
        if dictation_id == self._selection.dictation_id:  # otherwise it was deleted, or another one was chosen
            self._work.show_failure(error, self._selection.stays_at(dictation_id))

    # overview

    def _show_overview(self, overview: Overview) -> None:
        selection = self._selection
        first, selection.overview = not selection.overview.entries, overview
        self._take_identities(overview)
        self._work.mark_current()
        self._work.rename()
        self.read.emit()
        if overview.partial:
            self.load_overview()  # again, with the numbers to check that are missing
        if first and overview.entries and selection.dictation_id is None and selection.patient is None:
            known = [entry.dictation.id for entry in overview.entries]
            self.show_dictation(self.first if self.first in known else known[0])

    def _take_identities(self, overview: Overview) -> None:
        """Updates every place that shows a patient who was changed."""
        known, selection = {patient.id: patient for patient in overview.patients}, self._selection
        if selection.patient and (now := known.get(selection.patient.id, selection.patient)) != selection.patient:
            selection.patient = now
            self._banner.show_patient(now)
            self._start.show_patient(now.name)
        sheet = self._page.sheet
        shown = sheet if sheet and selection.dictation_id == sheet.dictation.id else None
        if shown and known.get(shown.patient.id, shown.patient) != shown.patient:
            self.load_sheet(shown.dictation.id)
        recording = self._recorder.recording
        if recording and known.get(recording.patient.id, recording.patient) != recording.patient:
            recording.patient = known[recording.patient.id]
            self._recorder.bar.show_patient(recording.patient)
