"""The chart of a patient, to look at: opened from the flowsheet of a dictation, and back to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
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
from ui.flowsheet.chart.chart_model import ABNORMAL_ROLE, NOW_ROLE, STATUS_ROLE, ChartModel
from ui.flowsheet.chart.fluid_balance_line import FluidBalanceLines
from ui.flowsheet.chart.graph import Graph
from ui.flowsheet.range_words import ABNORMAL
from ui.kit.keys import action_of, is_escape
from ui.kit.theme import Theme
from ui.kit.widgets import button, heading, key_hint, label, rule
from ui.kit.words import plural

_LINE, _HEADING, _MARGIN, _ICON, _GAP = 26, 22, 8, 15, 6
_NARROWEST, _WIDEST, _WIDEST_OF_FEW = 64, 156, 210  # pixels of a column
_MORE = " …"
_NAMES = (200, 290)  # least and most pixels of row names


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
        """Shows the chart of the patient of a sheet, scrolled to the newest column; `shifts` are when shifts begin."""
        self._model.show(sheet)
        self.balances.show_balances(fluid_balances(sheet, shifts))
        self._sheet = sheet
        if self.plot.isChecked():
            self.graph.show_curves(curves_of(sheet))
        others = self._model.others
        self._about.setText(f"{plural(others, 'other time')} and this dictation" if others else "This dictation only")
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
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
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
        self._names, self._column = _NAMES[0], _NARROWEST  # pixels that the names and a column want

    def arrange(self, headings: list[int]) -> None:
        """Fits the columns to their content, and shows the newest of them."""
        model = self.model()
        last = model.columnCount() - 1
        for line in range(model.rowCount()):
            self.setRowHeight(line, _HEADING if line in headings else _LINE)
        self._names = self._names_width(headings)
        heads = self.horizontalHeader()
        wanted = [
            max(self.sizeHintForColumn(column) + 2 * _MARGIN, heads.sectionSizeHint(column))
            for column in range(last + 1)
        ]
        self._column = min(max(_NARROWEST, *wanted), _WIDEST)
        first = next((line for line in range(model.rowCount()) if line not in headings), None)
        if first is not None:
            self.setCurrentIndex(model.index(first, last))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Makes all columns alike, so that wherever one scrolls to, only whole ones are seen; stays at the current."""
        names, times = self.verticalHeader(), self.horizontalHeader()
        whole = self.viewport().width() + names.width()
        fitting = max(1, (whole - self._names) // self._column)
        few = times.count() <= fitting
        width = max(_NARROWEST, (whole - self._names) // max(1, min(fitting, times.count())))
        width = min(width, _WIDEST_OF_FEW) if few else width
        times.setStretchLastSection(few)
        times.setDefaultSectionSize(width)
        for column in range(times.count()):
            self.setColumnWidth(column, width)
        names.setFixedWidth(self._names if few else whole - fitting * width)
        self.updateGeometries()
        self.scrollTo(self.currentIndex())
        times.setOffsetToSectionPosition(self.horizontalScrollBar().value())  # Qt leaves it where it was in pixels

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
        icon = _ICON + _GAP if index.data(STATUS_ROLE) else 0
        return QSize(self._font_of(index)[1].horizontalAdvance(index.data() or "") + icon, _LINE)

    def _font_of(self, index: QModelIndex | QPersistentModelIndex) -> tuple[QFont, QFontMetrics]:
        return self._theme.font(weight=QFont.Weight.DemiBold if index.data(NOW_ROLE) else QFont.Weight.Normal)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect, state = option.rect, option.state
        painter.save()
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        ground = "selection" if chosen else "raised" if index.data(NOW_ROLE) else "surface"
        painter.fillRect(rect, self._theme.colour(ground))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        if chosen and self._view.hasFocus():
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), self._theme.colour("accent"))
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        if status := index.data(STATUS_ROLE):
            place = QRect(room.left(), room.center().y() - _ICON // 2, _ICON, _ICON)
            self._theme.icon(status, status).paint(painter, place)
            room.setLeft(place.right() + _GAP)
        font, metrics = self._font_of(index)
        painter.setFont(font)
        painter.setPen(self._theme.colour(ABNORMAL if index.data(ABNORMAL_ROLE) else "text"))
        painter.drawText(
            room,
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            shortened(index.data() or "", metrics, room.width()),
        )
        painter.restore()


def shortened(text: str, metrics: QFontMetrics, width: int) -> str:
    """A text that fits into a width: words are left out from the end, and no number is cut."""
    words = text.split(" ")
    for count in range(len(words), 0, -1):
        shown = " ".join(words[:count]) + (_MORE if count < len(words) else "")
        if metrics.horizontalAdvance(shown) <= width:
            return shown
    has_number = any(map(str.isdigit, words[0]))
    return _MORE.strip() if has_number else metrics.elidedText(words[0], Qt.TextElideMode.ElideRight, width)
