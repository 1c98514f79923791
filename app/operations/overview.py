"""Reads all patients and dictations, with the numbers of lit proposals."""

from __future__ import annotations

from functools import partial

from app.chart.sheet import DictationSummary, Overview
from app.lighting import lighting_of, lights_of
from app.operations.cautions import entry_to_come
from app.workspace.context import Workspace
from models.errors import WardlightError

LIT_AT_ONCE = 4  # dictations whose lights one overview works out; few, so that no sheet has to wait


def read_overview(workspace: Workspace) -> Overview:
    """Reads the overview; it is partial while the lights of some dictations are not known."""
    store, lit = workspace.store, workspace.lit
    patients = {patient.id: patient for patient in store.patients.all()}
    encounters = store.encounters.patient_ids()
    proposals, decided, filed = store.values.open_proposals(), store.values.decided(), store.filings.filed()
    entries, budget = [], LIT_AT_ONCE
    for dictation in store.dictations.all():
        left = proposals.get(dictation.id, frozenset())
        if left and dictation.status == "filled" and lit.of(dictation.id) is None and budget:
            lit.work_out(dictation.id, partial(_lit, workspace, dictation.id))
            budget -= 1
        known = lit.of(dictation.id)
        count = len(left & known) if known is not None else None if left else 0
        patient = patients[encounters[dictation.encounter_id]]
        empty, done = dictation.id not in decided, decided.get(dictation.id, 0)
        entries.append(DictationSummary(dictation, patient, len(left), count, dictation.id in filed, empty, done))
    incomplete = any(entry.lit is None and entry.dictation.status == "filled" for entry in entries)
    return Overview(tuple(patients.values()), tuple(entries), incomplete, entry_to_come(store))


def _lit(workspace: Workspace, dictation_id: int) -> frozenset[int]:
    """Ids of a dictation's lit proposals.

    Empty after an error, which is shown when the dictation is opened: the list must still show the others.
    """
    try:
        with workspace.store.read_snapshot():
            dictation = workspace.store.dictations.one(dictation_id)
            values, run = workspace.store.values.of(dictation_id), workspace.store.runs.of(dictation_id)
        schema = workspace.schema_of(dictation)
        chosen = lighting_of(workspace.settings, schema, run.models)
        return frozenset(lights_of(values, schema, chosen, run.weighed_by))
    except WardlightError:
        return frozenset()
