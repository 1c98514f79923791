"""The evidence of a value with the words around it, and the button that plays it."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.chart.quotes import CONTEXT_CHARACTERS, around
from app.chart.records import ReviewedValue
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Row
from ui.kit.theme import Theme
from ui.kit.widgets import button, label
from ui.kit.words import clock, plain_text, unit_text, value_text


class EvidenceQuote(QFrame):
    """Signals: `play_asked` when its button is clicked."""

    play_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quote")
        self._theme = theme
        self._value: ReviewedValue | None = None
        self._parts, self._span = ("", "", ""), ""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 6, 6)
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.RichText)
        self._words.setWordWrap(True)
        self._words.setAccessibleName("What was said")
        self.play = button("Play", theme.icon("play"), kind="quiet", clicked=self.play_asked.emit)
        self.proposed, self._silent = label(role="small", wrap=True), label(role="small", wrap=True)
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self._words)
        said.addWidget(self.proposed)
        said.addWidget(self._silent)
        layout.addLayout(said, 1)
        layout.addWidget(self.play, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self.show_words)

    @property
    def said(self) -> tuple[object, ...]:
        """The quoted words and their time, to detect changes."""
        return self._parts, self._span

    def take(self, sheet: Sheet, value: ReviewedValue) -> None:
        """Looks up the evidence of a value; `show_words` shows it."""
        self._value = value
        self.proposed.setText(proposed_words(sheet.schema.row(value.row_id), value))
        self.proposed.setVisible(bool(self.proposed.text()))
        self._parts, self._span = ("", value.evidence.text if value.evidence else "", ""), ""
        evidence = sheet.evidence_of(value)
        if evidence and sheet.transcript:
            text = sheet.transcript.text
            sentence = (evidence.sentence_start, evidence.sentence_end)
            before, after = around(text, evidence.start, evidence.end, sentence, CONTEXT_CHARACTERS)
            self._parts = (before, text[evidence.start : evidence.end], after)
            span = sheet.transcript.audio_span(evidence.start, evidence.end)
            self._span = f", {clock(span[0])} to {clock(span[1])}" if span else ""

    def show_words(self) -> None:
        """Shows the evidence, or that the value was added by hand."""
        if not self._value:
            return
        if self._value.evidence is None:
            self._words.setText("Added manually; not dictated.")
        else:
            before, span, after = (html.escape(plain_text(part)) for part in self._parts)
            back, front = (self._theme.colour(name).name() for name in ("evidence_span", "evidence_text"))
            lit = f"<b style='background-color:{back};color:{front}'>{span}</b>"
            self._words.setText(f"“{before}{lit}{after}”")
        self.play.setVisible(self._value.evidence is not None)

    def set_playing(self, playing: bool, reason: str) -> None:
        """Shows whether the evidence is playing; `reason` says why it cannot be played, empty if it can."""
        self.play.setText("Stop" if playing else "Play")
        self.play.setIcon(self._theme.icon("stop" if playing else "play"))
        self.play.setEnabled(not reason)
        self._silent.setText(reason)
        self._silent.setVisible(bool(reason) and self._value is not None and self._value.evidence is not None)
        self.play.setToolTip(reason or f"Hear what was said{self._span} (Space)")
        self.play.setAccessibleDescription(self.play.toolTip())


def proposed_words(row: Row, value: ReviewedValue) -> str:
    """What was read from the words of a value that a person corrected; empty for any other."""
    was = value.corrected
    if was is None:
        return ""
    return f"Proposed: {value_text(row, was.value)} {unit_text(was.unit)}".rstrip()
