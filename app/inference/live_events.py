"""What a dictation says of itself while it is spoken, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # they bring numpy, without which the window starts
    from extraction.extractor import Extraction
    from extraction.flowsheet.values import FilledValue
    from speech.transcript import Transcript

# A recording is given as blocks of sound (int16 samples, 16 kHz, mono), and None at its end.
Sound = bytes | None


@dataclass(frozen=True, slots=True)
class LiveWords:
    """What was heard.

    Attributes:
        final: stays, and only grows at its end.
        draft: what follows it and may still change.
        covered: seconds of the recording in which this was said.
    """

    final: str
    draft: str
    covered: float


@dataclass(frozen=True, slots=True)
class LiveValues:
    """The proposals as they stand, most confident first, read in `text`, which is all that was final then."""

    values: tuple[FilledValue, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Followed:
    """What a dictation comes to at its end; `seconds` is the time at work by stage."""

    transcript: Transcript
    extraction: Extraction
    seconds: dict[str, float]
