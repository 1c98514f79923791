"""What has to be known about a receiver to write messages that it takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from app.system.record_system import RecordSystemSettings


class SeveralOptions(StrEnum):
    """How a receiver takes several options of one row."""

    REPEATED = "repeated"
    """One OBX, in which OBX-5 repeats."""
    SEPARATE = "separate"
    """One OBX for each; OBX-4 is the option's place in the row's list."""


@dataclass(frozen=True, slots=True)
class Designator:
    """An application, a facility or an authority: its name at the hospital, and its OID if it has one."""

    name: str = ""
    oid: str = ""


@dataclass(frozen=True, slots=True)
class Receiver:
    """The settings of one receiver.

    Attributes:
        assigning_authority: who gives out the MRN.
        processing_id: table 0103: `P` production, `T` training, `D` debugging.
        character_set: table 0211, one of `CHARACTER_SETS`.
        patient_class: table 0004: `I` inpatient.
        point_of_care: the ward as the receiver names it.
        statuses: the codes of table 0085 that it takes in OBX-11.
        withdrawn: which of them says that a value is no longer valid: `D`, `W` or `X`.
        coded_type: `CE`, or `CWE` for receivers that follow later versions.
        several_options: how it takes several options of one row.
        words_said: whether it is told the words that state a value.
    """

    sending_application: Designator = Designator("WARDLIGHT")
    sending_facility: Designator = Designator()
    receiving_application: Designator = Designator()
    receiving_facility: Designator = Designator()
    assigning_authority: Designator = Designator()
    processing_id: str = "P"
    character_set: str = "UNICODE UTF-8"
    patient_class: str = "I"
    point_of_care: str = ""
    statuses: frozenset[str] = field(default=frozenset("FCDX"))
    withdrawn: str = "D"
    coded_type: str = "CE"
    several_options: SeveralOptions = SeveralOptions.REPEATED
    words_said: bool = True


# Character sets by their names in table 0211, with the codec of each.
CHARACTER_SETS = {
    "UNICODE UTF-8": "utf-8",
    "ASCII": "ascii",
    **{f"8859/{number}": f"iso8859-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 15)},
}


def receiver_in(settings: RecordSystemSettings) -> Receiver:
    """The receiver that the settings describe."""
    return Receiver(
        sending_application=_designator(settings.sending_application),
        sending_facility=_designator(settings.sending_facility),
        receiving_application=_designator(settings.receiving_application),
        receiving_facility=_designator(settings.receiving_facility),
        assigning_authority=_designator(settings.assigning_authority),
        processing_id=settings.processing_id,
        character_set=settings.character_set,
        patient_class=settings.patient_class,
        point_of_care=settings.point_of_care,
        statuses=frozenset(settings.statuses),
        withdrawn=settings.withdrawn,
        coded_type=settings.coded_type,
        several_options=SeveralOptions(settings.several_options),
        words_said=settings.words_said,
    )


def _designator(text: str) -> Designator:
    name, _, oid = text.partition("^")
    return Designator(name.strip(), oid)
