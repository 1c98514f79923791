"""`dictations` lists dictations; `move`, `rename`, `delete` and `restore` change one as a whole."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from app.chart.records import Dictation, Patient
from app.cli.arguments import add_machine, add_signer
from app.cli.charting.patient_words import who_is
from app.cli.charting.signing import signature_of
from app.cli.console import Console, table
from app.services.intake.audio_retention import delete_expired
from app.services.intake.jobs import DELETED_DAYS
from app.store import Store
from app.system import paths
from app.system.settings import load_settings
from models.base.errors import InputError


def dictations_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("--deleted", action="store_true", help="those that were deleted and can be restored")
    parser.set_defaults(function=dictations)


def dictations(arguments: argparse.Namespace, console: Console) -> None:
    """Lists the dictations, newest first; with `--deleted`, those that can be restored."""
    with Store(paths.database_file()) as store:
        delete_expired(store, load_settings(paths.config_file()), datetime.now(UTC))
        found = store.dictations.deleted() if arguments.deleted else store.dictations.all()
        filed = store.filings.filed()
        listed = [_facts(store, dictation, filed=dictation.id in filed) for dictation in found]
    rows = [[str(one["dictation"]), one["time"], one["name"], one["patient"], one["state"]] for one in listed]
    none = "No dictation is deleted." if arguments.deleted else "There is no dictation yet."
    console.answer(listed, table(["number", "time", "name", "patient", "state"], rows) if rows else none)


def move_arguments(parser: argparse.ArgumentParser) -> None:
    _add_dictation(parser)
    parser.add_argument("--patient", required=True, metavar="NAME", help="name or alias of the patient it is about")
    parser.add_argument("--bed", default="", help="bed of that patient, where several have the name")
    parser.add_argument("--mrn", default="", help="record number of that patient, where several have the name")
    parser.add_argument("--reason", default="wrong patient", metavar="TEXT", help="why (default: wrong patient)")
    parser.set_defaults(function=move)


def move(arguments: argparse.Namespace, console: Console) -> None:
    """Moves a dictation to another patient; it must then be filled again."""
    with Store(paths.database_file()) as store:
        patient = patient_named(store, arguments.patient, arguments.bed, arguments.mrn)
        event = store.dictations.move(arguments.dictation, patient.id, signature_of(store, arguments), arguments.reason)
        assert event.from_patient_id is not None, "it was moved"
        former = store.patients.one(event.from_patient_id)
    number = arguments.dictation
    told = [
        f"Dictation {number} was moved from {who_is(former)} to {who_is(patient)}.",
        *([f"Decisions undone: {event.taken_back}."] if event.taken_back else []),
        f"Fill it again with: wardlight run --retry {number} --out DIR.",
    ]
    data = {"dictation": number, "from": former.id, "to": patient.id, "taken_back": event.taken_back}
    console.answer(data, "\n".join(told))


def rename_arguments(parser: argparse.ArgumentParser) -> None:
    _add_dictation(parser)
    parser.add_argument("title", help="the title; an empty one restores the original name")
    parser.set_defaults(function=rename)


def rename(arguments: argparse.Namespace, console: Console) -> None:
    """Gives a dictation a title; an empty title restores its original name."""
    with Store(paths.database_file()) as store:
        renamed = store.dictations.rename(arguments.dictation, arguments.title, signature_of(store, arguments))
    console.answer({"dictation": renamed.id, "name": renamed.name}, f"Dictation {renamed.id} is called {renamed.name}.")


def delete_arguments(parser: argparse.ArgumentParser) -> None:
    _add_dictation(parser)
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why, for example: duplicate")
    parser.set_defaults(function=delete)


def delete(arguments: argparse.Namespace, console: Console) -> None:
    """Removes a dictation from every list, chart and export."""
    with Store(paths.database_file()) as store:
        event = store.dictations.delete(arguments.dictation, signature_of(store, arguments), arguments.reason)
    number = arguments.dictation
    told = (
        f"{event.name} (dictation {number}) is deleted.\n"
        f"It can be restored for {DELETED_DAYS} days with: wardlight restore {number}."
    )
    console.answer({"dictation": number, "reason": event.reason}, told)


def restore_arguments(parser: argparse.ArgumentParser) -> None:
    _add_dictation(parser)
    parser.set_defaults(function=restore)


def restore(arguments: argparse.Namespace, console: Console) -> None:
    """Restores a deleted dictation."""
    with Store(paths.database_file()) as store:
        restored = store.dictations.restore(arguments.dictation, signature_of(store, arguments))
        reopened = store.dictations.events(restored.id)[-1].taken_back
    told = [
        f"{restored.name} (dictation {restored.id}) is restored.",
        *([f"Decide again (already charted with other values): {reopened}."] if reopened else []),
    ]
    console.answer({"dictation": restored.id, "reopened": reopened}, "\n".join(told))


def _add_dictation(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of commands that change a dictation as a whole."""
    add_machine(parser)
    parser.add_argument("dictation", type=int, help="number of the dictation")
    add_signer(parser)


def _facts(store: Store, dictation: Dictation, *, filed: bool) -> dict[str, Any]:
    patient = store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)
    at = datetime.fromisoformat(dictation.created_at).astimezone()
    return {
        "dictation": dictation.id,
        "time": f"{at:%Y-%m-%d %H:%M}",
        "name": dictation.name,
        "original_name": dictation.original_name,
        "patient": who_is(patient),
        "state": "filed" if filed else dictation.status,
        "error": dictation.error,
    }


def patient_named(store: Store, name: str, bed: str = "", mrn: str = "") -> Patient:
    """The one patient with this name and, if given, bed and record number. Raises InputError for none or several."""
    found = [
        patient
        for patient in store.patients.all()
        if patient.name.casefold() == name.strip().casefold()
        and bed.strip() in ("", patient.bed)
        and mrn.strip() in ("", patient.mrn)
    ]
    if not found:
        raise InputError(f"No patient matches {name!r}.", "Name one as the list of patients does.")
    if len(found) > 1:
        raise InputError(
            f"{len(found)} patients match: {'; '.join(map(who_is, found))}.", "Add --bed or --mrn to name one of them."
        )
    return found[0]
