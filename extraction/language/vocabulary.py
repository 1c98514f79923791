"""Vocabularies as data: resources/language/<language>/<name>.toml, and what a ward adds to them.

A ward's own folder holds files of the same names. Their lists are appended to the shipped ones, and their tables add
entries; nothing that is shipped can be taken away. A file that says something else is refused with its place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from models.errors import InputError

LANGUAGE = "en"
_ward: list[Path] = []  # at most one


def use_ward_folder(folder: Path | None) -> None:
    """Adds the files of this folder to every vocabulary that is read from now on; None takes the shipped ones alone."""
    _ward[:] = [folder] if folder else []
    vocabulary.cache_clear()


@cache
def vocabulary(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """The vocabulary of a name, the ward's additions among it.

    Raises InputError for a ward's file that cannot be read or does not fit the shipped one.
    """
    shipped = shipped_vocabulary(name, language)
    path = ward_file(name, language)
    return _joined(shipped, _read(path), path, name) if path else shipped


@cache
def shipped_vocabulary(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """The vocabulary of a name without any additions."""
    return tomllib.loads((files("resources") / "language" / language / f"{name}.toml").read_text(encoding="utf-8"))


def ward_file(name: str, language: str = LANGUAGE) -> Path | None:
    """The file with which the ward adds to the vocabulary of a name; None where there is none."""
    paths = (folder / language / f"{name}.toml" for folder in _ward)
    return next((path for path in paths if path.is_file()), None)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", "Correct the file, or take it away.") from error


def _joined(shipped: Mapping[str, Any], added: Mapping[str, Any], path: Path, place: str) -> dict[str, Any]:
    """The shipped table with what is added to it."""
    joined = dict(shipped)
    for key, value in added.items():
        known = joined.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            joined[key] = _joined(known, value, path, f"{place}.{key}")
        elif isinstance(known, list) and _is_list_like(known, value):
            joined[key] = [*known, *value]
        elif known is None and shipped and all(type(one) is type(value) for one in shipped.values()):
            joined[key] = value  # an entry more of a table whose entries are all alike
        else:
            raise InputError(
                f"{path}: “{key}” in {place} is not known there, or is of another kind.",
                f"It may add to: {', '.join(shipped)}. See docs/vocabulary.md.",
            )
    return joined


def _is_list_like(known: list[Any], value: Any) -> bool:
    return isinstance(value, list) and all(not known or type(one) is type(known[0]) for one in value)
