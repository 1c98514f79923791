"""How well numbers fit a row."""

from __future__ import annotations

import math

from extraction.flowsheet.number_fit import number_fit
from extraction.flowsheet.schema import Option, Row, ValueType

VOLUME = Row(
    "1", "Urine output", ValueType.QUANTITY, ("Output",), unit="mL", minimum=0, maximum=5000, dimension="volume"
)
SCORE = Row("2", "Score", ValueType.NUMERIC, ("Scores",), minimum=0, maximum=10)


def test_a_fitting_unit_counts_more_than_none_and_none_more_than_a_contradicting_one() -> None:
    assert number_fit(VOLUME, "about 350 milliliters").unit == 1.0
    assert number_fit(VOLUME, "about 350").unit == 0.5
    assert number_fit(VOLUME, "350 beats per minute").unit == 0.0
    assert number_fit(VOLUME, "350 in and 200 out").unit == 0.5  # no inches
    assert number_fit(VOLUME, "350 inches").unit == 0.0
    assert number_fit(SCORE, "350 milliliters").unit == 0.25


def test_the_best_of_several_numbers_counts() -> None:
    assert number_fit(VOLUME, "rate 80 beats per minute, 350 milliliters out") == (1.0, 1.0)


def test_a_number_outside_the_range_or_with_another_unit_is_not_within() -> None:
    assert number_fit(SCORE, "it was 40").within == 0.0
    assert number_fit(SCORE, "it was 4").within == 1.0
    assert number_fit(VOLUME, "80 beats per minute").within == 0.0


def test_nothing_fits_without_a_number_or_in_a_row_of_another_type() -> None:
    select = Row("3", "Color", ValueType.SINGLE_SELECT, ("Urine",), (Option("Yellow"),))
    assert all(map(math.isnan, (*number_fit(VOLUME, "none at all"), *number_fit(select, "350 milliliters"))))
