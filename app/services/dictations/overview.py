"""Reads all patients and dictations, with the numbers of proposals to check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from functools import partial

from app.chart.records import Dictation, Patient
from app.chart.sheet import DictationSummary, Overview, Sheet
from app.lighting import lighting_of, lights_of
from app.services.context.workspace import Workspace
from app.services.review.cautions import entry_to_come
from models.base.errors import WardlightError

WORKED_OUT_AT_ONCE = 4  # dictations whose proposals one overview looks through; few, so that no sheet has to wait


def read_overview(workspace: Workspace) -> Overview:
    """Reads the overview; it is partial while what is to check of some dictations is not known as it is now."""
    store, to_check = workspace.store, workspace.to_check
    patients = {patient.id: patient for patient in store.patients.all()}
    encounters = store.encounters.patient_ids()
    proposals, decided, filed = store.values.open_proposals(), store.values.decided(), store.filings.filed()
    dictations = store.dictations.all()
    undecided = {one.encounter_id for one in dictations if one.id in proposals}
    charts = _charts(dictations, store.reviews.last_steps(undecided))
    entries, budget, partial_ = [], WORKED_OUT_AT_ONCE, False
    for dictation in dictations:
        left, chart = proposals.get(dictation.id, frozenset()), charts.get(dictation.encounter_id)
        patient = patients[encounters[dictation.encounter_id]]
        known = to_check.of(dictation.id)
        if left and dictation.status == "filled" and (known is None or known.chart != chart):
            if budget:
                to_check.work_out(dictation.id, chart, partial(_to_check, workspace, dictation.id, patient))
                known = to_check.of(dictation.id)
                budget -= 1
            partial_ = partial_ or known is None or known.chart != chart
        count = len(left & known.ids) if known else None if left else 0
        empty, done = dictation.id not in decided, decided.get(dictation.id, 0)
        entries.append(DictationSummary(dictation, patient, len(left), count, dictation.id in filed, empty, done))
    return Overview(tuple(patients.values()), tuple(entries), partial_, entry_to_come(store))


def _charts(dictations: Iterable[Dictation], last_steps: Mapping[int, int | None]) -> dict[int, Hashable]:
    """What changes with each decision and dictation of these encounters: both decide about conflicts."""
    times = defaultdict[int, list[tuple[int, str]]](list)
    for dictation in dictations:
        times[dictation.encounter_id].append((dictation.id, dictation.created_at))
    return {encounter: (step, tuple(times[encounter])) for encounter, step in last_steps.items()}


def _to_check(workspace: Workspace, dictation_id: int, patient: Patient) -> frozenset[int]:
    """Ids of a dictation's proposals to check.

    Empty after an error, which is shown when the dictation is opened: the list must still show the others.
    """
    store = workspace.store
    try:
        with store.read_snapshot():
            dictation, conflicts = store.dictations.one(dictation_id), store.values.conflicts(dictation_id)
            values, run = tuple(store.values.of(dictation_id)), store.runs.of(dictation_id)
        schema = workspace.schema_of(dictation)
        chosen = lighting_of(workspace.settings, schema, run.models)
        lights = lights_of(values, schema, chosen, run.weighed_by)
        sheet = Sheet(dictation, patient, schema, None, values, can_undo=False, lights=lights, conflicts=conflicts)
        return sheet.to_check
    except WardlightError:
        return frozenset()
