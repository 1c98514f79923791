"""What the receiver has to be told when a dictation is filed: what differs from what was last put into the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from uuid import UUID

from app.exchange.codec import decode_former, decode_record, encode_former, encode_record
from app.exchange.export import records_by_value
from app.exchange.identities import Standing, identities, patient_key, record_of, what_stands
from app.exchange.observations import Message, Observation, ObservationState
from app.exchange.records import ExportRecord
from app.record.outbox import Entry, OutboxMessage, Piece, QueuedObservation, Told
from app.store import Store
from extraction.flowsheet.schema import Schema


def queue(store: Store, dictation_id: int, schema: Schema, reviewer: str, *, new: bool) -> list[OutboxMessage]:
    """Queues what has to be told now that a dictation is filed: nothing if nothing has changed, else one message.

    After a change of the record number there are two: what was told under the former one is withdrawn there.

    Call it in the transaction of the filing. Refused messages of the dictation are cancelled: the new one says what
    they should have.

    Args:
        new: whether a dictation of which nothing was told is told, too.
    """
    records = records_by_value(store, dictation_id, schema)
    encounter_id = store.dictations.one(dictation_id).encounter_id
    standing = what_stands(store, dictation_id, records)
    if not (new or store.outbox.told(dictation_id, standing.sources)):
        return []
    store.outbox.cancel_refused(dictation_id, reviewer)
    told = store.outbox.told(dictation_id, standing.sources)
    entries = changes(store.outbox.installation, dictation_id, standing, told)
    by_patient: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        by_patient.setdefault(patient_key(decode_record(entry.pieces[0].content)), []).append(entry)
    return [store.outbox.put(dictation_id, encounter_id, found) for found in by_patient.values()]


def changes(installation: UUID, dictation_id: int, standing: Standing, told: Sequence[Told]) -> list[Entry]:
    """What has to be told of a dictation, the withdrawals first.

    Args:
        told: what was told so far under every id that any source of what stands ever had.
    """
    entries, used = [], set[str]()
    for source, (identity, known) in identities(installation, standing, told).items():
        value_id, record = standing.values[source]
        used.add(identity)
        if known and known.valid and known.source == source and _same(record_of(known), record):
            continue
        pieces = (
            Piece(record.dictation, encode_record(record)),
            *(Piece(former.dictation, encode_former(former)) for former in record.replaces),
        )
        number = known.version + 1 if known else 1
        entries.append(Entry(identity, number, source, value_id, dictation_id, pieces))
    gone = {former for formers in standing.replaced.values() for former in formers}
    withdrawn = [
        one.withdrawal()
        for one in told
        if one.valid and one.id not in used and (one.dictation_id == dictation_id or one.source in gone)
    ]
    return withdrawn + entries


def _same(one: ExportRecord, other: ExportRecord) -> bool:
    """Whether two records say the same about a value; where the patient lies and is called is told by other systems."""

    def said(record: ExportRecord) -> ExportRecord:
        return replace(record, patient_name="", patient_bed="", patient_birth_date="", replaces=())

    return said(one) == said(other)


def message_of(store: Store, queued: OutboxMessage) -> Message:
    """A message as it is to be handed over; without observations if nothing is left to tell.

    Call it when no message before it about the same patient is open: what a cancelled one said was never told.
    """
    found = tuple(_observation(one) for one in store.outbox.observations(queued.number) if one.state)
    return Message(
        queued.id,
        queued.created_at,
        queued.dictation_id,
        queued.encounter_id,
        found,
        f"Wardlight {version('wardlight')}",
    )


def _observation(queued: QueuedObservation) -> Observation:
    entry = queued.entry
    replaces = tuple(decode_former(piece.content) for piece in entry.pieces[1:])
    record = decode_record(entry.pieces[0].content, replaces)
    return Observation(entry.id, ObservationState(queued.state), entry.version, record, queued.supersedes)
