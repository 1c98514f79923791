"""The first step of the import: the folder of the exports, and whether they update what is in use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLineEdit, QRadioButton, QVBoxLayout, QWidget

from app.services.contracts.jobs import ReadExport
from ui.contracts.import_page import ImportPage
from ui.dialogs.file_choice import choose_folder
from ui.kit.theme import Theme
from ui.kit.widgets import button, clearable, label
from ui.kit.words import date_text, plural

EXPORTS = "Folder with the exports of the record system"


class FolderPage(ImportPage):
    """The choice of the folder.

    Args:
        in_use: the contract that these exports can update; None if the flowsheet in use was not imported.
        named: what a person calls the flowsheet in use.
        snapshots: updates that were kept for review.

    Signals:
        look_asked: read the chosen snapshot, whose file stands in the field.
        throw_away_asked: delete a snapshot (its file); answered with `forget`.
    """

    throw_away_asked = Signal(object)
    look_asked = Signal()

    name, title = "Folder", "Choose the folder with the exports"
    about = (
        "CSV, Excel, JSON and SQLite files that your record system wrote: the list of its flowsheet rows, and if there "
        "are any, its options, groups and charted values. The files are only read. Nothing leaves this computer, and "
        "nothing is changed before the last step."
    )

    def __init__(self, theme: Theme, in_use: Path | None, named: str, snapshots: Sequence[Path] = ()) -> None:
        super().__init__()
        self._in_use = in_use
        self._read: ReadExport | None = None
        self.path = QLineEdit()
        self.path.setPlaceholderText("Path of the folder")
        self.path.setAccessibleName(EXPORTS)
        clearable(self.path)
        self.choose = button("&Choose…", theme.icon("folder"), tip="Choose the folder", clicked=self._choose)
        where = QHBoxLayout()
        where.addWidget(self.path, 1)
        where.addWidget(self.choose)
        self.body.addSpacing(6)
        self.body.addLayout(where)
        drop = QFrame()
        drop.setObjectName("drop")
        words = label("You can also drop the folder here.", "muted")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        QVBoxLayout(drop).addWidget(words)
        drop.setMinimumHeight(72)
        self.body.addWidget(drop)
        self.update_it = QRadioButton(f"&Update the flowsheet in use: {named}")
        self.another = QRadioButton("Set up an&other flowsheet")
        if in_use:
            self.update_it.setChecked(True)
            self.body.addSpacing(6)
            for radio in (self.update_it, self.another):
                self.body.addWidget(radio)
                radio.toggled.connect(self.changed)
        self.kept = QComboBox()
        self.kept.setAccessibleName("Updates kept for review")
        self.look = button("&Look at it", tip="Show it as its exports were read, to use it or not", clicked=self._look)
        self.throw = button(
            "&Throw it away",
            theme.icon("reject"),
            tip="Delete it; the flowsheet in use stays as it is",
            clicked=lambda: self.throw_away_asked.emit(self.kept.currentData()),
        )
        self._of_kept = QWidget()
        line = QHBoxLayout(self._of_kept)
        line.setContentsMargins(0, 0, 0, 0)
        for one in (self.kept, self.look, self.throw):
            line.addWidget(one)
        line.addStretch(1)
        for file in snapshots:
            self.kept.addItem(_kept_words(file), file)
        self.kept_head = label("Kept for review", "heading")
        self.kept_head.setVisible(bool(snapshots))
        self.body.addWidget(self.kept_head)
        self._of_kept.setVisible(bool(snapshots))
        self.body.addWidget(self._of_kept)
        self._found = label(role="heading", wrap=True)
        self.body.addSpacing(6)
        self.body.addWidget(self._found)
        self.body.addStretch(1)
        self.path.textChanged.connect(self.changed)

    @property
    def folder(self) -> Path | None:
        """The chosen folder; None without one."""
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    @property
    def former(self) -> Path | None:
        """The contract that the exports are to update."""
        return self._in_use if self.update_it.isChecked() else None

    @property
    def is_read(self) -> bool:
        """Whether what is chosen is what was read."""
        read = self._read
        return read is not None and (read.folder, self._former_read) == (self.folder, self.former)

    @property
    def ready(self) -> bool:
        return self.folder is not None

    @property
    def state(self) -> str:
        return plural(len(self._read.found.sources), "table") if self._read and self.is_read else ""

    @property
    def forward_words(self) -> str:
        return "&Next" if self.is_read else "&Read"

    @property
    def first(self) -> QWidget:
        return self.path

    def take(self, paths: list[Path]) -> None:
        """Takes what was dropped: a folder, or the folder of a file."""
        if paths:
            self.path.setText(str(paths[0] if paths[0].is_dir() else paths[0].parent))

    def forget(self, snapshot: Path) -> None:
        """Lists a snapshot no longer, since it was deleted."""
        self.kept.removeItem(self.kept.findData(snapshot))
        for widget in (self.kept_head, self._of_kept):
            widget.setVisible(self.kept.count() > 0)

    def _look(self) -> None:
        self.update_it.setChecked(True)
        self.path.setText(str(self.kept.currentData()))
        self.look_asked.emit()

    def show_read(self, read: ReadExport) -> None:
        self._read, self._former_read = read, self.former
        tables = plural(len(read.found.sources), "table")
        if read.snapshot:
            self._found.setText(f"Version {read.contract.version}, kept for review on {_day(read.snapshot)}.")
            return
        update = f" They update version {read.former} of {read.contract.id}." if read.former else ""
        self._found.setText(f"{tables} and {plural(len(read.found.rows), 'row')} were read.{update}")

    def _choose(self) -> None:
        if folder := choose_folder(self, EXPORTS, self.path.text()):
            self.path.setText(str(folder))


def _kept_words(snapshot: Path) -> str:
    return f"version {snapshot.stem.partition('-')[0]}, {_day(snapshot)}"


def _day(snapshot: Path) -> str:
    """When a snapshot was kept; empty if it is gone."""
    try:
        return date_text(datetime.fromtimestamp(snapshot.stat().st_mtime, UTC).astimezone().date().isoformat())
    except OSError:
        return ""
