"""Measurements said with their name and number are charted, whatever the models made of them."""

from __future__ import annotations

import datetime as dt

import pytest

from extraction.extractor import prepare
from extraction.filling.task import Task
from extraction.flowsheet.schema import Fluid, Option, Row, Schema, ValueType
from extraction.flowsheet.values import NO_PROPOSALS, Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.sentences import segment
from extraction.measurements.binding import with_measured
from extraction.preparation.encounter_context import EncounterContext
from extraction.preparation.observation_times import moments
from extraction.retrieval.candidates import ReducedSchema
from extraction.rules.spoken_measurements import spoken_measurements
from tests.kit.rules import after

VITALS = ("Vital signs",)
NOW = dt.datetime(2026, 3, 3, 14, 0)  # noqa: DTZ001 - the ward's clock
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, VITALS, unit="mm[Hg]"),
        Row("hr", "Heart rate", ValueType.NUMERIC, VITALS, unit="/min"),
        Row("rr", "Respiratory rate", ValueType.NUMERIC, VITALS, unit="/min"),
        Row(
            "temp",
            "Temperature",
            ValueType.QUANTITY,
            VITALS,
            unit="Cel",
            dimension="temperature",
            minimum=25,
            maximum=45,
        ),
        Row("spo2", "Oxygen saturation (SpO2)", ValueType.NUMERIC, VITALS, unit="%"),
        Row("flow", "Oxygen flow rate", ValueType.NUMERIC, VITALS, unit="L/min"),
        Row("pain", "Pain score (0-10)", ValueType.NUMERIC, ("Pain",), unit="{score}", minimum=0, maximum=10),
        Row("rass", "RASS", ValueType.NUMERIC, ("Neuro",), unit="{score}", minimum=-5, maximum=4),
        Row("urine", "Urine output volume", ValueType.QUANTITY, ("Output",), unit="mL", dimension="volume"),
        Row("site", "Temperature site", ValueType.SINGLE_SELECT, VITALS, (Option("Oral"), Option("Axillary"))),
    ),
    "0" * 64,
    "t",
)


def task_of(text: str, schema: Schema = SCHEMA) -> Task:
    segments = segment(text)
    return with_measured(Task(text, segments, schema, ReducedSchema(()), NOW.date(), moments(segments, NOW)))


def charted(text: str, *read: FilledValue, held_back: tuple[FilledValue, ...] = ()) -> Proposals:
    proposals = Proposals(read, held_back)
    return after(spoken_measurements(task_of(text), proposals), proposals, SCHEMA, rule="measurement")


def values(found: Proposals) -> dict[str, Value]:
    return {value.row_id: value.value for value in found.values}


def reading(text: str, row_id: str, value: Value, words: str) -> FilledValue:
    start = text.index(words)
    around = next(one for one in segment(text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue(row_id, value, None, evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", "", 0), "rowwise")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BP 134 over 76, heart rate 91, temp 99.1, sat 96 on room air.",
            {"bp": "134/76", "hr": 91.0, "temp": 37.28, "spo2": 96.0}),
        ("VS 134/76, HR 91, RR 18, T 99.1, 96% RA", {"bp": "134/76", "hr": 91.0, "rr": 18.0, "temp": 37.28}),
        ("Pulse is about eighty eight and respirations are sixteen.", {"hr": 88.0, "rr": 16.0}),
        ("BP one eighteen on seventy.", {"bp": "118/70"}),
        ("She's breathing 22 breaths a minute.", {"rr": 22.0}),
        ("Sats ninety four on two liters.", {"spo2": 94.0}),
        ("88 HR, 18 RR.", {"hr": 88.0, "rr": 18.0}),
        ("Pain four out of ten.", {"pain": 4.0}),
        ("RASS of minus two.", {"rass": -2.0}),
        ("126 over 64, 82, 18, 96 on two liters.", {"bp": "126/64", "hr": 82.0, "rr": 18.0, "spo2": 96.0}),
        ("Heart rate 62, 98.4, 16, 99 percent.", {"hr": 62.0, "temp": 36.89, "rr": 16.0, "spo2": 99.0}),
        ("Vitals one thirty-eight over seventy, eighty-six.", {"bp": "138/70", "hr": 86.0}),
    ],
)  # fmt: skip
def test_plain_pairs_of_name_and_number_are_charted(text: str, expected: dict[str, Value]) -> None:
    assert {name: values(charted(text)).get(name) for name in expected} == expected


@pytest.mark.parametrize(
    "text",
    [
        "Goal heart rate is 80.",
        "Keep sats above 92.",
        "Call if the heart rate is over 120.",
        "Heart rate was 118 before the bolus.",
        "Orthostatics: lying 104 over 62 with a heart rate of 72.",
        "Bed 11, 99 on the chart.",
        "Pulse ox probe changed at 1400.",
        "Heart rate regular.",
        "Heart rate 900.",
        "No heart rate of 40 was seen.",
    ],
)
def test_goals_limits_impossible_and_contested_numbers_are_left_alone(text: str) -> None:
    assert "hr" not in values(charted(text))
    assert "spo2" not in values(charted(text))


def test_a_value_that_the_models_read_too_stays_as_it_is() -> None:
    text = "Heart rate 91."
    (value,) = charted(text, reading(text, "hr", 91.0, "91")).values
    assert (value.rule, value.findings) == ("", ())


def test_another_value_of_the_models_is_replaced_and_lit() -> None:
    text = "Heart rate 91, respirations 18."
    found = charted(text, reading(text, "hr", 18.0, "18"))
    (value,) = (one for one in found.values if one.row_id == "hr")
    assert (value.value, value.rule) == (91.0, "measurement")
    assert value.flags == ("heard “Heart rate 91”; could also be 18",)


def test_a_number_that_was_read_for_another_measurement_is_held_back_there() -> None:
    text = "Heart rate 91."
    found = charted(text, reading(text, "rr", 91.0, "91"))
    assert values(found) == {"hr": 91.0}
    assert [(one.row_id, one.notes) for one in found.held_back] == [("rr", ("“91” belongs to Heart rate",))]


def test_held_back_values_of_the_row_give_way() -> None:
    text = "Heart rate 91."
    found = charted(text, held_back=(reading(text, "hr", 91.0, "91"),))
    assert (values(found), found.held_back) == ({"hr": 91.0}, ())


def test_readings_at_two_times_are_two_values() -> None:
    found = charted("BP was 88/50 at 1310. BP was 102/60 at 1325.")
    assert sorted((str(one.value), one.observed_at) for one in found.values) == [
        ("102/60", "2026-03-03T13:25"),
        ("88/50", "2026-03-03T13:10"),
    ]


def test_two_values_at_no_time_of_their_own_are_both_proposed_and_name_each_other() -> None:
    text = "Vitals then were 126 over 80, heart rate 94. Later 118 over 74, heart rate 86."
    found = charted(text, reading(text, "hr", 86.0, "86"))
    assert [one.value for one in found.values if one.row_id == "bp"] == ["126/80", "118/74"]
    assert sorted((one.value, one.rule) for one in found.values if one.row_id == "hr") == [
        (86.0, ""),
        (94.0, "measurement"),
    ]
    flags = {one.value: one.flags for one in found.values if one.row_id == "hr"}
    assert flags == {94.0: ("also said: 86",), 86.0: ("also said: 94",)}


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("Temp 37.1. 37.6. Heart rate 90.", "temp", [37.1, 37.6]),
        ("Heart rate 84 103 on the stairs.", "hr", [84.0, 103.0]),
        ("Sat ninety one ninety five after suctioning.", "spo2", [91.0, 95.0]),
        ("Temp 36.7. 37.0. Heart rate 90.", "temp", [36.7, 37.0]),
        ("Temp 37.0. 37.3. Heart rate 90.", "temp", [37.0, 37.3]),
        ("Temp 36.7. 38.2 on recheck.", "temp", [36.7, 38.2]),
        ("BP 142/80. 128/74 lying.", "bp", ["142/80", "128/74"]),
        ("Sat 90. 96 on two liters.", "spo2", [90.0, 96.0]),
        ("Sat was eighty eight, ninety four with three liters nasal cannula.", "spo2", [88.0, 94.0]),
        ("Sat 89 walking. 94 once he rested.", "spo2", [89.0, 94.0]),
        ("Sat 92 off oxygen. With oxygen 97.", "spo2", [92.0, 97.0]),
        ("Respirations 28. 22 with the fan on.", "rr", [28.0, 22.0]),
        ("Heart rate 121. 99 following the fluids.", "hr", [121.0, 99.0]),
    ],
)
def test_no_reading_of_several_is_dropped_or_stands_unlit(text: str, row: str, expected: list[Value]) -> None:
    found = [one for one in charted(text).values if one.row_id == row]
    assert [one.value for one in found] == expected
    assert all(one.flags for one in found)


def test_what_the_models_read_of_several_readings_is_lit_too() -> None:
    text = "Heart rate 84 103 on the stairs."
    found = charted(text, reading(text, "hr", 84.0, "84"))
    assert {one.value: (one.rule, one.flags) for one in found.values} == {
        84.0: ("", ("also said: 103",)),
        103.0: ("measurement", ("also said: 84",)),
    }


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("Heart rate 92 to 99.", "hr", []),  # a range
        ("Temp 98.4. 84. 16.", "temp", [36.89]),  # other vital signs
        ("Heart rate 88. 75 of urine in the bag.", "hr", [88.0]),
        ("Heart rate 88. 40 gauge.", "hr", [88.0]),
        ("Heart rate 88. 18 with shallow breaths.", "hr", [88.0]),
        ("Heart rate 88. 75 visitors asked.", "hr", [88.0]),
        ("Sat 90, 96 with two liters.", "hr", []),
    ],
)
def test_a_number_of_something_else_continues_nothing(text: str, row: str, expected: list[Value]) -> None:
    assert [one.value for one in charted(text).values if one.row_id == row] == expected


def test_a_row_without_a_unit_takes_a_number_in_any_usual_unit() -> None:
    bare = Row("t", "Temperature", ValueType.NUMERIC, VITALS)
    sugar = Row("bg", "Blood glucose", ValueType.NUMERIC, VITALS, unit="mmol/L")
    schema = Schema("t", "T", "1", (bare, sugar), "2" * 64, "t")
    changes = spoken_measurements(task_of("Temp 98.9, sugar 6.8.", schema), Proposals((), ()))
    assert [change.value.value for change in changes if change.value] == [98.9, 6.8]


def test_numbers_of_a_newborn_are_left_alone_where_the_schema_has_rows_for_both() -> None:
    text, nothing = "Baby boy, heart rate 144, resps 58.", Proposals((), ())
    newborn = Row("nb.hr", "Newborn heart rate", ValueType.NUMERIC, ("Newborn",), unit="/min")
    both = Schema("t", "T", "1", (*SCHEMA.rows, newborn), "1" * 64, "t")
    assert list(spoken_measurements(task_of(text, both), nothing)) == []
    both_said = "Mom is fine, heart rate 84. Baby latched, heart rate 144. Resps 58. Patient's pressure 112 over 70."
    read = [change.value.value for change in spoken_measurements(task_of(both_said, both), nothing) if change.value]
    assert read == [84.0, "112/70"]
    assert len(list(spoken_measurements(task_of(text), nothing))) == 2


PULSES = (Option("0 - Absent"), Option("Doppler only"), Option("1+ Weak"), Option("2+ Normal"), Option("3+ Strong"))
WOUNDS = Schema(
    "w",
    "W",
    "1",
    (
        *(
            Row(f"{part}{one}", f"Wound {one} {part}", kind, ("Skin",), unit=unit, options=options)
            for one in (1, 2)
            for part, kind, unit, options in (
                ("location", ValueType.TEXT, None, ()),
                ("type", ValueType.SINGLE_SELECT, None, (Option("Incision"), Option("Skin tear"))),
                ("length", ValueType.NUMERIC, "cm", ()),
                ("width", ValueType.NUMERIC, "cm", ()),
                ("depth", ValueType.NUMERIC, "cm", ()),
            )
        ),
        *(
            Row(f"iv{one}", f"Peripheral IV {one} {part}", ValueType.SINGLE_SELECT, ("Lines",), options)
            if part == "gauge"
            else Row(f"iv{one}_{part}", f"Peripheral IV {one} {part}", ValueType.TEXT, ("Lines",))
            for one in (1, 2)
            for part, options in (
                ("site", ()),
                ("dressing", ()),
                ("gauge", (Option("18 gauge"), Option("20 gauge"), Option("22 gauge"))),
            )
        ),
        *(
            Row(f"dp_{side}", f"{side} dorsalis pedis pulse", ValueType.SINGLE_SELECT, ("Vascular",), PULSES)
            for side in ("Left", "Right")
        ),
        Row("left", "Left pupil size", ValueType.NUMERIC, ("Neuro",), unit="mm"),
        Row("right", "Right pupil size", ValueType.NUMERIC, ("Neuro",), unit="mm"),
        Row("prop", "Propofol rate", ValueType.NUMERIC, ("Drips",), unit="ug/kg/min", minimum=0, maximum=200),
        Row("fent", "Fentanyl rate", ValueType.NUMERIC, ("Drips",), unit="ug/h", minimum=0, maximum=500),
    ),
    "0" * 64,
    "w",
)


def charted_by_rule(text: str) -> dict[str, Value]:
    prepared = prepare(text, WOUNDS, reduce=lambda _: ReducedSchema(()), context=EncounterContext(NOW.astimezone()))
    changes = spoken_measurements(prepared.task, Proposals((), ()))
    return {change.value.row_id: change.value.value for change in changes if change.value}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Wound on the right thigh is 9.5 by 4 centimeters, depth of 2.2.",
            {"length1": 9.5, "width1": 4, "depth1": 2.2},
        ),
        ("Incision is 18 centimeters.", {"length1": 18}),
        ("Skin tear on the left elbow, 20 by 10 millimeters.", {"length1": 2, "width1": 1}),
        (
            "Wound one on the right heel, 3 by 2. Second wound is on the left shin, 5 by 4.",
            {"length1": 3, "width1": 2, "length2": 5, "width2": 4},
        ),
        ("Wound on the right heel, 3 by 2, it was 4 by 3.", {"length1": 3, "width1": 2}),
        ("Pupils 3 and brisk.", {"left": 3, "right": 3}),
        ("Left pupil 4, right 3.", {"left": 4, "right": 3}),
        ("Left pupil is 4 and sluggish.", {"left": 4}),
        ("Pupils 3 and 4.", {}),  # nobody knows which
        ("Prop at 30, fentanyl's at 75.", {"prop": 30, "fent": 75}),
        ("Propofol up from 40 to 50.", {"prop": 50}),
        ("Bolused fentanyl 50.", {}),
        ("Gave 50 of fentanyl, fentanyl 50 mcg at 09:31.", {}),
        ("Propofol 900.", {}),
        ("Pedal pulses 2+.", {"dp_Left": "2+ Normal", "dp_Right": "2+ Normal"}),
        ("DP pulses left 2+, right 1+.", {"dp_Left": "2+ Normal", "dp_Right": "1+ Weak"}),
        ("The pedal pulse is two plus.", {}),  # nobody knows which
        ("Pedal pulses checked, 2 nurses.", {}),
        ("The IV in the left forearm is an eighteen gauge.", {"iv1": "18 gauge"}),
        ("Left forearm IV, 18 gauge. Right hand IV, 22g.", {"iv1": "18 gauge", "iv2": "22 gauge"}),
    ],
)
def test_sizes_sides_and_rates_find_their_rows(text: str, expected: dict[str, Value]) -> None:
    assert charted_by_rule(text) == expected


def test_the_number_that_replaces_another_is_charted() -> None:
    assert values(charted("Heart rate was 118, now 92.")) == {"hr": 92}
    text = "Heart rate 118 down to 84."
    assert values(charted(text, reading(text, "hr", 118.0, "118"))) == {"hr": 84}


def test_a_number_that_cannot_be_another_value_does_not_replace_it() -> None:
    assert values(charted("Heart rate is 88 now after meds 1250.")) == {"hr": 88}


def test_a_former_value_with_its_time_is_charted_beside_the_current_one() -> None:
    found = charted("Heart rate was 124 at 0800, now 92.").values
    assert [(value.value, value.observed_at) for value in found] == [(124, "2026-03-03T08:00"), (92, None)]


def test_the_current_value_is_not_charted_as_the_goal() -> None:
    schema = Schema(
        "t", "T", "1",
        (
            Row("goal", "Target heart rate", ValueType.NUMERIC, VITALS, synonyms=("heart rate goal",)),
            Row("hr", "Heart rate", ValueType.NUMERIC, VITALS),
        ),
        "0" * 64, "t",
    )  # fmt: skip
    text = "Heart rate goal is under 100, currently 92."
    found = after(spoken_measurements(task_of(text, schema), NO_PROPOSALS), NO_PROPOSALS, schema, rule="measurement")
    assert values(found) == {}


POINTS = tuple(Option(f"{points} out of 10") for points in range(11))
TWINS = Schema(
    "t", "T", "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, VITALS),
        Row("pulse", "Pulse", ValueType.NUMERIC, VITALS),
        Row("spo2", "Oxygen saturation", ValueType.NUMERIC, VITALS),
        Row("oximetry", "Pulse oximetry", ValueType.NUMERIC, VITALS),
        Row("pain", "Pain severity", ValueType.SINGLE_SELECT, VITALS, POINTS),
    ),
    "0" * 64, "t",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HR 88, sats 94 on room air.", {"hr": 88, "spo2": 94}),
        ("Pulse 88, pulse oximetry reads 94.", {"pulse": 88, "oximetry": 94}),
        ("Pain is a 4.", {"pain": "4 out of 10"}),
        ("Pain 4 in the left hip.", {"pain": "4 out of 10"}),
    ],
)
def test_of_rows_for_the_same_the_one_that_is_named_is_charted(text: str, expected: dict[str, Value]) -> None:
    found = after(spoken_measurements(task_of(text, TWINS), NO_PROPOSALS), NO_PROPOSALS, TWINS, rule="measurement")
    assert values(found) == expected


def test_stools_and_suction_are_counted_by_the_words_around_the_number() -> None:
    schema = Schema(
        "t", "T", "1",
        (
            Row("stools", "Stool count this shift", ValueType.NUMERIC, VITALS),
            Row("suction", "Chest tube suction level", ValueType.NUMERIC, VITALS, unit="cm[H2O]", minimum=-60),
        ),
        "0" * 64, "t",
    )  # fmt: skip
    text = "He had two loose brown stools. Right chest tube to minus 20, no leak."
    found = after(spoken_measurements(task_of(text, schema), NO_PROPOSALS), NO_PROPOSALS, schema, rule="measurement")
    assert values(found) == {"stools": 2, "suction": -20}


@pytest.mark.parametrize(
    ("text", "row", "kept"),
    [
        ("NG came out at six, taking sips, forty an hour.", "gastric", False),
        ("Tolerating sips, NG put out 40.", "gastric", True),
        ("Drank her tea, gastric tube 40.", "gastric", True),
        ("Vomited 40 after breakfast.", "po", False),
        ("Sipped 40 of water.", "po", True),
    ],
)
def test_an_intake_is_no_output(text: str, row: str, kept: bool) -> None:
    fluids = (
        Row("gastric", "Gastric tube output volume", ValueType.QUANTITY, ("Fluids",), unit="mL", dimension="volume"),
        Row("po", "Juice", ValueType.NUMERIC, ("Fluids",), unit="mL", fluid=Fluid.INTAKE),
    )
    words = "forty" if "forty" in text else "40"
    task = prepare(text, Schema("t", "T", "1", fluids, "", ""), reduce=lambda _: ReducedSchema(())).task
    read = Proposals((reading(text, row, 40.0, words),), ())
    found = after(spoken_measurements(task, read), read, task.schema, rule="measurement")
    assert [one.row_id for one in found.values] == ([row] if kept else [])
    assert all("which is" in one.notes[0] for one in found.held_back)
