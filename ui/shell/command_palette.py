"""Finds a command of the menus by its words, and does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ui.kit.actions import ONE_VALUE
from ui.kit.keys import keys_of, move_by_arrows, words_of
from ui.kit.widgets import label

_SIZE, _LINE = (560, 420), 28  # pixels
_ACTION = Qt.ItemDataRole.UserRole


class CommandPalette(QDialog):
    """Lists the actions that can be used now; Enter does the chosen one, Esc none.

    Args:
        groups: the actions by heading.
        subject: what those under ONE_VALUE act on, such as the name of the current row; empty for nothing.
    """

    def __init__(self, groups: Mapping[str, Sequence[QAction]], subject: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Find a command")
        self.resize(*_SIZE)
        self.chosen: QAction | None = None
        self._subject = subject
        self.words = QLineEdit()
        self.words.setPlaceholderText("What do you want to do?")
        self.words.setAccessibleName("Find a command")
        self.words.textChanged.connect(self._show)
        self.words.installEventFilter(self)
        self.list = QListWidget()
        move_by_arrows(self.list, self.words)
        self.list.setAccessibleName("Commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrows work from the field
        self.list.itemClicked.connect(lambda item: self._choose(item))  # noqa: PLW0108 - a bound method would keep it
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(10)
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)
        hint = QHBoxLayout()
        hint.addWidget(label("Arrows choose, Enter does it, Esc closes.", "small"))
        layout.addLayout(hint)
        self._commands = [
            (heading, action)
            for heading, actions in groups.items()
            for action in actions
            if action.isEnabled() and action.isVisible()
        ]
        self._show("")

    def _show(self, typed: str) -> None:
        """Lists the commands that have a word beginning with each one typed, in their own words or their heading."""
        wanted = typed.lower().split()

        def fits(text: str) -> bool:
            words = text.lower().split()
            return all(any(word.startswith(one) for word in words) for one in wanted)

        self.list.clear()
        for heading, action in sorted(self._commands, key=lambda one: not fits(words_of(one[1]))):
            if fits(f"{words_of(action)} {heading}"):
                about = f": {self._subject}" if self._subject and heading == ONE_VALUE else ""
                keys = ", ".join(keys_of(action))
                item = QListWidgetItem(f"{words_of(action)}{about}{f'   ({keys})' if keys else ''}")
                item.setData(_ACTION, action)
                item.setToolTip(action.statusTip())
                item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, action.statusTip())
                item.setSizeHint(QSize(0, _LINE))
                self.list.addItem(item)
        if self.list.count():
            self.list.setCurrentRow(0)
        else:
            nothing = QListWidgetItem("No matching command. Unavailable commands are hidden.")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(nothing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        entered = is_press and cast(QKeyEvent, event).key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if watched is self.words and entered:
            if item := self.list.currentItem():
                self._choose(item)
            return True
        return super().eventFilter(watched, event)

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen = item.data(_ACTION)
        if self.chosen:
            self.accept()


def find_command(groups: Mapping[str, Sequence[QAction]], subject: str, parent: QWidget) -> None:
    """Lets the user find a command and does it once the dialog is closed; for `subject` see `CommandPalette`."""
    dialog = CommandPalette(groups, subject, parent)
    dialog.exec()
    chosen = dialog.chosen
    dialog.deleteLater()
    if chosen and chosen.isEnabled():
        chosen.trigger()
