"""`patients`: lists, adds, edits, discharges and readmits patients, and imports a ward's list."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.chart.patient_identity import Identity, complete, is_incomplete, shared_by_several
from app.chart.records import Patient
from app.cli.arguments import add_machine, add_signer
from app.cli.charting.patient_words import entered, who_is
from app.cli.charting.signing import signature_of
from app.cli.command import Command, add_commands
from app.cli.console import Console, table
from app.services.patients.jobs import WardPlan
from app.services.patients.lookup import one_birth_date
from app.services.patients.ward_list_import import plan_import
from app.store import Store
from app.system import paths
from models.base.errors import InputError

ACTIONS = (
    Command("add", "add a patient", "charting.patients"),
    Command("edit", "change what is known of a patient", "charting.patients"),
    Command("discharge", "end the stay of a patient", "charting.patients"),
    Command("readmit", "begin another stay of a discharged patient", "charting.patients"),
    Command("import", "show what a ward's list (CSV) would change, and import it", "charting.patients"),
)


def patients_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds arguments and subcommands; without a subcommand, patients are listed."""
    add_machine(parser)
    parser.add_argument("--discharged", action="store_true", help="list discharged patients, too")
    parser.set_defaults(function=patients)
    add_commands(parser, ACTIONS, "[add | edit | discharge | readmit | import]", required=False)


def patients(arguments: argparse.Namespace, console: Console) -> None:
    """Lists the patients on the ward; with `--discharged`, all patients."""
    with Store(paths.database_file()) as store:
        known = store.patients.all() if arguments.discharged else store.patients.present()
        shared = shared_by_several(tuple(store.patients.all()))
    notes = {one.id: ["identity incomplete"] * is_incomplete(one) + list(shared.get(one.id, ())) for one in known}
    rows = [
        [str(one.id), one.name, one.birth_date, _number(one), "discharged" if one.discharged else one.bed,
         "; ".join(notes[one.id])]
        for one in known
    ]  # fmt: skip
    heads = ["number", "name", "born", "MRN", "bed", "note"]
    told = table(heads, rows) if rows else "There is no patient yet."
    console.answer([_facts(one) | {"notes": notes[one.id]} for one in known], told)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser)
    parser.add_argument("name", help="name or alias")
    _add_identity(parser)
    parser.add_argument("--temporary", action="store_true", help="the record number is a temporary one")
    _add_bed(parser)
    parser.set_defaults(function=add)


def add(arguments: argparse.Namespace, console: Console) -> None:
    """Adds a patient. Raises InputError without a second identifier."""
    identity = Identity(
        arguments.name,
        arguments.bed or "",
        arguments.mrn or "",
        one_birth_date(arguments.born or ""),
        arguments.temporary,
    )
    identity = complete(identity)
    with Store(paths.database_file()) as store:
        added = store.patients.add(
            identity.name,
            identity.bed,
            identity.mrn,
            identity.birth_date,
            temporary=identity.temporary,
            namesake=arguments.another_person,
            reviewer=signature_of(store, arguments),
        )
    console.answer(_facts(added), f"Patient {added.id} was added: {who_is(added)}.")


def edit_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser)
    parser.add_argument("--name", help="name or alias")
    _add_identity(parser)
    _add_bed(parser)
    _add_number(parser)
    parser.set_defaults(function=edit)


def edit(arguments: argparse.Namespace, console: Console) -> None:
    """Changes only the fields that are given."""
    with Store(paths.database_file()) as store:
        before = store.patients.one(arguments.patient)
        given = {
            name: getattr(arguments, name) for name in ("name", "bed", "mrn") if getattr(arguments, name) is not None
        }
        if arguments.born is not None:
            given["birth_date"] = one_birth_date(arguments.born)
        wanted = replace(Identity.of(before), **given)
        if wanted != replace(Identity.of(before), bed=wanted.bed):
            wanted = complete(wanted)
        after = store.patients.edit(
            before.id, wanted, signature_of(store, arguments), namesake=arguments.another_person
        )
    console.answer(_facts(after), f"Patient {after.id} is now: {who_is(after)}.")


def discharge_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser)
    parser.add_argument("--anyway", action="store_true", help="even while dictations are not filed")
    _add_number(parser)
    parser.set_defaults(function=discharge)


def discharge(arguments: argparse.Namespace, console: Console) -> None:
    """Ends a patient's stay; refused while dictations are not filed, unless `--anyway` is given."""
    with Store(paths.database_file()) as store:
        after = store.patients.discharge(arguments.patient, signature_of(store, arguments), anyway=arguments.anyway)
    console.answer(_facts(after), f"{after.name} is discharged.")


def readmit_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser)
    _add_bed(parser)
    _add_number(parser)
    parser.set_defaults(function=readmit)


def readmit(arguments: argparse.Namespace, console: Console) -> None:
    """Begins another stay of a discharged patient."""
    with Store(paths.database_file()) as store:
        after = store.patients.readmit(arguments.patient, arguments.bed or "", signature_of(store, arguments))
    console.answer(_facts(after), f"{after.name} is readmitted: {who_is(after)}.")


def import_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser)
    parser.add_argument("file", type=Path, help="the list")
    parser.add_argument("--yes", action="store_true", help="import it; without this, the changes are only shown")
    parser.add_argument("--dates", choices=("day-first", "month-first"), help="what 03/02/1950 means in the list")
    parser.add_argument(
        "--discharge", type=int, action="append", metavar="NUMBER", help="a patient to discharge who is not in the list"
    )
    parser.set_defaults(function=import_list)


def import_list(arguments: argparse.Namespace, console: Console) -> None:
    """Shows what a ward's list would change; with `--yes`, imports it, all or nothing."""
    order = {"day-first": True, "month-first": False}.get(arguments.dates or "")
    with Store(paths.database_file()) as store:
        plan = plan_import(store, arguments.file, day_first=order, discharging=arguments.discharge or ())
        if wrong := set(arguments.discharge or ()) - plan.discharging:
            raise InputError(
                f"Patient {min(wrong)} cannot be discharged with this list.",
                "Only patients who are not in it can, once all their dictations are filed.",
            )
        if arguments.yes and plan.changes:
            store.patients.change(plan.changes, signature_of(store, arguments))
    told = [*_lines(plan)]
    if not plan.changes:
        told.append("No changes to import.")
    else:
        told.append("Imported." if arguments.yes else "Nothing is changed yet. Import it with: --yes")
    console.answer(_plan_facts(plan, done=arguments.yes and bool(plan.changes)), "\n".join(told))


def _add_identity(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--born", metavar="DATE", help="date of birth, such as 1950-02-03")
    parser.add_argument("--mrn", help="record number")
    parser.add_argument(
        "--another-person", action="store_true", help="a different person with the same name and date of birth"
    )


def _add_bed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bed", help="bed")


def _add_number(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patient", type=int, help="number of the patient")


def _lines(plan: WardPlan) -> list[str]:
    lines = [f"New, line {one.line}: {entered(one.identity)}" for one in plan.new]
    lines += [f"Changed, line {one.line}: {who_is(one.before)}: {'; '.join(one.words)}" for one in plan.changed]
    lines += [f"Left out, line {one.line}: {one.text}: {one.reason}" for one in (*plan.conflicts, *plan.refused)]
    for patient in plan.missing:
        waits = plan.waiting.get(patient.id)
        does = "to be discharged" if patient.id in plan.discharging else f"discharge with: --discharge {patient.id}"
        lines.append(f"Not on the list: {who_is(patient)}: {'not filed: ' + ', '.join(waits) if waits else does}")
    return [*lines, f"Unchanged: {len(plan.unchanged)}"]


def _plan_facts(plan: WardPlan, *, done: bool) -> dict[str, Any]:
    return {
        "imported": done,
        "new": [{"line": one.line, "name": one.identity.name} for one in plan.new],
        "changed": [{"line": one.line, "patient": one.before.id, "changes": list(one.words)} for one in plan.changed],
        "unchanged": [one.id for one in plan.unchanged],
        "left_out": [{"line": one.line, "reason": one.reason} for one in (*plan.conflicts, *plan.refused)],
        "not_in_list": [one.id for one in plan.missing],
        "discharged": sorted(plan.discharging),
    }


def _facts(patient: Patient) -> dict[str, Any]:
    return {
        "patient": patient.id,
        "name": patient.name,
        "birth_date": patient.birth_date,
        "mrn": patient.mrn,
        "temporary": patient.temporary,
        "bed": patient.bed,
        "discharged_at": patient.discharged_at or None,
    }


def _number(patient: Patient) -> str:
    return f"{patient.mrn} (temporary)" if patient.temporary else patient.mrn
