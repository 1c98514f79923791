"""Where each row of the flowsheet in use came from, its codes, and what later exports changed."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from app.services.contracts.jobs import Catalogue
from ui.contracts.rows.rows_view import RowsView
from ui.kit.theme import Theme
from ui.kit.widgets import button, label
from ui.kit.words import plural


class CatalogueDialog(QDialog):
    """Shows rows in use and retired ones."""

    def __init__(self, theme: Theme, catalogue: Catalogue, named: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Row catalogue")
        self.resize(1120, 690)
        contract = catalogue.contract
        self.rows = RowsView(theme, retired=True)
        self.rows.show_rows(contract, catalogue.schema, catalogue.proposed)
        self.history = QListWidget()
        self.history.setAccessibleName("What later exports changed")
        self.history.addItems([_log_words(entry) for entry in reversed(contract.log)] or ["Nothing has changed yet."])
        self.history.setMaximumHeight(88)
        self.close_it = button("Close", tip="Close (Esc)", clicked=self.reject)
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(self.close_it)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(label(named, "display", wrap=True))
        sources = plural(len(contract.sources), "source")
        about = f"{contract.id}, version {contract.version}, read {contract.created_at[:10]} from {sources}"
        layout.addWidget(label(about, "muted", wrap=True))
        layout.addWidget(self.rows, 1)
        layout.addWidget(label("Changes", "heading"))
        layout.addWidget(self.history)
        layout.addLayout(below)
        self.rows.search.setFocus()


def _log_words(entry: str) -> str:
    version, _, says = entry.partition(": ")
    return f"Version {version}  ·  {says}"
