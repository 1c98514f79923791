"""Tables in JSON: a list of objects, or objects one after the other; read as a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from extraction.contract.errors import SourceError
from extraction.contract.records import Source
from extraction.contract.sources.source_table import Record, SourceTable, unique_names, without_table
from extraction.contract.sources.text_files import TextFile

_LONGEST_RECORD = 1 << 24  # characters
_LISTED = re.compile(r"\[\s*\{")  # a list of records begins so, even if it breaks off
_SPACE = re.compile(r"[\s,]*")


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


def json_table(source: Source, file: TextFile, *, is_table: bool) -> SourceTable:
    """The records of a JSON file, names of nested ones joined by dots, lists as JSON.

    Args:
        is_table: whether each line is a record, as the name of the file says; otherwise a single object is no table.

    Raises:
        SourceError: it is a table that cannot be read.
    """
    if file.problem:
        raise file.problem
    sample, _ = file.sample()
    start = sample.lstrip("\ufeff \t\r\n")
    if not start.startswith("[") and not start.startswith("{"):
        return without_table(source, "The file is no list of records.")
    try:
        first = list(islice(_objects(file), 2))
    except SourceError:
        if is_table or _LISTED.match(start):
            raise
        return without_table(source, "The file is no list of records.")
    if not first or (len(first) == 1 and start.startswith("{") and not is_table):
        return without_table(source, "The file is no list of records.")
    fields: dict[str, None] = {}
    rows = 0
    for _, record in _objects(file):
        fields.update(dict.fromkeys(record))
        rows += 1
    names = tuple(fields)
    source = replace(source, encoding=file.encoding, header_line=0, rows=rows)
    return SourceTable(source, unique_names(names), partial(_records, file, names))


def _records(file: TextFile, names: tuple[str, ...]) -> Iterator[Record]:
    for line, record in _objects(file):
        yield Record(line, tuple(record.get(name, "") for name in names))


def _objects(file: TextFile) -> Iterator[tuple[int, dict[str, str]]]:
    """Each object as texts by dotted name, with the line where it begins."""
    decoder = json.JSONDecoder(
        object_pairs_hook=_without_repeats, parse_int=_Number, parse_float=_Number, parse_constant=_Number
    )
    line, text, at, listed, closed = 1, "", 0, False, False
    for chunk in file.chunks():
        text, at = text[at:] + chunk, 0
        if len(text) > _LONGEST_RECORD + len(chunk):
            raise _broken(file, line, "the record is not closed")
        while True:
            begin = _between(text, at)
            line += text.count("\n", at, begin)
            at = begin
            if at == len(text):
                break
            if text[at] in "[]" and (text[at] == "]") == listed and not closed:
                listed, closed, at = not listed, listed, at + 1
                continue
            if text[at] != "{" or closed:
                raise _broken(file, line, "a record was expected")
            try:
                found, end = decoder.raw_decode(text, at)
            except json.JSONDecodeError:
                break  # it may go on in the next chunk
            except (RecursionError, ValueError) as error:
                raise _broken(file, line, str(error)) from error
            yield line, _flat(found, file, line)
            line += text.count("\n", at, end)
            at = end
    if listed or at < len(text):
        raise _broken(file, line, "the record or the list that begins here is not closed, or is no JSON")


def _between(text: str, at: int) -> int:
    """Where the next thing begins after white space and commas."""
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _broken(file: TextFile, line: int, why: str) -> SourceError:
    return SourceError(f"{file.name}, line {line}, cannot be read as JSON: {why}.", "Export the file again.")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _flat(record: dict[str, Any], file: TextFile, line: int) -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in _leaves(record, ""):
        if name in flat:
            raise _broken(file, line, f"the name {name} stands twice")
        flat[name] = value
    return flat


def _leaves(record: dict[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value) if isinstance(value, str) else "" if value is None else _as_json(value)


def _as_json(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_as_json(one)}" for key, one in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_json, value)) + "]"
    return str(value) if isinstance(value, _Number) else json.dumps(value, ensure_ascii=False)
