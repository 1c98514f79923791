"""What lights cost: `python -m tests.benchmarks.states [--rounds N]`.

The sample dictation is filled with and without keeping hidden states, in turn in one process, so that both see the same
machine; then what probes, layers and SCAPE-Hyb take for one dictation. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from statistics import median

import numpy as np

from app.inference.tasks import growing_extraction
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import CASE_SAID_AT
from extraction.confidence import acceptance_features
from extraction.confidence.learned_models import shipped
from extraction.estimators.linear_probes import DEPTHS
from extraction.filling.rowwise import RowwiseFiller
from extraction.filling.task import Reading, Task
from extraction.preparation.encounter_context import EncounterContext
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from models.hardware import detect
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.loaded import RuntimeConfig, Runtimes
from tests.benchmarks.run import RESOURCES, SCHEMA, Figure, verdict

_DECISIONS = 50


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    keeping, forgetting = Runtimes(_config()), Runtimes(replace(_config(), state_depths=()))
    task = _task(keeping)
    fillers = {"with": RowwiseFiller(keeping.llm), "without": RowwiseFiller(forgetting.llm)}
    seconds: dict[str, list[float]] = {name: [] for name in fillers}
    readings: list[Reading] = []
    for number in range(rounds + 1):
        for name in sorted(fillers, reverse=bool(number % 2)):
            start = time.perf_counter()
            read = fillers[name].read(task, NOT_MONITORED)
            if number:  # the first warms up
                seconds[name].append(time.perf_counter() - start)
            readings = read if name == "with" else readings
        print(f"round {number} of {rounds}", flush=True)
    pairs = [kept / bare for kept, bare in zip(seconds["with"], seconds["without"], strict=True)]
    return verdict(
        [
            Figure("filling with hidden states against without, median of pairs", median(pairs), 1.1, "x"),
            Figure("filling without them, median", median(seconds["without"]), None, "s"),
            Figure("probes, layers and SCAPE-Hyb for the dictation, median", _decision(readings) * 1000, 20.0, "ms"),
        ]
    )


def _config() -> RuntimeConfig:
    manifest = load_manifest()
    registry = Registry(manifest, paths.models_dir())
    chosen = {entry.role: entry.id for entry in manifest.models if entry.default}
    return RuntimeConfig(
        speech=None,
        filler=next(registry.path(chosen["filler"]).glob("*.gguf")),
        embedder=registry.path(chosen["embedder"]),
        speech_id="",
        filler_id=chosen["filler"],
        embedder_id=chosen["embedder"],
        threads=detect().cores,
        device="cpu",
        state_depths=DEPTHS,
    )


def _task(runtimes: Runtimes) -> Task:
    """What is asked of the sample dictation."""
    text = (RESOURCES / "dictation" / "dictation.txt").read_text(encoding="utf-8")
    folder = paths.cache_dir() / "indexes"
    filler = RowwiseFiller(runtimes.llm)
    values = growing_extraction(
        runtimes,
        load_schema(SCHEMA),
        EncounterContext(CASE_SAID_AT),
        filler,
        top_k=Settings().top_k,
        index_folder=folder,
        learned=None,
        monitor=NOT_MONITORED,
    )
    values.read(text, 0)
    return values.prepared.task


def _decision(readings: list[Reading]) -> float:
    """Median seconds from the hidden states of one dictation's readings to which of them are lit."""
    known, settings = shipped(), Settings()
    assert known.calibration
    sure = np.full(len(readings), 0.5)
    taken = []
    for _ in range(_DECISIONS):
        start = time.perf_counter()
        row, value = (
            np.array([known.probes[name].score(reading.states) for reading in readings])
            for name in acceptance_features.PROBES
        )
        errors = known.layers.errors(sure, row, value)
        known.calibration.lit(errors, settings.alpha, settings.conflict_weight)
        taken.append(time.perf_counter() - start)
    return median(taken)


if __name__ == "__main__":
    sys.exit(main())
