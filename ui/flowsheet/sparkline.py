"""A small drawing of where the numbers of a row went."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

_DOT, _RING, _EDGE = 2.6, 1.4, 1.4


def points_of(numbers: Sequence[float], place: QRectF) -> list[QPointF]:
    """Where the numbers are drawn: evenly from left to right, the least at the bottom; equal ones in the middle."""
    low, high = min(numbers), max(numbers)
    across = place.width() / max(1, len(numbers) - 1)

    def height(number: float) -> float:
        return place.bottom() - (number - low) / (high - low) * place.height() if high > low else place.center().y()

    return [QPointF(place.left() + number * across, height(value)) for number, value in enumerate(numbers)]


def draw_trend(
    painter: QPainter, place: QRectF, numbers: Sequence[float], line: QColor, now: QColor, *, sure: bool
) -> None:
    """Draws earlier numbers as a line that ends in a dot for the present one, a ring while nobody is `sure`."""
    inner = place.adjusted(_DOT + _EDGE, _DOT + _EDGE, -_DOT - _EDGE, -_DOT - _EDGE)
    points = points_of(numbers, inner)
    pen = QPen(line, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    last, before = points[-1], points[-2]
    away = QLineF(last, before)
    away.setLength(_DOT + _RING / 2)
    painter.drawPolyline(QPolygonF([*points[:-1], away.p2()]))  # up to the dot, whose middle may be empty
    painter.setPen(QPen(now, _RING))
    painter.setBrush(now if sure else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(points[-1], _DOT, _DOT)
