"""The values of a dictation as a tree: categories, and in each its values in the schema's order."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.records import ReviewedValue, ReviewStatus
from app.sheet import Sheet, concerns
from extraction.schema import Row
from extraction.validate import display
from ui.words import STATUS_WORDS, category_text, plural, row_unit, unit_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
VALUE_ROLE = Qt.ItemDataRole.UserRole
CONCERNS_ROLE = Qt.ItemDataRole.UserRole + 1
HEADINGS = ("Row", "Value", "Unit", "Sure", "Status")


class Column(IntEnum):
    NAME = 0
    VALUE = 1
    UNIT = 2
    CONFIDENCE = 3
    STATUS = 4


class FlowsheetModel(QAbstractItemModel):
    """Read-only; `show` replaces what it holds, keeping the tree where only contents changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet: Sheet | None = None
        self._groups: list[tuple[str, list[ReviewedValue]]] = []
        self._concerns: dict[int, tuple[str, ...]] = {}

    def show(self, sheet: Sheet | None) -> None:
        groups = _grouped(sheet) if sheet else []
        same = sheet and self._sheet and sheet.dictation.id == self._sheet.dictation.id
        if same and _shape(groups) == _shape(self._groups):
            self._take(sheet, groups)
            last = len(HEADINGS) - 1
            for position, (_, values) in enumerate(groups):
                category = self.index(position, 0)
                self.dataChanged.emit(category, category)
                self.dataChanged.emit(self.index(0, 0, category), self.index(len(values) - 1, last, category))
        else:
            self.beginResetModel()
            self._take(sheet, groups)
            self.endResetModel()

    def _take(self, sheet: Sheet | None, groups: list[tuple[str, list[ReviewedValue]]]) -> None:
        self._sheet, self._groups = sheet, groups
        self._concerns = {v.id: concerns(sheet.schema.row(v.row_id), v) for v in sheet.values} if sheet else {}

    def row_of(self, value: ReviewedValue) -> Row:
        assert self._sheet
        return self._sheet.schema.row(value.row_id)

    def ordered(self) -> list[ReviewedValue]:
        """All values from top to bottom."""
        return [value for _, values in self._groups for value in values]

    def index_of(self, value_id: int) -> QModelIndex:
        """The first cell of a value; an invalid index where the sheet has no such value."""
        for position, (_, values) in enumerate(self._groups):
            for place, value in enumerate(values):
                if value.id == value_id:
                    return self.index(place, 0, self.index(position, 0))
        return QModelIndex()

    def value_at(self, index: Index) -> ReviewedValue | None:
        """The value of a cell, None for a category."""
        if not index.isValid() or index.internalId() == 0:
            return None
        return self._groups[index.internalId() - 1][1][index.row()]

    # what Qt asks for; the internal id of a value's cell is the place of its category plus one

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = ROOT) -> QModelIndex:  # type: ignore[override]  # QObject.parent() is another thing
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = ROOT) -> int:
        if not parent.isValid():
            return len(self._groups)
        is_category = parent.internalId() == 0 and parent.column() == 0
        return len(self._groups[parent.row()][1]) if is_category else 0

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(HEADINGS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.value_at(index) is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return HEADINGS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self.value_at(index)
        if value is None:
            return self._category_data(index, role)
        if role == VALUE_ROLE:
            return value
        if role == CONCERNS_ROLE:
            return self._concerns[value.id]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(value, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join((self._text(value, index.column()), *self._concerns[value.id])).strip()
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == Column.NAME:
            return self._spoken(value)
        return None

    def _category_data(self, index: Index, role: int) -> Any:
        if not index.isValid() or index.column() != Column.NAME:
            return None
        title, values = self._groups[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.StatusTipRole:
            left = sum(value.status is ReviewStatus.PROPOSED for value in values)
            return f"{left} to review" if left else "all reviewed"
        return None

    def _text(self, value: ReviewedValue, column: int) -> str:
        row = self.row_of(value)
        match column:
            case Column.NAME:
                return row.name
            case Column.VALUE:
                return display(row, value.value)
            case Column.UNIT:
                return unit_text(value.unit) or row_unit(row)
            case Column.CONFIDENCE:
                return f"{value.filled.confidence:.0%}" if value.filled else "by hand"
            case _:
                return STATUS_WORDS[value.status]

    def _spoken(self, value: ReviewedValue) -> str:
        """The whole line for a screen reader."""
        words = [self._text(value, column) for column in Column]
        problems = self._concerns[value.id]
        note = f"{plural(len(problems), 'problem')}: {'; '.join(problems)}" if problems else ""
        return ", ".join(word for word in (*words, note) if word)


def _grouped(sheet: Sheet) -> list[tuple[str, list[ReviewedValue]]]:
    place = {row.id: position for position, row in enumerate(sheet.schema.rows)}
    groups: dict[str, list[ReviewedValue]] = {}
    for value in sorted(sheet.values, key=lambda value: (place[value.row_id], value.id)):
        groups.setdefault(category_text(sheet.schema.row(value.row_id)), []).append(value)
    return list(groups.items())


def _shape(groups: list[tuple[str, list[ReviewedValue]]]) -> list[tuple[str, list[int]]]:
    return [(title, [value.id for value in values]) for title, values in groups]
