"""A ward to learn from: a schema of every type, dictations with gold, and an inference process of fakes."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from app.inference import tasks
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.annotation.case_files import Observation, case_line
from extraction.filling.answer_cache import load_answers
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import parse_schema
from models.base.progress import ProgressMonitor
from models.runtimes.loaded import RuntimeConfig
from tests.kit.fake_models import FakeEmbedder, FakeLlm, question_of, runtimes_of, sentence_and_row

_CELSIUS = {"unit": "Cel", "dimension": "temperature", "range": {"min": 25, "max": 45}}
SCHEMA_JSON = {
    "format": "wardlight-flowsheet/1",
    "id": "ward",
    "name": "Ward",
    "version": "1",
    "categories": [
        {
            "name": "Ward",
            "rows": [
                {"id": "hr", "name": "Heart rate", "type": "numeric", "unit": "/min"},
                {"id": "hr_unit", "name": "Unit", "type": "single_select", "options": ["bpm", "Hz"], "unit_of": "hr"},
                {"id": "temp", "name": "Temperature", "type": "quantity", **_CELSIUS},
                {"id": "bp", "name": "Blood pressure", "type": "blood_pressure", "unit": "mm[Hg]"},
                {"id": "gait", "name": "Gait", "type": "single_select", "options": ["steady", "unsteady", "shuffling"]},
                {"id": "skin", "name": "Skin condition", "type": "multi_select", "options": ["red", "dry", "warm"]},
                {"id": "nausea", "name": "Nausea", "type": "yes_no"},
                {"id": "pain", "name": "Pain description", "type": "text"},
                {"id": "void", "name": "Last void", "type": "time"},
                {"id": "stool", "name": "Stool date", "type": "date"},
                {"id": "seen", "name": "Physician visit", "type": "date_time"},
            ],
        }
    ],
}
SCHEMA_BYTES = json.dumps(SCHEMA_JSON).encode()
SCHEMA: Schema = parse_schema(SCHEMA_BYTES, "schema.json")
# Every how many questions the model answers wrongly: a value where none is stated, or none where one is.
_MISTAKE = 7


def _sentence(row_id: str, random: np.random.Generator) -> tuple[str, Value]:
    """A sentence that states a value of the row, and that value."""
    number = int(random.integers(0, 60))
    match row_id:
        case "hr":
            return f"Heart rate is {60 + number} beats per minute.", float(60 + number)
        case "temp":
            return f"Temperature is {36 + number / 20:.1f} Celsius.", round(36 + number / 20, 1)
        case "bp":
            return f"Blood pressure is {100 + number} over {60 + number // 3}.", f"{100 + number}/{60 + number // 3}"
        case "gait":
            option = SCHEMA.row("gait").option_names[number % 3]
            return f"Her gait is {option} on the way to chair {number}.", option
        case "skin":
            pair = (("red", "dry"), ("red", "warm"), ("dry", "warm"))[number % 3]
            return f"Skin condition is {pair[0]} and {pair[1]} near site {number}.", pair
        case "nausea":
            return f"{'Some' if number % 2 else 'No'} nausea after tray {number}.", bool(number % 2)
        case "pain":
            words = f"{('dull', 'sharp', 'burning')[number % 3]} ache"
            return f"Pain description is {words}, visit {number}.", words
        case "void":
            return f"Last void was at 14:{number:02d}.", f"14:{number:02d}"
        case "stool":
            return f"Stool date was November {1 + number % 28} 2025.", f"2025-11-{1 + number % 28:02d}"
        case "seen":
            time = f"09:{number:02d}"
            return f"Physician visit on November {1 + number % 28} at {time}.", f"2025-11-{1 + number % 28:02d}T{time}"
    raise AssertionError(row_id)


class Ward:
    """`count` dictations, the gold beside them, and which sentence states which value of which row.

    Args:
        left_out: the gold leaves out a value of every so many dictations, which then counts as wrong; 0 for none.
    """

    def __init__(self, count: int, seed: int = 0, left_out: int = 0) -> None:
        self.stated: dict[str, tuple[str, Value]] = {}
        self.lines: list[str] = []
        random = np.random.default_rng(seed)
        asked = [row.id for row in SCHEMA.rows if row.unit_of is None]
        for number in range(count):
            spoken, gold = [f"Morning round number {seed}-{number} begins."], []
            for row_id in random.choice(asked, 5, replace=False):
                sentence, value = _sentence(str(row_id), random)
                spoken.append(sentence)
                self.stated[sentence] = (str(row_id), value)
                if left_out and number % left_out == 0 and len(spoken) == 2:
                    continue
                gold.append(Observation(str(row_id), value))
                if row_id == "hr":
                    gold.append(Observation("hr_unit", "bpm"))
            self.lines.append(case_line(f"{seed}-{number}", " ".join(spoken), gold, SCHEMA))

    def answer(self, question: str) -> str:
        """What the model answers: mostly what is stated."""
        answer = self.true_answer(question)
        asked = " ".join(sentence_and_row(question))
        if zlib.crc32(asked.encode()) % _MISTAKE:
            return answer
        return " not mentioned" if answer != " not mentioned" else self._invented(asked)

    def true_answer(self, question: str) -> str:
        sentence, asked = sentence_and_row(question)
        row_id, value = self.stated.get(sentence, ("", ""))
        if not row_id or not asked.startswith(SCHEMA.row(row_id).name):
            return " not mentioned"
        if another := re.match(r"[^:\[]+: (\w+) \[", asked):
            return " Yes" if isinstance(value, tuple) and another[1] in value else " No"
        if isinstance(value, bool):
            return " Yes" if value else " No"
        if isinstance(value, tuple):
            return f" {value[0]}"
        return f" {value:g}" if isinstance(value, float) else f" {value}"

    @staticmethod
    def _invented(asked: str) -> str:
        """An option of the row, or a number of the sentence."""
        options = re.search(r"\[(\w+)", asked)
        number = re.search(r"\d+", asked)
        return f" {options[1] if options else number[0] if number else 'round'}"


class _Tap:
    """Small hidden states that know, more or less, whether the row is stated, also where the answer is wrong."""

    def __init__(self, llm: FakeLlm, ward: Ward) -> None:
        self._llm = llm
        self._ward = ward

    def rows(self, start: int, stop: int) -> dict[int, NDArray[np.float32]]:
        question = question_of(self._llm._seen[stop - 1])[0]
        if not question:  # it goes on in the next decode call
            return dict.fromkeys((8, 16), np.zeros((stop - start, 8), np.float32))
        states = np.random.default_rng(zlib.crc32(question.encode())).normal(size=(2, 8)).astype(np.float32)
        states[:, 3] += 3.0 * (self._ward.true_answer(question) != " not mentioned")
        return {layer: np.tile(states[place], (stop - start, 1)) for place, layer in enumerate((8, 16))}


class FakeWorker:
    """The inference process in this one.

    Attributes:
        read: texts of the dictations that the filler was asked about, nothing being kept, in order.
        failing: for the number of a reading, from 1 on, what happens in its place.
    """

    pid = None

    config: RuntimeConfig

    def __init__(self, ward: Ward) -> None:
        self.llm = FakeLlm(ward.answer)
        self.llm.tap = _Tap(self.llm, ward)  # type: ignore[assignment]
        self.runtimes = runtimes_of("test-filler", "test-embedder", llm=self.llm, embedder=FakeEmbedder())
        self.read: list[str] = []
        self.failing: dict[int, Callable[[], None]] = {}

    def run(
        self,
        function: Callable[..., Any],
        *,
        monitor: ProgressMonitor,
        **arguments: Any,
    ) -> Any:
        if function is tasks.read_rows and not load_answers(arguments["kept"]):
            self.read.append(arguments["task"].text)
            if fail := self.failing.get(len(self.read)):
                fail()
        return function(self.runtimes, monitor=monitor, **arguments)

    def close(self) -> None: ...


def inference_of(worker: FakeWorker, settings: Settings) -> Inference:
    """The real door to a process that is none."""
    registry = SimpleNamespace(
        resolve=lambda role, model: SimpleNamespace(id=model or f"test-{role}"),
        path=lambda _: Path(),
        status=lambda _: "missing",
    )
    inference = Inference(settings, registry)  # type: ignore[arg-type]
    worker.config = inference._config()
    inference._worker = worker  # type: ignore[assignment]
    return inference


@contextmanager
def quick_fits() -> Iterator[None]:
    """Few trees and folds, and no threads that wait for each other over small matrices."""
    with pytest.MonkeyPatch.context() as patched, threadpool_limits(1):
        patched.setattr("extraction.estimators.boosted_trees._ROUNDS", 20)
        patched.setattr("extraction.learning.fit.FOLDS", 4)
        yield


def raising(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def write_lines(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def texts_of(lines: Sequence[str]) -> list[str]:
    return [json.loads(line)["transcript"] for line in lines]
