"""Other ways of reading a dictation, for comparison on the command line. The window does not have them."""

from __future__ import annotations

from dataclasses import dataclass

from app.system.settings import Settings
from extraction.confidence.binding import ReadingMethod


@dataclass(frozen=True, slots=True)
class ExperimentSettings(Settings):
    """The user's settings, with what only an experiment chooses otherwise.

    Attributes:
        strategy: `rowwise` or `json`, how rows are filled.
        segmentation: `sentence` or `llm`, how a transcript is cut.
    """

    strategy: str = "rowwise"
    segmentation: str = "sentence"

    @property
    def fills_speech(self) -> bool:
        """Whether a dictation can be filled while it is spoken: only these ask sentence by sentence."""
        return (self.strategy, self.segmentation) == ("rowwise", "sentence")

    @property
    def reading_method(self) -> ReadingMethod:
        return ReadingMethod(self.strategy, self.segmentation, self.top_k)
