"""Numbers that continue the measurement of the sentence before: "Temp 37.2. 37.4", "Pain six. Then four out of ten"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from extraction.language.measuring.pairs import MeasuredNumber, MeasuredNumbers, MeasuredPair
from extraction.language.quantities import said_unit
from extraction.language.vocabulary.measurements import Measurement, measurement_cues

_POINT = re.compile(r"\.|point", re.IGNORECASE)
_MOST_TIMES = 2  # a vital sign that is measured again has hardly more, or less than half


def with_continued(text: str, measured: MeasuredNumbers, before: MeasuredPair) -> MeasuredNumbers:
    """What a sentence measures, with its first number as a further one of the last pair of the sentence before.

    Only where the sentence begins with it, without a name, and says nothing that makes it a number of something else.
    """
    first = next(iter(measured.numbers), None)
    if before.measurement is None or first is None or _is_bound(first, measured.pairs):
        return measured
    if not _continues(text, before.measurement, before.number, first):
        return measured
    pair = MeasuredPair(before.measurement, first, first.start, first.end)
    return replace(measured, pairs=(pair, *measured.pairs))


def _is_bound(number: MeasuredNumber, pairs: Sequence[MeasuredPair]) -> bool:
    return any(pair.number == number for pair in pairs)


def _continues(text: str, measurement: Measurement, first: MeasuredNumber, number: MeasuredNumber) -> bool:
    """Whether a number can be a further one of a measurement and stands alone at the beginning of a sentence."""
    cues = measurement_cues()
    if measurement.sided or measurement.marks or bool(first.pressure) != bool(number.pressure):
        return False
    if not number.pressure:
        has_point = _POINT.search(text, number.start, number.end)  # "37.0" is as exact as "36.8"
        alike = not measurement.whole if has_point else first.value.is_integer() == number.value.is_integer()
        if not measurement.in_any_unit(number.value) or (measurement.listed and not alike):
            return False  # "Temp 98.6. 88." goes on with another vital sign
    unit, end = said_unit(text, number.end)
    if unit and unit not in (measurement.unit, *measurement.also_in):
        return False
    if scale := cues.scale.match(text, end):
        end = scale.end()
    is_last = any(
        cue.match(text, end) for cue in (cues.list_end, cues.circumstance, cues.earlier, cues.at_time, cues.now_behind)
    )
    is_last = is_last or (_is_near(measurement, first, number) and cues.condition.match(text, end) is not None)
    return is_last and cues.opens.fullmatch(text, 0, number.start) is not None


def _is_near(measurement: Measurement, first: MeasuredNumber, number: MeasuredNumber) -> bool:
    """Whether a number is of the size of the first one; only a vital sign is easily confused with another one."""
    is_sign = measurement.listed and not number.pressure
    return not is_sign or first.value / _MOST_TIMES <= number.value <= first.value * _MOST_TIMES
