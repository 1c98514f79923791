"""`doctor`: reports what is installed, which devices there are, and what is missing."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from app.cli.arguments import add_machine
from app.cli.common import schema_path
from app.cli.console import Console, table
from app.store import Store
from app.system import paths
from app.system.settings import load_settings
from extraction.schema_files.native_format import load_schema
from extraction.ward_vocabulary import additions
from models.base.errors import WardlightError
from models.gpu import Gpu, free_gpu_memory
from models.hardware import detect
from models.library.added_models import open_registry

_LIBRARIES = (
    "PySide6-Essentials",
    "PySide6-Addons",
    "faster-whisper",
    "llama-cpp-python",
    "sentence-transformers",
    "torch",
    "hnswlib",
    "sqlite-utils",
    "jsonschema",
)
_IMPORT_SECONDS = 60
_WIDEST = 90  # characters of a cell; longer faults are also printed in full below the table


def doctor_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.set_defaults(function=doctor)


def doctor(arguments: argparse.Namespace, console: Console) -> int:
    """Returns 0 if everything that is needed is there, otherwise 3."""
    checks = [*_machine(), *_libraries(), *_imports(), *_models(), *_data(), _chart(), *_words()]
    rows = [["ok" if check["ok"] else "MISSING", check["what"], check["found"]] for check in checks]
    faults = [check["found"] for check in checks if not check["ok"] and len(check["found"]) > _WIDEST]
    console.answer(
        {"ok": all(c["ok"] for c in checks), "checks": checks},
        "\n".join([table(["", "what", "found"], rows, widest=_WIDEST), *faults]),
    )
    return 0 if all(check["ok"] for check in checks) else 3


def _check(what: str, found: object, *, ok: bool = True) -> dict[str, Any]:
    return {"what": what, "found": str(found), "ok": ok}


def _machine() -> list[dict[str, Any]]:
    hardware = detect()
    memory = f"{hardware.memory_bytes / 2**30:.1f} GiB" if hardware.memory_bytes else "unknown"
    return [
        _check("Python", platform.python_version()),
        _check("system", platform.platform()),
        _check("cores, memory", f"{hardware.cores}, {memory}"),
        _check("GPU", _gpu_words(hardware.gpu)),
        _check("SQLite", sqlite3.sqlite_version),
    ]


def _gpu_words(gpu: Gpu | None) -> str:
    if gpu is None:
        return "none; everything runs on the processor"
    free, whole = free_gpu_memory() / 2**30, gpu.memory_bytes / 2**30
    return f"{gpu.name}, {free:.1f} of {whole:.1f} GiB free, compute capability {gpu.compute_capability}"


def _libraries() -> list[dict[str, Any]]:
    found = []
    for name in _LIBRARIES:
        try:
            found.append(_check(name, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append(_check(name, "not installed; run make demo", ok=False))
    return found


def _imports() -> list[dict[str, Any]]:
    """Loads native libraries in child processes, so that a crash or a missing system library does not end this one."""
    found = []
    for what, code in (
        ("llama.cpp loads", _supports("llama")),
        ("CTranslate2 loads", _supports("whisper")),
        ("PyTorch loads", _supports("torch")),
        (
            "window library loads",
            "from PySide6.QtWidgets import QApplication; import PySide6; print(PySide6.__version__)",
        ),
        ("audio playback loads", "from PySide6.QtMultimedia import QMediaPlayer; print('yes')"),
    ):
        try:
            done = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, timeout=_IMPORT_SECONDS, check=False
            )
            text = (done.stdout or done.stderr).strip().splitlines()
            found.append(_check(what, text[-1] if text else f"exit code {done.returncode}", ok=done.returncode == 0))
        except subprocess.TimeoutExpired:
            found.append(_check(what, f"no answer within {_IMPORT_SECONDS} s", ok=False))
    return found


def _supports(library: str) -> str:
    """Code that loads a library and prints where it can run its model."""
    return (
        f"from models.runtimes.placement import {library}_supports_gpu as supported; "
        "print('runs on the GPU or the processor' if supported() else 'runs on the processor')"
    )


def _models() -> list[dict[str, Any]]:
    registry = open_registry(paths.models_dir())
    settings = load_settings(paths.config_file())
    used = {
        registry.resolve(role, wanted).id
        for role, wanted in (
            ("speech", settings.speech_model),
            ("filler", settings.filler_model),
            ("embedder", settings.embedder_model),
        )
    }
    return [
        _check(
            f"model {entry.id} ({entry.role}{', in use' if entry.id in used else ''})",
            registry.status(entry.id),
            ok=entry.id not in used or registry.status(entry.id) == "installed",
        )
        for entry in registry.manifest.models
    ]


def _data() -> list[dict[str, Any]]:
    settings = load_settings(paths.config_file())
    path = schema_path(argparse.Namespace(), settings)
    try:
        rows = len(load_schema(path).rows)
        schema = _check("schema", f"{path.name}, {rows} rows")
    except WardlightError as error:
        schema = _check("schema", error, ok=False)
    folder = paths.data_dir()
    free = shutil.disk_usage(_existing(folder)).free
    return [
        schema,
        _check("settings", paths.config_file()),
        _check("data", folder),
        _check("models in", paths.models_dir()),
        _check("free disk", f"{free / 2**30:.1f} GiB", ok=free > 2**28),
    ]


def _chart() -> dict[str, Any]:
    """Whether what is charted follows from the reviews; corrects it if not."""
    path = paths.database_file()
    if not path.exists():
        return _check("chart", "no database yet")
    try:
        with Store(path) as store:
            corrected = store.values.derive_again()
    except WardlightError as error:
        return _check("chart", f"not checked: {error}", ok=error.retryable)
    if corrected:
        return _check("chart", f"entries that did not match the reviews: {corrected}; corrected now", ok=False)
    return _check("chart", "matches the reviews")


def _words() -> list[dict[str, Any]]:
    """The ward's additions to the vocabularies, by file."""
    found = [
        _check(
            f"words of {addition.path.relative_to(paths.language_dir())}",
            addition.fault or f"{addition.entries} added",
            ok=addition.fault is None,
        )
        for addition in additions()
    ]
    return found or [_check("words of the ward", f"none in {paths.language_dir()}")]


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    while not folder.exists():
        folder = folder.parent
    return folder
