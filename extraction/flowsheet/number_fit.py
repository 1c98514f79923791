"""How well the numbers in a few words fit a row: by the units said with them, and by the row's range."""

from __future__ import annotations

import math
from typing import NamedTuple

from extraction.flowsheet.schema import NUMBER_TYPES, Row
from extraction.flowsheet.unit_conversion import contradict
from extraction.flowsheet.validation import chart_unit
from extraction.language.numbers import numbers
from extraction.language.quantities import may_be_word, said_unit
from extraction.language.vocabulary.loader import of_vocabularies

# A number without a unit fits half, and one with a unit where the row has none even less.
_WITHOUT_UNIT, _ROW_WITHOUT_UNIT = 0.5, 0.25


class NumberFit(NamedTuple):
    """How well the best number fits, both NaN if there is no number or the row takes none.

    Attributes:
        unit: 1 if it is said with a fitting unit, 0 if with a contradicting one, in between without.
        within: 1 if it is within the row's range as it stands, else 0.
    """

    unit: float = math.nan
    within: float = math.nan


def number_fit(row: Row, text: str) -> NumberFit:
    """How well the numbers in a text fit a row."""
    said = _numbers_and_units(text) if row.value_type in NUMBER_TYPES else ()
    if not said:
        return NumberFit()
    unit = chart_unit(row)
    fits = [(_fit(given, unit, may_be_word=word), value) for value, given, word in said]
    low = -math.inf if row.minimum is None else row.minimum
    high = math.inf if row.maximum is None else row.maximum
    return NumberFit(max(fit for fit, _ in fits), float(any(fit and low <= value <= high for fit, value in fits)))


@of_vocabularies
def _numbers_and_units(text: str) -> tuple[tuple[float, str | None, bool], ...]:
    """Each number with its unit, and whether that may be an ordinary word instead."""
    return tuple((one.value, said_unit(text, one.end)[0], may_be_word(text, one.end)) for one in numbers(text))


def _fit(said: str | None, unit: str | None, *, may_be_word: bool) -> float:
    if said is None:
        return _WITHOUT_UNIT
    if unit is None:
        return _ROW_WITHOUT_UNIT
    if contradict(said, unit):
        return _WITHOUT_UNIT if may_be_word else 0.0
    return 1.0
