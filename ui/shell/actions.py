"""Menus and shortcuts, made of the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter

from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu

from ui.kit.actions import ACTIONS, BY_ID, DICTATION, FILE, HELP, PATIENT, REVIEW, VIEW, Action, ViewState
from ui.kit.keys import native
from ui.kit.theme import Theme

MENUS = (FILE, PATIENT, DICTATION, REVIEW, VIEW, HELP)


class Actions:
    """The actions of the table as entries of menus; `actions["undo"]` is the one with that id.

    Args:
        window: has the methods that the table names.
        refuse_change: says that the sheet shown is filed.

    Attributes:
        groups: all actions by heading, in the order of the list of keys.
    """

    def __init__(self, window: QMainWindow, theme: Theme, refuse_change: Callable[[], object]) -> None:
        self._window, self._theme, self._refuse_change = window, theme, refuse_change
        self._state = ViewState()
        self._menus: dict[tuple[str, ...], QMenu] = {}
        self._exclusive: dict[str, QActionGroup] = {}
        self._actions: dict[str, QAction] = {}
        self.groups: dict[str, list[QAction]] = {}
        for menu in MENUS:
            self._menus[menu] = QMenu(menu[0], window)
            window.menuBar().addMenu(self._menus[menu])
        for entry in ACTIONS:
            self._add(entry)
        changing = [self[entry.id].shortcut() for entry in ACTIONS if entry.changes]
        self._refused_keys = [QShortcut(keys, window) for keys in changing if not keys.isEmpty()]
        for refused in self._refused_keys:
            refused.activated.connect(refuse_change)

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    @property
    def all(self) -> list[QAction]:
        """All actions, in the order of the list of keys."""
        return [action for group in self.groups.values() for action in group]

    def update(self, state: ViewState) -> None:
        """Enables what is possible. On a filed sheet, the keys of what would change it say that it is filed."""
        self._state = state
        for entry in ACTIONS:
            self[entry.id].setEnabled(entry.possible(state))
            self[entry.id].setVisible(entry.shown(state))
        for refused in self._refused_keys:
            refused.setEnabled(state.reviewable and state.filed)

    def trigger(self, action_id: str) -> None:
        """Does the action of a flowsheet key if it is possible, or says that the sheet is filed."""
        if self._state.reviewable and self._state.filed and BY_ID[action_id].changes:
            self._refuse_change()
        else:
            self[action_id].trigger()

    def trigger_whose(self, action_id: str) -> None:
        """Does the action of a flowsheet key, if it answers whose dictation it is."""
        if action_id.startswith("whose-"):
            self.trigger(action_id)

    def set_record_key(self, key: str, *, held: bool) -> None:
        """Sets the keys of recording; a key to be held is handled by `RecordControls` instead."""
        record = self["record"]
        record.setShortcut(QKeySequence("" if held else key))
        record.setText(f"{BY_ID['record'].text}\tHold {key}" if held else BY_ID["record"].text)
        self["pause"].setShortcut(QKeySequence(f"Shift+{key}"))

    def _add(self, entry: Action) -> None:
        action = QAction(_text(entry), self._window)
        if entry.icon:
            action.setIcon(self._theme.icon(entry.icon))
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setStatusTip(entry.help)
        action.setAutoRepeat(False)  # each decision needs its own key press
        action.setCheckable(entry.toggles or entry.one_of)
        do = attrgetter(entry.do)(self._window)
        if entry.toggles:
            action.toggled.connect(do)
        else:
            do = do if entry.argument is None else partial(do, entry.argument)
            action.triggered.connect(lambda: do())  # noqa: PLW0108 - `do` takes no `checked`
        if entry.one_of:
            group = self._exclusive.setdefault(entry.heading, QActionGroup(self._window))
            group.addAction(action)
        if entry.separated:
            self._menu(entry.menu if entry.menu in self._menus else entry.menu[:-1]).addSeparator()
        self._menu(entry.menu).addAction(action)
        self.groups.setdefault(entry.heading, []).append(action)
        self._actions[entry.id] = action

    def _menu(self, path: tuple[str, ...]) -> QMenu:
        if path not in self._menus:
            self._menus[path] = self._menu(path[:-1]).addMenu(path[-1])
        return self._menus[path]


def _text(entry: Action) -> str:
    """The text of a menu entry. Qt adds the shortcuts of the window itself, but would call Enter Return."""
    keys = [native(QKeySequence(key)) for key in entry.keys]
    if entry.letters or entry.other_key or any("Enter" in key for key in keys):
        return entry.text + "\t" + ", ".join([*entry.letters, *keys, *([entry.other_key] if entry.other_key else [])])
    return entry.text
