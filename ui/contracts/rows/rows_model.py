"""The rows of a contract as a table, as they appear in the flowsheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from extraction.contract.history.words import charted_text
from extraction.contract.records import Contract, ContractRow
from extraction.flowsheet.schema import Row, Schema, ValueType
from ui.kit.words import KIND_WORDS, row_unit, unit_text

HEADS = ("Row", "Group", "Type", "Options", "Unit", "Charted", "Other names")
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class RowsModel(QAbstractTableModel):
    """Args: `retired`: also show rows that are no longer charted."""

    def __init__(self, parent: QObject, *, retired: bool) -> None:
        super().__init__(parent)
        self._retired = retired
        self._lines: list[tuple[ContractRow, tuple[str, ...], str]] = []
        self._found: Sequence[int] = ()

    @property
    def total(self) -> int:
        """How many rows there are, found or not."""
        return len(self._lines)

    def show_rows(self, contract: Contract, schema: Schema | None) -> None:
        """Shows all rows of a contract, those in use as the schema has them."""
        used = {row.id: row for row in schema.rows} if schema else {}
        self.beginResetModel()
        self._lines = []
        for row in contract.rows:
            if row.retired and not self._retired:
                continue
            texts = _texts(row, used.get(row.id))
            codes = (row.id, *row.former_ids, row.loinc, *(option.code for option in row.options))
            self._lines.append((row, texts, " ".join((*texts, *codes)).casefold()))
        self._found = range(len(self._lines))
        self.endResetModel()

    def find(self, typed: str) -> None:
        """Shows the rows in whose names, options, groups or codes each word occurs."""
        words = typed.casefold().split()
        self.beginResetModel()
        self._found = [
            place for place, (_, _, searched) in enumerate(self._lines) if all(word in searched for word in words)
        ]
        self.endResetModel()

    def row_at(self, place: int) -> ContractRow | None:
        """The row in a line of the table."""
        return self._lines[self._found[place]][0] if 0 <= place < len(self._found) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._found)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._lines[self._found[index.row()]][1][index.column()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADS[section]
        return None


def _texts(row: ContractRow, used: Row | None) -> tuple[str, ...]:
    """What stands in the columns: as the schema has it, or as the contract does for a row that is not in use."""
    kind = used.value_type if used else ValueType(row.value_type)
    path = used.category if used else row.categories[0] if row.categories else ()
    options = used.options if used else row.options
    names = used.synonyms if used else [alias.text for alias in row.aliases]
    return (
        f"{row.name} (retired)" if row.retired else row.name,
        " › ".join(path),
        KIND_WORDS[kind],
        ", ".join(option.name for option in options),
        row_unit(used) if used else unit_text(row.unit),
        charted_text(row.charted, row.history),
        ", ".join(names),
    )
