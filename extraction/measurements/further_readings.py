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
    task: Task, sentence: Segment, measured: MeasuredNumbers
) -> Iterator[tuple[MeasuredPair, MeasuredNumber]]:
    """The numbers of a sentence that no pair has, each behind a pair of whose measurement it may be.

    It stands before the next name and before the next number of a pair.
    """
    bound = {pair.number for pair in measured.pairs}
    left = [number for number in measured.numbers if number not in bound]
    if not left:
        return
    text = sentence.text
    ranges = number_ranges(text, numbers(text))
    left = [one for one in left if not any(overlap((one.start, one.end), span) for span in ranges)]
    names = with_own_names(text, number_names(task.schema).names)
    stops = [one.start for one in names] + [one.start for one in bound]
    for pair in measured.pairs:
        measurement, first = pair.measurement, pair.number
        if measurement is None or measurement.sided:
            continue
        end = min((place for place in stops if place > first.start and place >= pair.end), default=len(text))
        for number in left:
            if (
                pair.end <= number.start < end
                and may_follow(text, measurement, first, number)
                and _is_alike(measurement, first, number)
                and _is_current(task, sentence, number)
            ):
                yield pair, number


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
