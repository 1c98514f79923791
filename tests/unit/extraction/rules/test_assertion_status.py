"""Past, other people's, conditional, planned and risk statements are not charted; uncertain ones are lit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.language.assertion import Status, assertion_cues, scopes
from tests.kit.steps import charted

YES = ValueType.YES_NO
STAGES = (Option("Stage 1"), Option("Stage 2", ("stage two",)))
SCHEMA = Schema(
    "ward", "Ward", "1",
    (
        Row("falls", "Falls", YES, ("Safety",)),
        Row("morse", "History of falling", YES, ("Morse",)),
        Row("stroke", "Stroke symptoms", YES, ("Neuro",)),
        Row("temp", "Temperature", ValueType.NUMERIC, ("Vitals",), unit="Cel"),
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",), unit="/min"),
        Row("pain", "Pain score", ValueType.NUMERIC, ("Pain",)),
        Row("goal", "Acceptable pain score", ValueType.NUMERIC, ("Pain",)),
        Row("stage", "Stage", ValueType.SINGLE_SELECT, ("Wound",), STAGES),
        Row("wheeze", "Wheezing", YES, ("Lungs",)),
        Row("lungs", "Lung sounds", ValueType.MULTI_SELECT, ("Lungs",), (Option("Wheezes"), Option("Clear"))),
        Row("teach", "Education provided", ValueType.TEXT, ("Education",)),
        Row("meals", "Meals", ValueType.SINGLE_SELECT, ("Diet",), (Option("Probably inadequate"), Option("Excellent"))),
        Row("void", "Last void", ValueType.TIME, ("Urine",)),
        Row("voiding", "Voiding method", ValueType.SINGLE_SELECT, ("Urine",), (Option("Foley"), Option("Commode"))),
        Row("care", "Restraint care", ValueType.MULTI_SELECT, ("Safety",), (Option("Released"), Option("Turned"))),
        Row("told", "Provider notified", YES, ("Safety",)),
        Row("ice", "Ice applied", YES, ("Comfort",)),
        Row("diet", "Diet", ValueType.SINGLE_SELECT, ("Diet",), (Option("NPO"), Option("Regular"))),
        Row("vaccine", "Vaccine", ValueType.SINGLE_SELECT, ("Safety",), (Option("Refused"), Option("Given"))),
    ),
    "0" * 64, "ward.json",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "read", "why"),
    [
        ("She has a history of falls.", ("falls", True, "falls"), "said of the past (“history of”)"),
        ("Obs at nine thirty. A history of falls.", ("falls", True, "falls"), "said of the past (“history of”)"),
        ("Had a stroke in 2019.", ("stroke", True, "stroke"), "said of the past (“in 2019”)"),
        ("Pain was 8 last week.", ("pain", 8.0, "8"), "said of the past (“last week”)"),
        ("Her mother had a stroke at sixty.", ("stroke", True, "stroke"), "said of somebody else (“mother had”)"),
        ("Daughter has a temp of 38.4 herself.", ("temp", 38.4, "38.4"), "said of somebody else (“Daughter has”)"),
        ("Daughter called, she has a temp of 38.4 herself.", ("temp", 38.4, "38.4"),
         "said of somebody else (“Daughter called, she has a temp of 38.4 herself”)"),
        ("If she spikes to 39, give Tylenol.", ("temp", 39.0, "39"), "said as a condition (“If”)"),
        ("Call me for a heart rate above 120.", ("hr", 120.0, "120"), "said as a condition (“Call me for”)"),
        ("Goal is 3 for this shift.", ("pain", 3.0, "3"), "said as a plan or goal (“Goal is”)"),
        ("She is at risk for falls.", ("falls", True, "falls"),
         "said as a risk, a reason or something taught (“at risk for”)"),
    ],
)  # fmt: skip
def test_statements_that_are_not_current_findings_are_held_back_with_a_reason(
    text: str, read: tuple[Any, ...], why: str
) -> None:
    result = charted(text, SCHEMA, [read])
    assert result.values == ()
    assert [value.notes for value in result.held_back] == [(why,)]
    assert [(one.why, one.text in text) for one in result.set_aside] == [(why, True)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("No history of falls but she had a fall, falls noted today.", ("falls", True, "falls noted")),
        ("History of COPD, she is wheezing now.", ("wheeze", True, "wheezing")),
        ("Morse: history of falling, yes.", ("morse", True, "history of falling")),
        ("Acceptable goal is 3.", ("goal", 3.0, "3")),
        ("Husband at bedside, pain is 4.", ("pain", 4.0, "4")),
        ("Husband reports her pain is 4.", ("pain", 4.0, "4")),
        ("At risk for falls, pain is 4.", ("pain", 4.0, "4")),
        ("Goal pain is 3, currently 6.", ("pain", 6.0, "6")),
        ("Asked if she has pain, she said 4.", ("pain", 4.0, "4")),
        ("Taught her to call for help.", ("teach", "to call for help", "to call for help")),
        ("History of COPD, heart rate is 88.", ("hr", 88.0, "88")),
        ("Medicated for pain of 7.", ("pain", 7.0, "7")),
        ("Let's see, pain is 4.", ("pain", 4.0, "4")),
        ("The walker is used to help, pain is 4.", ("pain", 4.0, "4")),
        ("Meals probably inadequate.", ("meals", "Probably inadequate", "probably inadequate")),
        ("Yesterday at 1930 the temperature was 39.", ("temp", 39.0, "39")),
        ("Last week was rough. Pain is 4.", ("pain", 4.0, "4")),
        ("She will open her eyes. Pain is 4.", ("pain", 4.0, "4")),
    ],
)
def test_current_findings_and_rows_for_that_status_are_unchanged(text: str, read: tuple[Any, ...]) -> None:
    (value,) = charted(text, SCHEMA, [read]).values
    assert (value.row_id, value.value, value.flags, value.notes) == (*read[:2], (), ())


def test_uncertain_statements_are_proposed_with_a_doubt() -> None:
    result = charted("Possible stage two on the heel.", SCHEMA, [("stage", "Stage 2", "stage two")])
    (value,) = result.values
    assert value.flags == ("said as uncertain (“Possible”)",)
    assert result.set_aside == ()


@pytest.mark.parametrize(
    ("text", "read", "cue"),
    [
        ("Foley came out at six, voiding since.", ("voiding", "Foley", "Foley"), "came out"),
        ("Too winded for commode.", ("voiding", "Commode", "commode"), "Too winded for"),
        ("Foley in, the drip was stopped.", ("voiding", "Foley", "Foley"), None),
        ("The vaccine was refused.", ("vaccine", "Refused", "vaccine"), None),
        ("Pain stopped at 4, off the scale.", ("pain", 4.0, "4"), None),
    ],
)
def test_options_of_what_was_ended_are_proposed_with_a_doubt(text: str, read: tuple[Any, ...], cue: str | None) -> None:
    (value,) = charted(text, SCHEMA, [read]).values
    assert value.flags == ((f"said as ended, refused or not begun (“{cue}”)",) if cue else ())


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Soft wrists on, circulation good, release at sixteen hundred.", ("care", ("Released",), "release")),
        ("Restraints on, release at sixteen hundred.", ("care", ("Released",), "Restraints on, release")),
        ("Release both wrists at 1600.", ("care", ("Released",), "Release")),
        ("Wrists to be released at four.", ("care", ("Released",), "released")),
        ("I'll reposition him at two.", ("care", ("Turned",), "reposition")),
        ("Needs to be repositioned at two.", ("care", ("Turned",), "repositioned")),
        ("We should reposition him every two hours.", ("care", ("Turned",), "reposition")),
        ("Reposition every two hours.", ("care", ("Turned",), "Reposition")),
        ("Please release the left one in an hour.", ("care", ("Released",), "release")),
        ("Doctor to be called.", ("told", True, "Doctor to be called")),
        ("Day shift to notify the doctor.", ("told", True, "notify the doctor")),
        ("Due to be released by 0400.", ("care", ("Released",), "released")),
        ("Foley for removal tomorrow.", ("void", "09:00", "removal tomorrow")),
        ("He can have ice at six if needed.", ("ice", True, "ice at six")),
        ("She wants an ice pack in the morning.", ("ice", True, "ice pack")),
        ("He'd like some ice later.", ("ice", True, "some ice")),
    ],
)
def test_what_is_still_to_be_done_is_held_back(text: str, read: tuple[Any, ...]) -> None:
    result = charted(text, SCHEMA, [read])
    assert result.values == ()
    assert len(result.held_back) == len(result.set_aside) == 1


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Released at sixteen hundred.", ("care", ("Released",), "Released")),
        ("Wrists released every two hours.", ("care", ("Released",), "released")),
        ("Repositioned at two and tolerated it.", ("care", ("Turned",), "Repositioned")),
        ("Doctor called at two.", ("told", True, "Doctor called")),
        ("Called doctor to notify of the low pressure.", ("told", True, "Called doctor to notify")),
        ("Ice applied as recommended.", ("ice", True, "Ice applied")),
        ("Ice on as the doctor ordered.", ("ice", True, "Ice on")),
        ("NPO for surgery tomorrow.", ("diet", "NPO", "NPO")),
        ("Foley for removal in the morning.", ("voiding", "Foley", "Foley")),
        ("Pain is due to the incision, a 4.", ("pain", 4.0, "4")),
        ("I'll give her pain a 4.", ("pain", 4.0, "4")),
        ("Let's start with pain, a 4.", ("pain", 4.0, "4")),
        ("She has to be fed, pain 4.", ("pain", 4.0, "4")),
        ("Turn at 0200 to the left, pain 4.", ("pain", 4.0, "4")),
    ],
)
def test_what_was_done_is_charted(text: str, read: tuple[Any, ...]) -> None:
    (value,) = charted(text, SCHEMA, [read]).values
    assert (value.row_id, value.value, value.flags) == (*read[:2], ())


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Ice recommended.", "recommended"),
        ("Physio advised ice.", "advised"),
        ("Ice was ordered at 0222.", "was ordered"),
    ],
)
def test_what_was_ordered_or_advised_is_proposed_with_a_doubt(text: str, cue: str) -> None:
    (value,) = charted(text, SCHEMA, [("ice", True, "ice" if "ice" in text else "Ice")]).values
    assert value.flags == (f"said as ordered or advised (“{cue}”): was it done?",)


def test_an_option_that_is_still_to_be_done_leaves_a_value_of_several() -> None:
    text = "Turned to the left, release at sixteen hundred."
    (value,) = charted(text, SCHEMA, [("care", ("Released", "Turned"), "Turned to the left, release")]).values
    assert value.value == ("Turned",)
    assert value.flags == ("could also be Released, which the sentence does not state",)


def test_the_time_of_a_plan_is_no_time_of_observation() -> None:
    text = "Wheezing in both bases, recheck at 1300."
    (value,) = charted(text, SCHEMA, [("wheeze", True, "Wheezing")]).values
    assert value.observed_at is None


def test_every_cue_is_valid_and_has_one_status() -> None:
    assert set(assertion_cues()) == set(Status)
    assert all(Finding(status.value, ("cue",)).text for status in Status)


@given(st.text(alphabet=st.sampled_from("if history of her mother had, will turn. 3 maybe \n"), max_size=80))
def test_scopes_lie_inside_the_text_and_contain_their_cue(text: str) -> None:
    for scope in scopes(text):
        assert 0 <= scope.start < scope.end <= len(text)
        assert scope.cue in text[scope.start : scope.end]


@pytest.mark.parametrize(
    ("text", "read", "now"),
    [
        ("He was voiding by commode, a Foley is in now.", ("voiding", "Commode", "commode"), "a Foley is in now"),
        ("He was voiding by commode, a Foley is in now.", ("voiding", "Foley", "Foley"), None),
        ("Wheezing earlier, clear now.", ("wheeze", True, "Wheezing"), "clear now"),
        ("Heart rate was 118 at 1300, 88 now.", ("hr", 118.0, "118"), None),  # charted at its time
    ],
)
def test_what_was_so_before_now_is_proposed_with_a_doubt(text: str, read: tuple[Any, ...], now: str | None) -> None:
    values = [value for value in charted(text, SCHEMA, [read]).values if value.value == read[1]]
    assert [value.flags for value in values] == [(f"said of an earlier time; then “{now}”",) if now else ()]


def test_what_was_so_is_held_back_beside_what_is_so_now() -> None:
    text = "Lungs had wheezes earlier, clear now."
    result = charted(text, SCHEMA, [("lungs", ("Wheezes",), "wheezes"), ("lungs", ("Clear",), "clear")])
    assert [value.value for value in result.values] == [("Clear",)]
    assert [value.flags for value in result.held_back] == [("said of an earlier time; then “clear now”",)]
