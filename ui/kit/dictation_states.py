"""State of a dictation: words, icon and colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.chart.patient_identity import shared_by_several
from app.chart.records import Patient
from app.chart.sheet import DictationSummary, Overview
from app.system.job_lanes import AnyJob
from app.workbench import Workbench
from models.progress import Progress

SHOWN = 2  # states per patient


class DictationState(NamedTuple):
    """The words, and the names of icon and colour in the theme."""

    words: str
    icon: str
    colour: str


RECORDING = DictationState("Recording", "record", "error")
PAUSED = DictationState("Recording paused", "pause", "muted")
NO_VALUES = DictationState("No values found", "warning", "warning")
REVIEWED = DictationState("Reviewed, not filed", "confirmed", "confirmed")
FILED = DictationState("Filed", "filed", "confirmed")
_DOING = {
    "transcribe": "Transcribing",
    "reduce": "Filling",
    "segment": "Filling",
    "index": "Filling",
    "fill": "Filling",
}


def state_of(
    entry: DictationSummary, workbench: Workbench, latest: tuple[AnyJob, Progress] | None = None
) -> DictationState:
    """The state of a dictation; `latest` is the last report of the running job."""
    job = workbench.intake.job_of(entry.dictation.id)
    if job:
        if workbench.intake.waits(job):
            return DictationState("Queued", "waiting", "muted")
        if workbench.jobs[:1] != (job,):  # its last words are still being transcribed
            return DictationState(progress_words(Progress("transcribe", None)), "running", "accent")
        return DictationState(progress_words(latest[1] if latest and latest[0] is job else None), "running", "accent")
    if entry.filed:
        return FILED
    match entry.dictation.status:
        case "failed":
            return DictationState("Failed, open to retry", "error", "error")
        case "filled" if entry.empty:
            return NO_VALUES
        case "filled" if not entry.proposed:
            return REVIEWED
        case "filled":
            if entry.to_check:  # short enough for the side bar
                return DictationState(f"{entry.proposed} left · {entry.to_check} to check", "lit", "lit")
            return DictationState(f"{entry.proposed} to review", "proposed", "proposed")
        case _:
            return DictationState("Paused, open to resume", "warning", "warning")


def progress_words(progress: Progress | None) -> str:
    """Stage of the running job, with its percentage if known."""
    doing = _DOING.get(progress.stage, "Starting") if progress else "Starting"
    share = f" {progress.fraction:.0%}" if progress and progress.fraction is not None and doing != "Starting" else ""
    return f"{doing}{share or '…'}"


def states_of(
    overview: Overview,
    workbench: Workbench,
    latest: tuple[AnyJob, Progress] | None,
    recorded: tuple[Patient, DictationState] | None,
) -> list[tuple[Patient, tuple[DictationState, ...]]]:
    """All patients by bed, with at most `SHOWN` states each.

    First a warning about shared identifiers, then the recording, then the dictations, newest first, equal states
    counted together.

    Args:
        recorded: the patient of the running recording, and its state; None if there is no recording.
    """
    entries: dict[int, list[DictationSummary]] = {}
    for entry in overview.entries:
        entries.setdefault(entry.patient.id, []).append(entry)
    listed = []
    shared = shared_by_several(overview.patients)
    for patient in sorted(overview.patients, key=_by_bed):
        states = [state_of(entry, workbench, latest) for entry in entries.get(patient.id, ())]
        first = [DictationState(words, "warning", "warning") for words in shared.get(patient.id, ())[:1]]
        first += [recorded[1]] if recorded and recorded[0].id == patient.id else []
        listed.append((patient, (*first, *_together(states))[:SHOWN]))
    return listed


def _together(states: Sequence[DictationState]) -> list[DictationState]:
    """Merges equal states with their count; `FILED` is listed only if there is no other state."""
    counts: dict[DictationState, int] = {}
    for state in states:
        counts[state] = counts.get(state, 0) + 1
    left = [state for state in counts if state != FILED] or list(counts)
    return [state._replace(words=f"{state.words} (×{counts[state]})") if counts[state] > 1 else state for state in left]


def _by_bed(patient: Patient) -> tuple[bool, bool, int, str, str]:
    """Sort key: beds by number (3 before 12), then patients without a bed, then discharged patients."""
    number = "".join(character for character in patient.bed if character.isdecimal())
    return (patient.discharged, not patient.bed, int(number or 0), patient.bed, patient.name)
