"""A dictation while it is spoken: its words on the left, the values read so far on the right, without decisions."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chart.sheet import provisional
from app.inference.live_events import LiveValues, LiveWords
from app.intake.recording import Recording
from ui.flowsheet.flowsheet_view import FlowsheetView
from ui.kit.responsive_layout import WIDTHS, Panes
from ui.kit.theme import Theme
from ui.kit.widgets import card, heading, label, rule
from ui.kit.words import plural
from ui.review.transcript_view import TranscriptView

_UNSURE = "Words in italics may still change."
_OVER = "The rest is transcribed when you finish."


class LivePage(QWidget):
    """Attributes: `recording` is the one shown; None before the first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recording: Recording | None = None
        self.transcript = TranscriptView(theme)
        self.transcript.setAccessibleName("Words so far")
        self.about, self.count = label(_UNSURE, role="small"), label(role="small")
        self.flowsheet = FlowsheetView(theme)
        self.flowsheet.setAccessibleName("Values so far")
        words = _pane("Transcript", self.about, self.transcript)
        values = _pane("Flowsheet", self.count, self.flowsheet)
        panes = Panes(words, values, WIDTHS)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(panes)

    def begin(self, recording: Recording) -> None:
        """Shows a new recording, without words and values."""
        self.recording = recording
        self.about.setText(_UNSURE)
        self.transcript.show_text("")
        self.take(LiveValues((), ""))

    def take(self, news: LiveWords | LiveValues) -> None:
        """Shows new words or values."""
        assert self.recording
        if isinstance(news, LiveWords):
            self.transcript.show_words(news.final, news.draft)
            self.transcript.setAccessibleDescription(f"May still change: {news.draft}" if news.draft else "")
        else:
            self.flowsheet.show_sheet(
                provisional(self.recording.patient, self.recording.schema, news.values, news.text)
            )
            found = plural(len(news.values), "value") if news.values else "No values"
            self.count.setText(f"{found} so far. Review them when you finish.")

    def break_off(self) -> None:
        """Says that the rest is transcribed only after the recording."""
        self.about.setText(_OVER)


def _pane(title: str, note: QWidget, content: QWidget) -> QWidget:
    column = QVBoxLayout()
    column.setContentsMargins(1, 0, 1, 1)
    column.setSpacing(0)
    column.addWidget(heading(title, note))
    column.addWidget(rule())
    column.addWidget(content, 1)
    return card(column)
