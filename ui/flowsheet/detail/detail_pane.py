"""The pane of one value: its reasons, evidence, other readings, editor and decision."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.chart.records import UNCHANGED, ChartEntry, Dictation, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet, check, concerns
from extraction.flowsheet.ranges import OutOfRangeValue, impossible_words, is_impossible
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import NotObtained, Value
from models.base.errors import InputError, WardlightError
from ui.flowsheet.detail.conflict_box import ConflictBox
from ui.flowsheet.detail.decision_bar import DecisionBar
from ui.flowsheet.detail.evidence_quote import EvidenceQuote
from ui.flowsheet.detail.observation_time_line import ObservedLine
from ui.flowsheet.detail.other_readings import OtherReadings
from ui.flowsheet.detail.range_line import AgainLine, RangeLine
from ui.flowsheet.detail.same_sentence import SameSentence
from ui.flowsheet.editors import ValueEditor, make_editor
from ui.flowsheet.filed_bar import LockedLine
from ui.kit.keys import is_escape
from ui.kit.responsive_layout import MinimumTextHeight, Scrolled
from ui.kit.theme import Theme
from ui.kit.widgets import (
    ALTERNATIVES_SHOWN,
    IconLabel,
    clear,
    come_into_view,
    label,
    number_of,
    rule,
    scroll_to,
)
from ui.kit.words import category_text, status_name, status_words, time_text

_GOOD_PART, _PADDING = 120, 6  # pixels of a quote: several lines; what its frame takes
Draft = tuple[Value, str | None, str | None]  # value, unit, see `ObservedLine.entry`


class DetailPane(QWidget):
    """Shows one value and asks for decisions on it. The details scroll; the buttons below them stay.

    Attributes:
        decision: the buttons.

    Signals:
        decide_asked: the button that accepts or saves was pressed.
        accept_asked, reject_asked, reopen_asked: the decision on the value (its id).
        edit_asked: replace the value with the content of the editor (id, value, unit, observation time).
        play_asked: play the audio of the evidence.
        replace_asked: replace what is charted in the value's cell with this value or the unsaved entry (id, value,
            unit, observation time; all but the id None without an unsaved entry).
        left: Escape was pressed, which discards the entry.
    """

    decide_asked = Signal()
    accept_asked = Signal(int)
    reject_asked = Signal(int)
    reopen_asked = Signal(int)
    edit_asked = Signal(int, object, object, object)
    replace_asked = Signal(int, object, object, object)
    play_asked = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._value: ReviewedValue | None = None
        self._row: Row | None = None
        self._editor: ValueEditor | None = None
        self._changed = False
        self._reasons: tuple[str, ...] = ()
        self._against: tuple[ChartEntry, ...] = ()
        self._filed = False
        details = MinimumTextHeight()
        layout = QVBoxLayout(details)
        layout.setContentsMargins(16, 9, 16, 9)
        layout.setSpacing(5)

        self._name, self._category = label(role="title", wrap=True), label(role="small", wrap=True)
        self._status, self._who = label(role="heading"), label(role="small")
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self._name)
        names.addWidget(self._category)
        head = QHBoxLayout()
        head.addLayout(names, 1)
        self._status_icon = QLabel()
        head.addWidget(self._status_icon, 0, Qt.AlignmentFlag.AlignTop)
        decided = QVBoxLayout()
        decided.setSpacing(0)
        decided.addWidget(self._status)
        decided.addWidget(self._who)
        head.addLayout(decided)
        layout.addLayout(head)

        self._editing = QVBoxLayout()
        layout.addLayout(self._editing)
        self.locked = LockedLine(theme)
        layout.addWidget(self.locked)
        self.observed = ObservedLine()
        self.observed.changed.connect(lambda: self._set_changed(True))
        self.observed.submitted.connect(self.decide)
        layout.addWidget(self.observed)
        self._error = label(role="error", wrap=True)
        layout.addWidget(self._error)
        self.again = AgainLine(theme)
        layout.addWidget(self.again)
        self.range = RangeLine()
        layout.addWidget(self.range)
        self.conflict = ConflictBox(theme)
        layout.addWidget(self.conflict)
        self.quote = EvidenceQuote(theme)
        self.quote.play_asked.connect(self.play_asked)
        layout.addWidget(self.quote)
        self._why = QWidget()
        why = QHBoxLayout(self._why)
        why.setContentsMargins(0, 0, 0, 0)
        self._reason_lines = label(wrap=True)
        self._reason_lines.setAccessibleName("Why check this")
        reasons = QVBoxLayout()
        reasons.setSpacing(2)
        reasons.addWidget(label("Why check this", "lit"))
        reasons.addWidget(self._reason_lines)
        why.addWidget(IconLabel(theme.icon("lit", "lit")), 0, Qt.AlignmentFlag.AlignTop)
        why.addLayout(reasons, 1)
        layout.addWidget(self._why)
        self._problems = QWidget()
        self._problem_lines = QVBoxLayout(self._problems)
        self._problem_lines.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._problems)
        self._others = OtherReadings()
        self._others.chosen.connect(self._consider)
        layout.addWidget(self._others)
        self.together = SameSentence(theme)
        layout.addWidget(self.together)
        layout.addStretch(1)
        self._who.setAlignment(Qt.AlignmentFlag.AlignRight)

        self.decision = DecisionBar(theme, self)
        self.accept, self.reject, self.reopen = self.decision.accept, self.decision.reject, self.decision.reopen
        self.keep_other, self.replace_other = self.decision.keep_other, self.decision.replace_other
        self.accept.clicked.connect(lambda: self.decide_asked.emit())  # noqa: PLW0108 - not the signal's `checked`
        self.reject.clicked.connect(lambda: self._ask(self.reject_asked))
        self.reopen.clicked.connect(lambda: self._ask(self.reopen_asked))
        self.keep_other.clicked.connect(self.keep)
        self.replace_other.clicked.connect(self.replace)
        self.details = Scrolled(details)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.details, 1)
        outer.addWidget(rule())
        outer.addWidget(self.decision)
        theme.changed.connect(self._show_status)
        self.show_value(None, None)

    @property
    def editor(self) -> ValueEditor | None:
        """The editor of the value shown."""
        return self._editor

    @property
    def wanted_height(self) -> int:
        """The height from which on nothing has to scroll."""
        least, of_details = self.minimumSizeHint().height(), self.details.minimumSizeHint().height()
        return least - of_details + self.details.wanted_height

    @property
    def unsaved(self) -> bool:
        """Whether the editor holds an unsaved change."""
        return self._changed

    @property
    def draft(self) -> Draft | None:
        """The unsaved entry; None if nothing changed or the editor is empty."""
        entered = self._editor.value() if self._editor and self._changed else None
        return (entered, self._editor.unit(), self.observed.entry) if self._editor and entered is not None else None

    @property
    def evidence_on_screen(self) -> bool:
        """Whether the quoted words that the value was read from are in sight; of a long quote, a good part."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # the value may have been shown just now
        return self.quote.visibleRegion().boundingRect().height() >= min(self.quote.height() - _PADDING, _GOOD_PART)

    def show_evidence(self) -> None:
        """Scrolls until the words that the value was read from are in sight."""
        scroll_to(self.quote)
        come_into_view(self.quote)  # again once everything has its place

    def show_sentence(self) -> bool:
        """Scrolls to the quoted words and the values beside them; whether all of them are in sight then."""
        for part in (self.together, self.quote):
            scroll_to(part)
        return self.sentence_on_screen

    @property
    def sentence_on_screen(self) -> bool:
        """Whether all of the quoted words and of the values beside them are in sight."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        return self.quote.visibleRegion().boundingRect().height() >= self.quote.height() and self.together.on_screen

    @property
    def value(self) -> ReviewedValue | None:
        """The value shown."""
        return self._value

    def show_value(self, sheet: Sheet | None, value: ReviewedValue | None, draft: Draft | None = None) -> None:
        """Shows a value of the sheet in an editor, or its unsaved `draft`; None hides the pane."""
        self.setVisible(bool(sheet and value))
        if sheet is None or value is None:
            self._value = None
            return
        former, row = self._shown, sheet.schema.row(value.row_id)
        self._filed = sheet.filing is not None
        self._against = () if self._filed else sheet.conflicts.get(value.id, ())
        same_row = self._value is not None and self._row is row
        self._value, self._row = value, row
        self._reasons = sheet.reasons.get(value.id, ())
        self.quote.take(sheet, value)
        if former == self._shown and draft is None and not self._changed:
            return  # a refresh must not move a button that is about to be pressed
        self._name.setText(self._row.name)
        self._category.setText(category_text(self._row))
        self._show_status()
        if not same_row or self._editor is None:
            self._replace_editor(self._row)
        assert self._editor
        entered, unit, observed_at = draft or (_editable(value.value), None, UNCHANGED)
        self._editor.show_value(entered, unit)
        self._editor.setEnabled(not self._filed and value.replaced_by is None)
        self.observed.show_value(sheet.dictation, value, observed_at)
        self.observed.setEnabled(not self._filed and value.replaced_by is None)
        self._lock(sheet.dictation)
        self.conflict.show_conflict(self._row, value, self._against)
        self._set_changed(draft is not None)
        self.range.show_value(self._row, value)
        self._show_problems(concerns(self._row, value))
        self._reason_lines.setText("\n".join(reason[:1].upper() + reason[1:] for reason in self._reasons))
        self._why.setVisible(bool(self._reasons))
        self.quote.show_words()
        self._others.show_readings(self._offered(value))
        self._order_stops()

    def _lock(self, dictation: Dictation) -> None:
        """Shows the value of a filed sheet as text, in place of the editor and the observation time."""
        assert self._editor
        assert self._row
        assert self._value
        at = self._value.observed_at
        self.locked.show_value(self._row, self._value, time_text(at, dictation.created_at) if at else "")
        self.locked.setVisible(self._filed)
        self._editor.setVisible(not self._filed)
        self.observed.setVisible(not self._filed)

    def consider(self, number: int) -> None:
        """Puts the alternative with this number, counted from 1, into the editor; does nothing if there is none."""
        if self._value and number <= len(shown := self._offered(self._value)):
            self._consider(shown[number - 1])

    def enter(self, value: Value) -> None:
        """Puts a value into the editor, without saving it."""
        assert self._editor
        self._editor.show_value(value)
        self._set_changed(True)
        self.accept.setFocus()

    def find_other(self) -> None:
        """Moves the keyboard focus to the first of the other readings."""
        self._others.focus_first()

    def keep(self) -> None:
        """Rejects the value in favour of the one that is charted."""
        if self._against and self._value and not self._is_replaced:
            self.reject_asked.emit(self._value.id)

    def replace(self) -> None:
        """Replaces the charted value with this one, or with the unsaved entry."""
        if not self._against or not self._value:
            return
        value, unit, observed_at = self.draft or (None, None, None)
        self.replace_asked.emit(self._value.id, value, unit, observed_at)

    def edit(self) -> None:
        """Moves the cursor into the editor."""
        if self._editor and not self._filed:
            self._editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def edit_time(self) -> None:
        """Moves the cursor into the observation time."""
        if not self._filed:
            self.observed.edit()

    def forget(self) -> None:
        """Marks the entry as saved."""
        self._changed = False

    def show_error(self, error: WardlightError) -> None:
        """Says why the entry cannot be saved, and keeps it."""
        self._error.setText(str(error))
        self._error.show()

    def ask_again(self, error: OutOfRangeValue, key: str) -> None:
        """Asks for a second confirmation with `key`."""
        self._error.hide()
        self.again.ask(error, key)
        self.decision.ask_again()

    def set_playing(self, playing: bool, reason: str) -> None:
        """Shows whether the evidence is playing; `reason` says why it cannot be played, empty if it can."""
        self.quote.set_playing(playing, reason)

    def event(self, event: QEvent) -> bool:
        # here Escape discards the entry; elsewhere it closes a message
        if is_escape(event) and (self._changed or self._is_editing()):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._value and self._editor:
            self._editor.show_value(_editable(self._value.value))
            self.observed.reset()
            self._set_changed(False)
            self.left.emit()
            return
        if event.key() == Qt.Key.Key_A and self.accept.hasFocus():
            self.decide_asked.emit()
            return
        if event.key() == Qt.Key.Key_S and self.together.accept.hasFocus():
            self.together.accept_asked.emit()
            return
        if not self._is_editing() and (number := number_of(event.key())):
            self.consider(number)  # choose another reading
            return
        super().keyPressEvent(event)

    def _is_editing(self) -> bool:
        focus, fields = self.focusWidget(), (self._editor, self.observed)
        return bool(focus and focus.hasFocus() and any(one and one.isAncestorOf(focus) for one in fields))

    def _replace_editor(self, row: Row) -> None:
        clear(self._editing)
        self._editor = make_editor(row)
        self._editor.changed.connect(lambda: self._set_changed(True))
        self._editor.submitted.connect(self.decide)
        self._editing.addWidget(self._editor)
        self._editor.show()  # at once, not with the next event: the next key press may be meant for it

    def _set_changed(self, changed: bool) -> None:
        self._changed = changed
        self._error.hide()
        self.again.forget()
        assert self._value
        assert self._row
        self.decision.show_choices(self._row, self._value, self._against, changed=changed, filed=self._filed)
        decided = self._value.status is not ReviewStatus.PROPOSED
        self._who.setText(f"by {self._value.reviewer}" if decided and not changed else "")

    @property
    def _is_replaced(self) -> bool:
        return self._value is not None and self._value.replaced_by is not None

    def decide(self) -> None:
        """Accepts the value, or saves the entry."""
        if not self._value or not self._editor or self._filed:
            return
        if self._against and not self._changed:
            self._error.setText("Already charted at this time. Keep (K) or replace (P).")
            self._error.show()
            return
        if not self._changed and self._row and is_impossible(self._row, self._value.value):
            reason = impossible_words(self._row, self._value.value)
            self._error.setText(f"{reason}. Correct it (E), or reject it (R).")
            self._error.show()
            return
        if not self._changed:
            self.accept_asked.emit(self._value.id)
            return
        entered: Value | None = self._editor.value()
        if entered is None:
            self._error.setText("No value entered. Enter one, or press Esc to keep the previous value.")
            self._error.show()
        else:
            self.edit_asked.emit(self._value.id, entered, self._editor.unit(), self.observed.entry)

    def _ask(self, signal: SignalInstance) -> None:
        if self._value:
            signal.emit(self._value.id)

    def _show_status(self) -> None:
        if self._value:
            status = status_name(self._value)
            words, value = status_words(self._value), self._value.value
            self._status.setText(f"{words} · {value.lower()}" if isinstance(value, NotObtained) else words)
            self._status.setStyleSheet(f"color: {self._theme.colour(status).name()}")
            self._status_icon.setPixmap(self._theme.icon(status, status).pixmap(18, 18))

    def _show_problems(self, problems: tuple[str, ...]) -> None:
        clear(self._problem_lines)
        for problem in problems:
            line = QWidget()
            words = QHBoxLayout(line)
            words.setContentsMargins(0, 0, 0, 0)
            words.addWidget(IconLabel(self._theme.icon("warning", "warning")), 0, Qt.AlignmentFlag.AlignTop)
            words.addWidget(label(problem[:1].upper() + problem[1:], "warning", wrap=True), 1)
            self._problem_lines.addWidget(line)
        self._problems.setVisible(bool(problems))

    def _order_stops(self) -> None:
        """Sets the Tab order from the editor down to the decision."""
        assert self._editor
        for before, after in pairwise(
            (
                *self._editor.stops,
                *self.observed.stops,
                self.quote.play,
                *self._others.chips,
                self.together.accept,
                *self.decision.choices,
            )
        ):
            QWidget.setTabOrder(before, after)

    def _consider(self, text: str) -> None:
        """Puts another reading into the editor, without saving it."""
        assert self._editor
        assert self._row
        try:
            value, _, _ = check(self._row, text, None)
        except InputError as error:
            self.show_error(error)
            return
        self.enter(value)

    def _offered(self, value: ReviewedValue) -> tuple[str, ...]:
        """The other readings to choose from, best first."""
        if self._filed or value.replaced_by or not value.filled:
            return ()
        return tuple(text for text, _ in value.filled.alternatives[:ALTERNATIVES_SHOWN])

    @property
    def _shown(self) -> tuple[object, ...]:
        return self._value, self.quote.said, self._reasons, self._against, self._filed


def _editable(value: Value) -> Value | None:
    """What an editor shows of a value: nothing of one that was not obtained."""
    return None if isinstance(value, NotObtained) else value
