"""The left of a dictation's page: the transcript, when it was recorded, and what it says about other people."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.chart.sheet import Sheet
from ui.kit.theme import Theme
from ui.kit.widgets import heading, label, rule
from ui.kit.words import ROLE_WORDS, clock, recorded_text, span_text
from ui.patients.identity_bar import AnswerBar, LeftOutBar
from ui.review.evidence.transcript_view import TranscriptView


class TranscriptPane(QFrame):
    """Attributes: `doubts` shows the warnings about the whole transcript."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.transcript = TranscriptView(theme)
        self._about = label(role="small")
        self.answered, self.left_out = AnswerBar(theme), LeftOutBar(theme)
        about_others = QVBoxLayout()
        about_others.setContentsMargins(10, 8, 10, 0)
        about_others.setSpacing(8)
        about_others.addWidget(self.answered)
        about_others.addWidget(self.left_out)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(heading("Transcript", self._about))
        column.addWidget(rule())
        self.doubts = label(role="warning", wrap=True)
        self.doubts.setContentsMargins(16, 8, 16, 8)
        column.addWidget(self.doubts)
        column.addLayout(about_others)
        column.addWidget(self.transcript, 1)

    def show_about(self, sheet: Sheet) -> None:
        """Shows kind, length and time of the dictation, warnings about its transcript, and the models used."""
        dictation, transcript, now = sheet.dictation, sheet.transcript, datetime.now(UTC)
        kind = "Recording" if dictation.kind == "audio" else "Text"
        length = f", {clock(transcript.duration)}" if transcript and transcript.duration else ""
        self._about.setText(f"{kind}{length} · {span_text(dictation, now)}")
        doubts = transcript.warnings if transcript else ()
        self.doubts.setText("\n".join(doubts))
        self.doubts.setVisible(bool(doubts))
        used, devices = sheet.run.models, sheet.run.devices
        ran = [f"{words}: {used[role]} on {devices[role]}" for role, words in ROLE_WORDS.items() if role in used]
        self._about.setToolTip("\n".join([dictation.name, f"Recorded {recorded_text(dictation, now)}", *ran]))
