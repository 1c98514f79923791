"""Numbers behind a measured one that nothing else claims: read at their times, or named beside it."""

from __future__ import annotations

import datetime as dt

import pytest

from extraction.estimators.mention_reader import MentionStatus, ReadMention
from extraction.extractor import prepare
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import NO_PROPOSALS, FilledValue, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.mention_readers import ScriptedReader, surely

VITALS = ("Vital signs",)
SCHEMA = Schema(
    "ward", "Ward", "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, VITALS, unit="/min", minimum=20, maximum=250),
        Row("rr", "Respiratory rate", ValueType.NUMERIC, VITALS, unit="/min", minimum=4, maximum=60),
        Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, VITALS, unit="mm[Hg]"),
    ),
    "0" * 64, "ward.json",
)  # fmt: skip
EVENING = EncounterContext(dt.datetime(2026, 3, 3, 19, 30).astimezone())


def charted(text: str, **said: ReadMention) -> tuple[FilledValue, ...]:
    reader = ScriptedReader({words.strip("_"): one for words, one in said.items()})
    prepared = prepare(text, SCHEMA, reduce=lambda _: ReducedSchema(()), context=EVENING, reader=reader)
    return prepared.charted(NO_PROPOSALS).proposals.values


def readings(text: str, **said: ReadMention) -> dict[tuple[str, str], Value]:
    return {(one.row_id, (one.observed_at or "")[11:]): one.value for one in charted(text, **said)}


def test_a_second_number_with_a_time_of_its_own_is_a_reading_with_a_doubt() -> None:
    text = "Heart rate was 104 at 1600, at 1745 with the pump running I got, let me see, 91."
    assert readings(text) == {("hr", "16:00"): 104, ("hr", "17:45"): 91}
    later = next(one for one in charted(text) if one.value == 91)
    assert later.flags == ("heard “91”; check that it belongs to this row",)


@pytest.mark.parametrize(
    "text",
    [
        "Heart rate at 1600 was 104 and 91 at 1745.",
        "Heart rate 104 and 91 at 1600 and 1745.",
        "At 1600 and 1745 the heart rate was 104 and 91.",
        "1600 heart rate 104, 1745 heart rate 91.",
    ],
)
def test_readings_at_their_times_are_proposed_without_a_doubt(text: str) -> None:
    assert readings(text) == {("hr", "16:00"): 104, ("hr", "17:45"): 91}
    assert [one.flags for one in charted(text)] == [(), ()]


def test_a_reading_without_a_time_beside_one_with_a_time_is_flagged() -> None:
    text = "Pressure 88 over 50, and a second pressure at five to seven, 94 over 58."
    assert readings(text) == {("bp", ""): "88/50", ("bp", "18:55"): "94/58"}
    flags = {one.value: one.flags for one in charted(text)}
    assert flags["88/50"] == ("no time was said of it, and another value is of 18:55",)
    assert flags["94/58"] == ()


def test_an_earlier_reading_with_its_time_is_charted_beside_the_current_one() -> None:
    assert readings("Heart rate 104 on arrival at 1600, 91 now.") == {("hr", "16:00"): 104, ("hr", ""): 91}


@pytest.mark.parametrize(
    "text", ["Heart rate 104, then 91.", "Heart rate 104 then 91 on the chair.", "Heart rate 104. Then 91."]
)
def test_what_merely_follows_replaces_nothing(text: str) -> None:
    assert {one.value: one.flags for one in charted(text)} == {104: ("also said: 91",), 91: ("also said: 104",)}


def test_hours_with_a_colon_head_what_follows() -> None:
    text = "Obs at 6 pm: 120 over 70, heart rate 88. At seven: 118 over 68, heart rate 84."
    assert readings(text) == {
        ("bp", "18:00"): "120/70", ("hr", "18:00"): 88, ("bp", "19:00"): "118/68", ("hr", "19:00"): 84,
    }  # fmt: skip


def test_a_second_number_of_the_same_moment_is_named_beside_the_first() -> None:
    (one,) = charted("Heart rate 104 with her coat still on, she ended up somewhere near 91.")
    assert (one.value, one.flags) == (104, ("also said: 91",))
    assert one.alternatives == (("91", 0.0),)


@pytest.mark.parametrize(
    "text",
    [
        "Heart rate 88 and respirations 18.",  # has its own name
        "Heart rate 88, she walked 60 feet.",  # has another unit
        "Heart rate 88 while I hung the bag, drank 240 mL.",
        "Heart rate 88 all night, 88 again.",  # the same
    ],
)
def test_a_number_of_something_else_is_none(text: str) -> None:
    (one,) = (one for one in charted(text) if one.row_id == "hr")
    assert (one.value, one.flags) == (88, ())


def test_a_number_that_is_not_current_is_none() -> None:
    (one,) = charted("Heart rate 104 with her coat still on, happy with 91.", _91=surely(MentionStatus.GOAL))
    assert (one.value, one.flags) == (104, ())
