"""Features of the words that state a value: how rare they are, their status, numbers, and rivals in the sentence."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from extraction.confidence.reading_context import ReadingContext, moved
from extraction.filling.task import Reading, Task
from extraction.flowsheet.naming.number_names import measured_in
from extraction.flowsheet.naming.row_measurements import measurements_of_rows
from extraction.flowsheet.number_fit import NumberFit, number_fit
from extraction.flowsheet.schema import NUMBER_TYPES, TIME_TYPES, Row, ValueType
from extraction.language.analysis import analyse
from extraction.language.assertion import Status
from extraction.language.clauses import nearby_words
from extraction.language.negation import negation_cues
from extraction.language.past_states import former
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.words import best_share, stems
from extraction.retrieval.prior_features import instance_said, side_said
from extraction.retrieval.rarity import rarity_of


def word_features(task: Task, one: ReadingContext) -> tuple[float, ...]:
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


def status_features(text: str, one: ReadingContext) -> tuple[float, ...]:
    """Denied, not current or former: 1 if its own words are, 0.5 if something in its sentence is."""
    said, segment = analyse(text), one.reading.segment
    span, around = one.words, (segment.start, segment.end)
    scopes = [(scope.start, scope.end) for scope in said.scopes if scope.status is not Status.ORDERED]
    if span:
        denied = float(said.is_denied(span))
        not_current = float(any(overlap(span, scope) for scope in scopes))
    else:
        denied = 0.5 * any(overlap(around, denial) for denial in said.denials)
        not_current = 0.5 * any(overlap(around, scope) for scope in scopes)
    no_longer = [moved(of, segment.start) for of in former(segment.text)]
    is_former = float(any(overlap(span, of) for of in no_longer)) if span else 0.5 * bool(no_longer)
    cues = negation_cues()
    is_negative = any(value.casefold() in cues.options or cues.finding.search(value) for value in one.chosen)
    return denied, not_current, is_former, float(is_negative)


class ReadingsBySentence:
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


def number_features(task: Task, reading: Reading) -> tuple[float, ...]:
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

    -2 if it was said with that of another measurement, -1 if with a name that no measurement has. A name that the
    schema alone gives to a number counts as none, so that the feature means the same under any schema.
    """
    own = measurements_of_rows(task.schema).get(row.id, frozenset())
    sentence = next((one for one in task.segments if one.start <= span[0] < one.end), None)
    if sentence is None:
        return 0.0
    for pair in measured_in(task.schema, sentence.text).pairs:
        is_own = pair.measurement is not None and pair.measurement.own
        if not is_own and overlap(moved((pair.number.start, pair.number.end), sentence.start), span):
            return -1.0 if pair.measurement is None else 2.0 if pair.measurement.id in own else -2.0
    return 0.0
