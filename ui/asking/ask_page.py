"""The page that asks the ward: one line, what it was understood as, and one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.asking.answer import Answer, Citation, Kind
from app.services.asking.jobs import Asked
from extraction.questions.query import Query, Reason
from extraction.questions.wording import in_words, why_refused
from models.base.errors import WardlightError
from ui.asking.answer_lines import as_text, table_of
from ui.asking.answer_table import AnswerTable
from ui.asking.answering_line import AnsweringLine
from ui.asking.chip_bar import ChipBar
from ui.asking.chip_choices import Changeable
from ui.asking.question_field import QuestionField
from ui.asking.source_pane import SourcePane
from ui.kit.flow import Flow
from ui.kit.keys import is_escape
from ui.kit.responsive_layout import Panes, Scrolled
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, button, card, clear, heading, key_hint, label, only, rule

EXAMPLES = (
    "urine below 30 mL/h since midnight",
    "temperature above 38 in the last 12 hours, highest first",
    "who has no pain score this shift",
    "what was said about the left heel",
)
_WIDTHS = (330, 660)  # of source and table, in proportion
_NO_VALUES = "No values of this question are charted."


class AskPage(QWidget):
    """Signals:
    ask_asked: a question (its words).
    tree_asked: a tree, such as that of the question with another part.
    editor_asked: a part of the question is to be edited (a `Changeable`).
    cell_chosen: another source is shown.
    play_asked, open_asked: of the source shown.
    export_asked: the answer in a file of this kind ("csv" or "pdf").
    copied: the answer is in the clipboard.
    stop_asked: the answer is not waited for any longer.
    left: the person goes back.
    """

    ask_asked = Signal(str)
    tree_asked = Signal(object)
    editor_asked = Signal(object)
    cell_chosen = Signal()
    play_asked = Signal()
    open_asked = Signal()
    export_asked = Signal(str)
    copied = Signal()
    stop_asked = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.asked: Asked | None = None
        self._citations: dict[int, Citation] = {}
        self.field = QuestionField(theme)
        self.field.returnPressed.connect(self._ask)
        self.field.left.connect(self._go_to_answer)
        self.ask = button("Ask", kind="primary", tip="Answer the question (Enter)", clicked=self._ask)
        self.back = button("Back", tip="Leave this page (Esc)", clicked=self.left.emit)
        key_hint(self.back, "Esc")
        about = ElidedLabel("small")
        about.setText("Confirmed values of the patients on the ward")
        self.chips = ChipBar()
        self.chips.chosen.connect(self.tree_asked)
        self.chips.editor_asked.connect(self.editor_asked)
        self.rivals, self._rivals = _line_of_buttons()
        self.ignored = label(role="warning", wrap=True)
        self.head = label(role="title", wrap=True)
        self.arithmetic = label(role="small", wrap=True)
        self.table = AnswerTable(theme)
        self.source = SourcePane(theme)
        self.table.chosen.connect(self._show_source)
        self.source.chosen.connect(self.cell_chosen)
        for sender in (self.table, self.source):
            sender.play_asked.connect(self.play_asked)
            sender.open_asked.connect(self.open_asked)
        self.table.copy_asked.connect(self.copy)
        self.copy_button = button("Copy", theme.icon("copy"), tip="Copy the answer (Ctrl+C in it)", clicked=self.copy)
        self.csv = button("CSV…", theme.icon("export"), tip="Save the answer with its sources", clicked=self._csv)
        self.pdf = button("PDF…", theme.icon("export"), tip="Save the answer as a page to print", clicked=self._pdf)
        self.note, self._offered = label(role="muted", wrap=True), QWidget()
        self._offers = Flow(self._offered)
        self.busy = AnsweringLine()
        self.busy.stop_asked.connect(self.stop_asked)
        self._lay_out(about)
        self.show_nothing()

    # asking

    def stop_asking(self) -> None:
        """Shows that nothing is worked out any longer."""
        if self.busy.stop.hasFocus():
            self.field.setFocus()
        self.busy.end()

    def ask_for(self, question: str) -> None:
        """Asks a question as if it had been typed."""
        self.field.setText(question)
        self._ask()

    # the answer

    def show_nothing(self, *, charted: bool = True) -> None:
        """Shows what can be asked; `charted` tells whether there is anything to be asked about."""
        self.asked = None
        self.chips.show_parts(())
        self._show_rivals(())
        self._say("", "", "")
        words = "For example:" if charted else "Nothing is charted yet. Confirm values of a dictation, then ask."
        self._offer(words, {one: self._asking(one) for one in EXAMPLES} if charted else {})

    def show_answer(self, asked: Asked, parts: Sequence[Changeable], rivals: Sequence[Query]) -> None:
        """Shows an answer, what it was understood as, and other readings of the question."""
        self.asked = asked
        self.chips.show_parts(parts)
        self._show_rivals(rivals)
        answer, ignored = asked.answer, asked.understood.ignored
        words = " and ".join(f"“{one}”" for one in ignored)
        self._say(
            answer.head,
            " · ".join(answer.arithmetic),
            f"{words} names nobody: this is about all patients." if words else "",
        )
        self._citations = dict(answer.citations)
        table = table_of(answer)
        self.table.show_table(table)
        if table.lines:
            self._below.setCurrentWidget(self._panes)
        else:
            self._offer("" if answer.number else _NO_VALUES, {})
        for one in self._saving:
            one.setVisible(True)

    def show_refusal(self, asked: Asked, offers: dict[str, Callable[[], object]]) -> None:
        """Shows why there is no answer, what to do next, and what can be asked instead."""
        self.show_nothing()
        self.asked = asked
        refusal = asked.answer.refusal
        assert refusal
        kept = refusal if refusal.reason is Reason.UNIT else replace(refusal, near=())
        self._say(why_refused(kept), "", "")
        self._offer("Ask instead:" if offers else "", offers)

    def show_error(self, error: WardlightError) -> None:
        """Shows that answering failed."""
        self.show_nothing()
        self._say(str(error), "", "")
        self._offer("", {})

    def copy(self) -> None:
        """Puts the answer into the clipboard."""
        if self.asked and self.asked.answer.kind is not Kind.REFUSED:
            QGuiApplication.clipboard().setText(as_text(self.head.text(), self.table.table))
            self.copied.emit()

    @property
    def uncited(self) -> tuple[int, ...]:
        """The values of the chosen cell whose sources the answer does not hold, because it has very many."""
        return tuple(one for one in self.table.current.value_ids if one not in self._citations)

    def cite(self, citations: Mapping[int, Citation]) -> None:
        """Adds sources, and shows those of the chosen cell."""
        self._citations |= citations
        self._show_source()

    @property
    def answer(self) -> Answer | None:
        return self.asked.answer if self.asked else None

    def event(self, event: QEvent) -> bool:
        if is_escape(event):  # here it goes back; elsewhere it closes a message
            event.accept()
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.field.setFocus()  # a focus proxy would take what is outside of it out of the way of Tab

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.busy.isVisible():
            self.stop_asked.emit()
        else:
            self.left.emit()

    def _lay_out(self, about: QWidget) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.field, 1)
        line.addWidget(self.ask)
        above = QVBoxLayout()
        above.setContentsMargins(12, 10, 12, 8)
        above.setSpacing(8)
        above.addLayout(line)
        for widget in (self.busy, self.chips, self.rivals, self.ignored, self.head, self.arithmetic):
            above.addWidget(widget)
        self._saving = (self.copy_button, self.csv, self.pdf)
        self._panes = Panes(self.source, self.table, _WIDTHS)
        offering = QWidget()
        words = QVBoxLayout(offering)
        words.setContentsMargins(12, 4, 12, 12)
        words.addWidget(self.note)
        words.addWidget(self._offered)
        words.addStretch(1)
        self._below = QStackedWidget()
        for page in (offering, self._panes):
            self._below.addWidget(page)
        parts = QVBoxLayout()
        parts.setContentsMargins(1, 1, 1, 1)
        parts.setSpacing(0)
        parts.addWidget(heading("Ask the ward", about, *self._saving, self.back))
        parts.addWidget(rule())
        parts.addLayout(above)
        parts.addWidget(self._below, 1)
        whole = QWidget()
        framed = QVBoxLayout(whole)
        framed.setContentsMargins(14, 10, 14, 10)
        framed.addWidget(card(parts))
        outer = only(Scrolled(whole))
        outer.setContentsMargins(0, 0, 0, 0)
        self.setLayout(outer)

    def _ask(self) -> None:
        self.ask_asked.emit(self.field.text().strip())

    def _asking(self, question: str) -> Callable[[], None]:
        return lambda: self.ask_for(question)

    def _say(self, head: str, arithmetic: str, ignored: str) -> None:
        for widget, words in ((self.head, head), (self.arithmetic, arithmetic), (self.ignored, ignored)):
            widget.setText(words)
            widget.setVisible(bool(words))

    def _offer(self, words: str, offers: dict[str, Callable[[], object]]) -> None:
        """Shows buttons in place of the table."""
        self.note.setText(words)
        self.note.setVisible(bool(words))
        clear(self._offers)
        for text, do in offers.items():
            self._offers.addWidget(button(text.replace("&", "&&"), kind="chip", clicked=do))
        self._offered.setVisible(bool(offers))
        self._below.setCurrentIndex(0)
        for one in self._saving:
            one.setVisible(False)

    def _show_rivals(self, rivals: Sequence[Query]) -> None:
        clear(self._rivals)
        self._rivals.addWidget(label("Did you mean:", "muted"))
        for one in rivals:
            words = in_words(one)
            chip = button(words.replace("&", "&&"), kind="chip", tip="Answer this instead")
            chip.clicked.connect(self._choosing(one))
            self._rivals.addWidget(chip)
        self.rivals.setVisible(bool(rivals))

    def _choosing(self, query: Query) -> Callable[[], None]:
        return lambda: self.tree_asked.emit(query)

    def _show_source(self) -> None:
        if self.answer:
            self.source.show_cell(self.table.current, self._citations, self.answer.asked_at)

    def _go_to_answer(self) -> None:
        if self.table.isVisible():
            self.table.setFocus()

    def _csv(self) -> None:
        self.export_asked.emit("csv")

    def _pdf(self) -> None:
        self.export_asked.emit("pdf")


def _line_of_buttons() -> tuple[QWidget, Flow]:
    line = QWidget()
    return line, Flow(line)
