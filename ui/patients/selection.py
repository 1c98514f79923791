"""The chosen patient and dictation, and the overview of all of them."""

from __future__ import annotations

from app.chart.records import Patient
from app.chart.sheet import DictationSummary, Overview
from ui.kit.message_bar import Holds


class Selection:
    """What the user is looking at.

    Attributes:
        overview: all patients, discharged ones included, and all dictations.
        patient: the chosen patient, also of a new recording; None if none is chosen.
        dictation_id: the dictation that is shown or being loaded; None if there is none.
    """

    def __init__(self) -> None:
        self.overview = Overview((), ())
        self.patient: Patient | None = None
        self.dictation_id: int | None = None

    @property
    def place(self) -> tuple[int, int | None] | None:
        """The chosen patient and dictation, by their ids; None without a patient."""
        return (self.patient.id, self.dictation_id) if self.patient else None

    def is_about(self, patient: Patient) -> bool:
        """True if this patient is chosen."""
        return self.patient is not None and self.patient.id == patient.id

    def entry(self, dictation_id: int | None) -> DictationSummary | None:
        """Summary of a dictation; None if unknown."""
        return next((entry for entry in self.overview.entries if entry.dictation.id == dictation_id), None)

    def patient_of(self, dictation_id: int) -> Patient | None:
        """Patient of a dictation; None if unknown."""
        entry = self.entry(dictation_id)
        return entry.patient if entry else None

    def newest_of(self, patient: Patient) -> int | None:
        """Id of a patient's newest dictation; None if there is none."""
        return next((e.dictation.id for e in self.overview.entries if e.patient.id == patient.id), None)

    def stays_at(self, dictation_id: int | None) -> Holds:
        """Returns a condition for messages that holds until another dictation, or none, is shown."""
        return lambda: self.dictation_id == dictation_id

    def until_left(self, dictation_id: int) -> Holds:
        """Returns a condition for messages that holds until the dictation was shown and another one is."""
        seen = False

        def holds() -> bool:
            nonlocal seen
            shown = self.dictation_id == dictation_id
            seen = seen or shown
            return shown or not seen

        return holds
