"""What is known about the stay in which a transcript was dictated."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from extraction.flowsheet.values import Value
from extraction.preparation.people.other_patients import NOBODY, Person


@dataclass(frozen=True, slots=True)
class EncounterContext:
    """What is known in addition to the transcript.

    Attributes:
        said_at: when it was dictated, with time zone; spoken times are relative to it. None means now.
        known: confirmed values of the same stay by row id, used to tell several lines or wounds apart.
        person: the patient of the dictation; statements about others are set aside.
        ward: the other patients present, whom it may name.
    """

    said_at: dt.datetime | None = None
    known: Mapping[str, Value] = field(default_factory=dict)
    person: Person = NOBODY
    ward: tuple[Person, ...] = ()


NO_CONTEXT = EncounterContext()
