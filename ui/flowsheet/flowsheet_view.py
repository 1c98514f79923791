"""The flowsheet on the right: a tree that can be read and reviewed with the keyboard alone."""

from __future__ import annotations

from collections.abc import Container

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from ui.flowsheet.flowsheet_model import (
    ABNORMAL_ROLE,
    LIT_ROLE,
    NOTES_ROLE,
    PAST_SHOWN,
    TREND_ROLE,
    UNIT_ROLE,
    VALUE_ROLE,
    Column,
    FlowsheetModel,
    Index,
    Notes,
)
from ui.flowsheet.range_words import ABNORMAL
from ui.flowsheet.sparkline import draw_trend
from ui.kit.context_menu import ContextMenu
from ui.kit.keys import action_of
from ui.kit.theme import SMALL_PX, Theme
from ui.kit.widgets import number_of
from ui.kit.words import status_name, status_words

ROW_HEIGHT, HEADING_HEIGHT, MARGIN = 28, 22, 8
INDENT, ICON = 14, 15
ICON_SPACE = ICON + 6
NAME_WIDTH, PAST_WIDTH = 150, 78  # the name shares the remaining width with what is to be checked, at least this
_LEAST_ROWS = 10
_MOST_LINES = 4  # of a name or value
_EDGE = 2  # pixels between a text and the next column
_COMPACT, _ICONS = 450, 62  # below this width the status is an icon, and its column so wide
_ROOMY = 40  # so much wider are names and what to check before earlier columns appear by themselves
_WIDTHS = {Column.VALUE: 150, Column.STATUS: 112, Column.CHECK: 150, Column.TREND: 92}


class FlowsheetView(QTreeView):
    """Values to check, and below them the others grouped by category.

    Attributes:
        locked: whether the sheet is filed, so that it can only be read.

    Signals:
        chosen: another value became current (its id, 0 for none).
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
        self._model = FlowsheetModel(self)
        self.setModel(self._model)
        self._delegate = _Delegate(theme, self)
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
        header.setMinimumSectionSize(50)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for column in (Column.NAME, Column.CHECK):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        for number in range(PAST_SHOWN):
            header.resizeSection(Column.PAST + number, PAST_WIDTH)
        header.sectionResized.connect(lambda *_: self.scheduleDelayedItemsLayout())  # narrow columns have more lines
        earlier = [*range(Column.PAST, Column.PAST + PAST_SHOWN), Column.TREND]
        for place, section in enumerate(earlier, 1):  # earlier values go left of the new ones
            header.moveSection(header.visualIndex(section), place)
        self.locked = False
        self._history = False
        ContextMenu(self, self._ask_menu)
        self._arrange()
        theme.changed.connect(self.viewport().update)

    def show_sheet(self, sheet: Sheet | None, *, anew: bool = True) -> None:
        """Shows the values, keeping the current one if it still exists.

        Args:
            anew: gather the values to check at the top; False after a step of review, so that they keep their place.
        """
        self.locked = sheet is not None and sheet.filing is not None
        current = self.current()
        if anew:
            self._model.load(sheet)
        else:
            self._model.show(sheet)
        if not self.current():
            for position in range(self._model.rowCount()):
                self.setFirstColumnSpanned(position, QModelIndex(), True)
            self.expandAll()
            if current:
                self.choose(current.id)
        self._arrange()

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

        With the history, the trend and earlier columns come before what to check.
        """
        self._delegate.compact = self.viewport().width() < _COMPACT
        self.header().resizeSection(Column.STATUS, _ICONS if self._delegate.compact else _WIDTHS[Column.STATUS])
        past = len(self._model.past)
        wanted = self._history and past > 0
        room = self.viewport().width() - NAME_WIDTH - _WIDTHS[Column.VALUE] - _WIDTHS[Column.STATUS]
        trend = wanted and room >= _WIDTHS[Column.TREND]
        spare = room - (_WIDTHS[Column.TREND] if trend else _WIDTHS[Column.CHECK] + _ROOMY)
        fitting = min(past, max(0, spare) // PAST_WIDTH) if trend or not wanted else 0
        room -= _WIDTHS[Column.TREND] if trend else 0
        for number in range(PAST_SHOWN):
            self.setColumnHidden(Column.PAST + number, not past - fitting <= number < past)
        room -= fitting * PAST_WIDTH
        self.setColumnHidden(Column.TREND, not trend)
        self.setColumnHidden(Column.CHECK, room < _WIDTHS[Column.CHECK])

    def current(self) -> ReviewedValue | None:
        return self._model.value_at(self.currentIndex())

    def choose(self, value_id: int) -> None:
        index = self._model.index_of(value_id)
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

    def step(self, by: int) -> None:
        """Goes `by` values down, or up if negative; stops at the ends."""
        values, current = self._model.ordered(), self.current()
        here = next((i for i, value in enumerate(values) if current and value.id == current.id), 0)
        if values:
            self.choose(values[min(max(here + by, 0), len(values) - 1)].id)

    def choose_next(self, *, lit: bool = False, decided: Container[int] = ()) -> None:
        """Goes to the next value that waits for a decision; with `lit`, only to one that is lit or in conflict.

        Those whose decision is being saved (`decided`, their ids) do not wait any more.

        Continues at the top after the last; stays if there is none.
        """
        values, current = self._model.ordered(), self.current()
        here = next((i for i, value in enumerate(values) if current and value.id == current.id), -1)
        for value in values[here + 1 :] + values[: here + 1]:
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
        if index.isValid() and self._model.value_at(index) is None:
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

    def mouseDoubleClickEvent(self, event: object) -> None:
        if self.current():
            self.asked.emit("edit")


class _Delegate(QStyledItemDelegate):
    """Draws a line: status and light as icon, colour and words; the status as an icon alone where it is `compact`."""

    def __init__(self, theme: Theme, view: FlowsheetView) -> None:
        super().__init__(view)
        self._theme, self._view, self.compact = theme, view, False

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.column() not in (Column.NAME, Column.VALUE):
            return QSize(0, 0)  # Qt takes the largest height of all cells of a line
        if index.data(VALUE_ROLE) is None:
            return QSize(0, HEADING_HEIGHT)
        return QSize(0, ROW_HEIGHT + (len(self._lines_of(index)) - 1) * self._metrics(index).lineSpacing())

    def _lines_of(self, index: QModelIndex | QPersistentModelIndex) -> list[str]:
        """The lines of a name or value; the last one is shortened if there are too many.

        A value of one line does not include its unit, which is drawn small behind it.
        """
        taken = INDENT + ICON_SPACE if index.column() == Column.NAME else MARGIN
        width, metrics = self._view.columnWidth(index.column()) - taken - _EDGE, self._metrics(index)
        text, unit = index.data() or "", (index.data(UNIT_ROLE) or "") if index.column() == Column.VALUE else ""
        behind = QFontMetrics(self._font(SMALL_PX, QFont.Weight.Normal)).horizontalAdvance(unit) + 6 if unit else 0
        if metrics.horizontalAdvance(text) + behind <= width:
            return [text]
        lines = [""]
        for word in f"{text} {unit}".split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and metrics.horizontalAdvance(longer) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        shown = [*lines[: _MOST_LINES - 1], " ".join(lines[_MOST_LINES - 1 :])] if len(lines) > _MOST_LINES else lines
        return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in shown]

    def _metrics(self, index: QModelIndex | QPersistentModelIndex) -> QFontMetrics:
        bold = index.column() == Column.VALUE
        return QFontMetrics(self._font(0, QFont.Weight.DemiBold if bold else QFont.Weight.Normal))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        value = index.data(VALUE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect
        if value is None:
            self._heading(painter, rect, index)
        else:
            self._line(painter, rect, option, index, value)
        painter.restore()

    def _heading(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        painter.fillRect(rect, self._theme.colour("raised"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        inner = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        left = index.data(Qt.ItemDataRole.StatusTipRole)
        self._write(painter, inner, left, "muted", size=SMALL_PX, align=Qt.AlignmentFlag.AlignRight)
        lit = index.data(LIT_ROLE)
        if lit:
            self._sign(painter, inner, "lit", "lit")
            inner.setLeft(rect.left() + INDENT + ICON_SPACE)
        self._write(painter, inner, index.data(), "lit" if lit else "text", weight=QFont.Weight.DemiBold)

    def _line(
        self,
        painter: QPainter,
        rect: QRect,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        value: ReviewedValue,
    ) -> None:
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        ground = "selection" if selected else "hover" if hovered else "lit_soft" if index.data(LIT_ROLE) else ""
        if ground:
            painter.fillRect(rect, self._theme.colour(ground))
        if selected and index.column() == Column.NAME:
            focused = self._view.hasFocus()
            bar = self._theme.colour("accent" if focused else "border_strong")
            painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), bar)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        line = rect.adjusted(MARGIN, 0, -_EDGE, 0)
        rejected = value.status is ReviewStatus.REJECTED or value.replaced_by is not None
        ink = "muted" if rejected or self._view.locked else "text"
        match index.column():
            case Column.NAME:
                notes: Notes = index.data(NOTES_ROLE)
                if sign := _sign_of(notes):
                    self._sign(painter, line, *sign)
                line.setLeft(rect.left() + INDENT + ICON_SPACE)
                self._write(painter, line, "\n".join(self._lines_of(index)), ink)
            case Column.VALUE:
                colour = ABNORMAL if index.data(ABNORMAL_ROLE) and not rejected else ink
                lines, bold = self._lines_of(index), QFont.Weight.DemiBold
                self._write(painter, line, "\n".join(lines), colour, weight=bold, strike=rejected)
                if len(lines) == 1:
                    self._unit_behind(painter, line, index)
            case Column.STATUS:
                self._pill(painter, line, value)
            case Column.TREND:
                if numbers := index.data(TREND_ROLE):
                    drawn = QRectF(rect.left() + MARGIN, line.top() + 5, rect.width() - 2 * MARGIN, line.height() - 10)
                    line_colour, dot = self._theme.colour("border_strong"), self._theme.colour("accent")
                    draw_trend(painter, drawn, numbers, line_colour, dot, sure=value.stands)
            case Column.CHECK:
                self._write(painter, line, index.data(), _sign_ink(index.data(NOTES_ROLE)), size=SMALL_PX)
            case _:
                colour = ABNORMAL if index.data(ABNORMAL_ROLE) else "muted"
                self._write(painter, line, index.data(), colour, size=SMALL_PX)

    def _unit_behind(self, painter: QPainter, line: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draws the unit next to the value."""
        taken = QFontMetrics(self._font(0, QFont.Weight.DemiBold)).horizontalAdvance(index.data()) + 6
        rest = line.adjusted(min(taken, line.width()), 0, 0, 0)
        self._write(painter, rest, index.data(UNIT_ROLE), "muted", size=SMALL_PX)

    def _sign(self, painter: QPainter, line: QRect, icon: str, colour: str) -> None:
        """Draws an icon before the name of a line; `line` begins at the left margin."""
        place = QRect(line.left() - MARGIN + INDENT, line.center().y() - ICON // 2, ICON, ICON)
        self._theme.icon(icon, colour).paint(painter, place)

    def _pill(self, painter: QPainter, line: QRect, value: ReviewedValue) -> None:
        word, status = status_words(value), status_name(value)
        if self.compact:
            self._theme.icon(status, status).paint(painter, QRect(line.left(), line.center().y() - 8, 16, 16))
            return
        font = self._font(SMALL_PX, QFont.Weight.Medium)
        pill = QRect(line.left(), 0, QFontMetrics(font).horizontalAdvance(word) + 34, 22)
        pill.moveTop(line.center().y() - 11)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(f"{status}_soft"))
        painter.drawRoundedRect(pill, 11, 11)
        self._theme.icon(status, status).paint(painter, QRect(pill.topLeft() + QPoint(7, 3), QSize(16, 16)))
        self._write(painter, pill.adjusted(27, 0, 0, 0), word, status, size=SMALL_PX, weight=QFont.Weight.Medium)

    def _font(self, size: int, weight: QFont.Weight) -> QFont:
        font = QFont(self._view.font())
        if size:
            font.setPixelSize(size)
        font.setWeight(weight)
        return font

    def _write(
        self,
        painter: QPainter,
        rect: QRect,
        text: str,
        colour: str,
        *,
        size: int = 0,
        weight: QFont.Weight = QFont.Weight.Normal,
        strike: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        font = self._font(size, weight)
        font.setStrikeOut(strike)
        painter.setFont(font)
        painter.setPen(self._theme.colour(colour))
        shown = text if "\n" in text else QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, shown)


def _sign_of(notes: Notes) -> tuple[str, str] | None:
    """The icon before a row's name and its colour; None without anything to check."""
    if notes.conflict:
        return "conflict", "conflict"
    if notes.reasons:
        return "lit", _ink(notes)
    return ("warning", "warning") if notes.problems else None


def _sign_ink(notes: Notes) -> str:
    """The colour of the note that matters most."""
    if notes.conflict:
        return "conflict"
    if notes.confirmed:
        return ABNORMAL
    return "warning" if notes.problems else _ink(notes)


def _ink(notes: Notes) -> str:
    """The colour of a light, muted after a decision."""
    return "lit" if notes.waiting else "muted"
