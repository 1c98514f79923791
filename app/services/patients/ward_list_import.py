"""Plans what importing a ward's list would change, before anything is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.chart.patient_identity import Identity, bed_key, is_incomplete, mrn_key, name_key
from app.chart.records import Patient
from app.services.patients.jobs import Update, WardPlan
from app.services.patients.ward_list import Listed, Refused, WardList, read_ward_list

if TYPE_CHECKING:
    from app.store import Store


def plan_import(
    store: Store,
    path: Path,
    *,
    day_first: bool | None = None,
    discharging: Collection[int] = (),
    recorded: int | None = None,
) -> WardPlan:
    """Reads a list and compares it with the patients in the store.

    Args:
        recorded: id of the patient who is being recorded and is therefore not discharged.

    Raises:
        InputError: see `read_ward_list`.
    """
    listed, known = read_ward_list(path, day_first=day_first), store.patients.all()
    waiting = {
        one.id: names for one in known if not one.discharged and (names := store.patients.open_dictations(one.id))
    }
    if recorded is not None:
        waiting[recorded] = ["a recording in progress", *waiting.get(recorded, ())]
    return plan_of(listed, known, waiting, discharging)


def plan_of(
    listed: WardList,
    patients: Iterable[Patient],
    waiting: Mapping[int, Sequence[str]] | None = None,
    discharging: Collection[int] = (),
) -> WardPlan:
    """Compares a list with the known patients, discharged ones included.

    A patient is recognised by MRN, or by name and date of birth; if one identifier matches and the other contradicts,
    the line is a conflict that a person must resolve.

    Args:
        waiting: see `WardPlan`.
        discharging: ids of missing patients to discharge, which frees their beds; those in `waiting` stay.
    """
    everybody, waiting = tuple(patients), waiting or {}
    updates, new, conflicts = list[Update](), list[Listed](), list[Refused]()
    for one in listed.patients:
        found = _known(one.identity, everybody)
        if isinstance(found, str):
            conflicts.append(Refused(one.line, one.identity.name, found))
        elif found is None:
            new.append(one)
        else:
            updates.append(Update(one.line, found, _merged(found, one.identity)))
    updates, twice = _each_once(updates)
    conflicts += twice
    spoken_of = _spoken_of(listed, everybody)
    missing = tuple(patient for patient in everybody if not patient.discharged and patient.id not in spoken_of)
    leaving = frozenset(patient.id for patient in missing if patient.id in discharging and patient.id not in waiting)
    while clash := _clash(updates, new, everybody, leaving):  # leaving out a line may make a bed taken again
        line, reason = clash
        names = {update.line: update.after.name for update in updates} | {one.line: one.identity.name for one in new}
        conflicts.append(Refused(line, names[line], reason))
        updates = [one for one in updates if one.line != line]
        new = [one for one in new if one.line != line]
    changed = tuple(one for one in updates if one.before.discharged or Identity.of(one.before) != one.after)
    return WardPlan(
        tuple(new),
        changed,
        tuple(one.before for one in updates if one not in changed),
        tuple(sorted(conflicts, key=lambda one: one.line)),
        listed.refused,
        missing,
        waiting,
        leaving,
        listed.example,
        listed.day_first,
    )


def _known(identity: Identity, everybody: Sequence[Patient]) -> Patient | str | None:
    """The patient a line is about, or the contradiction in words; None for an unknown patient."""
    key, name = mrn_key(identity.mrn), name_key(identity.name)
    numbered = [patient for patient in everybody if key and mrn_key(patient.mrn) == key]
    if len(numbered) > 1:
        return f"Several patients have MRN {identity.mrn}: {' and '.join(patient.name for patient in numbered)}."
    if numbered:
        patient = numbered[0]
        differs = bool(identity.birth_date and patient.birth_date and identity.birth_date != patient.birth_date)
        same_day = bool(identity.birth_date) and identity.birth_date == patient.birth_date
        if differs:
            return f"MRN {identity.mrn} is {patient.name}, born {patient.birth_date}, not {identity.birth_date}."
        if name_key(patient.name) != name and not same_day:
            return f"MRN {identity.mrn} is {patient.name}."
        return patient
    named = [patient for patient in everybody if name_key(patient.name) == name]
    same = [patient for patient in named if identity.birth_date and patient.birth_date == identity.birth_date]
    if len(same) > 1:
        return f"Several patients are named {identity.name}, born {identity.birth_date}."
    if same:
        patient = same[0]
        if identity.mrn and patient.mrn and not patient.temporary:
            return f"{patient.name}, born {patient.birth_date}, has MRN {patient.mrn}."
        return patient
    for patient in named:
        unsure = is_incomplete(patient) or not (identity.mrn and patient.mrn)
        if not patient.discharged and unsure and not (identity.birth_date and patient.birth_date):
            return f"{patient.name} is listed without these identifiers: edit that patient first."
    return None


def _merged(patient: Patient, identity: Identity) -> Identity:
    """A patient's identity updated by a line; empty cells change nothing but the bed of a discharged patient."""
    known = Identity.of(patient)
    same_name = name_key(known.name) == name_key(identity.name)
    same_bed = bed_key(known.bed) == bed_key(identity.bed)
    bed = known.bed if same_bed else identity.bed or ("" if patient.discharged else known.bed)
    same_number = mrn_key(known.mrn) == mrn_key(identity.mrn)
    return replace(
        known,
        name=known.name if same_name else identity.name,
        birth_date=identity.birth_date or known.birth_date,
        mrn=known.mrn if same_number else identity.mrn or known.mrn,
        temporary=known.temporary and not (identity.mrn and not same_number),
        bed=bed,
    )


def _each_once(updates: Sequence[Update]) -> tuple[list[Update], list[Refused]]:
    """Separates updates of patients with one line from those of patients with several, which are refused."""
    lines: dict[int, list[int]] = {}
    for one in updates:
        lines.setdefault(one.before.id, []).append(one.line)
    once = [one for one in updates if len(lines[one.before.id]) == 1]
    twice = [
        Refused(one.line, one.after.name, f"{one.before.name} is on several lines: {lines[one.before.id]}.")
        for one in updates
        if len(lines[one.before.id]) > 1
    ]
    return once, twice


def _spoken_of(listed: WardList, everybody: Sequence[Patient]) -> set[int]:
    """Ids of the patients that any line may be about, even a refused one; they are not missing."""
    numbers = {mrn_key(one.identity.mrn) for one in listed.patients} - {""}
    names = {name_key(one.identity.name) for one in listed.patients}
    left_out = [name_key(one.text) for one in listed.refused]
    return {
        patient.id
        for patient in everybody
        if mrn_key(patient.mrn) in numbers
        or name_key(patient.name) in names
        or any(set(name_key(patient.name).split()) <= set(words.split()) for words in left_out)
    }


def _clash(
    updates: Sequence[Update], new: Sequence[Listed], everybody: Sequence[Patient], leaving: Collection[int]
) -> tuple[int, str] | None:
    """A line that would give a patient a bed or MRN that another one would have, and the reason; None without one."""
    changing = {one.before.id: one for one in updates}
    beds, numbers = dict[str, str](), dict[str, str]()
    for patient in everybody:
        if patient.id in changing:
            continue
        numbers[mrn_key(patient.mrn)] = patient.name
        if not patient.discharged and patient.id not in leaving:
            beds[bed_key(patient.bed)] = patient.name
    unmoved = [
        one for one in updates if bed_key(one.before.bed) == bed_key(one.after.bed) and not one.before.discharged
    ]
    moved = [one for one in updates if one not in unmoved]
    lines = [(one.line, one.after) for one in (*unmoved, *moved)] + [(one.line, one.identity) for one in new]
    for line, identity in lines:
        bed, number = bed_key(identity.bed), mrn_key(identity.mrn)
        if bed and bed in beds:
            return line, f"Bed {identity.bed} is taken by {beds[bed]}."
        if number and number in numbers:
            return line, f"MRN {identity.mrn} is {numbers[number]}."
        beds[bed], numbers[number] = identity.name, identity.name
    return None
