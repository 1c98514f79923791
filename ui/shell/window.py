"""The window: what stands where, and what each event of a job means for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMenu, QVBoxLayout, QWidget

from app.chart.records import Dictation, Patient, ReviewStatus
from app.chart.sheet import Overview, Reviewed
from app.inference.live_events import LiveValues, LiveWords
from app.intake.recording import Recording
from app.intake.recording import RecordingState as Recorded
from app.intake.service import AUDIO_SUFFIXES, TEXT_SUFFIXES
from app.system.job_lanes import Job, JobEvent, JobFailed, JobFinished, JobProgress, JobQueued, JobStarted, JobStopped
from app.workbench import Workbench
from app.workspace.engine import ModelState
from app.workspace.jobs import JobKind, Overheard, TranscriptReady, Unfinished
from models.errors import StorageError, WardlightError
from models.progress import Progress
from ui.kit.dictation_states import PAUSED, RECORDING, progress_words, states_of
from ui.kit.focus import FocusKeeper, press_on_purpose_only
from ui.kit.message_bar import MessageBar
from ui.kit.responsive_layout import Pages, Scrolled, room_on_screen
from ui.kit.theme import Theme
from ui.kit.widgets import key_hint
from ui.kit.words import ROLE_WORDS
from ui.patients.side_bar import SideBar, Sided
from ui.patients.start_page import StartPage
from ui.recording.microphone import Microphones, QtMicrophones
from ui.recording.recorder import Recorder
from ui.recording.recovery_bar import RecoveryBar
from ui.review.live_page import LivePage
from ui.review.progress_views import WorkStrip
from ui.review.review_page import ReviewPage
from ui.shell.actions import Actions, Does
from ui.shell.banner import Banner
from ui.shell.bridge import Bridge
from ui.shell.dialog_coordinator import Dialogs, Leave
from ui.shell.dictation_controller import WholeDictation
from ui.shell.filing_controller import FilingController
from ui.shell.identity_controller import Identity
from ui.shell.key_overlay import KeyOverlay
from ui.shell.message_scopes import Scopes
from ui.shell.patient_controller import PatientCare
from ui.shell.signing_controller import SigningDesk
from ui.shell.value_menu import open_value_menu
from ui.shell.ward_list_controller import LIST_SUFFIXES, WardListImport

MISSING = "Not installed yet:"
COMFORTABLE = QSize(1100, 680)  # from this size of the window on, nothing has to be scrolled


class MainWindow(QMainWindow):
    """Everything of Wardlight that is seen. Emits nothing; the workbench does the work, on its own threads."""

    def __init__(
        self, theme: Theme, workbench: Workbench, bridge: Bridge, microphones: Microphones | None = None
    ) -> None:
        super().__init__()
        self._theme, self.workbench = theme, workbench
        self.patient: Patient | None = None
        self._overview = Overview((), ())
        self._wanted: int | None = None
        self._spoken: int | None = None  # the dictation that the live page became
        self._opened: dict[Path, Patient] = {}  # about whom the files are that are being taken in
        self.files_opened = 0  # so many were asked to be taken in
        self._closing = False
        self._latest: tuple[Job, Progress] | None = None
        self.setWindowTitle("Wardlight")
        self.setAcceptDrops(True)
        self.setMinimumSize(480, 320)
        self.resize(QSize(1280, 800).boundedTo(room_on_screen(self)).expandedTo(self.minimumSize()))

        self.banner = Banner(theme)
        self.message = MessageBar(theme)
        self.start = StartPage(theme)
        self.page = ReviewPage(theme, workbench)
        self.live = LivePage(theme)
        self.strip = WorkStrip(theme)
        self.dialogs = Dialogs(self, theme)
        self._scopes = Scopes(self)
        self.care = PatientCare(self, theme)
        self.ward_list = WardListImport(self, theme)
        self.filing = FilingController(workbench, self.page, self.message, self.dialogs)
        self.whole = WholeDictation(
            theme, workbench, self.message, self.dialogs, lambda: self._overview, lambda: self._wanted, self
        )
        self.identity = Identity(theme, workbench, self.page, self.message, self.whole.ask_patient)
        self.side = SideBar(theme)
        self.patients, self.recent = self.side.patients, self.side.recent
        self.record, self.open = self.side.record, self.side.open
        self.microphones = microphones or QtMicrophones(self)
        self.recorder = Recorder(theme, workbench, self.microphones, self)
        self.recovery = RecoveryBar(theme)
        self._middle = Pages()
        self._middle.addWidget(self.start)
        self._middle.addWidget(self.page)
        self._middle.addWidget(self.live)
        self._lay_out()
        self.signing = SigningDesk(theme, workbench, self, self._show_signer, self.message.show_error)
        self.actions_ = Actions(self, theme, self._does())
        self.keys = KeyOverlay(theme, self.actions_.groups, self)
        for menu in (self.menuBar(), *self.findChildren(QMenu)):
            self.page.presses.watch(menu)

        for control in (self.record, self.start.record, self.banner.record):
            press_on_purpose_only(control)
        FocusKeeper(self, self._back_to_values)
        # what a filed sheet does not allow has keys all the same, which say so
        shortcuts = [action.shortcut() for action in self.actions_.changing]
        self._refused_keys = [QShortcut(keys, self) for keys in shortcuts if not keys.isEmpty()]
        for refused in self._refused_keys:
            refused.activated.connect(self.filing.refuse_change)
        self._held_key = QShortcut(self)
        self._held_key.setAutoRepeat(False)
        self._held_key.activated.connect(self._record_while_held)

        self.banner.list_asked.connect(self.find_patient)
        self.banner.patient_asked.connect(lambda: self.ask_patient())  # noqa: PLW0108 - its `then` is not the signal's
        self.banner.signer_asked.connect(lambda: self.signing.switch())  # noqa: PLW0108 - it is made once
        self.banner.record_asked.connect(self.record_or_finish)
        self.side.record_asked.connect(self.record_or_finish)
        self.side.open_asked.connect(self.ask_file)
        self._sided.changed.connect(lambda: self.banner.stand_in(needed=not self._sided.beside))
        self.start.patient_asked.connect(lambda: self.ask_patient())  # noqa: PLW0108
        self.start.open_asked.connect(self.ask_file)
        self.start.record_asked.connect(self.record_or_finish)
        self.recorder.changed.connect(self._update_actions)
        self.recorder.changed.connect(self._mark_current)
        self.recorder.changed.connect(lambda: self.identity.follow(self.recorder.recording))
        self.patients.chosen.connect(self._open_patient)
        self.patients.left.connect(self._back_to_values)
        self.recorder.failed.connect(lambda error: self.message.show_error(error, holds=self._scopes.microphone()))
        self.patients.menu_asked.connect(self.care.menu)
        self.recorder.bar.words_asked.connect(self._show_live)
        self.recovery.keep_asked.connect(self._keep)
        self.recovery.discard_asked.connect(lambda found: self.workbench.intake.discard(found.kept.folder))
        self.recent.chosen.connect(self.show_dictation)
        self.recent.chosen.connect(self._sided.leave)
        self.recent.rename_asked.connect(self.whole.ask_name)
        self.recent.delete_asked.connect(self.whole.ask_reason)
        self.recent.menu_asked.connect(self.whole.open_menu)
        self.whole.changed.connect(self._read_again)
        self.whole.gone.connect(self._leave_deleted)
        self.whole.back.connect(self._show_restored)
        self.strip.cancel_asked.connect(self._cancel_running)
        self.page.go_on_asked.connect(self._fill)
        self.page.add_asked.connect(self.dialogs.add_row)
        self.page.export_asked.connect(self._export)
        self.page.file_asked.connect(lambda: self.filing.file())  # noqa: PLW0108 - `elsewhere` is not the signal's
        self.page.reopen_asked.connect(self.filing.reopen)
        self.filing.changed.connect(self._read_again)
        self.identity.changed.connect(self._read_again)
        self.identity.added.connect(self.workbench.load_overview)
        self.live.flowsheet.asked.connect(self.actions_.trigger_whose)
        self.page.failed.connect(
            lambda error: self.message.show_error(error, holds=self._scopes.dictation(self.shown_dictation))
        )
        self.page.undone.connect(lambda what, now: self.message.show_message("done", what, now))
        self.message.left.connect(self._back_to_values)
        self.page.asked.connect(self._do_asked)
        self.page.refused.connect(self.filing.refuse_change)
        self.page.left_unsaved.connect(self._tell_unsaved)
        self.page.changed.connect(self._update_actions)
        self.page.flowsheet.menu_asked.connect(
            lambda place: open_value_menu(theme, self.actions_, self.page, place, self)
        )
        bridge.arrived.connect(self._take)
        self._use_record_key()
        self._update_actions()

    def _lay_out(self) -> None:
        above = QVBoxLayout()
        above.setContentsMargins(14, 10, 14, 0)
        above.setSpacing(8)
        above.addWidget(self.recorder.bar)
        above.addWidget(self.identity.spoken)
        above.addWidget(self.recovery)
        above.addWidget(self.message)
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addLayout(above)
        self._sided = Sided(self.side, self._middle)
        self._scrolled = Scrolled(self._sided)
        layout.addWidget(self._scrolled, 1)
        layout.addWidget(self.strip)
        self.setCentralWidget(centre)

    def _does(self) -> Does:
        return Does(
            record=self.record_or_finish,
            pause=self.recorder.pause_or_go_on,
            open=self.ask_file,
            patient=self.ask_patient,
            patients=self.find_patient,
            edit_patient=lambda: self.care.edit(),  # noqa: PLW0108 - it is about the patient shown
            transfer=lambda: self.care.transfer(),  # noqa: PLW0108
            discharge=lambda: self.care.discharge(),  # noqa: PLW0108
            readmit=lambda: self.care.readmit(),  # noqa: PLW0108
            import_list=self.ward_list.ask_file,
            side=self._show_or_hide_side,
            export=self._export,
            settings=self.dialogs.settings,
            quit=self.close,
            value=self.page.act,
            step=self.page.step,
            next_lit=self.page.go_to_next_lit,
            accept_rest=self.page.accept_confident,
            undo=self.undo,
            file=self.filing.file,
            file_elsewhere=lambda: self.filing.file(elsewhere=True),
            reopen=self.filing.reopen,
            whose=self._say_whose,
            rename=self.whole.ask_name,
            time=self.whole.ask_time,
            move=self.whole.ask_patient,
            delete=self.whole.ask_reason,
            details=self.whole.ask_details,
            add=self.dialogs.add_row,
            maybe=self.page.leftovers.maybe.heading.click,
            uncharted=self.page.leftovers.uncharted.heading.click,
            history=self._show_history,
            cancel=self.cancel,
            close_message=self.close_message,
            theme=self._choose_theme,
            keys=lambda: self.keys.toggle(),  # noqa: PLW0108 - it is made after the actions that it lists
            signer=lambda: self.signing.switch(),  # noqa: PLW0108 - it is made after the actions
            set_up=self.dialogs.set_up,
            about=self.dialogs.about,
        )

    # what a person asks for

    def _do_asked(self, name: str) -> None:
        """Does what a key of the flowsheet stands for, or says why a filed sheet does not allow it."""
        if self.page.filed_shown and self.actions_.changes(name):
            self.filing.refuse_change()
        else:
            self.actions_.trigger(name)

    def ask_file(self) -> None:
        """Lets the person choose a recording or text, and the patient first where none is chosen."""
        if (not self.patient and not self.ask_patient()) or self._is_gone():
            return
        audio, text = (" ".join(f"*{suffix}" for suffix in group) for group in (AUDIO_SUFFIXES, TEXT_SUFFIXES))
        names = f"Recordings and texts ({audio} {text});;All files (*)"
        path, _ = QFileDialog.getOpenFileName(self, "Open a recording or a text", "", names)
        if path:
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Takes a recording or text in and has it filled."""
        if self.workbench.ready and (self.patient or self.ask_patient()) and self.patient and not self._is_gone():
            self._opened[path] = self.patient
            self.files_opened += 1
            self.workbench.intake.import_file(path, self.patient)

    def record_or_finish(self) -> None:
        """Begins a recording, after asking for the patient where none is chosen, or finishes the one that runs."""
        if self.recorder.running:
            self.recorder.finish()
        elif self.patient:
            self._record_chosen()
        else:
            self.ask_patient(then=self._record_chosen)

    def _record_chosen(self) -> None:
        if self.patient and not self._is_gone():
            self.recorder.start(self.patient)

    def _is_gone(self) -> bool:
        """Whether the patient is discharged, of whom nothing new can come in; then it says so."""
        patient = self.patient
        if patient is None or not patient.discharged:
            return False
        self.message.show_message(
            "warning",
            f"{patient.name} is discharged.",
            "Readmit the patient to record or open a file.",
            action="Read&mit…",
            do=lambda: self.care.readmit(patient),
        )
        return True

    @property
    def known_patients(self) -> tuple[Patient, ...]:
        """All patients, discharged ones included."""
        return self._overview.patients

    def _record_while_held(self) -> None:
        """Records as long as the key is held; without a patient it only asks for one, which takes both hands."""
        if self.recorder.running:
            self.recorder.finish()
        elif self.patient and self._is_gone():
            pass
        elif self.patient:
            self.recorder.start_held(self.patient, getattr(Qt.Key, f"Key_{self.workbench.settings.record_key}"))
        else:
            self.ask_patient()

    def _keep(self, found: Unfinished) -> None:
        """Makes a dictation of a recording that was interrupted, of the patient it is about or else the chosen one."""
        patient = found.patient or self.patient
        if patient:
            self.workbench.intake.keep(found.kept.folder, patient)
        elif not self.ask_patient(then=lambda: self._keep(found)):
            self.workbench.intake.look_for_unfinished()

    def ask_patient(self, then: Callable[[], object] | None = None) -> bool:
        """Lets the person choose or add a patient, and then does `then`; whether a known one is taken."""
        return self.workbench.ready and self.dialogs.patient(self._overview.patients, then)

    def choose_patient(self, patient: Patient) -> None:
        """Goes to a patient: to their newest dictation, or to the page that asks for one.

        While another patient's recording runs, it asks whether to finish that first.
        """
        if not self._may_leave_recording(patient):
            return
        self._set_patient(patient)
        newest = next((e.dictation.id for e in self._overview.entries if e.patient.id == patient.id), None)
        if newest is None:
            self._show_start()
        else:
            self.show_dictation(newest)

    def _may_leave_recording(self, patient: Patient) -> bool:
        recording = self.recorder.recording
        if not (recording and self.recorder.running) or recording.patient.id == patient.id:
            return True
        answer = self.dialogs.leave_recording(recording.patient, patient)
        if answer is Leave.FINISH:
            self.recorder.finish()
        return answer is not Leave.STAY

    def show_dictation(self, dictation_id: int) -> None:
        self._wanted = dictation_id
        self.workbench.load_sheet(dictation_id)

    def find_patient(self) -> None:
        """Gives the keyboard to the list of patients, or back to the values where it has it already."""
        if self.patients.has_keyboard():
            self._back_to_values()
        else:
            self._sided.call()
            self.patients.begin_search()

    def _open_patient(self, patient: Patient) -> None:
        self.choose_patient(patient)
        self._back_to_values()

    def _back_to_values(self) -> None:
        shown: tuple[tuple[QWidget, QWidget], ...] = (
            (self.page, self.page.flowsheet),
            (self.live, self.live.flowsheet),
        )
        page = self._middle.currentWidget() or self.start
        values = next((values for one, values in shown if one is page), page)
        (values if values.isVisible() else page).setFocus()

    def _show_or_hide_side(self) -> None:
        if self._sided.shown:
            self._sided.fold()
        else:
            self._sided.call()

    def _show_history(self, shown: bool) -> None:
        self.page.show_history(shown)
        if shown and not self.page.flowsheet.has_past:
            self.message.show_message("done", "No earlier values for these rows.")

    def undo(self) -> None:
        """Takes back the last step of the review, or first of all that it was filed."""
        if self.page.sheet and self.page.sheet.filing:
            self.filing.reopen()
        elif self.page.answered_last:
            self.identity.withdraw()
        else:
            self.page.undo()

    def _export(self) -> None:
        if not self.page.asks_whose():
            self.dialogs.export()

    def _say_whose(self, answer: str) -> None:
        """Answers whose the dictation is that the person looks at: the one being spoken, or the one on the sheet."""
        bar = self.identity.spoken if self._middle.currentWidget() is self.live else self.page.identity
        bar.press(answer)

    def cancel(self) -> None:
        """Stops the running job of the models, as the button does."""
        if not self.strip.isHidden():
            self.strip.cancel.click()

    def close_message(self) -> None:
        """Closes the message that is shown, and says how to stop what runs where there is none: it stops nothing."""
        if self.message.text:
            self.message.close_message()
        elif not self.strip.isHidden():
            keys = self.actions_.cancel.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            self.message.show_message("info", "Esc does not stop processing.", f"Press {keys} to stop it.")

    @property
    def shown_dictation(self) -> int | None:
        """The id of the dictation that is shown, or about to be."""
        return self._wanted

    def patient_of(self, dictation_id: int) -> Patient | None:
        """About whom a dictation is, where that is known."""
        return next((e.patient for e in self._overview.entries if e.dictation.id == dictation_id), None)

    # what jobs tell

    def _take(self, event: JobEvent) -> None:
        self._take_event(event)
        self.message.check()

    def _take_event(self, event: JobEvent) -> None:
        job, told = event.job, self.dialogs.follow(event)
        match event:
            case Overheard():
                self._overhear(job.subject, event.news)
                self.identity.overheard(job.subject, event.question, self.recorder.recording)
                self._update_actions()
            case JobProgress() if job.kind == JobKind.FOLLOW:
                pass
            case JobProgress():
                self.strip.show_progress(event.progress)
                former, self._latest = self._latest, (job, event.progress)
                if former is None or progress_words(former[1]) != progress_words(event.progress):
                    self._show_states()
                self.page.show_progress(job, event.progress)
            case JobQueued() | JobStarted():
                if job.kind in (JobKind.FILL, JobKind.INSTALL):
                    self._show_work()
            case TranscriptReady():
                if job.subject == self._wanted:
                    self.workbench.load_sheet(job.subject)
            case JobFinished():
                self._finished(job, event.result)
            case JobFailed() if told:
                self._show_work()
            case JobFailed():
                self._failed(job, event.error)
            case JobStopped():
                self._stopped(job)

    def _overhear(self, recording: Recording, news: LiveWords | LiveValues) -> None:
        """Shows what was heard in the recording that runs, from the first word on wherever the person looks then."""
        if recording is not self.recorder.recording:
            return
        if self.live.recording is not recording and isinstance(news, LiveWords) and (news.final or news.draft):
            self.live.begin(recording)
            self._spoken = None
            if self.patient and recording.patient.id == self.patient.id:
                self._show_live()
        if self.live.recording is recording:
            self.live.take(news)

    def _show_live(self) -> None:
        if self.live.recording:
            self._wanted = None
            self._set_patient(self.live.recording.patient)
            self._middle.setCurrentWidget(self.live)
            self._mark_current()
            self._update_actions()

    @property
    def _follows(self) -> bool:
        """Whether the wanted dictation is shown as it was spoken: the last of it is still being heard and filled."""
        shown = self._middle.currentWidget() is self.live and self._wanted == self._spoken
        return shown and any(job.kind == JobKind.FOLLOW for job in self.workbench.jobs)

    @property
    def _jobs(self) -> list[Job]:
        """The jobs of the models that are shown as work; what follows a recording is shown by its words."""
        return [job for job in self.workbench.jobs if job.kind != JobKind.FOLLOW]

    def _finished(self, job: Job, result: object) -> None:
        match job.kind:
            case JobKind.OPEN | JobKind.SETTINGS | JobKind.INSTALL:
                self._show_machine()
                self._show_signer()
                self._choose_theme(self.workbench.settings.theme, save=False)
                self._use_record_key()
                self.workbench.intake.delete_expired(self._wanted)
                if job.kind == JobKind.OPEN:
                    self.workbench.intake.look_for_unfinished()
                    self.page.player.look_ahead()
                self.workbench.analyse_recent_reviews()
                self.workbench.load_overview()
                self.workbench.preload_models()
                if job.kind == JobKind.OPEN and not self.workbench.settings.setup_finished:
                    self.dialogs.set_up()
                if job.kind == JobKind.SETTINGS:
                    self.dialogs.settings_saved(job.subject)
                    if self._wanted and self.page.lit_otherwise(self.workbench.settings):
                        self.workbench.load_sheet(self._wanted)
                self._show_work()
            case JobKind.SIGNERS:
                self.workbench.signer_changed(result)  # type: ignore[arg-type]
                self._show_signer()
            case JobKind.OVERVIEW:
                self._show_overview(result)  # type: ignore[arg-type]
            case JobKind.PATIENT:
                self.workbench.load_overview()
                self.choose_patient(result)  # type: ignore[arg-type]
                self.dialogs.patient_stored()
            case JobKind.PATIENT_CHANGE:
                self.care.changed(job.subject, result)  # type: ignore[arg-type]
            case JobKind.WARD_PLAN:
                self.ward_list.planned(job, result)  # type: ignore[arg-type]
            case JobKind.WARD_IMPORT:
                self.ward_list.imported(job.subject)
            case JobKind.IMPORT:
                assert isinstance(result, Dictation)
                recording = self.recorder.ended(job.subject)
                about = recording.patient if recording else self._opened.pop(job.subject, None)
                if recording and recording is self.live.recording:
                    self._spoken = result.id
                self.workbench.load_overview()
                if not self.recovery.isHidden():
                    self.workbench.intake.look_for_unfinished()
                if about is None or (self.patient and about.id == self.patient.id):
                    self.show_dictation(result.id)
                else:  # the person has gone on to somebody else meanwhile
                    what = "recording" if recording else "file"
                    self.message.show_message("done", f"The {what} about {about.name} is saved.")
                self.whole.tell_time(result)
            case JobKind.UNFINISHED:
                self.recovery.show_recordings(result)  # type: ignore[arg-type]
            case JobKind.DELETE_EXPIRED if result:
                self.page.show_playing()
            case JobKind.SHEET if job.subject == self._wanted:
                left = self.page.sheet
                if left and left.dictation.id != self._wanted and not left.count(ReviewStatus.PROPOSED):
                    self.workbench.intake.delete_expired(self._wanted)
                self._set_patient(result.patient)  # type: ignore[attr-defined]
                if not self._follows:
                    self._middle.setCurrentWidget(self.page)
                self.page.show_sheet(result)  # type: ignore[arg-type]
                self._mark_current()
            case JobKind.REVIEW:
                assert isinstance(result, Reviewed)
                self.page.take_review(result)
                if result.complete:
                    self.workbench.analyse_recent_reviews()
                self.workbench.load_overview()
            case JobKind.REVIEW_MONITOR:
                self.page.show_lit()
            case JobKind.FOLLOW:
                self._followed()
            case JobKind.FILL:
                self._ended(job)
                self.workbench.intake.delete_expired(self._wanted)
            case JobKind.EXPORT:
                self.dialogs.exported(result)  # type: ignore[arg-type]
            case JobKind.FILE:
                self.filing.filed(job, known=result is not None)
            case JobKind.REOPEN:
                self.filing.reopened(job)
            case JobKind.IDENTITY | JobKind.ADD_FOR:
                self.identity.finished(job, result)
            case JobKind.MOVE | JobKind.TIME | JobKind.RENAME | JobKind.DELETE | JobKind.RESTORE | JobKind.PAST:
                self.whole.finished(job, result)
            case JobKind.LIGHTS_PREVIEW:
                self.dialogs.show_prospect(result)  # type: ignore[arg-type]
        self._update_actions()

    def _failed(self, job: Job, error: WardlightError) -> None:
        match job.kind:
            case JobKind.EXPORT:
                self.dialogs.export_failed(error)
            case JobKind.FILE:
                self.filing.failed(job, error)
            case JobKind.PATIENT_CHANGE:
                self.care.failed(job, error)
            case JobKind.WARD_PLAN:
                self.ward_list.not_planned(job, error)
            case JobKind.WARD_IMPORT:
                self.message.show_error(error)
            case JobKind.PATIENT:
                self.dialogs.patient_refused()
                self.message.show_error(error)
            case JobKind.SETTINGS if self.dialogs.settings_refused(job.subject, error):
                pass
            case JobKind.LIGHTS_PREVIEW:
                self.dialogs.prospect_failed(error)
            case JobKind.PRELOAD:  # the first dictation meets the same, and says so
                pass
            case JobKind.SHEET if job.subject != self._wanted:  # it was deleted, or another one is wanted by now
                pass
            case JobKind.FILL:
                self._ended(job)
                self.message.show_error(
                    error, action="Re&try", do=lambda: self._fill(job.subject), holds=self._scopes.filling(job)
                )
            case JobKind.FOLLOW:
                self.live.break_off()
                self._followed()
                if job.subject is self.recorder.recording:  # else the filling, which comes next, makes up for it
                    self.message.show_message(
                        "info",
                        "This recording is not written down while you speak.",
                        "It goes on, and is filled when you have finished.",
                        holds=lambda: self.recorder.recording is job.subject,
                    )
            case JobKind.OPEN:
                self._show_machine()
                retry = isinstance(error, StorageError) or error.retryable
                if retry:
                    self.message.show_error(error, action="Re&try", do=self.workbench.open, holds=self._scopes.closed)
                else:
                    self.message.show_error(
                        error, action="Sett&ings…", do=self.dialogs.settings, holds=self._scopes.closed
                    )
            case _:
                self._show_work()
                self.message.show_error(error, holds=self._scopes.failed(job, of_file=job.subject in self._opened))
                if job.kind in (JobKind.RECORD, JobKind.IMPORT, JobKind.DISCARD):
                    self._opened.pop(job.subject, None)
                    self.recorder.ended(job.subject)
                    self.workbench.intake.look_for_unfinished()
                if job.kind == JobKind.REVIEW and self._wanted:
                    self.show_dictation(self._wanted)

    def _read_again(self, dictation_id: int) -> None:
        self.workbench.load_overview()
        if dictation_id == self._wanted:
            self.workbench.load_sheet(dictation_id)

    def _leave_deleted(self, dictation_id: int) -> None:
        """Shows what else there is of the patient in place of a dictation that was deleted."""
        left = [entry for entry in self._overview.entries if entry.dictation.id != dictation_id]
        self._overview = replace(self._overview, entries=tuple(left))
        if dictation_id == self._wanted and self.patient:
            self.page.player.stop()
            other = next((entry.dictation.id for entry in left if entry.patient.id == self.patient.id), None)
            if other is None:
                self._show_start()
            else:
                self.show_dictation(other)
        self.workbench.analyse_recent_reviews()
        self.workbench.load_overview()

    def _show_restored(self, dictation_id: int) -> None:
        self.workbench.load_overview()
        self.show_dictation(dictation_id)

    def _stopped(self, job: Job) -> None:
        self._show_work()
        if job.kind == JobKind.FOLLOW and not self._closing:
            self._followed()
        if job.kind == JobKind.FILL and not self._closing:
            self._ended(job)
            patient = self.patient_of(job.subject)
            self.message.show_message(
                "info",
                "Stopped.",
                f"{f'The dictation of {patient.name}' if patient else 'It'} is kept, and resumes from what was done.",
                action="Resu&me",
                do=lambda: self._fill(job.subject),
                holds=self._scopes.filling(job),
            )

    def _followed(self) -> None:
        """What could be heard while a recording ran is heard; the dictation itself is shown once it is there."""
        if self._wanted is not None and self._middle.currentWidget() is self.live:
            self.workbench.load_sheet(self._wanted)

    def _ended(self, job: Job) -> None:
        self._show_work()
        self._read_again(job.subject)

    def _fill(self, dictation_id: int) -> None:
        self.workbench.intake.fill(dictation_id)
        self.show_dictation(dictation_id)

    def _cancel_running(self) -> None:
        for job in self._jobs[:1]:
            self.workbench.intake.stop(job)

    # what is shown

    def show_bug(self, error: BaseException) -> None:
        """Shows an error that nothing expected."""
        self.message.show_error(error)

    def _tell_unsaved(self, value_id: int, row: str) -> None:
        self.message.show_message(
            "warning",
            f"Your change to {row} is not saved.",
            "It waits there until you save it or leave it with Esc.",
            action="&Back to it",
            do=lambda: self.page.choose(value_id),
            holds=self._scopes.unsaved(value_id),
        )

    def _show_start(self) -> None:
        self._wanted = None
        self.page.sheet = None
        self._middle.setCurrentWidget(self.start)
        self._mark_current()

    def _set_patient(self, patient: Patient) -> None:
        self.patient = patient
        self.banner.show_patient(patient)
        self.start.show_patient(patient.name)
        self._mark_current()

    def _show_overview(self, overview: Overview) -> None:
        first, self._overview = not self._overview.entries, overview
        self._take_identities(overview)
        self._mark_current()
        if self.strip.job:
            self.strip.rename(self._name_of(self.strip.job))
        if overview.partial:
            self.workbench.load_overview()  # with what else is lit
        if first and overview.entries and self._wanted is None and self.patient is None:
            self.show_dictation(overview.entries[0].dictation.id)

    def _take_identities(self, overview: Overview) -> None:
        """Shows who the patients are now, wherever one is shown who was changed."""
        known = {patient.id: patient for patient in overview.patients}
        if self.patient and (now := known.get(self.patient.id, self.patient)) != self.patient:
            self.patient = now
            self.banner.show_patient(now)
            self.start.show_patient(now.name)
        sheet = self.page.sheet
        if sheet and self._wanted == sheet.dictation.id and known.get(sheet.patient.id, sheet.patient) != sheet.patient:
            self.workbench.load_sheet(sheet.dictation.id)
        recording = self.recorder.recording
        if recording and known.get(recording.patient.id, recording.patient) != recording.patient:
            recording.patient = known[recording.patient.id]
            self.recorder.bar.show_patient(recording.patient)

    def _mark_current(self) -> None:
        mine = [entry for entry in self._overview.entries if not self.patient or entry.patient.id == self.patient.id]
        self.recent.show_entries(mine, self.workbench, self._wanted, self._latest)
        self._show_states()

    def _show_states(self) -> None:
        recording = self.recorder.recording
        recorded = None
        if recording:
            recorded = (recording.patient, PAUSED if recording.state is Recorded.PAUSED else RECORDING)
        wards = states_of(self._overview, self.workbench, self._latest, recorded)
        self.patients.show_patients(wards, self.patient)

    def _show_work(self) -> None:
        jobs = self._jobs
        if not jobs:
            self.strip.stop()
        elif jobs[0] is not self.strip.job:
            self.strip.start(jobs[0], self._name_of(jobs[0]))
        self._mark_current()
        self.page.show_state()
        self._update_actions()

    def _name_of(self, job: Job) -> str:
        if job.kind == JobKind.INSTALL:
            return next(model.title for model in self.workbench.models if model.id == job.subject)
        entry = next((e for e in self._overview.entries if e.dictation.id == job.subject), None)
        return entry.patient.name if entry else "Dictation"  # which need not be about the patient who is shown

    def _show_signer(self) -> None:
        self.banner.show_signer(self.workbench.signing.name)

    def _show_machine(self) -> None:
        workbench = self.workbench
        chosen = [workbench.chosen_model(role) for role in ROLE_WORDS]
        titles = [model.title for model in chosen[:2] if model]
        lines = [f"{ROLE_WORDS[model.role]}: {model.title} ({model.status})" for model in chosen if model]
        where = {"GPU": "on the graphics processor", "CPU": "on the processor"}.get(workbench.device, "")
        self.banner.show_machine("  ·  ".join([*titles, workbench.device]), "\n".join([*lines, f"Runs {where}"]))
        missing = self._missing_models()
        if missing and workbench.ready:
            names = ", ".join(model.title for model in missing)
            self.message.show_message(
                "warning",
                f"{MISSING} {names}.",
                "Recordings can be opened and are kept; they are filled once the models are there.",
                action="Sett&ings…",
                do=self.dialogs.settings,
                holds=lambda: self._missing_models() == missing,
            )

    def _missing_models(self) -> list[ModelState]:
        chosen = (self.workbench.chosen_model(role) for role in ROLE_WORDS)
        return [model for model in chosen if model and model.status != "installed"]

    def _update_actions(self) -> None:
        ready, sheet, actions = self.workbench.ready, self.page.sheet, self.actions_
        shown = sheet if self._middle.currentWidget() is self.page else None
        bar = self.recorder.bar
        bar.words.setVisible(
            self.live.recording is not None
            and self.live.recording is self.recorder.recording
            and self._middle.currentWidget() is not self.live
        )
        for widget in (self.open, self.banner.choose, self.start.open, self.start.patient):
            widget.setEnabled(ready)
        self.banner.signer.setEnabled(ready)
        for action in (actions.open, actions.patient, actions.signer):
            action.setEnabled(ready)
        idle, running = self.recorder.recording is None, self.recorder.running
        for control in (self.record, self.start.record, self.banner.record):
            control.setEnabled(ready and idle)
        actions.record.setEnabled(ready and (idle or running))
        self._held_key.setEnabled(ready and self.workbench.settings.hold_to_talk)
        actions.pause.setEnabled(running)
        reviewable = shown is not None and self.page.reviewable
        filed = shown is not None and shown.filing is not None
        for action in (*actions.of_value, *actions.of_conflict):
            action.setEnabled(shown is not None and self.page.decidable)
        actions.of_value[-1].setEnabled(shown is not None and self.page.current is not None)
        value = self.page.current if shown else None
        for action in actions.of_conflict:
            action.setVisible(shown is not None and value is not None and value.id in shown.conflicts and not filed)
        actions.next_lit.setEnabled(reviewable and not filed and self.page.flowsheet.calling > 0)
        for action in (*actions.steps, actions.history):
            action.setEnabled(reviewable)
        for action in (actions.file, actions.file_elsewhere):
            action.setEnabled(reviewable and not filed)
        actions.reopen.setEnabled(filed)
        for action in actions.of_dictation:
            action.setEnabled(shown is not None)
        for refused in self._refused_keys:
            refused.setEnabled(filed and self.page.filed_shown)
        for action in (actions.patients, actions.import_list):
            action.setEnabled(ready)
        chosen = self.patient if ready else None
        actions.edit_patient.setEnabled(chosen is not None)
        for action in (actions.transfer, actions.discharge):
            action.setEnabled(chosen is not None and not chosen.discharged)
        actions.readmit.setEnabled(chosen is not None and chosen.discharged)
        actions.export.setEnabled(shown is not None and shown.exportable > 0)
        actions.accept_rest.setEnabled(shown is not None and self.page.accept_all.isEnabled())
        answered = shown is not None and shown.identity_answer is not None
        actions.undo.setEnabled(shown is not None and (filed or answered or shown.can_undo))
        live = self._middle.currentWidget() is self.live
        whose = self.identity.spoken.asks if live else shown is not None and shown.identity_question is not None
        for action in actions.of_identity:
            action.setEnabled(whose)
        actions.add.setEnabled(reviewable and not filed)
        leftovers = self.page.leftovers
        for action, section in ((actions.maybe, leftovers.maybe), (actions.uncharted, leftovers.uncharted)):
            action.setEnabled(reviewable and not filed and section.heading.isEnabled())
        actions.cancel.setEnabled(not self.strip.isHidden())
        self.message.check()

    def _use_record_key(self) -> None:
        settings = self.workbench.settings
        self.actions_.set_record_key(settings.record_key, held=settings.hold_to_talk)
        self._held_key.setKey(QKeySequence(settings.record_key))
        self.recorder.bar.set_key(settings.record_key)
        for control in (self.record, self.start.record):
            key_hint(control, settings.record_key)
        for control in (self.record, self.start.record, self.banner.record):
            control.setToolTip(f"Record with the microphone ({settings.record_key})")
            control.setAccessibleDescription(control.toolTip())

    def _choose_theme(self, choice: str, *, save: bool = True) -> None:
        self._theme.choose(choice)
        self.actions_.themes[choice].setChecked(True)
        if save and self.workbench.ready and self.workbench.settings.theme != choice:
            self.workbench.apply(replace(self.workbench.settings, theme=choice))

    # files dropped on the window, and the end

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.workbench.ready and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.start.set_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.start.set_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.start.set_over(False)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        # the drop must end before a dialog may ask for the patient
        QTimer.singleShot(0, lambda: self._open_all(paths))

    def _open_all(self, paths: list[Path]) -> None:
        for path in paths:
            if path.suffix.casefold() in LIST_SUFFIXES:
                self.ward_list.show_file(path)
            else:
                self.open_file(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks while a job or recording runs. What was decided is stored; what is unfinished can go on later."""
        busy = self.workbench.jobs or self.recorder.recording
        if busy and not self._closing and not self.dialogs.close(recording=self.recorder.recording is not None):
            event.ignore()
            return
        self._closing = True
        self.recorder.stop()
        self.page.player.stop()
        event.accept()
