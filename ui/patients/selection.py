"""Which patient and which dictation are chosen, out of those there are."""

from __future__ import annotations

from app.chart.records import Patient
from app.chart.sheet import DictationSummary, Overview
from ui.kit.message_bar import Holds


class Selection:
    """What the person looks at.

    Attributes:
        overview: all patients, discharged ones included, and all dictations.
        patient: whom a recording that begins now is about.
        dictation_id: the dictation that is shown, or about to be; None while none is.
    """

    def __init__(self) -> None:
        self.overview = Overview((), ())
        self.patient: Patient | None = None
        self.dictation_id: int | None = None

    def is_about(self, patient: Patient) -> bool:
        """Whether this patient is chosen."""
        return self.patient is not None and self.patient.id == patient.id

    def entry(self, dictation_id: int | None) -> DictationSummary | None:
        """What the lists say about a dictation."""
        return next((entry for entry in self.overview.entries if entry.dictation.id == dictation_id), None)

    def patient_of(self, dictation_id: int) -> Patient | None:
        """About whom a dictation is, where that is known."""
        entry = self.entry(dictation_id)
        return entry.patient if entry else None

    def newest_of(self, patient: Patient) -> int | None:
        """The newest dictation about a patient."""
        return next((e.dictation.id for e in self.overview.entries if e.patient.id == patient.id), None)

    def stays_at(self, dictation_id: int | None) -> Holds:
        """How long a message holds: until another dictation, or none, is shown."""
        return lambda: self.dictation_id == dictation_id
