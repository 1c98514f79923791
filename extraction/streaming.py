"""The values of a dictation that is still being spoken.

With each new sentence the whole transcript is reduced again, which is cheap; asked are only the questions that the new
words bring, a few at a time. Everything read so far is then weighed together, as in a dictation that is
filled afterwards, so that later words can change an earlier value. While there is nothing to ask, the questions of
words that were heard in passing are asked ahead: where they come to be written so, their answers are there.
"""

from __future__ import annotations

from dataclasses import dataclass

from extraction.extractor import Prepared, Reduce, prepare
from extraction.filling.rowwise import AnswerKey, RowwiseFiller
from extraction.filling.task import Reading
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from models.progress import CancelledCallback, ignore_progress
from models.runtimes.closed_questions import Answer

# Questions asked at once: some seconds of work, after which their values are shown; and of what the text may become,
# for which nothing should have to wait.
ONCE = 12
_ONCE_AHEAD = 2


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """What was read in a transcript up to now; `left` is how many of its questions are open."""

    prepared: Prepared
    readings: list[Reading]
    left: int

    def covers(self, text: str) -> bool:
        """Whether a transcript has nothing that was not read."""
        return self.prepared.transcript == text and not self.left


class GrowingReader:
    """Reads a transcript that grows.

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
        self._read_out = ""  # the last text that left nothing to read ahead

    def read(self, text: str, cancelled: CancelledCallback) -> ReadSoFar:
        """Reads on in the transcript as it is now, for some seconds at most. Raises Cancelled."""
        if text != self._prepared.transcript:
            self._prepared = self._ahead if text == self._ahead.transcript else self._prepare(text)
        readings, left = self._filler.read_on(self._prepared.task, self._answers, ONCE, ignore_progress, cancelled)
        return ReadSoFar(self._prepared, readings, left)

    def read_ahead(self, text: str, cancelled: CancelledCallback) -> bool:
        """Reads on in what the transcript may become, so that less is left to ask where it does; whether there was
        anything to read. Raises Cancelled."""
        if text == self._read_out:
            return False
        if text != self._ahead.transcript:
            self._ahead = self._prepared if text == self._prepared.transcript else self._prepare(text)
        known = len(self._answers)
        _, left = self._filler.read_on(self._ahead.task, self._answers, _ONCE_AHEAD, ignore_progress, cancelled)
        if not left:
            self._read_out = text
        return len(self._answers) > known

    def _prepare(self, text: str) -> Prepared:
        return prepare(text, self._schema, reduce=self._reduce, context=self._context)
