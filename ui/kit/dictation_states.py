"""States of dictations, in words and icons; the patients with those of theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.chart.patient_identity import alike, is_incomplete, shared_by_several
from app.chart.records import Patient
from app.chart.sheet import DictationSummary, Overview
from app.services.engine.job_lanes import AnyJob
from app.services.workbench import Workbench
from models.base.progress import Progress
from ui.kit.words import INCOMPLETE, identifiers, place_text


class DictationState(NamedTuple):
    """The words, and the names of icon and colour in the theme; `values` is how many of them the icon stands for."""

    words: str
    icon: str
    colour: str
    values: int = 0


class Mark(NamedTuple):
    """An icon for states that look the same, with the number of their values or, if there are several, of them."""

    icon: str
    colour: str
    number: str


class ListedPatient(NamedTuple):
    """A patient as listed.

    Attributes:
        note: what tells the patient apart, where the name does not; empty where it does.
        warns: whether the note is a warning.
        states: the states of the dictations, equal ones together.
        marks: the states in short.
    """

    patient: Patient
    note: str
    warns: bool
    states: tuple[DictationState, ...]
    marks: tuple[Mark, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """All that is known of the patient, and the states."""
        known = identifiers(self.patient) or (INCOMPLETE,)
        warning = (self.note,) if self.warns and self.note != INCOMPLETE else ()
        states = (state.words for state in self.states)
        return tuple(filter(None, (self.patient.name, *known, place_text(self.patient), *warning, *states)))


RECORDING = DictationState("Recording", "record", "error")
PAUSED = DictationState("Recording paused", "pause", "muted")
NO_VALUES = DictationState("No values found", "warning", "warning")
REVIEWED = DictationState("Reviewed, not filed", "confirmed", "confirmed")
FILED = DictationState("Filed", "filed", "confirmed")
_DOING = {
    "transcribe": "Transcribing",
    "reduce": "Filling",
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
                words = f"{entry.proposed} left · {entry.to_check} to check"
                return DictationState(words, "lit", "lit", entry.to_check)
            return DictationState(f"{entry.proposed} to review", "proposed", "proposed", entry.proposed)
        case _:
            return DictationState("Paused, open to resume", "warning", "warning")


def progress_words(progress: Progress | None) -> str:
    """Stage of the running job, with its percentage if known."""
    doing = _DOING.get(progress.stage, "Starting") if progress else "Starting"
    share = f" {progress.fraction:.0%}" if progress and progress.fraction is not None and doing != "Starting" else ""
    return f"{doing}{share or '…'}"


def listed_patients(
    overview: Overview,
    workbench: Workbench,
    latest: tuple[AnyJob, Progress] | None,
    recorded: tuple[Patient, DictationState] | None,
) -> list[ListedPatient]:
    """All patients by bed, with the states of the recording and of the dictations, newest first.

    Args:
        recorded: the patient of the running recording, and its state; None if there is no recording.
    """
    entries: dict[int, list[DictationSummary]] = {}
    for entry in overview.entries:
        entries.setdefault(entry.patient.id, []).append(entry)
    shared, same_names = shared_by_several(overview.patients), alike(overview.patients)
    listed = []
    for patient in sorted(overview.patients, key=_by_bed):
        states = [recorded[1]] if recorded and recorded[0].id == patient.id else []
        states += [state_of(entry, workbench, latest) for entry in entries.get(patient.id, ())]
        if any(state != FILED for state in states):
            states = [state for state in states if state != FILED]
        warning = next(iter(shared.get(patient.id, ())), INCOMPLETE if is_incomplete(patient) else "")
        apart = place_text(patient) if patient.discharged else ""
        if patient.id in same_names:
            apart = " · ".join(identifiers(patient)).removeprefix("born ")
        listed.append(
            ListedPatient(patient, warning or apart, bool(warning), tuple(_together(states)), tuple(_marks(states)))
        )
    return listed


def _together(states: Sequence[DictationState]) -> list[DictationState]:
    """Merges equal states with their count."""
    counts = Counter(states)
    return [state._replace(words=f"{state.words} (×{n})") if n > 1 else state for state, n in counts.items()]


def _marks(states: Sequence[DictationState]) -> Iterator[Mark]:
    looks: dict[tuple[str, str], list[int]] = {}
    for state in states:
        looks.setdefault((state.icon, state.colour), []).append(state.values)
    for look, counts in looks.items():
        number = sum(counts) or (len(counts) if len(counts) > 1 else 0)
        yield Mark(*look, str(number or ""))


def _by_bed(patient: Patient) -> tuple[bool, bool, int, str, str]:
    """Sort key: beds by number (3 before 12), then patients without a bed, then discharged patients."""
    number = "".join(character for character in patient.bed if character.isdecimal())
    return (patient.discharged, not patient.bed, int(number or 0), patient.bed, patient.name)
