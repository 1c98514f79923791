"""Choosing files and folders: a dialog opens where the person last chose something of its kind."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

_latest: dict[str, str] = {}  # folder by the title of the dialog, while the program runs


def choose_file(parent: QWidget, title: str, names: str) -> Path | None:
    """Asks for a file; None if none was chosen. `names` are filters as Qt writes them."""
    chosen, _ = QFileDialog.getOpenFileName(parent, title, _begin(title), names)
    if not chosen:
        return None
    _latest[title] = str(Path(chosen).parent)
    return Path(chosen)


def choose_folder(parent: QWidget, title: str, known: str = "") -> Path | None:
    """Asks for a folder, beginning with the `known` one; None if none was chosen."""
    chosen = QFileDialog.getExistingDirectory(parent, title, known or _begin(title))
    if not chosen:
        return None
    _latest[title] = chosen
    return Path(chosen)


def _begin(title: str) -> str:
    folder = _latest.get(title, "")
    if folder and Path(folder).is_dir():
        return folder
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
