"""A number beside another one that its row may as well have is lit, and the other stands among its alternatives."""

from __future__ import annotations

import pytest

from extraction.flowsheet.values import FilledValue, Value
from extraction.schema_files.native_format import load_schema
from resources import DEMONSTRATION_SCHEMA
from tests.kit.steps import charted

SCHEMA = load_schema(DEMONSTRATION_SCHEMA)


def proposed(text: str, row_id: str, value: Value, words: str) -> FilledValue:
    """What is proposed of a number that only the models read."""
    values = charted(text, SCHEMA, [(row_id, value, words)]).values
    return next(one for one in values if (one.row_id, one.value) == (row_id, value))


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words", "other"),
    [
        ("ninety one ninety five with the mask on", "o2.spo2", 91.0, "ninety one", "95"),
        ("ninety one ninety five with the mask on", "o2.spo2", 95.0, "ninety five", "91"),
        ("two, three hundred out of the bulb", "drain1.output", 2.0, "two", "300"),
        ("two, three hundred out of the bulb", "drain1.output", 300.0, "three hundred", "2"),
        ("She came up at 38.8 38.1 once uncovered.", "vs.temperature", 38.8, "38.8", "38.1"),
        ("He was 118, then 96 after the fluids.", "vs.heart_rate", 118.0, "118", "96"),
        ("It gave 45 and 60.", "out.urine", 45.0, "45", "60"),
    ],
)
def test_the_other_number_is_named_and_one_key_away(
    text: str, row_id: str, value: Value, words: str, other: str
) -> None:
    found = proposed(text, row_id, value, words)
    assert f"also said: {other}" in found.flags
    assert found.alternatives[0][0] == other


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("She is 94, 2 liters.", "o2.spo2", 94.0, "94"),  # in another unit
        ("He was 94, 16 and quiet.", "o2.spo2", 94.0, "94"),  # much smaller
        ("It was 37.9, 88.", "vs.temperature", 37.9, "37.9"),  # not as exact
        ("Wound 2 is 5 centimeters long.", "wound2.length", 5.0, "5 centimeters"),  # of the name
        ("It gave 45, and she walked 60 feet.", "out.urine", 45.0, "45"),  # words between
        ("It was 94 94 again.", "o2.spo2", 94.0, "94"),  # the same
    ],
)
def test_a_number_of_something_else_is_no_rival(text: str, row_id: str, value: Value, words: str) -> None:
    assert not any("also said" in one for one in proposed(text, row_id, value, words).flags)
