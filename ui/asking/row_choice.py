"""Dialog to choose a row of the flowsheet by its words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from extraction.flowsheet.schema import Row, Schema
from ui.dialogs.add_row import RESULTS_SHOWN, search_rows
from ui.kit.keys import move_by_arrows
from ui.kit.theme import Theme
from ui.kit.widgets import button, label, show_as_search
from ui.kit.words import category_text


class RowChoice(QDialog):
    """Attributes:
    row: the row that was chosen; None before.
    """

    def __init__(self, theme: Theme, schema: Schema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Another row")
        self.setMinimumSize(480, 440)
        self._schema = schema
        self.row: Row | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("Ask about another row", "title"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(f"Search {len(schema.rows)} rows by name, synonym, option or category")
        self.search.setAccessibleName("Search flowsheet rows")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._take)
        layout.addWidget(self.search)
        self.results = QListWidget()
        move_by_arrows(self.results, self.search)
        self.results.setAccessibleName("Rows found")
        self.results.itemActivated.connect(self._take)
        layout.addWidget(self.results, 1)
        self.take = button("&Ask again", kind="primary", tip="Answer for this row (Enter)", clicked=self._take)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(button("Cancel", tip="Leave the question as it is (Esc)", clicked=self.reject))
        buttons.addWidget(self.take)
        layout.addLayout(buttons)
        self._find()

    def _find(self) -> None:
        self.results.clear()
        for row in search_rows(self._schema, self.search.text())[:RESULTS_SHOWN]:
            item = QListWidgetItem(f"{row.name}  ·  {category_text(row)}", self.results)
            item.setData(Qt.ItemDataRole.UserRole, row)
        self.results.setCurrentRow(0)
        self.take.setEnabled(self.results.count() > 0)

    def _take(self) -> None:
        if item := self.results.currentItem():
            self.row = item.data(Qt.ItemDataRole.UserRole)
            self.accept()
