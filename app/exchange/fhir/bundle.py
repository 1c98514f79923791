"""A message as one FHIR R4 bundle: the same document is sent as a transaction and written to a file."""

from __future__ import annotations

import json

from app.exchange.fhir import participants
from app.exchange.fhir.datatypes import Json, clean, instant
from app.exchange.fhir.hospital_codes import CodeBook
from app.exchange.fhir.observations import observation_resource
from app.exchange.fhir.participants import Sender, entry
from app.exchange.fhir.validation import refuse_invalid
from app.exchange.observations import HospitalCodes, Message, ObservationState
from app.exchange.records import ExportRecord
from extraction.flowsheet.schema import Schema
from models.base.errors import InputError


def fhir_bundle(message: Message, codes: HospitalCodes, schema: Schema, sender: Sender) -> bytes:
    """The bundle of a message as JSON in UTF-8, checked. The same message always makes the same bytes.

    Args:
        message: what is new, corrected or withdrawn; the receiver keeps what it was told before.
        schema: the schema that the dictation was filled with.

    Raises:
        InputError: it is empty, is about several patients, has a value that is not of its row's type, or breaks a rule
            of FHIR; the message names resource, row and rule.
    """
    if not message.observations:
        raise InputError("There is nothing to send.", "Confirm a value first.")
    whose = _patient_of(message, sender)
    # A withdrawn value may be of another patient or stay: its dictation was moved, or its patient got another number.
    records = [one.record for one in message.observations] + ([whose] if whose else [])
    patients = {participants.patient_id(one, message, sender): one for one in records}
    entries = [participants.patient(one, message, sender, current=one is whose) for one in patients.values()]
    if whose:
        entries.append(participants.encounter(whose, message, sender))
    entries.append(participants.device(message, sender))
    book = CodeBook(codes, schema)
    for one in message.observations:
        patient = participants.patient_id(one.record, message, sender)
        stands = one.state is not ObservationState.WITHDRAWN
        encounter = participants.encounter_id(message, sender) if stands else ""
        entries.append(entry(observation_resource(one, message, book, patient=patient, encounter=encounter)))
    entries += [participants.provenance(one, message, sender) for one in message.observations]
    bundle: Json = {
        "resourceType": "Bundle",
        "id": message.id,
        "identifier": {"system": sender.system, "value": clean(message.id)},
        "type": "transaction",
        "timestamp": instant(message.created_at),
        "entry": entries,
    }
    refuse_invalid(bundle, {one.id: one.record for one in message.observations})
    return (json.dumps(bundle, ensure_ascii=False, allow_nan=False, indent=2) + "\n").encode()


def _patient_of(message: Message, sender: Sender) -> ExportRecord | None:
    """A record with the patient of the values that stand; None if none does."""
    standing = [one.record for one in message.observations if one.state is not ObservationState.WITHDRAWN]
    if len({participants.patient_id(one, message, sender) for one in standing}) > 1:
        raise InputError(
            "The values of one message are of several patients, so it was not sent.",
            "Check whose dictation it is, and send it again.",
        )
    return standing[-1] if standing else None
