"""Input and output of a dictation that is followed while it is spoken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.extraction_records import proposed
from app.record.values import ProposedValue

if TYPE_CHECKING:  # they import numpy, which the window does not need to start
    from extraction.extractor import Extraction
    from extraction.flowsheet.values import FilledValue
    from speech.transcript import Transcript

# Blocks of sound (int16 samples, 16 kHz, mono), and None at the end of the recording.
Sound = bytes | None


@dataclass(frozen=True, slots=True)
class LiveWords:
    """The words heard so far.

    Attributes:
        final: text that only grows at its end.
        draft: the text after it, which may still change.
        covered: seconds of the recording covered by both.
    """

    final: str
    draft: str
    covered: float


@dataclass(frozen=True, slots=True)
class LiveValues:
    """The current proposals, most confident first, read from `text`, everything carefully transcribed by then."""

    values: tuple[FilledValue, ...]
    text: str

    @property
    def proposed(self) -> tuple[ProposedValue, ...]:
        """The values, as they would be kept."""
        return proposed(self.values)


@dataclass(frozen=True, slots=True)
class Followed:
    """The result at the end of a dictation."""

    transcript: Transcript
    extraction: Extraction
