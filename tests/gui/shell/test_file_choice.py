"""Dialogs for files and folders open where the person was last, and never in the working directory."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from ui.dialogs import file_choice
from ui.dialogs.file_choice import choose_file, choose_folder

UI = Path(file_choice.__file__).parents[1]


class Dialogs:
    """Stands for Qt's dialogs: where they began, and what is chosen next."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.chosen = ""

    def file(self, parent: QWidget, title: str, begin: str, names: str) -> tuple[str, str]:
        return self.folder(parent, title, begin), ""

    def folder(self, parent: QWidget, title: str, begin: str) -> str:
        self.began.append(begin)
        return self.chosen


@pytest.fixture
def dialogs(monkeypatch: pytest.MonkeyPatch) -> Dialogs:
    found = Dialogs()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", found.file)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", found.folder)
    monkeypatch.setattr(file_choice, "_latest", {})
    return found


def test_a_dialog_begins_where_something_of_its_kind_was_chosen(dialogs: Dialogs, qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    dialogs.chosen = str(tmp_path / "ward.json")
    assert choose_file(parent, "Template", "*.json") == tmp_path / "ward.json"
    choose_file(parent, "Template", "*.json")
    choose_folder(parent, "Models")
    assert dialogs.began == [documents, str(tmp_path), documents]


@pytest.mark.parametrize(("known", "begins"), [("", False), ("chart", False), ("/no/such/folder", False), (".", True)])
def test_a_dialog_begins_with_what_is_known_if_it_is_there(
    dialogs: Dialogs, qtbot: QtBot, tmp_path: Path, known: str, *, begins: bool
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    entered = str(tmp_path) if begins else known
    choose_folder(parent, "Filing folder", entered)
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    assert dialogs.began == [entered if begins else documents]


def test_every_room_asks_through_this_one_place() -> None:
    asking = [path.name for path in UI.rglob("*.py") if "QFileDialog" in path.read_text(encoding="utf-8")]
    assert asking == ["file_choice.py"]
