"""Every view and dialog, brought about once in each room and looked at for all: by people who hear it, use the keyboard
alone, need it large, or see little of it; and as a picture in each theme."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import NARROW, give_room, lay_out
from tests.gui.shell.view_checks import (
    clipped,
    not_read_whole,
    same_letters,
    scrolled_down,
    scrolled_sideways,
    skipped,
    too_large,
    unnamed,
)
from tests.screens.__main__ import COLOURS
from tests.screens.palette import save_small, share_of
from tests.screens.views import USUAL, VIEWS, Stage, View, bring
from ui.kit.responsive_layout import AROUND
from ui.kit.theme import SCHEMES, load_colours
from ui.setup.assistant import Assistant
from ui.shell.window import COMFORTABLE, MainWindow

SCREEN = QSize(1366, 768)
# what must be seen in the picture of a view, and the least share of it
SEEN = {
    "start": ("banner", 0.03),
    "recording": ("error", 0.0001),
    "live": ("error", 0.0001),
    "working": ("accent", 0.005),
    "review": ("evidence_span", 0.0003),
    "lit": ("lit_soft", 0.005),
    "filed": ("confirmed_soft", 0.01),
    "history": ("accent", 0.001),
    "conflict": ("conflict_soft", 0.01),
    "keys": ("surface", 0.25),
    "settings-lit": ("accent", 0.002),
    "unfinished-recording": ("warning_soft", 0.02),
    "assistant-broken-schema": ("error_soft", 0.05),
}
LARGEST_BYTES = 90_000
# what messages offer to do
OFFERED = sorted(
    {
        word.value.value
        for path in (Path(__file__).parents[3] / "ui").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for word in call.keywords
        if word.arg == "action" and isinstance(word.value, ast.Constant) and word.value.value
    }
)
every_view = pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])


@every_view
def test_a_view_at_its_usual_size(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: View) -> None:
    give_room(monkeypatch, SCREEN - AROUND)
    stage = Stage(qtbot, tmp_path, size=USUAL)
    seen = []

    def look(widget: QWidget) -> None:
        seen.append(widget)
        if view.name in SEEN:
            assert amiss_in_pictures(widget, stage, tmp_path, *SEEN[view.name]) == []
        window = widget.window()
        assert found_in(window) == {}
        if isinstance(window, MainWindow):
            window.resize(COMFORTABLE)
            lay_out()
            assert window.size() == COMFORTABLE
            assert (scrolled_sideways(window), not_read_whole(window)) == ([], [])
            assert scrolled_down(window) == []

    bring(view, stage, look)
    assert seen, "nothing was shown"


@every_view
def test_a_view_on_a_small_screen(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: View) -> None:
    give_room(monkeypatch, NARROW - AROUND)
    seen = []

    def look(widget: QWidget) -> None:
        seen.append(widget)
        window = widget.window()
        assert too_large(window, NARROW) == []
        assert found_in(window) == {}
        if isinstance(window, MainWindow):
            assert window.size() == NARROW
            assert not_read_whole(window) == []
        assert scrolled_sideways(window) == []
        if isinstance(window, Assistant):
            assert not window.rail.isVisible()
            window.resize(COMFORTABLE)
            assert window.rail.isVisible()

    bring(view, Stage(qtbot, tmp_path, size=NARROW), look)
    assert seen, "nothing was shown"


def found_in(window: QWidget) -> dict[str, list[str]]:
    """What is amiss for whoever hears it, uses the keyboard alone or sees a part of it, by check."""
    assert isinstance(window, QMainWindow | QDialog)
    over = window.keys if isinstance(window, MainWindow) and window.keys.isVisible() else None
    part = over or window
    found = {"clipped": clipped(part), "unnamed": unnamed(part)}
    if isinstance(window, MainWindow):
        found |= {f"same letters, {words}": amiss for words, amiss in with_messages(window).items()}
    if over is None:  # the list of keys keeps the keyboard, and Esc closes it
        drawer = isinstance(window, MainWindow) and window.side.property("over") and window.side.isVisible()
        found["same letters"] = same_letters(window)
        found["skipped"] = skipped(window.side if drawer else window)  # Tab goes round in what lies over all
    return {check: amiss for check, amiss in found.items() if amiss}


def with_messages(window: MainWindow) -> dict[str, list[str]]:
    """Letters that stand for two things while a message offers something, by its words."""
    found = {}
    for words in OFFERED:
        window.message.show_message("info", "Something happened.", action=words, do=lambda: None)
        window.message.copy.show()  # as for a bug
        lay_out()
        found[words] = same_letters(window)
        window.message.close_message()
    lay_out()
    return found


def amiss_in_pictures(widget: QWidget, stage: Stage, folder: Path, colour: str, least: float) -> list[str]:
    """Themes in which too little is seen of a colour, and the picture of the documents if its file is too large."""
    path, amiss = folder / "picture.png", []
    for scheme in SCHEMES:
        stage.theme.choose(scheme)
        lay_out()
        picture = widget.grab().toImage()
        if scheme == SCHEMES[0]:
            save_small(picture, path, COLOURS)
            picture = QImage(str(path))
        share = share_of(picture, QColor(load_colours(scheme)[colour]))
        if share <= least:
            amiss.append(f"{scheme}: {colour} {share:.5f}")
    if path.stat().st_size >= LARGEST_BYTES:
        amiss.append(f"{path.stat().st_size} bytes")
    stage.theme.choose(SCHEMES[0])
    lay_out()
    return amiss


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
    lay_out()
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
