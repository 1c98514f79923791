"""A dictation's sheet, read out of the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.columns import column_at
from app.records import Dictation
from app.sheet import Sheet, sentences_of
from app.trends import earlier
from extraction.schema import Schema

if TYPE_CHECKING:
    from app.store import Store

EARLIER_DICTATIONS = 40  # so far back the chart of a patient is looked at


def read_sheet(store: Store, dictation_id: int, schema_of: Callable[[Dictation], Schema]) -> Sheet:
    """Everything that is kept of a dictation, as it stands at one moment: it may be filled or reviewed meanwhile.

    What is lit is not kept, see `app.lighting`. Raises InputError for a dictation that is not there.
    """
    with store.one_moment():
        dictation = store.dictation(dictation_id)
        patient = store.patient(store.encounter(dictation.encounter_id).patient_id)
        values, transcript = tuple(store.values(dictation_id)), store.transcript(dictation_id)
        can_undo, filing = store.can_undo(dictation_id), store.filing(dictation_id)
        conflicts, standing = store.conflicts(dictation_id), store.standing(patient.id, EARLIER_DICTATIONS)
    return Sheet(
        dictation=dictation,
        patient=patient,
        schema=schema_of(dictation),
        transcript=transcript,
        values=values,
        can_undo=can_undo,
        sentences=sentences_of(transcript),
        conflicts=conflicts,
        earlier=earlier(standing, column_at(dictation.created_at)),
        filing=filing,
    )
