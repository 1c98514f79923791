"""Changes to the records of patients: adding, editing, transfer, discharge and readmission.

Record numbers are unique, and so are the beds of present patients: every change is checked in its transaction, and
unique indices enforce it. Every change is recorded in `patient_events`, which is append-only. Older databases may hold
patients who share a number or a bed; they are kept, see `claim`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from app.chart.patient_identity import (
    DuplicatePatient,
    Identity,
    OpenDictations,
    PatientChange,
    bed_key,
    duplicate_of,
    mrn_key,
    refuse_impossible,
    tidy,
)
from app.chart.records import Patient
from app.store.sqlite import clock
from app.store.sqlite.codec import plain
from app.store.transactions.patient_rows import begin_encounter, everybody, one, refuse_discharged
from app.store.transactions.signatures import signed
from models.base.errors import InputError

_OPEN = """SELECT d.id, d.original_name, d.title, d.status FROM dictations d
    JOIN encounters e ON e.id = d.encounter_id
    WHERE e.patient_id = ? AND e.ended_at IS NULL AND d.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM standing_filings WHERE dictation_id = d.id) ORDER BY d.id"""


def add(db: Any, identity: Identity, reviewer: str, *, namesake: bool = False) -> Patient:
    identity = _checked(db, identity, namesake=namesake)
    number = db["patients"].insert({**_columns(identity), "created_at": clock.now()}).last_pk
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


def swap_beds(db: Any, one_id: int, other_id: int, reviewer: str) -> Patient:
    first, second = one(db, one_id), one(db, other_id)
    for patient in (first, second):
        refuse_discharged(patient, "be transferred")
    for patient, bed in ((first, second.bed), (second, first.bed)):
        db["patients"].update(patient.id, {"bed": bed})
        _record(db, patient, "transfer", reviewer)
    claim(db)
    return one(db, one_id)


def discharge(db: Any, patient_id: int, reviewer: str, *, anyway: bool = False) -> Patient:
    before, at = one(db, patient_id), clock.now()
    if before.discharged:
        raise InputError(f"{before.name} is already discharged.", "There is nothing to do.")
    if not anyway and (waiting := open_dictations(db, patient_id)):
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
        raise InputError(f"{before.name} is already on the ward.", "There is nothing to do.")
    identity = Identity(before.name, bed, before.mrn, before.birth_date, before.temporary)
    identity = _checked(db, identity, before, present=True)
    db["patients"].update(patient_id, {"bed": identity.bed, "discharged_at": None})
    begin_encounter(db, patient_id)
    _record(db, before, "readmit", reviewer)
    claim(db)
    return one(db, patient_id)


def change(db: Any, changes: Sequence[PatientChange], reviewer: str) -> list[Patient]:
    for one_change in changes:
        if one_change.before and one(db, one_change.before.id) != one_change.before:
            raise InputError(
                f"{one_change.before.name} was changed in the meantime. Nothing was saved.",
                "Check the list again, then import it.",
            )
    moving = [one_change.before.id for one_change in changes if one_change.before and one_change.after]
    for patient_id in moving:  # otherwise a bed that its patient is about to leave would count as taken
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
            begin_encounter(db, before.id)
        only_bed = identity == Identity(before.name, identity.bed, before.mrn, before.birth_date, before.temporary)
        _record(db, before, "readmit" if before.discharged else "transfer" if only_bed else "edit", reviewer)
        done.append(one(db, before.id))
    claim(db)
    return done


def claim(db: Any) -> None:
    """Assigns the unique keys of numbers, and of beds of present patients, to their first holder.

    The unique indices then prevent others from getting them.
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
    for number in wanted:  # first, because another row may still have the key
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
    """Checks an identity and returns it as stored. Raises as `Patients.add` does.

    Args:
        present: whether the patient will be on the ward; None if that does not change.
        moved: whether the record of `before` is blank while several are changed, so that all of it is checked.
    """
    name, bed, mrn, born = (plain(text) for text in (identity.name, identity.bed, identity.mrn, identity.birth_date))
    identity = tidy(Identity(name, bed, mrn, born, identity.temporary))
    if not identity.name:
        raise InputError("The patient has no name.", "Enter a name or alias.")
    if identity.birth_date:
        refuse_impossible(identity.birth_date)
    there = present if present is not None else moved or before is None or not before.discharged
    known = everybody(db)
    if moved and before:
        known = [patient for patient in known if patient.id != before.id]
        before = None
        namesake = True  # the ward's list contains both
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
        **signed(db, plain(reviewer).strip()),
        "happened_at": clock.now(),
        "before": json.dumps(asdict(before) if before else {}, ensure_ascii=False),
        "after": json.dumps(asdict(after), ensure_ascii=False),
    }
    db["patient_events"].insert(record)


def open_dictations(db: Any, patient_id: int) -> list[str]:
    states = {"filled": "not filed", "failed": "failed"}
    return [
        f"{row['title'] or row['original_name']} ({states.get(row['status'], 'not finished')})"
        for row in db.query(_OPEN, [patient_id])
    ]
