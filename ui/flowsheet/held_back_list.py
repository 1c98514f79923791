"""A list of held-back values with the words that they were read from, or of sentences alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from app.chart.quotes import begins_with, ends_with
from app.record.values import Evidence, ProposedValue
from ui.flowsheet.range_words import ABNORMAL
from ui.kit.keys import action_of
from ui.kit.theme import FONT_PX, SMALL_PX, Theme

LINE_HEIGHT, SENTENCE_HEIGHT, MARGIN, INDENT = 34, 21, 8, 14
LONGEST_LIST = 178
NAME_SHARE = 0.4  # of the width
LINE_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a section.

    Attributes:
        place: the evidence, or the sentence alone, to highlight and play; None for a row without either.
        said: the sentence in three parts: before, in and after the words that the value was read from.
        held_back: the value; None for a sentence without one.
        name, value: row and value as text.
        judged: how the value compares with the ranges of its row; empty if it is not abnormal.
    """

    place: Evidence | None
    said: tuple[str, str, str]
    held_back: ProposedValue | None = None
    name: str = ""
    value: str = ""
    judged: str = ""

    @property
    def spoken(self) -> str:
        """The whole line for a screen reader."""
        sentence = "".join(self.said)
        if not self.held_back:
            return sentence
        judged = f", {self.judged.lower()}" if self.judged else ""
        return f"{self.name}, {self.value}{judged}, read from: {self.said[1]}, in: {sentence}"


class _Lines(QAbstractListModel):
    """Read-only model; lines are made on demand, since only a few of thousands are ever seen."""

    def __init__(self) -> None:
        super().__init__()
        self.things: tuple[Any, ...] = ()
        self.line_of: Callable[[Any], Line]

    def show(self, things: tuple[Any, ...]) -> None:
        self.beginResetModel()
        self.things = things
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.things)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.line_of(self.things[index.row()])
        if role == LINE_ROLE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line.spoken
        return "".join(line.said) if role == Qt.ItemDataRole.ToolTipRole else None


class LineView(QTreeView):
    """The lines of a section, as high as its content up to a limit.

    Signals:
        chosen: another line became current.
        asked, play_asked: the person pressed Enter or Space on it.
        reject_asked, speak_asked: the person pressed the key for rejecting it, or for saying a value.
    """

    chosen = Signal()
    asked = Signal()
    reject_asked = Signal()
    play_asked = Signal()
    speak_asked = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._model = _Lines()
        self._model.setParent(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)

    @property
    def things(self) -> tuple[Any, ...]:
        return self._model.things

    @property
    def line_of(self) -> Callable[[Any], Line]:
        return self._model.line_of

    def current_thing(self) -> Any:
        """What the current line is about; None without one."""
        place = self.currentIndex().row()
        return self.things[place] if 0 <= place < len(self.things) else None

    def current(self) -> Line | None:
        line: Line | None = self.currentIndex().data(LINE_ROLE)
        return line

    def show_lines(self, things: Sequence[Any], line_of: Callable[[Any], Line]) -> None:
        """Shows a line for each thing.

        While the list is in sight, the current one stays current, or the one at its position if it is gone; else the
        first one becomes current.
        """
        self._model.line_of = line_of
        things, former, place = tuple(things), self.things, self.currentIndex().row() if self.isVisible() else -1
        if things == former:
            self.viewport().update()
            return
        self._model.show(things)
        if things:
            kept = former[place] if place >= 0 else None
            row = things.index(kept) if kept in things else min(max(place, 0), len(things) - 1)
            self.setCurrentIndex(self._model.index(row))
            self.setFixedHeight(min(len(things) * self.sizeHintForRow(0), LONGEST_LIST))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit()
        elif event.key() == Qt.Key.Key_Space:
            self.play_asked.emit()
        elif action_of(event) == "reject":
            self.reject_asked.emit()
        elif action_of(event) == "speak":
            self.speak_asked.emit()
        else:
            super().keyPressEvent(event)


class _Delegate(QStyledItemDelegate):
    """Draws a value aligned with the flowsheet's columns, and the sentence below it or alone, its words highlighted."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line: Line = index.data(LINE_ROLE)
        return QSize(0, LINE_HEIGHT + (SENTENCE_HEIGHT if line.held_back else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(LINE_ROLE)
        rect, view = option.rect, cast(QWidget, self.parent())
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.colour("selection" if selected else "hover"))
        if selected:
            bar = self._theme.colour("accent" if view.hasFocus() else "border_strong")
            painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), bar)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        sentence = rect.adjusted(INDENT, 0, -MARGIN, 0)
        if line.held_back:
            value = round(view.width() * NAME_SHARE)
            for left, right, text, colour, weight in (
                (INDENT, value, line.name, "text", QFont.Weight.Normal),
                (
                    value + MARGIN,
                    rect.width() - MARGIN,
                    line.value,
                    ABNORMAL if line.judged else "text",
                    QFont.Weight.DemiBold,
                ),
            ):
                cell = QRect(rect.left() + left, rect.top() + 2, right - left, LINE_HEIGHT - 4)
                self._write(painter, cell, text, colour, self._theme.font(weight=weight))
            sentence.adjust(0, LINE_HEIGHT - 7, 0, -5)
        self._sentence(painter, sentence, line)
        painter.restore()

    def _sentence(self, painter: QPainter, rect: QRect, line: Line) -> None:
        """Draws the highlighted words with as much of the sentence around them as fits."""
        before, words, after = line.said
        size = SMALL_PX if line.held_back else FONT_PX
        plain, bold = self._theme.font(size), self._theme.font(size, QFont.Weight.DemiBold)
        metrics, width = plain[1], bold[1].horizontalAdvance(words)
        room = rect.width() - width - 2
        behind = min(metrics.horizontalAdvance(after), max(room // 2, room - metrics.horizontalAdvance(before)))
        before = begins_with(before, lambda part: metrics.horizontalAdvance(part) <= room - behind) if before else ""
        ink, place = "muted" if line.held_back else "text", QRect(rect)
        self._write(painter, place, before, ink, plain)
        place.setLeft(place.left() + metrics.horizontalAdvance(before))
        if words:
            ground = QRect(place)
            ground.setWidth(min(width, place.width()))
            painter.fillRect(ground.adjusted(-1, 1, 1, -1), self._theme.colour("evidence_span"))
            self._write(painter, place, words, "evidence_text", bold)
            place.setLeft(ground.right() + 1)
        if after:
            after = ends_with(after, lambda part: metrics.horizontalAdvance(part) <= place.width())
        self._write(painter, place, after, ink, plain)

    def _write(self, painter: QPainter, rect: QRect, text: str, colour: str, font: tuple[QFont, QFontMetrics]) -> None:
        painter.setFont(font[0])
        painter.setPen(self._theme.colour(colour))
        shown = font[1].elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
