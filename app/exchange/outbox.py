"""What the receiver has to be told when a dictation is filed: what differs from what was last put into the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from uuid import UUID, uuid5

from app.exchange.codec import decode_former, decode_record, encode_former, encode_record
from app.exchange.export import records_by_value
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
    standing = {_source(value_id, encounter_id, record): (value_id, record) for value_id, record in records}
    replaced = {
        _of_value(value_id): tuple(map(_of_value, formers))
        for value_id, formers in store.outbox.replaced_values([one for one, _ in records if one is not None]).items()
    }
    concerned = {*standing, *(former for formers in replaced.values() for former in formers)}
    if not (new or store.outbox.told(dictation_id, concerned)):
        return []
    store.outbox.cancel_refused(dictation_id, reviewer)
    told = store.outbox.told(dictation_id, concerned)
    entries = changes(store.outbox.installation, dictation_id, standing, replaced, told)
    by_patient: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        by_patient.setdefault(_patient(decode_record(entry.pieces[0].content)), []).append(entry)
    return [store.outbox.put(dictation_id, encounter_id, found) for found in by_patient.values()]


def changes(
    installation: UUID,
    dictation_id: int,
    standing: Mapping[str, tuple[int | None, ExportRecord]],
    replaced: Mapping[str, Sequence[str]],
    told: Sequence[Told],
) -> list[Entry]:
    """What has to be told of a dictation, the withdrawals first.

    Args:
        standing: by source, the id of the value (None for a score) and the record of all that stands of it.
        replaced: by source, the sources of the values in whose place in the chart it was put.
        told: what was told so far under every id that any of these sources ever had.
    """
    entries, used = [], set[str]()
    for source, (value_id, record) in standing.items():
        known = _continued(source, replaced.get(source, ()), record, [one for one in told if one.id not in used])
        identity = known.id if known else _new_id(installation, source, {one.id for one in told} | used)
        used.add(identity)
        if known and known.valid and known.source == source and _same(_record(known), record):
            continue
        pieces = (
            Piece(record.dictation, encode_record(record)),
            *(Piece(former.dictation, encode_former(former)) for former in record.replaces),
        )
        number = known.version + 1 if known else 1
        entries.append(Entry(identity, number, source, value_id, dictation_id, pieces))
    gone = {former for formers in replaced.values() for former in formers}
    withdrawn = [
        one.withdrawal()
        for one in told
        if one.valid and one.id not in used and (one.dictation_id == dictation_id or one.source in gone)
    ]
    return withdrawn + entries


def _continued(source: str, replaced: Iterable[str], record: ExportRecord, told: Sequence[Told]) -> Told | None:
    """The observation that a value continues: its own, else that of a value that it replaced.

    None under another record number: for the receiver that is another patient.
    """
    own = [one for one in told if one.source == source]
    replacing = [one for one in told if one.source in replaced]
    # another value took over its identity, and no longer stands
    back = [one for one in told if source in one.sources and not (one.valid and one.stands)]
    fitting = [one for one in (*own, *replacing, *back) if one.pieces and _patient(_record(one)) == _patient(record)]
    return next((one for one in fitting if one.valid), None) or next(iter(fitting), None)


def _new_id(installation: UUID, source: str, taken: set[str]) -> str:
    names = (source, *(f"{source}, {count}" for count in range(2, len(taken) + 3)))
    return next(found for name in names if (found := str(uuid5(installation, name))) not in taken)


def _source(value_id: int | None, encounter_id: int, record: ExportRecord) -> str:
    if value_id is not None:
        return _of_value(value_id)
    return f"score {record.row_id} of dictation {record.dictation} in stay {encounter_id}"


def _of_value(value_id: int) -> str:
    return f"value {value_id}"


def _patient(record: ExportRecord) -> tuple[str, ...]:
    """Whom a receiver takes the patient for."""
    return (record.patient_mrn,) if record.patient_mrn else ("", record.patient_name, record.patient_birth_date)


def _same(one: ExportRecord, other: ExportRecord) -> bool:
    """Whether two records say the same about a value; where the patient lies and is called is told by other systems."""

    def said(record: ExportRecord) -> ExportRecord:
        return replace(record, patient_name="", patient_bed="", patient_birth_date="", replaces=())

    return said(one) == said(other)


def _record(told: Told) -> ExportRecord:
    return decode_record(told.pieces[0].content)


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
