"""Self-corrections: which words withdraw what, and which only sound like it."""

from __future__ import annotations

import pytest

import resources
from extraction.flowsheet.schema import Schema
from extraction.preparation.self_corrections import corrected
from extraction.schema_files.native_format import load_schema


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_schema(resources.DEMONSTRATION_SCHEMA)


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        # a value for a value of its kind
        ("Blood pressure 130 over 90, correction, 140 over 90.", "Blood pressure 140 over 90."),
        ("Pressure one thirty over ninety, I mean one forty over ninety.", "Pressure one forty over ninety."),
        ("Heart rate 88 no 98 respirations 16.", "Heart rate 98 respirations 16."),
        ("Pain is 6 out of 10. Let me redo that: 4 out of 10.", "Pain is 4 out of 10."),
        ("Residual 45. Let me correct: 54.", "Residual 54."),
        ("The chest tube put out 70, no, that was the earlier figure, it's 90.", "The chest tube put out 90."),
        ("Potassium 3.1, that was the old number, today 3.6.", "Potassium 3.6."),
        ("Suction is at minus 20. Correct that, minus 10.", "Suction is at minus 10."),
        ("Fingerstick 264. Actually I misread that, the meter says 246.", "Fingerstick 246."),
        ("Pain 6. Oh no, 7.", "Pain 7."),
        # a statement with the same words in another order
        ("Left pupil is sluggish. I had that backwards, the right pupil is sluggish.", "the right pupil is sluggish."),
        ("Respirations 18. Correction, 22.", "Respirations 22."),
        ("Heart rate 88, no, 90, no wait, 92.", "Heart rate 92."),
        ("Pain is six out of ten, make that eight.", "Pain is eight out of ten."),
        ("Pain is six out of ten, make that eight out of ten.", "Pain is eight out of ten."),
        ("Gave 4 units of insulin, no, 6 units.", "Gave 6 units of insulin."),
        ("Sats 92, correction, 94 on 2 liters, correction, 3 liters.", "Sats 94 on 3 liters."),
        ("One plus, sorry, two plus edema in both legs.", "two plus edema in both legs."),
        ("Blood pressure 150 over 90, I mean over 80.", "Blood pressure 150 over 80."),
        ("Weight is 82 kilos, let me correct that, 84 kilos.", "Weight is 84 kilos."),
        # a value that is named again
        (
            "Heart rate 88, blood pressure 120 over 80, correction, heart rate 78.",
            "Heart rate 78, blood pressure 120 over 80.",
        ),
        ("Heart rate is 88. Scratch that, pulse is 98.", "Heart rate is 98."),
        ("Temp 38.4 oral. Pulse 80. Correction, the temp was 37.4.", "Temp 37.4 oral. Pulse 80."),
        (
            "Sats 92 on two liters. Strike that, sats are 94 on room air.",
            "Sats on two liters. sats are 94 on room air.",
        ),
        # words for words
        ("BP on the right arm, no, left arm.", "BP on the left arm."),
        ("IV in the left forearm, I mean the right hand.", "IV in the right hand."),
        ("Edema in the left leg, correction, right.", "Edema in the right leg."),
        ("Skin is warm and dry, sorry, warm and moist.", "Skin is warm and moist."),
        ("Left hand grip is weak, excuse me, strong.", "Left hand grip is strong."),
        ("Bowel sounds are active, um, correction, hypoactive in all.", "Bowel sounds are hypoactive in all."),
        ("Abdomen is soft and tender, no, non-tender.", "Abdomen is soft and non-tender."),
        # a statement for a statement
        ("Denies nausea. Actually, she does report mild nausea.", "she does report mild nausea."),
        (
            "Patient is oriented to person and place. Scratch that, he is oriented to person only.",
            "he is oriented to person only.",
        ),
        # a statement for nothing
        ("Pulse 80, urine output 400, scratch that, the Foley is out.", "Pulse 80, the Foley is out."),
        ("Voided 200. Strike that. Lungs are clear.", "Lungs are clear."),
    ],
)
def test_the_later_statement_stands(schema: Schema, heard: str, meant: str) -> None:
    assert corrected(heard, schema).text.text == meant


@pytest.mark.parametrize(
    "heard",
    [
        "No, she has no chest pain.",
        "Lungs clear, no wheezes, no crackles.",
        "Any nausea? No, none. Pain 4.",
        "Sats 94 on room air. No oxygen. Heart rate 80.",
        "That was the old dressing, the new one is foam.",
        "I have to correct the sodium slowly, it was 118.",
        "He tends to scratch the wound, so mittens are on.",
        "He had it mixed up with his other pills.",
        "She said oh no, not again.",
        "No left arm restrictions, no right arm restrictions.",
        "Left leg edema two plus. Right leg, no edema.",
        "I mean to recheck the temp, it was 38.1.",
        "She is sorry about the fall. Heart rate 88.",
        "I'm sorry you are in pain, he said. Pain is 6.",
        "Gave 4 units, wait for the lunch tray. Sugar 180.",
        "Walk 20 feet, rather than 40 feet.",
        "He actually walked 200 feet today.",
        "Sugar 250, correction insulin 4 units given.",
        "Sugar 250, he got a correction of 4 units.",
        "Her vision, with correction, is fine.",
        "Pulse 77. Change that dressing at 0800. Make that bed.",
        "She scratched that wound until it bled.",
        "Her left foot hurts 4. Actually, the right foot hurts 6.",
        "Pain in the left leg, no. Right leg, yes.",
        "Blood pressure 120 over 80, heart rate 77.",
        "",
    ],
)
def test_phrases_that_only_sound_like_a_correction_change_nothing(schema: Schema, heard: str) -> None:
    found = corrected(heard, schema)
    assert (found.text.text, found.corrections, found.unplaced) == (heard, (), ())


def test_both_statements_keep_their_positions(schema: Schema) -> None:
    heard = "JP drain one put out 40 cc, make it 45. Pulse 80, scratch that."
    found = corrected(heard, schema)
    told = [(heard[slice(*one.taken_back)], one.instead and heard[slice(*one.instead)]) for one in found.corrections]
    assert told == [("40", "45"), ("Pulse 80", None)]
    assert found.text.text == "JP drain one put out 45 cc."
    place = found.text.text.index("45")
    assert heard[slice(*found.text.heard(place, place + 2))] == "45"


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        # a number that cannot be a time or day corrects a measurement
        ("Heart rate 88 at nineteen hundred, correction, 98.", "Heart rate 98 at nineteen hundred."),
        ("Heart rate 88 at oh six thirty, no, 98.", "Heart rate 98 at oh six thirty."),
        ("Heart rate 88 on March 3, I mean 98.", "Heart rate 98 on March 3."),
        ("Heart rate 88 on 3/4/2026, correction, 98.", "Heart rate 98 on 3/4/2026."),
        ("Drained 200 at 1430, correction, 300.", "Drained 300 at 1430."),
        # one that can be corrects the time or day
        ("Voided at 0630, correction, 0640.", "Voided at 0640."),
        ("Voided at seven thirty, no, eight.", "Voided at eight."),
        ("Voided at nineteen hundred, sorry, twenty hundred.", "Voided at twenty hundred."),
        ("Voided at ten to four, no, ten to five.", "Voided at ten to five."),
        ("Foley placed on March 3, no, 4.", "Foley placed on March 4."),
        ("Foley placed on March 3rd, no, 4th.", "Foley placed on March 4th."),
    ],
)
def test_a_number_corrects_a_compatible_time_day_or_measurement(schema: Schema, heard: str, meant: str) -> None:
    found = corrected(heard, schema)
    assert found.text.text == meant
    assert [one.unsure for one in found.corrections] == [False]


def test_a_number_that_may_correct_either_a_time_or_a_measurement_is_doubted(schema: Schema) -> None:
    found = corrected("Heart rate 18 at seven thirty, correction, twenty.", schema)
    assert found.text.text == "Heart rate 18 at twenty."
    assert [one.unsure for one in found.corrections] == [True]


def test_a_single_number_after_a_pressure_may_replace_either_of_its_numbers(schema: Schema) -> None:
    found = corrected("Blood pressure 150 over 90, no, 95.", schema)
    assert found.text.text == "Blood pressure 150 over 95."
    assert [one.unsure for one in found.corrections] == [True]
    assert corrected("Blood pressure 130 over 70, no, 140.", schema).text.text == "Blood pressure 140 over 70."


def test_a_correction_without_a_target_is_kept_as_a_doubt(schema: Schema) -> None:
    heard = "Lungs are clear, correction, the family has called."
    found = corrected(heard, schema)
    assert (found.text.text, found.corrections) == (heard, ())
    assert [heard[slice(*span)] for span in found.unplaced] == ["correction"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Pulse 110 at 1120, sorry, 1115.", "Pulse 110 at 1115."),
        ("Pulse 110 at 11:20, correction, 11:15.", "Pulse 110 at 11:15."),
        ("Voided 350 at 0630, no, 0615.", "Voided 350 at 0615."),
        ("Voided 350 at 0630, sorry, 300.", "Voided 300 at 0630."),
        ("At 1120 pulse 110, sorry, 115.", "At 1120 pulse 115."),
    ],
)
def test_a_time_of_day_replaces_only_a_time_of_day(schema: Schema, text: str, meant: str) -> None:
    assert corrected(text, schema).text.text == meant
