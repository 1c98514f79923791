"""Rows of a contract, searched; for the chosen one, the chain from the exports to how a value goes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QPlainTextEdit, QTableView, QVBoxLayout, QWidget

from extraction.contract.records import Contract, ContractRow
from extraction.flowsheet.schema import Schema
from ui.contracts.rows.rows_model import RowsModel
from ui.kit.keys import move_by_arrows
from ui.kit.responsive_layout import Panes
from ui.kit.theme import Theme
from ui.kit.widgets import card, label, only, show_as_search

if TYPE_CHECKING:  # it loads what the window does not need to start
    from extraction.contract.codes.proposals import CodeProposal

_WIDTHS = (164, 108, 98, 130, 52, 106)
_LINE = 30


class RowsView(QWidget):
    """Args: `retired`: also show rows that are no longer charted."""

    def __init__(self, theme: Theme, *, retired: bool = False) -> None:
        super().__init__()
        self._contract: Contract | None = None
        self._proposed: Mapping[str, Sequence[CodeProposal]] = {}
        self.model = RowsModel(self, retired=retired)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search by name, option, group, id or code")
        self.search.setAccessibleName("Search the rows")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.count = label(role="small")
        self.table = QTableView()
        move_by_arrows(self.table, self.search)
        self.table.setObjectName("lines")
        self.table.setAccessibleName("Rows")
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_LINE)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        self.table.setMinimumSize(320, 150)
        self.chain = QPlainTextEdit()
        self.chain.setAccessibleName("Where the chosen row came from, and how its values go back")
        self.chain.setReadOnly(True)
        self.chain.setTabChangesFocus(True)
        self.chain.setMinimumSize(220, 100)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.search)
        layout.addWidget(self.count)
        layout.addWidget(Panes(card(only(self.table)), self.chain, (660, 340)), 1)
        self.search.textChanged.connect(self._find)
        self.table.selectionModel().currentRowChanged.connect(self._show_chain)

    @property
    def row(self) -> ContractRow | None:
        """The chosen row."""
        return self.model.row_at(self.table.currentIndex().row())

    def show_rows(
        self, contract: Contract, schema: Schema | None, proposed: Mapping[str, Sequence[CodeProposal]]
    ) -> None:
        """Shows the rows of a contract, with the codes that are proposed for them."""
        self._contract, self._proposed = contract, proposed
        self.model.show_rows(contract, schema)
        self._find()

    def _find(self) -> None:
        self.model.find(self.search.text())
        found, total = self.model.rowCount(), self.model.total
        self.count.setText(f"{found:,} rows" if found == total else f"{found:,} of {total:,} rows")
        if found:
            self.table.selectRow(0)
        else:
            self.chain.setPlainText("")

    def _show_chain(self) -> None:
        from extraction.contract.lineage import lineage

        row = self.row
        if row and self._contract:
            self.chain.setPlainText(lineage(row, self._contract, self._proposed.get(row.id, ())))
