"""Draws the lines of the flowsheet: values, scores and headings."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from app.chart.computed_rows import Score
from app.chart.records import ReviewedValue, ReviewStatus
from ui.flowsheet.flowsheet_model import (
    ABNORMAL_ROLE,
    BEHIND_ROLE,
    BELOW_ROLE,
    LIT_ROLE,
    NOTES_ROLE,
    SCORE_ROLE,
    TREND_ROLE,
    VALUE_ROLE,
    Column,
    Notes,
)
from ui.flowsheet.range_words import ABNORMAL
from ui.flowsheet.score_words import status_of_score
from ui.flowsheet.sparkline import draw_trend
from ui.kit.theme import FONT_PX, SMALL_PX, Theme
from ui.kit.words import status_name, status_words

ROW_HEIGHT, HEADING_HEIGHT = 28, 22
_MARGIN, _INDENT, _ICON = 8, 14, 15
_ICON_SPACE = _ICON + 6
_MOST_LINES = {Column.NAME: 4, Column.VALUE: 4, Column.CHECK: 2}
_PADDING = 6  # pixels above and below the lines of a text together
_EDGE = 2  # pixels between a text and the next column
_BESIDE, _FRACTIONS = 6, 4  # pixels between a value and its unit; what eliding may count more than was measured


class FlowsheetDelegate(QStyledItemDelegate):
    """Draws a line: status and light as icon, colour and words.

    Attributes:
        compact: whether the status is an icon alone.
        locked: whether the sheet is filed, so that it can only be read.
        aside: whether no line is marked as the current one, because something else is decided about.
    """

    def __init__(self, theme: Theme, view: QTreeView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        self.compact = self.locked = self.aside = False

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.column() not in _MOST_LINES or self._view.isColumnHidden(index.column()):
            return QSize(0, 0)  # Qt takes the largest height of all cells of a line
        if index.data(VALUE_ROLE) is None and index.data(SCORE_ROLE) is None:
            return QSize(0, HEADING_HEIGHT)
        if index.column() == Column.CHECK and not index.data():
            return QSize(0, 0)
        text = len(self._lines_of(index)) * self._metrics(index).lineSpacing()
        return QSize(0, max(text + _PADDING, ROW_HEIGHT))

    def _lines_of(self, index: QModelIndex | QPersistentModelIndex) -> list[str]:
        """The lines of a name, a value or what to check; the last one is shortened if there are too many.

        A value of one line does not include its unit and time, which are drawn small behind it.
        """
        most = _MOST_LINES[Column(index.column())]
        taken = _INDENT + _ICON_SPACE if index.column() == Column.NAME else _MARGIN
        width, metrics = self._view.columnWidth(index.column()) - taken - _EDGE, self._metrics(index)
        text, unit = index.data() or "", (index.data(BEHIND_ROLE) or "") if index.column() == Column.VALUE else ""
        behind = self._theme.font(SMALL_PX)[1].horizontalAdvance(unit) + _BESIDE + _FRACTIONS if unit else 0
        if metrics.horizontalAdvance(text) + behind <= width:
            return [text]
        lines = [""]
        for word in f"{text} {unit}".split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and metrics.horizontalAdvance(longer) + _FRACTIONS > width:
                lines.append(word)
            else:
                lines[-1] = longer
        if len(lines) == 1 and unit:
            lines = [text, unit]
        shown = [*lines[: most - 1], " ".join(lines[most - 1 :])] if len(lines) > most else lines
        return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in shown]

    def _metrics(self, index: QModelIndex | QPersistentModelIndex) -> QFontMetrics:
        bold, small = index.column() == Column.VALUE, index.column() == Column.CHECK
        weight = QFont.Weight.DemiBold if bold else QFont.Weight.Normal
        return self._theme.font(SMALL_PX if small else FONT_PX, weight)[1]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line = index.data(VALUE_ROLE) or index.data(SCORE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect
        if line is None:
            self._heading(painter, rect, index)
        else:
            self._ground(painter, rect, option, index)
            draw = self._value if isinstance(line, ReviewedValue) else self._score
            draw(painter, rect.adjusted(_MARGIN, 0, -_EDGE, 0), index, line)
        painter.restore()

    def _heading(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        painter.fillRect(rect, self._theme.colour("raised"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))
        inner = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        left = index.data(Qt.ItemDataRole.StatusTipRole)
        self._write(painter, inner, left, "muted", size=SMALL_PX, align=Qt.AlignmentFlag.AlignRight)
        lit = index.data(LIT_ROLE)
        if lit:
            self._sign(painter, inner, "lit", "lit")
            inner.setLeft(rect.left() + _INDENT + _ICON_SPACE)
        self._write(painter, inner, index.data(), "lit" if lit else "text", weight=QFont.Weight.DemiBold)

    def _ground(
        self,
        painter: QPainter,
        rect: QRect,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws what a line stands on: its colour, whether it is current, and the rule below it."""
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected) and not self.aside
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        ground = "selection" if selected else "hover" if hovered else "lit_soft" if index.data(LIT_ROLE) else ""
        if ground:
            painter.fillRect(rect, self._theme.colour(ground))
        if selected and index.column() == Column.NAME:
            focused = self._view.hasFocus()
            bar = self._theme.colour("accent" if focused else "border_strong")
            painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), bar)
        below = index.sibling(index.row() + 1, index.column())
        if not below.data(BELOW_ROLE):  # readings of one row stand together
            painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._theme.colour("border"))

    def _score(self, painter: QPainter, line: QRect, index: QModelIndex | QPersistentModelIndex, score: Score) -> None:
        match index.column():
            case Column.NAME:
                line.setLeft(line.left() - _MARGIN + _INDENT + _ICON_SPACE)
                self._write(painter, line, "\n".join(self._lines_of(index)), "text")
            case Column.VALUE:
                self._value_text(painter, line, index, ABNORMAL if index.data(ABNORMAL_ROLE) else "text")
            case Column.STATUS if not self.compact:  # its icon alone would look like a value to decide about
                self._pill(painter, line, index.data(), status_of_score(score))
            case Column.CHECK:
                self._write(painter, line, "\n".join(self._lines_of(index)), "muted", size=SMALL_PX)

    def _value(
        self, painter: QPainter, line: QRect, index: QModelIndex | QPersistentModelIndex, value: ReviewedValue
    ) -> None:
        rejected = value.status is ReviewStatus.REJECTED or value.replaced_by is not None
        ink = "muted" if rejected or self.locked else "text"
        match index.column():
            case Column.NAME:
                notes: Notes = index.data(NOTES_ROLE)
                if sign := _sign_of(notes):
                    self._sign(painter, line, *sign)
                line.setLeft(line.left() - _MARGIN + _INDENT + _ICON_SPACE)
                self._write(painter, line, "\n".join(self._lines_of(index)), "muted" if index.data(BELOW_ROLE) else ink)
            case Column.VALUE:
                colour = ABNORMAL if index.data(ABNORMAL_ROLE) and not rejected else ink
                self._value_text(painter, line, index, colour, strike=rejected)
            case Column.STATUS:
                self._pill(painter, line, status_words(value), status_name(value))
            case Column.TREND:
                if numbers := index.data(TREND_ROLE):
                    drawn = QRectF(line).adjusted(0, 5, _EDGE - _MARGIN, -5)
                    line_colour, dot = self._theme.colour("border_strong"), self._theme.colour("accent")
                    draw_trend(painter, drawn, numbers, line_colour, dot, sure=value.stands)
            case Column.CHECK:
                words = "\n".join(self._lines_of(index))
                self._write(painter, line, words, _sign_ink(index.data(NOTES_ROLE)), size=SMALL_PX)
            case _:
                colour = ABNORMAL if index.data(ABNORMAL_ROLE) else "muted"
                self._write(painter, line, index.data(), colour, size=SMALL_PX)

    def _value_text(
        self,
        painter: QPainter,
        line: QRect,
        index: QModelIndex | QPersistentModelIndex,
        colour: str,
        *,
        strike: bool = False,
    ) -> None:
        lines = self._lines_of(index)
        self._write(painter, line, "\n".join(lines), colour, weight=QFont.Weight.DemiBold, strike=strike)
        if len(lines) == 1:
            self._draw_behind(painter, line, index)

    def _draw_behind(self, painter: QPainter, line: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draws unit and time next to the value."""
        taken = self._metrics(index).horizontalAdvance(index.data()) + _BESIDE
        rest = line.adjusted(min(taken, line.width()), 0, 0, 0)
        self._write(painter, rest, index.data(BEHIND_ROLE), "muted", size=SMALL_PX)

    def _sign(self, painter: QPainter, line: QRect, icon: str, colour: str) -> None:
        """Draws an icon before the name of a line; `line` begins at the left margin."""
        place = QRect(line.left() - _MARGIN + _INDENT, line.center().y() - _ICON // 2, _ICON, _ICON)
        self._theme.icon(icon, colour).paint(painter, place)

    def _pill(self, painter: QPainter, line: QRect, word: str, status: str) -> None:
        if self.compact:
            self._theme.icon(status, status).paint(painter, QRect(line.left(), line.center().y() - 8, 16, 16))
            return
        _, metrics = self._theme.font(SMALL_PX, QFont.Weight.Medium)
        pill = QRect(line.left(), 0, metrics.horizontalAdvance(word) + 34, 22)
        pill.moveTop(line.center().y() - 11)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(f"{status}_soft"))
        painter.drawRoundedRect(pill, 11, 11)
        self._theme.icon(status, status).paint(painter, QRect(pill.topLeft() + QPoint(7, 3), QSize(16, 16)))
        self._write(painter, pill.adjusted(27, 0, 0, 0), word, status, size=SMALL_PX, weight=QFont.Weight.Medium)

    def _write(
        self,
        painter: QPainter,
        rect: QRect,
        text: str,
        colour: str,
        *,
        size: int = FONT_PX,
        weight: QFont.Weight = QFont.Weight.Normal,
        strike: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        font, metrics = self._theme.font(size, weight)
        if strike:
            font = QFont(font)
            font.setStrikeOut(True)
        painter.setFont(font)
        painter.setPen(self._theme.colour(colour))
        shown = text if "\n" in text else metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
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
    return "warning" if notes.problems and not notes.reasons else _ink(notes)


def _ink(notes: Notes) -> str:
    """The colour of a light, muted after a decision."""
    return "lit" if notes.waiting else "muted"
