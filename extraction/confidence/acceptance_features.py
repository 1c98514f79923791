"""Features that estimate how likely a reading is right, from the filler, reduction, exemplars and rival readings.

They identify no row and no hospital, so that the shipped boosted trees carry over to any schema; `wardlight learn` fits
the same features to a hospital's own cases. Features of exemplars or hidden states are NaN without them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from extraction.confidence.reading_context import ReadingContext
from extraction.confidence.reading_matches import Matches
from extraction.confidence.statement_features import (
    ReadingsBySentence,
    number_features,
    status_features,
    word_features,
)
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import SAID_TYPES, ValueType, is_yes_no
from extraction.language.numbers import numbers
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
    # words, by how rare they are in the schema
    "name_weight",
    "name_rarest",
    "option_weight",
    "option_owners",
    "said_verbatim",
    "other_said_verbatim",
    "name_near_value",
    # status
    "is_denied",
    "is_not_current",
    "is_former",
    "is_negative",
    # the statement matcher
    "row_match",
    "value_match",
    "value_match_lead",
    "row_match_behind_best",
    "value_match_behind_best",
    # against the other readings of the sentence
    "readings_of_sentence",
    "prior_behind_best",
    "mentioned_behind_best",
    "fit_behind_best",
    "rows_with_option",
    "option_outnamed",
    "option_outmentioned",
    # numbers, sides and instances
    "is_pressure",
    "is_time",
    "measured",
    "unit_fits",
    "within_range",
    "span_words",
    "span_share",
    "side_said",
    "instance_said",
    "log_rows",
    # probes on the hidden states
    "row_probe",
    "value_probe",
)
PROBES = ("row", "value")


def over_layers(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean probe score of each reading, shape (readings,), from scores by layer, shape (readings, layers)."""
    mean: NDArray[np.float64] = scores.mean(axis=1)
    return mean


def acceptance_features(
    task: Task, readings: Sequence[Reading], row_probes: Iterable[float], value_probes: Iterable[float]
) -> list[tuple[float, ...]]:
    """The numbers named in FEATURES, in order, for each reading of a task.

    Rivals are the likeliest readings of other rows from the same words: one number rarely fills two rows.
    """
    known = [ReadingContext(reading) for reading in readings]
    best = [one for one in known if one.reading.rank == 0]
    sentences, matches = ReadingsBySentence(task, readings), Matches(readings)
    return [
        (
            *_row_features(one, best, len(task.segments)),
            *_value_features(one, known),
            *word_features(task, one),
            *status_features(task.text, one),
            *matches.compared(one.reading),
            *sentences.compared(one.reading),
            *number_features(task, one.reading),
            row_probe,
            value_probe,
        )
        for one, row_probe, value_probe in zip(known, row_probes, value_probes, strict=True)
    ]


def _row_features(one: ReadingContext, best: Sequence[ReadingContext], segments: int) -> tuple[float, ...]:
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
        float(most_words(row.names, one.said)),
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


def _value_features(one: ReadingContext, known: Sequence[ReadingContext]) -> tuple[float, ...]:
    reading = one.reading
    options = [option for option in reading.row.options if option.name in one.values]
    named = [best_share(option.forms, one.said) for option in options]
    words = share(stems(" ".join(one.values)), one.said)
    return (
        math.log(max(reading.probability, 1e-4)),
        float(reading.rank),
        math.log(max(reading.probability * reading.mentioned, 1e-5)),
        reading.lead,
        words,
        max(named, default=words),
        float(whole_words((name for option in options for name in option.forms), one.said)),
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


def _uses_same_span(other: ReadingContext, one: ReadingContext) -> bool:
    """Whether another row is read from exactly the same span."""
    span = one.reading.span
    return span is not None and other.reading.span == span and other.reading.row.id != one.reading.row.id


def _distance(one: ReadingContext) -> float:
    """Characters between the value and the nearest word of the row's name in its sentence; NaN if either is missing."""
    span, segment = one.span, one.reading.segment
    if span is None:
        return math.nan
    text = segment.text.lower()
    found = [text.find(word) for word in stems(one.reading.row.name)]
    return min((abs(segment.start + place - span[0]) for place in found if place >= 0), default=math.nan)


def _exemplar_features(one: ReadingContext) -> tuple[float, float, float]:
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
