"""What went wrong or well, in plain words inside the window; never in the way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QWidget

from app.jobs import as_bug, bug_report
from models.errors import Bug
from ui.parts import button, label, lay_out_bar, restyle
from ui.theme import Theme

_ICONS = {
    "info": ("info", "accent"),
    "done": ("confirmed", "confirmed"),
    "warning": ("warning", "warning"),
    "error": ("error", "error"),
    "bug": ("bug", "error"),
}
DONE_MS = 7000


class MessageBar(QFrame):
    """One message at a time; the newest stands.

    Signals:
        closed: the person has put the message away.
    """

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self._theme = theme
        self._report = ""
        self._action: Callable[[], object] | None = None
        self._icon = QLabel()
        self._what, self._next = label(role="heading", wrap=True), label(wrap=True)
        self.act = button("", kind="primary", clicked=self._do)
        self.copy = button(
            "Cop&y report", theme.icon("copy"), tip="Copy the technical report, to send it on", clicked=self._copy
        )
        self.dismiss = button(
            "", theme.icon("close"), kind="quiet", tip="Close this message", clicked=self.close_message
        )
        lay_out_bar(self, self._icon, (self._what, self._next), (self.act, self.copy, self.dismiss))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown, empty when nothing is."""
        return f"{self._what.text()} {self._next.text()}".strip() if not self.isHidden() else ""

    def show_message(
        self, level: str, what: str, next_step: str = "", *, action: str = "", do: Callable[[], object] | None = None
    ) -> None:
        """Shows a message of the level `info`, `done`, `warning` or `error`; `done` goes away by itself."""
        self._show(level, what, next_step, action, do)

    def show_error(self, error: BaseException, *, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Shows an expected error in its own words, and anything else as the bug it is, with a report to copy."""
        known = as_bug(error)
        is_bug = isinstance(known, Bug)
        self._show("bug" if is_bug else "error", known.what, known.next_step, action, do)
        self._report = bug_report(known) if is_bug else ""
        self.copy.setVisible(is_bug)

    def close_message(self) -> None:
        self.hide()
        self.closed.emit()

    def _show(self, level: str, what: str, next_step: str, action: str, do: Callable[[], object] | None) -> None:
        self._what.setText(what)
        self._next.setText(next_step)
        self._next.setVisible(bool(next_step))
        self._icon.setPixmap(self._theme.icon(*_ICONS[level]).pixmap(24, 24))
        self._action = do
        self.act.setText(action)
        self.act.setVisible(bool(do))
        self.copy.hide()
        self._timer.stop()
        if level == "done" and not do:
            self._timer.start(DONE_MS)
        restyle(self, "level", level)
        self.show()

    def _do(self) -> None:
        action = self._action
        self.close_message()
        if action:
            action()

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._report)
        self.copy.setText("Copied")
