"""The values of a transcript that grows, for every dictation whose values are shown before all are read; runs in the
inference process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.inference.live_events import LiveValues
from extraction.confidence.learned_models import Learned
from extraction.estimators.statement_matcher import Matcher
from extraction.extractor import Extraction, weigh_and_propose
from extraction.filling.rowwise import RowwiseFiller
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.streaming import GrowingReader, ReadSoFar
from models.progress import CancelledCallback


class GrowingExtraction:
    """Reads values from the transcript so far.

    Attributes:
        extraction: the current result.
        left: how many questions about the text read last are still open.
        reduce_seconds, fill_seconds: time spent on reduction and on filling.
    """

    def __init__(
        self,
        schema: Schema,
        context: EncounterContext,
        filler: RowwiseFiller,
        reduced: Callable[[tuple[Segment, ...]], ReducedSchema],
        known: Learned,
        matcher: Matcher | None,
        stopped: CancelledCallback,
    ) -> None:
        self._filler = filler
        self._reader = GrowingReader(schema, self._filler, self._reduced, context)
        self._reduce, self._known, self._matcher, self._stopped = reduced, known, matcher, stopped
        self._read: ReadSoFar | None = None
        self.extraction = Extraction()
        self.reduce_seconds = self.fill_seconds = 0.0

    @property
    def left(self) -> int:
        return self._read.left if self._read else 0

    def covers(self, text: str) -> bool:
        """Whether every word of a transcript has been read."""
        return not text or (self._read is not None and self._read.covers(text))

    def read(self, text: str, most: int | None = None) -> LiveValues:
        """Continues reading with up to `most` questions (None for `extraction.streaming.ONCE`).

        Returns the current proposals. Raises Cancelled.
        """
        with self._filling():
            self._read = self._reader.read(text, self._stopped, most)
            prepared = self._read.prepared
            read = weigh_and_propose(prepared.task, self._read.readings, self._known, self._filler.name, self._matcher)
            self.extraction = prepared.charted(read, self._known.precisions)
        return LiveValues(self.extraction.proposals.values, text)

    def read_ahead(self, text: str) -> bool:
        """Briefly reads a draft ahead of time; returns whether there was anything to read."""
        with self._filling():
            return self._reader.read_ahead(text, self._stopped)

    @contextmanager
    def _filling(self) -> Iterator[None]:
        """Adds the time inside, without that of the reduction, to `fill_seconds`."""
        start, reduced = time.monotonic(), self.reduce_seconds
        yield
        self.fill_seconds += time.monotonic() - start - (self.reduce_seconds - reduced)

    def _reduced(self, segments: tuple[Segment, ...]) -> ReducedSchema:
        start = time.monotonic()
        found = self._reduce(segments)
        self.reduce_seconds += time.monotonic() - start
        return found
