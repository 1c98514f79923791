"""What the window does with patients, without a window: each a job, done by whoever signs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.chart.patient_identity import DuplicatePatient, Identity, OpenDictations
from app.chart.records import Patient
from app.record.errors import NotSigned
from app.services.patients.jobs import WARD_PLAN, WardPlan
from models.base.errors import InputError
from tests.kit.workbench import WorkbenchKit


def add(kit: WorkbenchKit, name: str, bed: str, mrn: str) -> Patient:
    return kit.result(kit.bench.patients.add(Identity(name, bed, mrn)))  # type: ignore[no-any-return]


def events(kit: WorkbenchKit, patient: Patient) -> list[tuple[str, str]]:
    return [(one.action, one.reviewer) for one in kit.bench.workspace.store.patients.events(patient.id)]


def test_a_stay_is_signed_by_who_signs_then(kit: WorkbenchKit) -> None:
    ward = kit.bench.patients
    anna = add(kit, "Novak, Anna", "1", "101")
    anna = kit.result(ward.edit(anna, replace(Identity.of(anna), birth_date="1950-02-03")))
    anna = kit.result(ward.transfer(anna, "2"))
    anna = kit.result(ward.discharge(anna))
    assert anna.discharged
    anna = kit.result(ward.readmit(anna, "3"))
    assert (anna.bed, anna.birth_date, anna.discharged) == ("3", "1950-02-03", False)
    assert events(kit, anna) == [(what, "R. Nurse") for what in ("add", "edit", "transfer", "discharge", "readmit")]


def test_beds_are_swapped(kit: WorkbenchKit) -> None:
    anna, ben = add(kit, "Novak, Anna", "1", "101"), add(kit, "Okafor, Ben", "2", "102")
    assert kit.result(kit.bench.patients.swap(anna, ben)).bed == "2"
    assert {one.name: one.bed for one in kit.bench.workspace.store.patients.all()} == {
        "Novak, Anna": "2",
        "Okafor, Ben": "1",
    }


def test_what_is_taken_is_refused_and_nothing_is_changed(kit: WorkbenchKit) -> None:
    anna, _ = add(kit, "Novak, Anna", "1", "101"), add(kit, "Okafor, Ben", "2", "102")
    before = kit.bench.workspace.store.patients.all()
    with pytest.raises(DuplicatePatient):
        kit.result(kit.bench.patients.transfer(anna, "Bed 2"))
    with pytest.raises(DuplicatePatient):
        add(kit, "Somebody, Else", "9", "101")
    with pytest.raises(InputError, match="already on the ward"):
        kit.result(kit.bench.patients.readmit(anna, "7"))
    assert kit.bench.workspace.store.patients.all() == before


def test_without_a_signer_nothing_is_queued(kit: WorkbenchKit) -> None:
    anna = add(kit, "Novak, Anna", "1", "101")
    kit.bench.signing.propose(None)
    for act in (kit.bench.patients.discharge, lambda one: kit.bench.patients.transfer(one, "4")):
        with pytest.raises(NotSigned):
            act(anna)
    assert kit.bench.workspace.store.patients.all() == [anna]


def test_a_discharge_waits_for_what_is_not_filed(kit: WorkbenchKit, tmp_path: Path) -> None:
    anna = add(kit, "Novak, Anna", "1", "101")
    (text := tmp_path / "morning.txt").write_text("Heart rate is 80.", encoding="utf-8")
    kit.result(kit.bench.intake.import_file(text, anna))
    with pytest.raises(OpenDictations, match=r"morning\.txt"):
        kit.result(kit.bench.patients.discharge(anna))
    assert kit.result(kit.bench.patients.discharge(anna, anyway=True)).discharged


def test_the_sample_patient_is_one(kit: WorkbenchKit) -> None:
    first, second = (kit.result(kit.bench.patients.sample()) for _ in range(2))
    assert first == second


def plan(kit: WorkbenchKit, path: Path, **how: Any) -> WardPlan:
    job = kit.bench.patients.plan_import(path, **how)
    assert (job.kind, job.subject) == (WARD_PLAN, path)
    return kit.result(job)  # type: ignore[no-any-return]


def test_a_list_is_planned_and_then_imported_whole(kit: WorkbenchKit, tmp_path: Path) -> None:
    anna, ben = add(kit, "Novak, Anna", "1", "101"), add(kit, "Okafor, Ben", "2", "102")
    path = tmp_path / "ward.csv"
    path.write_text("Name,MRN,DOB,Bed\nNovak Anna,101,,2\nReyes Luz,103,02/03/1970,1\n", encoding="utf-8")
    first = plan(kit, path)
    assert (len(first.new), len(first.changed), first.example) == (0, 0, "02/03/1970")
    assert [one.reason for one in first.conflicts] == ["Bed 2 is taken by Okafor, Ben."]
    assert [one.id for one in first.missing] == [ben.id]
    kept = plan(kit, path, discharging={ben.id}, recorded=ben.id)
    assert (kept.discharging, kept.waiting) == (frozenset(), {ben.id: ["a recording in progress"]})
    whole = plan(kit, path, day_first=False, discharging={ben.id})
    assert (len(whole.new), len(whole.changed), whole.discharging) == (1, 1, {ben.id})
    assert kit.bench.workspace.store.patients.all() == [anna, ben], "a plan changes nothing"
    kit.result(kit.bench.patients.import_list(whole))
    now = {one.name: (one.bed, one.birth_date, one.discharged) for one in kit.bench.workspace.store.patients.all()}
    assert now["Novak, Anna"] == ("2", "", False)
    assert now["Reyes Luz"] == ("1", "1970-02-03", False)
    assert now["Okafor, Ben"][2]
    assert events(kit, ben)[-1] == ("discharge", "R. Nurse")


def test_a_plan_that_is_no_longer_true_changes_nothing(kit: WorkbenchKit, tmp_path: Path) -> None:
    anna = add(kit, "Novak, Anna", "1", "101")
    path = tmp_path / "ward.csv"
    path.write_text("Name,MRN,Bed\nReyes Luz,103,2\nNovak Anna,101,3\n", encoding="utf-8")
    made = plan(kit, path)
    kit.result(kit.bench.patients.transfer(anna, "3"))
    with pytest.raises(InputError, match="Nothing was saved"):
        kit.result(kit.bench.patients.import_list(made))
    assert [one.name for one in kit.bench.workspace.store.patients.all()] == ["Novak, Anna"]
    kit.bench.signing.propose(None)
    with pytest.raises(NotSigned):
        kit.bench.patients.import_list(made)


def test_a_file_that_is_not_there_is_no_plan(kit: WorkbenchKit, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv cannot be read"):
        plan(kit, tmp_path / "gone.csv")
