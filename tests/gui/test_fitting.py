"""Dialogs and windows on screens that are smaller than they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Ward
from tests.screens.views import VIEWS, Stage, bring
from ui.fitting import Scrolled, fit_to_screen
from ui.window import COMFORTABLE, MainWindow


@pytest.fixture
def dialog(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QDialog:
    """Thirty fields and a button, on a small screen."""
    monkeypatch.setattr("ui.fitting.room_on_screen", lambda _: QSize(600, 300))
    dialog = QDialog()
    qtbot.addWidget(dialog)
    layout = QVBoxLayout(dialog)
    for _ in range(30):
        layout.addWidget(QLineEdit())
    layout.addWidget(QPushButton("Save"))
    return dialog


def seen(widget: QWidget) -> bool:
    return widget.visibleRegion().boundingRect().size() == widget.size()


def test_what_is_too_high_for_the_screen_scrolls_and_follows_the_cursor(dialog: QDialog) -> None:
    fit_to_screen(dialog)
    dialog.show()
    dialog.activateWindow()
    QApplication.processEvents()
    assert dialog.height() <= 300
    fields, save = dialog.findChildren(QLineEdit), dialog.findChildren(QPushButton)[0]
    assert seen(fields[0])
    assert not seen(save)
    fields[0].setFocus()
    for _ in range(30):
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus
        assert seen(focus)
    assert focus is save
    fields[2].setFocus()  # not by Tab
    assert seen(fields[2])


def test_what_the_screen_has_room_for_is_left_alone(dialog: QDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.fitting.room_on_screen", lambda _: QSize(1300, 2000))
    fit_to_screen(dialog)
    assert dialog.findChildren(Scrolled) == []


def test_the_patient_stays_in_sight_while_the_window_is_scrolled(review: Ward) -> None:
    window = review.window
    window.resize(683, 384)
    QApplication.processEvents()
    bars = window._scrolled.horizontalScrollBar(), window._scrolled.verticalScrollBar()
    assert all(bar.maximum() > 0 for bar in bars)
    for bar in bars:
        bar.setValue(bar.maximum())
    QApplication.processEvents()
    assert seen(window.banner)
    window.page.detail.edit()
    QApplication.processEvents()
    focus = QApplication.focusWidget()
    assert focus
    assert seen(focus)


@pytest.mark.parametrize(
    "name",
    ["start", "live", "history", "conflict", "times", "review", "lit", "detail", "recording", "maybe-said", "working"],
)
def test_nothing_is_scrolled_where_the_window_is_of_a_comfortable_size(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def look(window: QWidget) -> None:
        assert isinstance(window, MainWindow)
        assert window.size() == COMFORTABLE
        scrolled = window._scrolled
        assert [bar.maximum() for bar in (scrolled.horizontalScrollBar(), scrolled.verticalScrollBar())] == [0, 0]

    bring(next(view for view in VIEWS if view.name == name), Stage(qtbot, tmp_path, size=COMFORTABLE), look)
