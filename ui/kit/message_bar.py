"""Message bar of the window: shows messages and errors without blocking it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QVBoxLayout, QWidget
from shiboken6 import isValid

from models.base.errors import Bug, WardlightError, as_bug
from ui.kit.responsive_layout import MinimumTextHeight, Scrolled
from ui.kit.theme import Theme
from ui.kit.widgets import button, label, lay_out_bar, restyle

_ICONS = {
    "info": ("info", "accent"),
    "done": ("confirmed", "confirmed"),
    "warning": ("warning", "warning"),
    "error": ("error", "error"),
    "bug": ("bug", "error"),
}
DONE_MS = 7000
_SLACK = 12  # pixels: a label that is just wide enough wraps
Holds = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _Message:
    level: str
    what: str
    next_step: str
    action: str
    do: Callable[[], object] | None
    holds: Holds | None
    now: Callable[[], WardlightError | None] | None
    report: str = ""
    place: object = None

    @property
    def fades(self) -> bool:
        return self.do is None and (self.level == "done" or (self.level == "info" and self.holds is None))


class MessageBar(QFrame):
    """Shows one message at a time: the newest, and once that is gone the one before, if it still holds.

    Its room is given: words that do not fit scroll. A confirmation disappears by itself; any other message stays until
    the user closes it or takes the action it offers, or until it no longer holds (see `check`). The focus then returns
    to where it was.

    Attributes:
        place: says what is shown, such as a dictation; None if nothing is. A message that does not say itself how long
            it holds belongs to the place where it came, and goes when another one is shown.

    Signals:
        closed: the user closed a message.
        left: a message that had the focus is gone, and the focus has nowhere to return to.
    """

    closed = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self._theme = theme
        self._messages: list[_Message] = []  # newest last; that one is shown
        self._before: QWidget | None = None  # had the focus before the bar got it
        self._icon = QLabel()
        self._what, self._next = label(role="heading", wrap=True), label(wrap=True)
        self.act = button("", kind="primary", clicked=self._do)
        self.copy = button(
            "Cop&y report", theme.icon("copy"), tip="Copy the technical report for support", clicked=self._copy
        )
        self.dismiss = button(
            "", theme.icon("close"), kind="quiet", tip="Close this message (Esc)", clicked=self.close_message
        )
        for control in (self.act, self.copy, self.dismiss):
            control.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where it is
        words = MinimumTextHeight()
        lines = QVBoxLayout(words)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addStretch(1)
        lines.addWidget(self._what)
        lines.addWidget(self._next)
        lines.addStretch(1)
        self._words = Scrolled(words)
        lay_out_bar(self, self._icon, (self._words,), (self.act, self.copy, self.dismiss), air=1)
        self.place: Callable[[], object] = lambda: None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DONE_MS)
        self._timer.timeout.connect(self._fade)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)
        self.hide()

    @property
    def text(self) -> str:
        """The text shown; empty if there is none."""
        return f"{self._what.text()} {self._next.text()}".strip() if not self.isHidden() else ""

    @property
    def whole_width(self) -> int:
        """The width from which on neither of its two texts takes more than a line."""
        longest = max(one.fontMetrics().horizontalAdvance(one.text()) for one in (self._what, self._next))
        return self.sizeHint().width() - self._words.sizeHint().width() + longest + _SLACK

    def offers(self, action: Callable[[], object]) -> bool:
        """Whether the message shown offers this action."""
        return bool(self._messages) and not self.isHidden() and self._messages[-1].do == action

    def show_message(
        self,
        level: str,
        what: str,
        next_step: str = "",
        *,
        action: str = "",
        do: Callable[[], object] | None = None,
        holds: Holds | None = None,
        now: Callable[[], WardlightError | None] | None = None,
        stays: bool = False,
    ) -> None:
        """Shows a message of the level `info`, `done`, `warning` or `error`.

        Without an action, `done` disappears by itself, and so does `info` without `holds`.

        Args:
            holds: whether the message is still true; it is removed as soon as it is not.
            now: returns the error that is now true, which replaces the text, or None to remove the message.
            stays: whether it belongs to no place.
        """
        place = None if stays or holds else self.place()
        self._put(_Message(level, what, next_step, action, do, holds, now, place=place))

    def show_error(
        self,
        error: BaseException,
        *,
        action: str = "",
        do: Callable[[], object] | None = None,
        holds: Holds | None = None,
        stays: bool = False,
    ) -> None:
        """Shows an expected error in its own words, and any other as a bug with a report to copy, which stays."""
        known = as_bug(error)
        level, report = ("bug", known.details) if isinstance(known, Bug) else ("error", "")
        place = None if stays or holds or level == "bug" else self.place()
        self._put(_Message(level, known.what, known.next_step, action, do, holds, None, report, place))

    def check(self) -> None:
        """Removes messages that no longer hold, and updates the text of those that have changed."""
        place = self.place()
        here = [message for message in self._messages if message.fades or message.place in (None, place)]
        kept = [now for message in here if (now := _as_it_is(message)) is not None]
        if kept != self._messages:
            self._messages = kept
            self._show()

    def leave_past(self) -> None:
        """Removes messages about what happened; defects stay, and those that say how long they hold."""
        self._messages = [one for one in self._messages if one.holds or one.now or one.report]
        self._show()

    def close_message(self) -> None:
        """Closes the message shown; the one before it, if any, is shown again."""
        self._messages = self._messages[:-1]
        self._show()
        self.closed.emit()

    def _put(self, message: _Message) -> None:
        others = [other for other in self._messages if not other.fades and other.what != message.what]
        self._messages = [*others, message]
        self._show()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.text))

    def _fade(self) -> None:
        self._messages = [message for message in self._messages if not message.fades]
        self._show()

    def _show(self) -> None:
        self._timer.stop()
        if not self._messages:
            self._give_keyboard_back()
            self.hide()
            return
        message = self._messages[-1]
        if message.fades:
            self._timer.start()
        self._what.setText(message.what)
        self._next.setText(message.next_step)
        self._next.setVisible(bool(message.next_step))
        self._words.setToolTip(self.text)
        self._words.verticalScrollBar().setValue(0)
        self._icon.setPixmap(self._theme.icon(*_ICONS[message.level]).pixmap(24, 24))
        for control, shown in ((self.act, message.do is not None), (self.copy, bool(message.report))):
            if not shown and control.hasFocus():
                self._give_keyboard_back()
            control.setVisible(shown)
        self.act.setText(message.action)
        self.copy.setText("Cop&y report")
        restyle(self, "level", message.level)
        self.show()

    def _follow(self, former: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self) or now is None or not self.isAncestorOf(now):
            return
        if former is not None and isValid(former) and not self.isAncestorOf(former):
            self._before = former

    def _give_keyboard_back(self) -> None:
        focus, before = QApplication.focusWidget(), self._before
        if focus is None or not self.isAncestorOf(focus):
            return
        self._before = None
        if before is not None and isValid(before) and before.isVisible() and before.isEnabled():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.left.emit()

    def _do(self) -> None:
        action = self._messages[-1].do if self._messages else None
        self._give_keyboard_back()
        self.close_message()
        if action:
            action()

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._messages[-1].report if self._messages else "")
        self.copy.setText("Copied")


def _as_it_is(message: _Message) -> _Message | None:
    """The message with its current text; None if it no longer holds."""
    if message.holds and not message.holds():
        return None
    if message.now is None:
        return message
    error = message.now()
    return replace(message, what=error.what, next_step=error.next_step) if error else None
