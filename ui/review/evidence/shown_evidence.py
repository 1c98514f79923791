"""Highlights the evidence of the chosen value in the transcript, and plays it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.chart.sheet import Sheet
from app.record.values import Evidence
from ui.flowsheet.detail.detail_pane import DetailPane
from ui.flowsheet.flowsheet_view import FlowsheetView
from ui.flowsheet.leftovers import LeftoversPanel
from ui.review.evidence.evidence_player import EvidencePlayer
from ui.review.evidence.transcript_view import TranscriptView


class ShownEvidence(QObject):
    """Follows the current value of the flowsheet, or the current line of the open section below it.

    Args:
        sheet: returns the sheet shown.
    """

    def __init__(
        self,
        sheet: Callable[[], Sheet | None],
        transcript: TranscriptView,
        flowsheet: FlowsheetView,
        detail: DetailPane,
        leftovers: LeftoversPanel,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._sheet, self._transcript, self._flowsheet = sheet, transcript, flowsheet
        self._detail, self._leftovers = detail, leftovers
        self._pinned: Evidence | None = None  # shown instead of the evidence of the chosen value
        self.player = EvidencePlayer(self)
        self.player.changed.connect(self.show_playing)

    def show(self) -> None:
        """Highlights the evidence, and shows whether it can be played."""
        self._transcript.light(self._place)
        self.show_playing()

    def pin(self, start: int, end: int) -> None:
        """Highlights these characters of the transcript instead of the chosen value's evidence."""
        sheet = self._sheet()
        if not (sheet and sheet.transcript):
            return
        said = sheet.transcript.text[start:end]
        around = [one for one in sheet.sentences if one.start < end and start < one.end]
        sentence = (around[0].start, around[-1].end) if around else (start, end)
        self.player.stop()
        self._pinned = Evidence(start, end, said, min(sentence[0], start), max(sentence[1], end))
        self.show()

    def unpin(self) -> None:
        """Returns to the chosen value's evidence, without showing it."""
        self._pinned = None

    def toggle_play(self) -> None:
        """Plays the highlighted words, or stops."""
        if self.player.playing:
            self.player.stop()
            return
        span, sheet = self._audio_span(), self._sheet()
        if span and sheet and sheet.dictation.path.exists() and not self.player.reason():
            self.player.play(sheet.dictation.path, *span)

    def show_playing(self) -> None:
        """Shows whether the highlighted words are playing, or why they cannot be played."""
        sheet = self._sheet()
        if not sheet:
            return
        if sheet.dictation.kind == "text":
            reason = "This dictation is a text; there is no audio."
        elif not sheet.dictation.path.exists():
            reason = "The audio was deleted, as set in Settings."
        elif self._audio_span() is None:
            reason = "No matching place in the recording."
        else:
            reason = self.player.reason()
        self._detail.set_playing(self.player.playing, reason)
        self._leftovers.set_playing(self.player.playing, reason)

    @property
    def _place(self) -> Evidence | None:
        if self._pinned:
            return self._pinned
        if self._leftovers.opened:
            return self._leftovers.lit
        value, sheet = self._flowsheet.current(), self._sheet()
        return sheet.evidence_of(value) if sheet and value else None

    def _audio_span(self) -> tuple[float, float] | None:
        place, sheet = self._place, self._sheet()
        if not place or not sheet or not sheet.transcript:
            return None
        return sheet.transcript.audio_span(place.start, place.end)
