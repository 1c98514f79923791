"""Patients in the store: nobody shares a number or a bed, every change is on record, and stays begin and end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from app.chart.patient_identity import (
    DuplicatePatient,
    Identity,
    OpenDictations,
    PatientChange,
    complete,
    shared_by_several,
)
from app.record.run import NO_RUN
from app.store import Store
from app.store.sqlite import migrations as store_migrations
from extraction.language.birth_dates import birth_dates
from models.base.errors import InputError
from tests.kit.store import filled, recorded

TODAY = date(2026, 11, 23)
ANNA = Identity("Novak, Anna", "14B", "123456", "1950-02-03")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "data" / "wardlight.db") as opened:
        yield opened


def test_two_patients_never_share_a_record_number(store: Store) -> None:
    anna = store.patients.add("Novak, Anna", "14B", "AB 123456")
    with pytest.raises(DuplicatePatient, match=r"Novak, Anna .*MRN AB 123456") as raised:
        store.patients.add("Nowak, Hanna", "3", " ab123456 ")
    assert (raised.value.patient, raised.value.shared) == (anna, "mrn")
    assert store.patients.all() == [anna]
    store.patients.add("Novak, Anna", "3", "0AB123456")  # a leading zero may tell two patients apart


def test_the_number_of_a_discharged_patient_is_refused_with_the_one_to_readmit(store: Store) -> None:
    anna = store.patients.discharge(store.patients.add("Novak, Anna", "14B", "1").id, "Kim")
    with pytest.raises(DuplicatePatient, match="was discharged") as raised:
        store.patients.add("Novak, Anna", "14B", "1")
    assert raised.value.patient == anna
    assert "Readmit" in raised.value.next_step


@pytest.mark.parametrize("bed", ["14b", "Bed 14B", "14 B", "bed: 14-b", "014B"])
def test_a_bed_holds_one_present_patient_however_it_is_written(store: Store, bed: str) -> None:
    anna = store.patients.add("Novak, Anna", "14B", "1")
    with pytest.raises(DuplicatePatient, match="Bed 14B is taken by Novak, Anna") as raised:
        store.patients.add("Okafor, Ben", bed, "2")
    assert raised.value.shared == "bed"
    store.patients.discharge(anna.id, "Kim")
    assert store.patients.add("Okafor, Ben", bed, "2").name == "Okafor, Ben"


def test_namesakes_with_one_birth_date_need_confirmation(store: Store) -> None:
    store.patients.add("Novak, Anna", "14B", "1", "1950-02-03")
    with pytest.raises(DuplicatePatient, match="same name and date of birth") as raised:
        store.patients.add("anna novak", "3", "2", "1950-02-03")
    assert raised.value.shared == "name"
    store.patients.add("anna novak", "3", "2", "1950-02-03", namesake=True)
    assert len(store.patients.all()) == 2
    store.patients.add("Novak, Anna", "5", "3", "1950-02-04")


def test_the_database_itself_refuses_what_slips_through(store: Store) -> None:
    for number in ("1", "2"):
        store.patients.add(f"Ann {number}", number, number)
    with pytest.raises(sqlite3.IntegrityError), store._database.write() as db:
        db.execute("UPDATE patients SET mrn_key = '1'")
    with pytest.raises(sqlite3.IntegrityError), store._database.write() as db:
        db.execute("UPDATE patients SET bed_key = '1'")


def test_every_change_is_on_record_and_cannot_be_taken_off_it(store: Store) -> None:
    anna = store.patients.add("Nowak, Anna", "14B", "123456", reviewer="Kim")
    store.patients.edit(anna.id, ANNA, "Lou")
    store.patients.edit(anna.id, Identity("Novak, Anna", "Bed 3", "123456", "1950-02-03"), "Lou")
    store.patients.discharge(anna.id, "Kim")
    store.patients.readmit(anna.id, "5", "Kim")
    events = store.patients.events(anna.id)
    assert [(event.action, event.reviewer) for event in events] == [
        ("add", "Kim"),
        ("edit", "Lou"),
        ("transfer", "Lou"),
        ("discharge", "Kim"),
        ("readmit", "Kim"),
    ]
    assert (events[1].before["name"], events[1].after["name"]) == ("Nowak, Anna", "Novak, Anna")
    assert (events[2].before["bed"], events[2].after["bed"]) == ("14B", "3")
    for change in ("UPDATE patient_events SET reviewer = ''", "DELETE FROM patient_events"):
        with pytest.raises(sqlite3.IntegrityError, match="only be added to"), store._database.write() as db:
            db.execute(change)


def test_an_edit_is_refused_as_adding_is_and_changes_nothing_then(store: Store) -> None:
    anna, ben = store.patients.add("Novak, Anna", "14B", "1"), store.patients.add("Okafor, Ben", "3", "2")
    for identity, shared in ((Identity("Okafor, Ben", "3", "1"), "mrn"), (Identity("Okafor, Ben", "14b", "2"), "bed")):
        with pytest.raises(DuplicatePatient) as raised:
            store.patients.edit(ben.id, identity, "Kim")
        assert (raised.value.shared, raised.value.patient) == (shared, anna)
    with pytest.raises(InputError, match="future"):
        store.patients.edit(ben.id, Identity("Okafor, Ben", "3", "2", "2999-01-01"), "Kim")
    assert store.patients.one(ben.id) == ben
    assert [event.action for event in store.patients.events(ben.id)] == ["add"]


def test_two_patients_swap_beds(store: Store) -> None:
    anna, ben = store.patients.add("Novak, Anna", "14B", "1"), store.patients.add("Okafor, Ben", "3", "2")
    assert store.patients.swap_beds(anna.id, ben.id, "Kim").bed == "3"
    assert store.patients.one(ben.id).bed == "14B"
    with pytest.raises(DuplicatePatient):
        store.patients.add("Third", "3", "3")


def test_a_discharge_names_what_is_not_filed_and_ends_the_stay(store: Store, tmp_path: Path) -> None:
    first = recorded(store, tmp_path)
    patient = store.patients.all()[0]
    with pytest.raises(OpenDictations, match=r"Bed 4\.WAV \(not finished\)"):
        store.patients.discharge(patient.id, "Kim")
    store.runs.save(first.id, [filled("hr", 110.0)], NO_RUN)
    with pytest.raises(OpenDictations, match=r"Bed 4\.WAV \(not filed\)"):
        store.patients.discharge(patient.id, "Kim")
    assert not store.patients.one(patient.id).discharged
    left = store.patients.discharge(patient.id, "Kim", anyway=True)
    assert left.discharged
    assert store.encounters.one(first.encounter_id).ended_at
    assert store.patients.present() == []
    assert store.patients.all() == [left]
    assert [value.row_id for value in store.values.of(first.id)] == ["hr"], "the chart stays readable"
    with pytest.raises(InputError, match="discharged"):
        store.encounters.open(patient.id)
    with pytest.raises(InputError, match="already"):
        store.patients.discharge(patient.id, "Kim")


def test_what_is_filed_does_not_hold_up_a_discharge(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    store.runs.save(dictation.id, [], NO_RUN)
    store.filings.file(dictation.id, "Kim", [])
    assert store.patients.discharge(store.patients.all()[0].id, "Kim").discharged


def test_a_readmission_begins_another_stay_in_a_free_bed(store: Store) -> None:
    anna = store.patients.add("Novak, Anna", "14B", "1")
    first = store.encounters.open(anna.id)
    store.patients.discharge(anna.id, "Kim")
    store.patients.add("Okafor, Ben", "14B", "2")
    with pytest.raises(DuplicatePatient, match="Okafor, Ben"):
        store.patients.readmit(anna.id, "14B", "Kim")
    back = store.patients.readmit(anna.id, "5", "Kim")
    assert (back.bed, back.discharged) == ("5", False)
    assert store.encounters.open(anna.id).id != first.id
    with pytest.raises(InputError, match="already"):
        store.patients.readmit(anna.id, "5", "Kim")


def test_a_dictation_can_be_moved_to_the_last_stay_of_a_discharged_patient(store: Store, tmp_path: Path) -> None:
    anna = store.patients.add("Novak, Anna", "14B", "1")
    stay = store.encounters.open(anna.id)
    store.patients.discharge(anna.id, "Kim")
    moved = recorded(store, tmp_path)
    store.dictations.move(moved.id, anna.id, "Kim", "wrong patient")
    assert store.dictations.one(moved.id).encounter_id == stay.id


def test_several_are_changed_together_or_not_at_all(store: Store) -> None:
    anna, ben = store.patients.add("Novak, Anna", "1", "1"), store.patients.add("Okafor, Ben", "2", "2")
    left = store.patients.add("Left, Ida", "3", "3")
    round_about = [
        PatientChange(anna, Identity("Novak, Anna", "2", "1")),
        PatientChange(ben, Identity("Okafor, Ben", "1", "2", "1960-01-01")),
        PatientChange(left, None),
        PatientChange(None, Identity("New, Ed", "3", "4")),
    ]
    store.patients.change(round_about, "Kim")
    assert {(patient.name, patient.bed) for patient in store.patients.present()} == {
        ("Novak, Anna", "2"), ("Okafor, Ben", "1"), ("New, Ed", "3"),
    }  # fmt: skip
    assert [event.action for event in store.patients.events(ben.id)] == ["add", "edit"]
    before = store.patients.all()
    with pytest.raises(InputError, match="changed in the meantime"):
        store.patients.change(
            [PatientChange(None, Identity("A", "7", "7")), PatientChange(anna, Identity("B", "9", "9"))], "Kim"
        )
    with pytest.raises(DuplicatePatient):
        store.patients.change(
            [PatientChange(None, Identity("A", "7", "7")), PatientChange(None, Identity("B", "7", "8"))], "Kim"
        )
    assert store.patients.all() == before


def test_an_older_database_with_duplicates_opens_and_keeps_them_to_be_resolved(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    database = sqlite3.connect(path)
    store_migrations.m0001_initial(database)
    database.execute("CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set, name, applied_at)")
    database.execute("INSERT INTO _sqlite_migrations VALUES (1, 'wardlight', 'm0001_initial', '2026-01-01')")
    rows = [("Novak, Anna", "14B", "1"), ("Okafor, Ben", "Bed 14b", "2"), ("Anna N.", "", "1"), ("Alias", "", "")]
    stamp = "2026-01-01T00:00:00.000+00:00"
    database.executemany("INSERT INTO patients VALUES (NULL, ?, ?, ?, ?)", [(*row, stamp) for row in rows])
    database.commit()
    database.close()
    with Store(path) as store:
        anna, ben, double, alias = sorted(store.patients.all(), key=lambda patient: patient.id)
        assert [(patient.name, patient.bed, patient.mrn) for patient in (anna, ben, double, alias)] == rows
        warned = shared_by_several(tuple(store.patients.all()))
        assert warned.keys() == {anna.id, ben.id, double.id}
        assert "Same bed as Okafor, Ben" in " ".join(warned[anna.id])
        with pytest.raises(DuplicatePatient):
            store.patients.add("Third", "", "1")
        store.patients.edit(ben.id, Identity("Okafor, Benjamin", "Bed 14b", "2"), "Kim")  # not worse than before
        store.patients.edit(ben.id, Identity("Okafor, Benjamin", "3", "2"), "Kim")
        store.patients.edit(anna.id, Identity("Novak, Anna", "14B", "9"), "Kim")
        assert shared_by_several(tuple(store.patients.all())) == {}
        with pytest.raises(DuplicatePatient, match=r"Anna N\."):
            store.patients.add("Third", "", "1")
    with Store(path) as store:
        assert shared_by_several(tuple(store.patients.all())) == {}


# what a new patient needs


def test_a_new_patient_needs_a_name_and_a_second_identifier() -> None:
    assert complete(Identity(" Novak,  Anna ", "Bed 14B", "", "1950-02-03"), TODAY).bed == "14B"
    assert complete(Identity("Unknown man 1", "", "T-4711", temporary=True), TODAY).temporary
    with pytest.raises(InputError, match="no name"):
        complete(Identity("  ", "14B", "1"), TODAY)
    with pytest.raises(InputError, match="no second identifier") as raised:
        complete(Identity("Novak, Anna", "14B"), TODAY)
    assert "temporary number" in raised.value.next_step
    for wrong in ("2026-11-24", "1889-12-31", "1950-13-01", "soon"):
        with pytest.raises(InputError):
            complete(Identity("Novak, Anna", "", "", wrong), TODAY)


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("1950-02-03", ("1950-02-03",)),
        ("1950/2/3", ("1950-02-03",)),
        ("19500203", ("1950-02-03",)),
        ("3 Feb 1950", ("1950-02-03",)),
        ("3rd February 1950", ("1950-02-03",)),
        ("03-FEB-1950", ("1950-02-03",)),
        ("Feb 3, 1950", ("1950-02-03",)),
        ("3 Sept 1950", ("1950-09-03",)),
        ("03/02/1950", ("1950-02-03", "1950-03-02")),
        ("3.2.1950", ("1950-02-03", "1950-03-02")),
        ("13/02/1950", ("1950-02-13",)),
        ("02/13/1950", ("1950-02-13",)),
        ("05/05/1950", ("1950-05-05",)),
    ],
)
def test_a_typed_date_of_birth_means_every_day_that_it_may_mean(typed: str, understood: tuple[str, ...]) -> None:
    assert birth_dates(typed) == understood


@pytest.mark.parametrize("typed", ["", "3/2/50", "31/02/1950", "yesterday", "3 1950", "3 Ju 1950", "1950", "³/2/1950x"])
def test_what_is_no_date_or_leaves_the_century_open_is_refused(typed: str) -> None:
    with pytest.raises(InputError, match="not a date of birth"):
        birth_dates(typed)
