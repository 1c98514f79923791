"""Draws the trend of a row's numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

_DOT, _RING, _EDGE = 2.6, 1.4, 1.4


def points_of(numbers: Sequence[float], place: QRectF) -> list[QPointF]:
    """Points of the numbers, evenly spaced, from the smallest at the bottom up; in the middle if all are equal."""
    low, high = min(numbers), max(numbers)
    across = place.width() / max(1, len(numbers) - 1)

    def height(number: float) -> float:
        return place.bottom() - (number - low) / (high - low) * place.height() if high > low else place.center().y()

    return [QPointF(place.left() + number * across, height(value)) for number, value in enumerate(numbers)]


def draw_trend(
    painter: QPainter, place: QRectF, numbers: Sequence[float], line: QColor, now: QColor, *, sure: bool
) -> None:
    """Draws at least two numbers as a line to a dot for the present one; the dot is a ring unless `sure`."""
    inner = place.adjusted(_DOT + _EDGE, _DOT + _EDGE, -_DOT - _EDGE, -_DOT - _EDGE)
    points = points_of(numbers, inner)
    pen = QPen(line, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    last, before = points[-1], points[-2]
    away = QLineF(last, before)
    away.setLength(_DOT + _RING / 2)
    painter.drawPolyline(QPolygonF([*points[:-1], away.p2()]))  # ends at the edge of the dot, which may be hollow
    painter.setPen(QPen(now, _RING))
    painter.setBrush(now if sure else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(points[-1], _DOT, _DOT)
