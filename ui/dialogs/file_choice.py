"""Choosing files and folders: a dialog opens where the person last chose something of its kind."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

# titles of what several places ask for, with its filters
TEMPLATE, TEMPLATES = "Flowsheet template", "Templates (*.json);;All files (*)"
MODEL_FILES = "Folder with the model files"
_latest: dict[str, str] = {}  # folder by the title of the dialog, while the program runs


def choose_file(parent: QWidget, title: str, names: str, known: str = "") -> Path | None:
    """Asks for a file, beginning with the `known` one; None if none was chosen. `names` are filters for Qt."""
    chosen, _ = QFileDialog.getOpenFileName(parent, title, _begin(title, known), names)
    if not chosen:
        return None
    _latest[title] = str(Path(chosen).parent)
    return Path(chosen)


def choose_folder(parent: QWidget, title: str, known: str = "") -> Path | None:
    """Asks for a folder, beginning with the `known` one; None if none was chosen."""
    chosen = QFileDialog.getExistingDirectory(parent, title, _begin(title, known))
    if not chosen:
        return None
    _latest[title] = chosen
    return Path(chosen)


def choose_new_file(parent: QWidget, title: str, names: str, suggested: str) -> Path | None:
    """Asks where to write a file, under the `suggested` name; None if nowhere. Qt asks before one is replaced."""
    begin = str(Path(_begin(title, "")) / suggested)
    chosen, _ = QFileDialog.getSaveFileName(parent, title, begin, names)
    if not chosen:
        return None
    _latest[title] = str(Path(chosen).parent)
    return Path(chosen)


def _begin(title: str, known: str) -> str:
    if known and Path(known).exists():  # from any other place Qt would go to the working directory
        return known
    folder = _latest.get(title, "")
    if folder and Path(folder).is_dir():
        return folder
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
