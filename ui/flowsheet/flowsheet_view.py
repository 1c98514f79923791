"""The flowsheet on the right: a tree that can be read and reviewed with the keyboard alone."""

from __future__ import annotations

from collections.abc import Container, Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QTreeView, QWidget

from app.chart.computed_rows import Score
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from ui.flowsheet.column_widths import ICONS, NAME_WIDTH, WIDTHS, ColumnWidths
from ui.flowsheet.flowsheet_delegate import ROW_HEIGHT, FlowsheetDelegate
from ui.flowsheet.flowsheet_model import (
    PAST_SHOWN,
    Column,
    FlowsheetModel,
    Index,
    Key,
    key_of,
)
from ui.kit.context_menu import ContextMenu
from ui.kit.keys import action_of
from ui.kit.theme import Theme
from ui.kit.widgets import number_of

_LEAST_ROWS = 10
_CURRENT_LINE = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_COMPACT = 450  # below this width the status is an icon
_ROOMY = 40  # so much wider are names and what to check before earlier columns appear by themselves


class FlowsheetView(QTreeView):
    """Values to check, and below them the others grouped by category.

    Attributes:
        locked: whether the sheet is filed, so that it can only be read.

    Signals:
        chosen: another line became current (the id of a value, 0 for a score or none).
        asked: the person pressed a key of the flowsheet (the name of its action, see `ui.kit.keys`).
        alternative_asked: the person pressed the key of another reading (its number, counted from 1).
        menu_asked: the person asked for the menu of the current value (position on the screen).
    """

    chosen = Signal(int)
    asked = Signal(str)
    alternative_asked = Signal(int)
    menu_asked = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._come_upon: Key | None = None  # the current line, where the sheet was opened at it
        self._model = FlowsheetModel(self)
        self.setModel(self._model)
        self._delegate = FlowsheetDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName("Flowsheet values")
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setMinimumHeight(_LEAST_ROWS * ROW_HEIGHT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # scrolling per item, Qt assumes equal heights, and the current line could stay out of sight
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._widths = ColumnWidths(self, self._arrange)
        header.sectionResized.connect(lambda *_: self.scheduleDelayedItemsLayout())  # narrow columns have more lines
        earlier = [*range(Column.PAST, Column.PAST + PAST_SHOWN), Column.TREND]
        for place, section in enumerate(earlier, 1):  # earlier values go left of the new ones
            header.moveSection(header.visualIndex(section), place)
        self._history = False
        ContextMenu(self, self._ask_menu)
        self._arrange()
        theme.changed.connect(self.viewport().update)

    def show_sheet(self, sheet: Sheet | None, *, anew: bool = True) -> None:
        """Shows the values, keeping the current one if it still exists.

        Args:
            anew: gather the values to check at the top; False after a step of review, so that they keep their place.
        """
        self._delegate.locked = sheet is not None and sheet.filing is not None
        before, place = self._model.line_at(self.currentIndex()), self._here()
        same, scrolled = self._model.is_of(sheet), self.verticalScrollBar().value()
        if anew:
            self._model.load(sheet)
        else:
            self._model.show(sheet)
        if self.current_key is None:
            for position in range(self._model.rowCount()):
                self.setFirstColumnSpanned(position, QModelIndex(), True)
            self.expandAll()
            if before and same:
                self.verticalScrollBar().setValue(scrolled)
                self._choose_near(key_of(before), place)
        self._arrange()

    @property
    def locked(self) -> bool:
        return self._delegate.locked

    def _choose_near(self, key: Key, place: int) -> None:
        """Goes to a line, or if it is gone to the one that now stands in its place."""
        keys = [key_of(line) for line in self._model.lines()]
        if keys:
            self.choose(key if key in keys else keys[min(place, len(keys) - 1)])

    @property
    def past_shown(self) -> int:
        """Number of earlier columns that are shown."""
        return sum(not self.isColumnHidden(Column.PAST + number) for number in range(PAST_SHOWN))

    @property
    def has_past(self) -> bool:
        """Whether earlier assessments have values of the rows shown."""
        return bool(self._model.past)

    def show_history(self, shown: bool) -> None:
        """Shows earlier assessments and trends next to the values, as many as fit, or hides them."""
        self._history = shown
        self._arrange()

    def _arrange(self) -> None:
        """Shows the columns that fit: the values, what to check, and then earlier columns, the latest first.

        With the history, the status becomes an icon where the trend and an earlier column do not fit otherwise.
        """
        whole = self.viewport().width()
        past, check, trend = len(self._model.past), WIDTHS[Column.CHECK], WIDTHS[Column.TREND]
        wanted = self._history and past > 0
        free = whole - NAME_WIDTH - self._widths.value(whole)
        tight = wanted and free - WIDTHS[Column.STATUS] < check + trend + self._widths.past
        self._delegate.compact = whole < _COMPACT or tight
        status = ICONS if self._delegate.compact else WIDTHS[Column.STATUS]
        room = free - (status if tight else WIDTHS[Column.STATUS])
        checked = room >= check
        room -= check if checked else 0
        drawn = wanted and room >= trend + self._widths.past
        room -= trend if drawn else 0 if wanted else _ROOMY
        fitting = min(past, max(0, room) // self._widths.past) if checked else 0
        for number in range(PAST_SHOWN):
            self.setColumnHidden(Column.PAST + number, not past - fitting <= number < past)
        self.setColumnHidden(Column.TREND, not drawn)
        self.setColumnHidden(Column.CHECK, not checked)
        self._widths.apply(whole, status)

    @property
    def dragged_widths(self) -> list[int]:
        """The widths of name, value and earlier columns that a person has dragged; 0 for a usual one."""
        return self._widths.dragged

    def drag_widths(self, widths: Sequence[int]) -> None:
        """Sets what `dragged_widths` gives."""
        self._widths.drag(widths)

    def set_aside(self, aside: bool) -> None:
        """Marks no line as the current one while something else is decided about, or marks it again."""
        self._delegate.aside = aside
        self.viewport().update()

    def current(self) -> ReviewedValue | None:
        return self._model.value_at(self.currentIndex())

    def current_score(self) -> Score | None:
        line = self._model.line_at(self.currentIndex())
        return None if isinstance(line, ReviewedValue) else line

    @property
    def current_key(self) -> Key | None:
        """Identifies the current value or score; None without one."""
        line = self._model.line_at(self.currentIndex())
        return key_of(line) if line else None

    def choose(self, key: Key) -> None:
        """Goes to a value or a score, if the sheet has it."""
        index = self._model.index_of(key)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def choose_first(self) -> None:
        """Goes to the first value that waits for a decision, else to the first one."""
        values = self._model.ordered()
        first = next(
            (value for value in values if value.status is ReviewStatus.PROPOSED), values[0] if values else None
        )
        if first:
            self.choose(first.id)
            self.scrollToTop()
            self._come_upon = first.id

    def step(self, by: int) -> None:
        """Goes `by` lines down, or up if negative; stops at the ends."""
        lines, here = self._model.lines(), max(self._here(), 0)
        if lines:
            self.choose(key_of(lines[min(max(here + by, 0), len(lines) - 1)]))

    def _here(self) -> int:
        """The position of the current line among all; -1 without one."""
        current = self._model.line_at(self.currentIndex())
        keys = [key_of(line) for line in self._model.lines()]
        return keys.index(key_of(current)) if current else -1

    def choose_next(self, *, lit: bool = False, decided: Container[int] = ()) -> None:
        """Goes to the next value that waits for a decision; with `lit`, only to one that is lit or in conflict.

        Those whose decision is being saved (`decided`, their ids) do not wait any more.

        Continues at the top after the last; stays if there is none. With `lit`, the line at which the sheet was opened
        counts as the next one once.
        """
        lines, here = self._model.lines(), self._here()
        if lit and self._come_upon is not None and self._come_upon == self.current_key:
            here -= 1  # nobody has gone to this one yet
        self._come_upon = None
        for value in lines[here + 1 :] + lines[: here + 1]:
            if not isinstance(value, ReviewedValue):
                continue
            waits = self._model.calls(value) if lit else value.status is ReviewStatus.PROPOSED
            if waits and value.id not in decided:
                self.choose(value.id)
                return

    def choose_open(self) -> None:
        """As `choose_next`, with `lit` if any such value waits, but stays if the current one qualifies."""
        calling, value = self.calling > 0, self.current()
        if value is None or not (self._model.calls(value) if calling else value.status is ReviewStatus.PROPOSED):
            self.choose_next(lit=calling)

    @property
    def lit(self) -> int:
        """Number of values that are lit and wait for a decision."""
        return sum(map(self._model.is_lit, self._model.ordered()))

    @property
    def calling(self) -> int:
        """Number of values that are lit or in conflict and wait for a decision."""
        return sum(map(self._model.calls, self._model.ordered()))

    def ids(self) -> list[int]:
        """Ids of all values, from top to bottom."""
        return [value.id for value in self._model.ordered()]

    def wants_a_look(self, value_id: int) -> bool:
        """Whether a value is lit or in conflict and waits for a decision."""
        value = self._model.value_at(self._model.index_of(value_id))
        return value is not None and self._model.calls(value)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self.selectionModel().isSelected(current):
            # with the focus a view without a current line gets one, but Qt does not select it
            self.selectionModel().select(current, _CURRENT_LINE)
        if self._come_upon != self.current_key:
            self._come_upon = None
        value = self._model.value_at(current)
        self.chosen.emit(value.id if value else 0)

    def moveCursor(self, action: QTreeView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Skips the headings, which have nothing to review."""
        index = super().moveCursor(action, modifiers)
        up = action in (
            QTreeView.CursorAction.MoveUp,
            QTreeView.CursorAction.MovePageUp,
            QTreeView.CursorAction.MovePrevious,
        )
        if index.isValid() and self._model.line_at(index) is None:
            further = self.indexAbove(index) if up else self.indexBelow(index)
            index = further if further.isValid() else self.currentIndex()
        return index

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())  # the height of the pane below depends on the value

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = action_of(event)
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if action:
            self.asked.emit(action)
        elif plain and (number := number_of(event.key())):
            self.alternative_asked.emit(number)
        else:
            super().keyPressEvent(event)

    def _ask_menu(self, index: QModelIndex, place: QPoint) -> None:
        value = self._model.value_at(index)
        if value:
            self.choose(value.id)
            self.menu_asked.emit(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a heading leaves the current line, so that the keys still act on it."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self._model.line_at(index) is None:
            self.setFocus()
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: object) -> None:
        if self.current():
            self.asked.emit("edit")
