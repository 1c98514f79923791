"""The steps of the import that show what it is like to use: the rows, and one dictation filled with them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.services.contracts.jobs import ReadExport
from ui.contracts.import_page import ImportPage
from ui.contracts.rows.rows_view import RowsView
from ui.kit.theme import Theme
from ui.kit.words import plural


class RowsPage(ImportPage):
    """The rows as they will appear."""

    name, title = "Rows", "The rows as they will appear"
    about = "Choose a row to see where it came from, and under which id and codes its values go back."

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = RowsView(theme)
        self.body.addWidget(self.rows, 1)

    @property
    def state(self) -> str:
        return plural(self.rows.model.total, "row")

    @property
    def first(self) -> QWidget:
        return self.rows.search

    def show_read(self, read: ReadExport) -> None:
        self.rows.show_rows(read.contract, read.schema, read.proposed)
