"""The side bar of the window, which folds away if the window is narrow."""

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
AROUND = (14, 6, 14, 8)  # margins of bar and pages: left, top, right, bottom
INSIDE = 12  # padding of a bar that overlays the pages
NARROW = 1080  # below this width, bar, transcript and flowsheet do not fit side by side


class SideBar(QFrame):
    """Buttons that begin a dictation, the patients of the ward, and the dictations of the patient shown.

    Signals: `record_asked`, `open_asked` from their buttons.
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
            # take the height that is left; with their size hints, even an empty window would scroll
            listed.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
            listed.setMinimumHeight(72)
        column.addWidget(label("Patients", "heading"))
        column.addWidget(self.patients, 3)
        column.addSpacing(2)
        column.addWidget(label("Dictations", "heading"))
        column.addWidget(self.recent, 2)
        self.set_over(False)

    def set_over(self, over: bool) -> None:
        """Sets whether the bar overlays the pages, which gives it padding and a border."""
        inside = INSIDE if over else 0
        cast(QVBoxLayout, self.layout()).setContentsMargins(inside, inside, inside, inside)
        restyle(self, "over", over)
        self._over = over

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keeps Tab inside a bar that overlays the pages, because it folds away when it loses the focus."""
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
        """Widgets of the bar that Tab reaches, in order."""
        found, at = list[QWidget](), self.nextInFocusChain()
        while at and at is not self:
            takes = at.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes and self.isAncestorOf(at) and at.isVisible() and at.isEnabled():
                found.append(at)
            at = at.nextInFocusChain()
        return found


class Sided(QWidget):
    """Pages with a side bar; if the width is narrow, the bar is folded away and overlays the pages on request.

    Signals:
        changed: the bar was shown, folded away, or laid out for another width.
    """

    changed = Signal()

    def __init__(self, side: SideBar, pages: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side = side
        self._put_away = self._called = False  # by the user: folded while wide, called while narrow
        self._narrow = False
        side.setParent(self)
        layout = QHBoxLayout(self)
        layout.addWidget(pages)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)
        self._arrange()

    @property
    def shown(self) -> bool:
        """True unless the bar is folded away."""
        return self._called if self._narrow else not self._put_away

    @property
    def beside(self) -> bool:
        """True if the bar has its own place next to the pages."""
        return self.shown and not self._narrow

    @property
    def over(self) -> bool:
        """True if the bar overlays the pages."""
        return self._narrow and self._called

    def call(self) -> None:
        """Shows the bar."""
        self._set(shown=True)

    def fold(self) -> None:
        """Folds the bar away."""
        self._set(shown=False)

    def leave(self) -> None:
        """Folds the bar away if it overlays the pages."""
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
            self.side.patients.begin_search()  # it folds away when it loses the focus
        self.changed.emit()

    def _place(self) -> None:
        place = QRect(AROUND[0], AROUND[1], WIDTH, self.height() - AROUND[1] - AROUND[3])
        if self._narrow:
            place = QRect(0, 0, WIDTH + 2 * INSIDE, self.height())
        self.side.setGeometry(place)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        # an overlaying bar folds away when the focus moves elsewhere in the window
        if isValid(self) and self.over and now and not self.side.isAncestorOf(now) and now.window() is self.window():
            self.fold()
