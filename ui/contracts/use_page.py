"""The last step of the import: the flowsheet gets its name and is used."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.services.contracts.jobs import ReadExport
from app.services.contracts.report import why_not
from ui.contracts.import_page import ImportPage
from ui.kit.widgets import button, label
from ui.kit.words import plural


class UsePage(ImportPage):
    """The name, and what using it means.

    Signals:
        keep_asked: keep the update for review instead (what was read); answered with `show_kept`.
    """

    keep_asked = Signal(object)

    name, title = "Use", "Use this flowsheet"
    about = (
        "From now on, new dictations are filled with these rows. Dictations that are there keep the flowsheet template "
        "that they were filled with."
    )

    def __init__(self, named: str) -> None:
        super().__init__()
        self._read: ReadExport | None = None
        self._former_name = named
        words = label("N&ame of the flowsheet", "heading")
        self.named = QLineEdit(named)
        self.named.setAccessibleName("Name of the flowsheet")
        words.setBuddy(self.named)
        self.summary = label(wrap=True)
        self.body.addSpacing(6)
        self.body.addWidget(words)
        self.body.addWidget(self.named)
        self.keep = button(
            "&Keep for review",
            tip="Use it later, or have somebody else look at it first; the flowsheet in use stays as it is",
            clicked=lambda: self.keep_asked.emit(self._read),
        )
        self.kept = label(wrap=True)
        line = QHBoxLayout()
        line.addWidget(self.keep)
        line.addWidget(self.kept, 1)
        self.body.addWidget(self.summary)
        self.body.addLayout(line)
        self.body.addStretch(1)

    @property
    def ready(self) -> bool:
        return self._read is not None and self._read.usable

    @property
    def forward_words(self) -> str:
        return "&Use this flowsheet"

    @property
    def first(self) -> QWidget:
        return self.named

    @property
    def chosen_name(self) -> str:
        """What a person calls the flowsheet."""
        return self.named.text().strip() or self.named.placeholderText()

    def show_read(self, read: ReadExport) -> None:
        self._read = read
        self.kept.clear()
        self.keep.setVisible(read.snapshot is None and 0 < read.former < read.contract.version)
        if not read.former and self.named.text() == self._former_name:
            self.named.clear()  # another flowsheet has another name
        self.named.setPlaceholderText(read.folder.name)
        contract = read.contract
        if not read.usable:
            self.summary.setText(f"It cannot be used. {why_not(read)}.")
            return
        rows = sum(not row.retired for row in contract.rows)
        version = f"Version {contract.version}"
        self.summary.setText(
            f"{version}: {plural(rows, 'row')}. Their ids and codes are kept, so that values can go back to the record "
            "system. Import a later export in the same way to update it."
        )

    def show_kept(self) -> None:
        """Says that the update was kept for review."""
        self.kept.setText("Kept: choose it in the first step of the import to look at it, use it or throw it away.")
        self.named.setFocus()
        self.keep.hide()
