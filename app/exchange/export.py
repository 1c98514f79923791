"""Exports values for which a person has taken responsibility from the store to files for other systems."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

from app.chart.cells import local_of, utc_of
from app.chart.computed_rows import Score, is_confirmed, scores_of
from app.chart.records import ChartEntry, ReviewedValue
from app.exchange.file_formats import DEFAULT_OPTIONS, EXPORTERS, ExportContent, ExportOptions
from app.exchange.identities import identities, what_stands
from app.exchange.observations import Message, Observation, ObservationState
from app.exchange.records import ExportRecord, Former
from app.store import Store
from extraction.flowsheet.ranges import interpretation
from extraction.flowsheet.schema import Schema
from models.base.atomic_files import sync_folder, write_and_sync
from models.base.errors import InputError, ResourceError

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
_LONGEST_MRN = 40
_MESSAGE_ID = 20  # characters that HL7 v2 has room for


def export(
    store: Store,
    dictation_id: int,
    schema: Schema,
    folder: Path,
    formats: Sequence[str] = ("json", "csv"),
    options: ExportOptions = DEFAULT_OPTIONS,
) -> list[Path]:
    """Writes the confirmed, edited and added values of a dictation to one new file per format.

    Replaced values are left out; the values that replaced them name them.

    The files appear complete and together: if one cannot be written, none is left. No file is ever overwritten.

    Args:
        schema: the schema that the dictation was filled with.

    Raises:
        InputError: the format is unknown or cannot say a value, the schema is another one, or no value is confirmed.
        UnsureIdentity: it names others than its patient, and nobody has said yet whose it is.
        ResourceError: the folder cannot be written to.
    """
    if unknown := [name for name in formats if name not in EXPORTERS]:
        raise InputError(f"There is no export format {unknown[0]!r}.", f"Choose from: {', '.join(EXPORTERS)}.")
    store.identity_answers.refuse_unsure(dictation_id)
    records = records_by_value(store, dictation_id, schema)
    if not records:
        raise InputError(
            f"Dictation {dictation_id} has no confirmed values, and only confirmed values are exported.",
            "Review its values first.",
        )
    now = datetime.now(UTC)
    message = _message(store, dictation_id, records, now)
    content = ExportContent(message, schema, store.outbox.installation, options)
    files = {EXPORTERS[name].suffix: EXPORTERS[name].encode(content) for name in formats}
    return _write_files(files, folder, f"{_name_of(content.records[0])}-{now:%Y%m%dT%H%M%SZ}")


def _message(
    store: Store, dictation_id: int, records: Sequence[tuple[int | None, ExportRecord]], now: datetime
) -> Message:
    """All that stands as one message of new observations, under the ids that they have in the outbox."""
    standing = what_stands(store, dictation_id, records)
    known = identities(store.outbox.installation, standing, store.outbox.told(dictation_id, standing.sources))
    return Message(
        uuid4().hex[:_MESSAGE_ID],
        now.isoformat(timespec="seconds"),
        dictation_id,
        store.dictations.one(dictation_id).encounter_id,
        tuple(
            Observation(known[source][0], ObservationState.FINAL, 1, record)
            for source, (_, record) in standing.values.items()
        ),
        f"Wardlight {version('wardlight')}",
    )


def export_records(store: Store, dictation_id: int, schema: Schema) -> list[ExportRecord]:
    """The export records of a dictation in the order of the schema's rows. Raises InputError for another schema."""
    return [record for _, record in records_by_value(store, dictation_id, schema)]


def records_by_value(store: Store, dictation_id: int, schema: Schema) -> list[tuple[int | None, ExportRecord]]:
    """The same, each after the id of its value; None for a score."""
    dictation = store.dictations.one(dictation_id)
    version = store.schemas.version(dictation.schema_version_id)
    if version.sha256 != schema.sha256:
        raise InputError(
            f"Dictation {dictation_id} was filled with {version.name} {version.version}, not with this schema.",
            "Export it with that schema.",
        )
    patient = store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)
    former = store.values.replaced(dictation_id)
    order = {row.id: place for place, row in enumerate(schema.rows)}

    def record(item: ReviewedValue) -> ExportRecord:
        row = schema.row(item.row_id)
        evidence = item.evidence
        timing = item.filled.timing if item.filled else None
        transcript = store.transcripts.of_evidence(item)
        was = item.corrected
        span = transcript.audio_span(evidence.start, evidence.end) if evidence and transcript else None
        start, end = span or (None, None)
        return ExportRecord(
            patient_name=patient.name,
            patient_bed=patient.bed,
            patient_mrn=patient.mrn,
            patient_birth_date=patient.birth_date,
            dictation=dictation.id,
            time=dictation.created_at,
            observed_at=utc_of(item.observed_at) if item.observed_at else None,
            observed_since=utc_of(timing.since) if timing and timing.since else None,
            observed_words=timing.text if timing else "",
            row_id=row.id,
            category=row.category,
            name=row.name,
            value=item.value,
            unit=item.unit,
            loinc=row.loinc,
            status=item.status.value,
            evidence=evidence.text if evidence else "",
            sentence=transcript.text[evidence.sentence_start : evidence.sentence_end]
            if evidence and transcript
            else "",
            proposed=was.value if was else None,
            proposed_unit=was.unit if was else None,
            audio_start=start,
            audio_end=end,
            reviewer=item.reviewer,
            reviewed_at=item.reviewed_at,
            schema_id=version.schema_id,
            schema_version=version.version,
            schema_sha256=version.sha256,
            replaces=tuple(map(_former, former.get(item.id, ()))),
            interpretation=interpretation(row, item.value),
            confirmed_outside=item.confirmed_outside.value if item.confirmed_outside else None,
        )

    def of_score(score: Score) -> ExportRecord:
        last = max(score.parts, key=lambda part: part.reviewed_at)
        assert score.value is not None
        return replace(
            record(last),
            observed_words="",
            observed_since=None,
            row_id=score.row.id,
            category=score.row.category,
            name=score.row.name,
            value=score.value,
            unit=score.row.unit,
            loinc=score.row.loinc,
            status="computed",
            evidence=score.steps,
            sentence="",
            proposed=None,
            proposed_unit=None,
            audio_start=None,
            audio_end=None,
            replaces=(),
            interpretation=interpretation(score.row, score.value),
            confirmed_outside=None,
        )

    values = store.values.of(dictation_id)
    # if the row of a score also has a value, said or entered, a person decides about that value instead
    scores = [score for score in scores_of(values, schema) if is_confirmed(score) and not score.charted]
    found: list[tuple[int | None, ExportRecord]] = [
        *((item.id, record(item)) for item in sorted(values, key=lambda item: item.id) if item.stands),
        *((None, of_score(score)) for score in scores),
    ]
    return sorted(found, key=lambda one: order[one[1].row_id])


def _name_of(record: ExportRecord) -> str:
    """The name of a file without the time of the export: patient, time and number of the dictation."""
    whose = _NOT_IN_NAMES.sub("_", record.patient_mrn)[:_LONGEST_MRN] or "no-mrn"
    return f"wardlight-{whose}-{local_of(record.time):%Y%m%dT%H%M}-{record.dictation}"


def _former(placed: ChartEntry) -> Former:
    value = placed.value
    return Former(value.value, value.unit, value.dictation_id, value.reviewer, value.reviewed_at)


def _write_files(files: Mapping[str, bytes], folder: Path, name: str) -> list[Path]:
    """Writes one new file for each suffix, all or none."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stem = _free_stem(folder, name, files)
        targets = [folder / f"{stem}{suffix}" for suffix in files]
        partials = [target.with_name(f".{target.name}.partial") for target in targets]
        try:
            for data, partial in zip(files.values(), partials, strict=True):
                write_and_sync(partial, data)
            for partial, target in zip(partials, targets, strict=True):
                partial.replace(target)
                written.append(target)
            sync_folder(folder)
        except BaseException:
            for path in (*partials, *written):
                with suppress(OSError):
                    path.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ResourceError(
            f"The export cannot be written to {folder}: {error.strerror}.",
            "Check the free space and the permissions of the folder, or choose another folder.",
            retryable=True,
        ) from error
    return targets


def _free_stem(folder: Path, stem: str, suffixes: Collection[str]) -> str:
    candidate, count = stem, 1
    while any((folder / f"{candidate}{suffix}").exists() for suffix in suffixes):
        count += 1
        candidate = f"{stem}-{count}"
    return candidate
