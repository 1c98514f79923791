"""The flowsheet on the right: a tree that is read and reviewed with the keyboard alone."""

from __future__ import annotations

from typing import ClassVar, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from app.records import ReviewedValue, ReviewStatus
from app.sheet import Sheet
from ui.flowsheet_model import CONCERNS_ROLE, VALUE_ROLE, Column, FlowsheetModel, Index
from ui.theme import SMALL_PX, Theme
from ui.words import STATUS_WORDS

ROW_HEIGHT, CATEGORY_HEIGHT, NOTE_HEIGHT, MARGIN = 34, 32, 19, 8


class FlowsheetView(QTreeView):
    """Values grouped by category.

    Signals:
        chosen: another value became current (its id, 0 for none).
        asked: the person pressed a key for `accept`, `reject`, `edit` or `play` on the current value.
    """

    chosen = Signal(int)
    asked = Signal(str)

    _KEYS: ClassVar[dict[Qt.Key, str]] = {
        Qt.Key.Key_Return: "accept",
        Qt.Key.Key_Enter: "accept",
        Qt.Key.Key_A: "accept",
        Qt.Key.Key_R: "reject",
        Qt.Key.Key_Delete: "reject",
        Qt.Key.Key_E: "edit",
        Qt.Key.Key_F2: "edit",
        Qt.Key.Key_Space: "play",
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
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
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

    def show_sheet(self, sheet: Sheet | None) -> None:
        """Shows the values, keeping the current one where it still exists."""
        current = self.current()
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

    def choose_next(self) -> None:
        """Goes to the next value that waits for a review, from the top again after the last; stays when none does."""
        values, current = self._model.ordered(), self.current()
        here = next((i for i, value in enumerate(values) if current and value.id == current.id), -1)
        for value in values[here + 1 :] + values[: here + 1]:
            if value.status is ReviewStatus.PROPOSED:
                self.choose(value.id)
                return

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        value = self._model.value_at(current)
        self.chosen.emit(value.id if value else 0)

    def moveCursor(self, action: QTreeView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Walks over the categories, which hold nothing to review."""
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
        notes = index.data(CONCERNS_ROLE)
        if notes:
            self._delegate.paint_notes(painter, option.rect, notes)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._KEYS.get(cast(Qt.Key, event.key()))
        if action and event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            if self.current():
                self.asked.emit(action)
            return
        super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: object) -> None:
        if self.current():
            self.asked.emit("edit")


class _Delegate(QStyledItemDelegate):
    """Draws a line: status by icon, colour and word; problems in words under the row's name."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.data(VALUE_ROLE) is None:
            return QSize(0, CATEGORY_HEIGHT)
        notes = index.sibling(index.row(), 0).data(CONCERNS_ROLE)
        return QSize(0, ROW_HEIGHT + (NOTE_HEIGHT if notes else 0))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        value = index.data(VALUE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect
        if value is None:
            self._category(painter, rect, index)
        else:
            self._line(painter, rect, option, index, value)
        painter.restore()

    def _category(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        painter.fillRect(rect, self._theme.colour("raised"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        inner = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        self._write(painter, inner, index.data(), "text", weight=QFont.Weight.DemiBold)
        left = index.data(Qt.ItemDataRole.StatusTipRole)
        self._write(painter, inner, left, "muted", size=SMALL_PX, align=Qt.AlignmentFlag.AlignRight)

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
        if selected or hovered:
            painter.fillRect(rect, self._theme.colour("selection" if selected else "hover"))
        if selected and index.column() == Column.NAME:
            focused = cast(QWidget, self.parent()).hasFocus()
            bar = self._theme.colour("accent" if focused else "border_strong")
            painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), bar)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        line = QRect(rect.left() + MARGIN, rect.top(), rect.width() - MARGIN - 2, ROW_HEIGHT)
        rejected = value.status is ReviewStatus.REJECTED
        match index.column():
            case Column.NAME:
                line.setLeft(line.left() + 6)
                self._write(painter, line, index.data(), "muted" if rejected else "text")
            case Column.VALUE:
                colour = "muted" if rejected else "text"
                self._write(painter, line, index.data(), colour, weight=QFont.Weight.DemiBold, strike=rejected)
            case Column.STATUS:
                self._pill(painter, line, value.status)
            case _:
                self._write(painter, line, index.data(), "muted", size=SMALL_PX)

    def paint_notes(self, painter: QPainter, line: QRect, notes: tuple[str, ...]) -> None:
        """The problems of a value in words, below its cells."""
        top = line.top() + ROW_HEIGHT - 5
        self._theme.icon("warning", "warning").paint(painter, QRect(line.left() + 14, top + 1, 15, 15))
        rect = QRect(line.left() + 35, top, line.width() - 43, NOTE_HEIGHT)
        self._write(painter, rect, "; ".join(notes), "warning", size=SMALL_PX)

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
