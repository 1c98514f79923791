"""The report of a dictation's last complete run: how its values were obtained, and what was not proposed.

The names of the fields are the stored ones, see `app.record.codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.record.values import ProposedValue


@dataclass(frozen=True, slots=True)
class SetAside:
    """Something deliberately not charted: characters [start, end) of the transcript, and why."""

    start: int
    end: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class LikelyRows:
    """Ids of the rows that a span [start, end) of a transcript may be about, likeliest first."""

    start: int
    end: int
    row_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """Words that name a patient: characters [start, end) of a transcript.

    Attributes:
        kind: what names the patient: `bed`, `room`, `name`, `number`, `birth` or `described`.
        called: the normalised form, such as 'bed 12'.
    """

    kind: str
    called: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class PatientPart:
    """Characters [start, end) of a transcript about one patient; `called` is empty before anyone was named."""

    start: int
    end: int
    called: str


@dataclass(frozen=True, slots=True)
class NamedPatients:
    """The patients a dictation names.

    Attributes:
        named: everyone named, at the first mention.
        strangers: those who are not, or not certainly, the patient of the dictation and whose statements could not be
            set aside. While there are any, it is uncertain whose values these are.
        mixed: whether one sentence mentions several patients.
        other: whether the patient of the dictation is none of those named.
        others: the parts about other people, which are set aside.
    """

    named: tuple[Named, ...] = ()
    strangers: tuple[Named, ...] = ()
    mixed: bool = False
    other: bool = False
    others: tuple[PatientPart, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether a person must confirm whose dictation it is."""
        return bool(self.strangers) or self.mixed

    @property
    def called(self) -> frozenset[str]:
        """The names of the doubtful patients."""
        return frozenset(one.called for one in self.strangers)


NAMES_NOBODY = NamedPatients()


@dataclass(frozen=True, slots=True)
class RunRecord:
    """How the values of a dictation were obtained. Fields that a run did not report have their defaults.

    Attributes:
        seconds: wall time per stage; `load` is the part of the others spent loading models.
        tokens: `prompt` and `completion` tokens of the filler.
        models, devices: id and device of the model in each role that was used.
        candidates: number of rows in the reduced schema.
        held_back: values that were read but are too doubtful to propose, most confident first.
        weighed_by: signature of the models that weighed the values; empty if none did.
        features_signature: signature of the meaning of their features, likewise.
        set_aside: statements that are deliberately not charted.
        naming: the patients that the dictation names.
        likely: by clause, the rows that it may be about.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    devices: Mapping[str, str] = field(default_factory=dict)
    candidates: int = 0
    held_back: tuple[ProposedValue, ...] = ()
    weighed_by: str = ""
    features_signature: str = ""
    set_aside: tuple[SetAside, ...] = ()
    naming: NamedPatients = NAMES_NOBODY
    likely: tuple[LikelyRows, ...] = ()


# for a dictation that has not been filled yet
NO_RUN = RunRecord()
