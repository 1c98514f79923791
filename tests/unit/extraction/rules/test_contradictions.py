"""Proposals of one dictation that cannot all be true are lit, each naming the other."""

from __future__ import annotations

import pytest

from extraction.flowsheet.schema import Contradiction, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Timing, Value
from extraction.rules.contradictions import contradictions
from tests.kit.rules import after

SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row(
            "sounds",
            "Breath sounds",
            ValueType.MULTI_SELECT,
            ("R",),
            (Option("Clear", exclusive=True), Option("Crackles"), Option("Wheeze")),
            contradicts=(Contradiction("Clear", ("base",), ("Clear",)),),
        ),
        Row(
            "belly",
            "Abdomen palpation",
            ValueType.MULTI_SELECT,
            ("G",),
            (Option("soft"), Option("tender"), Option("non-tender")),
        ),
        Row("base", "Left base", ValueType.MULTI_SELECT, ("R",), (Option("Clear"), Option("Crackles"))),
        Row(
            "device",
            "Oxygen device",
            ValueType.SINGLE_SELECT,
            ("R",),
            (Option("Room air"), Option("Cannula")),
            contradicts=(Contradiction("Room air", ("flow",), above=0),),
        ),
        Row("flow", "Oxygen flow", ValueType.NUMERIC, ("R",), unit="L/min"),
        Row("pain", "In pain", ValueType.YES_NO, ("P",), contradicts=(Contradiction(False, ("score",), above=0),)),
        Row("score", "Pain score", ValueType.NUMERIC, ("P",)),
    ),
    "",
    "",
)


def value(text: str, row_id: str, read: Value, at: str | None = None) -> FilledValue:
    evidence = Evidence(0, len(text), text, 0, len(text))
    timing = Timing(at, None, 0, 0, "") if at else None
    neighbour = Neighbour("row", "", 0)
    return FilledValue(row_id, read, None, evidence, -0.1, 0.1, 0.9, 0.5, neighbour, "rowwise", timing=timing)


def charted(text: str, *values: FilledValue) -> dict[str, tuple[Value, tuple[str, ...]]]:
    read = Proposals(values, ())
    found = after(contradictions(text, SCHEMA, read), read, SCHEMA, rule="contradiction")
    return {one.row_id: (one.value, one.flags) for one in found.values}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Belly soft non tender.", ("soft", "non-tender")),
        ("Belly soft, nontender.", ("soft", "non-tender")),
        ("Belly soft, tender low down.", ("soft", "tender")),
    ],
)
def test_an_option_is_not_proposed_with_its_denial(text: str, kept: Value) -> None:
    found, flags = charted(text, value(text, "belly", ("soft", "tender", "non-tender")))["belly"]
    assert found == kept
    assert flags


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("Lungs clear up top, crackles at the bottom.", ("Crackles",), "Clear"),
        ("Nice and clear today.", ("Clear",), "Crackles"),
        ("Rattly chest.", ("Crackles",), "Clear"),
    ],
)
def test_an_option_is_not_proposed_with_those_that_it_excludes(text: str, kept: Value, gone: str) -> None:
    read = Proposals((value(text, "sounds", ("Clear", "Crackles")),), ())
    (found,) = after(contradictions(text, SCHEMA, read), read, SCHEMA, rule="contradiction").values
    assert isinstance(kept, tuple)
    assert (found.value, found.alternatives) == (kept, ((gone, 0.9),))
    assert found.flags == (f"could also be {gone}, which cannot be together with {kept[0]}",)


@pytest.mark.parametrize(
    ("one", "words", "other", "other_words"),
    [
        (("sounds", ("Clear",)), "Left base: Crackles", ("base", ("Crackles",)), "Breath sounds: Clear"),
        (("device", "Room air"), "Oxygen flow: 2", ("flow", 2.0), "Oxygen device: Room air"),
        (("score", 4.0), "In pain: No", ("pain", False), "Pain score: 4"),
    ],
)
def test_rows_that_contradict_each_other_are_lit_together(
    one: tuple[str, Value], words: str, other: tuple[str, Value], other_words: str
) -> None:
    found = charted("So it was said.", value("So it was said.", *one), value("So it was said.", *other))
    assert found == {
        one[0]: (one[1], (f"does not fit {words}",)),
        other[0]: (other[1], (f"does not fit {other_words}",)),
    }


@pytest.mark.parametrize(
    "values",
    [
        (("sounds", ("Clear",)), ("base", ("Clear",))),
        (("device", "Cannula"), ("flow", 2.0)),
        (("device", "Room air"), ("flow", 0.0)),
        (("pain", True), ("score", 4.0)),
        (("pain", False), ("score", 4.0, "2026-03-03T08:00")),  # at another time
    ],
)
def test_rows_that_fit_each_other_are_not_lit(values: tuple[tuple[str, Value], ...]) -> None:
    found = charted("So it was said.", *(value("So it was said.", *one) for one in values))
    assert all(flags == () for _, flags in found.values())
