"""A message as one FHIR R4 bundle: the same document is sent as a transaction and written to a file."""

from __future__ import annotations

import json

from app.exchange.fhir import participants
from app.exchange.fhir.datatypes import Json, clean, instant, urn
from app.exchange.fhir.hospital_codes import CodeBook
from app.exchange.fhir.observations import ObservationWriter, Subject
from app.exchange.fhir.participants import Sender
from app.exchange.fhir.validation import refuse_invalid
from app.exchange.observations import HospitalCodes, Message, ObservationState
from app.exchange.records import ExportRecord
from extraction.flowsheet.schema import Schema
from models.base.errors import InputError


def fhir_bundle(message: Message, codes: HospitalCodes, schema: Schema, sender: Sender) -> bytes:
    """The bundle of a message as JSON in UTF-8, checked. The same message always makes the same bytes.

    Args:
        message: the observations of a dictation. Site and method of a number are taken from the values of the same
            message, so that a number has to be in it again if its site was corrected.
        schema: the schema that the dictation was filled with.

    Raises:
        InputError: it is empty, is about several patients, has a value that is not of its row's type, or breaks a rule
            of FHIR; the message names resource, row and rule.
    """
    if not message.observations:
        raise InputError("There is nothing to send.", "Confirm a value first.")
    records = [one.record for one in message.observations]
    standing = [one.record for one in message.observations if one.state is not ObservationState.WITHDRAWN]
    whose = _only_patient(standing) if standing else records[-1]
    encounter = participants.encounter_id(message, sender)
    stayed = participants.patient_id(whose, message, sender)
    # a withdrawn value may be of the patient that a dictation was moved away from; this stay is not theirs
    patients = {participants.patient_id(one, message, sender): one for one in [*reversed(records), whose]}
    writer = ObservationWriter(message, CodeBook(codes, schema))
    entries = [
        *(participants.patient(one, message, sender) for one in patients.values()),
        participants.encounter(stayed, message, sender),
        participants.device(message, sender),
    ]
    for one in message.observations:
        patient = participants.patient_id(one.record, message, sender)
        subject = Subject(patient, encounter if patient == stayed else "")
        entries.append(participants.entry(writer.resource(one, subject)))
    entries += [participants.provenance(one, message, sender) for one in message.observations]
    bundle: Json = {
        "resourceType": "Bundle",
        "id": message.id,
        "identifier": {"system": urn(sender.installation), "value": clean(message.id)},
        "type": "transaction",
        "timestamp": instant(message.created_at),
        "entry": entries,
    }
    refuse_invalid(bundle, {one.id: one.record for one in message.observations})
    return (json.dumps(bundle, ensure_ascii=False, allow_nan=False, indent=2) + "\n").encode()


def _only_patient(records: list[ExportRecord]) -> ExportRecord:
    if len({one.patient_mrn or one.patient_name for one in records}) > 1:
        raise InputError(
            "The values of one message are of several patients, so it was not sent.",
            "Check whose dictation it is, and send it again.",
        )
    return records[-1]
