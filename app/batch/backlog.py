"""What is to be read, and what was: one file for each result, named after everything that the result depends on.

So a backlog that was stopped, however it was stopped, continues where it was, and reading it again reads nothing twice.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.system.settings import Settings
from extraction.confidence.binding import Binding
from extraction.confidence.learned_models import FACTS
from extraction.flowsheet.schema import Schema
from models.base.atomic_files import replace_file
from models.base.errors import InputError, ResourceError
from speech.text_file import read_text

_RESULTS, _FILES = "results", "files.json"
_SUFFIX = ".txt"


@dataclass(frozen=True, slots=True)
class Item:
    """A text to be read; `names` are the files that have it, relative to the folder."""

    key: str
    names: tuple[str, ...]
    path: Path


def conditions(schema: Schema, settings: Settings, models: dict[str, str]) -> str:
    """Everything but the text that a result depends on: schema, models and how they are used, and the program."""
    learned = settings.learned_folder
    facts = (learned / FACTS).read_bytes() if learned else b""
    binding = Binding.of(models["filler"], models["embedder"], settings.top_k)
    parts = [
        schema.sha256,
        json.dumps(binding.to_json(), sort_keys=True),
        hashlib.sha256(facts).hexdigest(),
        importlib.metadata.version("wardlight"),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def items_of(folder: Path, under: str) -> tuple[list[Item], dict[str, str]]:
    """The texts of a folder in the order of their names, each once; and by name, why a file cannot be read.

    Args:
        under: see `conditions`.

    Raises InputError if there is no text file.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}.", "Name a folder with dictations as text files.")
    found: dict[str, Item] = {}
    refused: dict[str, str] = {}
    for path in sorted(folder.rglob(f"*{_SUFFIX}")):
        name = path.relative_to(folder).as_posix()
        try:
            text = read_text(path).text
        except InputError as error:
            refused[name] = error.what
            continue
        key = hashlib.sha256(f"{under}\n{text}".encode()).hexdigest()
        known = found.get(key)
        found[key] = Item(key, (*known.names, name) if known else (name,), known.path if known else path)
    if not found and not refused:
        raise InputError(f"{folder} has no text files.", f"Put each dictation into a file of its own, *{_SUFFIX}.")
    return list(found.values()), refused


class Results:
    """The folder of results. One process alone writes into it: the one that hands the work out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _RESULTS
        self._files = folder / _FILES

    def has(self, key: str) -> bool:
        return self._path(key).is_file()

    def of(self, key: str) -> dict[str, Any]:
        """A result. Raises FileNotFoundError if it is not there."""
        found: dict[str, Any] = json.loads(self._path(key).read_text(encoding="utf-8"))
        return found

    def keep(self, key: str, result: dict[str, Any]) -> None:
        """Writes a result whole. Raises ResourceError."""
        self._write(self._path(key), result)

    def name(self, items: list[Item]) -> None:
        """Writes which file has which result. Raises ResourceError."""
        self._write(self._files, {name: one.key for one in items for name in one.names})

    def keys(self) -> Iterator[str]:
        yield from (path.stem for path in sorted(self._folder.glob("*/*.json")))

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _write(self, path: Path, data: dict[str, Any]) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
        except OSError as error:
            raise ResourceError(f"{path} cannot be written: {error.strerror}.", "Check the free space.") from error
