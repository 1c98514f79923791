"""Vocabularies as data: resources/language/<language>/<name>.toml, and what a ward adds to them.

A ward's own folder holds files of the same names. Their lists are appended to the shipped ones, and their tables add
entries; nothing that is shipped can be taken away. A file that says something else is refused with its place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from models.errors import InputError

LANGUAGE = "en"
_SHIPPED = files("resources") / "language"
_ward: list[Path] = []  # at most one
_forget: list[Callable[[], None]] = []  # what was made of vocabularies
_KEPT = 4096  # results of each function, such as sentences analysed

Given = ParamSpec("Given")
Made = TypeVar("Made")


def of_vocabularies(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorates what makes something of vocabularies, or reads a text by them: the last results are kept until the
    ward's folder is changed. It must return what nobody can change."""
    cached = lru_cache(maxsize=_KEPT)(make)
    _forget.append(cached.cache_clear)
    return cast(Callable[Given, Made], cached)


def use_ward_folder(folder: Path | None) -> None:
    """Adds the files of this folder to every vocabulary that is read from now on; None takes the shipped ones alone.

    Nothing is read here. What was made of vocabularies is forgotten, also where the folder is the same.
    """
    _ward[:] = [folder] if folder else []
    vocabulary.cache_clear()
    for forget in _forget:
        forget()


def ward_folder() -> Path | None:
    """The folder of the ward's additions; None where there is none, or none is used."""
    return next((folder for folder in _ward if folder.is_dir()), None)


def ward_file(name: str, language: str = LANGUAGE) -> Path | None:
    """The file with which the ward adds to the vocabulary of a name; None where there is none.

    Raises InputError where its folder cannot be read.
    """
    paths = (folder / language / f"{name}.toml" for folder in _ward)
    try:
        return next((path for path in paths if path.is_file()), None)
    except OSError as error:
        next_step = "Let it be read by who uses Wardlight, or take it away."
        raise InputError(f"{error.filename} cannot be read: {error.strerror}.", next_step, retryable=True) from error


@cache
def vocabulary(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """The vocabulary of a name, the ward's additions among it.

    Raises InputError for a ward's file that cannot be read or does not fit the shipped one.
    """
    shipped = shipped_vocabulary(name, language)
    path = ward_file(name, language)
    if path is None:
        return shipped
    try:
        return _joined(shipped, _read(path, name, language), "")
    except _Unfit as error:
        raise refusal(name, str(error), language) from error


@cache
def shipped_vocabulary(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """The vocabulary of a name without any additions."""
    return tomllib.loads((_SHIPPED / language / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def vocabulary_names(language: str = LANGUAGE) -> tuple[str, ...]:
    """The names of all vocabularies of a language, in their order; none where nothing is known of it."""
    folder = _SHIPPED / language
    names = (file.name.partition(".") for file in (folder.iterdir() if folder.is_dir() else ()))
    return tuple(sorted(name for name, _, suffix in names if suffix == "toml"))


def refusal(name: str, what: str, language: str = LANGUAGE) -> InputError:
    """The error for a vocabulary that cannot be used, with its place; it is read anew at its next use."""
    vocabulary.cache_clear()
    return InputError(
        f"{ward_file(name, language) or f'{language}/{name}.toml'}: {what}.",
        "Correct the file, or take it away. docs/vocabulary.md says what it may hold.",
        retryable=True,
    )


def _read(path: Path, name: str, language: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # as some editors write it
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise refusal(name, f"it cannot be read, {error}", language) from error


class _Unfit(ValueError):
    """What is added does not fit what is shipped; the message says where."""


def _joined(shipped: Mapping[str, Any], added: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The shipped table with what is added to it. Raises _Unfit."""
    joined = dict(shipped)
    for name, value in added.items():
        key, known = f"{place}.{name}".lstrip("."), joined.get(name)
        if isinstance(known, dict) and isinstance(value, dict):
            joined[name] = _joined(known, value, key)
        elif isinstance(known, list) and _is_list_like(known, value):
            joined[name] = [*known, *value]
        elif known is None and shipped and all(type(one) is type(value) for one in shipped.values()):
            joined[name] = value  # an entry more of a table whose entries are all alike
        else:
            raise _Unfit(f"{key} is not known, or is of another kind; there are: {', '.join(shipped)}")
    return joined


def _is_list_like(known: list[Any], value: Any) -> bool:
    return isinstance(value, list) and all(not known or type(one) is type(known[0]) for one in value)
