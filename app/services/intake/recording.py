"""A dictation being recorded: the window passes sound to it without waiting, and a lane writes it to disk."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from queue import Empty, SimpleQueue

from app.chart.dictation_identity import SpokenAnswer
from app.chart.records import Patient
from app.inference.live_events import Sound
from extraction.flowsheet.schema import Schema
from models.base.errors import Cancelled
from models.base.progress import CancelledCallback
from speech.audio import MAXIMUM_SECONDS, SAMPLE_BYTES, SAMPLE_RATE
from speech.levels import SoundLevel, level_of
from speech.recording_journal import SYNC_SECONDS, Head, Journal

LONGEST_SECONDS = MAXIMUM_SECONDS - 60.0  # a longer recording could not be transcribed


class RecordingState(StrEnum):
    """The state of a recorder."""

    IDLE = "idle"
    RECORDING = "recording"
    PAUSED = "paused"
    FINISHING = "finishing"


class _Step(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"


class Recording:
    """One recording, bound to its patient from the start. Everything but `write` is for one thread and never blocks.

    Attributes:
        head: what it is bound to.
        schema: the schema of its values, even if the settings change meanwhile.
        state: `RECORDING`, `PAUSED` or `FINISHING`.
        level: level of the latest sound.
        folder: folder of the journal; None until that exists.
        whose: a person's answer about whose it is, if it names others than its patient.
        follower: a queue that also receives the sound, as `app.inference.live_events.Sound`; None without one.
    """

    def __init__(self, root: Path, patient: Patient, *, schema: Schema, reviewer: str) -> None:
        self.head = Head(datetime.now(UTC).isoformat(), patient.id, patient.bed, schema.id, reviewer)
        self.patient, self.schema = patient, schema
        self.state = RecordingState.RECORDING
        self.level = SoundLevel()
        self.whose: SpokenAnswer | None = None
        self.folder: Path | None = None
        self.follower: SimpleQueue[Sound] | None = None
        self._root = root
        self._bytes = 0
        self._arrived: SimpleQueue[bytes | _Step] = SimpleQueue()

    @property
    def seconds(self) -> float:
        """Length of the sound; pauses do not count."""
        return self._bytes / SAMPLE_BYTES / SAMPLE_RATE

    def take(self, pcm: bytes) -> None:
        """Takes sound as it arrives; ignores it during a pause."""
        if self.state is not RecordingState.RECORDING:
            return
        self._bytes += len(pcm)
        self.level = level_of(pcm)
        self._arrived.put(pcm)
        if follower := self.follower:
            follower.put(pcm)

    def pause(self) -> None:
        self._go(RecordingState.RECORDING, RecordingState.PAUSED, _Step.PAUSE)

    def resume(self) -> None:
        self._go(RecordingState.PAUSED, RecordingState.RECORDING, _Step.RESUME)

    def finish(self) -> None:
        """Ends the recording; `write` returns when all of it is on disk."""
        for running in (RecordingState.RECORDING, RecordingState.PAUSED):
            self._go(running, RecordingState.FINISHING, _Step.END)
        if follower := self.follower:
            follower.put(None)

    def write(self, cancelled: CancelledCallback) -> Path:
        """Writes sound as it arrives until the recording ends; returns the journal's folder.

        Call it on a thread that may block.

        Raises:
            ResourceError: the disk is full or not writable; what was written is kept.
            Cancelled: the program is ending; what has arrived is kept.
        """
        with Journal(self._root, self.head) as journal:
            self.folder = journal.folder
            while (item := self._next(cancelled)) is not _Step.END:
                if item is None:
                    journal.sync()
                elif isinstance(item, _Step):
                    journal.mark("pause" if item is _Step.PAUSE else "resume")
                else:
                    journal.append(item)
        return journal.folder

    def _next(self, cancelled: CancelledCallback) -> bytes | _Step | None:
        try:
            return self._arrived.get(timeout=SYNC_SECONDS / 2)
        except Empty:
            if cancelled():
                raise Cancelled from None
            return None

    def _go(self, at: RecordingState, to: RecordingState, step: _Step) -> None:
        if self.state is at:
            self.state, self.level = to, SoundLevel()
            self._arrived.put(step)
