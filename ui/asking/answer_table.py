"""The table of an answer: cells of two lines, the second with time and source."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ui.asking.answer_lines import Shown, ShownTable
from ui.kit.theme import SMALL_PX, Theme

_CELL_ROLE, _HEADING_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_LINE, _HEADING, _MARGIN, _ICON, _GAP = 44, 30, 8, 15, 6
_NARROWEST, _NARROW, _WIDEST = 56, 150, 420  # pixels of a column; down to the second it makes room for others
_MOST_MEASURED = 200  # lines whose width counts
Index = QModelIndex | QPersistentModelIndex


class AnswerModel(QAbstractTableModel):
    """The lines of an answer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.table = ShownTable()

    def show_table(self, table: ShownTable) -> None:
        """Replaces what is shown."""
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        return 0 if parent.isValid() else len(self.table.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.table.titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self.table.titles[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, cell = self.table.lines[index.row()], self.cell(index)
        if role == _CELL_ROLE:
            return cell
        if role == _HEADING_ROLE:
            return line.heading
        if role == Qt.ItemDataRole.DisplayRole:
            return line.heading if index.column() == 0 and line.heading else cell.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            title = self.table.titles[index.column()]
            return line.heading or f"{title}: {cell.read_out}" if cell.text else line.heading
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.table.lines[index.row()].heading:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def cell(self, index: Index) -> Shown:
        """The cell of an index; an empty one in a heading."""
        cells = self.table.lines[index.row()].cells if index.isValid() else ()
        return cells[index.column()] if index.column() < len(cells) else Shown()


class AnswerTable(QTableView):
    """Signals:
    chosen: another cell is the current one.
    open_asked, play_asked, copy_asked: Enter, Space and Ctrl+C.
    """

    chosen = Signal()
    open_asked = Signal()
    play_asked = Signal()
    copy_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = AnswerModel(self)
        self.setModel(self._model)
        self.setAccessibleName("Answer")
        self.setItemDelegate(_Delegate(theme, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(120)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(_HEADING)
        self.verticalHeader().setDefaultSectionSize(_LINE)
        titles = self.horizontalHeader()
        titles.setSectionsClickable(False)
        titles.setHighlightSections(False)
        titles.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self.viewport().update)
        self.doubleClicked.connect(lambda _: self.open_asked.emit())

    @property
    def table(self) -> ShownTable:
        return self._model.table

    @property
    def current(self) -> Shown:
        """The current cell; an empty one without."""
        return self._model.cell(self.currentIndex())

    def show_table(self, table: ShownTable) -> None:
        """Shows an answer; the first value becomes the current cell."""
        self.clearSpans()
        self._model.show_table(table)
        for number, line in enumerate(table.lines):
            height = _HEADING if line.heading else _LINE
            if self.rowHeight(number) != height:
                self.setRowHeight(number, height)
            if line.heading and len(table.titles) > 1:
                self.setSpan(number, 0, 1, len(table.titles))
            elif line.cells and len(line.cells) < len(table.titles):
                self.setSpan(number, len(line.cells) - 1, 1, len(table.titles) - len(line.cells) + 1)
        self._fit()
        first = next((number for number, line in enumerate(table.lines) if not line.heading), None)
        if first is not None:
            cells = table.lines[first].cells
            column = next((at for at, cell in enumerate(cells) if cell.value_ids or cell.quote), len(cells) - 1)
            self.setCurrentIndex(self._model.index(first, column))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.open_asked.emit()
        elif event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self.play_asked.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Gives each column what its content wants, and the last one the rest."""
        count = self._model.columnCount()
        if not count:
            return
        titles = self.horizontalHeader()
        wanted = []
        for column in range(count):
            cells = (line.cells for line in self._model.table.lines[:_MOST_MEASURED] if column < len(line.cells))
            shown = [cells_[column] for cells_ in cells]
            content = max(map(self._width, shown), default=0) + 2 * _MARGIN
            wanted.append(min(max(content, titles.sectionSizeHint(column), _NARROWEST), _WIDEST))
        over = sum(wanted) - self.viewport().width()
        wide = sum(max(width - _NARROW, 0) for width in wanted)
        if over > 0 and wide:  # what is cut off is seen beside the table
            share = min(over / wide, 1)
            wanted = [width - math.ceil(share * max(width - _NARROW, 0)) for width in wanted]
        for column, width in enumerate(wanted):
            self.setColumnWidth(column, width)
        titles.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        titles.setStretchLastSection(sum(wanted) <= self.viewport().width())

    def _width(self, cell: Shown) -> int:
        delegate = self.itemDelegate()
        assert isinstance(delegate, _Delegate)
        return delegate.width_of(cell)


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: AnswerTable) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def width_of(self, cell: Shown) -> int:
        """Pixels that a cell wants."""
        _, text = self._theme.font(weight=QFont.Weight.DemiBold)
        _, small = self._theme.font(SMALL_PX)
        icon = _ICON + _GAP if cell.flagged else 0
        return max(text.horizontalAdvance(cell.text) + icon, small.horizontalAdvance(cell.note)) + 2

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self.width_of(index.data(_CELL_ROLE)), _LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, heading = option.rect, index.data(_HEADING_ROLE)
        cell: Shown = index.data(_CELL_ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected) and not heading
        ground = "selection" if chosen else "raised" if heading else "lit_soft" if cell.flagged else "surface"
        painter.save()
        painter.fillRect(rect, self._theme.colour(ground))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        if chosen and self._view.hasFocus():
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), self._theme.colour("accent"))
        room = rect.adjusted(_MARGIN, 3, -_MARGIN, -4)
        if heading:
            self._write(painter, room, heading, "text", QFont.Weight.DemiBold)
        else:
            self._paint_cell(painter, room, cell)
        painter.restore()

    def _paint_cell(self, painter: QPainter, room: QRect, cell: Shown) -> None:
        above = QRect(room.left(), room.top(), room.width(), room.height() // 2) if cell.note else QRect(room)
        if cell.flagged:
            place = QRect(above.left(), above.center().y() - _ICON // 2, _ICON, _ICON)
            self._theme.icon("lit", "lit").paint(painter, place)
            above.setLeft(place.right() + _GAP)
        weight = QFont.Weight.DemiBold if cell.strong else QFont.Weight.Normal
        self._write(painter, above, cell.text, "text", weight)
        if cell.note:
            below = QRect(
                room.left(), room.top() + room.height() // 2, room.width(), room.height() - room.height() // 2
            )
            self._write(painter, below, cell.note, "text" if cell.flagged else "muted", size=SMALL_PX)

    def _write(
        self,
        painter: QPainter,
        room: QRect,
        text: str,
        colour: str,
        weight: QFont.Weight = QFont.Weight.Normal,
        size: int | None = None,
    ) -> None:
        font, metrics = self._theme.font(size, weight) if size else self._theme.font(weight=weight)
        painter.setFont(font)
        painter.setPen(self._theme.colour(colour))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
