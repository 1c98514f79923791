"""List of a patient's dictations, newest first, with their states."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.chart.sheet import DictationSummary
from app.services.engine.job_lanes import AnyJob
from app.services.workbench import Workbench
from models.base.progress import Progress
from ui.kit.context_menu import ContextMenu
from ui.kit.dictation_states import state_of
from ui.kit.theme import FONT_PX, SMALL_PX, Theme
from ui.kit.words import dictation_text, when_text

ID_ROLE, LINES_ROLE, ICON_ROLE = (Qt.ItemDataRole.UserRole + i for i in range(3))
LINE_HEIGHT, ITEM_HEIGHT = 21, 54


class RecentList(QListWidget):
    """Signals, each with a dictation's id: `chosen` when the user picks one; `rename_asked` and `delete_asked` on F2
    and Del; `menu_asked`, with a screen position, for its context menu."""

    chosen = Signal(int)
    rename_asked = Signal(int)
    delete_asked = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Dictations")
        self.setItemDelegate(_Delegate(theme, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.itemClicked.connect(self._pick)
        self.itemActivated.connect(self._pick)
        ContextMenu(self, lambda index, place: self.menu_asked.emit(index.data(ID_ROLE), place))
        theme.changed.connect(self.viewport().update)

    def show_entries(
        self,
        entries: Sequence[DictationSummary],
        workbench: Workbench,
        current: int | None,
        latest: tuple[AnyJob, Progress] | None = None,
    ) -> None:
        """Lists the dictations and selects the current one; while the list has the focus, keeps the selection.

        `latest` is the last report of the running job.
        """
        if self.hasFocus() and self.currentItem():
            marked: int = self.currentItem().data(ID_ROLE)
            current = marked if marked in {entry.dictation.id for entry in entries} else current
        now = datetime.now(UTC)
        shown = [self.item(row).data(ID_ROLE) for row in range(self.count())]
        if shown != [entry.dictation.id for entry in entries]:
            self.clear()
            for _ in entries:
                self.addItem(QListWidgetItem())
        for row, entry in enumerate(entries):
            dictation = entry.dictation
            state = state_of(entry, workbench, latest)
            lines = (dictation_text(dictation, when_text(dictation.created_at, now)), state.words)
            item = self.item(row)
            item.setData(ID_ROLE, dictation.id)
            item.setData(LINES_ROLE, lines)
            item.setData(ICON_ROLE, (state.icon, state.colour))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(lines))
            item.setToolTip("\n".join((*lines, dictation.error)).strip())
            if dictation.id == current:
                self.setCurrentItem(item)
        if current is None:
            self.setCurrentRow(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if item and plain and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            asked = self.rename_asked if event.key() == Qt.Key.Key_F2 else self.delete_asked
            if not event.isAutoRepeat():
                asked.emit(item.data(ID_ROLE))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.count():
            painter = QPainter(self.viewport())
            painter.setPen(self._theme.colour("muted"))
            place = self.viewport().rect().adjusted(16, 18, -16, -16)
            align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(place, align, "Dictations you record or open appear here.")

    def _pick(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(ID_ROLE))


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
            styles = ((FONT_PX, QFont.Weight.Medium), (SMALL_PX, QFont.Weight.Normal))
            font, metrics = self._theme.font(*styles[position])
            left = 0
            if position == 1:
                self._theme.icon(name, colour).paint(painter, QRect(line.left(), line.top() + 3, 15, 15))
                left = 20
            painter.setFont(font)
            painter.setPen(self._theme.colour(("text", colour)[position]))
            place = line.adjusted(left, 0, 0, 0)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
            line.translate(0, LINE_HEIGHT)
        painter.restore()
