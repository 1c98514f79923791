"""The step of the import with the rows as they will appear, those that were left out, and those that are alike."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QStackedWidget, QWidget

from app.services.contracts.jobs import ReadExport
from ui.contracts.import_page import ImportPage
from ui.contracts.rows.alike_view import AlikeView
from ui.contracts.rows.left_out_view import LeftOutView
from ui.contracts.rows.rows_view import RowsView
from ui.kit.theme import Theme
from ui.kit.widgets import button
from ui.kit.words import plural

_FOR_BOLD = 16  # room for bold, which marks the view shown


class RowsPage(ImportPage):
    """Three views of the rows, one at a time."""

    name, title = "Rows", "The rows as they will appear"
    about = "Choose a row to see where it came from, and under which id and codes its values go back."

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows, self.left_out, self.alike = RowsView(theme), LeftOutView(theme), AlikeView(theme)
        self._views = QStackedWidget()
        self._heads = QButtonGroup(self)
        line = QHBoxLayout()
        self.heads: dict[QWidget, QPushButton] = {}
        for view, tip in (
            (self.rows, "Show the rows in use (Alt+I)"),
            (self.left_out, "Show what was left out, and why (Alt+L)"),
            (self.alike, "Show rows that may chart the same (Alt+A)"),
        ):
            head = self.heads[view] = button("", kind="choice", tip=tip)
            head.setCheckable(True)
            self._heads.addButton(head, self._views.addWidget(view))
            line.addWidget(head)
        line.addStretch(1)
        self.heads[self.rows].setChecked(True)
        self._heads.idClicked.connect(self._turn)
        self.body.addLayout(line)
        self.body.addWidget(self._views, 1)
        self.left_out.decided.connect(self.decided)
        self.alike.answered.connect(self.answered)
        self.alike.answered.connect(self._name_alike)

    @property
    def state(self) -> str:
        return plural(self.rows.model.total, "row")

    @property
    def first(self) -> QWidget:
        view = self._views.currentWidget()
        if view is self.rows:
            return self.rows.search
        return self.left_out.lines if view is self.left_out else self.alike.groups

    def show_read(self, read: ReadExport) -> None:
        self.rows.show_rows(read.contract, read.schema, read.proposed)
        self.left_out.show_read(read)
        self.alike.show_read(read)
        self._name_head(self.rows, f"&In use ({self.rows.model.total:,})")
        self._name_head(self.left_out, f"&Left out ({len(read.left_out):,})")
        self._name_alike()

    def _name_alike(self) -> None:
        left = f", {self.alike.open:,} to decide" if self.alike.open else ""
        self._name_head(self.alike, f"&Alike ({self.alike.count:,}{left})")

    def _name_head(self, view: QWidget, words: str) -> None:
        head = self.heads[view]
        head.setText(words)
        head.setMinimumWidth(0)
        head.setMinimumWidth(head.sizeHint().width() + _FOR_BOLD)

    def _turn(self, view: int) -> None:
        self._views.setCurrentIndex(view)
        self.first.setFocus()
