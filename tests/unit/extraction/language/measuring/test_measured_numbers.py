"""The numbers of a sentence with what they measure: in lists of vital signs, and in series of times."""

from __future__ import annotations

import pytest

from extraction.language.measuring.measured_numbers import measured_numbers

BP, HR, RR, T, SAT = "blood_pressure", "heart_rate", "respiratory_rate", "temperature", "oxygen_saturation"
FLOW = "oxygen_flow"


def measured(sentence: str) -> list[tuple[str, float | str]]:
    pairs = measured_numbers(sentence).pairs
    return [(pair.measurement.id, pair.number.pressure or pair.number.value) for pair in pairs if pair.measurement]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("VS 112/68, 84, 16, 98.1.", [(BP, "112/68"), (HR, 84), (RR, 16), (T, 98.1)]),
        ("98.2, 116/74, 80, 16", [(T, 98.2), (BP, "116/74"), (HR, 80), (RR, 16)]),
        ("36.6, 76, 126/72, 17, 97% air", [(T, 36.6), (HR, 76), (BP, "126/72"), (RR, 17), (SAT, 97)]),
        ("151/66 70 18 94% 2L", [(BP, "151/66"), (HR, 70), (RR, 18), (SAT, 94), (FLOW, 2)]),
        ("116/66, 68, 16, 98.0", [(BP, "116/66"), (HR, 68), (RR, 16), (T, 98.0)]),
        ("116 over 68, 88 and regular, 98.1, 18", [(BP, "116/68"), (HR, 88), (T, 98.1), (RR, 18)]),
        ("108 over 66, 96, 99 percent", [(BP, "108/66"), (HR, 96), (SAT, 99)]),
        ("102 over 60, 108, 18, 95 on two", [(BP, "102/60"), (HR, 108), (RR, 18), (SAT, 95)]),
        ("BP 112/70, 18, 98.6, 95% RA", [(BP, "112/70"), (RR, 18), (T, 98.6), (SAT, 95)]),
        ("pulse 96, respirations 20, 36.6, 94 on room air", [(HR, 96), (RR, 20), (T, 36.6), (SAT, 94)]),
    ],
)
def test_a_list_of_vital_signs_needs_no_names(sentence: str, expected: list[tuple[str, float | str]]) -> None:
    assert measured(sentence) == expected


def test_each_pressure_begins_a_list() -> None:
    assert measured("1430 151/66 70 18 94% 2L; 1530 148/60 74 16 95% 2L") == [
        (BP, "151/66"), (HR, 70), (RR, 18), (SAT, 94), (FLOW, 2), (BP, "148/60"), (HR, 74), (RR, 16), (SAT, 95),
        (FLOW, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sentence",
    [
        "BP 120/80, 5 mg of amlodipine given.",
        "BP 120/80, 20 tablets in the left hand.",
        "BP 120/80, 95.",  # a rate, or a saturation
        "BP 120/80 and 3 stitches.",
        "BP 120/80 after 500 of saline.",
    ],
)
def test_a_number_that_is_not_clear_is_no_vital_sign(sentence: str) -> None:
    assert measured(sentence) == [(BP, "120/80")]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("BG q1h: 0800 188, 0900 104, 1000 71.", [("glucose", 188), ("glucose", 104), ("glucose", 71)]),
        ("Sugars, 01:00 was 412, 02:00 366.", [("glucose", 412), ("glucose", 366)]),
        ("CIWA 1900 = 9, 2000 = 14.", [("ciwa", 9), ("ciwa", 14)]),
        ("Bladder scan 640, Foley in at 0115, 700 back.", [("bladder_scan", 640)]),
    ],
)
def test_numbers_at_times_of_their_own_are_a_series(sentence: str, expected: list[tuple[str, float]]) -> None:
    assert measured(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("On two liters and now he's 96.", [("oxygen_flow", 2), (SAT, 96)]),
        ("Lungs clear, 2 liters, 98.", [(SAT, 98)]),
        ("Room air, 95.", [(SAT, 95)]),
        ("HR 62 SB-SR, 97% RA.", [(HR, 62), (SAT, 97)]),
        ("2 liters, 80 of Lasix.", []),
        ("112 over 66, rate 58.", [(BP, "112/66"), (HR, 58)]),
        ("97 percent on room air, rate 16, heart rate 92.", [(SAT, 97), (RR, 16), (HR, 92)]),
        ("AC, rate 16, tidal volume 450.", [("tidal_volume_set", 450)]),
        ("One eighteen over 70 and BP 126 slash 70.", [(BP, "118/70"), (BP, "126/70")]),
        ("Out 180 / 150 / 260.", []),
        ("Afebrile at 98.2.", [(T, 98.2)]),
        ("Sugar before breakfast was 211.", [("glucose", 211)]),
        ("BM 6.4, LBM today, bm x1.", [("glucose", 6.4)]),
    ],
)
def test_vital_signs_that_are_named_by_what_stands_beside(sentence: str, expected: list[tuple[str, object]]) -> None:
    assert measured(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "scores"),
    [
        ("Pain's a three sitting still, seven when he coughs.", [3, 7]),
        ("Pain 4/10, 2 at rest, Oxy 5 at 1255.", [4, 2]),
        ("Pain is 2 if still and 8 if we turn her.", [2, 8]),
        ("Pain 4, 2 tabs with food.", [4]),
        ("Pain was a 3 before, a 7 when the foam let go, and back down to 4 by the time I left.", [3, 7, 4]),
        ("Headache's a three.", [3]),
        ("Headache for 3 days.", []),
    ],
)
def test_pain_has_a_score_for_each_circumstance(sentence: str, scores: list[float]) -> None:
    assert [number for name, number in measured(sentence) if name == "pain_score"] == scores


@pytest.mark.parametrize("sentence", ["", "No numbers here.", "1, 2, 3, 4", "/", "98.6 98.6 98.6"])
def test_anything_is_read(sentence: str) -> None:
    assert isinstance(measured(sentence), list)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Heart rate was 118, now 92.", [(HR, 118), (HR, 92)]),
        ("Pain was an eight, now it's a three.", [("pain_score", 8), ("pain_score", 3)]),
        ("Heart rate came down from 124 to 98.", [(HR, 98)]),
        ("RR 28 -> 20 after the neb.", [(RR, 28), (RR, 20)]),
        ("Sugars 210, 188, 164.", [("glucose", 210), ("glucose", 188), ("glucose", 164)]),
        ("Voided on the commode, 150, 200, and 300.", [("urine_output", one) for one in (150, 200, 300)]),
        ("Heart rate was one eighteen before, ninety-eight now.", [(HR, 118), (HR, 98)]),
        ("Urine output 60, 55, 70 and 50.", [("urine_output", one) for one in (60, 55, 70, 50)]),
        ("Voided 300 and then another 250.", [("urine_output", 300), ("urine_output", 250)]),
        ("Voided 300 + 250.", [("urine_output", 300), ("urine_output", 250)]),
        ("Voided 300 at 0200 and 250 just now.", [("urine_output", 300), ("urine_output", 250)]),
        ("Temp 100.9 at 0800 and 101.3 at noon, and it's 99.8 now.", [(T, 100.9), (T, 101.3), (T, 99.8)]),
        ("Hemovac had 110, bloody, and just now another 30.", [("drain_output", 110), ("drain_output", 30)]),
        ("Heart rate was 110 this morning and is 88 now.", [(HR, 110), (HR, 88)]),
        ("Heart rate was 124 at 0800, now 92.", [(HR, 124), (HR, 92)]),
        ("Temp 101.4 at eleven, now 99.6.", [(T, 101.4), (T, 99.6)]),
        ("Pain 8 out of 10 before the morphine, now 4.", [("pain_score", 8), ("pain_score", 4)]),
        ("Resp rate was 28 and has settled to 20.", [(RR, 28), (RR, 20)]),
        ("Sugar was 62, juice given, 15 minutes later 98.", [("glucose", 62), ("glucose", 98)]),
        ("Sats 88 percent, 95 percent now.", [(SAT, 88), (SAT, 95)]),
        ("Goal MAP 65, currently 71.", [("mean_arterial_pressure", 71)]),
        ("Temp max 38.9 overnight, currently 37.2.", [(T, 37.2)]),
    ],
)
def test_a_number_may_follow_another_of_the_same_measurement(
    sentence: str, expected: list[tuple[str, float | str]]
) -> None:
    assert measured(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Pain was 8, then 5 of morphine.", [("pain_score", 8)]),
        ("Heart rate 96 to 98.", [(HR, 96)]),  # a range
        ("Heart rate 88, now 2 liters of fluid in.", [(HR, 88)]),
        ("Sugar 212, 4 units given.", [("glucose", 212)]),
        ("Heart rate 118, down 20 from before.", [(HR, 118)]),
        ("Foley 16 French, 450 of urine.", [("urine_output", 450)]),
        ("Goal heart rate under 110, now on 5 of metoprolol.", []),
        ("Pain goal 3, now 2 liters.", []),
        ("Drank two glasses of tea.", []),
        ("Drank one cup of tea, 150.", []),
    ],
)
def test_a_number_of_something_else_does_not_follow(sentence: str, expected: list[tuple[str, float | str]]) -> None:
    assert measured(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("PERRL 3 mm brisk.", [3]),
        ("Pupils equal, three, and reactive.", [3]),
        ("Pupils, right 3 reactive, left 4 and sluggish.", [3, 4]),
        ("Pupils 2 and 2.", [2, 2]),
        ("Pupils 3 and 4 visitors.", [3]),
    ],
)
def test_both_sides_may_have_a_number(sentence: str, numbers: list[float]) -> None:
    assert measured(sentence) == [("pupil_size", one) for one in numbers]
