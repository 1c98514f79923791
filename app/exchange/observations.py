"""What a receiver is told about one value: it keeps one identity through every correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.exchange.records import ExportRecord


class ObservationState(StrEnum):
    """What a message says about an observation: new, corrected, or no longer valid."""

    FINAL = "final"
    AMENDED = "amended"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Observation:
    """One value as a receiver is to know it.

    Attributes:
        id: a UUID, the same through every correction and in every format.
        version: 1 when it is first sent, then counted up with each message that changes it.
        record: the value; for a withdrawn one the value that was sent last.
        supersedes: id of the message that carried the version before; empty for version 1.
    """

    id: str
    state: ObservationState
    version: int
    record: ExportRecord
    supersedes: str = ""


@dataclass(frozen=True, slots=True)
class RowCodes:
    """A row under the hospital's own ids: its id, its name there, and the code of each option by the option's name.

    The options of a row for yes or no are `Yes` and `No`.
    """

    id: str
    name: str
    options: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class HospitalCodes:
    """The export map of a contract.

    Attributes:
        system: URI of the hospital's codes in FHIR, such as `urn:oid:1.2.3`; empty if it has none.
        name: name of the coding system in HL7 v2; `L` means local.
        rows: by row id of the schema. A row that is absent keeps its own id and name, its options their names.
    """

    system: str = ""
    name: str = "L"
    rows: Mapping[str, RowCodes] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Message:
    """What is handed over at once: the observations of one dictation, and the id that an acknowledgement names.

    Attributes:
        id: at most 20 letters and digits, unique to this installation.
        created_at: UTC in ISO 8601.
        encounter_id: the stay, by the store's number.
        device: name and version of the program that wrote it.
    """

    id: str
    created_at: str
    dictation: int
    encounter_id: int
    observations: tuple[Observation, ...]
    device: str = ""
