"""What is larger than the screen is scrolled to, never cut off: small screens, large text, a scale of 200 %."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QMessageBox,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

AROUND = QSize(24, 56)  # the frame and the title that the system draws around a window, and a little air
WIDTHS = (380, 630)  # what transcript and flowsheet get of the width


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


class Panes(QSplitter):
    """Two panes beside each other, or the second above the first where the place is too narrow for both.

    Args:
        widths: what each gets of the width, in proportion.
    """

    def __init__(self, first: QWidget, second: QWidget, widths: Sequence[int], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._first, self._second, self._widths = first, second, list(widths)
        self.setHandleWidth(12)
        self.setChildrenCollapsible(False)
        for place, (pane, width) in enumerate(zip((first, second), widths, strict=True)):
            self.addWidget(pane)
            self.setStretchFactor(place, 100 * width // sum(widths))
        self.setSizes(self._widths)
        self.splitterMoved.connect(self._keep_widths)

    @property
    def stacked(self) -> bool:
        return self.orientation() == Qt.Orientation.Vertical

    @property
    def widths(self) -> list[int]:
        """What each pane gets of the width where there is room for both, in proportion."""
        return list(self._widths)

    def set_widths(self, widths: Sequence[int]) -> None:
        """Divides the width in this proportion."""
        self._widths = list(widths)
        if not self.stacked:
            self.setSizes(self._widths)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(max(self._least()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # another content may need more room
            self._arrange()
        return done

    def _keep_widths(self) -> None:
        if not self.stacked:
            self._widths = self.sizes()

    def _least(self) -> list[int]:
        panes = (self._first, self._second)
        return [pane.minimumSizeHint().expandedTo(pane.minimumSize()).width() for pane in panes]

    def _arrange(self) -> None:
        stacked = self.width() < sum(self._least()) + self.handleWidth()
        if stacked == self.stacked or not self.isVisible():
            return
        if stacked:
            self.setOrientation(Qt.Orientation.Vertical)
            self.insertWidget(0, self._second)
        else:
            self.setOrientation(Qt.Orientation.Horizontal)
            self.insertWidget(0, self._first)
            self.setSizes(self._widths)


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


def accepted(dialog: QDialog) -> bool:
    """Shows a dialog until it is closed and lets it go; whether it was closed with yes."""
    fit_to_screen(dialog)
    yes = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return yes


def _fits(size: QSize, room: QSize) -> bool:
    return size.width() <= room.width() and size.height() <= room.height()
