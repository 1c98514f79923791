"""Under which id the record system knows a value: the same through every correction, in every file and message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from app.exchange.codec import decode_record
from app.exchange.records import ExportRecord
from app.record.outbox import Told
from app.store import Store


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of a dictation, and what was told of it.

    Attributes:
        values: by source, the id of the value (None for a score) and its record.
        replaced: by source, the sources of the values in whose place in the chart it was put.
    """

    values: Mapping[str, tuple[int | None, ExportRecord]]
    replaced: Mapping[str, Sequence[str]]

    @property
    def sources(self) -> set[str]:
        """Every source that an observation of these values may have had."""
        return {*self.values, *(former for formers in self.replaced.values() for former in formers)}


def what_stands(store: Store, dictation_id: int, records: Sequence[tuple[int | None, ExportRecord]]) -> Standing:
    """What stands of a dictation, by its records, each after the id of its value (None for a score)."""
    encounter_id = store.dictations.one(dictation_id).encounter_id
    formers = store.outbox.replaced_values([one for one, _ in records if one is not None])
    return Standing(
        {_source(value_id, encounter_id, record): (value_id, record) for value_id, record in records},
        {_of_value(value_id): tuple(map(_of_value, found)) for value_id, found in formers.items()},
    )


def identities(installation: UUID, standing: Standing, told: Sequence[Told]) -> dict[str, tuple[str, Told | None]]:
    """By source, the id of the observation and what was told under it; None if nothing was.

    Args:
        told: what was told so far under every id that any of these sources ever had.
    """
    found: dict[str, tuple[str, Told | None]] = {}
    used = set[str]()
    for source, (_, record) in standing.values.items():
        replaced = standing.replaced.get(source, ())
        known = _continued(source, replaced, record, [one for one in told if one.id not in used])
        identity = known.id if known else _new_id(installation, source, {one.id for one in told} | used)
        used.add(identity)
        found[source] = (identity, known)
    return found


def patient_key(record: ExportRecord) -> tuple[str, ...]:
    """Whom a receiver takes the patient for."""
    return (record.patient_mrn,) if record.patient_mrn else ("", record.patient_name, record.patient_birth_date)


def record_of(told: Told) -> ExportRecord:
    """The record that was told last."""
    return decode_record(told.pieces[0].content)


def _continued(source: str, replaced: Iterable[str], record: ExportRecord, told: Sequence[Told]) -> Told | None:
    """The observation that a value continues: its own, else that of a value that it replaced.

    None under another record number: for the receiver that is another patient.
    """
    own = [one for one in told if one.source == source]
    replacing = [one for one in told if one.source in replaced]
    # another value took over its identity, and no longer stands
    back = [one for one in told if source in one.sources and not (one.valid and one.stands)]
    whose = patient_key(record)
    fitting = [one for one in (*own, *replacing, *back) if one.pieces and patient_key(record_of(one)) == whose]
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
