"""Whose observations they are, what wrote them, and who answers for them: Patient, Encounter, Device, Provenance."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote
from uuid import UUID, uuid5

from app.exchange.fhir import datatypes
from app.exchange.fhir.datatypes import Json, clean, coding, concept, filled, reference, urn
from app.exchange.observations import Message, Observation, ObservationState
from app.exchange.records import ExportRecord

_TERMINOLOGY = "http://terminology.hl7.org/CodeSystem/"
_MRN = concept(coding(f"{_TERMINOLOGY}v2-0203", "MR"))
_PROGRAM = "Wardlight"


@dataclass(frozen=True, slots=True)
class Sender:
    """Where messages come from.

    Attributes:
        installation: the same for ever: ids of patients, stays and programs depend on it.
        mrn_system: URI of the hospital's record numbers; empty if it has none.
    """

    installation: UUID
    mrn_system: str = ""

    def id_of(self, *names: str) -> str:
        """The id of a thing, the same in every message of this installation."""
        return str(uuid5(self.installation, "\n".join(names)))

    @property
    def system(self) -> str:
        """The URI of numbers that this installation gives."""
        return urn(str(self.installation))


def patient_id(record: ExportRecord, message: Message, sender: Sender) -> str:
    """By record number. Without one, a patient is told from others of the same name by the stay."""
    if record.patient_mrn:
        return sender.id_of("patient", record.patient_mrn)
    stay = str(message.encounter_id)
    return sender.id_of("patient without number", stay, record.patient_name, record.patient_birth_date)


def encounter_id(message: Message, sender: Sender) -> str:
    return sender.id_of("encounter", str(message.encounter_id))


def patient(record: ExportRecord, message: Message, sender: Sender, *, current: bool) -> Json:
    """An entry with the patient.

    The receiver keeps a patient that it has and adds one only where there is none, if it has them under the hospital's
    own number, so that it never loses what it knows of them, or if what we know may be outdated.

    Args:
        current: whether name and birth date are those of today.
    """
    own_id = patient_id(record, message, sender)
    identifiers = [{"system": sender.system, "value": own_id}]
    if record.patient_mrn:
        identifiers.insert(0, filled(type=_MRN, system=sender.mrn_system, value=clean(record.patient_mrn)))
    whole = entry(
        {
            "resourceType": "Patient",
            "id": own_id,
            "identifier": identifiers,
            **filled(
                name=[{"text": clean(record.patient_name)}] if record.patient_name else [],
                birthDate=record.patient_birth_date,
            ),
        }
    )
    of_hospital = bool(record.patient_mrn and sender.mrn_system)
    if of_hospital or not current:
        number = identifiers[0 if of_hospital else -1]
        known = quote(f"{number['system']}|{number['value']}", safe="")
        whole["request"] = {"method": "POST", "url": "Patient", "ifNoneExist": f"identifier={known}"}
    return whole


def encounter(record: ExportRecord, message: Message, sender: Sender) -> Json:
    """An entry with the stay, of which only that it is one is known: neither its class nor whether it has ended."""
    own_id = encounter_id(message, sender)
    return entry(
        {
            "resourceType": "Encounter",
            "id": own_id,
            "identifier": [{"system": sender.system, "value": str(message.encounter_id)}],
            "status": "unknown",
            "class": coding(f"{_TERMINOLOGY}v3-NullFlavor", "UNK"),
            "subject": reference(patient_id(record, message, sender)),
        }
    )


def device_id(message: Message, sender: Sender) -> str:
    return sender.id_of("device", message.device)


def device(message: Message, sender: Sender) -> Json:
    """An entry with the program; each version is a device of its own, since an earlier one wrote earlier values."""
    name, _, version = clean(message.device or _PROGRAM).partition(" ")
    return entry(
        {
            "resourceType": "Device",
            "id": device_id(message, sender),
            "deviceName": [{"name": name, "type": "user-friendly-name"}],
            **filled(version=[{"value": version}] if version.strip() else []),
        }
    )


def provenance(observation: Observation, message: Message, sender: Sender) -> Json:
    """An entry that says who answers for this version of an observation, since when, and what it takes the place of.

    Nobody is named for a withdrawn one: its record is the value that was sent last, with who decided about that.
    """
    record, state = observation.record, observation.state
    withdrawn = state is ObservationState.WITHDRAWN
    wrote = {"type": _agent_type("assembler"), "who": reference(device_id(message, sender))}
    answers = {
        "type": _agent_type("author" if record.status == "added" else "verifier"),
        "who": {"display": clean(record.reviewer)},
    }
    activity = {ObservationState.FINAL: "CREATE", ObservationState.AMENDED: "UPDATE"}.get(state, "NULLIFY")
    before = filled(
        identifier=filled(system=sender.system, value=clean(observation.supersedes)),
        display=f"Version {observation.version - 1} of the observation, in message {clean(observation.supersedes)}",
    )
    former = [{"display": clean(f"In its place of the chart before: {one}")} for one in record.replaces]
    return entry(
        {
            "resourceType": "Provenance",
            "id": sender.id_of("provenance", observation.id, str(observation.version)),
            "target": [reference(observation.id)],
            "recorded": datatypes.instant(message.created_at if withdrawn else record.reviewed_at),
            "activity": concept(coding(f"{_TERMINOLOGY}v3-DataOperation", activity)),
            "agent": [wrote] if withdrawn or not record.reviewer else [answers, wrote],
            **filled(
                entity=[
                    {"role": "revision", "what": what} for what in ([before] if observation.supersedes else []) + former
                ]
            ),
        }
    )


def entry(resource: Json) -> Json:
    """An entry that a receiver stores under the id of its resource, once or again."""
    kind, own_id = resource["resourceType"], resource["id"]
    return {"fullUrl": urn(own_id), "resource": resource, "request": {"method": "PUT", "url": f"{kind}/{own_id}"}}


def _agent_type(code: str) -> Json:
    return concept(coding(f"{_TERMINOLOGY}provenance-participant-type", code))
