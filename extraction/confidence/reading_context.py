"""A reading with what several features share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from extraction.annotation.scoring import comparable
from extraction.filling.evidence import literal_span
from extraction.filling.task import Reading
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.words import best_share, stems


def logit(probability: float) -> float:
    """Log-odds of a probability, clipped away from 0 and 1."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


@dataclass(frozen=True)
class ReadingContext:
    """A reading with cached values that several features share."""

    reading: Reading

    @cached_property
    def span(self) -> tuple[int, int] | None:
        return literal_span(self.reading)

    @cached_property
    def said(self) -> frozenset[str]:
        return stems(self.reading.segment.text)

    @cached_property
    def name_share(self) -> float:
        return best_share(self.reading.row.names, self.said)

    @cached_property
    def prior(self) -> float:
        return logit(self.reading.candidate.prior)

    @cached_property
    def mentioned(self) -> float:
        return logit(self.reading.mentioned)

    @cached_property
    def chosen(self) -> frozenset[str]:
        """The names of the options that it states."""
        value = self.reading.value
        return frozenset(map(str, value if isinstance(value, tuple) else (value,)))

    @cached_property
    def verbatim(self) -> list[tuple[str, Span]]:
        """The row's options that the sentence says word for word, with their spans in it."""
        return said_options(self.reading.row, self.reading.segment.text)

    @cached_property
    def words(self) -> Span | None:
        """Where its number, or its option word for word, was said in the dictation."""
        if self.reading.span:
            return self.reading.span
        start = self.reading.segment.start
        return next((moved(span, start) for name, span in self.verbatim if name in self.chosen), None)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The value, or the options of a multi-select, in the form used by exemplars."""
        value = self.reading.value
        return tuple(map(comparable, value if isinstance(value, tuple) else (value,)))

    def shares_words_with(self, other: ReadingContext) -> bool:
        """Whether both are read from overlapping words, for different rows."""
        mine, its = self.span, other.span
        return bool(mine and its and other.reading.row.id != self.reading.row.id and overlap(mine, its))
