"""Opens the first-run assistant, carries out its requests, and shows the results in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.services.engine.job_lanes import JobEvent
from app.services.settings.jobs import INSTALL, SchemaFacts
from app.system import paths
from models.base.errors import WardlightError
from resources import SAMPLE_DICTATION
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.patient_controller import PatientController
from ui.controllers.settings_controller import SettingsController
from ui.controllers.signing_controller import SigningController
from ui.controllers.work_controller import WorkController
from ui.kit.responsive_layout import fit_to_screen
from ui.recording.microphone import Microphones
from ui.setup.assistant import Assistant


class SetUpController(Controller):
    """Shows the assistant.

    Args:
        open_file: imports a file for the chosen patient.

    Attributes:
        assistant: the open assistant; None if there is none.
    """

    def __init__(
        self,
        context: WindowContext,
        work: WorkController,
        settings: SettingsController,
        signing: SigningController,
        patients: PatientController,
        microphones: Microphones,
        open_file: Callable[[Path], object],
    ) -> None:
        super().__init__(context)
        self._work, self._settings, self._signing, self._patients = work, settings, signing, patients
        self._microphones, self._open_file = microphones, open_file
        self.assistant: Assistant | None = None
        settings.set_up_asked.connect(self.show_assistant)
        self._jobs.on(JobEvent, self._follow)

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
        dialog.models.install_asked.connect(self._install)
        dialog.models.cancel_asked.connect(self._cancel_installations)
        dialog.schema.check_asked.connect(self._check_schema)
        dialog.sample_asked.connect(lambda: self._patients.choose_sample(lambda: self._open_file(SAMPLE_DICTATION)))
        dialog.finished.connect(self._let_go)
        fit_to_screen(dialog)
        dialog.open()

    def _let_go(self) -> None:
        if self.assistant:
            self.assistant.deleteLater()
        self.assistant = None

    def _install(self, model_id: str, source: Path | None) -> None:
        self._jobs.watch(
            self._workbench.models.install(model_id, source),
            done=lambda _: self._settings.show_installed(),
            failed=self._tell,
        )

    def _check_schema(self, path: Path) -> None:
        self._jobs.watch(
            self._workbench.settings.check_schema_file(path),
            done=partial(self._checked, path),
            failed=partial(self._not_usable, path),
        )

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

    def _checked(self, path: Path, facts: SchemaFacts) -> None:
        if self.assistant:
            self.assistant.schema.show_facts(path, facts)

    def _not_usable(self, path: Path, error: WardlightError) -> None:
        if self.assistant:
            self.assistant.schema.refuse(path, error)
        self._tell(error)

    def _tell(self, error: WardlightError) -> None:
        """Shows an error, unless the open assistant shows it."""
        if self.assistant:
            self._work.show()
        else:
            self._work.show_failure(error)
