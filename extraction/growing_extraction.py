"""The one driver of the extraction: the values of a transcript that grows, or is there at once.

Each new sentence reduces the whole transcript again, which is cheap, but only the questions that the new words raise
are asked, a few at a time. All readings are then weighed together, so that later words can change an earlier value. A
finished text is read in the same way; it only stops growing at once. When there is nothing left to ask, questions about
provisional words are asked ahead of time; if the words become final unchanged, their answers are already there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from extraction.estimators.mention_reader import MentionReader
from extraction.estimators.statement_matcher import Matcher
from extraction.extractor import Extraction, Prepared, Reduce, prepare, weigh_and_propose
from extraction.filling.rowwise import AnswerKey, RowwiseFiller
from extraction.filling.task import Reading
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from models.base.progress import Progress, ProgressMonitor, ignore_progress
from models.runtimes.closed_questions import Answer

if TYPE_CHECKING:
    from extraction.confidence.learned_models import Learned

# Questions per call: a few seconds of work, after which values are shown. Reading ahead takes fewer, so that final text
# never waits for it.
ONCE = 12
_ONCE_AHEAD = 2


class GrowingExtraction:
    """Reads values from the transcript so far.

    Args:
        reduce: segments of the whole transcript -> its candidates.
        known: weighs the readings.
        matcher, reader: read the words of sentences, and around values; None for neither.
        monitor: is told when a text is being reduced, and when questions are asked next.

    Attributes:
        extraction: the current result.
        prepared, readings: what was read last, and what was read of it.
        left: how many questions about the text read last are still open.
        seconds: time spent by stage, `reduce` and `fill`.
    """

    def __init__(
        self,
        schema: Schema,
        context: EncounterContext,
        filler: RowwiseFiller,
        reduce: Reduce,
        known: Learned,
        matcher: Matcher | None,
        monitor: ProgressMonitor,
        reader: MentionReader | None = None,
    ) -> None:
        self.schema, self.known = schema, known
        self._context, self._filler, self._reduce, self._matcher = context, filler, reduce, matcher
        self._reader = reader
        self._monitor, self._quiet = monitor, ProgressMonitor(ignore_progress, monitor.cancelled)
        self._answers: dict[AnswerKey, Answer] = {}
        self.seconds = {"reduce": 0.0, "fill": 0.0}
        self.prepared = self._ahead = self._prepare("")
        self.readings: list[Reading] = []
        self.left = 0
        self.extraction = Extraction()
        self._read_out = ""  # the last text with nothing left to read ahead

    def covers(self, text: str) -> bool:
        """Whether every word of a transcript has been read."""
        return self.prepared.transcript == text and not self.left

    def read(self, text: str, most: int = ONCE) -> Extraction:
        """Continues reading with up to `most` questions; returns the current result. Raises Cancelled."""
        with self._filling():
            if text != self.prepared.transcript:
                self.prepared = self._ahead if text == self._ahead.transcript else self._prepare(text)
            task = self.prepared.task
            self.readings, self.left = self._filler.read_on(task, self._answers, most, self._quiet)
            proposals = weigh_and_propose(task, self.readings, self.known, self._filler.name, self._matcher)
            self.extraction = self.prepared.charted(proposals, self.known.precisions)
        return self.extraction

    def read_ahead(self, text: str) -> bool:
        """Briefly reads a provisional transcript, so that less remains to ask when it becomes final.

        Returns whether there was anything to read. Raises Cancelled.
        """
        if text == self._read_out:
            return False
        with self._filling():
            if text != self._ahead.transcript:
                self._ahead = self.prepared if text == self.prepared.transcript else self._prepare(text)
            known = len(self._answers)
            _, left = self._filler.read_on(self._ahead.task, self._answers, _ONCE_AHEAD, self._quiet)
        if not left:
            self._read_out = text
        return len(self._answers) > known

    def _prepare(self, text: str) -> Prepared:
        return prepare(text, self.schema, reduce=self._reduced, context=self._context, reader=self._reader)

    def _reduced(self, segments: tuple[Segment, ...]) -> ReducedSchema:
        self._monitor.report(Progress("reduce", None))
        start = time.monotonic()
        found = self._reduce(segments)
        self.seconds["reduce"] += time.monotonic() - start
        self._monitor.report(Progress("fill", 0.0))
        return found

    @contextmanager
    def _filling(self) -> Iterator[None]:
        """Adds the time inside, without that of the reduction, to `fill`."""
        start, reduced = time.monotonic(), self.seconds["reduce"]
        yield
        self.seconds["fill"] += time.monotonic() - start - (self.seconds["reduce"] - reduced)
