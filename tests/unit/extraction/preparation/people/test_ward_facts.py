"""What the ward list knows of other patients, recognised however it is said."""

from __future__ import annotations

import pytest

from extraction.preparation.people.other_patients import of_others
from extraction.preparation.people.patient_names import Person

MINE = Person("Sorensen, Ida", "3", "6120458", "1947-08-19")
WARD = (
    Person("Valdivia, Ernesto", "12", "7730915", "1938-11-02"),
    Person("Braithwaite, Nell", "7", "5541208", "1971-06-30"),
    Person("Brown, Hope", "15", "9082217", "1949-08-30"),
)


@pytest.mark.parametrize(
    "text",
    [
        "This all goes under 7730915. Pulse 88.",
        "MRN five five four one two oh eight. Temp 37.1.",
        "Pulse 88, the hospital number is seven seven three zero nine one five.",
        "Born the second of November thirty-eight, pulse 88.",
        "The one whose birthday is June thirtieth nineteen seventy-one, pulse 88.",
        "It's 30 June 1971 on the wristband, pulse 88.",
        "Valdivya, pulse 88 and regular.",
        "mister val divia pulse 88",
        "Pulse 88, that's all for Hope Brown.",
        "valdivya ernesto, pulse 88",
        "Pulse 88, that's the lady in seven not this one.",
        "Number seven's pulse is 88.",
        "Hope in fifteen, pulse 88.",
        "Pulse 88. These were from Valdivia, she came first.",
    ],
)
def test_other_patients_are_recognised(text: str) -> None:
    assert of_others(text, MINE, WARD)[1].doubtful


@pytest.mark.parametrize(
    "text",
    [
        "MRN six one two zero four five eight, pulse 88.",
        "Born the nineteenth of August nineteen forty-seven, pulse 88.",
        "Her birthday is August nineteen forty-nine or so, she says. Pulse 88.",
        "The drain was placed on the second of November, output 38.",
        "Readings 7 7 3 0 9 over the night.",
        "Ernestine, her daughter, visited.",
        "I hope brown sputum is the last of it.",
        "Nail, left thumb, is loose.",
        "Man in 2 point restraints, pulse 88.",
        "Number seven of the staples is loose.",
        "Valve, mitral, replaced in 2019.",
    ],
)
def test_her_own_facts_and_ordinary_words_raise_no_question(text: str) -> None:
    assert not of_others(text, MINE, WARD)[1].doubtful
