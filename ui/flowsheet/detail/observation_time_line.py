"""The observation time below a value's editor: time and day, which can be typed, and the words it was read from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QDate, QDateTime, QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDateEdit, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.chart.cells import local_of
from app.chart.records import UNCHANGED, Dictation, ReviewedValue
from extraction.language.clock_times import typed_time
from extraction.preparation.observation_times import CLOCKS_DIFFER
from ui.flowsheet.editors import DATE, DATE_TIME, TIME
from ui.kit.widgets import button, label
from ui.kit.words import local_minute, when_said

_AFTERWARDS = dt.timedelta(hours=4)  # what was observed so long after a dictation may be charted with it


class ObservedLine(QWidget):
    """When a value was observed. A time typed alone means the last such minute; the day can be changed, too.

    The last such minute lies neither in the future nor a day after the dictation.

    Attributes:
        clock: the local time now, without a zone.

    Signals:
        changed: the person entered another time.
        submitted: the person pressed Enter.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clock: Callable[[], dt.datetime] = lambda: local_of(dt.datetime.now(dt.UTC).isoformat())
        self._shown: tuple[Dictation, ReviewedValue] | None = None
        self._entry: str | None = UNCHANGED
        self._day_chosen = False
        self.time = QLineEdit()
        self.time.setFixedWidth(70)
        self.time.setAccessibleName("Observed at")
        self.time.setToolTip("When it was observed, such as 0200, 2:00 or 2am (T)")
        self.time.textEdited.connect(self._enter_time)
        self.day = QDateEdit()
        self.day.setDisplayFormat("d MMM yyyy")
        self.day.setCalendarPopup(True)
        self.day.setMinimumWidth(134)
        for part in (self.day, self.day.lineEdit()):
            part.setAccessibleName("Observed on")
        self.day.dateChanged.connect(self._enter_day)
        self.own = button(
            "Time of the dictation",
            kind="chip",
            tip="It was observed when it was dictated",
            clicked=self._enter_none,
        )
        self.words = label(role="small", wrap=True)
        line, below = QHBoxLayout(), QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(label("Observed", "small"))
        for field in (self.time, self.day):
            field.installEventFilter(self)
            line.addWidget(field)
        line.addStretch(1)
        below.addWidget(self.words, 1)
        below.addWidget(self.own)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(3)
        lines.addLayout(line)
        lines.addLayout(below)

    @property
    def entry(self) -> str | None:
        """What the person entered: a minute as in `ReviewedValue.observed_at`, None for the time of the dictation, the
        text itself if it is no time, KEPT if nothing."""
        return self._entry

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The widgets at which Tab stops, in order."""
        return self.time, self.day, self.own

    def show_value(self, dictation: Dictation, value: ReviewedValue, entry: str | None = UNCHANGED) -> None:
        """Shows the observation time of a value, or an unsaved `entry`."""
        self._shown = (dictation, value)
        self._day_chosen = False
        shown = value.observed_at if entry == UNCHANGED else entry
        self.time.setPlaceholderText(local_minute(dictation.created_at)[11:])
        self._show(shown)
        self._entry = entry
        timing = value.filled.timing if value.filled else None
        self.words.setText(when_said(timing, value.observed_at) if timing else "")
        self.words.setVisible(bool(self.words.text()))

    def reset(self) -> None:
        """Shows the saved observation time again."""
        if self._shown:
            self.show_value(*self._shown)

    def edit(self) -> None:
        """Moves the cursor into the time, which the next key replaces."""
        self.time.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.time.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not cast(QWidget, watched).hasFocus():
            event.ignore()  # scrolling past it must not change a time
            return True
        pressed = event.type() == QEvent.Type.KeyPress and cast(QKeyEvent, event).key()
        if pressed in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submitted.emit()
            return True
        return super().eventFilter(watched, event)

    def _show(self, observed_at: str | None) -> None:
        """Shows a minute or, for None, that of the dictation; a text that is no time as it is."""
        assert self._shown
        own = QDateTime.fromString(local_minute(self._shown[0].created_at), DATE_TIME)
        at = QDateTime.fromString(observed_at, DATE_TIME) if observed_at else own
        self.time.setText(at.toString(TIME) if at.isValid() else observed_at)
        self._show_day((at if at.isValid() else own).date())
        self.own.setVisible(observed_at is not None)

    def _show_day(self, day: QDate) -> None:
        with QSignalBlocker(self.day):
            self.day.setDate(day)

    def _enter_time(self) -> None:
        text, at = self.time.text().strip(), typed_time(self.time.text())
        if at is None:
            self._take(text or None)
            return
        if not self._day_chosen:
            assert self._shown
            last = min(self.clock() + CLOCKS_DIFFER, local_of(self._shown[0].created_at) + _AFTERWARDS)
            is_later = dt.datetime.combine(last.date(), at) > last
            self._show_day(QDate(last.year, last.month, last.day).addDays(-is_later))
        self._take(f"{self.day.date().toString(DATE)}T{at:%H:%M}")

    def _enter_day(self) -> None:
        self._day_chosen = True
        self.time.setText(self.time.text() or self.time.placeholderText())
        self._enter_time()

    def _enter_none(self) -> None:
        self._day_chosen = False
        self.edit()  # before the button goes
        self._show(None)
        self.time.selectAll()
        self._take(None)

    def _take(self, entry: str | None) -> None:
        self._entry = entry
        self.own.setVisible(entry is not None)
        self.changed.emit()
