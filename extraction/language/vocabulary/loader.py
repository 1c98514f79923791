"""Loads vocabularies from resources/language/<language>/<name>.toml and adds the ward's own words.

A ward's folder holds files of the same names. Their lists are appended to the shipped ones and their tables extended;
nothing that is shipped can be removed. Any other content is refused with its location.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from models.base.errors import InputError
from models.base.text_caches import text_cache

LANGUAGE = "en"
_SHIPPED = files("resources") / "language"
_ward: list[Path] = []  # at most one
_cache_clears: list[Callable[[], None]] = []  # clears every cache that depends on a vocabulary
_KEPT = 4096  # results kept per function, such as analysed sentences

Given = ParamSpec("Given")
Made = TypeVar("Made")


def of_vocabularies(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Caches a function whose result depends on a vocabulary, until the ward's folder changes.

    The result must be immutable. With parameters, which may be words of a dictation, it is a text cache, too.
    """
    cached: Any = text_cache(_KEPT)(make) if signature(make).parameters else cache(make)
    _cache_clears.append(cached.cache_clear)
    return cast(Callable[Given, Made], cached)


def use_ward_folder(folder: Path | None) -> None:
    """Adds the files of this folder to every vocabulary read from now on; None uses the shipped ones alone.

    Files are read on first use. All dependent caches are cleared, even if the folder is the same.
    """
    _ward[:] = [folder] if folder else []
    vocabulary.cache_clear()
    for forget in _cache_clears:
        forget()


def ward_folder() -> Path | None:
    """The folder of the ward's additions; None if none is set or it does not exist."""
    return next((folder for folder in _ward if folder.is_dir()), None)


def ward_file(name: str, language: str = LANGUAGE) -> Path | None:
    """The ward's additions to a vocabulary; None if there are none.

    Raises InputError if the folder cannot be read.
    """
    paths = (folder / language / f"{name}.toml" for folder in _ward)
    try:
        return next((path for path in paths if path.is_file()), None)
    except OSError as error:
        next_step = "Allow whoever uses Wardlight to read it, or remove it."
        raise InputError(f"{error.filename} cannot be read: {error.strerror}.", next_step, retryable=True) from error


@cache
def vocabulary(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """A vocabulary with the ward's additions.

    Raises InputError if the ward's own file cannot be read or does not fit the shipped one.
    """
    shipped = shipped_vocabulary(name, language)
    path = ward_file(name, language)
    if path is None:
        return shipped
    try:
        return _merged(shipped, _read(path, name, language), "")
    except _Unfit as error:
        raise refusal(name, str(error), language) from error


@cache
def shipped_vocabulary(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """A vocabulary without any additions."""
    return tomllib.loads((_SHIPPED / language / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def vocabulary_names(language: str = LANGUAGE) -> tuple[str, ...]:
    """The sorted names of all vocabularies of a language; empty for an unknown language."""
    folder = _SHIPPED / language
    names = (file.name.partition(".") for file in (folder.iterdir() if folder.is_dir() else ()))
    return tuple(sorted(name for name, _, suffix in names if suffix == "toml"))


def refusal(name: str, what: str, language: str = LANGUAGE) -> InputError:
    """The error for an invalid vocabulary, with its location.

    Clears the cache, so that the next use reads the file again.
    """
    vocabulary.cache_clear()
    return InputError(
        f"{ward_file(name, language) or f'{language}/{name}.toml'}: {what}.",
        "Correct the file, or remove it. docs/vocabulary.md says what it may hold.",
        retryable=True,
    )


def _read(path: Path, name: str, language: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors write a byte order mark
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise refusal(name, f"it cannot be read, {error}", language) from error


class _Unfit(ValueError):
    """An addition does not fit the shipped vocabulary; the message says where."""


def _merged(shipped: Mapping[str, Any], added: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Merges additions into a shipped table. Raises _Unfit."""
    joined = dict(shipped)
    for name, value in added.items():
        key, known = f"{place}.{name}".lstrip("."), joined.get(name)
        if isinstance(known, dict) and isinstance(value, dict):
            joined[name] = _merged(known, value, key)
        elif isinstance(known, list) and _is_list_like(known, value):
            joined[name] = [*known, *value]
        elif known is None and shipped and all(type(one) is type(value) for one in shipped.values()):
            joined[name] = value  # a new entry in a table whose values all have one type
        else:
            raise _Unfit(f"{key} is not known, or is of another kind; there are: {', '.join(shipped)}")
    return joined


def _is_list_like(known: list[Any], value: Any) -> bool:
    return isinstance(value, list) and all(not known or type(one) is type(known[0]) for one in value)
