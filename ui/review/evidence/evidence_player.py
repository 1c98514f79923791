"""Plays the part of a recording in which a value was said."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl, Signal

from ui.kit import sound_library

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QMediaPlayer

LEAD_MS, TAIL_MS = 250, 300


class EvidencePlayer(QObject):
    """A player that is created on first use, since the multimedia library may be missing on a machine.

    Signals:
        changed: it started or stopped.
        failed: the recording cannot be played (why, in words).
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player: QMediaPlayer | None = None
        self._reason: str | None = None
        self._span_ms = (0, 0)

    def look_ahead(self) -> None:
        """Determines `reason` soon, in two steps of the event loop, so that the first review does not wait for the
        sound library to load."""
        QTimer.singleShot(0, self, self._load)

    def reason(self) -> str:
        """Why nothing can be played on this machine; empty if it can."""
        if self._reason is None:
            self._reason = self._prepare()
        return self._reason

    @property
    def playing(self) -> bool:
        from_state = self._player.playbackState() if self._player else None
        return bool(from_state is not None and from_state.name == "PlayingState")

    def play(self, recording: Path, start: float, end: float) -> None:
        """Plays from `start` to `end` (seconds), with a little before and after. Requires `reason()` to be empty."""
        assert self._player, "ask for the reason first"
        self._span_ms = (max(0, int(start * 1000) - LEAD_MS), int(end * 1000) + TAIL_MS)
        source = QUrl.fromLocalFile(str(recording))
        if self._player.source() != source:
            self._player.setSource(source)
        self._player.setPosition(self._span_ms[0])
        self._player.play()

    def stop(self) -> None:
        if self._player:
            self._player.stop()

    def _load(self) -> None:
        sound_library.quieten()
        with suppress(ImportError):  # `reason` reports it
            import PySide6.QtMultimedia  # noqa: F401
        QTimer.singleShot(0, self, self.reason)

    def _prepare(self) -> str:
        sound_library.quieten()  # `reason` says what is missing
        try:
            from PySide6.QtMultimedia import QAudioOutput, QMediaDevices, QMediaPlayer
        except ImportError:
            return "Audio cannot be played: a sound library is missing on this computer (libpulse0 on Debian)."
        if QMediaDevices.defaultAudioOutput().isNull():
            return "Audio cannot be played: no speaker or headphones are connected."
        self._player = QMediaPlayer(self)
        self._player.setAudioOutput(QAudioOutput(self))
        self._player.positionChanged.connect(self._stop_at_end)
        self._player.playbackStateChanged.connect(lambda _: self.changed.emit())
        self._player.errorOccurred.connect(lambda _, words: self.failed.emit(words))
        return ""

    def _stop_at_end(self, position_ms: int) -> None:
        if position_ms >= self._span_ms[1] and self.playing:
            self.stop()
