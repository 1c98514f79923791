"""Reads hand-written JSON Lines files, with errors that name file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from models.base.errors import InputError


def json_lines(path: Path) -> tuple[bytes, list[tuple[int, str]]]:
    """The file's bytes and its non-blank lines, numbered from 1.

    Raises:
        InputError: the file is unreadable or not UTF-8.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.", "Check the name and the folder.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", "Choose a file that you may read.") from error
    try:
        lines = data.decode("utf-8-sig").split("\n")  # splitlines() also splits inside JSON strings
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path.name}, line {line} is not UTF-8 text.", "Save the file as UTF-8.") from error
    return data, [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def decoded(line: str, where: str, form: str) -> dict[str, Any]:
    """The object in a line; `where` names the line and `form` describes the format. Raises InputError."""
    data = parsed(line, where, form)
    if not isinstance(data, dict):
        raise InputError(f"{where} is not a JSON object.", form)
    return data


def parsed(text: str, where: str, form: str) -> Any:
    """Parses any JSON value. Raises InputError."""

    def not_a_number(name: str) -> NoReturn:
        raise ValueError(f"{name} is not a number in JSON")

    try:
        data = json.loads(text, parse_constant=not_a_number)
        json.dumps(data, ensure_ascii=False).encode()  # a lone surrogate is valid JSON but not valid text
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not valid JSON: column {error.colno}: {error.msg}.", form) from error
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits, and unlimited nesting
        raise InputError(f"{where} is not valid JSON: {error}.", form) from error
    return data


def field_of(data: dict[str, Any], name: str, kinds: tuple[type, ...], where: str, form: str) -> Any:
    """A field of one of the given types. Raises InputError if it is missing or of another type."""
    if name not in data:
        raise InputError(f'{where}: the field "{name}" is missing.', form)
    value = data[name]
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise InputError(f'{where}: the field "{name}" is of the wrong type.', form)
    return value
