"""Dictations that go on to another patient: what is said of others never reaches the chart."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.patients import NOBODY, Person, of_others, parts
from extraction.propose import Proposals
from extraction.said import Said
from extraction.segment import segment
from extraction.values import Evidence, FilledValue, Neighbour
from tests.store_kit import SCHEMA

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")

TWO = "Bed 12. Heart rate is 90. Moving on to bed 14. Heart rate is 72."


def called(text: str) -> list[tuple[str, str]]:
    return [(part.called, text[part.start : part.end].strip()) for part in parts(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TWO, ["bed 12", "bed 14"]),
        ("This is bed twelve. Pain is 3. Next is bed fourteen. Pain is 6.", ["bed 12", "bed 14"]),
        ("Bed 12. Pain is 3. Bed 14. Pain is 6. Back to bed 12. He is calm.", ["bed 12", "bed 14", "bed 12"]),
        ("Bed 12. Pain is 3. Bed 12. He is calm.", ["bed 12"]),
        ("In bed 12 pain is 3. In bed 12b pain is 6.", ["bed 12", "bed 12B"]),
        ("Room 302. Pain is 3. Room 304. Pain is 6.", ["room 302", "room 304"]),
        ("Okay, bed twenty one is calm. Okay, bed twenty-two is not.", ["bed 21", "bed 22"]),
        ("This is Mrs. Okafor. Pain is 3. Next patient is Mr. Lund. Pain is 6.", ["Mrs. Okafor", "Mr. Lund"]),
        ("Pain is 3. Moving on to bed 14. Pain is 6.", ["", "bed 14"]),
        ("Mrs. Alvarez voided 300. Mr. Tran is calm.", ["Mrs. Alvarez", "Mr. Tran"]),
        ("For Mr. Novak, pain is 3. For Ms. Bianchi, pain is 6.", ["Mr. Novak", "Ms. Bianchi"]),
        ("Mr. Okoye in bed 23 is calm. Mrs. Lind in bed 24 is not. Bed 23. He sleeps.",
            ["Mr. Okoye in bed 23", "Mrs. Lind in bed 24", "Mr. Okoye in bed 23"]),
        ("Skin is warm. Next door in bed 22, pain is 6.", ["", "bed 22"]),
        ("Bed 12. Mr. Lund is her husband. Mr. Lund visited.", ["bed 12"]),
        ("Bed 12. He was transferred from bed 3 to bed 5. Mrs. Lund visited. The bed alarm is on.", ["bed 12"]),
        ("This is the assessment for bed twelve. Her roommate in bed 13 is loud.", ["bed 12"]),
        ("Bed in lowest position, bed alarm on.", [""]),
        ("", [""]),
    ],
)  # fmt: skip
def test_a_dictation_falls_into_parts(text: str, names: list[str]) -> None:
    assert [name for name, _ in called(text)] == names


PIECES = st.lists(st.sampled_from([*"bed 1234.,", "Moving on to bed 7. ", "Bed 12. ", "Mr. Lund "]), max_size=30)


@given(PIECES)
def test_parts_are_the_whole_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = parts(text)
    assert "".join(text[part.start : part.end] for part in found) == text
    assert all(one.called != other.called for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("person", "others"),
    [
        (Person("Ann", "12"), ["bed 14"]),
        (Person("Ann", "Bed 14"), ["bed 12"]),
        (Person("Ann", "Ward 3, bed 12"), ["bed 14"]),
    ],
)
def test_the_parts_of_others_are_known_by_the_bed(person: Person, others: list[str]) -> None:
    found, doubt = of_others(TWO, person)
    assert ([part.called for part in found], doubt) == (others, "")


def test_a_name_is_compared_with_the_last_name() -> None:
    text = "This is Mrs. Okafor. Pain is 3. Next patient is Mr. Lund. Pain is 6."
    assert [part.called for part in of_others(text, Person("Okafor, Ada"))[0]] == ["Mr. Lund"]
    assert [part.called for part in of_others(text, Person("Per Lund", "3"))[0]] == ["Mrs. Okafor"]


def test_what_comes_before_anybody_is_named_is_the_open_patients() -> None:
    text = "Pain is 3. Moving on to bed 14. Pain is 6."
    assert [part.called for part in of_others(text, Person("Ann", "12"))[0]] == ["bed 14"]
    assert [part.called for part in of_others(text, Person("Bob", "14"))[0]] == [""]


def test_without_a_patient_nothing_is_cut() -> None:
    parts_of_others, doubt = of_others("Pain is 3. Moving on to bed 14. Pain is 6.", NOBODY)
    assert parts_of_others == ()
    assert "several patients (bed 14)" in doubt


def test_where_nobody_is_the_open_patient_it_is_said() -> None:
    for person in (Person("Ann", "7"), NOBODY):
        assert of_others(TWO, person) == (
            (),
            "the dictation speaks of several patients (bed 12, bed 14), and this one is not named",
        )


def test_one_patient_changes_nothing() -> None:
    text = "Bed 12. Heart rate is 90."
    assert of_others(text, Person("Ann", "12")) == ((), "")
    assert Said.of(text, SCHEMA, Person("Ann", "12")).plain


# around the models


def value_of(said: Said, words: str) -> FilledValue:
    start = said.text.text.index(words)
    around = next(one for one in segment(said.text.text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue("hr", float(words), "/min", evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", "hr", 0), "test")


def test_the_models_read_one_patient_alone_and_values_point_into_the_whole() -> None:
    said = Said.of(TWO, SCHEMA, Person("Bob", "14"))
    assert "90" not in said.text.text
    found = said.charted(Proposals((value_of(said, "72"),), ()), SCHEMA, NOW).values[0]
    assert TWO[found.evidence.start : found.evidence.end] == "72"
    assert found.problems == ()
    assert [(one.text.strip(), one.why) for one in said.set_aside] == [("Bed 12. Heart rate is 90.", "about bed 12")]


def test_values_of_somebody_unknown_carry_the_doubt() -> None:
    said = Said.of(TWO, SCHEMA, Person("Cid", "7"))
    assert said.text.text == TWO
    (found,) = said.charted(Proposals((value_of(said, "72"),), ()), SCHEMA, NOW).values
    assert found.problems == ("the dictation speaks of several patients (bed 12, bed 14), and this one is not named",)
    assert said.set_aside == ()


def test_a_part_between_two_of_ones_own_is_cut_out() -> None:
    text = "Bed 12. Pain is 3. Moving on to bed 14. Pain is 6. Back to bed 12. He is calm."
    said = Said.of(text, SCHEMA, Person("Ann", "12"))
    assert said.text.text == "Bed 12. Pain is 3. Back to bed 12. He is calm."


@pytest.mark.parametrize(
    ("person", "doubt"),
    [
        (Person("Ann", "12"), ""),
        (Person("Ann", ""), ""),
        (NOBODY, ""),
        (Person("Ann", "14"), "the dictation speaks of bed 12, and this is another patient"),
    ],
)
def test_a_dictation_that_names_another_bed_alone_is_doubted(person: Person, doubt: str) -> None:
    assert of_others("This is the morning assessment for bed 12. Heart rate 90.", person) == ((), doubt)


def test_a_dictation_that_names_another_patient_alone_is_doubted() -> None:
    text = "This is the assessment for Mrs. Okafor. Heart rate 90."
    assert of_others(text, Person("Okafor, Ben", "3")) == ((), "")
    assert "Mrs. Okafor" in of_others(text, Person("Hawthorne, Ada", "12"))[1]
    assert of_others(text, Person("", "12")) == ((), "")


@pytest.mark.parametrize(
    "person", [Person("", "24"), Person("Lind, Eva"), Person("Lind, Eva", "24"), Person("Eva", "24")]
)
def test_who_is_named_with_a_bed_is_known_by_either(person: Person) -> None:
    text = "Mr. Okoye in bed 23 is on BiPAP. Mrs. Lind in bed 24 is on room air. Mr. Okoye is calm. Bed 24. She sleeps."
    found, doubt = of_others(text, person)
    assert [text[part.start : part.end].strip() for part in found] == [
        "Mr. Okoye in bed 23 is on BiPAP.",
        "Mr. Okoye is calm.",
    ]
    assert doubt == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Pain for bed 15 is 2 out of 10, for bed 16 it's 9.", "bed 15, bed 16"),
        ("Mr. Lund is at 36.9 and Mrs. Okafor at 38.2.", "Lund, Okafor"),
        ("She was moved from bed 15 to bed 16.", ""),
        ("Mrs. Okafor and her husband, Mr. Lund, understood the plan.", ""),
    ],
)
def test_a_sentence_about_several_is_doubted(text: str, named: str) -> None:
    doubt = of_others(text, NOBODY)[1]
    assert doubt == (f"one sentence speaks of several patients ({named})" if named else "")
