"""The dictations in which is looked for what has no row: those of the store, or the texts of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.chart.records import Dictation, Patient, ReviewStatus
from app.chart.sheet import MAYBE_FROM
from app.services.patients.whose_dictation import person_of
from extraction.discovery.discover import Covered, Note
from models.base.errors import InputError
from speech.text_file import read_text

if TYPE_CHECKING:
    from app.store import Store

_SUFFIX = ".txt"


def notes_of_store(store: Store) -> list[Note]:
    """The dictations that have a transcript, in the order in which they were made, with what was read of them."""
    with store.read_snapshot():
        patients = {one.id: one for one in store.patients.all()}
        encounters = store.encounters.patient_ids()
        ward = store.patients.present()
        dictations = sorted(store.dictations.all(), key=lambda one: (one.created_at, one.id))
        return [note for one in dictations for note in _note(store, one, patients[encounters[one.encounter_id]], ward)]


def _note(store: Store, dictation: Dictation, patient: Patient, ward: list[Patient]) -> Iterator[Note]:
    transcript = store.transcripts.of(dictation.id)
    if transcript is None or not transcript.text.strip():
        return
    text, run = transcript.text, store.runs.of(dictation.id)
    values = [one for one in store.values.of(dictation.id) if one.status is not ReviewStatus.REJECTED]
    said = [(one.evidence, one.row_id) for one in values if one.evidence]
    said += [(one.evidence, one.row_id) for one in run.held_back if one.confidence >= MAYBE_FROM]
    covered = [Covered(one.start, one.end, row) for one, row in said if text[one.start : one.end] == one.text]
    covered += [Covered(one.start, one.end) for one in run.set_aside if text[one.start : one.end] == one.text]
    yield Note(
        id=f"dictation {dictation.id}",
        patient=f"patient {patient.id}",
        title=f"{patient.name}, {dictation.name}",
        text=text,
        covered=tuple(covered),
        rows=frozenset(one.row_id for one in values) if dictation.status == "filled" else None,
        person=person_of(patient),
        ward=tuple(person_of(one) for one in ward if one.id != patient.id),
    )


def notes_of_folder(folder: Path) -> list[Note]:
    """The text files of a folder, in the order of their names; each counts as one of a patient of its own.

    Raises InputError if there is none, or one cannot be read.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}.", "Name a folder with dictations as text files.")
    files = sorted(folder.rglob(f"*{_SUFFIX}"))
    if not files:
        raise InputError(f"{folder} has no text files.", f"Put each dictation into a file of its own, *{_SUFFIX}.")
    return [Note(str(path), str(path), path.stem, read_text(path).text) for path in files]
