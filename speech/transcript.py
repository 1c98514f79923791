"""The transcript of a dictation, with times."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Word:
    """A transcribed word.

    Attributes:
        text: the word in the transcript, without surrounding space.
        start, end: seconds from the start of the recording.
        probability: Whisper's probability of the word, 0 to 1.
        char_start, char_end: its position in `Transcript.text`.
    """

    text: str
    start: float
    end: float
    probability: float
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True)
class SpokenSegment:
    """One span of speech as split by Whisper; times in seconds, characters in `Transcript.text`."""

    start: float
    end: float
    char_start: int
    char_end: int
    log_probability: float
    no_speech_probability: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """The text of a dictation with its times.

    Attributes:
        text: the whole text; segments are joined by one space.
        duration: seconds of audio; 0.0 for a text that was never spoken.
        model: id of the speech model; empty for a text file.
        warnings: what a person should know before relying on it (a damaged recording, unintelligible words).
    """

    text: str
    segments: tuple[SpokenSegment, ...] = ()
    words: tuple[Word, ...] = ()
    duration: float = 0.0
    language: str = "en"
    model: str = ""
    warnings: tuple[str, ...] = ()

    def audio_span(self, char_start: int, char_end: int) -> tuple[float, float] | None:
        """Seconds of the recording in which characters [char_start, char_end) were spoken; None without words."""
        inside = [word for word in self.words if word.char_end > char_start and word.char_start < char_end]
        return (inside[0].start, inside[-1].end) if inside else None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Transcript:
        return cls(
            text=data["text"],
            segments=tuple(SpokenSegment(**segment) for segment in data["segments"]),
            words=tuple(Word(**word) for word in data["words"]),
            duration=data["duration"],
            language=data["language"],
            model=data["model"],
            warnings=tuple(data.get("warnings", ())),
        )
