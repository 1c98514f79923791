"""What is larger than the screen is scrolled to, never cut off: small screens, large text, a scale of 200 %."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QMessageBox,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

AROUND = QSize(24, 56)  # the frame and the title that the system draws around a window, and a little air


class Scrolled(QScrollArea):
    """Shows `content` as large as the place is, and scrolls once it is smaller than the content can be.

    Wherever a key puts the cursor, that is brought into sight.
    """

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)

    def sizeHint(self) -> QSize:
        """As large as the content wants to be; Qt's own stops at some lines of text."""
        content = self.widget()
        return content.sizeHint().expandedTo(content.minimumSize()) if content else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        content = self.widget() if isValid(self) else None  # the cursor also moves while a window is taken down
        # what a mouse presses is seen, and must not move away from under it
        if now and content and content.isAncestorOf(now) and not QApplication.mouseButtons().value:
            room, place = self.viewport().size(), QRect(now.mapTo(content, QPoint(0, 0)), now.size())
            place.setSize(place.size().boundedTo(room - QSize(24, 24)))  # of what is larger, where it begins
            middle = place.center()
            self.ensureVisible(middle.x(), middle.y(), place.width() // 2 + 8, place.height() // 2 + 8)


class Wordy(QWidget):
    """Holds words that are broken into lines: its least height is what they need at the width that there is.

    Qt asks for that no further up than the next splitter.
    """

    def minimumSizeHint(self) -> QSize:
        hint, layout = super().minimumSizeHint(), self.layout()
        if layout and layout.hasHeightForWidth():
            hint.setHeight(max(hint.height(), layout.minimumHeightForWidth(max(self.width(), hint.width()))))
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class Pages(QStackedWidget):
    """Pages of which the one that is shown says how much room is needed, instead of the largest."""

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint() if page else super().minimumSizeHint()


def room_on_screen(widget: QWidget) -> QSize:
    """How large a window may be on the screen of the widget."""
    return widget.screen().availableGeometry().size() - AROUND


def fit_to_screen(dialog: QDialog) -> None:
    """Makes a dialog no larger than its screen; what it cannot do without, it then scrolls to."""
    room, layout = room_on_screen(dialog), dialog.layout()
    wanted = dialog.size() if dialog.testAttribute(Qt.WidgetAttribute.WA_Resized) else dialog.sizeHint()
    wanted = wanted.expandedTo(dialog.minimumSize())
    if layout is None or isinstance(dialog, QMessageBox) or _fits(wanted, room):
        return
    dialog.setMinimumSize(0, 0)
    if not _fits(dialog.minimumSizeHint(), room):
        content = QWidget()
        content.setLayout(layout)  # takes its widgets along
        outer = QVBoxLayout(dialog)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Scrolled(content))
    dialog.resize(wanted.boundedTo(room))


def _fits(size: QSize, room: QSize) -> bool:
    return size.width() <= room.width() and size.height() <= room.height()
