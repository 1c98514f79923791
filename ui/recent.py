"""The dictations there are, newest first, with what can be done about each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.sheet import Entry
from app.workbench import Workbench
from ui.theme import SMALL_PX, Theme
from ui.words import when_text

ID_ROLE, LINES_ROLE, ICON_ROLE = (Qt.ItemDataRole.UserRole + i for i in range(3))
LINE_HEIGHT, ITEM_HEIGHT = 21, 76


class RecentList(QListWidget):
    """Signals: `chosen` (a dictation's id) when the person picks one."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Dictations")
        self.setItemDelegate(_Delegate(theme, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.itemClicked.connect(self._pick)
        self.itemActivated.connect(self._pick)
        theme.changed.connect(self.viewport().update)

    def show_entries(self, entries: Sequence[Entry], workbench: Workbench, current: int | None) -> None:
        """Lists the dictations and marks the current one."""
        self.clear()
        now = datetime.now(UTC)
        for entry in entries:
            dictation, patient = entry.dictation, entry.patient
            state, icon = state_of(entry, workbench)
            bed = f" · Bed {patient.bed}" if patient.bed else ""
            lines = (
                f"{patient.name}{bed}",
                f"{when_text(dictation.created_at, now)} · {dictation.original_name}",
                state,
            )
            item = QListWidgetItem()
            item.setData(ID_ROLE, dictation.id)
            item.setData(LINES_ROLE, lines)
            item.setData(ICON_ROLE, icon)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(lines))
            item.setToolTip("\n".join((*lines, dictation.error)).strip())
            self.addItem(item)
            if dictation.id == current:
                self.setCurrentItem(item)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.count():
            painter = QPainter(self.viewport())
            painter.setPen(self._theme.colour("muted"))
            place = self.viewport().rect().adjusted(16, 18, -16, -16)
            align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(place, align, "Dictations that you record or open are listed here.")

    def _pick(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(ID_ROLE))


def state_of(entry: Entry, workbench: Workbench) -> tuple[str, tuple[str, str]]:
    """What to know about a dictation, and its icon."""
    job = workbench.job_of(entry.dictation.id)
    if job:
        running = workbench.jobs[:1] == (job,)
        return ("Working…", ("running", "accent")) if running else ("Waiting for its turn", ("waiting", "muted"))
    match entry.dictation.status:
        case "failed":
            return "Not finished: open to retry", ("error", "error")
        case "filled":
            left = entry.proposed
            return (f"{left} to review", ("proposed", "proposed")) if left else ("Reviewed", ("confirmed", "confirmed"))
        case _:
            return "Not finished: open to go on", ("warning", "warning")


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, ITEM_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = option.rect.adjusted(2, 1, -2, -1)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selection" if selected else "hover"))
            painter.drawRoundedRect(rect, 7, 7)
        name, colour = index.data(ICON_ROLE)
        line = QRect(rect.left() + 10, rect.top() + 5, rect.width() - 18, LINE_HEIGHT)
        for position, text in enumerate(index.data(LINES_ROLE)):
            font = QFont(cast(QWidget, self.parent()).font())
            font.setPixelSize(font.pixelSize() if position == 0 else SMALL_PX)
            font.setWeight(QFont.Weight.DemiBold if position == 0 else QFont.Weight.Normal)
            left = 0
            if position == 2:
                self._theme.icon(name, colour).paint(painter, QRect(line.left(), line.top() + 3, 15, 15))
                left = 20
            painter.setFont(font)
            painter.setPen(self._theme.colour(("text", "muted", colour)[position]))
            place = line.adjusted(left, 0, 0, 0)
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
            line.translate(0, LINE_HEIGHT)
        painter.restore()
