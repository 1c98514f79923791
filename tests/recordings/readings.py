"""What the models read of our own utterances, recorded once: `python -m tests.recordings.readings [--replay |
--ablate]`.

A recording takes the models and half an hour; from it the rest of the chain is run again in seconds, without weights.
What comes of it stands in `recorded.jsonl`, a line for each utterance: a changed rule shows there as a difference.
`--replay` writes it again from the recording; `--ablate` says what comes of it without each rule; with neither, the
recording is made again first.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

from app.cli.console import Console, table
from app.evaluation.challenge import HEADINGS, figures, measure
from app.inference import tasks
from app.inference.client import Inference
from app.inference.file_session import read_out
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.challenge_cases import read_utterances
from extraction.confidence.binding import READING_VERSION
from extraction.confidence.learned_models import Weighing
from extraction.confidence.reading_matches import matched_readings
from extraction.estimators.precision import NOT_MEASURED
from extraction.extractor import Extraction
from extraction.filling.answer_cache import CachingFiller
from extraction.filling.rowwise import settled_rows
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import NO_PROPOSALS, FilledValue, Neighbour
from extraction.growing_extraction import GrowingExtraction
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema
from extraction.retrieval.reduction import reduce
from extraction.rules.engine import RULES
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED, ProgressCallback, ProgressMonitor, ignore_progress, never_cancelled
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.process.messages import Channel
from models.runtimes.loaded import Runtimes
from resources import DEMONSTRATION_SCHEMA, FOLDER
from speech.transcript import Transcript

TESTS = Path(__file__).parents[1]
FOLDERS = {"utterances": FOLDER / "challenge", "utterances_blind": TESTS / "utterances_blind"}
READINGS = TESTS / "data" / "readings.jsonl.gz"
RESULTS = TESTS / "data" / "recorded.jsonl"

Record = dict[str, Any]


def key_of(transcript: str, context: EncounterContext) -> str:
    """Two utterances with the same words may be said by others, or of other lines."""
    assert context.said_at is not None
    at = context.said_at.replace(tzinfo=None).isoformat()
    return json.dumps([transcript, at, dict(context.known), [context.person.name, context.person.bed]])


class Recorded:
    """The chain with what the models read put in its place.

    Attributes:
        results: what came of each utterance, a line each.
    """

    def __init__(self, records: dict[str, Record]) -> None:
        registry = Registry(load_manifest(), TESTS)
        self.models = {role: registry.resolve(role).id for role in ("speech", "filler", "embedder")}
        self.results: list[str] = []
        self._records = records

    def transcribe(self, *_: object) -> Any:
        raise AssertionError("the text of an utterance is known")

    def read_file(self, source: Transcript, schema: Schema, context: EncounterContext, *_: object) -> Outcome[Followed]:
        record = self._records[key_of(source.text, context)]
        filler = _RecordedFiller(record)
        learned: Any = SimpleNamespace(
            weigh=lambda *_: filler.weighing(),
            acceptance=SimpleNamespace(keep_from=record["keep_from"]),
            precisions=NOT_MEASURED,
        )

        def reduced(_: object) -> ReducedSchema:
            return ReducedSchema(
                tuple(Candidate(row_id, tuple(map(_hit, hits)), prior) for row_id, prior, hits in record["candidates"])
            )

        growing = GrowingExtraction(schema, context, filler, reduced, learned, None, NOT_MONITORED)  # type: ignore[arg-type]
        found = growing.read(source.text)
        self.results.append(_result(source.text, schema, found))
        return _outcome(source, found, record)


class _RecordedFiller:
    """Reads of the rows that are asked what was read of them when the recording was made."""

    name = "rowwise"

    def __init__(self, record: Record) -> None:
        self._record = record
        self._read: list[list[Any]] = []

    def read_on(self, task: Task, *_: object) -> tuple[list[Reading], int]:
        settled, index = settled_rows(task), {one.start: one.index for one in task.segments}
        self._read = [one for one in self._record["readings"] if (one[0], index.get(one[2])) not in settled]
        return [_reading(task.schema, task, one) for one in self._read], 0

    def weighing(self) -> Weighing:
        """How what was read last was weighed then."""
        sure, errors = np.array([one[7] for one in self._read]), np.array([one[8] for one in self._read])
        return Weighing(sure, errors, [""] * len(sure))


def _outcome(said: Transcript, found: Extraction, record: Record) -> Outcome[Followed]:
    weighed = replace(found.proposals, weighed_by=record["weighed_by"])
    devices, seconds = dict.fromkeys(("filler", "embedder"), "cpu"), dict.fromkeys(("reduce", "fill"), 0.0)
    return Outcome(Followed(said, replace(found, proposals=weighed)), devices=devices, seconds=seconds)


def _hit(said: Sequence[Any]) -> Hit:
    segment, relevance, kind, text = said
    return Hit(segment, relevance, relevance, 0.0, 0, 0, 0.0, 0.0, Neighbour(kind, text, segment))


def _reading(schema: Schema, task: Task, said: Sequence[Any]) -> Reading:
    row_id, value, place, span, mentioned, probability, rank, _, _, hit = said
    segment = next((one for one in task.segments if one.start == place), None)
    assert segment is not None, f"{task.text!r} is cut otherwise than when it was read: record again"
    return Reading(
        schema.row(row_id),
        Candidate(row_id, (_hit(hit),)),
        tuple(value) if isinstance(value, list) else value,
        segment,
        tuple(span) if span else None,
        mentioned,
        probability,
        rank,
    )


def _result(transcript: str, schema: Schema, found: Extraction) -> str:
    def shown(value: FilledValue) -> list[Any]:
        timing = value.timing.at or value.timing.text if value.timing else ""
        words = display(schema.row(value.row_id), value.value)
        notes = [*value.flags, *value.notes]
        return [value.row_id, words, round(value.confidence, 2), timing, value.rule, notes]

    values = sorted(map(shown, found.proposals.values), key=lambda one: json.dumps(one[:2]))
    aside = [[one.text, one.why] for one in found.set_aside]
    return json.dumps({"text": transcript, "values": values, "aside": aside}, ensure_ascii=False)


class _Recording:
    """The real models, and what they read."""

    def __init__(self, inference: Inference) -> None:
        self.models = inference.models
        self.records: dict[str, Record] = {}
        self._inference = inference

    def transcribe(self, *_: object) -> Any:
        raise AssertionError("the text of an utterance is known")

    def read_file(
        self,
        source: Transcript,
        schema: Schema,
        context: EncounterContext,
        hotwords: list[str],
        channel: Channel,
        monitor: ProgressMonitor,
    ) -> Outcome[Followed]:
        found, record = self._inference.call(
            "filler",
            record_text,
            ProgressMonitor(ignore_progress, monitor.cancelled),
            text=source.text,
            schema=schema,
            context=context,
        )
        self.records[key_of(source.text, context)] = record
        return _outcome(source, found, record)


def record_text(
    runtimes: Runtimes,
    *,
    text: str,
    schema: Schema,
    context: EncounterContext,
    monitor: ProgressMonitor,
) -> tuple[Extraction, Record]:
    """What a text gives, and what was read of it; runs in the inference process."""
    known, matcher = tasks.learned_of(runtimes, schema, None), tasks.matcher_of(runtimes)
    index = tasks.index_of(runtimes, schema, paths.cache_dir() / "indexes", monitor)
    signed = tasks.signed(NO_PROPOSALS, runtimes, schema, known, Settings().top_k)
    candidates: list[Any] = []

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        found = reduce(schema, segments, index, runtimes.embedder, Settings().top_k, known.prior, known.book, matcher)
        candidates[:] = [
            [one.row_id, round(one.prior, 4), [_said(hit) for hit in one.hits]] for one in found.candidates
        ]
        return found

    filler = CachingFiller(runtimes.llm, runtimes.answers)
    values = GrowingExtraction(schema, context, filler, reduced, known, matcher, monitor)
    read_out(values, text, lambda _: None, monitor)
    readings = matched_readings(values.prepared.task, values.readings, matcher)
    sure, errors, _ = known.weigh(values.prepared.task, readings)
    return values.extraction, {
        "keep_from": known.acceptance.keep_from,
        "weighed_by": signed.weighed_by,
        "candidates": candidates,
        "readings": [
            [
                one.row.id,
                one.value,
                one.segment.start,
                one.span,
                round(one.mentioned, 5),
                round(one.probability, 5),
                one.rank,
                round(confidence, 5),
                [round(error, 4) for error in layers],
                _said(one.candidate.hits[0]),
            ]
            for one, confidence, layers in zip(readings, sure.tolist(), errors.tolist(), strict=True)
        ],
    }


def _said(hit: Hit) -> list[Any]:
    return [hit.segment, round(hit.relevance, 4), hit.neighbour.kind, hit.neighbour.text]


def read_records() -> dict[str, Record]:
    """The recording; AssertionError for one of other readings."""
    with gzip.open(READINGS, "rt", encoding="utf-8") as stream:
        version, *lines = map(json.loads, stream)
    assert version == READING_VERSION, "record again: python -m tests.recordings.readings"
    return dict(lines)


def _write_records(records: dict[str, Record]) -> None:
    lines = [READING_VERSION, *([key, record] for key, record in records.items())]
    data = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    READINGS.write_bytes(gzip.compress(data, mtime=0))


def run(stages: Any, schema: Schema, progress: ProgressCallback) -> dict[str, dict[str, Any]]:
    """The figures of the utterances of each folder, see `app.evaluation.challenge.measure`."""
    measured = {}
    for folder, cases_of in FOLDERS.items():
        with tempfile.TemporaryDirectory() as place:
            out, cases = Path(place) / "out", read_utterances(cases_of, schema)
            measured[folder] = measure(
                cases, schema, stages, Settings(), out, facts={}, monitor=ProgressMonitor(progress, never_cancelled)
            )
    return measured


def ablated(schema: Schema) -> list[tuple[str, ...]]:
    """The figures with all rules, and without each of them, by folder."""
    lines = []
    for gone in ("", *(rule.id for rule in RULES)):
        left = tuple(rule for rule in RULES if rule.id != gone)
        with patch("extraction.rules.engine.RULES", left):
            measured = run(Recorded(read_records()), schema, ignore_progress)
        lines += [(gone, folder, *figures(of)[-1][1:]) for folder, of in measured.items()]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--replay", action="store_true", help="write the results again, not the recording")
    either.add_argument("--ablate", action="store_true", help="print the figures without each rule; nothing is written")
    arguments = parser.parse_args()
    schema, console = load_schema(DEMONSTRATION_SCHEMA), Console()
    if arguments.ablate:
        print(table(("without", "utterances", *HEADINGS[1:]), ablated(schema)))
        return 0
    if not arguments.replay:
        with Inference(Settings(), Registry(load_manifest(), paths.models_dir())) as inference:
            recording = _Recording(inference)
            run(recording, schema, console.progress)
            console.end_progress()
        _write_records(recording.records)
    replayed = Recorded(read_records())
    measured = run(replayed, schema, ignore_progress)
    RESULTS.write_text("".join(f"{line}\n" for line in replayed.results), encoding="utf-8")
    for folder, of in measured.items():
        print(f"{folder}\n{table(HEADINGS, figures(of))}")
    return 0


if __name__ == "__main__":
    # Under its importable name: functions travel to the inference process by module and name.
    sys.exit(import_module("tests.recordings.readings").main())
