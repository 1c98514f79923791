"""Handles the opening of the workbench, the settings and their dialog, and the state of the models."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal

from app.record.errors import StorageError
from app.services.engine.engine import ModelState
from app.system.settings import Settings
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.controllers.work_controller import WorkController
from ui.kit.responsive_layout import accepted, is_open
from ui.kit.words import ROLE_WORDS, plural
from ui.patients.banner import Banner
from ui.recording.microphone import Microphones
from ui.settings.settings_dialog import SCALES, SettingsDialog
from ui.setup.assistant import Assistant

MISSING = "Not installed yet:"


class SettingsController(Controller):
    """Shows and saves the settings, and applies them to the window.

    Signals:
        opened: store, schema and models are available.
        in_force: the settings or models in force may have changed.
        theme_chosen: a theme was chosen (its name in the settings).
        set_up_asked: the first-run set-up is not finished yet.
        restart_asked: Wardlight is to close and to open again.
    """

    opened = Signal()
    in_force = Signal()
    theme_chosen = Signal(str)
    set_up_asked = Signal()
    restart_asked = Signal()

    def __init__(
        self,
        context: WindowContext,
        work: WorkController,
        navigation: Navigation,
        microphones: Microphones,
        banner: Banner,
    ) -> None:
        super().__init__(context)
        self._work, self._navigation, self._microphones, self._banner = work, navigation, microphones, banner
        self._pending: Settings | None = None  # chosen by key or menu, and not saved yet
        self._running_scale = self._workbench.settings.current.scale
        self._device_note = ""
        work.changed.connect(self._show_device_note)
        banner.flowsheet_asked.connect(self.show_flowsheet)

    def open_workbench(self) -> None:
        """Opens store, schema and models, then shows what they hold."""
        self._jobs.watch(self._workbench.open(), done=self._opened, failed=self._not_opened)

    # the dialog

    def show_flowsheet(self) -> None:
        """Shows the settings at the flowsheet in use."""
        self.show_dialog(at_flowsheet=True)

    def show_dialog(self, *, at_flowsheet: bool = False) -> None:
        """Shows the settings dialog until it is closed, or its settings are saved and in force."""
        workbench = self._workbench
        dialog = SettingsDialog(
            self._theme,
            workbench.settings.current,
            workbench.models.all,
            self._microphones,
            recording=self._recorder.recording is not None,
            parent=self._parent,
        )
        dialog.save_asked.connect(lambda settings: self.save(settings, dialog))
        dialog.install_asked.connect(self._install)
        if workbench.ready:
            self._jobs.watch(
                workbench.settings.preview_lights(dialog.lights.alphas, dialog.lights.weights),
                done=dialog.lights.show_prospect,
                failed=partial(_show_no_preview, dialog),
            )
        else:
            dialog.lights.show_unknown("The chart could not be opened yet.")
        if at_flowsheet:
            dialog.schema.setFocus()
        accepted(dialog)

    def save(self, settings: Settings, asking: SettingsDialog | Assistant | None = None) -> None:
        """Saves settings; if they are refused, the dialog that is `asking` shows the error, unless it was closed."""
        self._jobs.watch(
            self._workbench.settings.apply(settings),
            done=lambda _: self._saved(settings, asking),
            failed=lambda error: self._refused(settings, asking, error),
        )

    def _install(self, model_id: str, source: Path | None) -> None:
        self._jobs.watch(self._workbench.models.install(model_id, source), done=lambda _: self.show_installed())

    # results

    def choose_theme(self, choice: str) -> None:
        """Switches the window to a theme and saves the choice."""
        self._show_theme(choice)
        if self._workbench.ready and self._chosen.theme != choice:
            self._choose(theme=choice)

    def zoom(self, step: int) -> None:
        """Chooses the next larger (1) or smaller (-1) size of text and buttons, or the usual one (0).

        Qt takes the size at the start only, so a message offers to restart.
        """
        if not self._workbench.ready:
            return
        before = self._chosen.scale
        larger = [scale for scale in SCALES if scale > before]
        smaller = [scale for scale in SCALES if scale < before]
        scale = {1: larger[:1], -1: smaller[-1:], 0: list(SCALES[:1])}[step]
        if not scale:
            limit = "largest" if step > 0 else "smallest"
            self._message.show_message("info", f"{before}% is the {limit} size of text and buttons.")
            return
        if scale[0] != before:
            self._choose(scale=scale[0])
        said = f"Text and buttons: {scale[0]}%."
        if scale[0] == self._running_scale:
            self._message.show_message("info", said)
            return
        self._message.show_message(
            "info",
            said,
            "Takes effect when Wardlight restarts.",
            action="R&estart now",
            do=self.restart_asked.emit,
            holds=lambda: self._chosen.scale == scale[0],
        )

    @property
    def _chosen(self) -> Settings:
        """The settings as they are once everything that was chosen is saved."""
        return self._pending or self._workbench.settings.current

    def _choose(self, **changed: Any) -> None:
        self._pending = replace(self._chosen, **changed)
        self.save(self._pending)

    def show_installed(self) -> None:
        """Updates the window after a model was installed."""
        self._put_in_force()
        self._read_all()
        self._work.show()

    def _opened(self, _: None) -> None:
        self._running_scale = self._workbench.settings.current.scale
        self._put_in_force()
        self.opened.emit()
        self._page.evidence.player.look_ahead()
        self._read_all()
        if not self._workbench.settings.current.setup_finished:
            self.set_up_asked.emit()
        self._work.show()

    def _not_opened(self, error: WardlightError) -> None:
        self.show_machine()
        again = isinstance(error, StorageError) or error.retryable
        action, do = ("R&etry", self.open_workbench) if again else ("Settin&gs…", self.show_dialog)
        self._message.show_error(error, action=action, do=do, holds=lambda: not self._workbench.ready)

    def _saved(self, settings: Settings, asking: SettingsDialog | Assistant | None) -> None:
        self._forget_pending(settings)
        self._put_in_force()
        self._read_all()
        if isinstance(asking, SettingsDialog) and is_open(asking):
            asking.accept()
        if self._selection.dictation_id and self._page.lit_otherwise(self._workbench.settings.current):
            self._navigation.load_sheet(self._selection.dictation_id)
        self._work.show()

    def _forget_pending(self, settings: Settings) -> None:
        if settings is self._pending:
            self._pending = None

    def _refused(self, settings: Settings, asking: SettingsDialog | Assistant | None, error: WardlightError) -> None:
        self._forget_pending(settings)
        if asking and is_open(asking):
            asking.show_error(error)
        else:
            self._work.show_failure(error)

    def _put_in_force(self) -> None:
        self.show_machine()
        schema = self._workbench.workspace.schema
        origin = ", imported from your record system" if self._workbench.contracts.in_use else ""
        self._banner.show_flowsheet(schema.name, f"{plural(len(schema.rows), 'row')}, version {schema.version}{origin}")
        self._show_theme(self._workbench.settings.current.theme)
        self.in_force.emit()
        self._work.delete_expired()

    def _read_all(self) -> None:
        self._navigation.analyse_recent_reviews()
        self._navigation.load_overview()
        self._workbench.models.preload()

    def _show_theme(self, choice: str) -> None:
        self._theme.choose(choice)
        self.theme_chosen.emit(choice)

    # models

    def show_machine(self) -> None:
        """Shows the chosen models and their device, and warns about missing models."""
        workbench = self._workbench
        chosen = self.chosen_models()
        lines = [f"{ROLE_WORDS[model.role]}: {model.title} ({model.status})" for model in chosen]
        where = {"GPU": "Runs on the graphics card.", "CPU": "Runs on the processor."}.get(workbench.models.device, "")
        self._banner.show_machine(
            "\n".join([*lines, workbench.models.device_note or where]), delivers=workbench.settings.current.delivery.on
        )
        missing = self._missing_models()
        if missing and workbench.ready:
            names = ", ".join(model.title for model in missing)
            self._message.show_message(
                "warning",
                f"{MISSING} {names}.",
                "Recordings are kept and filled once the models are installed.",
                action="Settin&gs…",
                do=self.show_dialog,
                holds=lambda: self._missing_models() == missing,
            )

    def _show_device_note(self) -> None:
        """Says once that models are not on the graphics card, which is known when they are loaded or have stopped."""
        note = self._workbench.models.device_note
        if note == self._device_note:
            return
        self._device_note = note
        self.show_machine()
        if note:
            self._message.show_message("warning", note, holds=lambda: self._workbench.models.device_note == note)

    def chosen_models(self) -> list[ModelState]:
        """The chosen model of each role; empty until the manifest is read."""
        chosen = (self._workbench.models.chosen(role) for role in ROLE_WORDS)
        return [model for model in chosen if model]

    def _missing_models(self) -> list[ModelState]:
        return [model for model in self.chosen_models() if model.status != "installed"]


def _show_no_preview(dialog: SettingsDialog, error: WardlightError) -> None:
    if is_open(dialog):
        dialog.lights.show_unknown(str(error))
