"""A dictation while it is spoken: its words on the left, the values read so far on the right, without decisions."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.inference.live_events import LiveValues, LiveWords
from app.services.intake.recording import Recording
from ui.flowsheet.values_so_far import ValuesSoFar
from ui.kit.responsive_layout import WIDTHS, Panes
from ui.kit.theme import Theme
from ui.kit.widgets import card, heading, label, only, rule
from ui.review.evidence.transcript_view import TranscriptView

_UNSURE = "Words in italics may still change."
_OVER = "The rest is transcribed when you finish."


class LivePage(QWidget):
    """Attributes: `recording` is the one shown; None before the first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recording: Recording | None = None
        self.transcript = TranscriptView(theme)
        self.transcript.setAccessibleName("Words so far")
        self.about = label(_UNSURE, role="small")
        words = QVBoxLayout()
        words.setContentsMargins(1, 0, 1, 1)
        words.setSpacing(0)
        words.addWidget(heading("Transcript", self.about))
        words.addWidget(rule())
        words.addWidget(self.transcript, 1)
        self.values = ValuesSoFar(theme, "Review them when you finish.")
        panes = Panes(card(words), card(only(self.values)), WIDTHS)
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
            self.values.show_values(self.recording.patient, self.recording.schema, news.proposed, news.text)

    def break_off(self) -> None:
        """Says that the rest is transcribed only after the recording."""
        self.about.setText(_OVER)
