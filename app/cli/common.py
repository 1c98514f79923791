"""Shared by commands: settings with overrides from the command line, schemas, and access to the models."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from app.cli.console import Console
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings, load_settings
from extraction.flowsheet.schema import Schema
from extraction.schema_files.native_format import parse_schema, read_schema_bytes
from extraction.ward_vocabulary import check_vocabularies
from models.base.progress import CancelledCallback
from models.hardware import detect
from models.library.added_models import open_registry
from resources import DEMONSTRATION_SCHEMA

_TUNED = ("top_k", "threads", "speech_model", "filler_model", "embedder_model", "learned")


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The saved settings, overridden by the arguments."""
    given = {name: getattr(arguments, name, None) for name in _TUNED}
    chosen = {name: value for name, value in given.items() if value is not None}
    return replace(load_settings(paths.config_file()), **chosen)


def schema_path(arguments: argparse.Namespace, settings: Settings, name: str = "schema") -> Path:
    """Path of the schema: as named by the command, else by the settings, else the demonstration schema."""
    given: Path | None = getattr(arguments, name, None)
    return given or (Path(settings.schema) if settings.schema else DEMONSTRATION_SCHEMA)


def schema_of(arguments: argparse.Namespace, settings: Settings) -> tuple[Schema, bytes]:
    """The schema and the bytes it was read from."""
    return read_schema(schema_path(arguments, settings))


def read_schema(path: Path) -> tuple[Schema, bytes]:
    """Reads a schema; returns it with the file's bytes. Raises SchemaError."""
    data = read_schema_bytes(path)
    return parse_schema(data, path.name), data


def open_inference(settings: Settings) -> Inference:
    """A client of the inference process. Raises InputError first if a vocabulary of the ward is invalid."""
    check_vocabularies()
    return Inference(settings, open_registry(paths.models_dir()))


def note_device(inference: Inference, console: Console) -> None:
    """Says why models ran on the processor although the GPU was wanted."""
    if inference.device_note:
        console.note(inference.device_note)


@contextmanager
def stoppable() -> Iterator[CancelledCallback]:
    """Yields a callback that says whether Ctrl-C was pressed, so that the running stage can stop cleanly.

    A second Ctrl-C stops at once.
    """
    asked = threading.Event()

    def on_interrupt(_signal: int, _frame: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def run_facts(cases: str, schema: str) -> dict[str, Any]:
    """Facts for the readers of a report, in addition to the circumstances."""
    machine = asdict(detect())
    return {"cases_file": cases, "schema": schema, "machine": machine | {"cpu_flags": sorted(machine["cpu_flags"])}}
