"""Dictations that move on to another patient: statements about others are never charted."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals
from extraction.language.sentences import segment
from extraction.preparation.people.other_patients import NOBODY, Person, of_others, parts_by_patient
from extraction.preparation.prepared_transcript import PreparedTranscript
from tests.kit.speech import after_the_last_rules
from tests.kit.store import SCHEMA

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")

TWO = "Bed 12. Heart rate is 90. Moving on to bed 14. Heart rate is 72."


def called(text: str) -> list[tuple[str, str]]:
    return [(part.called, text[part.start : part.end].strip()) for part in parts_by_patient(text)]


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
def test_a_dictation_is_split_into_parts(text: str, names: list[str]) -> None:
    assert [name for name, _ in called(text)] == names


PIECES = st.lists(st.sampled_from([*"bed 1234.,", "Moving on to bed 7. ", "Bed 12. ", "Mr. Lund "]), max_size=30)


@given(PIECES)
def test_parts_cover_the_whole_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = parts_by_patient(text)
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
def test_parts_about_others_are_recognised_by_the_bed(person: Person, others: list[str]) -> None:
    found, naming = of_others(TWO, person)
    assert [part.called for part in found] == others
    assert not naming.doubtful
    assert naming.others == found


def test_a_name_is_compared_with_the_last_name() -> None:
    text = "This is Mrs. Okafor. Pain is 3. Next patient is Mr. Lund. Pain is 6."
    assert [part.called for part in of_others(text, Person("Okafor, Ada"))[0]] == ["Mr. Lund"]
    assert [part.called for part in of_others(text, Person("Per Lund", "3"))[0]] == ["Mrs. Okafor"]


def test_text_before_any_name_belongs_to_the_open_patient() -> None:
    text = "Pain is 3. Moving on to bed 14. Pain is 6."
    assert [part.called for part in of_others(text, Person("Ann", "12"))[0]] == ["bed 14"]
    assert [part.called for part in of_others(text, Person("Bob", "14"))[0]] == [""]


def test_without_an_open_patient_nothing_is_removed() -> None:
    parts_of_others, naming = of_others("Pain is 3. Moving on to bed 14. Pain is 6.", NOBODY)
    assert parts_of_others == ()
    assert naming.called == {"bed 14"}


def test_naming_only_other_patients_asks_for_confirmation() -> None:
    for person in (Person("Ann", "7"), NOBODY):
        found, naming = of_others(TWO, person)
        assert found == ()
        assert naming.called == {"bed 12", "bed 14"}
        assert naming.other
        assert not naming.mixed


def test_a_single_patient_changes_nothing() -> None:
    text = "Bed 12. Heart rate is 90."
    found, naming = of_others(text, Person("Ann", "12"))
    assert (found, naming.doubtful, [one.called for one in naming.named]) == ((), False, ["bed 12"])
    assert PreparedTranscript.of(text, SCHEMA, Person("Ann", "12")).plain


# around the models


def value_of(said: PreparedTranscript, words: str) -> FilledValue:
    start = said.text.text.index(words)
    around = next(one for one in segment(said.text.text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue("hr", float(words), "/min", evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", "hr", 0), "test")


def test_the_models_read_only_one_patient_and_values_point_into_the_whole_text() -> None:
    said = PreparedTranscript.of(TWO, SCHEMA, Person("Bob", "14"))
    assert "90" not in said.text.text
    found = after_the_last_rules(said, Proposals((value_of(said, "72"),), ()), SCHEMA, NOW).values[0]
    assert TWO[found.evidence.start : found.evidence.end] == "72"
    assert found.findings == ()
    assert [(one.text.strip(), one.why) for one in said.set_aside] == [("Bed 12. Heart rate is 90.", "about bed 12")]


def test_the_doubt_applies_to_the_dictation_rather_than_to_values() -> None:
    said = PreparedTranscript.of(TWO, SCHEMA, Person("Cid", "7"))
    assert said.text.text == TWO
    (found,) = after_the_last_rules(said, Proposals((value_of(said, "72"),), ()), SCHEMA, NOW).values
    assert found.findings == ()
    assert said.naming.doubtful
    assert said.set_aside == ()


NAMING = st.sampled_from(
    ["Bed 12. ", "This is bed 7. ", "Mr. Lund in 14 is calm. ", "Moving on to 14A. ", "Alvarez is calm. ", "MRN 4711. "]
)


@given(st.lists(NAMING, max_size=5), st.integers(2, 6))
def test_values_do_not_repeat_the_doubt_about_the_patient(pieces: list[str], count: int) -> None:
    text = "".join(pieces) + "".join(f"Heart rate is {70 + place}. " for place in range(count))
    said = PreparedTranscript.of(text, SCHEMA, Person("Novak, Anna", "14B", "99"), (Person("Alvarez, Luis", "12"),))
    values = [value_of(said, str(70 + place)) for place in range(count) if str(70 + place) in said.text.text]
    found = after_the_last_rules(said, Proposals(tuple(values), ()), SCHEMA, NOW).values
    assert [value.findings for value in found] == [()] * len(values)


def test_a_part_about_another_patient_in_the_middle_is_removed() -> None:
    text = "Bed 12. Pain is 3. Moving on to bed 14. Pain is 6. Back to bed 12. He is calm."
    said = PreparedTranscript.of(text, SCHEMA, Person("Ann", "12"))
    assert said.text.text == "Bed 12. Pain is 3. Back to bed 12. He is calm."


@pytest.mark.parametrize(
    ("person", "doubtful"),
    [(Person("Ann", "12"), False), (Person("Ann", ""), False), (NOBODY, False), (Person("Ann", "14"), True)],
)
def test_a_dictation_that_names_only_another_bed_is_doubted(person: Person, doubtful: bool) -> None:
    text = "This is the morning assessment for bed 12. Heart rate 90."
    found, naming = of_others(text, person)
    assert (found, naming.doubtful, naming.other) == ((), doubtful, doubtful)
    assert [text[one.start : one.end] for one in naming.strangers] == (["bed 12"] if doubtful else [])


def test_a_dictation_that_names_only_another_patient_is_doubted() -> None:
    text = "This is the assessment for Mrs. Okafor. Heart rate 90."
    assert not of_others(text, Person("Okafor, Ben", "3"))[1].doubtful
    assert of_others(text, Person("Hawthorne, Ada", "12"))[1].called == {"Mrs. Okafor"}
    assert not of_others(text, Person("", "12"))[1].doubtful


NOVAK = Person("Novak, Anna", "14B", "123456", "1950-02-03")
WARD = (
    Person("Alvarez, Luis", "12", "004455"),
    Person("Lund, Per", "3"),
    Person("Novak, Jana", "7"),
    Person("Foley, Jim", "9"),
    Person("Müller, Eva", "2"),
)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("Mr. Alvarez in 12, heart rate 88.", "name", "Mr. Alvarez in 12"),
        ("Mr. Alvarez in bed 12 is calm.", "name", "Mr. Alvarez in bed 12"),
        ("Patient in room 12 is calm.", "room", "room 12"),
        ("This is for bed twelve. Heart rate 80.", "bed", "bed twelve"),
        ("Assessment for my patient in 12. Heart rate 80.", "bed", "12"),
        ("I'm with the patient in bed 12. Heart rate 80.", "bed", "bed 12"),
        ("Next is 12. Heart rate 80.", "bed", "12"),
        ("Bed 14 A, heart rate 80.", "bed", "Bed 14 A"),
        ("Bed fourteen A. Heart rate 80.", "bed", "Bed fourteen A"),
        ("14A. Heart rate 80.", "bed", "14A"),
        ("Bed 14. Heart rate 80.", "bed", "Bed 14"),
        ("Bed 14 a foley was placed.", "bed", "Bed 14"),
        ("Vitals for bed 12: heart rate 80.", "bed", "bed 12"),
        ("Pain for bed 12 is 4.", "bed", "bed 12"),
        ("Alvarez is calm.", "name", "Alvarez"),
        ("Alvarez's chest tube drained 150 mL.", "name", "Alvarez"),
        ("Then I turned Alvarez to the left.", "name", "Alvarez"),
        ("Mrs. Muller is calm.", "name", "Mrs. Muller"),
        ("Mr. Foley is calm.", "name", "Mr. Foley"),
        ("Mr. Novak in bed 7 is calm.", "name", "Mr. Novak in bed 7"),
        ("This is Mrs. Okafor in bed 14B.", "name", "Mrs. Okafor in bed 14B"),
        ("Heart rate 80. The MRN is 004455.", "number", "MRN is 004455"),
        ("Medical record number 99 88 77.", "number", "Medical record number 99 88 77"),
        ("Heart rate was 88, no sorry, that was bed twelve, she was 92.", "bed", "bed twelve"),
        ("Right so bed three has a new line.", "bed", "bed three"),
        ("Just turned bed 12.", "bed", "bed 12"),
        ("ICU bed 12, fourteen hundred assessment.", "bed", "bed 12"),
        ("Luis's blood pressure is 120 over 70.", "name", "Luis"),
        ("Jana is doing well.", "name", "Jana"),
        ("Right, so this is Luis.", "name", "Luis"),
        ("In the corner, Eva, heart rate 80.", "name", "Eva"),
        ("Morning, Luis. Heart rate 80.", "name", "Luis"),
        ("Vitals for Luis at two.", "name", "Luis"),
        ("Moving on to Luis. Heart rate 80.", "name", "Luis"),
        ("And Luis is calm.", "name", "Luis"),
        ("Lund. Heart rate 80.", "name", "Lund"),
        ("Moving to twelve. Heart rate 80.", "bed", "twelve"),
        ("DOB 2 November 1938. Heart rate 80.", "birth", "DOB 2 November 1938"),
        ("Date of birth is November 2nd, 1938.", "birth", "Date of birth is November 2nd, 1938"),
        ("Born on 11/02/1938, heart rate 80.", "birth", "Born on 11/02/1938"),
        ("She is calm. The lady opposite voided 250.", "described", "The lady opposite"),
        ("Heart rate 91, temp 38. That was the woman in the next bed.", "described", "the woman in the next bed"),
        ("Pulse 88 for the gentleman with the chest drain.", "described", "the gentleman with"),
        ("Her neighbour's catheter drained 300.", "described", "Her neighbour"),
        ("Next patient along, pulse 70.", "described", "Next patient along"),
        ("Her son's blood sugar was 5.1, he felt faint.", "described", "Her son's"),
    ],
)
def test_other_references_to_another_patient_are_recognised(text: str, kind: str, words: str) -> None:
    naming = of_others(text, NOVAK, WARD)[1]
    assert [(one.kind, one.text) for one in naming.strangers] == [(kind, words)]
    assert all(text[one.start : one.end] == one.text for one in naming.named)
    assert naming.doubtful
    assert naming.other


@pytest.mark.parametrize(
    "text",
    [
        "Bed 14 B, heart rate 80.",
        "Bed fourteen B. Heart rate 80.",
        "Bed 14B A&O times four.",
        "Room 14, heart rate 80.",
        "Mrs. Novak is calm.",
        "Ms. Novak in 14B is calm.",
        "Novak's chest tube drained 150 mL.",
        "MRN 0123456, heart rate 80.",
        "Her roommate in bed 13 is loud.",
        "Foley is patent. The Foley drains.",
        "Dr. Alvarez was here. Her nurse Alvarez came.",
        "Mrs. Lund visited.",
        "This is 12 hours post op. Going to 2 liters.",
        "She was moved from bed 15 to bed 16.",
        "Still waiting for bed 12. The bed alarm is on. Bed in lowest position.",
        "Head of bed 30. HOB 30. Bed 30 degrees. Foot of the bed 12 inches up.",
        "Back in bed 92 over 50. Settled to bed 21:15. In bed 122/66. Out of bed 2 hours.",
        "Luis from transport came. Jana, her daughter, phoned. Eva helped me turn her.",
        "Anna is calm. Anna's pain is 3.",
        "Checked and witnessed by Eva. Luis and I turned her. I called Jana.",
        "DOB 3 February 1950. Date of birth 02/03/1950. Born in 1938.",
        "She chatted with the lady opposite for 20 minutes. The lady opposite was loud.",
        "Her son's phone number is 555 0123. Her sister's visit took 2 hours. Her neighbour's radio is loud.",
        "Her roommate brought a new one.",
        "Pulse 80. Finished with Anna.",
    ],
)
def test_text_that_names_nobody_else_raises_no_question(text: str) -> None:
    assert not of_others(text, NOVAK, WARD)[1].doubtful


def test_an_aside_about_another_bed_ends_with_its_sentence_and_is_doubted() -> None:
    text = "Bed 14B. No catheter. Bed 7 has the catheter. Glucose 180."
    others, naming = of_others(text, NOVAK, WARD)
    assert [text[part.start : part.end] for part in others] == ["Bed 7 has the catheter."]
    assert [one.text for one in naming.strangers] == ["Bed 7"]
    back = "Bed 14B. No catheter. Bed 7 has the catheter. Back to bed 14B. Glucose 180."
    assert not of_others(back, NOVAK, WARD)[1].doubtful


@pytest.mark.parametrize(
    "aside",
    [
        "Bed 7's got a drain that put out 250.",
        "In bed 7 there is a catheter that drained 250.",
        "Room 7 needs a sitter.",
        "Mrs. Hughes has a fever of 38.6.",
        "Mrs. Hughes's drain had 90 in it.",
        "Bed 7 voided 250.",
        "Oh, and bed 7, who wants the commode, voided 250.",
        "Bed 7, by the way, drained 300.",
    ],
)
def test_what_is_said_of_somebody_else_in_passing_ends_with_its_sentence(aside: str) -> None:
    text = f"Bed 14B. Pulse 80. {aside} Glucose 180. Pain is 3."
    others, naming = of_others(text, NOVAK, WARD)
    assert [text[part.start : part.end] for part in others] == [aside]
    assert naming.doubtful
    assert any(text.index(aside) <= one.start < text.index(aside) + len(aside) for one in naming.places)


def test_an_aside_ends_within_its_sentence_where_the_patient_is_meant_again() -> None:
    text = "Bed 14B. Pulse 80. Bed 7 has a drain with 250, but she's on 2 liters. Glucose 180."
    others, naming = of_others(text, NOVAK, WARD)
    assert [text[part.start : part.end] for part in others] == ["Bed 7 has a drain with 250, "]
    assert naming.doubtful


def test_each_aside_ends_by_itself() -> None:
    text = "Bed 14B. Bed 7's temp is 38.6. Bed 7's pulse is 99. Glucose 180. Bed 7 voided 250. Pain is 3."
    others, _ = of_others(text, NOVAK, WARD)
    said = " ".join(text[part.start : part.end] for part in others)
    assert said == "Bed 7's temp is 38.6. Bed 7's pulse is 99. Bed 7 voided 250."


def test_after_an_aside_a_dictation_may_go_over_to_the_same_patient_and_back() -> None:
    text = "Pulse 80. Bed 7 has the catheter. Moving on to bed 7. Glucose 180. Pain is 3. Back to 14B. Temp 37.2."
    others, _ = of_others(text, NOVAK, WARD)
    assert [text[part.start : part.end] for part in others] == ["Moving on to bed 7. Glucose 180. Pain is 3. "]


@pytest.mark.parametrize("words", ["the man next door", "The little one in the cot"])
def test_every_place_of_a_described_stranger_is_found(words: str) -> None:
    text = f"Pulse 80. And {words} had 38.6. Glucose 180. That was {words}, temp 38."
    said = PreparedTranscript.of(text, SCHEMA, NOVAK)
    assert [one.text for one in said.strangers] == [words, words]


def test_what_is_said_after_the_patient_was_left_is_doubted() -> None:
    naming = of_others("Pulse 80. Moving on from Mrs. Novak now. Pulse 92.", NOVAK, WARD)[1]
    assert [one.text for one in naming.strangers] == ["Moving on from Mrs. Novak"]
    assert naming.doubtful
    assert not naming.other


def test_a_shared_room_is_doubted() -> None:
    text = "Room 14. Heart rate 80."
    assert not of_others(text, NOVAK, WARD)[1].doubtful
    assert of_others(text, NOVAK, (*WARD, Person("Bo", "14A")))[1].called == {"room 14"}


def test_a_name_within_a_part_about_others_is_set_aside() -> None:
    text = "Bed 14B. Heart rate 80. Moving on to bed 12. Alvarez is calm. Heart rate 90."
    others, naming = of_others(text, NOVAK, WARD)
    assert [part.called for part in others] == ["bed 12"]
    assert not naming.doubtful
    assert naming.others == others


@pytest.mark.parametrize(
    "person", [Person("", "24"), Person("Lind, Eva"), Person("Lind, Eva", "24"), Person("Eva", "24")]
)
def test_a_patient_named_with_a_bed_is_recognised_by_either(person: Person) -> None:
    text = "Mr. Okoye in bed 23 is on BiPAP. Mrs. Lind in bed 24 is on room air. Mr. Okoye is calm. Bed 24. She sleeps."
    found, naming = of_others(text, person)
    assert [text[part.start : part.end].strip() for part in found] == [
        "Mr. Okoye in bed 23 is on BiPAP.",
        "Mr. Okoye is calm.",
    ]
    assert not naming.doubtful


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Pain for bed 15 is 2 out of 10, for bed 16 it's 9.", {"bed 15", "bed 16"}),
        ("Mr. Lund is at 36.9 and Mrs. Okafor at 38.2.", {"Mr. Lund", "Mrs. Okafor"}),
        ("She was moved from bed 15 to bed 16.", set()),
        ("Mrs. Okafor and her husband, Mr. Lund, understood the plan.", set()),
    ],
)
def test_a_sentence_about_several_patients_is_doubted(text: str, named: set[str]) -> None:
    naming = of_others(text, NOBODY)[1]
    assert (naming.mixed, naming.called) == (bool(named), named)


def test_a_sentence_about_several_patients_is_doubted_even_with_the_open_one() -> None:
    naming = of_others("Pain for bed 15 is 2 out of 10, for bed 16 it's 9.", Person("Ann", "16"))[1]
    assert naming.mixed
    assert naming.called == {"bed 15"}
    assert not naming.other
