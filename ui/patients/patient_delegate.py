"""Draws a patient in the list: bed, name and states in one line, and a second one where a name is not enough."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.chart.patient_identity import bed_name
from ui.kit.dictation_states import ListedPatient, Mark
from ui.kit.theme import FONT_PX, SMALL_PX, Theme

LISTED_ROLE = Qt.ItemDataRole.UserRole
_LINE, _MARGIN, _BED, _ICON, _GAP = 20, 5, 34, 15, 6  # pixels
_ASIDE, _INSIDE = 3, 7  # margins of the rounded background, and inside it
_NAME = FONT_PX, QFont.Weight.DemiBold
_SMALL = SMALL_PX, QFont.Weight.Normal


class _Places(NamedTuple):
    """Where the parts of an item are. A long name takes two lines, and then the marks have a line of their own."""

    bed: QRect
    name: QRect
    marks: QRect
    note: QRect
    height: int


class PatientDelegate(QStyledItemDelegate):
    """The items have a `ListedPatient` as LISTED_ROLE."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        listed: ListedPatient | None = index.data(LISTED_ROLE)
        width = self._view.viewport().width()
        return QSize(0, self._places(QRect(0, 0, width, 0), listed).height if listed else 0)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        listed: ListedPatient | None = index.data(LISTED_ROLE)
        if listed is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(Qt.PenStyle.NoPen)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._theme.colour("selection" if selected else "hover"))
            painter.drawRoundedRect(option.rect.adjusted(_ASIDE, 1, -_ASIDE, -1), 7, 7)
        patient, places = listed.patient, self._places(option.rect, listed)
        painter.setBrush(self._theme.colour("surface" if selected else "hover"))
        painter.drawRoundedRect(places.bed, 5, 5)
        bed = "–" if patient.discharged else bed_name(patient.bed) or "–"
        middle = Qt.AlignmentFlag.AlignHCenter
        self._write(painter, places.bed, bed, "muted", (SMALL_PX, QFont.Weight.DemiBold), middle)
        self._set(painter, "muted" if patient.discharged else "text", _NAME)
        painter.drawText(places.name, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, patient.name)
        self._write(painter, places.note, listed.note, "warning" if listed.warns else "muted", _SMALL)
        left = places.marks.left()
        for mark in listed.marks:
            middle_of_it = places.marks.top() + (_LINE - _ICON) // 2
            icon = self._theme.icon(mark.icon, mark.colour)
            icon.paint(painter, QRect(left, middle_of_it, _ICON, _ICON))
            number = QRect(left + _ICON + 2, places.marks.top(), self._number_width(mark), _LINE)
            self._write(painter, number, mark.number, mark.colour, _SMALL)
            left += self._mark_width(mark) + _GAP
        painter.restore()

    def _places(self, item: QRect, listed: ListedPatient) -> _Places:
        line = QRect(item.left() + _ASIDE + _INSIDE, item.top() + _MARGIN, 0, _LINE)
        line.setRight(item.right() - _ASIDE - _INSIDE)
        bed, name = QRect(line.left(), line.top(), _BED, _LINE), line.adjusted(_BED + 9, 0, 0, 0)
        wanted = self._width(listed.patient.name, _NAME)
        name.setHeight(_LINE if wanted <= name.width() else 2 * _LINE)
        bottom = name.bottom() + 1
        of_marks = sum(map(self._mark_width, listed.marks)) + _GAP * max(len(listed.marks) - 1, 0)
        marks = QRect(line.right() + 1 - of_marks, line.top(), of_marks, _LINE)
        if of_marks and wanted + _GAP > name.width() - of_marks:
            marks = QRect(name.left(), bottom, name.width(), _LINE)
            bottom += _LINE
        note = QRect(line.left(), bottom, line.width(), _LINE if listed.note else 0)
        return _Places(bed, name, marks, note, note.bottom() + 1 + _MARGIN - item.top())

    def _mark_width(self, mark: Mark) -> int:
        return _ICON + (2 + self._number_width(mark) if mark.number else 0)

    def _number_width(self, mark: Mark) -> int:
        return self._width(mark.number, _SMALL)

    def _width(self, text: str, font: tuple[int, QFont.Weight]) -> int:
        return self._theme.font(*font)[1].horizontalAdvance(text)

    def _write(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        colour: str,
        size_and_weight: tuple[int, QFont.Weight],
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        metrics = self._set(painter, colour, size_and_weight)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, align | Qt.AlignmentFlag.AlignVCenter, shown)

    def _set(self, painter: QPainter, colour: str, size_and_weight: tuple[int, QFont.Weight]) -> QFontMetrics:
        font, metrics = self._theme.font(*size_and_weight)
        painter.setFont(font)
        painter.setPen(self._theme.colour(colour))
        return metrics
