"""Layouts that scroll rather than cut off content, on small screens, with large text or at a scale of 200 %."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDialog,
    QFrame,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

AROUND = QSize(24, 56)  # window frame and title bar drawn by the system, plus a margin
QWIDGETSIZE_MAX = 16777215  # Qt's value for no maximum width
WIDTHS = (360, 720)  # of transcript and flowsheet, in proportion


class Scrolled(QScrollArea):
    """Resizes `content` to the space available, and scrolls if that is less than its minimum size.

    Scrolls to a widget that gets the focus by key.
    """

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = False
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)

    def sizeHint(self) -> QSize:
        """Size hint of the content; Qt caps its own at some lines of text."""
        content = self.widget()
        return content.sizeHint().expandedTo(content.minimumSize()) if content else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.wanted_height if self._whole else 80)

    @property
    def wanted_height(self) -> int:
        """The height from which on nothing has to scroll."""
        content = self.widget()
        if content and content.hasHeightForWidth():  # then Qt wants to scroll from here on
            return content.heightForWidth(self.viewport().width())
        return content.minimumSizeHint().height() if content else 0

    def set_whole(self, whole: bool) -> None:
        """Asks for the height of all of the content, so that something around it scrolls instead, or no longer."""
        self._whole = whole
        self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()  # Qt does not tell what is around that the content needs another height
        return done

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Qt's own scrolls afterwards, too, and puts the middle of a page that is too high into view
        return QWidget.focusNextPrevChild(self, forward)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        content = self.widget() if isValid(self) else None  # the focus also moves while a window is destroyed
        # a widget that is clicked is visible, and must not move away from under the mouse
        if now and content and content.isAncestorOf(now) and not QApplication.mouseButtons().value:
            room, place = self.viewport().size(), QRect(now.mapTo(content, QPoint(0, 0)), now.size())
            place.setSize(place.size().boundedTo(room - QSize(24, 24)))  # of a larger widget, its start
            middle = place.center()
            self.ensureVisible(middle.x(), middle.y(), place.width() // 2 + 8, place.height() // 2 + 8)


class MinimumTextHeight(QWidget):
    """Holds wrapped text; its minimum height is what the text needs at the current width.

    Needed because Qt does not pass height-for-width on through a splitter.
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


class ButtonRow(QWidget):
    """Buttons in a row if there is room, else in a column, so that no text of them is cut."""

    def __init__(self, buttons: Sequence[QWidget], spacing: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        for one in buttons:
            self._row.addWidget(one)
        self._row.addStretch(1)

    def order(self, buttons: Sequence[QWidget]) -> None:
        """Puts its buttons into another order, also for Tab."""
        for place, one in enumerate(buttons):
            self._row.insertWidget(place, one)
        for before, after in pairwise(buttons):
            QWidget.setTabOrder(before, after)

    def sizeHint(self) -> QSize:
        widths = [one.sizeHint().width() + self._row.spacing() for one in self._shown]
        return QSize(sum(widths), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        shown = self._shown
        return QSize(
            max((one.minimumSizeHint().width() for one in shown), default=0), super().minimumSizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # other buttons are shown, or other words on them
            self._arrange()
        return done

    @property
    def _shown(self) -> list[QWidget]:
        items = map(self._row.itemAt, range(self._row.count()))
        return [one for item in items if item and (one := item.widget()) and not one.isHidden()]

    def _arrange(self) -> None:
        widths = [one.sizeHint().width() for one in self._shown]
        room = self.width() - self._row.spacing() * max(len(widths) - 1, 0)
        way = QBoxLayout.Direction.TopToBottom if sum(widths) > room else QBoxLayout.Direction.LeftToRight
        if way != self._row.direction():
            self._row.setDirection(way)
            self.updateGeometry()


class Pages(QStackedWidget):
    """Stacked pages whose minimum size is that of the page shown, not of the largest."""

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint() if page else super().minimumSizeHint()


class Panes(QSplitter):
    """Two panes side by side, or the second above the first if there is not enough width for both.

    Args:
        widths: widths of the panes, in proportion.

    Signals:
        turned: the panes were stacked (True) or put side by side.
    """

    turned = Signal(bool)

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
        """Widths of the panes when they are side by side, in proportion."""
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
        if event.type() == QEvent.Type.LayoutRequest:  # changed content may need more room
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
        self.turned.emit(stacked)


def room_on_screen(widget: QWidget) -> QSize:
    """The largest size of a window on the screen of the widget."""
    return widget.screen().availableGeometry().size() - AROUND


def fit_to_screen(dialog: QDialog) -> None:
    """Makes a dialog no larger than its screen; if its minimum size is larger, it scrolls."""
    room, layout = room_on_screen(dialog), dialog.layout()
    wanted = dialog.size() if dialog.testAttribute(Qt.WidgetAttribute.WA_Resized) else dialog.sizeHint()
    wanted = wanted.expandedTo(dialog.minimumSize())
    if layout is None or _fits(wanted, room):
        return
    dialog.setMinimumSize(0, 0)
    if not _fits(dialog.minimumSizeHint(), room):
        content = QWidget()
        content.setLayout(layout)  # also moves its widgets
        outer = QVBoxLayout(dialog)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Scrolled(content))
    dialog.resize(wanted.boundedTo(room))


def accepted(dialog: QDialog) -> bool:
    """Runs a dialog until it is closed, then deletes it. True if it was accepted."""
    fit_to_screen(dialog)
    yes = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return yes


def is_open(dialog: QDialog) -> bool:
    """Whether a dialog is neither closed nor deleted."""
    return isValid(dialog) and dialog.isVisible()


def _fits(size: QSize, room: QSize) -> bool:
    return size.width() <= room.width() and size.height() <= room.height()
