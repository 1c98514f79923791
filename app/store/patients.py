"""The patients of the ward and their stays: added, changed, transferred, discharged and readmitted.

No two patients share a record number, and no two who are present a bed: it is checked with every change, in its
transaction, and the database's unique indices hold it. Every change is written to `patient_events`, which is only ever
added to. Databases from before this was refused may hold patients who do share; they are kept, see `claim`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from app.chart.patient_identity import (
    Change,
    DuplicatePatient,
    Identity,
    OpenDictations,
    bed_key,
    bed_name,
    duplicate_of,
    mrn_key,
    refuse_impossible,
    tidy,
)
from app.chart.records import Encounter, Patient, PatientEvent
from app.store import codec, reviews
from app.store.codec import plain
from app.store.database import Database
from models.errors import InputError

_ALL = "SELECT * FROM patients ORDER BY name, bed, mrn, id"
_OPEN = """SELECT d.id, d.original_name, d.title, d.status FROM dictations d
    JOIN encounters e ON e.id = d.encounter_id
    WHERE e.patient_id = ? AND e.ended_at IS NULL AND d.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM standing_filings WHERE dictation_id = d.id) ORDER BY d.id"""


class PatientRecords:
    """The part of the store that is about patients and stays."""

    _database: Database

    def add_patient(
        self,
        name: str,
        bed: str = "",
        mrn: str = "",
        birth_date: str = "",
        *,
        temporary: bool = False,
        namesake: bool = False,
        reviewer: str = "",
    ) -> Patient:
        """Adds a patient.

        Args:
            namesake: whether they are known not to be the patient who has the same name and birth date.

        Raises:
            DuplicatePatient: another patient has this number, this bed, or the same name and birth date.
            InputError: also for an empty name or an impossible birth date.
        """
        identity = Identity(name, bed, mrn, birth_date, temporary)
        with self._database.write() as db:
            return add(db, identity, reviewer, namesake=namesake)

    def patient(self, patient_id: int) -> Patient:
        with self._database.read() as db:
            return one(db, patient_id)

    def patients(self) -> list[Patient]:
        """All patients by name, bed and number, discharged ones included."""
        with self._database.read() as db:
            return everybody(db)

    def present_patients(self) -> list[Patient]:
        """The patients on the ward, by name, bed and number."""
        return [patient for patient in self.patients() if not patient.discharged]

    def find_patient(self, name: str, bed: str = "", mrn: str = "") -> Patient | None:
        """The patient with exactly this name, bed and number, the one added last where there are several."""
        name, mrn = (" ".join(plain(text).split()) for text in (name, mrn))
        with self._database.read() as db:
            rows = db["patients"].rows_where("name = ? AND mrn = ?", [name, mrn], order_by="id DESC")
            found = [codec.patient(row) for row in rows]
        return next((patient for patient in found if bed_name(patient.bed) == bed_name(plain(bed))), None)

    def edit_patient(self, patient_id: int, identity: Identity, reviewer: str, *, namesake: bool = False) -> Patient:
        """Changes what is known of a patient. Raises as `add_patient` does."""
        with self._database.write() as db:
            return edit(db, patient_id, identity, reviewer, namesake=namesake)

    def swap_beds(self, one_id: int, other_id: int, reviewer: str) -> Patient:
        """Gives each of two patients the bed of the other; returns the first."""
        with self._database.write() as db:
            first, second = one(db, one_id), one(db, other_id)
            for patient in (first, second):
                _refuse_discharged(patient, "be transferred")
            for patient, bed in ((first, second.bed), (second, first.bed)):
                db["patients"].update(patient.id, {"bed": bed})
                _record(db, patient, "transfer", reviewer)
            claim(db)
            return one(db, one_id)

    def discharge_patient(self, patient_id: int, reviewer: str, *, anyway: bool = False) -> Patient:
        """Ends a patient's stay.

        Raises OpenDictations, unless it is to be done `anyway`, while dictations are unfinished or not filed;
        InputError also where they are discharged already.
        """
        with self._database.write() as db:
            return discharge(db, patient_id, reviewer, anyway=anyway)

    def readmit_patient(self, patient_id: int, bed: str, reviewer: str) -> Patient:
        """Begins another stay of a discharged patient. Raises DuplicatePatient where the bed is taken."""
        with self._database.write() as db:
            return readmit(db, patient_id, bed, reviewer)

    def change_patients(self, changes: Sequence[Change], reviewer: str) -> list[Patient]:
        """Adds, changes and discharges several patients, all or none; beds may go round among them.

        Raises InputError where one of them is not any more as they were when the changes were chosen.
        """
        with self._database.write() as db:
            return change(db, changes, reviewer)

    def open_dictations(self, patient_id: int) -> list[str]:
        """The names of the dictations of a patient's stay that are unfinished or not filed, with what they wait for."""
        with self._database.read() as db:
            return _open_dictations(db, patient_id)

    def patient_events(self, patient_id: int) -> list[PatientEvent]:
        """What was done to the record of a patient, the first first."""
        with self._database.read() as db:
            rows = db["patient_events"].rows_where("patient_id = ?", [patient_id], order_by="id")
            return [codec.patient_event(row) for row in rows]

    # stays

    def open_encounter(self, patient_id: int) -> Encounter:
        """The patient's running encounter, a new one where there is none. Raises InputError for a discharged one."""
        with self._database.write() as db:
            running = _encounters(db, patient_id, running=True)
            if running:
                return running[0]
            _refuse_discharged(one(db, patient_id), "get new dictations")
            return _begin_encounter(db, patient_id)

    def encounter_to_move_into(self, patient_id: int) -> Encounter:
        """The encounter that a dictation found to be about this patient belongs to: the running one, or the last one of
        a discharged patient."""
        with self._database.write() as db:
            of_patient = _encounters(db, patient_id)
            if of_patient and one(db, patient_id).discharged:
                return of_patient[0]
            return self.open_encounter(patient_id)

    def encounter(self, encounter_id: int) -> Encounter:
        with self._database.read() as db:
            rows = list(db["encounters"].rows_where("id = ?", [encounter_id]))
        if not rows:
            raise InputError(f"There is no encounter {encounter_id}.", "Look up the number and try again.")
        return codec.encounter(rows[0])

    def patient_of_encounters(self) -> dict[int, int]:
        """By id of an encounter that of its patient."""
        with self._database.read() as db:
            return {row["id"]: row["patient_id"] for row in db.query("SELECT id, patient_id FROM encounters")}


# within one transaction


def one(db: Any, patient_id: int) -> Patient:
    """Raises InputError where there is none."""
    rows = list(db["patients"].rows_where("id = ?", [patient_id]))
    if not rows:
        raise InputError(f"There is no patient {patient_id}.", "Look up the number and try again.")
    return codec.patient(rows[0])


def everybody(db: Any) -> list[Patient]:
    return [codec.patient(row) for row in db.query(_ALL)]


def add(db: Any, identity: Identity, reviewer: str, *, namesake: bool = False) -> Patient:
    identity = _checked(db, identity, namesake=namesake)
    number = db["patients"].insert({**_columns(identity), "created_at": reviews.now()}).last_pk
    _record(db, None, "add", reviewer, patient_id=number)
    claim(db)
    return one(db, number)


def edit(db: Any, patient_id: int, identity: Identity, reviewer: str, *, namesake: bool = False) -> Patient:
    before = one(db, patient_id)
    identity = _checked(db, identity, before, namesake=namesake)
    if identity == Identity.of(before):
        return before
    db["patients"].update(patient_id, _columns(identity))
    only_bed = identity == Identity(before.name, identity.bed, before.mrn, before.birth_date, before.temporary)
    _record(db, before, "transfer" if only_bed else "edit", reviewer)
    claim(db)
    return one(db, patient_id)


def discharge(db: Any, patient_id: int, reviewer: str, *, anyway: bool = False) -> Patient:
    before, at = one(db, patient_id), reviews.now()
    if before.discharged:
        raise InputError(f"{before.name} is discharged already.", "There is nothing to do.")
    if not anyway and (waiting := _open_dictations(db, patient_id)):
        raise OpenDictations(
            f"Dictations about {before.name} are not filed yet: {'; '.join(waiting)}.",
            "Finish and file them, or discharge the patient anyway: they stay readable and can be filed later.",
        )
    db["patients"].update(patient_id, {"discharged_at": at})
    db.execute("UPDATE encounters SET ended_at = ? WHERE patient_id = ? AND ended_at IS NULL", [at, patient_id])
    _record(db, before, "discharge", reviewer)
    claim(db)
    return one(db, patient_id)


def readmit(db: Any, patient_id: int, bed: str, reviewer: str) -> Patient:
    before = one(db, patient_id)
    if not before.discharged:
        raise InputError(f"{before.name} is on the ward already.", "There is nothing to do.")
    identity = Identity(before.name, bed, before.mrn, before.birth_date, before.temporary)
    identity = _checked(db, identity, before, present=True)
    db["patients"].update(patient_id, {"bed": identity.bed, "discharged_at": None})
    _begin_encounter(db, patient_id)
    _record(db, before, "readmit", reviewer)
    claim(db)
    return one(db, patient_id)


def change(db: Any, changes: Sequence[Change], reviewer: str) -> list[Patient]:
    for one_change in changes:
        if one_change.before and one(db, one_change.before.id) != one_change.before:
            raise InputError(
                f"{one_change.before.name} was changed meanwhile. Nothing was changed now.",
                "Look at the list again, and import it then.",
            )
    moving = [one_change.before.id for one_change in changes if one_change.before and one_change.after]
    for patient_id in moving:  # else a bed that its patient is about to leave would count as taken
        db["patients"].update(patient_id, {"bed": "", "mrn": ""})
    leaving = [one_change.before.id for one_change in changes if one_change.before and not one_change.after]
    done = [discharge(db, patient_id, reviewer) for patient_id in leaving]
    for one_change in changes:
        before, after = one_change.before, one_change.after
        if after is None:
            continue
        if before is None:
            done.append(add(db, after, reviewer))
            continue
        identity = _checked(db, after, before, moved=True)
        db["patients"].update(before.id, {**_columns(identity), "discharged_at": None})
        if before.discharged:
            _begin_encounter(db, before.id)
        only_bed = identity == Identity(before.name, identity.bed, before.mrn, before.birth_date, before.temporary)
        _record(db, before, "readmit" if before.discharged else "transfer" if only_bed else "edit", reviewer)
        done.append(one(db, before.id))
    claim(db)
    return done


def claim(db: Any) -> None:
    """Gives every number and every bed of a present patient to the one who holds it, the first one where several do.

    The unique indices then hold that nobody else gets it.
    """
    rows = list(db.query("SELECT id, mrn, bed, discharged_at, mrn_key, bed_key FROM patients ORDER BY id"))
    wanted: dict[int, dict[str, str | None]] = {}
    taken: dict[str, set[str]] = {"mrn_key": set(), "bed_key": set()}
    for row in rows:
        keys = {"mrn_key": mrn_key(row["mrn"]), "bed_key": "" if row["discharged_at"] else bed_key(row["bed"])}
        claimed = {name: key if key and key not in taken[name] else None for name, key in keys.items()}
        for name, key in claimed.items():
            taken[name].update({key} if key else ())
        if claimed != {name: row[name] for name in claimed}:
            wanted[row["id"]] = claimed
    for number in wanted:  # before any gets the key that another still has
        db.execute("UPDATE patients SET mrn_key = NULL, bed_key = NULL WHERE id = ?", [number])
    for number, keys_now in wanted.items():
        db["patients"].update(number, keys_now)


def _checked(
    db: Any,
    identity: Identity,
    before: Patient | None = None,
    *,
    namesake: bool = False,
    present: bool | None = None,
    moved: bool = False,
) -> Identity:
    """The identity as it is kept. Raises as `add_patient` does.

    Args:
        present: whether the patient is on the ward then; where it is not given, as they are.
        moved: whether the record of `before` is blank while several are changed, so that all of it is checked.
    """
    name, bed, mrn, born = (plain(text) for text in (identity.name, identity.bed, identity.mrn, identity.birth_date))
    identity = tidy(Identity(name, bed, mrn, born, identity.temporary))
    if not identity.name:
        raise InputError("The patient has no name.", "Enter the name or the alias that the ward uses.")
    if identity.birth_date:
        refuse_impossible(identity.birth_date)
    there = present if present is not None else moved or before is None or not before.discharged
    known = everybody(db)
    if moved and before:
        known = [patient for patient in known if patient.id != before.id]
        before = None
        namesake = True  # the list of the ward has both
    found: DuplicatePatient | None = duplicate_of(identity, known, before, namesake=namesake, present=there)
    if found:
        raise found
    return identity


def _columns(identity: Identity) -> dict[str, Any]:
    return {**asdict(identity), "temporary": int(identity.temporary)}


def _record(db: Any, before: Patient | None, action: str, reviewer: str, patient_id: int | None = None) -> None:
    number = before.id if before else patient_id
    assert number is not None
    after = one(db, number)
    record = {
        "patient_id": number,
        "action": action,
        "reviewer": plain(reviewer).strip(),
        "happened_at": reviews.now(),
        "before": json.dumps(asdict(before) if before else {}, ensure_ascii=False),
        "after": json.dumps(asdict(after), ensure_ascii=False),
    }
    db["patient_events"].insert(record)


def _refuse_discharged(patient: Patient, what: str) -> None:
    if patient.discharged:
        raise InputError(f"{patient.name} is discharged and cannot {what}.", "Readmit the patient first.")


def _encounters(db: Any, patient_id: int, *, running: bool = False) -> list[Encounter]:
    """Those of a patient, the last first."""
    one(db, patient_id)
    condition = "patient_id = ?" + (" AND ended_at IS NULL" if running else "")
    rows = db["encounters"].rows_where(condition, [patient_id], order_by="id DESC")
    return [codec.encounter(row) for row in rows]


def _begin_encounter(db: Any, patient_id: int) -> Encounter:
    started = reviews.now()
    record = {"patient_id": patient_id, "started_at": started, "ended_at": None}
    return Encounter(db["encounters"].insert(record).last_pk, patient_id, started, None)


def _open_dictations(db: Any, patient_id: int) -> list[str]:
    states = {"filled": "not filed", "failed": "failed"}
    return [
        f"{row['title'] or row['original_name']} ({states.get(row['status'], 'not finished')})"
        for row in db.query(_OPEN, [patient_id])
    ]
