"""Reads a dictation's sheet from the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from app.chart.dictation_identity import IdentityQuestion, is_answered
from app.chart.records import Dictation
from app.chart.reviewer_tendencies import NO_TENDENCIES
from app.chart.sheet import Sheet, sentences_of
from app.lighting import lighting_of, lights_of
from app.services.patients.whose_dictation import left_out_of, question_of
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema

if TYPE_CHECKING:
    from app.adaptation.review_monitor import RecentReviews
    from app.store import Store


def question_about(store: Store, dictation_id: int) -> IdentityQuestion | None:
    """The open question of whose dictation it is, None if there is none; see `Sheet.identity_question`."""
    with store.read_snapshot():
        dictation, answer = store.dictations.one(dictation_id), store.identity_answers.of(dictation_id)
        patient = store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)
        filed, present = store.filings.of(dictation_id), store.patients.present()
        naming = store.runs.of(dictation_id).naming
    return None if filed else question_of(naming, patient, present, answer)


def lit(sheet: Sheet, settings: Settings, recent_reviews: RecentReviews | None) -> Sheet:
    """The sheet with its lights, under these settings; `recent_reviews` if they are known for its signature."""
    run = sheet.run
    chosen = lighting_of(settings, sheet.schema, run.models)
    tendencies = recent_reviews.tendencies if recent_reviews else NO_TENDENCIES
    lights = lights_of(sheet.values, sheet.schema, chosen, run.weighed_by, tendencies)
    return replace(sheet, lighting=chosen.basis(run.weighed_by), lights=lights)


def read_sheet(store: Store, dictation_id: int, schema_of: Callable[[Dictation], Schema]) -> Sheet:
    """Reads everything stored about a dictation at one moment, since it may be filled or reviewed meanwhile.

    Lights are not stored, see `lit`. Raises InputError if there is no such dictation.
    """
    with store.read_snapshot():
        dictation = store.dictations.one(dictation_id)
        patient = store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)
        values, transcript = tuple(store.values.of(dictation_id)), store.transcripts.of(dictation_id)
        can_undo, filing = store.reviews.can_undo(dictation_id), store.filings.of(dictation_id)
        present, answer = store.patients.present(), store.identity_answers.of(dictation_id)
        same_recording = store.dictations.patients_with_copy(dictation.sha256)
        conflicts, standing = store.values.conflicts(dictation_id), store.values.standing(patient.id)
        replaced, run = store.values.replaced(dictation_id), store.runs.of(dictation_id)
        read_before = store.values.last_read(dictation_id) if dictation.status == "transcribed" else ()
    naming = run.naming
    left_out = [
        replace(one, added=one.patient is not None and one.patient.id in same_recording)
        for one in left_out_of(naming, patient, present)
    ]
    return Sheet(
        dictation=dictation,
        patient=patient,
        schema=schema_of(dictation),
        transcript=transcript,
        values=values,
        can_undo=can_undo,
        run=run,
        sentences=sentences_of(transcript),
        conflicts=conflicts,
        others=(*(one for one in standing if one.value.dictation_id != dictation_id), *chain(*replaced.values())),
        read_before=tuple(read_before),
        filing=filing,
        identity_question=None if filing else question_of(naming, patient, present, answer),
        identity_answer=answer if naming.doubtful and is_answered(naming, patient, answer) else None,
        left_out=tuple(left_out),
    )
