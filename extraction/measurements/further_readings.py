"""Numbers behind a measured one that nothing else claims: further readings of it, or a doubt about it.

"128 over 70 at noon and at two he was 141 over 82": nothing says what the second pressure is of, but the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from extraction.filling.task import Task
from extraction.flowsheet.naming.number_names import number_names
from extraction.language.measuring.further_numbers import may_follow
from extraction.language.measuring.pairs import MeasuredNumber, MeasuredNumbers, MeasuredPair
from extraction.language.numbers import numbers
from extraction.language.quantities import number_ranges
from extraction.language.sentences import Segment
from extraction.language.spans import overlap
from extraction.language.vocabulary.measurements import Measurement, with_own_names
from extraction.preparation.mentions import mention_at

_NOT_CURRENT = 0.5  # probability


def further_readings(
    task: Task, sentence: Segment, pair: MeasuredPair, measured: MeasuredNumbers
) -> Iterator[MeasuredNumber]:
    """The numbers behind a pair, up to the next name or the next number of a name, that may be of its measurement."""
    measurement, first, text = pair.measurement, pair.number, sentence.text
    if measurement is None or measurement.sided:
        return
    names = with_own_names(text, number_names(task.schema).names)
    stops = [one.start for one in names] + [one.number.start for one in measured.pairs]
    end = min((place for place in stops if place > first.start and place >= pair.end), default=len(text))
    ranges = number_ranges(text, numbers(text))
    for number in measured.numbers:
        if (
            pair.end <= number.start < end
            and not any(overlap((number.start, number.end), span) for span in ranges)
            and may_follow(text, measurement, first, number)
            and _is_alike(measurement, first, number)
            and _is_current(task, sentence, number)
        ):
            yield number


def _is_alike(measurement: Measurement, first: MeasuredNumber, number: MeasuredNumber) -> bool:
    """Whether a number is another one, as exact as the first."""
    if number.pressure:
        return number.pressure != first.pressure
    is_as_exact = number.value.is_integer() or not (measurement.whole or first.value.is_integer())
    return number.value != first.value and is_as_exact


def _is_current(task: Task, sentence: Segment, number: MeasuredNumber) -> bool:
    """Whether the words around a number do not say otherwise."""
    mention = mention_at(task.mentions, task.heard(sentence.start + number.start, sentence.start + number.end))
    return mention is None or mention.read.doubt < _NOT_CURRENT
