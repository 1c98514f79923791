"""Ctrl+O opens a recording or text, whatever became of the question for the patient before."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.conftest import Ward
from ui.dialogs.patient import PatientDialog

CTRL = Qt.KeyboardModifier.ControlModifier
FILES = "Open a recording or text"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the file dialogs that were opened."""
    titles: list[str] = []
    monkeypatch.setattr("ui.controllers.intake_controller.choose_file", lambda _parent, title, *_: titles.append(title))
    return titles


def press_open(ward: Ward) -> None:
    ward.key(Qt.Key.Key_O, CTRL)


def add(dialog: PatientDialog) -> None:
    for field, text in ((dialog.name, "Hawthorne, Ada"), (dialog.bed, "12"), (dialog.mrn, "004711")):
        QTest.keyClicks(field, text)
    QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)


def test_ctrl_o_goes_on_to_the_files_once_a_new_patient_is_added(ward: Ward, asked: list[str]) -> None:
    ward.in_dialog(lambda: press_open(ward), add)
    ward.until_idle()
    assert ward.window.selection.patient
    assert asked == [FILES]


def test_ctrl_o_works_after_the_patient_dialog_was_cancelled(ward: Ward, asked: list[str]) -> None:
    def cancel(_dialog: Any) -> None:
        ward.key(Qt.Key.Key_Escape)

    ward.in_dialog(lambda: press_open(ward), cancel)
    assert asked == [], "without a patient nothing can be opened"
    ward.in_dialog(lambda: press_open(ward), add)
    ward.until_idle()
    assert asked == [FILES]
    ward.in_dialog(lambda: ward.key(Qt.Key.Key_P, CTRL), cancel)
    press_open(ward)
    assert asked == [FILES, FILES]
