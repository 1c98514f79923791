"""Options such as None or Clear exclude the others of their row."""

from __future__ import annotations

import pytest

from extraction.flowsheet.naming.exclusive_options import excludes_itself, exclusive_options, with_options
from extraction.flowsheet.schema import Option, Row, ValueType
from extraction.flowsheet.validation import normalise


def multi(name: str, *options: str | Option) -> Row:
    made = tuple(Option(one) if isinstance(one, str) else one for one in options)
    return Row("r", name, ValueType.MULTI_SELECT, ("C",), made)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (multi("Breath sounds", "Clear", "Crackles"), {"Clear"}),
        (multi("Sputum color", "Clear", "Yellow"), set()),
        (multi("Symptoms", "None noted", "Itching"), {"None noted"}),
        (multi("Head findings", "Normal", "Caput"), {"Normal"}),
        (multi("Edema", "No edema", "Legs", "Hands"), {"No edema"}),
        (multi("Site", "No drainage", "Redness"), set()),
        (multi("Precautions", "Clear path to bathroom", "No twisting", "Alarm on"), set()),
        (multi("Symptoms", "None", Option("Refused", exclusive=True)), {"Refused"}),  # what is marked counts alone
        (multi("Symptoms", Option("None", exclusive=False), "Itching"), set()),
        (Row("r", "Symptoms", ValueType.SINGLE_SELECT, ("C",), (Option("None"), Option("Itching"))), set()),
    ],
)
def test_exclusive_options_are_marked_or_inferred_from_their_words(row: Row, expected: set[str]) -> None:
    assert exclusive_options(row) == expected


def test_an_option_is_chosen_without_those_that_it_excludes() -> None:
    row = multi("Breath sounds", "Clear", "Crackles", "Wheeze")
    assert with_options(row, ("Crackles", "Wheeze"), ("Clear",)) == ("Clear",)
    assert with_options(row, ("Clear",), ("Wheeze", "Crackles")) == ("Crackles", "Wheeze")
    assert with_options(row, ("Wheeze",), ("Crackles",)) == ("Crackles", "Wheeze")
    assert excludes_itself(row, ("Clear", "Wheeze"))
    assert not excludes_itself(row, ("Crackles", "Wheeze"))


def test_options_are_read_as_they_are_shown() -> None:
    row = multi("Site", "Clean, dry and intact", "Redness", "Dry")
    assert normalise(row, "Redness, clean, dry and intact")[0] == ("Clean, dry and intact", "Redness")


@pytest.mark.parametrize(("one", "other"), [("tender", "non-tender"), ("Equal", "Unequal"), ("Regular", "Irregular")])
def test_an_option_excludes_the_one_that_denies_it(one: str, other: str) -> None:
    row = multi("Findings", one, other, "Other")
    assert excludes_itself(row, (one, other))
    assert not excludes_itself(row, (one, "Other"))
