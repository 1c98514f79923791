"""The numbers of a patient's chart over time, one curve below the other, over the same hours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.chart.history.curves import Curve, Point
from ui.flowsheet.range_words import ABNORMAL, is_abnormal, marked
from ui.kit.theme import SMALL_PX, Theme
from ui.kit.widgets import clear, label
from ui.kit.words import plural, row_unit, value_unit

_NAMES, _HEIGHT, _HOURS = 200, 84, 24  # pixels: room for names, height of a curve and of the line of hours
_NAME_LINE = 23
_ABOVE, _BELOW, _SIDE = 20, 8, 28
_DOT, _LABEL_ROOM, _TICK_ROOM = 3.5, 34, 74
_LEGEND = "○ not confirmed  ■ abnormal"
_STEPS = (5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1440)  # minutes between two ticks


class Graph(QScrollArea):
    """Attributes: `strips` are the curves that are shown, from the top."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.strips: list[_Strip] = []
        self.setAccessibleName("Graph of the chart")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        content = QWidget()
        self._list = QVBoxLayout(content)
        self._list.setContentsMargins(0, 0, 0, 8)
        self._list.setSpacing(0)
        self.setWidget(content)

    def show_curves(self, curves: Sequence[Curve]) -> None:
        """Shows curves, or that there are none."""
        clear(self._list)
        self.strips = []
        if not curves:
            nothing = label("No row has two numbers yet. A graph needs at least two.", "muted", wrap=True)
            nothing.setContentsMargins(14, 14, 14, 14)
            self._list.addWidget(nothing)
        else:
            times = [point.at for curve in curves for point in curve.points]
            span = (min(times), max(times))
            self._list.addWidget(_Hours(self._theme, span))
            self.strips = [_Strip(self._theme, curve, span) for curve in curves]
            for strip in self.strips:
                self._list.addWidget(strip)
        self._list.addStretch(1)


class _Timed(QWidget):
    """Something drawn over the hours between two moments."""

    def __init__(self, theme: Theme, span: tuple[datetime, datetime]) -> None:
        super().__init__()
        self._theme, self._span = theme, span
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def _across(self, at: datetime) -> float:
        """The place of a moment from the left, in pixels."""
        start, end = self._span
        whole = (end - start).total_seconds()
        share = (at - start).total_seconds() / whole if whole else 0.5
        return _NAMES + _SIDE + share * (self.width() - _NAMES - 2 * _SIDE)


class _Hours(_Timed):
    """The line of times above the curves."""

    def sizeHint(self) -> QSize:
        return QSize(_NAMES + 200, _HOURS)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.colour("muted"))
        font = painter.font()
        small = QFont(font)
        small.setPixelSize(SMALL_PX)
        painter.setFont(small)
        painter.drawText(QRectF(14, 0, _NAMES, self.height()), Qt.AlignmentFlag.AlignVCenter, _LEGEND)
        painter.setFont(font)
        start, end = self._span
        most = max(1, int((self.width() - _NAMES - 2 * _SIDE) / _TICK_ROOM))
        for at in ticks(start, end, most):
            text = f"{at:%H:%M}" if start.date() == end.date() else f"{at:%a %H:%M}"
            place = QRectF(self._across(at) - _TICK_ROOM / 2, 0, _TICK_ROOM, self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)


def ticks(start: datetime, end: datetime, most: int) -> list[datetime]:
    """Round times of day from `start` to `end`, at most so many, as close together as that permits."""
    minutes = (end - start).total_seconds() / 60
    step = next((step for step in _STEPS if minutes / step < most), math.ceil(minutes / most / _STEPS[-1]) * _STEPS[-1])
    midnight = datetime.combine(start.date(), time())
    first = math.ceil((start - midnight).total_seconds() / 60 / step)
    found = []
    while (at := midnight + timedelta(minutes=first * step)) <= end:
        found.append(at)
        first += 1
    return found or [start]


class _Strip(_Timed):
    """One curve: its name and last value on the left, its points with their numbers on the right.

    Abnormal points are squares, proposals that nobody decided on are hollow, and the normal range is shaded.
    """

    def __init__(self, theme: Theme, curve: Curve, span: tuple[datetime, datetime]) -> None:
        super().__init__(theme, span)
        self._curve = curve
        unit = row_unit(curve.row)
        self._unit = f" ({unit})" if unit else ""
        when = "%H:%M" if span[0].date() == span[1].date() else "%a %H:%M"
        said = [
            f"{marked(curve.row, one.value.value, value_unit(curve.row, one.value))} at {one.at.strftime(when)}"
            + ("" if one.charted else ", not confirmed")
            for one in curve.points
        ]
        self.setAccessibleName(curve.row.name)
        self.setAccessibleDescription("; ".join(said))
        self.setToolTip("\n".join([f"{curve.row.name}, {plural(len(curve.points), 'value')}", *said]))

    def sizeHint(self) -> QSize:
        return QSize(_NAMES + 200, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_name(painter)
        low, high = self._limits()

        def up(number: float) -> float:
            inner = self.height() - _ABOVE - _BELOW
            return self.height() - _BELOW - (number - low) / (high - low) * inner if high > low else self.height() / 2

        for normal in self._curve.row.reference:
            top = up(high if normal.maximum is None else min(normal.maximum, high))
            bottom = up(low if normal.minimum is None else max(normal.minimum, low))
            if bottom > top:
                band = QRectF(_NAMES, top, self.width() - _NAMES, bottom - top)
                painter.fillRect(band, self._theme.colour("raised"))
        for line in range(len(self._curve.points[0].numbers)):
            corners = [
                QPointF(self._across(one.at), up(one.numbers[line]))
                for one in self._curve.points
                if len(one.numbers) > line
            ]
            painter.setPen(QPen(self._theme.colour("muted"), 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(corners))
        self._draw_points(painter, up)
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), self._theme.colour("border"))

    def _draw_name(self, painter: QPainter) -> None:
        """Draws the name of the row, its last value, and whether that is confirmed."""
        last = self._curve.points[-1]
        text = marked(self._curve.row, last.value.value, value_unit(self._curve.row, last.value))
        lines = (
            (self._curve.row.name + self._unit, "text", False),
            (text, self._colour_of(last), True),
            ("" if last.charted else "not confirmed", "muted", False),
        )
        font = painter.font()
        for place, (words, colour, bold) in enumerate(lines):
            font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            painter.setFont(font)
            painter.setPen(self._theme.colour(colour))
            room = QRectF(14, 8 + place * _NAME_LINE, _NAMES - 22, _NAME_LINE)
            shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _draw_points(self, painter: QPainter, up: Callable[[float], float]) -> None:
        said_at = -1000.0
        for one in self._curve.points:
            across, colour = self._across(one.at), self._theme.colour(self._colour_of(one))
            painter.setPen(QPen(colour, 1.6))
            painter.setBrush(colour if one.charted else self._theme.colour("surface"))
            for number in one.numbers:
                dot = QRectF(across - _DOT, up(number) - _DOT, 2 * _DOT, 2 * _DOT)
                if is_abnormal(self._curve.row, one.value.value):
                    painter.drawRect(dot)
                else:
                    painter.drawEllipse(dot)
            if across - said_at >= _LABEL_ROOM:
                said_at = across
                text = "/".join(f"{number:g}" for number in one.numbers)
                room = QRectF(across - 40, up(max(one.numbers)) - _ABOVE, 80, _ABOVE - _DOT)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _colour_of(self, point: Point) -> str:
        return ABNORMAL if is_abnormal(self._curve.row, point.value.value) else "text"

    def _limits(self) -> tuple[float, float]:
        """The lowest and highest number of the strip; the normal range is inside, so that small changes look small."""
        numbers = [number for one in self._curve.points for number in one.numbers]
        for normal in self._curve.row.reference:
            numbers += [bound for bound in (normal.minimum, normal.maximum) if bound is not None]
        low, high = min(numbers), max(numbers)
        room = max((high - low) * 0.1, abs(high) * 0.02, 0.5)
        return low - room, high + room
