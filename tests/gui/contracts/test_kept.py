"""What is kept of an import: answers in a file for the next one, and updates that wait for review."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from tests.gui.conftest import Ward
from tests.gui.contracts.test_import import begin, lines, picture, read
from tests.kit.ward_exports import ROWS, write_exports, write_rows
from ui.contracts.import_dialog import ImportDialog

ENTER = Qt.Key.Key_Return


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_exports(tmp_path / "exports")


def to_use(ward: Ward, folder: Path) -> ImportDialog:
    """Reads a folder, answers as suggested, and goes to the last step."""
    dialog = read(ward, folder)
    dialog.resize(1320, 700)
    ward.click(dialog.steps[dialog.questions])
    if dialog.questions.open:
        ward.click(dialog.questions.rest)
    ward.click(dialog.steps[dialog.use])
    ward.until(lambda: dialog.page is dialog.use)
    return dialog


def test_answers_are_saved_and_taken_by_another_import(
    ward: Ward, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    dialog = read(ward, folder)
    dialog.resize(1320, 700)
    ward.key(ENTER)
    ward.click(dialog.questions.rest)
    picture(dialog, "3-question-file")
    ward.click(dialog.questions.save)
    ward.until_idle()
    assert "type:visitors" in file.read_text(encoding="utf-8")
    dialog.done(0)

    dialog = read(ward, write_exports(tmp_path / "other"))
    ward.key(ENTER)
    assert dialog.questions.open == 2
    ward.click(dialog.questions.take)
    ward.until(lambda: dialog.questions.open == 0)
    assert dialog.page is dialog.questions

    file.write_text("nothing of use", encoding="utf-8")
    ward.click(dialog.questions.take)
    ward.until(lambda: "holds no answers" in dialog.error)
    dialog.done(0)


def test_an_update_is_kept_looked_at_and_used(ward: Ward, folder: Path) -> None:
    dialog = to_use(ward, folder)
    assert not dialog.use.keep.isVisible(), "a first import updates nothing"
    ward.key(ENTER)
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    write_rows(folder, [*ROWS, ("gait", "Gait", "String", "", "", "", "")])
    dialog = to_use(ward, folder)
    ward.click(dialog.use.keep)
    ward.until(lambda: dialog.use.kept.text().startswith("Kept"))
    picture(dialog, "7-use-kept")
    dialog.done(0)
    assert ward.workbench.workspace.schema.version == "1"

    dialog = begin(ward)
    dialog.resize(1320, 700)
    assert dialog.folder.kept.currentText().startswith("version 2, ")
    picture(dialog, "1-folder-kept")
    ward.click(dialog.folder.look)
    ward.until(lambda: dialog.page is dialog.changes)
    assert ["new row", "", "Gait (text)"] in lines(dialog.changes.changes)
    assert not dialog.steps[dialog.questions].isVisible()
    picture(dialog, "8-changes-kept")
    ward.click(dialog.steps[dialog.use])
    ward.key(ENTER)
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    assert ward.workbench.workspace.schema.row("gait").name == "Gait"
    assert ward.workbench.contracts.snapshots() == []


def test_a_kept_update_is_thrown_away(ward: Ward, folder: Path) -> None:
    dialog = to_use(ward, folder)
    ward.key(ENTER)
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    write_rows(folder, [*ROWS, ("gait", "Gait", "String", "", "", "", "")])
    dialog = to_use(ward, folder)
    ward.click(dialog.use.keep)
    ward.until(lambda: dialog.use.kept.text().startswith("Kept"))
    dialog.done(0)
    dialog = begin(ward)
    ward.click(dialog.folder.throw)
    ward.until(lambda: not dialog.folder.throw.isVisible())
    assert ward.workbench.contracts.snapshots() == []
    dialog.done(0)
