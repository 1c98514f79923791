"""Lists of patients from other systems: read without guessing, and compared before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.chart.patient_identity import Identity
from app.chart.records import Patient
from app.services.patients.ward_list import parse_ward_list, read_ward_list
from app.services.patients.ward_list_import import plan_of
from app.store import Store
from models.base.errors import InputError

PLAIN = "Name,MRN,DOB,Bed\nNovak Anna,123,1950-02-03,14B\n"
ANNA = Identity("Novak Anna", "14B", "123", "1950-02-03")


def lines(text: str, day_first: bool | None = None) -> list[Identity]:
    return [one.identity for one in parse_ward_list(text.encode(), day_first=day_first).patients]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "Record number;Birth date;Room;Bed;Last name;First name\r\n123;3 Feb 1950;14;B;Novak;Anna\r\n",
        "PATIENT NAME\tMedical Record No.\tDate of birth\tBed No\nNovak Anna\t123\t03-FEB-1950\tBed 14B\n",
        '\n"Name"|"MRN"|"Born"|"Location"|Ward\n"Novak Anna"|"123"|"1950-02-03 00:00:00"|"14B"|7\n',
        'Name,MRN,DOB,Bed\nNovak Anna,"=""123""",19500203,14B\n',
    ],
)
def test_lists_of_many_systems_say_the_same(text: str) -> None:
    (who,) = lines(text)
    assert (who.mrn, who.birth_date, who.bed.replace(" ", "")) == ("123", "1950-02-03", "14B")
    assert who.name in ("Novak Anna", "Novak, Anna")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_encoding_is_found(encoding: str) -> None:
    data = "Name;MRN\nMüller, José;7\n".encode(encoding)
    assert [one.identity.name for one in parse_ward_list(data).patients] == ["Müller, José"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("Novak Anna,123\n", "does not name the columns"),
        ("Name,Bed\nNovak Anna,3\n", "does not name the columns"),
        ("Name,MRN,Record number\nA,1,2\n", "two columns for the same"),
        ("PK\x03\x04\x00\x00", "not a text file"),
    ],
)
def test_what_is_no_list_is_refused_whole(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        parse_ward_list(text.encode(), "ward.csv")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (",1,1950-02-03,1", "no name"),
        ("Lee,,,1", "no second identifier"),
        ("Lee,-,n/a,1", "no second identifier"),
        ("Lee,1,2999-01-01,1", "future"),
        ("Lee,1,3/2/50,1", "not a date of birth"),
        ("Lee,1,18297,1", "not a date of birth"),
        ("=HYPERLINK(1),1,,1", "formula"),
        ("Lee,'+1,,1", "formula"),
        ("Lee,1.2E+11,,1", "shortened"),
        ("Lee,1,,1,more", "more columns"),
        ("Lee,1,03/02/1950,1", "day first or month first"),
    ],
)
def test_a_line_that_cannot_be_taken_says_why_and_where(line: str, why: str) -> None:
    found = parse_ward_list(f"{PLAIN}{line}\n".encode())
    assert [one.identity for one in found.patients] == [ANNA]
    (refused,) = found.refused
    assert refused.line == 3
    assert why in refused.reason


def test_the_order_of_dates_is_taken_from_the_list_or_from_a_person_and_never_guessed() -> None:
    text = "Name,MRN,DOB\nLee,1,03/02/1950\n"
    assert lines(text) == []
    assert parse_ward_list(text.encode()).example == "03/02/1950"
    assert lines(text, day_first=True)[0].birth_date == "1950-02-03"
    assert lines(text, day_first=False)[0].birth_date == "1950-03-02"
    assert lines(f"{text}Roy,2,25/12/1960\n")[0].birth_date == "1950-02-03"
    assert lines(f"{text}Roy,2,12/25/1960\n")[0].birth_date == "1950-03-02"
    both = f"{text}Roy,2,12/25/1960\nKim,3,25/12/1960\n"
    assert [who.name for who in lines(both)] == ["Roy", "Kim"]


def test_lines_that_contradict_each_other_are_all_left_out() -> None:
    found = parse_ward_list(
        b"Name,MRN,Bed\nLee,1,1\nLee,1,1\nRoy,2,2\nKim,2,3\nJo,4,4\nAl,5,Bed 4\nEd,6,7\n",
    )
    assert [one.identity.name for one in found.patients] == ["Lee", "Ed"]
    assert [(one.line, one.reason) for one in found.refused] == [
        (3, "Repeats line 2."),
        (4, "Has the same MRN as line 5."),
        (5, "Has the same MRN as line 4."),
        (6, "Has the same bed as line 7."),
        (7, "Has the same bed as line 6."),
    ]


def test_a_line_break_in_a_cell_counts_as_a_line_of_the_file() -> None:
    found = parse_ward_list(b'Name,MRN\n"Lee\nAnn",1\nRoy,\n')
    assert found.patients[0].identity.name == "Lee Ann"
    assert found.refused[0].line == 4


# what would change


def patient(number: int, name: str, bed: str, mrn: str, born: str = "", left: str = "") -> Patient:
    return Patient(number, name, bed, mrn, born, discharged_at=left)


def test_a_plan_names_new_changed_unchanged_missing_and_conflicts() -> None:
    known = [
        patient(1, "Novak, Anna", "14B", "123", "1950-02-03"),
        patient(2, "Okafor, Ben", "3", "77"),
        patient(3, "Gone, Ida", "5", "88"),
        patient(4, "Back, Al", "6", "99", left="2026-01-01T00:00:00+00:00"),
        patient(5, "Other, Eve", "9", "55", "1944-01-01"),
    ]
    text = (
        "Name,MRN,DOB,Bed\nAnna Novak,123,1950-02-03,Bed 14b\nOkafor Ben,77,1960-05-05,4\nNew Ed,44,,7\n"
        "Al Back,99,,6\nWrong Name,55,1955-01-01,9\n"
    )
    plan = plan_of(parse_ward_list(text.encode()), known)
    assert [who.name for who in plan.unchanged] == ["Novak, Anna"]
    assert [(one.before.name, one.words) for one in plan.changed] == [
        ("Okafor, Ben", ("date of birth – → 1960-05-05", "bed 3 → 4")),
        ("Back, Al", ("readmitted",)),
    ]
    assert [one.identity.name for one in plan.new] == ["New Ed"]
    assert [who.name for who in plan.missing] == ["Gone, Ida"], "a patient in a conflicting line is not missing"
    assert [(one.line, one.reason) for one in plan.conflicts] == [
        (6, "MRN 55 is Other, Eve, born 1944-01-01, not 1955-01-01.")
    ]


def test_the_bed_of_a_missing_patient_is_free_once_they_are_to_be_discharged() -> None:
    known = [patient(1, "Gone, Ida", "5", "88")]
    listed = parse_ward_list(b"Name,MRN,Bed\nNew Ed,44,5\n")
    assert "Bed 5 is taken by Gone, Ida" in plan_of(listed, known).conflicts[0].reason
    freed = plan_of(listed, known, discharging={1})
    assert (freed.conflicts, [one.identity.name for one in freed.new]) == ((), ["New Ed"])
    held = plan_of(listed, known, {1: ["night.wav (not filed)"]}, discharging={1})
    assert held.conflicts
    assert not held.discharging


def test_what_a_plan_says_is_what_is_written(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        store.patients.add("Novak, Anna", "1", "1")
        store.patients.add("Okafor, Ben", "2", "2")
        store.patients.add("Gone, Ida", "3", "3")
        file = tmp_path / "ward.csv"
        file.write_text("Name,MRN,Bed\nNovak Anna,1,2\nOkafor Ben,2,3\nNew Ed,4,1\n", encoding="utf-8")
        gone = store.patients.find("Gone, Ida", "3", "3")
        assert gone
        plan = plan_of(read_ward_list(file), store.patients.all(), discharging={gone.id})
        store.patients.change(plan.changes, "Kim")
        beds = {who.name: who.bed for who in store.patients.present()}
        assert beds == {"Novak, Anna": "2", "Okafor, Ben": "3", "New Ed": "1"}
        again = plan_of(read_ward_list(file), store.patients.all())
        assert (again.new, again.changed, again.conflicts, again.missing) == ((), (), (), ())
