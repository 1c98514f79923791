"""Menus, keys, questions and sizes for people who use the keyboard alone or need it large."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.system import paths
from app.system.settings import Settings, load_settings, save_settings
from tests.gui.conftest import NARROW, Ward
from tests.kit.patience import PATIENCE_SECONDS
from tests.screens.views import Stage
from ui.kit.keys import keys_of
from ui.kit.question import Question
from ui.shell.window import MainWindow


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    one = Stage(qtbot, tmp_path)
    yield one
    one.close()


def test_every_action_has_words_and_a_key(stage: Stage) -> None:
    window = stage.open().window
    actions = window.actions_.all
    menus = list(window.menuBar().actions())
    assert len(actions) > 20
    assert all(action.text().strip() for action in actions)
    assert [action.text() for action in (*actions, *menus) if "&" not in action.text()] == []
    keys = Counter(action.shortcut().toString() for action in actions if not action.shortcut().isEmpty())
    assert [key for key, count in keys.items() if count > 1] == []
    for menu in menus_of(window):
        entries = [action.text() for action in menu.actions() if not action.isSeparator()]
        letters = [text[text.index("&") + 1].lower() for text in entries]
        assert len(letters) == len(set(letters)), (menu.title(), letters)


def menus_of(window: MainWindow) -> list[QMenu]:
    """The menus of the menu bar, and those inside them."""
    return [menu for menu in window.menuBar().findChildren(QMenu) + window.findChildren(QMenu) if menu.title()]


def test_every_menu_fits_below_the_menu_bar_of_a_small_screen_and_spells_keys_alike(stage: Stage) -> None:
    window = stage.open().window
    for action in window.actions_.all:
        action.setVisible(True)  # some are there in a conflict only
    assert {menu.title(): menu.sizeHint().height() for menu in menus_of(window) if menu.sizeHint().height() > 500} == {}
    assert [keys for action in window.actions_.all for keys in keys_of(action) if "Return" in keys] == []


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
from tests.gui.shell.view_checks import clipped
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
        timeout=PATIENCE_SECONDS,
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
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    )
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
    ward.until(lambda: "150%" in ward.window.message.text)
    QTest.keyClick(ward.window, Qt.Key.Key_Minus, ctrl)
    ward.until(lambda: load_settings(paths.config_file()).scale == 125)
    QTest.keyClick(ward.window, Qt.Key.Key_0, ctrl)
    ward.until(lambda: load_settings(paths.config_file()).scale == 100)
    QTest.keyClick(ward.window, Qt.Key.Key_Minus, ctrl)
    ward.until(lambda: "100% is the smallest size" in ward.window.message.text)
    assert not ward.window.message.act.isVisible(), "it runs in this size"
    ward.window.actions_["theme-dark"].trigger()
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
        if window is None or window.settings._running_scale not in (150, 175):
            return  # it is ready a moment before it shows what it opened
        if marker.exists():
            self.quit()
        elif "175%" in window.message.text and window.workbench.settings.current.scale == 175:
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
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    )
    assert done.stdout == "1.5\n1.75\n"
