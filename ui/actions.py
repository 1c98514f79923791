"""The menus with their keys: everything that can be done stands here, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from ui.settings_dialog import THEMES
from ui.theme import Theme


@dataclass(frozen=True)
class Does:
    """What each menu entry does."""

    record: Callable[[], object]
    pause: Callable[[], object]
    open: Callable[[], object]
    patient: Callable[[], object]
    export: Callable[[], object]
    settings: Callable[[], object]
    quit: Callable[[], object]
    value: Callable[[str], object]  # accept, reject, edit or play the chosen value
    next_lit: Callable[[], object]
    accept_all: Callable[[], object]
    undo: Callable[[], object]
    add: Callable[[], object]
    maybe: Callable[[], object]
    uncharted: Callable[[], object]
    cancel: Callable[[], object]
    theme: Callable[[str], object]
    keys: Callable[[], object]
    set_up: Callable[[], object]
    about: Callable[[], object]


class Actions:
    """The window's actions; which of them can be used depends on what is shown."""

    def __init__(self, window: QMainWindow, theme: Theme, does: Does) -> None:
        self._window, self._theme = window, theme
        self.all: list[QAction] = []
        bar = window.menuBar()
        file = bar.addMenu("&File")
        self.record = self._add(file, "&Record", "record", "", does.record)
        self.pause = self._add(file, "Pa&use the recording", "pause", "", does.pause)
        for action in (self.record, self.pause):
            action.setAutoRepeat(False)
        file.addSeparator()
        self.open = self._add(file, "&Open recording or text…", "open", "Ctrl+O", does.open)
        self.patient = self._add(file, "&Patient…", "patient", "Ctrl+P", does.patient)
        file.addSeparator()
        self.export = self._add(file, "&Export…", "export", "Ctrl+E", does.export)
        file.addSeparator()
        self.settings = self._add(file, "&Settings…", "settings", "Ctrl+,", does.settings)
        self._add(file, "&Quit", "", "Ctrl+Q", does.quit)

        review = bar.addMenu("Revie&w")
        # the keys of the first five belong to the flowsheet: a letter typed into an editor must stay a letter
        self.of_value = [
            self._add(review, "&Accept and go on\tEnter, A", "accept", "", lambda: does.value("accept")),
            self._add(review, "&Reject\tR", "reject", "", lambda: does.value("reject")),
            self._add(review, "&Edit\tE, F2", "edit", "", lambda: does.value("edit")),
            self._add(review, "&Play what was said\tSpace", "play", "", lambda: does.value("play")),
        ]
        self.next_lit = self._add(review, "Go to the next &lit value\tL", "next-lit", "", does.next_lit)
        review.addSeparator()
        self.accept_all = self._add(review, "Accept all that are &sure", "accept-all", "Ctrl+Shift+A", does.accept_all)
        self.undo = self._add(review, "&Undo", "undo", "Ctrl+Z", does.undo)
        self.add = self._add(review, "A&dd a row…", "add", "Ctrl+F", does.add)
        self.maybe = self._add(review, "&Maybe said", "", "Ctrl+M", does.maybe)
        self.uncharted = self._add(review, "Said, &not charted", "", "Ctrl+N", does.uncharted)
        review.addSeparator()
        self.cancel = self._add(review, "&Cancel the work", "stop", "Esc", does.cancel)

        view = bar.addMenu("&View")
        group = QActionGroup(window)
        self.themes: dict[str, QAction] = {}
        for choice, words in THEMES.items():
            action = self._add(view, f"&{words}", "", "", partial(does.theme, choice))
            action.setCheckable(True)
            action.setChecked(theme.choice == choice)
            group.addAction(action)
            self.themes[choice] = action

        helping = bar.addMenu("&Help")
        self._add(helping, "&Keys", "info", "F1", does.keys)
        self._add(helping, "&Set up Wardlight…", "settings", "", does.set_up)
        self._add(helping, "&About Wardlight", "", "", does.about)

    def set_record_key(self, key: str, *, held: bool) -> None:
        """Gives the recording its keys; one that is to be held is the window's to watch."""
        self.record.setShortcut(QKeySequence("" if held else key))
        self.record.setText(f"&Record\tHold {key}" if held else "&Record")
        self.pause.setShortcut(QKeySequence(f"Shift+{key}"))

    def _add(self, menu: QMenu, words: str, icon: str, key: str, do: Callable[[], object]) -> QAction:
        action = QAction(words, self._window)
        if icon:
            action.setIcon(self._theme.icon(icon))
        if key:
            action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda: do())  # noqa: PLW0108 - `do` takes no `checked`
        menu.addAction(action)
        self.all.append(action)
        return action
