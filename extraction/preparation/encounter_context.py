"""What is known of the stay in which a transcript was dictated."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from extraction.flowsheet.values import Value
from extraction.preparation.other_patients import NOBODY, Person


@dataclass(frozen=True, slots=True)
class EncounterContext:
    """What is known beside a transcript.

    Attributes:
        said_at: when it was dictated, with its time zone: spoken times count from there. None for now.
        known: confirmed values of the same stay by row id, which tell several lines or wounds apart.
        person: the patient whose dictation it is; what is about others is set aside.
        ward: the other patients who are present, whom it may name.
    """

    said_at: dt.datetime | None = None
    known: Mapping[str, Value] = field(default_factory=dict)
    person: Person = NOBODY
    ward: tuple[Person, ...] = ()


NO_CONTEXT = EncounterContext()
