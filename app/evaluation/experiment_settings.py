"""Settings for experiments on the command line; the window does not have them."""

from __future__ import annotations

from dataclasses import dataclass

from app.system.settings import Settings
from extraction.confidence.binding import ReadingMethod


@dataclass(frozen=True, slots=True)
class ExperimentSettings(Settings):
    """The user's settings, with those that only experiments change.

    Attributes:
        strategy: `rowwise` or `json`, how rows are filled.
        segmentation: `sentence` or `llm`, how a transcript is cut.
    """

    strategy: str = "rowwise"
    segmentation: str = "sentence"

    @property
    def fills_speech(self) -> bool:
        """Whether a dictation can be filled while it is spoken, which requires `rowwise` on sentences."""
        return (self.strategy, self.segmentation) == ("rowwise", "sentence")

    @property
    def reading_method(self) -> ReadingMethod:
        return ReadingMethod(self.strategy, self.segmentation, self.top_k)
