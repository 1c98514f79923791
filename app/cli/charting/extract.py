"""`transcribe`, `extract` and `run`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app import pipeline
from app.chart.computed_rows import arithmetic, difference
from app.chart.dictation_identity import quoted, words_of
from app.chart.patient_identity import Identity
from app.chart.recording_time import ENTERED, OPENED, FileTime, file_time
from app.chart.records import Dictation
from app.cli.arguments import add_machine, add_patient, add_schema, add_tuning
from app.cli.common import note_device, open_inference, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.inference.interface import Stages
from app.pipeline import PipelineResult
from app.services.engine.recording_check import refuse_no_recording
from app.services.intake.encounter_context import encounter_context
from app.services.intake.file_kinds import TEXT_SUFFIXES
from app.services.patients.lookup import known_or_new, one_birth_date
from app.store import Store
from app.system import paths
from extraction.flowsheet.formulas import Computed, compute
from extraction.flowsheet.naming.speech_terms import schema_terms
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue
from extraction.schema_files.native_format import parse_schema
from models.base.atomic_files import replace_file
from models.base.errors import InputError, ResourceError, WardlightError
from models.base.progress import ProgressMonitor
from speech.text_file import read_text
from speech.transcript import Transcript


def transcribe_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("file", type=Path, help="a recording")
    add_schema(parser, "whose terms the speech model should expect")
    parser.set_defaults(function=transcribe)


def transcribe(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    source = _existing(arguments.file)
    with open_inference(settings) as inference, stoppable() as cancelled:
        outcome = inference.transcribe(source, schema_terms(schema), ProgressMonitor(console.progress, cancelled))
    note_device(inference, console)
    transcript = outcome.value
    warn(transcript, console)
    if not transcript.text:
        console.note(f"No speech was heard in {source.name}.")
    console.answer(transcript.to_json() | {"devices": outcome.devices}, transcript.text)


def extract_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--text", type=Path, required=True, metavar="FILE", help="the text")
    add_schema(parser, "to fill")
    parser.set_defaults(function=extract)


def extract(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    source = _existing(arguments.text)
    with open_inference(settings) as inference, stoppable() as cancelled:
        result = pipeline.run(source, "text", schema, inference, monitor=ProgressMonitor(console.progress, cancelled))
    console.end_progress()
    note_device(inference, console)
    console.answer(result_json(result, schema), result_text(result, schema))


def run_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    add_patient(parser)
    parser.add_argument("file", type=Path, nargs="?", help="a recording, or a .txt file in place of one")
    parser.add_argument("--retry", type=int, metavar="NUMBER", help="a kept dictation, from its last finished stage on")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for transcript and proposals")
    parser.add_argument(
        "--recorded-at",
        type=_moment,
        metavar="TIME",
        help="when it was recorded, as 2026-01-31T14:05 (default: what the file says)",
    )
    parser.add_argument("--no-store", action="store_true", help="do not keep the dictation in the database")
    add_schema(parser, "to fill")
    parser.set_defaults(function=run)


def _moment(text: str) -> datetime:
    """Parses a time in the past; without a time zone, it is in that of this computer."""
    try:
        at = datetime.fromisoformat(text).astimezone()
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date and time such as 2026-01-31T14:05") from error
    if at > datetime.now(UTC):
        raise argparse.ArgumentTypeError(f"{text} is in the future")
    return at


def run(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    folder = output_folder(arguments.out)
    if (arguments.file is None) == (arguments.retry is None):
        raise InputError("There is nothing to run.", "Name a file, or a kept dictation with --retry NUMBER.")
    with open_inference(settings) as inference, stoppable() as cancelled:
        monitor = ProgressMonitor(console.progress, cancelled)
        if arguments.retry is not None:
            with Store(paths.database_file()) as store:
                dictation, schema = kept(store, arguments.retry)
                result = run_kept(store, dictation, schema, inference, monitor)
            number: int | None = dictation.id
        else:
            schema, schema_bytes = schema_of(arguments, settings)
            source = _existing(arguments.file)
            kind = "text" if source.suffix.lower() in TEXT_SUFFIXES else "audio"
            if arguments.no_store:
                result, number = pipeline.run(source, kind, schema, inference, monitor=monitor), None
            else:
                with Store(paths.database_file()) as store:
                    born = one_birth_date(arguments.born)
                    patient = Identity(arguments.patient, arguments.bed, arguments.mrn, born)
                    dictation = keep(store, patient, source, kind, schema, schema_bytes, arguments.recorded_at)
                    result, number = run_kept(store, dictation, schema, inference, monitor), dictation.id
    note_device(inference, console)
    warn(result.transcript, console)
    naming = result.record.naming
    if naming.doubtful:
        console.note(f"Warning: {quoted(words_of(naming))} was said; make sure whose dictation this is.")
    data = result_json(result, schema) | {"dictation": number}
    written = [
        _write(folder / "transcript.json", result.transcript.to_json()),
        _write(folder / "proposals.json", data),
    ]
    review = f"\nReview them with: wardlight review {number}" if number else ""
    paths_text = "\n".join(str(path) for path in written)
    console.answer(
        data | {"files": [str(path) for path in written]},
        f"{result_text(result, schema)}\n\n"
        f"These are proposals; only what a person confirms is exported.{review}\n{paths_text}",
    )


def warn(transcript: Transcript, console: Console) -> None:
    """Prints the transcript's warnings, which a person should read before trusting it."""
    console.end_progress()
    for warning in transcript.warnings:
        console.note(f"Warning: {warning}")


def keep(
    store: Store,
    patient: Identity,
    source: Path,
    kind: str,
    schema: Schema,
    schema_bytes: bytes,
    recorded_at: datetime | None = None,
) -> Dictation:
    """Stores the source as a dictation, before anything else can fail.

    Without `recorded_at`, the time comes from the file, see `app.chart.recording_time`. Raises InputError, before
    anything is stored, if the source cannot be read.
    """
    if kind == "text":
        read_text(source)
        said = None
    else:
        said = refuse_no_recording(source)
    made = FileTime(recorded_at, ENTERED) if recorded_at else file_time(source, said, store.now())
    known = known_or_new(store, patient)
    version = store.schemas.save(schema, schema_bytes)
    encounter = store.encounters.open(known.id).id
    at, told_by = (made.at, made.source) if made else (None, OPENED)
    return store.dictations.add(encounter, source, kind, version, at, told_by)


def kept(store: Store, number: int | None) -> tuple[Dictation, Schema]:
    """A stored dictation, by default the newest, and its schema. Raises InputError if there is none."""
    if number is None:
        known = store.dictations.all()
        if not known:
            raise InputError("There is no dictation yet.", "Make one with: wardlight run FILE --out DIR.")
        dictation = known[0]
    else:
        dictation = store.dictations.one(number)
    version = store.schemas.version(dictation.schema_version_id)
    return dictation, parse_schema(store.schemas.content(version.id), version.name)


def run_kept(
    store: Store, dictation: Dictation, schema: Schema, inference: Stages, monitor: ProgressMonitor
) -> PipelineResult:
    """Runs the pipeline on a stored dictation from its last finished stage on; stores each stage before the next.

    A failure is recorded with the dictation, which can be run again.
    """
    try:
        result = pipeline.run(
            dictation.path,
            dictation.kind,
            schema,
            inference,
            context=encounter_context(store, dictation.encounter_id, schema, dictation.created_at),
            transcript=store.transcripts.of(dictation.id),
            on_transcript=lambda transcript: store.transcripts.save(dictation.id, transcript),
            monitor=monitor,
        )
    except WardlightError as error:
        store.dictations.fail(dictation.id, str(error))
        raise
    store.runs.save(dictation.id, result.proposed, result.record)
    return result


def result_json(result: PipelineResult, schema: Schema) -> dict[str, Any]:
    """Proposals with evidence, and what the run took, as JSON."""
    return {
        "schema": {"id": schema.id, "version": schema.version, "sha256": schema.sha256},
        "transcript": result.transcript.text,
        "warnings": list(result.transcript.warnings),
        "values": [value_json(value, schema, result.transcript) for value in result.values],
        "scores": [score_json(score) for score in compute(schema, result.values)],
        "set_aside": [asdict(one) for one in result.set_aside],
        "seconds": result.seconds,
        "tokens": result.tokens,
        "models": result.models,
        "devices": result.devices,
        "candidates": len(result.candidates),
    }


def value_json(value: FilledValue, schema: Schema, transcript: Transcript) -> dict[str, Any]:
    row = schema.row(value.row_id)
    evidence = value.evidence
    audio = transcript.audio_span(evidence.start, evidence.end)
    return {
        "row_id": value.row_id,
        "name": row.name,
        "category": list(row.category),
        "value_type": row.value_type.value,
        "value": list(value.value) if isinstance(value.value, tuple) else value.value,
        "unit": value.unit,
        "observed": asdict(value.timing) if value.timing else None,
        "confidence": round(value.confidence, 4),
        "notes": list(value.notes),
        "flags": list(value.flags),
        "evidence": {"start": evidence.start, "end": evidence.end, "text": evidence.text}
        | ({"audio_start": audio[0], "audio_end": audio[1]} if audio else {}),
    }


def score_json(score: Computed[FilledValue]) -> dict[str, Any]:
    """A score computed from proposals, as JSON; provisional until a person has confirmed its parts."""
    return {
        "row_id": score.row.id,
        "name": score.row.name,
        "value": score.value,
        "unit": score.row.unit,
        "observed_at": score.observed_at,
        "arithmetic": score.steps,
        "parts": [part.row_id for part in score.parts],
        "missing": list(score.missing),
        "differs": bool(score.differing),
    }


def _score_lines(result: PipelineResult, schema: Schema) -> list[str]:
    lines = []
    for score in compute(schema, result.values):
        if score.differing:
            lines.append(f"(!) {score.row.name}: {difference(score).text}")
        elif score.value is not None:
            lines.append(f"Calculated, provisional: {score.row.name} {arithmetic(score)} ({score.steps})")
        else:
            lines.append(f"Not calculated: {score.row.name} needs {', '.join(score.missing)}")
    return lines


def result_text(result: PipelineResult, schema: Schema) -> str:
    """The filled flowsheet as a table in the schema's order, and what the run took."""
    order = {row.id: place for place, row in enumerate(schema.rows)}
    rows = []
    for value in sorted(result.values, key=lambda value: order[value.row_id]):
        row = schema.row(value.row_id)
        at = f" at {value.observed_at.replace('T', ' ')}" if value.observed_at else ""
        shown = display(row, value.value) + at + (" (!)" if value.findings else "")
        rows.append([row.name, shown, unit_words(value.unit), f"{value.confidence:.2f}", value.evidence.text])
    aside = [f"Said but not charted: {one.text} ({one.why})" for one in result.set_aside]
    if not rows:
        return "\n".join(["No row of the schema was found in this text.", *aside])
    notes = [
        f"(!) {schema.row(value.row_id).name}: {'; '.join((*value.flags, *value.notes))}"
        for value in result.values
        if value.findings
    ]
    took = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in result.seconds.items())
    on = ", ".join(f"{result.models[role]} on {device}" for role, device in result.devices.items())
    notes += _score_lines(result, schema)
    lines = [table(["row", "value", "unit", "score", "evidence"], rows), *notes, *aside, "", took, on]
    return "\n".join(lines)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"There is no file {path}.", "Check the name and the folder.")
    if path.is_dir():
        raise InputError(f"{path} is a folder.", "Name a file.")
    return path


def output_folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResourceError(f"The folder {path} cannot be made: {error.strerror}.", "Choose another.") from error
    return path


def _write(path: Path, data: Any) -> Path:
    try:
        replace_file(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be written: {error.strerror}.", "Check the free space and the permissions of the folder."
        ) from error
    return path
