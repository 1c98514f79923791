"""The chart of a patient, to look at: opened from the flowsheet of a dictation, and back to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.chart.history.curves import curves_of
from app.chart.history.fluid_balance import fluid_balances
from app.chart.sheet import Sheet
from ui.flowsheet.chart.chart_model import ABNORMAL_ROLE, STATUS_ROLE, ChartModel
from ui.flowsheet.chart.fluid_balance_line import FluidBalanceLines
from ui.flowsheet.chart.graph import Graph
from ui.flowsheet.range_words import ABNORMAL
from ui.kit.keys import action_of, is_escape
from ui.kit.theme import Theme
from ui.kit.widgets import button, heading, key_hint, label, rule
from ui.kit.words import plural

_LINE, _HEADING, _MARGIN, _ICON = 26, 22, 8, 15
_NARROWEST, _WIDEST = 64, 156  # pixels of columns
_NAMES = (200, 290)  # least and most pixels of row names
_WIDEST_NOW = 210


class ChartView(QWidget):
    """A grid with a line above it.

    Signals:
        left: the person goes back to the dictation.
        value_asked: the person wants to review a value of the dictation (its id).
    """

    left = Signal()
    value_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ChartModel(self)
        self._sheet: Sheet | None = None
        self.grid = _Grid(theme)
        self.grid.setModel(self._model)
        self.grid.activated.connect(self._ask)
        self._about = label(role="small")
        self.back = button("Back to the dictation", tip="Go on reviewing (Esc)", clicked=self.left.emit)
        key_hint(self.back, "Esc")
        self.graph = Graph(theme)
        for view in (self.grid, self.graph):
            view.installEventFilter(self)
        self.plot = button("Graph", tip="Show the numbers as curves, or as a table again (G)")
        self.plot.setCheckable(True)
        self.plot.clicked.connect(lambda shown: self.show_graph(shown=shown))
        key_hint(self.plot, "G")
        self.balances = FluidBalanceLines()
        self._views = QStackedWidget()
        self._views.addWidget(self.grid)
        self._views.addWidget(self.graph)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(heading("Chart", self._about, self.plot, self.back))
        layout.addWidget(rule())
        layout.addWidget(self.balances)
        layout.addWidget(self._views, 1)

    def show_graph(self, *, shown: bool) -> None:
        """Shows the graph, or the grid again."""
        self.plot.setChecked(shown)
        self.plot.setText("Table" if shown else "Graph")
        if shown and self._sheet:
            self.graph.show_curves(curves_of(self._sheet))
        view = self.graph if shown else self.grid
        self._views.setCurrentWidget(view)
        view.setFocus()

    def show_sheet(self, sheet: Sheet, shifts: Sequence[time]) -> None:
        """Shows the chart of the patient of a sheet, scrolled to the dictation; `shifts` are when shifts begin."""
        self._model.show(sheet)
        self.balances.show_balances(fluid_balances(sheet, shifts))
        self._sheet = sheet
        if self.plot.isChecked():
            self.graph.show_curves(curves_of(sheet))
        past = len(sheet.earlier.columns)
        self._about.setText(
            f"{plural(past, 'earlier assessment')} and this dictation" if past else "This dictation only"
        )
        self.grid.arrange(self._model.heading_lines())

    def toggle_graph(self) -> None:
        """Shows the graph in place of the grid, or the grid again."""
        self.show_graph(shown=not self.plot.isChecked())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the grid and of the graph."""
        if is_escape(event):  # here it goes back; elsewhere it closes a message
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape or action_of(event) == "chart":
                self.left.emit()
                return True
            if action_of(event) == "graph":
                self.toggle_graph()
                return True
        return super().eventFilter(watched, event)

    def _ask(self, index: QModelIndex) -> None:
        value = self._model.value_at(index)
        if value:
            self.value_asked.emit(value.id)


class _Grid(QTableView):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName("Chart of the patient")
        self.setItemDelegate(_Delegate(theme, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        for corner in self.findChildren(QAbstractButton):
            corner.setAccessibleName("Rows")
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        names, times = self.verticalHeader(), self.horizontalHeader()
        names.setTextElideMode(Qt.TextElideMode.ElideRight)
        names.setMinimumSectionSize(_HEADING)
        names.setDefaultSectionSize(_LINE)
        names.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        names.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for header in (names, times):
            header.setSectionsClickable(False)
            header.setHighlightSections(False)
        times.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self.viewport().update)

    def arrange(self, headings: list[int]) -> None:
        """Fits the columns to their content, and shows the last of them."""
        model = self.model()
        last = model.columnCount() - 1
        for line in range(model.rowCount()):
            self.setRowHeight(line, _HEADING if line in headings else _LINE)
        self.verticalHeader().setFixedWidth(self._names_width(headings))
        for column in range(last + 1):
            wanted = self.sizeHintForColumn(column) + 2 * _MARGIN + (_ICON + 14 if column == last else 0)
            wanted = max(wanted, self.horizontalHeader().sectionSizeHint(column))
            self.setColumnWidth(column, min(max(wanted, _NARROWEST), _WIDEST_NOW if column == last else _WIDEST))
        self.horizontalHeader().setStretchLastSection(True)
        first = next((line for line in range(model.rowCount()) if line not in headings), None)
        if first is not None:
            self.setCurrentIndex(model.index(first, last))
            self.scrollTo(model.index(first, last))

    def _names_width(self, headings: list[int]) -> int:
        """Room for the names of the rows, unless some are very long; headings may be cut off."""
        model, metrics = self.model(), self.verticalHeader().fontMetrics()
        names = (
            model.headerData(line, Qt.Orientation.Vertical) for line in range(model.rowCount()) if line not in headings
        )
        wanted = max(map(metrics.horizontalAdvance, names), default=0) + 3 * _MARGIN
        return min(max(wanted, _NAMES[0]), _NAMES[1])


class _Delegate(QStyledItemDelegate):
    """Draws a cell: abnormal values in their colour, values of the dictation on a ground of their own with an icon."""

    def __init__(self, theme: Theme, view: _Grid) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._font_of(index)[1].horizontalAdvance(index.data() or ""), _LINE)

    def _font_of(self, index: QModelIndex | QPersistentModelIndex) -> tuple[QFont, QFontMetrics]:
        now = index.column() == index.model().columnCount() - 1
        return self._theme.font(weight=QFont.Weight.DemiBold if now else QFont.Weight.Normal)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect, state = option.rect, option.state
        painter.save()
        now = index.column() == index.model().columnCount() - 1
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        ground = "selection" if chosen else "raised" if now else "surface"
        painter.fillRect(rect, self._theme.colour(ground))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        if chosen and self._view.hasFocus():
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), self._theme.colour("accent"))
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        if status := index.data(STATUS_ROLE):
            place = QRect(room.left(), room.center().y() - _ICON // 2, _ICON, _ICON)
            self._theme.icon(status, status).paint(painter, place)
            room.setLeft(place.right() + 6)
        font, metrics = self._font_of(index)
        painter.setFont(font)
        painter.setPen(self._theme.colour(ABNORMAL if index.data(ABNORMAL_ROLE) else "text"))
        shown = metrics.elidedText(index.data() or "", Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.restore()
