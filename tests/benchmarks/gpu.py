"""The graphics card against the processor: `python -m tests.benchmarks.gpu --out FILE [--filler ID]`.

The sample dictation is transcribed and filled on each, in one run. Then the card is filled with other data, and the
inference process is killed while it fills rows on the card: both times the same values must come back. What the
machine cannot run, such as CTranslate2 without its CUDA library, is named in the report. Exits with 1 if values are
lost.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any

from app.cli.common import open_inference
from app.inference.client import Inference
from app.inference.live_events import Followed
from app.inference.retry import retry_once
from app.inference.usage import Outcome
from app.system.settings import Settings
from extraction.extractor import Extraction
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import NO_CONTEXT
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor
from models.gpu import find_gpu, free_gpu_memory
from models.hardware import detect
from models.process.messages import Channel
from speech.transcript import Transcript
from tests.benchmarks.run import RESOURCES, SCHEMA
from tests.benchmarks.token_speeds import token_speeds

_ROUNDS = 3
_TEXT = (RESOURCES / "dictation" / "dictation.txt").read_text(encoding="utf-8")
_LEFT_BYTES = 300_000_000  # on the card that is filled

Values = dict[str, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--filler", default="", metavar="ID", help="of the language model (default: that of the settings)"
    )
    arguments = parser.parse_args()
    if find_gpu() is None:
        print("There is no NVIDIA graphics card.", file=sys.stderr)
        return 2
    schema = load_schema(SCHEMA)
    report: dict[str, Any] = {"machine": asdict(detect()) | {"cpu_flags": ""}}
    for device in ("cuda", "cpu"):
        report[device] = _measured(device, arguments.filler, schema)
        _show(device, report[device])
    values = report["cuda"]["values"], report["cpu"]["values"]
    report["differences"] = _differences(*values)
    _show("values that differ", report["differences"])
    with _full_card():
        report["full card"] = _filled_with(arguments.filler, schema, None)
    _show("full card", report["full card"]["note"])
    report["killed"] = _filled_with(arguments.filler, schema, signal.SIGKILL)
    _show("killed while filling", report["killed"]["note"])
    lost = [case for case in ("full card", "killed") if report[case].pop("values") != values[1]]
    report["lost"] = lost
    arguments.out.write_text(json.dumps(report, indent=1, default=str) + "\n", encoding="utf-8")
    print(f"values lost: {', '.join(lost) or 'none'}")
    return 1 if lost else 0


def _measured(device: str, filler: str, schema: Schema) -> dict[str, Any]:
    """Seconds, tokens, memory and values of the sample dictation on one device."""
    before = free_gpu_memory()
    with open_inference(Settings(device=device, filler_model=filler)) as inference:
        found: dict[str, Any] = {"speech": _speech(inference)}
        seconds, extraction = [], None
        for _ in range(_ROUNDS):
            start = time.monotonic()
            outcome = _read(inference, schema, NOT_MONITORED)
            seconds.append(time.monotonic() - start - outcome.load_seconds)
            extraction = outcome.value.extraction
        assert extraction is not None
        speeds = inference.call("filler", token_speeds, NOT_MONITORED, text=_TEXT)
        return found | {
            "devices": inference.devices,
            "note": inference.device_note,
            "filling_seconds": median(seconds),
            **speeds,
            "gpu_bytes": before - free_gpu_memory(),
            "values": _values_of(extraction),
        }


def _read(inference: Inference, schema: Schema, monitor: ProgressMonitor) -> Outcome[Followed]:
    channel = Channel(SimpleQueue(), lambda _: None)
    return inference.read_file(Transcript(_TEXT), schema, NO_CONTEXT, [], channel, monitor)


def _speech(inference: Inference) -> dict[str, Any]:
    seconds, text = [], ""
    for _ in range(_ROUNDS):
        start = time.monotonic()
        outcome = inference.transcribe(RESOURCES / "dictation" / "sample.flac", [], NOT_MONITORED)
        seconds.append(time.monotonic() - start - outcome.load_seconds)
        text = outcome.value.text
    return {"seconds": median(seconds), "text": text}


def _filled_with(filler: str, schema: Schema, kill: signal.Signals | None) -> dict[str, Any]:
    """The values of the sample on the graphics card if possible; with `kill`, its process is killed in the middle."""
    with open_inference(Settings(device="auto", filler_model=filler)) as inference:
        monitor = ProgressMonitor(_killing(inference, kill)) if kill else NOT_MONITORED

        def work() -> Extraction:
            return _read(inference, schema, monitor).value.extraction

        values = _values_of(retry_once(work))
        return {"note": inference.device_note, "devices": inference.devices, "values": values}


def _killing(inference: Inference, kill: signal.Signals) -> Callable[[Progress], None]:
    """Kills the inference process once, when rows are being filled."""
    killed: list[int] = []

    def report(progress: Progress) -> None:
        if progress.stage == "fill" and progress.fraction and not killed and inference.pid:
            killed.append(inference.pid)
            os.kill(inference.pid, kill)

    return report


@contextmanager
def _full_card() -> Iterator[None]:
    """Leaves little of the card's memory free, as another program would."""
    cuda = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
    _done(cuda.cuInit(0))
    _done(cuda.cuDeviceGet(ctypes.byref(device), 0))
    _done(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    _done(cuda.cuCtxSetCurrent(context))
    _done(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(free_gpu_memory() - _LEFT_BYTES)))
    try:
        yield
    finally:
        _done(cuda.cuMemFree_v2(memory))
        cuda.cuDevicePrimaryCtxRelease_v2(device)


def _done(status: int) -> None:
    if status:
        raise RuntimeError(f"CUDA status {status}")


def _values_of(extraction: Extraction) -> Values:
    return {value.row_id: f"{value.value} {value.unit or ''}".strip() for value in extraction.proposals.values}


def _differences(gpu: Values, processor: Values) -> dict[str, tuple[str | None, str | None]]:
    """By row, the value on the GPU and that on the processor."""
    rows = sorted(gpu.keys() | processor.keys())
    return {row: (gpu.get(row), processor.get(row)) for row in rows if gpu.get(row) != processor.get(row)}


def _show(what: str, found: Any) -> None:
    print(f"{what}: {json.dumps(found, default=str, ensure_ascii=False)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
