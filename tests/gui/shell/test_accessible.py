"""Every view and dialog for people who hear it, use the keyboard alone, or need it large: control by control."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.system import paths
from app.system.settings import Settings, load_settings, save_settings
from tests.gui.conftest import NARROW, Ward, give_room
from tests.screens.views import USUAL, VIEWS, Stage, View, bring
from ui.kit.question import Question
from ui.kit.responsive_layout import AROUND
from ui.kit.widgets import Chip, ElidedLabel
from ui.shell.window import MainWindow

CONTROLS = (
    QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView, QTextEdit,
    QPlainTextEdit,
)  # fmt: skip
ROOM = {"usual": None, "small": NARROW}


def controls(window: QWidget) -> list[QWidget]:
    """What a person can use in a window, without what other controls are made of."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS)
        and widget.isVisible()
        and not isinstance(widget, QScrollBar | QHeaderView | QMenu)
        and not isinstance(widget.parent(), QComboBox | QAbstractSpinBox | QLineEdit | QMenuBar)
        and not _in_popup(widget)
    ]


def _in_popup(widget: QWidget) -> bool:
    return any("QComboBoxPrivateContainer" in type_of(parent) for parent in parents(widget)) or (
        isinstance(widget, QToolButton) and widget.objectName() == "qt_menubar_ext_button"
    )


def type_of(widget: QObject) -> str:
    return widget.metaObject().className()


def parents(widget: QWidget) -> Iterator[QWidget]:
    parent = widget.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()


def told(widget: QWidget) -> str:
    """A widget as a failing test names it."""
    text = widget.text() if isinstance(widget, QAbstractButton | QLabel | QLineEdit) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName() or widget.objectName()!r}"


def spoken(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


# what is looked for


def unnamed(window: QWidget) -> list[str]:
    wanted = [*controls(window), *(bar for bar in window.findChildren(QProgressBar) if bar.isVisible())]
    return [told(widget) for widget in wanted if not spoken(widget).strip()]


def skipped(window: QWidget) -> list[str]:
    """Controls at which somebody never arrives who presses Tab until the cursor is back where it began."""
    expected = {widget for widget in controls(window) if widget.isEnabled() and not _reached_by_arrows(widget)}
    start = QApplication.focusWidget()
    reached = [start] if start else []
    for _ in range(3 * len(expected) + 30):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        if focus is None or (focus in reached and focus is reached[0] and len(reached) > 1):
            break
        reached.append(focus)
    if start:
        start.setFocus()
    arrived = {widget for focus in reached for widget in (focus, *parents(focus))}
    return [told(widget) for widget in expected if widget not in arrived and widget.focusProxy() not in arrived]


def _reached_by_arrows(widget: QWidget) -> bool:
    """Of buttons that exclude each other, Tab goes to the chosen one, where none is to the first, and the arrow keys to
    the others."""
    if not isinstance(widget, QAbstractButton) or widget.isChecked():
        return False
    group = widget.group()
    grouped = group is not None and group.exclusive() and group.checkedButton() is not None
    if grouped:
        return True
    alike = widget.parentWidget().findChildren(QRadioButton) if isinstance(widget, QRadioButton) else []
    chosen = [other for other in alike if other.isChecked()] or alike[:1]
    return bool(alike) and widget not in chosen


def same_letters(window: QWidget) -> list[str]:
    """Letters that stand for two things at once with Alt."""
    texts = [b.text() for b in controls(window) if isinstance(b, QAbstractButton) and b.isEnabled()]
    texts += [name.text() for name in window.findChildren(QLabel) if name.isVisible() and name.buddy()]
    if isinstance(window, QMainWindow):
        texts += [action.text() for action in window.menuBar().actions()]
    letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text.replace("&&", "")]
    return [letter for letter, count in Counter(letters).items() if count > 1]


def clipped(window: QWidget) -> list[str]:
    """Texts and controls of which a part is cut off where nobody can scroll to it."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, ElidedLabel | Chip) or _in_popup(widget):
            continue
        if isinstance(widget, QLabel) and widget.text() and widget.buddy() is None:
            if widget.wordWrap():
                needed = QSize(0, widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else 0)
            else:
                needed = widget.sizeHint()
        elif isinstance(widget, QLabel) and widget.text():
            needed = widget.sizeHint()
        elif isinstance(widget, QPushButton | QCheckBox | QRadioButton):
            needed = QSize(widget.sizeHint().width(), widget.minimumSizeHint().height())
        else:
            continue
        if widget.width() + 1 < needed.width() or widget.height() + 2 < needed.height():
            found.append(f"{told(widget)}: {widget.size().toTuple()} of {needed.toTuple()}")
        if outside := _outside(widget):
            found.append(f"{told(widget)} lies outside of {outside}")
    return found


def _outside(widget: QWidget) -> str:
    """In which part of the window it does not fit; what scrolls has room for all."""
    for parent in parents(widget):
        holder = parent.parentWidget()
        if isinstance(holder, QScrollArea) or parent.isWindow():
            top_left = widget.mapTo(parent, widget.rect().topLeft())
            bottom_right = widget.mapTo(parent, widget.rect().bottomRight())
            if isinstance(holder, QScrollArea) and holder.viewport() is parent:
                return ""
            if not (parent.rect().contains(top_left) and parent.rect().contains(bottom_right)):
                return type(parent).__name__
            if parent.isWindow():
                return ""
    return ""


@pytest.fixture(params=ROOM)
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> QSize | None:
    """How much room the screen has; None for what the window is made for."""
    room: QSize | None = ROOM[request.param]
    give_room(monkeypatch, room - AROUND if room else QSize(1342, 712))
    return room


@pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])
def test_every_control_is_named_reached_and_whole(qtbot: QtBot, tmp_path: Path, view: View, room: QSize | None) -> None:
    seen = []

    def look(widget: QWidget) -> None:
        window = widget.window()
        seen.append(window)
        assert isinstance(window, QMainWindow | QDialog)
        if room:
            assert window.width() <= room.width()
            assert window.height() <= room.height()
        over = window.keys if isinstance(window, MainWindow) and window.keys.isVisible() else None
        part = over or window
        assert clipped(part) == []
        assert unnamed(part) == []
        if over is None:  # the list of keys keeps the keyboard, and Esc closes it
            assert same_letters(window) == []
            drawer = isinstance(window, MainWindow) and window.side.property("over") and window.side.isVisible()
            assert skipped(window.side if drawer else window) == []  # Tab goes round in the list that lies over all

    bring(view, Stage(qtbot, tmp_path, size=room or USUAL), look)
    assert seen, "nothing was shown"


@pytest.mark.parametrize("what", ["unnamed", "clipped", "letters", "skipped"])
def test_the_tests_find_what_they_look_for(qtbot: QtBot, what: str) -> None:
    window = QDialog()
    qtbot.addWidget(window)
    field, label, one, two = QLineEdit(window), QLabel("A long text", window), QPushButton(window), QPushButton(window)
    for place, widget in enumerate((field, label, one, two)):
        widget.setGeometry(10, 10 + 40 * place, 160, 30)
    window.resize(200, 200)
    one.setText("&Go")
    two.setText("&Stop")
    field.setAccessibleName("Field")
    look = {"unnamed": unnamed, "clipped": clipped, "letters": same_letters, "skipped": skipped}[what]
    window.show()
    window.activateWindow()
    QApplication.processEvents()
    assert look(window) == []
    match what:
        case "unnamed":
            field.setAccessibleName("")
        case "clipped":
            label.setFixedWidth(20)
        case "letters":
            two.setText("&Get")
        case "skipped":
            two.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    assert look(window) != []


def test_every_action_has_words_and_a_key(qtbot: QtBot, tmp_path: Path) -> None:
    stage = Stage(qtbot, tmp_path)
    window = stage.open().window
    actions = window.actions_.all
    menus = list(window.menuBar().actions())
    assert len(actions) > 20
    assert all(action.text().strip() for action in actions)
    assert [action.text() for action in (*actions, *menus) if "&" not in action.text()] == []
    keys = Counter(action.shortcut().toString() for action in actions if not action.shortcut().isEmpty())
    assert [key for key, count in keys.items() if count > 1] == []
    for menu in menus:
        letters = [
            action.text()[action.text().index("&") + 1].lower()
            for action in actions
            if action in QMenu.menuInAction(menu).actions()  # type: ignore[attr-defined]
        ]
        assert len(letters) == len(set(letters)), (menu.text(), letters)
    stage.close()


def test_no_question_is_larger_than_a_small_screen(qtbot: QtBot) -> None:
    box = Question("Discard the recording?", "It started at 14:05. " * 9, ("&Discard",), "Cancel", None)
    qtbot.addWidget(box)
    box.show()
    assert box.size().width() <= NARROW.width()
    assert box.size().height() <= NARROW.height()


def test_enter_chooses_the_answer_that_has_the_focus(qtbot: QtBot) -> None:
    for press, answer in (((), ""), ((Qt.Key.Key_Tab,), "&Discard")):
        box = Question("Discard the recording?", "This cannot be undone.", ("&Discard",), "Cancel", None)
        qtbot.addWidget(box)
        box.set_default("Cancel")
        box.show()
        for key in (*press, Qt.Key.Key_Return):
            QTest.keyClick(box.focusWidget(), key)
        assert box.answer == answer
        assert not box.isVisible()
    assert box.accessibleName() == "Discard the recording?"


def test_at_two_hundred_percent_on_a_small_screen_windows_fit_it(tmp_path: Path) -> None:
    """The real thing in a process of its own: Qt takes the scale at the start only."""
    screen = tmp_path / "screen.json"
    whole = {"name": "s", "x": 0, "y": 0, "width": 1366, "height": 768, "dpr": 1, "logicalDpi": 96}
    screen.write_text(json.dumps({"screens": [whole | {"logicalBaseDpi": 96}]}), encoding="ascii")
    code = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from tests.gui.shell.test_accessible import clipped
from tests.screens.__main__ import Waiter
from tests.screens.views import VIEWS, Stage, bring
app = QApplication([])
room = app.primaryScreen().availableGeometry().size()
def look(widget):
    size, cut = widget.window().size(), clipped(widget.window())
    print(one.name, size.width() <= room.width() and size.height() <= room.height(), cut, flush=True)
for one in VIEWS:
    if one.name in ("review", "settings", "assistant-models"):
        bring(one, Stage(Waiter(app.processEvents), Path(sys.argv[1]), size=None), look)
print(room.toTuple(), flush=True)
import os; os._exit(0)
"""
    environment = os.environ | {"QT_QPA_PLATFORM": f"offscreen:configfile={screen}", "QT_SCALE_FACTOR": "2"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "review True []",
        "settings True []",
        "assistant-models True []",
        "(683, 384)",
    ]


def test_the_size_in_the_settings_counts_from_the_next_start_on(tmp_path: Path) -> None:
    save_settings(Settings(scale=150, setup_finished=True), paths.config_file())
    code = """
import sys
import ui.__main__ as entry
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
class Application(QApplication):
    def __init__(self, arguments):
        super().__init__(arguments)
        print(self.devicePixelRatio())
        QTimer.singleShot(300, self.quit)
entry.QApplication = Application
sys.exit(entry.main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1.5\n"


def test_size_keys_save_the_next_size_and_offer_to_restart(ward: Ward) -> None:
    ward.until_ready()
    keys = {action.text(): action.shortcut() for action in ward.window.actions_.all}
    assert keys["L&arger text and buttons"] == QKeySequence(QKeySequence.StandardKey.ZoomIn)
    assert keys["Small&er text and buttons"] == QKeySequence(QKeySequence.StandardKey.ZoomOut)
    ctrl = Qt.KeyboardModifier.ControlModifier
    for _ in range(2):
        QTest.keyClick(ward.window, Qt.Key.Key_Plus, ctrl)
    ward.until(lambda: load_settings(paths.config_file()).scale == 150)
    assert "150%" in ward.window.message.text
    QTest.keyClick(ward.window, Qt.Key.Key_Minus, ctrl)
    ward.until(lambda: load_settings(paths.config_file()).scale == 125)
    QTest.keyClick(ward.window, Qt.Key.Key_0, ctrl)
    ward.until(lambda: load_settings(paths.config_file()).scale == 100)
    QTest.keyClick(ward.window, Qt.Key.Key_Minus, ctrl)
    assert "100% is the smallest size" in ward.window.message.text
    assert not ward.window.message.act.isVisible(), "it runs in this size"
    ward.window.actions_.themes["dark"].trigger()
    QTest.keyClick(ward.window, Qt.Key.Key_Equal, ctrl)
    ward.until(lambda: load_settings(paths.config_file()).scale == 125)
    assert load_settings(paths.config_file()).theme == "dark"
    ward.click(ward.window.message.act)
    assert ward.window.restarting
    assert not ward.window.isVisible()


def test_restarting_opens_the_window_in_the_chosen_size(tmp_path: Path) -> None:
    save_settings(Settings(scale=150, setup_finished=True), paths.config_file())
    script = tmp_path / "start.py"
    script.write_text(
        """
import sys
from pathlib import Path
import ui.__main__ as entry
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
marker = Path(sys.argv[1])
class Application(QApplication):
    def __init__(self, arguments):
        super().__init__(arguments)
        print(self.devicePixelRatio(), flush=True)
        self.asked = False
        self.timer = QTimer(interval=50)
        self.timer.timeout.connect(self.go_on)
        self.timer.start()
    def go_on(self):
        window = next((one for one in self.topLevelWidgets() if type(one).__name__ == "MainWindow"), None)
        if window is None or not window.workbench.ready:
            return
        if marker.exists():
            self.quit()
        elif "175%" in window.message.text and window.workbench.settings.scale == 175:
            marker.touch()
            window.message.act.click()
        elif not self.asked:
            self.asked = True
            window.settings.zoom(1)
entry.QApplication = Application
sys.exit(entry.main())
""",
        encoding="utf-8",
    )
    command = [sys.executable, str(script), str(tmp_path / "restarted")]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1.5\n1.75\n"
