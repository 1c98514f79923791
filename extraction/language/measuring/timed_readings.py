"""The numbers of the only measurement that a sentence names, as many as its times: "at 8 and 10 it was 91 and 88"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from extraction.language.clock_times import clocks
from extraction.language.measuring.further_numbers import is_not_current, may_follow
from extraction.language.measuring.pairs import MeasuredNumber, MeasuredPair
from extraction.language.spans import Span
from extraction.language.vocabulary.measurements import Mention
from extraction.language.vocabulary.time_cues import time_cues

_FEWEST = 2  # readings of a series
_FEW_WORDS = 30  # characters


def timed_readings(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], said: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """A pair for each number that has none, where the sentence says a time for every number of its measurement."""
    measurement = named[0].measurement if named else None
    if measurement is None or measurement.sided or any(one.measurement is not measurement for one in named):
        return
    if any(is_not_current(text, one.start) for one in named):
        return
    bound = [pair.number for pair in pairs]
    left = [
        one
        for one in said
        if one not in bound and one.start >= named[0].end and may_follow(text, measurement, (bound or [one])[0], one)
    ]
    times = [(clock.start, clock.end) for clock in clocks(text) if clock.observed]
    times = sorted((*times, *(match.span() for match in time_cues().now.finditer(text))))
    readings = sorted((one.start, one.end) for one in (*bound, *left))
    if not len(readings) == len(times) >= _FEWEST or any(is_not_current(text, one.start) for one in left):
        return
    if all(_is_near(time, one, (*times, *readings)) for time, one in zip(times, readings, strict=True)):
        yield from (MeasuredPair(measurement, one, one.start, one.end) for one in left)


def _is_near(time: Span, reading: Span, said: Sequence[Span]) -> bool:
    """Whether no more than a few words stand between a time and its reading, besides other times and readings."""
    first, last = sorted((time, reading))
    between = sorted({first, last, *(span for span in said if first[1] <= span[0] and span[1] <= last[0])})
    return all(after[0] - before[1] <= _FEW_WORDS for before, after in pairwise(between))
