"""Bars about whose dictation it is, for dictations that name somebody other than their patient."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.chart.dictation_identity import IdentityQuestion, LeftOut, SpokenAnswer, quoted
from app.chart.records import Patient
from app.chart.sheet import Sheet
from ui.kit.keys import action_of
from ui.kit.responsive_layout import ButtonRow
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedButton, IconLabel, button, key_hint, label, restyle
from ui.kit.words import bed_text, identity_text, when_text

_AROUND = 14
WAITS = "Nothing is accepted, filed or exported until you answer."


class _Bar(QFrame):
    """Text with buttons below it, in a row if there is room, else in a column."""

    def __init__(self, theme: Theme, icon: str, level: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self.setAccessibleName(name)
        self._theme = theme
        self.icon = IconLabel(theme.icon(icon), 24)
        self._set_level(icon, level)
        self.what, self.note = label(role="heading", wrap=True), label(role="small", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        for line in (self.what, self.note):
            words.addWidget(line)
        beside = QHBoxLayout()
        beside.setSpacing(12)
        beside.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        beside.addLayout(words, 1)
        self._outer = outer = QVBoxLayout(self)
        outer.setContentsMargins(_AROUND, 7, _AROUND, 8)
        outer.setSpacing(6)
        outer.addLayout(beside)
        self.hide()

    @property
    def text(self) -> str:
        """The text shown; empty while the bar is hidden."""
        shown = [line.text() for line in (self.what, self.note) if not line.isHidden()]
        return " ".join(filter(None, shown)) if not self.isHidden() else ""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        hint, layout = super().minimumSizeHint(), self.layout()
        if layout and layout.hasHeightForWidth():
            hint.setHeight(layout.totalMinimumHeightForWidth(max(self.width(), hint.width())))  # with the border
        return hint

    def hasHeightForWidth(self) -> bool:
        """Its hints say what it needs; with a part that says True, a page scrolls before it has to."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles the identity keys of the flowsheet here, too."""
        kind, _, which = action_of(event).partition("-")
        if kind == "whose":
            self.press(which)
        else:
            super().keyPressEvent(event)

    def press(self, which: str) -> None:
        """Acts like one of its buttons: `words`, `other` or `same`."""

    def _hold(self, buttons: Sequence[QPushButton]) -> None:
        self._buttons = ButtonRow(buttons)
        self._outer.addWidget(self._buttons)

    def _set_level(self, icon: str, level: str) -> None:
        restyle(self, "level", level)
        self.icon.show_icon(self._theme.icon(icon, "accent" if level == "info" else level))

    def _weigh(self, question: IdentityQuestion, same: QPushButton, others: Sequence[QPushButton]) -> None:
        """Offers `same` first, and asks calmly, if the words also name the patient."""
        likely = question.likely_own
        self._set_level(*(("info", "info") if likely else ("warning", "warning")))
        self._buttons.order((same, *others) if likely else (*others, same))

    def _say(self, what: str, note: str = "") -> None:
        self.what.setText(what)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.setAccessibleDescription(f"{what} {note}".strip())
        self.show()


class IdentityBar(_Bar):
    """Asks whose dictation is shown.

    Signals:
        words_asked: show and play the words that name somebody else.
        move_asked: move the dictation to this patient, or if None to one who has yet to be chosen.
        same_asked: the dictation belongs to the patient of its sheet.
    """

    words_asked = Signal()
    move_asked = Signal(object)
    same_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "warning", "warning", "Whose dictation is this?", parent)
        self.question: IdentityQuestion | None = None
        self.words = button(
            "Play words", theme.icon("play"), tip="Show and play these words (W)", clicked=self.words_asked.emit
        )
        self.move_ = button("Move", theme.icon("patient"), clicked=self.move_away)
        self.same = button("It is", theme.icon("confirmed"), clicked=self.answer)
        key_hint(self.words, "W")
        key_hint(self.move_, "M")
        key_hint(self.same, "I")
        self._hold((self.words, self.move_, self.same))

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows the question about a sheet; hides the bar if there is none."""
        question = self.question = sheet.identity_question
        if question is None:
            self.hide()
            return
        move_to = question.move_to
        self.move_.setText(_escaped(f"Move to {move_to.name}" if move_to else "Move to another patient…"))
        tip = "Move this dictation to this patient; values are filled again (M)"
        self.move_.setToolTip(tip if move_to else "Choose the patient this dictation is about (M)")
        self.same.setText(_escaped(f"It is {last_name(question.patient)}"))
        self.same.setToolTip(f"This dictation is about {identity_text(question.patient)} (I)")
        for one in (self.move_, self.same):
            one.setAccessibleDescription(one.toolTip())
        sounds = sheet.dictation.kind == "audio"
        self.words.setText("Play words" if sounds else "Show words")
        self.words.setIcon(self._theme.icon("play" if sounds else "search"))
        self.words.setToolTip(f"{'Show and play' if sounds else 'Show'} these words (W)")
        self.words.setAccessibleDescription(self.words.toolTip())
        self._weigh(question, self.same, (self.words, self.move_))
        here = "" if question.likely_own else f" This sheet belongs to {identity_text(question.patient)}."
        self._say(f"{said_words(question)}{here}", note=_notes(question))

    def move_away(self) -> None:
        """Emits `move_asked` for the move that its button names."""
        if self.question:
            self.move_asked.emit(self.question.move_to)

    def answer(self) -> None:
        """Emits `same_asked` if there is a question."""
        if self.question:
            self.same_asked.emit()

    def press(self, which: str) -> None:
        """Acts like one of its buttons: `words`, `other` or `same`."""
        match which if self.question else "":
            case "words":
                self.words_asked.emit()
            case "other":
                self.move_away()
            case "same":
                self.answer()

    def call(self) -> None:
        """Takes the focus, on the button that changes nothing."""
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)


class AnswerBar(_Bar):
    """Shows who confirmed that the dictation belongs to its patient.

    Signals:
        again_asked: withdraw the answer.
    """

    again_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "info", "info", "Whose dictation this is", parent)
        self.again = button("Ask again", theme.icon("undo"), tip="Undo this answer", clicked=self.again_asked.emit)
        self._hold((self.again,))

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows the answer about a sheet; hides the bar if there is none."""
        answer = sheet.identity_answer
        if answer is None:
            self.hide()
            return
        self.again.setVisible(sheet.filing is None)
        when = when_text(answer.answered_at, datetime.now(UTC))
        self._say(
            f"{answer.reviewer} confirmed at {when} that this is {identity_text(sheet.patient)}.",
            note=f"The dictation also names {', '.join(sorted(answer.called))}.",
        )


class LeftOutBar(_Bar):
    """Shows what was said about somebody else and left out of the sheet, and offers to add it for them.

    Signals:
        words_asked: show and play what was left out (a LeftOut).
        add_asked: make a dictation of the same recording for this patient.
    """

    words_asked = Signal(object)
    add_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "info", "info", "Left out", parent)
        self._first: LeftOut | None = None
        self.words = button("Show words", theme.icon("search"), tip="Show what was left out", clicked=self._show_words)
        self.add = ElidedButton(theme.icon("add"), clicked=self._add)
        self._hold((self.words, self.add))

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows what is left out of a sheet; hides the bar if that is nothing or all was added for others."""
        left = [one for one in sheet.left_out if not one.added]
        self._first = left[0] if left else None
        if not self._first:
            self.hide()
            return
        patient = self._first.patient
        self.add.setVisible(patient is not None)
        if patient:
            self.add.show_words(f"Add for {last_name(patient)}")
            self.add.setToolTip("Create a dictation for this patient from the same recording; this one is not changed")
            self.add.setAccessibleDescription(self.add.toolTip())
        called = " and ".join(dict.fromkeys(one.called or "another patient" for one in left))
        unknown = "No patient on the list matches. Dictate again for that patient, or add the values by hand."
        who = f"{self._first.called} is {identity_text(patient)}." if patient else unknown
        self._say(f"Left out: what you said about {called}.", note=who[:1].upper() + who[1:])

    def _show_words(self) -> None:
        if self._first:
            self.words_asked.emit(self._first)

    def _add(self) -> None:
        if self._first and self._first.patient:
            self.add_asked.emit(self._first.patient)


class SpokenBar(_Bar):
    """Asks whose recording is running.

    Signals:
        answered: the user's answer (a SpokenAnswer; None withdraws it).
    """

    answered = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "warning", "warning", "Whose recording is this?", parent)
        self.question: IdentityQuestion | None = None
        self.move_ = button("Move", theme.icon("patient"), clicked=self._move)
        self.same = button("It is", theme.icon("confirmed"), clicked=self._same)
        self.again = button("Keep it", theme.icon("undo"), clicked=lambda: self.answered.emit(None))
        self._hold((self.move_, self.same, self.again))

    def show_question(self, question: IdentityQuestion | None, answer: SpokenAnswer | None) -> None:
        """Shows an open question, or that the recording moves when finished; hides the bar if there is neither."""
        moved = answer and question and answer.patient.id != question.patient.id
        open_ = question is not None and not (answer and question.naming.called <= answer.called)
        self.question = question
        if not question or not (open_ or moved):
            self.hide()
            return
        name = last_name(question.patient)
        self.move_.setVisible(open_ and question.move_to is not None)
        self.same.setVisible(open_)
        self.again.setVisible(not open_)
        if question.move_to:
            self.move_.setText(_escaped(f"Move to {question.move_to.name} when finished"))
            self.move_.setToolTip("Finish the recording as usual; the dictation then moves to this patient")
        self.same.setText(_escaped(f"It is {name}"))
        self.same.setToolTip(f"This recording is about {identity_text(question.patient)}")
        self.again.setText(_escaped(f"Keep it with {name}"))
        self.again.setToolTip("Do not move it")
        for one in (self.move_, self.same, self.again):
            one.setAccessibleDescription(one.toolTip())
        if open_:
            self._weigh(question, self.same, (self.move_,))
            about = " · ".join(filter(None, (question.patient.name, bed_text(question.patient.bed))))
            here = said_words(question) + ("" if question.likely_own else f" This recording is for {about}.")
            later = "" if question.move_to else "To move it, finish it first; you are then asked whose it is."
            self._say(here, note=f"{_fitting(question)}{later}".strip())
        elif answer:
            self._say(f"This recording moves to {identity_text(answer.patient)} when you finish it.")

    @property
    def asks(self) -> bool:
        """True if the question is open."""
        return not self.isHidden() and not self.same.isHidden()

    def press(self, which: str) -> None:
        if self.asks and which == "same":
            self._same()
        elif self.asks and which == "other":
            self._move()

    def _move(self) -> None:
        if self.question and self.question.move_to:
            self.answered.emit(SpokenAnswer(self.question.move_to, self.question.naming.called))

    def _same(self) -> None:
        if self.question:
            self.answered.emit(SpokenAnswer(self.question.patient, self.question.naming.called))


def last_name(patient: Patient) -> str:
    """'Novak' for 'Novak, Anna'; a name without a comma as it is."""
    return patient.name.partition(",")[0].strip() or patient.name


def said_words(question: IdentityQuestion) -> str:
    """One or two sentences that quote the words that name somebody else, after those that name the patient, if any."""
    if question.likely_own:
        whose = identity_text(question.patient)
        return f"You said {quoted(question.own)}, which is {whose}. You also said {quoted(question.words)}."
    mixed = " One sentence mentions several patients." if question.naming.mixed else ""
    return f"You said {quoted(question.words)}.{mixed}"


def _notes(question: IdentityQuestion) -> str:
    unknown = f"No patient matches {quoted(question.unknown)}. " if question.unknown else ""
    return f"{unknown}{_fitting(question)}{WAITS}"


def _fitting(question: IdentityQuestion) -> str:
    """The others who may be meant, as a sentence with a blank behind it; empty if nobody is."""
    who = " or ".join(identity_text(one) for one in question.candidates)
    named = quoted(question.words)
    return f"{named} fits {who}. " if question.move_to else f"It could be {who}. " if who else ""


def _escaped(text: str) -> str:
    """Doubles each &, because a single one would underline the next letter."""
    return text.replace("&", "&&")
