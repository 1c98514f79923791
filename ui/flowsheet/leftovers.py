"""The tabs below the flowsheet, initially closed: values that were held back, what is in no value, missing rows.

One section is open at a time, in place of the detail pane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.chart.sheet import Sheet
from app.record.values import Evidence, ProposedValue
from extraction.flowsheet.schema import Row
from extraction.language.sentences import Segment
from ui.flowsheet.detail.range_line import AgainLine
from ui.flowsheet.held_back_list import INDENT, MARGIN, Line, LineView
from ui.flowsheet.range_words import judged_text, marked
from ui.kit.keys import FLOWSHEET_KEYS, is_escape
from ui.kit.theme import SMALL_PX, Theme
from ui.kit.widgets import button, come_into_view, key_hint, label
from ui.kit.words import category_text, value_unit

HEADING_HEIGHT = 28


class LeftoversPanel(QWidget):
    """The sections; that of missing rows is there where a template requires rows.

    Signals:
        changed: another line became current, or a section was opened or closed.
        take_asked, reject_asked: add a held-back value to the flowsheet, confirmed or rejected (the ProposedValue).
        add_asked: add a row by hand for a sentence.
        missing_asked, speak_asked: enter or say a value of the current missing row (the Row).
        play_asked: play the audio of the current line.
        left: a section that had the keyboard focus was closed.
        refused: the person wanted to add something to a filed sheet, whose sections are only looked at.
    """

    changed = Signal()
    take_asked = Signal(object)
    reject_asked = Signal(object)
    add_asked = Signal(object)
    missing_asked = Signal(object)
    speak_asked = Signal(object)
    play_asked = Signal()
    left = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filed = False
        take = button(
            "Add &to flowsheet",
            theme.icon("accept", "on_accent"),
            kind="primary",
            tip="Confirm this value and add it to the flowsheet (Enter)",
        )
        reject = button(
            "Reject",
            theme.icon("reject", "rejected"),
            tip="Reject this value: it was not said, or is not to be charted (R)",
        )
        key_hint(reject, "R")
        add = button(
            "Add a row for it…",
            theme.icon("add", "on_accent"),
            kind="primary",
            tip="Search the flowsheet and add a value from this sentence (Enter)",
        )
        self.maybe = Section(theme, "Possible &mentions", "Possible", "low confidence, not proposed", take, reject)
        self.uncharted = Section(theme, "Said but not &charted", "Not charted", "not in the flowsheet", add)
        enter = button(
            "Enter its value…",
            theme.icon("add", "on_accent"),
            kind="primary",
            tip="Add a value of this row (Enter)",
        )
        say = label(f"or hold {FLOWSHEET_KEYS['speak'][0]} and say it", "small")
        self.missing = Section(theme, "M&issing", "Missing", "required rows without a value", enter, beside=say)
        self.sections = (self.maybe, self.uncharted, self.missing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        headings = QHBoxLayout()
        headings.setSpacing(0)
        layout.addLayout(headings)
        for section in self.sections:
            headings.addWidget(section.heading, len(section.short) + 6)  # the arrow and the count
            layout.addWidget(section)
            section.chosen.connect(self.changed)
            section.play_asked.connect(self.play_asked)
            section.left.connect(self.fold)
            section.toggled.connect(partial(self._toggled, section))
        self.maybe.asked.connect(partial(self._ask, partial(_emit_current, self.maybe, self.take_asked)))
        self.maybe.reject_asked.connect(partial(self._ask, partial(_emit_current, self.maybe, self.reject_asked)))
        self.uncharted.asked.connect(partial(self._ask, partial(_emit_current, self.uncharted, self.add_asked)))
        self.missing.asked.connect(partial(self._ask, partial(_emit_current, self.missing, self.missing_asked)))
        self.missing.list.speak_asked.connect(
            partial(self._ask, partial(_emit_current, self.missing, self.speak_asked))
        )
        self.missing.play.hide()

    @property
    def opened(self) -> bool:
        return any(section.opened for section in self.sections)

    @property
    def lit(self) -> Evidence | None:
        """The evidence of the current line of the open section; None if no section is open."""
        section = next((section for section in self.sections if section.opened), None)
        line = section.current() if section else None
        return line.place if line else None

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows the held-back values and uncharted sentences of a sheet; keeps the current lines where possible."""
        self.maybe.show_lines(sheet.maybe, partial(_of_value, sheet))
        self.uncharted.show_lines(sheet.uncharted, _of_sentence)
        self.missing.show_lines(sheet.missing, _of_row)
        self.missing.heading.setVisible(any(row.required for row in sheet.schema.rows))
        self._filed = sheet.filing is not None
        for section in self.sections:
            for act in section.acts:
                act.setEnabled(not self._filed)

    def fold(self) -> None:
        """Closes the open section."""
        for section in self.sections:
            section.heading.setChecked(False)

    def set_playing(self, playing: bool, reason: str) -> None:
        """Shows whether the audio is playing; `reason` says why it cannot be played, empty if it can."""
        for section in self.sections:
            section.set_playing(playing, reason)

    def drop(self, decided: Callable[[ProposedValue], bool]) -> None:
        """Removes the held-back values that are `decided`, so that the next key press applies to the next line."""
        left = [filled for filled in self.maybe.list.things if not decided(filled)]
        self.maybe.show_lines(left, self.maybe.list.line_of)

    def _ask(self, then: Callable[[], object]) -> None:
        if self._filed:
            self.refused.emit()
        else:
            then()

    def _toggled(self, section: Section, on: bool) -> None:
        inside = section.has_keyboard()
        section.show_body(on)
        if on:
            come_into_view(section)
            for other in self.sections:
                if other is not section:
                    other.heading.setChecked(False)
        elif inside:
            self.left.emit()
        for part in (*self.sections, self):
            if layout := part.layout():
                layout.activate()  # at once, so that no half-open section is seen
        self.changed.emit()


class Section(QWidget):
    """A list of lines with buttons, which its heading opens and closes.

    Attributes:
        heading: stands beside those of the other sections.
        short: its title where there is little room.
        act, acts: the button of its action, and that one with all others that change the flowsheet.

    Signals:
        toggled: it was opened or closed.
        chosen: another line became current while it is open.
        asked: do the section's action with the current line.
        reject_asked: reject the current line; only from a section with a button for it.
        play_asked: play the audio of the current line.
        left: it was left with Escape.
    """

    toggled = Signal(bool)
    chosen = Signal()
    asked = Signal()
    reject_asked = Signal()
    play_asked = Signal()
    left = Signal()

    def __init__(
        self,
        theme: Theme,
        title: str,
        short: str,
        about: str,
        act: QPushButton,
        reject: QPushButton | None = None,
        beside: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._theme, self._title, self.short = theme, title, short
        self.heading = _Heading(theme, title, short, about)
        self.heading.toggled.connect(self.toggled)
        self.list = LineView(theme, title.replace("&", ""))
        self.list.chosen.connect(lambda: self.chosen.emit() if self.opened else None)
        self.list.asked.connect(self.asked)
        self.list.play_asked.connect(self.play_asked)
        self.act = act
        key_hint(act, "Enter")
        act.clicked.connect(lambda: self.asked.emit())  # noqa: PLW0108 - `emit` would be given `checked`
        self.acts = [act]
        if reject:
            reject.clicked.connect(lambda: self.reject_asked.emit())  # noqa: PLW0108 - as above
            self.list.reject_asked.connect(self.reject_asked)
            self.acts.append(reject)
        self.play = button("Play", theme.icon("play"), kind="quiet", clicked=self.play_asked.emit)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(14, 8, 8, 10)
        buttons.setSpacing(6)
        for one in self.acts:
            buttons.addWidget(one)
        if beside:
            buttons.addWidget(beside)
        buttons.addStretch(1)
        buttons.addWidget(self.play)
        self.again = AgainLine(theme)
        self.again.setContentsMargins(16, 8, 12, 0)
        self.list.chosen.connect(self.again.forget)
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.list)
        body.addWidget(self.again)
        body.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._body)
        self._body.hide()
        self.show_lines((), _of_sentence)

    @property
    def opened(self) -> bool:
        return self.heading.isChecked()

    def current(self) -> Line | None:
        return self.list.current()

    def show_lines(self, things: Sequence[Any], line_of: Callable[[Any], Line]) -> None:
        """Shows a line for each thing; without any, the section closes and is disabled."""
        self.list.show_lines(things, line_of)
        self.heading.setText(f"{self._title} ({len(things)})")
        self.heading.setEnabled(bool(things))
        if not things:
            self.heading.setChecked(False)

    def show_body(self, shown: bool) -> None:
        """Shows the list and moves the keyboard focus to it, or hides it."""
        self._body.setVisible(shown)
        self.again.forget()
        if shown:
            self.list.setFocus()

    def has_keyboard(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self._body.isAncestorOf(focus)

    def set_playing(self, playing: bool, reason: str) -> None:
        self.play.setText("Stop" if playing else "Play")
        self.play.setIcon(self._theme.icon("stop" if playing else "play"))
        self.play.setEnabled(not reason)
        self.play.setToolTip(reason or "Hear what was said (Space)")
        self.play.setAccessibleDescription(self.play.toolTip())

    def event(self, event: QEvent) -> bool:
        if is_escape(event) and self.opened:  # here it closes the section; elsewhere a message
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.opened:
            self.left.emit()
            return
        super().keyPressEvent(event)


class _Heading(QAbstractButton):
    """The tab that opens its section: an arrow, the title with its count, in short if need be, and a description."""

    def __init__(self, theme: Theme, title: str, short: str, about: str) -> None:
        super().__init__()
        self._theme, self._title, self._short, self._about = theme, title, short, about
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(HEADING_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._tell)
        self._tell()
        theme.changed.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect()
        painter.fillRect(whole, self._theme.colour("hover" if self.underMouse() and self.isEnabled() else "raised"))
        painter.fillRect(QRect(0, whole.bottom(), whole.width(), 1), self._theme.colour("border"))
        if self.hasFocus():
            painter.fillRect(QRect(0, 0, 4, whole.height()), self._theme.colour("accent"))
        self._arrow(painter)
        words = whole.adjusted(INDENT + 20, 0, -MARGIN, 0)
        colour = "text" if self.isEnabled() else "muted"
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic
        painter.setFont(self._theme.font(weight=QFont.Weight.DemiBold)[0])
        painter.setPen(self._theme.colour(colour))
        shown = self.text()
        if painter.boundingRect(QRect(0, 0, 0, 0), flags, shown).width() > words.width():
            shown = shown.replace(self._title, self._short)
        painter.drawText(words, flags, shown)
        words.setLeft(words.left() + painter.boundingRect(words, flags, shown).width() + 16)
        painter.setFont(self._theme.font(SMALL_PX)[0])
        painter.setPen(self._theme.colour("muted"))
        about = painter.fontMetrics().elidedText(self._about, Qt.TextElideMode.ElideRight, words.width())
        if about != self._about:
            about = ""  # its tip has the whole
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, about)
        painter.end()

    def _arrow(self, painter: QPainter) -> None:
        middle = QPointF(INDENT + 5, self.height() / 2)
        tips = ((-4, -2), (0, 2), (4, -2)) if self.isChecked() else ((-2, -4), (2, 0), (-2, 4))
        ink = self._theme.colour("text" if self.isEnabled() else "muted")
        painter.setPen(QPen(ink, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline([middle + QPointF(x, y) for x, y in tips])

    def _tell(self) -> None:
        self.setToolTip(f"{'Close' if self.isChecked() else 'Open'} the list: {self._about}")
        self.setAccessibleDescription(self.toolTip())


def _emit_current(section: Section, signal: SignalInstance) -> None:
    """Emits what the current line is about, if there is one."""
    thing = section.list.current_thing()
    if thing:
        signal.emit(thing)


def _of_value(sheet: Sheet, filled: ProposedValue) -> Line:
    assert sheet.transcript, "what was held back has its words there"
    row, said, text = sheet.schema.row(filled.row_id), filled.evidence, sheet.transcript.text
    return Line(
        place=said,
        said=(text[said.sentence_start : said.start], said.text, text[said.end : said.sentence_end]),
        held_back=filled,
        name=row.name,
        value=marked(row, filled.value, value_unit(row, filled)),
        judged=judged_text(row, filled.value),
    )


def _of_row(row: Row) -> Line:
    return Line(None, ("", "", f"{row.name}   ·   {category_text(row)}"))


def _of_sentence(sentence: Segment) -> Line:
    start, end = sentence.start, sentence.end
    return Line(Evidence(start, end, sentence.text, start, end), ("", "", sentence.text))
