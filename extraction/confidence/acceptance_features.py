"""Features that estimate how likely a reading is right, from the filler, reduction, exemplars and rival readings.

They identify no row and no hospital, so that the shipped boosted trees carry over to any schema; `wardlight learn` fits
the same features to a hospital's own cases. Features of exemplars or hidden states are NaN without them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from extraction.annotation.scoring import comparable
from extraction.filling.evidence import literal_span
from extraction.filling.task import Reading
from extraction.flowsheet.schema import SAID_TYPES, ValueType, is_yes_no
from extraction.language.numbers import numbers
from extraction.language.spans import overlap
from extraction.language.vocabulary.words import best_share, most_words, share, stems, whole_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEATURES = (
    # row
    "prior_logit",
    "mentioned_logit",
    "permitted_log_mass",
    "log_choices",
    "name_words_said",
    "name_words_counted",
    "outnamed",
    "outranked",
    "outmentioned",
    "rivals",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
    "relevance",
    "row_value_said",
    "segments",
    "sentence_words",
    "place",
    # exemplars of the row
    "nearest_exemplar",
    "exemplar_vote",
    "exemplar_score",
    "frequency",
    "largest_vote",
    # value
    "value_log_probability",
    "rank",
    "log_probability",
    "lead",
    "value_words_said",
    "option_words_said",
    "option_words_counted",
    "distance",
    "in_sentence",
    "claimed",
    "numbers",
    "value_words",
    # exemplars of the value
    "value_vote",
    "value_nearest",
    "value_share",
    # probes on the hidden states
    "row_probe",
    "value_probe",
)
PROBES = ("row", "value")


def over_layers(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean probe score of each reading, shape (readings,), from scores by layer, shape (readings, layers)."""
    mean: NDArray[np.float64] = scores.mean(axis=1)
    return mean


def logit(probability: float) -> float:
    """Log-odds of a probability, clipped away from 0 and 1."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def acceptance_features(
    readings: Sequence[Reading], segments: int, row_probes: Iterable[float], value_probes: Iterable[float]
) -> list[tuple[float, ...]]:
    """The numbers named in FEATURES, in order, for each reading of a dictation with `segments` segments.

    Rivals are the likeliest readings of other rows from the same words: one number rarely fills two rows.
    """
    known = [_ReadingContext(reading) for reading in readings]
    best = [one for one in known if one.reading.rank == 0]
    return [
        (
            *_row_features(one, best, segments),
            *_value_features(one, known),
            row_probe,
            value_probe,
        )
        for one, row_probe, value_probe in zip(known, row_probes, value_probes, strict=True)
    ]


@dataclass(frozen=True)
class _ReadingContext:
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
        return best_share((self.reading.row.name, *self.reading.row.synonyms), self.said)

    @cached_property
    def prior(self) -> float:
        return logit(self.reading.candidate.prior)

    @cached_property
    def mentioned(self) -> float:
        return logit(self.reading.mentioned)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The value, or the options of a multi-select, in the form used by exemplars."""
        value = self.reading.value
        return tuple(map(comparable, value if isinstance(value, tuple) else (value,)))

    def shares_words_with(self, other: _ReadingContext) -> bool:
        """Whether both are read from overlapping words, for different rows."""
        mine, its = self.span, other.span
        return bool(mine and its and other.reading.row.id != self.reading.row.id and overlap(mine, its))


def _row_features(one: _ReadingContext, best: Sequence[_ReadingContext], segments: int) -> tuple[float, ...]:
    reading, row = one.reading, one.reading.row
    hit, candidate = reading.candidate.hits[0], reading.candidate
    rivals = [other for other in best if one.shares_words_with(other)]
    precedent = hit.precedent
    return (
        one.prior,
        one.mentioned,
        math.log(max(reading.permitted_mass, 1e-6)),
        math.log(len(row.options) + 1),
        one.name_share,
        float(most_words((row.name, *row.synonyms), one.said)),
        max([0.0, *(other.name_share - one.name_share for other in rivals)]),
        max([0.0, *(other.prior - one.prior for other in rivals)]),
        max([0.0, *(other.mentioned - one.mentioned for other in rivals)]),
        float(len(rivals)),
        float(is_yes_no(row)),
        float(row.value_type is ValueType.MULTI_SELECT),
        float(row.value_type in SAID_TYPES),
        float(row.value_type is ValueType.TEXT),
        hit.relevance,
        hit.value_said,
        float(len(candidate.hits)),
        float(len(reading.segment.text.split())),
        reading.segment.index / max(segments, 1),
        precedent.nearest if precedent else math.nan,
        precedent.vote if precedent else math.nan,
        precedent.score if precedent else math.nan,
        candidate.frequency,
        candidate.largest_vote,
    )


def _value_features(one: _ReadingContext, known: Sequence[_ReadingContext]) -> tuple[float, ...]:
    reading = one.reading
    options = [option for option in reading.row.options if option.name in one.values]
    named = [best_share((option.name, *option.synonyms), one.said) for option in options]
    words = share(stems(" ".join(one.values)), one.said)
    return (
        math.log(max(reading.probability, 1e-4)),
        float(reading.rank),
        math.log(max(reading.probability * reading.mentioned, 1e-5)),
        reading.lead,
        words,
        max(named, default=words),
        float(whole_words((name for option in options for name in (option.name, *option.synonyms)), one.said)),
        _distance(one),
        math.nan if reading.span is None else float(_is_in_segment(reading)),
        max([other.reading.log_probability for other in known if _uses_same_span(other, one)], default=math.nan),
        float(len(numbers(reading.segment.text))),
        float(len(" ".join(one.values).split())),
        *_exemplar_features(one),
    )


def _is_in_segment(reading: Reading) -> bool:
    """Whether the value was said in the sentence that retrieved the row rather than the next one."""
    return reading.span is not None and reading.segment.start <= reading.span[0] < reading.segment.end


def _uses_same_span(other: _ReadingContext, one: _ReadingContext) -> bool:
    """Whether another row is read from exactly the same span."""
    span = one.reading.span
    return span is not None and other.reading.span == span and other.reading.row.id != one.reading.row.id


def _distance(one: _ReadingContext) -> float:
    """Characters between the value and the nearest word of the row's name in its sentence; NaN if either is missing."""
    span, segment = one.span, one.reading.segment
    if span is None:
        return math.nan
    text = segment.text.lower()
    found = [text.find(word) for word in stems(one.reading.row.name)]
    return min((abs(segment.start + place - span[0]) for place in found if place >= 0), default=math.nan)


def _exemplar_features(one: _ReadingContext) -> tuple[float, float, float]:
    """Shares and similarity of the value among the row's exemplars; NaN without exemplars, 0 if unseen."""
    precedent = one.reading.candidate.hits[0].precedent
    if precedent is None:
        return (math.nan, math.nan, math.nan)
    past = [numbers for value, *numbers in precedent.values if value in one.values]
    return (
        max((vote for vote, _, _ in past), default=0.0),
        max((nearest for _, nearest, _ in past), default=0.0),
        max((plain for _, _, plain in past), default=0.0),
    )
