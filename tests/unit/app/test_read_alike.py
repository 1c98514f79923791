"""Whatever reads a dictation, window or command, its values, places, times and lights are the same."""

from __future__ import annotations

import datetime as dt
import json
import wave
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

from app import pipeline
from app.adaptation import training
from app.cli import main
from app.evaluation.live_latency import batch
from app.evaluation.run import evaluate
from app.extraction_records import proposed
from app.inference import live_listener
from app.inference.client import Inference
from app.inference.live_events import LiveWords, Sound
from app.lighting import lighting
from app.pipeline import PipelineResult
from app.record.values import ProposedValue
from app.services.engine.engine import LocalEngine
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from extraction.annotation.case_files import CASE_SAID_AT, Case, Cases
from extraction.confidence import learned_models
from extraction.confidence.learned_models import Learned
from extraction.flowsheet.schema import Schema
from extraction.learning.rule_precision import ReadingScores, charted
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.retrieval import reduction
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from models.process.messages import Channel
from models.runtimes.loaded import Runtimes
from tests.kit.fake_models import FakeEmbedder, FakeLlm, runtimes_of, sentence_and_row
from tests.kit.fake_speech import HearingWhisper, spoken
from tests.kit.workbench import WorkbenchKit
from tests.unit.extraction.test_extractor import EveryRow

SCHEMA = {
    "format": "wardlight-flowsheet/1",
    "id": "t",
    "name": "Test",
    "version": "1",
    "categories": [
        {
            "name": "Ward",
            "rows": [
                {"id": "steps", "name": "Step count", "type": "numeric"},
                {"id": "temp", "name": "Temperature", "type": "quantity", "dimension": "temperature", "unit": "Cel"},
                {"id": "nail", "name": "Nailbed color", "type": "single_select", "options": ["normal", "pale"]},
                {"id": "lung", "name": "Breath sounds", "type": "multi_select", "options": ["clear", "diminished"]},
                {"id": "nausea", "name": "Nausea", "type": "yes_no"},
            ],
        }
    ],
}
# Only a few sentences are read at once here: one that is said again is read at another place, where the model answers
# otherwise.
SENTENCES = (
    "Her nailbed color is pale.",
    "Step count with frame 110 and alone 90.",
    "At 0730 her temperature was 38.4 Celsius.",
    "She denies nausea.",
    "Breath sounds are diminished.",
    "Step count with frame 110 and alone 90.",
)
TEXT = " ".join(SENTENCES)
WORDS = [word for sentence in SENTENCES for word in [*sentence.split(), "", "", "", ""]]
_AT_ONCE = 24  # words
_ANSWERS = {"Nailbed": "pale", "Temperature": "38.4", "Breath": "diminished", "Nausea": "No"}


def _answer(said: str) -> str:
    _, row = sentence_and_row(said)
    if row.startswith("Step count"):
        return " 110" if SENTENCES[0] in said else " 90"
    return next((f" {answer}" for start, answer in _ANSWERS.items() if row.startswith(start)), " not mentioned")


class _Worker:
    """The inference process in this one."""

    pid = None

    def __init__(self) -> None:
        whisper: Any = HearingWhisper(words=WORDS, at_once=2)
        self.runtimes: Runtimes = runtimes_of(
            whisper=whisper, llm=FakeLlm(_answer, context_tokens=100_000), embedder=FakeEmbedder()
        )
        self.loaded: dict[str, Any] = {}
        self.config: Any = None

    def run(self, function: Callable[..., Any], **arguments: Any) -> Any:
        return function(self.runtimes, **arguments)

    def close(self) -> None: ...


# By row, its value and why it is lit.
Read = dict[str, tuple[ProposedValue, tuple[str, ...]]]


@dataclass(frozen=True)
class Ward:
    """A dictation as recording and as text, and what is needed to read it.

    Attributes:
        known: what weighs the readings.
        results: what the pipeline returned, in order.
    """

    folder: Path
    settings: Settings
    schema: Schema
    known: Learned
    results: list[PipelineResult]

    @property
    def inference(self) -> Inference:
        """The real client of a new process that is none."""
        registry: Any = SimpleNamespace(
            resolve=lambda role, _: SimpleNamespace(id="fake"),
            path=lambda _: self.folder / "model",
            status=lambda _: "installed",
        )
        inference, worker = Inference(self.settings, registry), _Worker()
        worker.config = inference._config()
        inference._worker = worker  # type: ignore[assignment]
        return inference

    def read(self, values: tuple[ProposedValue, ...], weighed_by: str) -> Read:
        rows = [(self.schema.row(value.row_id), value) for value in values]
        lights = lighting(self.settings, self.schema, self.inference.models).lights(rows, weighed_by)
        return read_of(zip(values, lights, strict=True))

    @property
    def last(self) -> Read:
        """What the pipeline returned last."""
        return self.read(self.results[-1].proposed, self.results[-1].weighed_by)


def read_of(lit: Iterable[tuple[ProposedValue, tuple[str, ...]]]) -> Read:
    return {value.row_id: (value, why) for value, why in lit}


class _Noon(dt.datetime):
    """The time at which everything is read that does not know when it was said."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> _Noon:
        return cls.fromtimestamp(CASE_SAID_AT.timestamp(), tz)


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ward:
    known = replace(learned_models.shipped(), prior=EveryRow())  # type: ignore[arg-type]
    monkeypatch.setattr("app.inference.tasks.shipped", lambda _: known)
    monkeypatch.setattr("extraction.filling.rowwise.WINDOW_WORDS", _AT_ONCE)
    monkeypatch.setattr("speech.transcribe.WINDOW_SECONDS", 4.0)
    monkeypatch.setattr(live_listener, "LISTEN_SECONDS", 0.0)
    schema_file, recording, text = (tmp_path / name for name in ("schema.json", "said.wav", "said.txt"))
    schema_file.write_text(json.dumps(SCHEMA), encoding="utf-8")
    text.write_text(TEXT, encoding="utf-8")
    with wave.open(str(recording), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(spoken(WORDS))
    for place in ("app.services.intake.service", "app.cli.charting.extract"):
        monkeypatch.setattr(f"{place}.encounter_context", lambda *_: EncounterContext(CASE_SAID_AT))
    monkeypatch.setattr("extraction.extractor.dt", SimpleNamespace(datetime=_Noon, UTC=dt.UTC))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.gguf").touch()
    settings = Settings(schema=str(schema_file), top_k=9)
    save_settings(settings, paths.config_file())
    usual, results = pipeline.run, list[PipelineResult]()

    def noted(*given: Any, **named: Any) -> PipelineResult:
        results.append(usual(*given, **named))
        return results[-1]

    monkeypatch.setattr(pipeline, "run", noted)
    ward = Ward(tmp_path, settings, load_schema(schema_file), known, results)
    monkeypatch.setattr("app.cli.charting.extract.open_inference", lambda _: ward.inference)
    return ward


# Each way to read the dictation, from a recording and from its text where it takes both.


def opened_in_the_window(ward: Ward, source: Path) -> Read:
    """As it is stored and lit for the nurse."""
    engine = LocalEngine()
    engine.inference = ward.inference
    kit = WorkbenchKit(engine)  # type: ignore[arg-type]
    try:
        kit.result(kit.bench.open())
        dictation, filling = kit.bring(source)
        kit.result(filling)
        sheet = kit.sheet(dictation.id)
    finally:
        kit.close()
    return read_of((one.filled, sheet.lights.get(one.id, ())) for one in sheet.values if one.filled)


def spoken_into_the_window(ward: Ward, _: Path) -> Read:
    """Followed to its end; the speaker goes on by a second each time something was heard."""
    sound = spoken(WORDS)
    blocks = [sound[start : start + 32_000] for start in range(0, len(sound), 32_000)]
    given: SimpleQueue[Sound] = SimpleQueue()

    def told(news: object) -> None:
        if isinstance(news, LiveWords):
            given.put(blocks.pop(0) if blocks else None)

    given.put(blocks.pop(0))
    engine = LocalEngine()
    engine.inference = ward.inference
    found = engine.follow(
        ward.schema,
        Channel(given, told),
        settings=ward.settings,
        context=NO_CONTEXT,
        to_the_end=True,
        monitor=NOT_MONITORED,
    )
    assert found
    assert found.transcript.text == TEXT
    return ward.read(found.proposed, found.weighed_by)


def run_by_command(ward: Ward, source: Path) -> Read:
    assert main(["run", str(source), "--out", str(ward.folder / "out")]) == 0
    with Store(paths.database_file()) as store:
        (dictation,) = store.dictations.all()
        values, run = store.values.of(dictation.id), store.runs.of(dictation.id)
    return ward.read(tuple(one.filled for one in values if one.filled), run.weighed_by)


def extracted_by_command(ward: Ward, source: Path) -> Read:
    assert main(["extract", "--text", str(source)]) == 0
    return ward.last


def evaluated_on(ward: Ward, _: Path) -> Read:
    cases = Cases((Case("one", TEXT, ()),), (), "0" * 64)
    evaluate(cases, ward.schema, ward.inference, ward.settings, ward.folder / "out", facts={}, monitor=NOT_MONITORED)
    return ward.last


def benchmarked(ward: Ward, source: Path) -> Read:
    batch(source, ward.schema, ward.inference, monitor=NOT_MONITORED)
    return ward.last


def learned_from(ward: Ward, _: Path) -> Read:
    """Charted as the precision of rules and the calibration are measured on it, weighed by the models of the ward."""
    inference, work = ward.inference, ward.folder / "work"
    case = training.annotated(Case("one", TEXT, ()), ward.schema)
    vectors = training.vectors_file(work, training.binding_of(inference, ward.settings))
    (pooled,) = training.pool([case], ward.schema, inference, ward.settings, None, vectors, NOT_MONITORED)
    weighed = reduction.weigh(ward.schema, case.segments, pooled, ward.known.prior)
    read = training.read_all(
        [case], [weighed], ward.schema, ward.known.prior, inference, ward.settings, work, "learn", NOT_MONITORED
    )
    every = read[0][1]  # a ward does not ask all of it, and weighs the others without what it does not ask
    text = replace(every, readings=tuple(compress(every.readings, every.asked)))
    weights = ward.known.weigh(text.prepared.task, text.readings)
    scores = ReadingScores(weights.confidences, weights.errors)
    found = charted(text, scores, ward.known.acceptance.keep_from, ward.known.precisions)
    return ward.read(proposed(found.values), ward.results[-1].weighed_by)


WAYS = (
    (opened_in_the_window, "said.wav"),
    (opened_in_the_window, "said.txt"),
    (spoken_into_the_window, ""),
    (run_by_command, "said.wav"),
    (run_by_command, "said.txt"),
    (extracted_by_command, "said.txt"),
    (evaluated_on, ""),
    (benchmarked, "said.wav"),
    (learned_from, ""),
)


@pytest.mark.parametrize(("way", "file"), WAYS, ids=lambda one: getattr(one, "__name__", one))
def test_every_way_to_read_a_dictation_gives_the_same_values_and_lights(
    ward: Ward, way: Callable[[Ward, Path], Read], file: str
) -> None:
    pipeline.run(ward.folder / "said.txt", "text", ward.schema, ward.inference, monitor=NOT_MONITORED)
    expected = ward.last
    assert {row_id: value.value for row_id, (value, _) in expected.items()} == {
        "nail": "pale",
        "steps": 110.0,
        "temp": 38.4,
        "nausea": False,
        "lung": ("diminished",),
    }
    timing = expected["temp"][0].timing
    assert timing
    assert timing.at == "2026-01-01T07:30"
    assert any(why for _, why in expected.values())
    found = way(ward, ward.folder / file)
    if way is learned_from:  # what is learned anew keeps no features of the former models
        expected = {row_id: (replace(value, features=""), why) for row_id, (value, why) in expected.items()}
    assert found == expected
