"""Extracts values from a dictation that is still being spoken, or transcribed.

Each new sentence reduces the whole transcript again, which is cheap, but only the questions that the new words raise
are asked, a few at a time. All readings are then weighed together, as for a finished dictation, so that later words can
change an earlier value. When there is nothing left to ask, questions about provisional words are asked ahead of time;
if the words become final unchanged, their answers are already there.
"""

from __future__ import annotations

from dataclasses import dataclass

from extraction.extractor import Prepared, Reduce, prepare
from extraction.filling.rowwise import AnswerKey, RowwiseFiller
from extraction.filling.task import Reading
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from models.progress import CancelledCallback, Watch, ignore_progress
from models.runtimes.closed_questions import Answer

# Questions per call: a few seconds of work, after which values are shown. Reading ahead takes fewer, so that final text
# never waits for it.
ONCE = 12
_ONCE_AHEAD = 2


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """The readings of a transcript so far; `left` is the number of unanswered questions."""

    prepared: Prepared
    readings: list[Reading]
    left: int

    def covers(self, text: str) -> bool:
        """Whether every word of a transcript has been read."""
        return self.prepared.transcript == text and not self.left


class GrowingReader:
    """Reads a transcript as it grows.

    Args:
        reduce: segments of the whole transcript -> its candidates.
    """

    def __init__(
        self,
        schema: Schema,
        filler: RowwiseFiller,
        reduce: Reduce,
        context: EncounterContext = NO_CONTEXT,
    ) -> None:
        self._schema, self._filler, self._reduce, self._context = schema, filler, reduce, context
        self._answers: dict[AnswerKey, Answer] = {}
        self._prepared = self._ahead = self._prepare("")
        self._read_out = ""  # the last text with nothing left to read ahead

    def read(self, text: str, cancelled: CancelledCallback, most: int | None = None) -> ReadSoFar:
        """Reads the current transcript with up to `most` questions (None for ONCE). Raises Cancelled."""
        if text != self._prepared.transcript:
            self._prepared = self._ahead if text == self._ahead.transcript else self._prepare(text)
        readings, left = self._filler.read_on(
            self._prepared.task, self._answers, ONCE if most is None else most, Watch(ignore_progress, cancelled)
        )
        return ReadSoFar(self._prepared, readings, left)

    def read_ahead(self, text: str, cancelled: CancelledCallback) -> bool:
        """Reads a provisional transcript, so that less remains to ask when it becomes final.

        Returns whether there was anything to read. Raises Cancelled.
        """
        if text == self._read_out:
            return False
        if text != self._ahead.transcript:
            self._ahead = self._prepared if text == self._prepared.transcript else self._prepare(text)
        known = len(self._answers)
        _, left = self._filler.read_on(self._ahead.task, self._answers, _ONCE_AHEAD, Watch(ignore_progress, cancelled))
        if not left:
            self._read_out = text
        return len(self._answers) > known

    def _prepare(self, text: str) -> Prepared:
        return prepare(text, self._schema, reduce=self._reduce, context=self._context)
