"""`make bench`: what the product promises about time and memory, measured in one run against its targets.

Absolute seconds drift on shared machines; where it can, a target is a ratio within the run. Exits with 1 when one is
missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from app.evaluation.papers.ablation.conditions import CONDITIONS
from app.evaluation.papers.ablation.run import ConditionStages
from app.inference.client import Inference
from app.pipeline import PipelineResult, run
from app.system import paths
from app.system.settings import Settings
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from models.hardware import detect
from models.library.manifest import load_manifest
from models.library.registry import Registry
from speech.transcript import Transcript
from tests.benchmarks.memory import resident_bytes
from tests.kit.start_probe import STARTS

RESOURCES = Path(__file__).parents[2] / "resources"
_SAMPLE = RESOURCES / "dictation" / "sample.flac"
SCHEMA = RESOURCES / "schemas" / "medsurg_icu.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and the most it may be."""

    name: str
    value: float
    at_most: float | None
    unit: str

    @property
    def met(self) -> bool:
        return self.at_most is None or self.value <= self.at_most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out") / "benchmarks.json")
    arguments = parser.parse_args()
    figures = [*whole_job(), *strategies(), *window()]
    failed = verdict(figures)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    report = {
        "python": platform.python_version(),
        "machine": asdict(detect()) | {"cpu_flags": sorted(detect().cpu_flags)},
        "models": {
            entry.id: {file.name: file.sha256 for file in entry.files}
            for entry in load_manifest().models
            if entry.default
        },
        "figures": [asdict(figure) | {"met": figure.met} for figure in figures],
    }
    arguments.out.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(arguments.out)
    return failed


def verdict(figures: Sequence[Figure]) -> int:
    """Prints the figures with their targets; 1 when one is missed, else 0."""
    for figure in figures:
        limit = "" if figure.at_most is None else f"  (at most {figure.at_most:g})"
        print(f"{'ok    ' if figure.met else 'MISSED'} {figure.name}: {figure.value:.2f} {figure.unit}{limit}")
    return 0 if all(figure.met for figure in figures) else 1


def inference(settings: Settings) -> Inference:
    return Inference(settings, Registry(load_manifest(), paths.models_dir()))


def whole_job() -> list[Figure]:
    """The sample recording from audio to values: time against its length, peak memory of both processes."""
    with inference(Settings()) as door:
        memory = _PeakMemory(door)
        with memory:
            result = run(_SAMPLE, "audio", load_schema(SCHEMA), door, monitor=NOT_MONITORED)
    duration = result.transcript.duration
    words = len(result.transcript.text.split())
    return [
        Figure("transcription, seconds per second of audio", result.seconds["transcribe"] / duration, 1.0, "x"),
        Figure("filling, seconds per 200 words", result.seconds["fill"] * 200 / words, 20.0, "s"),
        Figure("peak memory of program and inference process", memory.peak_bytes / 2**30, 6.0, "GiB"),
    ]


def strategies() -> list[Figure]:
    """Row by row against the JSON strategy about the same rows, in the same process."""
    text = (RESOURCES / "dictation" / "dictation.txt").read_text(encoding="utf-8")
    said = Transcript(text[: len(text) // 3])
    found: dict[str, PipelineResult] = {}
    with inference(Settings()) as door:
        for name in ("rowwise+row", "row"):
            stages = ConditionStages(door, CONDITIONS[name], Settings(), (), ())
            schema = load_schema(SCHEMA)
            found[name] = run(Path(os.devnull), "text", schema, stages, transcript=said, monitor=NOT_MONITORED)
    rows, json_object = found["rowwise+row"], found["row"]
    return [
        Figure("row by row against JSON, seconds", rows.seconds["fill"] / json_object.seconds["fill"], 1.0, "x"),
        Figure(
            "row by row against JSON, prompt tokens", rows.tokens["prompt"] / json_object.tokens["prompt"], None, "x"
        ),
    ]


def window() -> list[Figure]:
    """From the start of the interpreter until the window is shown (offscreen)."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    seconds = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", STARTS], check=True, env=environment, capture_output=True, text=True, timeout=120
        )
        seconds.append(float(done.stdout.split()[0]))
    return [Figure("window shown, from its first import", min(seconds), 2.0, "s")]


class _PeakMemory:
    """Peak resident memory of this process and the inference process together, sampled (Linux)."""

    def __init__(self, door: Inference) -> None:
        self.peak_bytes = 0
        self._door = door
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._monitor)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _monitor(self) -> None:
        while not self._stop.wait(0.1):
            total = sum(resident_bytes(pid) for pid in (os.getpid(), self._door.pid) if pid)
            self.peak_bytes = max(self.peak_bytes, total)


if __name__ == "__main__":
    sys.exit(main())
