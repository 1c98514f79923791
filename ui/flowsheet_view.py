"""The flowsheet on the right: a tree that is read and reviewed with the keyboard alone."""

from __future__ import annotations

from typing import ClassVar, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from app.records import ReviewedValue, ReviewStatus
from app.sheet import Sheet
from ui.flowsheet_model import LIT_ROLE, NOTES_ROLE, VALUE_ROLE, Column, FlowsheetModel, Index, Notes
from ui.parts import number_of
from ui.theme import SMALL_PX, Theme
from ui.words import STATUS_WORDS

ROW_HEIGHT, HEADING_HEIGHT, NOTE_HEIGHT, MARGIN = 34, 32, 19, 8
INDENT, ICON = 14, 15
ICON_SPACE = ICON + 6


class FlowsheetView(QTreeView):
    """Values that are lit, and below them the others grouped by category.

    Signals:
        chosen: another value became current (its id, 0 for none).
        asked: the person pressed a key for `accept`, `reject`, `edit` or `play` on the current value, or for the
            `next-lit` one.
        alternative_asked: the person pressed the key of another reading (its number, the first is 1).
    """

    chosen = Signal(int)
    asked = Signal(str)
    alternative_asked = Signal(int)

    _KEYS: ClassVar[dict[Qt.Key, str]] = {
        Qt.Key.Key_Return: "accept",
        Qt.Key.Key_Enter: "accept",
        Qt.Key.Key_A: "accept",
        Qt.Key.Key_R: "reject",
        Qt.Key.Key_Delete: "reject",
        Qt.Key.Key_E: "edit",
        Qt.Key.Key_F2: "edit",
        Qt.Key.Key_Space: "play",
        Qt.Key.Key_L: "next-lit",
    }

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
        self.setMinimumHeight(5 * ROW_HEIGHT // 2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # by lines, Qt counts how many fit and takes them for equally high: a chosen one could stay out of sight
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(50)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        for column, width in ((Column.VALUE, 150), (Column.UNIT, 64), (Column.CONFIDENCE, 74), (Column.STATUS, 122)):
            header.resizeSection(column, width)
        theme.changed.connect(self.viewport().update)

    def show_sheet(self, sheet: Sheet | None, *, anew: bool = True) -> None:
        """Shows the values, keeping the current one where it still exists; after a step of review not `anew`, so that
        what is lit keeps its place."""
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

    def current(self) -> ReviewedValue | None:
        return self._model.value_at(self.currentIndex())

    def choose(self, value_id: int) -> None:
        index = self._model.index_of(value_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def choose_first(self) -> None:
        """Goes to the first value that waits for a review, else to the first one."""
        values = self._model.ordered()
        first = next(
            (value for value in values if value.status is ReviewStatus.PROPOSED), values[0] if values else None
        )
        if first:
            self.choose(first.id)
            self.scrollToTop()

    def choose_next(self, *, lit: bool = False) -> None:
        """Goes to the next value that waits for a review, or the next such that is lit, from the top again after the
        last; stays when there is none."""
        values, current = self._model.ordered(), self.current()
        here = next((i for i, value in enumerate(values) if current and value.id == current.id), -1)
        for value in values[here + 1 :] + values[: here + 1]:
            if self._model.is_lit(value) if lit else value.status is ReviewStatus.PROPOSED:
                self.choose(value.id)
                return

    @property
    def lit(self) -> int:
        """How many values are lit and wait for a decision."""
        return sum(map(self._model.is_lit, self._model.ordered()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        value = self._model.value_at(current)
        self.chosen.emit(value.id if value else 0)

    def moveCursor(self, action: QTreeView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Walks over the headings, which hold nothing to review."""
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
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())  # the pane below has another height for each value

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().drawRow(painter, option, index)
        if notes := index.data(NOTES_ROLE):
            self._delegate.paint_notes(painter, option.rect, notes)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = cast(Qt.Key, event.key())
        action, number = self._KEYS.get(key), number_of(key)
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and (action or number):
            if action and self.current():
                self.asked.emit(action)
            elif self.current():
                self.alternative_asked.emit(number)
            return
        super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: object) -> None:
        if self.current():
            self.asked.emit("edit")


class _Delegate(QStyledItemDelegate):
    """Draws a line: status and light by icon, colour and words; problems and reasons stand under the row's name."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.data(VALUE_ROLE) is None:
            return QSize(0, HEADING_HEIGHT)
        notes: Notes = index.data(NOTES_ROLE)
        return QSize(0, ROW_HEIGHT + (NOTE_HEIGHT if notes.problems or notes.reasons else 0))

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
            self._lamp(painter, rect, "lit")
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
            focused = cast(QWidget, self.parent()).hasFocus()
            bar = self._theme.colour("accent" if focused else "border_strong")
            painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), bar)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        line = QRect(rect.left() + MARGIN, rect.top(), rect.width() - MARGIN - 2, ROW_HEIGHT)
        rejected = value.status is ReviewStatus.REJECTED
        match index.column():
            case Column.NAME:
                notes: Notes = index.data(NOTES_ROLE)
                line.setLeft(rect.left() + INDENT + (ICON_SPACE if notes.reasons else 0))
                if notes.reasons:
                    self._lamp(painter, QRect(rect.left(), line.top(), 0, ROW_HEIGHT), _ink(notes))
                self._write(painter, line, index.data(), "muted" if rejected else "text")
            case Column.VALUE:
                colour = "muted" if rejected else "text"
                self._write(painter, line, index.data(), colour, weight=QFont.Weight.DemiBold, strike=rejected)
            case Column.STATUS:
                self._pill(painter, line, value.status)
            case _:
                self._write(painter, line, index.data(), "muted", size=SMALL_PX)

    def paint_notes(self, painter: QPainter, line: QRect, notes: Notes) -> None:
        """The problems of a value and the first reason why it is lit, in words, below its cells."""
        top, left = line.top() + ROW_HEIGHT - 5, line.left() + INDENT + ICON_SPACE
        rect = QRect(left, top, line.right() - MARGIN - left, NOTE_HEIGHT)
        if notes.problems:
            self._theme.icon("warning", "warning").paint(painter, QRect(line.left() + INDENT, top + 1, ICON, ICON))
            words = "; ".join(notes.problems)
            taken = QFontMetrics(self._font(SMALL_PX, QFont.Weight.Normal)).horizontalAdvance(words) + 1
            part = QRect(rect)
            if notes.reasons:
                part.setWidth(min(taken, rect.width() * 3 // 5))
            self._write(painter, part, words, "warning", size=SMALL_PX)
            rect.setLeft(part.right() + 14)
        if notes.reasons:
            self._write(painter, rect, notes.reasons[0], _ink(notes), size=SMALL_PX)

    def _lamp(self, painter: QPainter, rect: QRect, colour: str) -> None:
        """The sign of what is lit, at the left of a line."""
        place = QRect(rect.left() + INDENT, rect.center().y() - ICON // 2, ICON, ICON)
        self._theme.icon("lit", colour).paint(painter, place)

    def _pill(self, painter: QPainter, line: QRect, status: ReviewStatus) -> None:
        word = STATUS_WORDS[status]
        font = self._font(SMALL_PX, QFont.Weight.Medium)
        pill = QRect(line.left(), 0, QFontMetrics(font).horizontalAdvance(word) + 34, 24)
        pill.moveTop(line.center().y() - 11)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(f"{status}_soft"))
        painter.drawRoundedRect(pill, 12, 12)
        self._theme.icon(str(status), str(status)).paint(painter, QRect(pill.topLeft() + QPoint(7, 4), QSize(16, 16)))
        self._write(painter, pill.adjusted(27, 0, 0, 0), word, str(status), size=SMALL_PX, weight=QFont.Weight.Medium)

    def _font(self, size: int, weight: QFont.Weight) -> QFont:
        font = QFont(cast(QWidget, self.parent()).font())
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
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, shown)


def _ink(notes: Notes) -> str:
    """The colour in which a light is named: once a decision was made it steps back."""
    return "lit" if notes.waiting else "muted"
