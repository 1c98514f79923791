"""Opens the first-run assistant, carries out its requests, and shows the results in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.services.engine.job_lanes import Job, JobEvent
from app.services.settings.jobs import CHECK_SCHEMA, INSTALL, SchemaFacts
from app.services.workbench import Workbench
from app.system import paths
from models.base.errors import WardlightError
from resources import SAMPLE_DICTATION
from ui.controllers.patient_controller import PatientController
from ui.controllers.settings_controller import SettingsController
from ui.controllers.signing_controller import SigningController
from ui.controllers.work_controller import WorkController
from ui.kit.job_answers import JobAnswers
from ui.kit.responsive_layout import fit_to_screen
from ui.kit.theme import Theme
from ui.recording.microphone import Microphones
from ui.recording.recorder import Recorder
from ui.setup.assistant import Assistant


class SetUpController(QObject):
    """Shows the assistant. Handles the results of all model installations, also of those started from the settings.

    Attributes:
        assistant: the open assistant; None if there is none.
    """

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        workbench: Workbench,
        answers: JobAnswers,
        work: WorkController,
        settings: SettingsController,
        signing: SigningController,
        patients: PatientController,
        microphones: Microphones,
        recorder: Recorder,
        open_file: Callable[[Path], object],
    ) -> None:
        super().__init__(parent)
        self._parent, self._theme, self._workbench, self._work = parent, theme, workbench, work
        self._settings, self._signing, self._patients = settings, signing, patients
        self._microphones, self._recorder, self._open_file = microphones, recorder, open_file
        self.assistant: Assistant | None = None
        settings.set_up_asked.connect(self.show_assistant)
        answers.follow(JobEvent, self._follow)
        answers.on(INSTALL, done=lambda *_: settings.show_installed(), failed=self._not_installed)
        answers.on(CHECK_SCHEMA, done=self._checked, failed=self._not_usable)

    def show_assistant(self) -> None:
        """Opens the assistant and returns at once; if it is open already, activates it."""
        if self.assistant:
            self.assistant.activateWindow()
            return
        workbench = self._workbench
        dialog = self.assistant = Assistant(
            self._theme,
            workbench.settings.current,
            self._settings.chosen_models(),
            paths.models_dir(),
            self._microphones,
            workbench.signing,
            recording=self._recorder.recording is not None,
            parent=self._parent,
        )
        dialog.signer_entered.connect(self._signing.enter)
        dialog.save_asked.connect(lambda settings: self._settings.save(settings, dialog))
        dialog.models.install_asked.connect(workbench.models.install)
        dialog.models.cancel_asked.connect(self._cancel_installations)
        dialog.schema.check_asked.connect(workbench.settings.check_schema_file)
        dialog.sample_asked.connect(lambda: self._patients.choose_sample(lambda: self._open_file(SAMPLE_DICTATION)))
        dialog.finished.connect(self._let_go)
        fit_to_screen(dialog)
        dialog.open()

    def _let_go(self) -> None:
        if self.assistant:
            self.assistant.deleteLater()
        self.assistant = None
        self._settings.forget_asking()

    def _cancel_installations(self) -> None:
        for job in self._workbench.jobs:
            if job.kind == INSTALL:
                job.cancel()

    def _follow(self, event: JobEvent) -> None:
        if not self.assistant:
            return
        if event.job.kind == INSTALL:
            self.assistant.models.take(event)
        self.assistant.models.show_models(self._settings.chosen_models())

    def _not_installed(self, _: Job[str, None], error: WardlightError) -> None:
        self._tell(error)

    def _checked(self, job: Job[Path, SchemaFacts], facts: SchemaFacts) -> None:
        if self.assistant:
            self.assistant.schema.show_facts(job.subject, facts)

    def _not_usable(self, job: Job[Path, SchemaFacts], error: WardlightError) -> None:
        if self.assistant:
            self.assistant.schema.refuse(job.subject, error)
        self._tell(error)

    def _tell(self, error: WardlightError) -> None:
        """Shows an error, unless the open assistant shows it."""
        if self.assistant:
            self._work.show()
        else:
            self._work.show_failure(error)
