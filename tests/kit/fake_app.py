"""A ward without models: a small schema of all value types, a dictation, lights that are calibrated on invented values,
and an engine that does as it is told."""

from __future__ import annotations

import json
import tempfile
import threading
import time
import wave
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np

from app.chart.records import Dictation, ReviewStatus
from app.extraction_records import proposed
from app.inference.live_events import LiveValues, LiveWords
from app.lighting import Lighting
from app.pipeline import PipelineResult
from app.record.run import RunRecord
from app.services.engine.engine import ModelState
from app.store import Store
from app.system.settings import Settings
from extraction.discovery.discover import Discovery, Note, discover
from extraction.estimators.calibration import Calibration, Sample
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.preparation.people.other_patients import of_others
from extraction.retrieval.index import open_index
from extraction.retrieval.likely_rows import LikelyRows
from extraction.schema_files.native_format import parse_schema
from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if
from models.errors import WorkerDied
from models.process.messages import Channel
from speech.audio import made_at, verify
from speech.transcript import SpokenSegment, Transcript, Word
from tests.kit.fake_models import FakeEmbedder
from tests.kit.patience import PATIENCE_SECONDS

SENTENCES = (
    "This is the morning assessment for bed twelve.",
    "Heart rate is 112 and regular, blood pressure 142 over 74.",
    "Temperature was 38.4 and she feels warm to the touch.",
    "Respirations 22 on two liters by nasal cannula, oxygen saturation 94 percent.",
    "She is alert and oriented to person and place but not to time.",
    "Lungs have crackles and wheezes in both bases.",
    "Pain is a six out of ten in the right hip, worse with movement.",
    "The foley was placed yesterday at 1930 and drained 650 milliliters since midnight.",
    "Last bowel movement was on November nineteenth.",
    "She turned herself at 0615 with no help.",
    "Fall precautions are in place, the bed alarm is on.",
    "Weight this morning 81.2 kilos.",
    "Skin over the sacrum is red but intact, a foam dressing was applied.",
)
TEXT = " ".join(SENTENCES)

SCHEMA: dict[str, Any] = {
    "format": "wardlight-flowsheet/1",
    "id": "test-ward",
    "name": "Test ward",
    "version": "1",
    "categories": [
        {
            "name": "Vital signs",
            "rows": [
                {
                    "id": "hr", "name": "Heart rate", "type": "numeric", "unit": "/min",
                    "range": {"min": 20, "max": 250}, "synonyms": ["pulse", "HR"], "codes": {"loinc": "8867-4", "ucum": "/min"},
                },
                {
                    "id": "rhythm", "name": "Heart rhythm", "type": "single_select",
                    "options": ["Regular", "Irregular", "Paced"],
                },
                {"id": "bp", "name": "Blood pressure", "type": "blood_pressure", "unit": "mm[Hg]"},
                {
                    "id": "temp", "name": "Temperature", "type": "quantity", "dimension": "temperature", "unit": "Cel",
                    "range": {"min": 30, "max": 43}, "codes": {"ucum": "Cel"},
                },
                {
                    "id": "rr", "name": "Respiratory rate", "type": "numeric", "unit": "/min",
                    "range": {"min": 4, "max": 60},
                },
                {
                    "id": "spo2", "name": "Oxygen saturation", "type": "numeric", "unit": "%",
                    "range": {"min": 50, "max": 100},
                },
                {
                    "id": "weight", "name": "Weight", "type": "quantity", "dimension": "weight", "unit": "kg",
                    "range": {"min": 1, "max": 300}, "codes": {"ucum": "kg"},
                },
            ],
        },
        {
            "name": "Respiratory",
            "rows": [
                {
                    "id": "device", "name": "Oxygen device", "type": "single_select",
                    "options": ["Room air", "Nasal cannula", "Simple mask", "Non-rebreather", "High flow"],
                },
                {
                    "id": "breath", "name": "Breath sounds", "type": "multi_select",
                    "options": ["Clear", "Crackles", "Wheezes", "Rhonchi", "Diminished", "Absent"],
                },
            ],
        },
        {
            "name": "Neurological",
            "rows": [
                {
                    "id": "orientation", "name": "Orientation", "type": "multi_select",
                    "options": ["Person", "Place", "Time", "Situation"],
                },
            ],
        },
        {
            "name": "Pain",
            "rows": [
                {"id": "pain", "name": "Pain score", "type": "numeric", "range": {"min": 0, "max": 10}},
                {"id": "painsite", "name": "Pain location", "type": "text"},
            ],
        },
        {
            "name": "Elimination",
            "categories": [
                {
                    "name": "Urinary",
                    "rows": [
                        {"id": "foley", "name": "Urinary catheter placed", "type": "date_time"},
                        {
                            "id": "urine", "name": "Urine output", "type": "quantity", "dimension": "volume",
                            "unit": "mL",
                            "fluid": "output",
                        },
                    ],
                },
                {"name": "Bowel", "rows": [{"id": "bm", "name": "Last bowel movement", "type": "date"}]},
            ],
        },
        {
            "name": "Safety and mobility",
            "rows": [
                {"id": "turned", "name": "Turned at", "type": "time"},
                {"id": "alarm", "name": "Bed alarm on", "type": "yes_no"},
                {"id": "skin", "name": "Skin", "type": "text"},
                {
                    "id": "diet", "name": "Diet", "type": "single_select",
                    "options": ["Regular diet", "NPO", "Clear liquids"],
                },
                {"id": "visitors", "name": "Visitors present", "type": "yes_no", "synonyms": ["family at bedside"]},
            ],
        },
    ],
}  # fmt: skip

# row, value, unit, words, confidence, findings, alternatives
_Said = tuple[str, Value, str | None, str, float, tuple[Finding, ...], tuple[tuple[str, float], ...]]
_SAID: tuple[_Said, ...] = (
    ("hr", 112.0, "/min", "112", 0.98, (), (("122", 0.06),)),
    ("rhythm", "Regular", None, "regular", 0.93, (), ()),
    ("bp", "142/74", "mm[Hg]", "142 over 74", 0.97, (), ()),
    ("temp", 38.4, "Cel", "38.4", 0.88, (Finding("unit_assumed", ("°C",)),), ()),
    ("rr", 22.0, "/min", "22", 0.95, (), ()),
    ("spo2", 94.0, "%", "94 percent", 0.96, (), ()),
    ("device", "Nasal cannula", None, "nasal cannula", 0.94, (), ()),
    ("breath", ("Crackles", "Wheezes"), None, "crackles and wheezes", 0.91, (), (("Diminished", 0.22),)),
    ("orientation", ("Person", "Place"), None, "person and place", 0.86, (), ()),
    ("pain", 6.0, None, "six out of ten", 0.95, (), ()),
    ("painsite", "right hip", None, "right hip", 0.83, (), (("right hip, worse with movement", 0.31),)),
    ("foley", "2026-11-20T19:30", None, "yesterday at 1930", 0.64, (), ()),
    ("urine", 650.0, "mL", "650 milliliters", 0.92, (), ()),
    ("bm", "2026-11-19", None, "November nineteenth", 0.78, (), ()),
    ("turned", "06:15", None, "0615", 0.81, (), ()),
    ("alarm", True, None, "bed alarm is on", 0.97, (), ()),
    ("weight", 81.2, "kg", "81.2 kilos", 0.96, (), ()),
    ("skin", "red but intact", None, "red but intact", 0.58, (), (("a foam dressing was applied", 0.27),)),
)
# read and held back: of rows without a value, of one that has a value, and one that is not worth a look
_HELD_BACK: tuple[_Said, ...] = (
    ("visitors", True, None, "Her daughter", 0.29, (), ()),
    ("diet", "Regular diet", None, "regular", 0.12, (), ()),
    ("painsite", "sacrum", None, "sacrum", 0.11, (), ()),
    ("diet", "Clear liquids", None, "two liters", 0.02, (), ()),
)
# what layers that are not sure make of three of the values, and what else is doubtful about them
_LAYERS = 5
_SURE = (0.03,) * _LAYERS
_DOUBTED: dict[str, dict[str, Any]] = {
    "device": {
        "errors": (0.5, 0.52, 0.5, 0.55, 0.5),
        "confidence": 0.52,
        "alternatives": (("Simple mask", 0.31), ("High flow", 0.09), ("Room air", 0.04)),
    },
    "foley": {"errors": (0.62, 0.64, 0.66, 0.64, 0.92), "confidence": 0.64, "relevance": 0.3},
    "temp": {"errors": (0.46, 0.48, 0.46, 0.5, 0.46), "confidence": 0.71, "not_mentioned": 0.55},
}
WEIGHED_BY = "c" * 64
# what a longer dictation goes on with: nothing of it is filled in
MORE = (
    " Her daughter was here until noon and brought her reading glasses."
    " She ate half of her lunch. Thank you."
    " The wound nurse will look at the sacrum tomorrow morning."
)


def write_schema(folder: Path, **marked: Sequence[str]) -> Path:
    """Writes the schema; each field in `marked`, such as `required`, is true for the rows with these ids."""
    text = json.dumps(SCHEMA)
    for field, row_ids in marked.items():
        for row_id in row_ids:
            assert f'"id": "{row_id}"' in text
            text = text.replace(f'"id": "{row_id}"', f'"id": "{row_id}", "{field}": true')
    path = folder / "ward.json"
    path.write_text(text, encoding="utf-8")
    return path


def write_recording(path: Path, seconds: float = 2.0) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        out.writeframes(bytes(int(seconds * 16000) * 2))
    return path


def transcript_of(text: str = TEXT, *, spoken: bool = True) -> Transcript:
    """A transcript whose words take 0.4 s each."""
    if not spoken:
        return Transcript(text)
    words, place = [], 0
    for number, word in enumerate(text.split()):
        start = text.index(word, place)
        place = start + len(word)
        words.append(Word(word, number * 0.4, number * 0.4 + 0.35, 0.9, start, place))
    segment = SpokenSegment(0.0, len(words) * 0.4, 0, len(text), -0.2, 0.01)
    return Transcript(text, (segment,), tuple(words), len(words) * 0.4, "en", "whisper-base")


def values_of(text: str = TEXT) -> tuple[FilledValue, ...]:
    """What the small schema's rows are filled with; only rows whose words stand in the text."""
    return _filled(text, _SAID)


def held_back_of(text: str = TEXT) -> tuple[FilledValue, ...]:
    """What was read and is too unlikely to be proposed; only what stands in the text."""
    return _filled(text, _HELD_BACK)


def _filled(text: str, table: tuple[_Said, ...]) -> tuple[FilledValue, ...]:
    filled = []
    for row_id, value, unit, words, confidence, findings, alternatives in table:
        start = text.find(words)
        if start < 0:
            continue
        sentence = text.rfind(". ", 0, start) + 2 if ". " in text[:start] else 0
        stop = text.find(". ", start)
        end = len(text) if stop < 0 else stop + 1
        evidence = Evidence(start, start + len(words), words, sentence, end)
        neighbour = Neighbour("row", row_id, 0)
        filled.append(
            FilledValue(
                row_id, value, unit, evidence, -0.1, 0.02, confidence, 0.7, neighbour, "rowwise", findings, alternatives
            )
        )
    return tuple(filled)


def weighed(values: tuple[FilledValue, ...]) -> tuple[FilledValue, ...]:
    """The values as layers see them that are sure of all but three."""
    return tuple(replace(value, **({"errors": _SURE} | _DOUBTED.get(value.row_id, {}))) for value in values)


@cache
def calibration(cases: int = 30) -> Calibration:
    """Fitted on invented values, a fifth of them wrong, which every layer tells apart quite well."""
    rng = np.random.default_rng(5)
    wrong = rng.random(cases * 20) < 0.2
    shared = rng.normal(np.where(wrong, 1.0, -2.4), 1.0)
    errors = 1 / (1 + np.exp(-(shared[:, None] + rng.normal(0, 0.4, (len(wrong), _LAYERS)))))
    return Calibration.fit(Sample(errors, wrong, errors.mean(axis=1) < 0.8, np.repeat(np.arange(cases), 20)))


def calibrated_lighting(settings: Settings, schema: Schema, models: Mapping[str, str]) -> Lighting:
    """In place of `app.lighting.lighting`: what an engine has filled of which `weighed_by` is WEIGHED_BY is lit by
    `calibration`."""
    return Lighting(
        calibration(),
        None,
        own=True,
        alpha=settings.alpha,
        weight=settings.conflict_weight,
        threshold=settings.accept_threshold,
        weighed_by=WEIGHED_BY,
    )


def bring_filled(store: Store, folder: Path) -> Dictation:
    """A dictation of somebody else that was filled earlier; its values are `weighed`."""
    file = write_schema(folder)
    version = store.schemas.save(parse_schema(file.read_bytes(), str(file)), file.read_bytes())
    source = folder / "earlier.txt"
    source.write_text(TEXT, encoding="utf-8")
    beds = {patient.bed for patient in store.patients.all()}
    bed = next(bed for bed in ("3", *map(str, range(100, 1000))) if bed not in beds)
    encounter = store.encounters.open(store.patients.add("Sorrel, Max", bed).id)
    dictation = store.dictations.add(encounter.id, source, "text", version)
    store.transcripts.save(dictation.id, Transcript(TEXT))
    store.runs.save(dictation.id, proposed(weighed(values_of())), RunRecord(weighed_by=WEIGHED_BY))
    return dictation


def bring_reviewed(
    store: Store,
    folder: Path,
    *,
    edits: Mapping[str, Value] | None = None,
    rejects: Sequence[str] = (),
    collect: bool = True,
) -> Dictation:
    """One that was reviewed to the end: what is neither changed (by row id) nor rejected was confirmed."""
    dictation = bring_filled(store, folder)
    for value in store.values.of(dictation.id):
        if edits and value.row_id in edits:
            store.reviews.decide(value.id, "edit", "R. Nurse", edits[value.row_id], value.unit, collect=collect)
        elif value.row_id in rejects:
            store.reviews.decide(value.id, "reject", "R. Nurse", collect=collect)
    left = [value.id for value in store.values.of(dictation.id) if value.status is ReviewStatus.PROPOSED]
    store.reviews.decide_all(left, "confirm", "R. Nurse", collect=collect)
    return dictation


Step = Callable[["FakeEngine", ProgressMonitor], None]


class FakeEngine:
    """Does the stages in no time; `before_fill` holds what is to happen between transcript and filling, run by run.

    With `pace`, it hears a sentence of a recording for each permit. `first_values` is how many values it shows before.
    With `weighed_by`, its values are `weighed` and carry this signature.
    """

    def __init__(self, *, missing: tuple[str, ...] = ()) -> None:
        self.pace: threading.Semaphore | None = None
        self.before_transcript: deque[Step] = deque()
        self.before_fill: deque[Step] = deque()
        self.first_values = 0
        self.given: list[Transcript | None] = []
        self.interrupted = threading.Event()
        self.interrupts = 0
        self.missing = missing
        self.doubts: tuple[str, ...] = ()
        self.heard = TEXT
        self.likely: tuple[LikelyRows, ...] = ()
        self.weighed_by = ""
        self.flags: dict[str, tuple[str, ...]] = {}  # by row id: why a value is lit whatever its confidence
        self.following: Callable[[Channel, CancelledCallback], PipelineResult | None] | None = None
        self.followed: list[bool] = []  # whether to the end
        self.says = ""  # in a recording that is only transcribed
        self.sounds: list[bytes] = []  # of such recordings
        self.got_ready: list[Settings] = []
        self.before_ready: deque[Step] = deque()
        self.installed: list[tuple[str, Path | None]] = []
        self.before_install: deque[Step] = deque()
        self.device_note = ""
        self.before_discovery: deque[Step] = deque()
        self.forgot = 0  # how often it was asked to forget texts
        self.brought: dict[str, int] = {}  # bytes of models that are there though the models are not

    def check_recording(self, path: Path) -> datetime | None:
        verify(path)
        return made_at(path)

    def run(
        self,
        source: Path,
        kind: str,
        schema: Schema,
        *,
        settings: Settings,
        context: EncounterContext,
        transcript: Transcript | None,
        on_transcript: Callable[[Transcript], None],
        on_values: Callable[[LiveValues], None] | None,
        monitor: ProgressMonitor,
    ) -> PipelineResult:
        self.interrupted.clear()
        self.given.append(transcript)
        monitor.report(Progress("load", None, "loading the models"))
        if self.before_transcript:
            self.before_transcript.popleft()(self, monitor)
        if transcript is None:
            if kind == "text":
                transcript = Transcript(source.read_text(encoding="utf-8"))
            else:
                transcript = replace(transcript_of(self.heard), warnings=self.doubts)
                for number, sentence in enumerate(SENTENCES, 1):
                    stop_if(monitor.cancelled)
                    assert self.pace is None or self.pace.acquire(timeout=PATIENCE_SECONDS)
                    monitor.report(Progress("transcribe", number / len(SENTENCES), sentence))
            on_transcript(transcript)
        monitor.report(Progress("reduce", 1.0, "18 of 20 rows"))
        if self.first_values and on_values:
            on_values(LiveValues(values_of(transcript.text)[: self.first_values], transcript.text))
        if self.before_fill:
            self.before_fill.popleft()(self, monitor)
        stop_if(monitor.cancelled)
        monitor.report(Progress("fill", 1.0, "18 of 18 rows"))
        devices = dict.fromkeys(("speech", "embedder", "filler"), "cpu")
        values, held_back = values_of(transcript.text), held_back_of(transcript.text)
        if self.weighed_by:
            values = weighed(values)
        values = tuple(
            replace(value, findings=(*value.findings, *(Finding("noted_lit", (one,)) for one in flags)))
            for value in values
            for flags in (self.flags.get(value.row_id, ()),)
        )
        naming = of_others(transcript.text, context.person, context.ward)[1]
        return PipelineResult(
            transcript,
            values,
            held_back,
            (),
            self.weighed_by,
            {},
            {},
            {},
            devices,
            naming=naming,
            likely=self.likely,
        )

    def transcribe(self, source: Path, schema: Schema, *, settings: Settings, monitor: ProgressMonitor) -> Transcript:
        with wave.open(str(source)) as sound:
            self.sounds.append(sound.readframes(sound.getnframes()))
        return Transcript(self.says)

    def follow(
        self,
        schema: Schema,
        channel: Channel,
        *,
        settings: Settings,
        context: EncounterContext,
        to_the_end: bool,
        monitor: ProgressMonitor,
    ) -> PipelineResult | None:
        """Hears as `following` does; by default nothing, so that recordings are filled afterwards."""
        self.followed.append(to_the_end)
        result = self.following(channel, monitor.cancelled) if self.following else None
        return result and replace(result, naming=of_others(result.transcript.text, context.person, context.ward)[1])

    def discover(
        self, notes: tuple[Note, ...], schema: Schema, *, settings: Settings, monitor: ProgressMonitor
    ) -> Discovery:
        """Looks with an embedder that knows words alone, so that only phrases with the same words are alike."""
        self.interrupted.clear()
        embedder = FakeEmbedder()
        with tempfile.TemporaryDirectory() as folder:
            index = open_index(schema, embedder, "fake", Path(folder), monitor=ProgressMonitor())
        if self.before_discovery:
            self.before_discovery.popleft()(self, monitor)
        return replace(discover(notes, schema, index, embedder, monitor), clusters=())

    def forget_texts(self) -> None:
        self.forgot += 1

    def preload_models(self, schema: Schema, *, settings: Settings, cancelled: CancelledCallback) -> None:
        self.got_ready.append(settings)
        if self.before_ready:
            self.before_ready.popleft()(self, ProgressMonitor(cancelled=cancelled))

    def models(self, settings: Settings) -> tuple[tuple[ModelState, ...], str]:
        named = (
            ("whisper-base", "speech", "Whisper base", 148_000_000),
            ("qwen2.5-coder-1.5b-q4", "filler", "Qwen2.5 Coder 1.5B", 1_117_000_000),
            ("minilm-l6-v2", "embedder", "MiniLM L6", 91_000_000),
        )
        states = []
        for key, role, title, size in named:
            brought = self.brought.get(key, 0) if key in self.missing else size
            status = "installed" if key not in self.missing else "partial" if brought else "missing"
            states.append(ModelState(key, role, title, status, default=True, size=size, brought=brought))
        return tuple(states), "CPU"

    def install(self, model_id: str, source: Path | None, monitor: ProgressMonitor) -> None:
        if self.before_install:
            self.before_install.popleft()(self, monitor)
        self.installed.append((model_id, source))
        self.missing = tuple(name for name in self.missing if name != model_id)

    def interrupt(self) -> None:
        self.interrupts += 1
        self.interrupted.set()


def die(engine: FakeEngine, monitor: ProgressMonitor) -> None:
    """The worker process is killed."""
    raise WorkerDied("The inference process ended unexpectedly.", "Try again.", retryable=True)


def break_down(engine: FakeEngine, monitor: ProgressMonitor) -> None:
    """A defect of the program."""
    raise ZeroDivisionError("a defect")


def until_cancelled(engine: FakeEngine, monitor: ProgressMonitor) -> None:
    """Works until it is asked to stop."""
    monitor.report(Progress("fill", 0.4, "8 of 18 rows"))
    while not monitor.cancelled():
        time.sleep(0.005)
    stop_if(monitor.cancelled)


def deaf(engine: FakeEngine, monitor: ProgressMonitor) -> None:
    """Native code that does not listen: only the end of its process ends it."""
    monitor.report(Progress("fill", 0.4, "8 of 18 rows"))
    engine.interrupted.wait(PATIENCE_SECONDS)
    die(engine, monitor)


def flood(seconds: float) -> Step:
    """Reports without end, for some seconds."""

    def step(engine: FakeEngine, monitor: ProgressMonitor) -> None:
        until = time.monotonic() + seconds
        number = 0
        while time.monotonic() < until and not monitor.cancelled():
            number += 1
            monitor.report(Progress("fill", number % 1000 / 1000, f"{number} reports"))

    return step


def follow(*seen: int, heard: str = TEXT, lost: bool = False) -> Callable[[Channel, CancelledCallback], PipelineResult]:
    """For `FakeEngine.following`: after each block of sound the words and values of so many more sentences, the last
    word of them not final yet. With `lost` the process dies then, else all of `heard` is known at the end."""

    def following(channel: Channel, cancelled: CancelledCallback) -> PipelineResult:
        left = list(seen)
        while next_of(channel, cancelled) is not None:
            if left:
                text = " ".join(SENTENCES[: left.pop(0)])
                final, _, draft = text.rpartition(" ")
                channel.emit(LiveWords(final, draft, 1.0))
                channel.emit(LiveValues(values_of(final), final))
            elif lost:
                raise WorkerDied("The inference process ended unexpectedly.", "Try again.", retryable=True)
        devices = dict.fromkeys(("speech", "embedder", "filler"), "cpu")
        return PipelineResult(transcript_of(heard), values_of(heard), (), (), "", {}, {}, {}, devices)

    return following


def next_of(channel: Channel, cancelled: CancelledCallback) -> Any:
    """What a task is given next."""
    while True:
        stop_if(cancelled)
        with suppress(Empty):
            return channel.inputs.get(timeout=0.02)
