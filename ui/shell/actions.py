"""The menus of the window with their keys; they cover everything that can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from ui.kit.keys import FLOWSHEET_KEYS, native
from ui.kit.theme import Theme
from ui.settings.settings_dialog import THEMES
from ui.shell.command_palette import VALUE

Do = Callable[[], object]


@dataclass(frozen=True)
class Does:
    """What each menu entry does."""

    record: Do
    pause: Do
    open: Do
    patient: Do
    patients: Do
    new_patient: Do
    edit_patient: Do
    transfer: Do
    discharge: Do
    readmit: Do
    import_list: Do
    side: Do
    export: Do
    settings: Do
    quit: Do
    value: Callable[[str], object]  # accept, reject, edit, observed, play, keep, ..., see `ReviewPage.act`
    step: Callable[[int], object]  # 1: next value, -1: previous value
    next_lit: Do
    accept_rest: Do
    undo: Do
    file: Do
    file_elsewhere: Do
    reopen: Do
    whose: Callable[[str], object]  # words, other or same, see `IdentityBar.press`
    rename: Do
    time: Do
    move: Do
    delete: Do
    details: Do
    add: Do
    maybe: Do
    uncharted: Do
    missing: Do
    history: Callable[[bool], object]
    chart: Do
    graph: Do
    cancel: Do
    close_message: Do
    theme: Callable[[str], object]
    zoom: Callable[[int], object]  # 1: larger, -1: smaller, 0: usual size
    keys: Do
    command: Do
    guide: Do
    signer: Do
    set_up: Do
    about: Do


class Actions:
    """The window's actions; what is shown decides which are enabled (see `ActionStates`).

    Attributes:
        groups: all actions by heading, in the order of the key overlay.
    """

    def __init__(self, window: QMainWindow, theme: Theme, does: Does) -> None:
        self._window, self._theme = window, theme
        self.groups: dict[str, list[QAction]] = {}
        self._named: dict[str, QAction] = {}
        bar = window.menuBar()

        # flowsheet keys are not shortcuts of the window: a letter typed into an editor must stay a letter
        review, values = QMenu("Revie&w", window), VALUE
        self.of_value = [
            self._add(
                review, values, "&Accept and go to next", "accept", "", lambda: does.value("accept"), name="accept"
            ),
            self._add(
                review,
                values,
                "A&ccept the whole sentence",
                "accept-all",
                "",
                lambda: does.value("sentence"),
                name="sentence",
            ),
            self._add(review, values, "&Reject", "reject", "", lambda: does.value("reject"), name="reject"),
            self._add(review, values, "&Edit", "edit", "", lambda: does.value("edit"), name="edit"),
            self._add(
                review, values, "Set the observed &time", "", "", lambda: does.value("observed"), name="observed"
            ),
            self._add(review, values, "Choose an&other reading\t1 to 9", "", "", lambda: does.value("other")),
            self._add(
                review,
                values,
                "Sa&y another value (hold the key)",
                "record",
                "",
                lambda: does.value("speak"),
                name="speak",
            ),
            self._add(review, values, "&Play what was said", "play", "", lambda: does.value("play"), name="play"),
        ]
        self.sentence = self.of_value[1]
        review.addSeparator()
        self.of_conflict = [
            self._add(review, values, "&Keep charted value", "", "", lambda: does.value("keep"), name="keep"),
            self._add(
                review, values, "Replace w&ith this value", "", "", lambda: does.value("replace"), name="replace"
            ),
        ]
        review.addSeparator()
        going, go_to = "Move", review.addMenu("&Go to")
        self.steps = [
            self._add(go_to, going, "Ne&xt value\tDown", "", "", lambda: does.step(1)),
            self._add(go_to, going, "Pre&vious value\tUp", "", "", lambda: does.step(-1)),
        ]
        self.next_lit = self._add(go_to, going, "Next f&lagged", "next-lit", "", does.next_lit, name="next-lit")
        self.maybe = self._add(go_to, going, "Possible &mentions", "", "Ctrl+M", does.maybe)
        self.uncharted = self._add(go_to, going, "Said but &not charted", "", "Ctrl+N", does.uncharted)
        self.missing = self._add(go_to, going, "Required &but missing", "", "Ctrl+J", does.missing)
        whose = "Whose dictation"
        asked = review.addMenu("&Whose dictation")
        self.of_identity = [
            self._add(
                asked,
                whose,
                "Play the words in &question",
                "play",
                "",
                lambda: does.whose("words"),
                name="whose-words",
            ),
            self._add(
                asked,
                whose,
                "&Move to another patient",
                "patient",
                "",
                lambda: does.whose("other"),
                name="whose-other",
            ),
            self._add(
                asked,
                whose,
                "&Yes, it is this patient",
                "confirmed",
                "",
                lambda: does.whose("same"),
                name="whose-same",
            ),
        ]
        review.addSeparator()
        whole = "The whole dictation"
        self.accept_rest = self._add(
            review, whole, "Accept the re&st", "accept-all", "Ctrl+Shift+A", does.accept_rest, name="accept-rest"
        )
        self.undo = self._add(review, whole, "&Undo", "undo", "Ctrl+Z", does.undo, name="undo")
        self.add = self._add(review, whole, "A&dd a row…", "add", "Ctrl+F", does.add)

        dictation, kept = QMenu("&Dictation", window), "Dictations"
        self.file = self._add(dictation, whole, "Sign and &file", "filed", "Ctrl+Return", does.file, name="file")
        self.file_elsewhere = self._add(
            dictation, whole, "File elsew&here…\tCtrl+Shift+Enter", "folder", "Ctrl+Shift+Return", does.file_elsewhere
        )
        self.reopen = self._add(dictation, whole, "Reopen what is fi&led", "retry", "Ctrl+R", does.reopen)
        dictation.addSeparator()
        self.of_dictation = [
            self._add(dictation, kept, "&Rename…\tF2 in the list", "edit", "", does.rename),
            self._add(dictation, kept, "Change the t&ime…", "history", "", does.time),
            self._add(dictation, kept, "&Move to another patient…", "patient", "Ctrl+Shift+M", does.move),
            self._add(dictation, kept, "&Delete…\tDel in the list", "reject", "", does.delete),
            self._add(dictation, kept, "De&tails", "info", "Ctrl+I", does.details),
        ]

        file, begin = QMenu("&File", window), "Record and open"
        self.record = self._add(file, begin, "&Record", "record", "", does.record)
        self.pause = self._add(file, begin, "Pa&use the recording", "pause", "", does.pause)
        file.addSeparator()
        self.open = self._add(file, begin, "&Open recording or text…", "open", "Ctrl+O", does.open)
        self.patient = self._add(file, begin, "&Patient…", "patient", "Ctrl+P", does.patient)
        self.signer = self._add(file, begin, "Who si&gns…", "edit", "Ctrl+G", does.signer)
        self.cancel = self._add(file, begin, "Stop pro&cessing", "stop", "Ctrl+.", does.cancel)
        file.addSeparator()
        ward, about = QMenu("Patie&nt", window), "The patient"
        self.new_patient = self._add(ward, about, "&New patient…", "add", "Ctrl+Shift+P", does.new_patient)
        ward.addSeparator()
        self.edit_patient = self._add(ward, about, "&Edit…", "edit", "", does.edit_patient)
        self.transfer = self._add(ward, about, "&Transfer to another bed…", "", "", does.transfer)
        ward.addSeparator()
        self.discharge = self._add(ward, about, "&Discharge…", "", "", does.discharge)
        self.readmit = self._add(ward, about, "&Readmit…", "", "", does.readmit)
        ward.addSeparator()
        self.import_list = self._add(ward, about, "&Import the ward list…", "list", "", does.import_list)
        program = "The window"
        self.export = self._add(file, whole, "&Export…", "export", "Ctrl+E", does.export)
        file.addSeparator()
        view, helping = QMenu("&View", window), QMenu("&Help", window)
        self.patients = self._add(
            view, program, "List of &patients", "patient", "Ctrl+L", does.patients, name="patients"
        )
        self.side = self._add(view, program, "Show or hide &the list", "", "Ctrl+Shift+L", does.side)
        self.chart = self._add(view, program, "Patient's &chart", "list", "", does.chart, name="chart")
        self.graph = self._add(view, program, "&Graph of the chart", "", "", does.graph, name="graph")
        self.history = self._add(view, going, "Ea&rlier assessments", "history", "", lambda: None, name="history")
        self.history.setCheckable(True)
        self.history.toggled.connect(does.history)
        view.addSeparator()
        group = QActionGroup(window)
        self.themes: dict[str, QAction] = {}
        for choice, words in THEMES.items():
            action = self._add(view, program, f"&{words}", "", "", partial(does.theme, choice))
            action.setCheckable(True)
            action.setChecked(theme.choice == choice)
            group.addAction(action)
            self.themes[choice] = action
        view.addSeparator()
        larger = self._add(view, program, "L&arger text and buttons", "", "Ctrl++", lambda: does.zoom(1))
        larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])  # without Shift on some keyboards
        self._add(view, program, "Small&er text and buttons", "", "Ctrl+-", lambda: does.zoom(-1))
        self._add(view, program, "&Usual size", "", "Ctrl+0", lambda: does.zoom(0))
        self.settings = self._add(file, program, "&Settings…", "settings", "Ctrl+,", does.settings)
        self.keys = self._add(helping, program, "&Keys", "info", "", does.keys)
        self.keys.setShortcuts([QKeySequence("?"), QKeySequence("F1")])
        self.command = self._add(helping, program, "&Find a command…", "search", "Ctrl+K", does.command)
        self._add(helping, program, "&User guide", "", "Ctrl+F1", does.guide)
        self._add(view, program, "Close the &message", "close", "Esc", does.close_message)
        self._add(helping, program, "&Set up Wardlight…", "settings", "", does.set_up)
        self._add(helping, program, "&About Wardlight", "", "", does.about)
        self._add(file, program, "&Quit", "", "Ctrl+Q", does.quit)
        for menu in (file, ward, dictation, review, view, helping):
            bar.addMenu(menu)

    @property
    def all(self) -> list[QAction]:
        """All actions, in the order of the key overlay."""
        return [action for group in self.groups.values() for action in group]

    def trigger(self, name: str) -> None:
        """Triggers the action of a flowsheet key, if it is enabled."""
        self._named[name].trigger()

    def trigger_whose(self, name: str) -> None:
        """Triggers the action of a flowsheet key, if it answers whose dictation it is."""
        if self._named[name] in self.of_identity:
            self.trigger(name)

    def changes(self, name: str) -> bool:
        """True if the action of a flowsheet key changes a sheet."""
        return self._named[name] in self.changing

    @property
    def changing(self) -> tuple[QAction, ...]:
        """Actions that change a sheet and need it not to be filed."""
        deciding = self.of_value[:-1]  # the last one plays
        return (*deciding, *self.of_conflict, self.accept_rest, self.add, self.file, self.file_elsewhere)

    def set_record_key(self, key: str, *, held: bool) -> None:
        """Sets the keys of recording; a key to be held is handled by `RecordControls` instead."""
        self.record.setShortcut(QKeySequence("" if held else key))
        self.record.setText(f"&Record\tHold {key}" if held else "&Record")
        self.pause.setShortcut(QKeySequence(f"Shift+{key}"))

    def _add(self, menu: QMenu, heading: str, words: str, icon: str, key: str, do: Do, *, name: str = "") -> QAction:
        """Adds an action to a menu and the key overlay; with a `name`, it has that name's flowsheet keys, too."""
        if name:
            words += "\t" + ", ".join((*FLOWSHEET_KEYS[name], *([native(QKeySequence(key))] if key else [])))
        action = QAction(words, self._window)
        if icon:
            action.setIcon(self._theme.icon(icon))
        if key:
            action.setShortcut(QKeySequence(key))
        action.setAutoRepeat(False)  # each decision needs its own key press
        action.triggered.connect(lambda: do())  # noqa: PLW0108 - `do` takes no `checked`
        menu.addAction(action)
        self.groups.setdefault(heading, []).append(action)
        if name:
            self._named[name] = action
        return action
