"""The bar at the side of the window, which folds away where the window is narrow."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from shiboken6 import isValid

from ui.kit.theme import Theme
from ui.kit.widgets import button, label, restyle
from ui.patients.dictation_list import RecentList
from ui.patients.patient_list import PatientList

WIDTH, BETWEEN = 236, 14
AROUND = (14, 12, 14, 12)  # left, top, right, bottom of bar and pages
INSIDE = 12  # between the frame and the content of a bar that lies over the pages
NARROW = 1080  # in a place less wide than this there is no room for bar, transcript and flowsheet beside each other


class SideBar(QFrame):
    """What begins a dictation, the patients of the ward, and the dictations of the one who is shown.

    Signals: `record_asked`, `open_asked` by their buttons.
    """

    record_asked = Signal()
    open_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.record = button(
            "Record", theme.icon("record", "on_accent"), kind="primary", clicked=self.record_asked.emit
        )
        opens = "Open a recording or text (Ctrl+O), or drop it here"
        self.open = button("", theme.icon("open"), tip=opens, clicked=self.open_asked.emit)
        self.patients = PatientList(theme)
        self.recent = RecentList(theme)
        begin = QHBoxLayout()
        begin.setSpacing(8)
        begin.addWidget(self.record, 1)
        begin.addWidget(self.open)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addLayout(begin)
        column.addSpacing(4)
        for listed in (self.patients.list, self.recent):
            # they take the height that is left; by what they would like, an empty window would have to be scrolled
            listed.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
            listed.setMinimumHeight(72)
        column.addWidget(label("Patients", "heading"))
        column.addWidget(self.patients, 3)
        column.addSpacing(2)
        column.addWidget(label("Dictations", "heading"))
        column.addWidget(self.recent, 2)
        self.set_over(False)

    def set_over(self, over: bool) -> None:
        """Whether it lies over something else, and must be told apart from it."""
        inside = INSIDE if over else 0
        cast(QVBoxLayout, self.layout()).setContentsMargins(inside, inside, inside, inside)
        restyle(self, "over", over)
        self._over = over

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round in a bar that lies over the pages, for it is gone once the keyboard leaves it."""
        if not self._over:
            return super().focusNextPrevChild(forward)
        stops = self._stops()
        now = self.focusWidget()
        if now not in stops:
            return False
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(stops.index(now) + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True

    def _stops(self) -> list[QWidget]:
        """The parts of the bar at which Tab arrives, in order."""
        found, at = list[QWidget](), self.nextInFocusChain()
        while at and at is not self:
            takes = at.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes and self.isAncestorOf(at) and at.isVisible() and at.isEnabled():
                found.append(at)
            at = at.nextInFocusChain()
        return found


class Sided(QWidget):
    """A bar at the side of the pages; where the place is narrow, it is folded away, and lies over them when called for.

    Signals:
        changed: the bar is shown, folded away, or has room beside the pages again.
    """

    changed = Signal()

    def __init__(self, side: SideBar, pages: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side = side
        self._put_away = self._called = False  # by the person: where there is room for it, and where there is none
        self._narrow = False
        side.setParent(self)
        layout = QHBoxLayout(self)
        layout.addWidget(pages)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)
        self._arrange()

    @property
    def shown(self) -> bool:
        """Whether the bar is not folded away."""
        return self._called if self._narrow else not self._put_away

    @property
    def beside(self) -> bool:
        """Whether the bar has a place of its own beside the pages."""
        return self.shown and not self._narrow

    @property
    def over(self) -> bool:
        """Whether the bar lies over the pages."""
        return self._narrow and self._called

    def call(self) -> None:
        """Shows the bar."""
        self._set(shown=True)

    def fold(self) -> None:
        """Folds the bar away."""
        self._set(shown=False)

    def leave(self) -> None:
        """Folds a bar away that lies over the pages."""
        if self.over:
            self.fold()

    def _set(self, *, shown: bool) -> None:
        if self._narrow:
            self._called = shown
        else:
            self._put_away = not shown
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        if self.shown:
            least.setHeight(max(least.height(), self.side.minimumSizeHint().height() + AROUND[1] + AROUND[3]))
        return least

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._narrow != (self.width() < NARROW):
            self._narrow, self._called = self.width() < NARROW, False
            self._arrange()
        self._place()

    def _arrange(self) -> None:
        left, top, right, bottom = AROUND
        cast(QHBoxLayout, self.layout()).setContentsMargins(left + (WIDTH + BETWEEN) * self.beside, top, right, bottom)
        self.side.set_over(self._narrow)
        self.side.setVisible(self.shown)
        self.side.raise_()
        self._place()
        self.updateGeometry()
        if self.over:
            self.side.patients.begin_search()  # it is gone again when the keyboard leaves it
        self.changed.emit()

    def _place(self) -> None:
        place = QRect(AROUND[0], AROUND[1], WIDTH, self.height() - AROUND[1] - AROUND[3])
        if self._narrow:
            place = QRect(0, 0, WIDTH + 2 * INSIDE, self.height())
        self.side.setGeometry(place)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        # what lies over the pages is gone once the person goes on with something else
        if isValid(self) and self.over and now and not self.side.isAncestorOf(now) and now.window() is self.window():
            self.fold()
