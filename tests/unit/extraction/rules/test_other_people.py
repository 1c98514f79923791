"""Values near another patient's bed or name, and of a mother's newborn, are never charted unlit for the patient."""

from __future__ import annotations

import datetime as dt

import pytest

from app.pipeline import PipelineResult
from extraction.filling.task import Task
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Proposals, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.preparation.people.other_patients import Person
from tests.kit.steps import charted, read

NUMBER, SELECT = ValueType.NUMERIC, ValueType.SINGLE_SELECT
MOTHERS = (
    Row("hr", "Heart rate", NUMBER, ("Vitals",), unit="/min", minimum=20, maximum=250),
    Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("Vitals",), unit="mm[Hg]"),
    Row("pain", "Pain score", NUMBER, ("Pain",), minimum=0, maximum=10),
    Row("tone", "Muscle tone", SELECT, ("Neuro",), (Option("Normal", ("good tone",)), Option("Flaccid"))),
)
CHILDS = (
    Row("newborn tone", "Newborn tone", SELECT, ("Newborn",), (Option("Good", ("good tone",)),)),
    Row("fhr", "Fetal heart rate", NUMBER, ("Fetal monitoring",), unit="/min", minimum=60, maximum=240),
)
SAID_AT = dt.datetime(2026, 11, 27, 14, 0, tzinfo=dt.UTC)
WARD = (Person("Lund, Vera", "8"), Person("Brandt, Otto", "4"))
MOTHER, CHILD = Person("Okafor, Ada", "6", born="1992-02-02"), Person("Okafor, Ben", "6", born="2026-10-30")
UNKNOWN = Person("Okafor, Ada", "6")

Said = tuple[str, Value, str]


def result(text: str, *said: Said, person: Person = MOTHER, newborn_rows: bool = False) -> PipelineResult:
    """What is charted of a text in which the models read `said`, where its words are left."""

    def reader(task: Task) -> Proposals:
        return Proposals(tuple(read(task.text, *one) for one in said if one[2] in task.text), ())

    schema = Schema("ward", "Ward", "1", (*MOTHERS, *(CHILDS if newborn_rows else ())), "0" * 64, "ward.json")
    return charted(text, schema, reader, EncounterContext(SAID_AT, person=person, ward=WARD))


def values(found: PipelineResult) -> list[tuple[str, Value, bool]]:
    """The row, value and whether it is lit of each proposal, in order."""
    shown = [(value.row_id, value.value, bool(value.flags)) for value in found.values]
    return sorted(shown, key=lambda one: (one[0], str(one[1])))


@pytest.mark.parametrize(
    "text",
    [
        "Pulse was eighty-six, no sorry, that was bed eight, she was ninety four.",
        "Pulse was eighty-six. No sorry, that was bed eight. She was ninety four.",
        "Pulse was 86, wait, that's Vera's, hers is 94.",
        "Pulse was 86. That was bed 8, she was 94.",
    ],
)
def test_a_number_beside_another_bed_or_name_is_lit_and_the_other_number_is_offered(text: str) -> None:
    found = result(text)
    assert values(found) == [("hr", 86.0, True)]
    (value,) = found.values
    assert [one for one, _ in value.alternatives] == ["94"]
    assert any("check whose value this is" in flag for flag in value.flags)


def test_a_number_read_from_the_later_words_is_lit_and_offers_the_earlier_one() -> None:
    found = result("It was 86, no, that was bed 8, she was 94, her pulse.", ("hr", 94.0, "94"))
    assert values(found) == [("hr", 94.0, True)]
    assert [one for one, _ in found.values[0].alternatives] == ["86"]


def test_an_option_beside_another_bed_is_lit() -> None:
    assert values(result("Good tone, hang on, that is bed 8.", ("tone", "Normal", "Good tone"))) == [
        ("tone", "Normal", True)
    ]


def test_only_the_sentences_around_another_name_are_doubted() -> None:
    text = "Heart rate is 80. Pain is 2. Vera's pressure was 150 over 90."
    assert values(result(text)) == [("bp", "150/90", True), ("hr", 80.0, False), ("pain", 2.0, False)]


def test_after_an_aside_the_next_sentence_is_doubted() -> None:
    found = result("Bed 6. Heart rate is 80. Bed 8's got a pressure of 90 over 50. Pain is 2.")
    assert values(found) == [("hr", 80.0, False), ("pain", 2.0, True)]


def test_a_number_near_somebody_described_is_lit() -> None:
    assert values(result("Heart rate is 80. The man next door has a pain score of 7.")) == [
        ("hr", 80.0, False),
        ("pain", 7.0, True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Bed 6. Heart rate is 80. Moving on to bed 8. Heart rate is 99.",
        "Bed 6, heart rate is 80.",
        "Transferred from bed 8. Heart rate is 80.",
        "Vera helped me turn her. Heart rate is 80.",
        "The bed alarm is on. Heart rate is 80.",
    ],
)
def test_a_number_is_not_doubted_where_nobody_elses_can_be_meant(text: str) -> None:
    assert values(result(text)) == [("hr", 80.0, False)]


MOTHER_AND_CHILD = (
    "Fundus firm, heart rate 88. Baby boy, heart rate 140, good tone, weighs 3200 grams. He is pink. Mum's pain is 2."
)


def test_what_is_said_of_a_newborn_is_set_aside_until_the_mother_is_named_again() -> None:
    found = result(MOTHER_AND_CHILD, ("tone", "Normal", "good tone"))
    assert values(found) == [("hr", 88.0, False), ("pain", 2.0, False)]
    (aside,) = found.set_aside
    assert (aside.text.strip(), aside.why) == (
        "Baby boy, heart rate 140, good tone, weighs 3200 grams. He is pink.",
        "about the newborn (“Baby boy”)",
    )


def test_rows_of_a_newborn_are_filled_and_the_mothers_are_not() -> None:
    said = (("tone", "Normal", "good tone"), ("newborn tone", "Good", "good tone"))
    found = result(MOTHER_AND_CHILD, *said, newborn_rows=True)
    assert ("newborn tone", "Good", False) in values(found)
    assert {row for row, _, _ in values(found)} == {"hr", "newborn tone", "pain"}
    (held_back,) = (value for value in found.held_back if value.row_id == "tone")
    assert held_back.notes == ("said of the newborn (“Baby boy”)",)


def test_the_fetal_heart_rate_stays_the_mothers() -> None:
    text = "Contractions every three minutes. Fetal heart rate is 140. Heart rate is 88."
    found = result(text, ("fhr", 140.0, "140"), newborn_rows=True)
    assert ("fhr", 140.0) in [one[:2] for one in values(found)]


def test_mom_is_the_patient_beside_her_newborn() -> None:
    text = "Fundus firm. Baby girl, heart rate 140. Mom's heart rate is 88."
    assert values(result(text)) == [("hr", 88.0, False)]
    assert values(result("Mom's heart rate is 88. Pain is 2.")) == [("pain", 2.0, False)]  # the patient's mother


def test_a_baby_who_is_the_patient_is_charted() -> None:
    text = "Baby is settled, heart rate 140."
    assert values(result(text, person=CHILD)) == [("hr", 140.0, False)]
    assert values(result(text, person=Person("Okafor, Baby girl", "6"))) == [("hr", 140.0, False)]


def test_a_baby_who_may_be_the_patient_is_charted_and_lit() -> None:
    assert values(result("Baby is settled, heart rate 140.", person=UNKNOWN)) == [("hr", 140.0, True)]
    assert values(result("Fundus firm. Baby is settled, heart rate 140.", person=UNKNOWN)) == []
