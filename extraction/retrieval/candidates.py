"""Candidate rows of a dictation: which sentences brought a row, and by what."""

from __future__ import annotations

import math
from dataclasses import dataclass

from extraction.flowsheet.values import Neighbour
from extraction.retrieval.exemplars import Precedent

# How much the words of row name and value, and what exemplars say, count beside the cosine when a row's best sentence
# is chosen.
_WORD_WEIGHT = 0.3
_PRECEDENT_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that brought a row.

    Attributes:
        relevance: cosine similarity of the row to the segment or its nearest clause, -1 to 1.
        sentence_relevance, clause_relevance: each of them alone; 0 where it did not bring the row.
        sentence_rank, clause_rank: place among the rows brought, 0 is nearest; 12 where it did not bring the row.
        name_said, value_said: which share of the words of the row's name and of one of its values was said, 0 to 1.
        name_words, value_words: how many words of the name, and of a value of which all were said.
        precedent: what exemplars say; None where there are none.
    """

    segment: int
    relevance: float
    sentence_relevance: float
    clause_relevance: float
    sentence_rank: int
    clause_rank: int
    name_said: float
    value_said: float
    neighbour: Neighbour
    name_words: int = 0
    value_words: int = 0
    precedent: Precedent | None = None

    @property
    def fit(self) -> float:
        """How well the segment suits the row: by meaning, by words, and by what annotated sentences did."""
        marked = self.precedent.weight if self.precedent else 0.0
        return self.relevance + _WORD_WEIGHT * (self.name_said + self.value_said) + _PRECEDENT_WEIGHT * marked


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of the reduced schema with every segment that brought it, the best fitting first.

    Attributes:
        prior: probability, before the filler was asked, that the dictation states the row.
        frequency: log-odds that an annotated case fills the row; NaN where there are none.
        largest_vote, largest_score, largest_nearest: over all segments, see `Precedent` (the last is of clauses).
    """

    row_id: str
    hits: tuple[Hit, ...]
    prior: float = 0.5
    frequency: float = math.nan
    largest_vote: float = math.nan
    largest_score: float = math.nan
    largest_nearest: float = math.nan

    @property
    def relevance(self) -> float:
        """Cosine similarity of the row to its best segment, -1 to 1."""
        return self.hits[0].relevance

    @property
    def segment(self) -> int:
        """Index of its best segment."""
        return self.hits[0].segment


@dataclass(frozen=True, slots=True)
class ReducedSchema:
    """The candidates, likeliest first."""

    candidates: tuple[Candidate, ...]
