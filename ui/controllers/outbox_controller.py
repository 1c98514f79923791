"""Sends what is in the outbox while the window is open, and shows what became of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer

from app.services.delivery.jobs import OutboxState
from app.services.engine.job_lanes import Job
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.outbox import OutboxDialog
from ui.kit.question import ask
from ui.kit.responsive_layout import accepted

EVERY_MS = 30_000


class OutboxController(Controller):
    """Asks for answers regularly; one job at a time, however long the folder takes."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._dialog: OutboxDialog | None = None
        self._running: Job[None, OutboxState] | None = None
        self._told = ""  # the failure shown last
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._deliver_regularly)
        self._page.filed.outbox_asked.connect(self.show_dialog)

    def start(self) -> None:
        """Shows what is in the outbox, and sends regularly if the settings in force say so."""
        if self._workbench.delivery.on:
            self._timer.start()
        else:
            self._timer.stop()
        self.deliver()

    def deliver(self) -> None:
        """Takes answers, sends what can be sent, and shows what is in the outbox."""
        if self._workbench.ready:
            self._watch(self._workbench.delivery.deliver())

    def show_dialog(self) -> None:
        """Shows the outbox until it is closed."""
        if self._dialog or not self._workbench.ready:
            return
        self._dialog = dialog = OutboxDialog(self._theme, self._parent)
        dialog.check_asked.connect(self.deliver)
        dialog.retry_asked.connect(lambda number: self._decide(lambda: self._workbench.delivery.retry(number)))
        dialog.cancel_asked.connect(self._ask_to_cancel)
        self.deliver()
        accepted(dialog)
        self._dialog = None

    def _ask_to_cancel(self, number: int) -> None:
        sure = ask(
            self._dialog or self._parent,
            f"Take message {number} out of the outbox?",
            "The record system is not told what it says, unless it already has it. "
            "To tell it later, reopen the dictation and file it again.",
            {"Do &not send": True},
        )
        if sure:
            self._decide(lambda: self._workbench.delivery.cancel(number))

    def _decide(self, decide: Callable[[], Job[None, OutboxState]]) -> None:
        unless_unsigned(lambda: self._watch(decide()))

    def _deliver_regularly(self) -> None:
        if self._running is None or self._running.ended:
            self.deliver()

    def _watch(self, job: Job[None, OutboxState]) -> None:
        self._running = self._jobs.watch(job, done=self._show, failed=self._failed)

    def _show(self, state: OutboxState) -> None:
        self._told = ""
        self._page.filed.show_outbox(state)
        if self._dialog:
            self._dialog.show_state(state)

    def _failed(self, error: WardlightError) -> None:
        if self._dialog:
            self._dialog.show_error(error)
        elif self._told != str(error):  # not again every half a minute
            self._message.show_error(error)
        self._told = str(error)
