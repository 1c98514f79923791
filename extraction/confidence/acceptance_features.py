"""Features that estimate how likely a reading is right, from the filler, reduction, exemplars and rival readings.

They identify no row and no hospital, so that the shipped boosted trees carry over to any schema; `wardlight learn` fits
the same features to a hospital's own cases. Features of exemplars or hidden states are NaN without them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from extraction.annotation.scoring import comparable
from extraction.filling.evidence import literal_span
from extraction.filling.task import Reading, Task
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.naming.row_measurements import measurements_of_rows
from extraction.flowsheet.number_fit import NumberFit, number_fit
from extraction.flowsheet.schema import NUMBER_TYPES, SAID_TYPES, TIME_TYPES, Row, ValueType, is_yes_no
from extraction.language.analysis import analyse
from extraction.language.clauses import nearby_words
from extraction.language.measured_numbers import measured_numbers
from extraction.language.negation import negation_cues
from extraction.language.numbers import numbers
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.words import best_share, most_words, share, stems, whole_words
from extraction.retrieval.prior_features import instance_said, side_said
from extraction.retrieval.rarity import rarity_of

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
    "is_negative",
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


def logit(probability: float) -> float:
    """Log-odds of a probability, clipped away from 0 and 1."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def acceptance_features(
    task: Task, readings: Sequence[Reading], row_probes: Iterable[float], value_probes: Iterable[float]
) -> list[tuple[float, ...]]:
    """The numbers named in FEATURES, in order, for each reading of a task.

    Rivals are the likeliest readings of other rows from the same words: one number rarely fills two rows.
    """
    known = [_ReadingContext(reading) for reading in readings]
    best = [one for one in known if one.reading.rank == 0]
    sentences = _Sentences(task, readings)
    return [
        (
            *_row_features(one, best, len(task.segments)),
            *_value_features(one, known),
            *_word_features(task, one),
            *_status_features(task.text, one),
            *sentences.compared(one.reading),
            *_number_features(task, one.reading),
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
        return next((_moved(span, start) for name, span in self.verbatim if name in self.chosen), None)

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


def _value_features(one: _ReadingContext, known: Sequence[_ReadingContext]) -> tuple[float, ...]:
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


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


def _word_features(task: Task, one: _ReadingContext) -> tuple[float, ...]:
    rarity, row = rarity_of(task.schema), one.reading.row
    name, own = rarity.name(row.id, one.said), rarity.options(row.id, one.said, one.chosen)
    near = nearby_words(task.text, one.words) if one.words else None
    return (
        name.share,
        name.rarest,
        own.weight,
        own.owners,
        float(any(option in one.chosen for option, _ in one.verbatim)) if row.options else math.nan,
        float(any(option not in one.chosen for option, _ in one.verbatim)) if row.options else math.nan,
        math.nan if near is None else best_share(row.names, near),
    )


def _status_features(text: str, one: _ReadingContext) -> tuple[float, ...]:
    """Denied or not current: 1 if its own words are, 0.5 if something in its sentence is."""
    said, segment = analyse(text), one.reading.segment
    span, around = one.words, (segment.start, segment.end)
    scopes = [(scope.start, scope.end) for scope in said.scopes]
    if span:
        denied = float(said.is_denied(span))
        not_current = float(any(overlap(span, scope) for scope in scopes))
    else:
        denied = 0.5 * any(overlap(around, denial) for denial in said.denials)
        not_current = 0.5 * any(overlap(around, scope) for scope in scopes)
    cues = negation_cues()
    is_negative = any(value.casefold() in cues.options or cues.finding.search(value) for value in one.chosen)
    return denied, not_current, float(is_negative)


class _Sentences:
    """The readings of each sentence, for comparison."""

    def __init__(self, task: Task, readings: Sequence[Reading]) -> None:
        self._rarity = rarity_of(task.schema)
        self._of: dict[int, list[Reading]] = defaultdict(list)
        self._with_option: dict[tuple[int, str], dict[str, Reading]] = defaultdict(dict)
        for reading in readings:
            self._of[reading.segment.index].append(reading)
            for name in self._options(reading):
                self._with_option[reading.segment.index, name][reading.row.id] = reading
        self._best = {
            place: (
                max(one.candidate.prior for one in of),
                max(one.mentioned for one in of),
                max(one.candidate.hits[0].fit for one in of),
            )
            for place, of in self._of.items()
        }

    @staticmethod
    def _options(reading: Reading) -> list[str]:
        """The names of its options in lower case."""
        if not reading.row.options:
            return []
        value = reading.value
        return [str(name).casefold() for name in (value if isinstance(value, tuple) else (value,))]

    def compared(self, reading: Reading) -> tuple[float, ...]:
        place = reading.segment.index
        prior, mentioned, fit = self._best[place]
        return (
            float(len(self._of[place])),
            reading.candidate.prior - prior,
            reading.mentioned - mentioned,
            reading.candidate.hits[0].fit - fit,
            *self._rivals(reading, place),
        )

    def _rivals(self, reading: Reading, place: int) -> tuple[float, float, float]:
        """How many rows have its option, and by how much one is named better or more likely mentioned."""
        if not reading.row.options:
            return math.nan, math.nan, math.nan
        rivals = {
            row_id: other
            for name in self._options(reading)
            for row_id, other in self._with_option[place, name].items()
            if row_id != reading.row.id
        }
        said = stems(reading.segment.text)
        own = self._rarity.name(reading.row.id, said).share
        named = max((self._rarity.name(row_id, said).share - own for row_id in rivals), default=0.0)
        mentioned = max((other.mentioned - reading.mentioned for other in rivals.values()), default=0.0)
        return float(len(rivals)), max(named, 0.0), max(mentioned, 0.0)


def _number_features(task: Task, reading: Reading) -> tuple[float, ...]:
    row, span, text = reading.row, reading.span, reading.segment.text
    fit = number_fit(row, task.text[slice(*span)]) if span else NumberFit()
    return (
        float(row.value_type is ValueType.BLOOD_PRESSURE),
        float(row.value_type in TIME_TYPES),
        _measured(task, row, span) if span and row.value_type in NUMBER_TYPES else math.nan,
        fit.unit,
        fit.within,
        math.nan if span is None else float(len(task.text[slice(*span)].split())),
        math.nan if span is None else (span[1] - span[0]) / max(len(text), 1),
        side_said(task.schema, row.id, text),
        instance_said(task.schema, row.id, text),
        math.log(len(task.schema.rows)),
    )


def _measured(task: Task, row: Row, span: Span) -> float:
    """2 if the number was said with the name of the row's measurement, 0 if with none.

    -2 if it was said with that of another measurement, -1 if with a name that no measurement has.
    """
    own = measurements_of_rows(task.schema).get(row.id, frozenset())
    sentence = next((one for one in task.segments if one.start <= span[0] < one.end), None)
    if sentence is None:
        return 0.0
    for pair in measured_numbers(sentence.text).pairs:
        if overlap(_moved((pair.number.start, pair.number.end), sentence.start), span):
            return -1.0 if pair.measurement is None else 2.0 if pair.measurement.id in own else -2.0
    return 0.0
