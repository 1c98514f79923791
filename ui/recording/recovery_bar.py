"""Offers to keep or discard a recording that was interrupted by the end of the program."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.services.intake.jobs import Unfinished
from ui.kit.question import ask
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, label, lay_out_bar, restyle
from ui.kit.words import identity_text, length_text, when_text


class RecoveryBar(QFrame):
    """Shows one recording at a time, until each was decided on.

    Signals: `keep_asked`, `discard_asked` (Unfinished).
    """

    keep_asked = Signal(object)
    discard_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self.setAccessibleName("Unfinished recording")
        restyle(self, "level", "warning")
        self._recordings: list[Unfinished] = []
        self._what, self._next = label(role="heading", wrap=True), label(wrap=True)
        self.keep = button(
            "&Keep and transcribe",
            kind="primary",
            tip="Save it as a dictation and transcribe it",
            clicked=lambda: self._decide(discard=False),
        )
        self.discard = button(
            "Discard…", tip="Delete this recording permanently; asks first", clicked=lambda: self._decide(discard=True)
        )
        icon = IconLabel(theme.icon("recording", "warning"), 24)
        lay_out_bar(self, icon, (self._what, self._next), (self.discard, self.keep))
        self.hide()

    @property
    def text(self) -> str:
        """The words shown; empty while the bar is hidden."""
        return f"{self._what.text()} {self._next.text()}" if not self.isHidden() else ""

    def show_recordings(self, recordings: Sequence[Unfinished]) -> None:
        """Offers the recordings one after the other."""
        self._recordings = list(recordings)
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._recordings))
        if not self._recordings:
            return
        first = self._recordings[0]
        head = first.kept.head
        who = f"about {identity_text(first.patient)}" if first.patient else "about an unknown patient"
        when = when_text(head.started_at, datetime.now(UTC))
        self._what.setText(f"A recording {who} was not finished.")
        more = f" {len(self._recordings) - 1} more to follow." if len(self._recordings) > 1 else ""
        self._next.setText(f"It started at {when} and lasts {length_text(first.kept.seconds)}.{more}")

    def _decide(self, *, discard: bool) -> None:
        first = self._recordings[0]
        about = f"{self._what.text()} This cannot be undone."
        if discard and not ask(self, "Discard the recording?", about, {"&Discard": True}):
            return
        del self._recordings[0]
        self._show()
        (self.discard_asked if discard else self.keep_asked).emit(first)
