"""The third step of the import: what a person has to say about the exports, one question at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from app.services.contracts.jobs import ReadExport
from ui.contracts.import_page import ImportPage
from ui.kit.theme import Theme
from ui.kit.widgets import button, clear, label
from ui.kit.words import plural

if TYPE_CHECKING:
    from extraction.contract.questions import Question


_UNDER_CHOICE = 26


class QuestionsPage(ImportPage):
    """Enter takes the marked answer, a number key marks one.

    Signals:
        file_asked: take answers from a file (False), answered with `show_taken`, or write them into one (True).
    """

    file_asked = Signal(bool)

    name, title = "Questions", "What the exports do not say"
    about = (
        "The most consequential question comes first. Enter takes the marked answer; a number key marks another one. "
        "Every answer is kept at once."
    )

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._questions: tuple[Question, ...] = ()
        self._answers: dict[str, str] = {}
        self._at = 0
        self.number = label(role="muted")
        self.question = label(role="title", wrap=True)
        self.examples = label(wrap=True)
        self._place = QWidget()
        self._choices = QVBoxLayout(self._place)
        self._choices.setContentsMargins(0, 4, 0, 4)
        self._choices.setSpacing(6)
        self._group = QButtonGroup(self)
        self.choices: list[QRadioButton] = []
        self.rest = button(
            "Answer the &rest as suggested",
            theme.icon("accept-all"),
            tip="Take the marked answer of this question and of all that follow",
            clicked=self._answer_rest,
        )
        self.take = button(
            "Answers from a &file…",
            theme.icon("folder"),
            tip="Take what was answered in another import, and ask nothing twice",
            clicked=lambda: self.file_asked.emit(False),
        )
        self.save = button(
            "Save &answers…",
            theme.icon("export"),
            tip="Write all answers into a file, for another import or computer",
            clicked=lambda: self.file_asked.emit(True),
        )
        line = QHBoxLayout()
        line.addWidget(self.rest)
        line.addStretch(1)
        files = QHBoxLayout()
        files.addWidget(self.take)
        files.addWidget(self.save)
        files.addStretch(1)
        self.body.addSpacing(8)
        for widget in (self.number, self.question, self.examples, self._place):
            self.body.addWidget(widget)
        self.body.addSpacing(8)
        self.body.addLayout(line)
        self.body.addLayout(files)
        self.body.addStretch(1)

    @property
    def open(self) -> int:
        """How many questions have no answer yet."""
        return sum(one.id not in self._answers for one in self._questions)

    @property
    def state(self) -> str:
        if not self._questions:
            return "none"
        return f"{self.open} open" if self.open else "answered"

    @property
    def first(self) -> QWidget | None:
        marked = self._group.checkedButton()
        return marked if marked and marked.isVisibleTo(self) else None

    def show_read(self, read: ReadExport) -> None:
        self._questions, self._answers, self._at = read.questions, {}, 0
        self._show()

    def show_taken(self) -> None:
        """Has the exports read again with the answers of a file."""
        self.decided.emit({})

    def forward(self) -> bool:
        if not self._questions:
            return False
        question = self._questions[self._at]
        self._answer({question.id: self._marked})
        if self._at + 1 == len(self._questions):
            return False
        self._at += 1
        self._show()
        return True

    def backward(self) -> bool:
        if not self._at:
            return False
        self._at -= 1
        self._show()
        return True

    def mark(self, number: int) -> bool:
        """Marks the answer with this number; False if there is none."""
        if not 1 <= number <= len(self.choices):
            return False
        self.choices[number - 1].setChecked(True)
        self.choices[number - 1].setFocus()
        return True

    @property
    def _marked(self) -> str:
        return self._questions[self._at].choices[self._group.checkedId()][0]

    def _answer_rest(self) -> None:
        first, *others = self._questions[self._at :]
        self._answer({first.id: self._marked} | {one.id: self._answers.get(one.id, one.default) for one in others})
        self._at = len(self._questions) - 1
        self._show()

    def _answer(self, given: dict[str, str]) -> None:
        if new := {question: answer for question, answer in given.items() if self._answers.get(question) != answer}:
            self._answers |= new
            self.answered.emit(new)
        self.changed.emit()

    def _show(self) -> None:
        for one in self._group.buttons():
            self._group.removeButton(one)
        clear(self._choices)
        self.choices = []
        question = self._questions[self._at] if self._questions else None
        self.rest.setVisible(question is not None and self.open > 0)
        self.examples.setVisible(question is not None and bool(question.examples))
        if question is None:
            self.number.setText("")
            self.question.setText("Nothing is left to ask: these exports say what Wardlight needs to know.")
            self.changed.emit()
            return
        self.number.setText(
            f"Question {self._at + 1} of {len(self._questions)}  ·  {plural(self.open, 'open question')}"
        )
        self.question.setText(question.text)
        self.examples.setText(f"For example: {'; '.join(question.examples)}")
        chosen = self._answers.get(question.id, question.default)
        for place, (answer, words) in enumerate(question.choices):
            suggested = "  (suggested)" if answer == question.default else ""
            choice = QRadioButton(f"{place + 1}  {words}{suggested}".replace("&", "&&"))
            choice.setChecked(answer == chosen)
            self._group.addButton(choice, place)
            self._choices.addWidget(choice)
            self.choices.append(choice)
            if effect := question.effects[place : place + 1]:
                choice.setAccessibleDescription(effect[0])
                follows = label(effect[0], "muted", wrap=True)
                follows.setContentsMargins(_UNDER_CHOICE, 0, 0, 4)
                self._choices.addWidget(follows)
        self.changed.emit()
        if self.isVisible() and (marked := self._group.checkedButton()):
            marked.setFocus()
