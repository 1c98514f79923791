"""The buttons and keys that begin and end a recording."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence, QShortcut

from ui.controllers.controller import WindowContext
from ui.controllers.intake_controller import IntakeController
from ui.kit.focus import press_on_purpose_only
from ui.kit.widgets import key_hint
from ui.patients.banner import Banner
from ui.patients.side_bar import SideBar
from ui.patients.start_page import StartPage
from ui.shell.actions import Actions


class RecordControls:
    """Gives the controls the key from the settings, to press or to hold, and enables those that can be used."""

    def __init__(
        self,
        context: WindowContext,
        actions: Actions,
        intake: IntakeController,
        side: SideBar,
        start: StartPage,
        banner: Banner,
    ) -> None:
        self._workbench, self._actions, self._recorder = context.workbench, actions, context.recorder
        self._labelled = (side.record, start.record)
        self._buttons = (*self._labelled, banner.record)
        for button in self._buttons:
            press_on_purpose_only(button)
        self._held_key = QShortcut(context.window)
        self._held_key.setAutoRepeat(False)
        self._held_key.activated.connect(intake.record_while_held)
        side.record_asked.connect(intake.record_or_finish)
        start.record_asked.connect(intake.record_or_finish)
        banner.record_asked.connect(intake.record_or_finish)

    def use_key(self) -> None:
        """Applies the key from the settings."""
        settings = self._workbench.settings.current
        self._actions.set_record_key(settings.record_key, held=settings.hold_to_talk)
        self._held_key.setKey(QKeySequence(settings.record_key))
        self._recorder.bar.set_key(settings.record_key)
        for button in self._labelled:
            key_hint(button, settings.record_key)
        for button in self._buttons:
            button.setToolTip(f"Record with the microphone ({settings.record_key})")
            button.setAccessibleDescription(button.toolTip())

    def update(self) -> None:
        """Enables the controls that can be used now and disables the others."""
        ready = self._workbench.ready
        idle = self._recorder.recording is None
        for button in self._buttons:
            button.setEnabled(ready and idle)
        self._held_key.setEnabled(ready and self._workbench.settings.current.hold_to_talk)
