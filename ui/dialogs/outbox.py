"""Dialog that shows what the record system is told, and what became of it."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.record.outbox import MessageState
from app.services.delivery.jobs import OutboxLine, OutboxState
from models.base.errors import WardlightError
from ui.kit.theme import Theme
from ui.kit.widgets import button, key_hint, label
from ui.kit.words import identity_text, plural, when_text

_LINE_ROLE = Qt.ItemDataRole.UserRole
_OFF = "Nothing is sent to a record system. It is turned on in the settings, under Filing."
_ICONS = {
    MessageState.ACCEPTED: ("confirmed", "confirmed"),
    MessageState.REFUSED: ("error", "error"),
    MessageState.FAILED: ("warning", "lit"),
    MessageState.UNKNOWN: ("warning", "lit"),
    MessageState.SENT: ("running", "muted"),
    MessageState.SENDING: ("running", "muted"),
    MessageState.CANCELLED: ("rejected", "muted"),
    MessageState.ABANDONED: ("rejected", "muted"),
}


class OutboxDialog(QDialog):
    """The messages, newest first; below them what the chosen one is about.

    Signals:
        check_asked: the person wants to know now.
        retry_asked, cancel_asked: about the message with this number.
    """

    check_asked = Signal()
    retry_asked = Signal(int)
    cancel_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Outbox")
        self.setMinimumSize(760, 460)
        self._theme = theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("Outbox", "display"))
        self.summary = label("Reading the outbox…", "muted", wrap=True)
        layout.addWidget(self.summary)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Messages to the record system")
        self.tree.setHeaderLabels(["No.", "Patient", "Values", "State", "Since"])
        self.tree.setRootIsDecorated(False)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.itemSelectionChanged.connect(self._update)
        layout.addWidget(self.tree, 1)
        self.about = label(wrap=True)
        self.about.setMinimumHeight(self.about.fontMetrics().lineSpacing() * 2)
        layout.addWidget(self.about)
        self.error = label(role="error", wrap=True)
        self.error.hide()
        layout.addWidget(self.error)
        self.retry = button(
            "Send again", theme.icon("retry"), tip="Send this message again, under the same id (R)", clicked=self._retry
        )
        self.cancel = button(
            "Do not send", theme.icon("reject"), tip="Take this message out of the outbox (Del)", clicked=self._cancel
        )
        self.check = button(
            "Check now", tip="Take answers and send what can be sent (F5)", clicked=self.check_asked.emit
        )
        for key, one in (("R", self.retry), ("Del", self.cancel), ("F5", self.check)):
            key_hint(one, key)
            QShortcut(QKeySequence(key), self).activated.connect(one.click)
        self.close_button = button("Close", tip="Close (Esc)", clicked=self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.retry)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.check)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout.addLayout(buttons)
        self._update()
        self.resize(1000, 600)
        self.tree.setFocus()

    @property
    def chosen(self) -> OutboxLine | None:
        items = self.tree.selectedItems()
        line: OutboxLine | None = items[0].data(0, _LINE_ROLE) if items else None
        return line

    def show_state(self, state: OutboxState) -> None:
        """Shows what is in the outbox, and stays at the message that was chosen."""
        before, now = self.chosen, datetime.now(UTC)
        self.error.hide()
        self.summary.setText(_summary(state))
        self.check.setEnabled(state.on)
        self.tree.blockSignals(True)
        self.tree.clear()
        for line in state.lines:
            message = line.message
            texts = [
                str(message.number),
                identity_text(line.patient),
                line.told_words,
                line.state_words.capitalize(),
                when_text(message.since, now),
            ]
            item = QTreeWidgetItem(texts)
            item.setData(0, _LINE_ROLE, line)
            item.setIcon(3, self._theme.icon(*_ICONS.get(message.state, ("waiting", "muted"))))
            for column, text in enumerate(texts):
                item.setToolTip(column, text)
            self.tree.addTopLevelItem(item)
            if before and before.message.number == message.number:
                self.tree.setCurrentItem(item)
        if not self.chosen and (first := self._first(state)):
            self.tree.setCurrentItem(first)
        self.tree.blockSignals(False)
        self._update()

    def show_error(self, error: WardlightError) -> None:
        """Shows why something could not be done."""
        self.error.setText(str(error))
        self.error.show()

    def _first(self, state: OutboxState) -> QTreeWidgetItem | None:
        """The first refused message, which waits for a person; without one, the newest."""
        refused = (place for place, one in enumerate(state.lines) if one.message.state is MessageState.REFUSED)
        return self.tree.topLevelItem(next(refused, 0))

    def _update(self) -> None:
        line = self.chosen
        state = line.message.state if line else None
        self.retry.setEnabled(state is not None and not state.settled and state is not MessageState.QUEUED)
        self.cancel.setEnabled(state is not None and not state.settled)
        self.about.setText(_about(line) if line else "")

    def _retry(self) -> None:
        if self.chosen:
            self.retry_asked.emit(self.chosen.message.number)

    def _cancel(self) -> None:
        if self.chosen:
            self.cancel_asked.emit(self.chosen.message.number)


def _summary(state: OutboxState) -> str:
    if not state.lines:
        return "No messages yet." if state.on else _OFF
    refused = f"{plural(state.refused, 'message')} refused" if state.refused else ""
    waiting = f"{plural(state.open - state.refused, 'message')} on the way" if state.open > state.refused else ""
    held = "Sign-in refused: nothing is sent until that message is sent again" if state.held else ""
    words = " · ".join(filter(None, (held or refused, waiting))) or "Everything was accepted or taken out."
    return words if state.on else f"{_OFF} {words}"


def _about(line: OutboxLine) -> str:
    message, now = line.message, datetime.now(UTC)
    about = f"Dictation {message.dictation_id}"
    about += f", {line.dictation}." if line.dictation else ", which was deleted."
    due = f"Tried again at {when_text(message.due, now)}." if message.due else ""
    return " ".join(filter(None, (about, message.reason, due)))
