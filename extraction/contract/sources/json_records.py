"""Tables in JSON: a list of objects, or objects one after the other; read as a stream."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from extraction.contract.errors import SourceError
from extraction.contract.header_language import english_words
from extraction.contract.people import is_encounter, is_patient, person_reason
from extraction.contract.records import Source
from extraction.contract.sources.ragged_lines import Record
from extraction.contract.sources.source_table import SourceTable, unique_names, without_table
from extraction.contract.sources.text_files import TextFile
from extraction.contract.value_shapes import words_in

_MOST_FACTS = 8
_LONGEST_RECORD = 1 << 24  # characters
_LISTED = re.compile(r"\[\s*\{")  # a list of records begins so, even if it breaks off
_IDENTIFIES = re.compile(r"(?:^|[._]|(?<=[a-z]))(?:id|uuid|guid|ref|key|number|no)$", re.IGNORECASE)
_NAMES = frozenset(("name", "title", "label", "display", "caption", "heading"))
_SPACE = re.compile(r"[\s,]*")


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


def json_tables(source: Source, file: TextFile, *, is_table: bool) -> list[SourceTable]:
    """The records of a JSON file, names of nested ones joined by dots; a list of records in a record is a table, too.

    A table of such a list, named `file.json#list`, has the names and the ids of the record that holds it before its
    own values.

    Args:
        is_table: whether each line is a record, as the name of the file says; otherwise a single object is no table,
            but a list of records in it is, if it is the only one.

    Raises:
        SourceError: it is a table that cannot be read.
    """
    if file.problem:
        raise file.problem
    sample, _ = file.sample()
    start = sample.lstrip("\ufeff \t\r\n")
    if not start.startswith("[") and not start.startswith("{"):
        return [without_table(source, "The file is no list of records.")]
    try:
        first = list(islice(_objects(file), 2))
    except SourceError:
        if is_table or _LISTED.match(start):
            raise
        return [without_table(source, "The file is no list of records.")]
    single = len(first) == 1 and start.startswith("{") and not is_table
    tables = _tables(source, file, single=single)
    return tables or [without_table(source, "The file is no list of records.")]


def _tables(source: Source, file: TextFile, *, single: bool) -> list[SourceTable]:
    fields: dict[str, dict[str, None]] = {}
    rows: Counter[str] = Counter()
    for _, found in _objects(file):
        for path, record in _flat(found, file):
            fields.setdefault(path, {}).update(dict.fromkeys(record))
            rows[path] += 1
    outermost = [path for path in fields if path and "." not in path]
    if single and (len(outermost) != 1 or any(len(names) > _MOST_FACTS for path, names in fields.items() if not path)):
        return []  # a document rather than a list with a few facts about it
    tables = []
    for path, names in fields.items():
        if single and not path:
            continue  # the object that holds the list
        name = f"{source.name}#{path}" if path else source.name
        own = replace(source, name=name, sheet=path, encoding=file.encoding, header_line=0, rows=rows[path])
        tables.append(SourceTable(own, unique_names(tuple(names)), partial(_records, file, path, tuple(names))))
    return tables


def _records(file: TextFile, path: str, names: tuple[str, ...]) -> Iterator[Record]:
    for line, found in _objects(file):
        for where, record in _flat(found, file, line):
            if where == path:
                yield Record(line, tuple(record.get(name, "") for name in names))


def _objects(file: TextFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object, with the line where it begins."""
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
            yield line, found
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


def _flat(record: dict[str, Any], file: TextFile, line: int = 1) -> Iterator[tuple[str, dict[str, str]]]:
    """The records in an object as texts by dotted name: itself, and those of each list of records in it."""
    flat: dict[str, str] = {}
    lists: list[tuple[str, list[dict[str, Any]]]] = []
    for name, value in _leaves(record, ""):
        if name in flat:
            raise _broken(file, line, f"the name {name} stands twice")
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            lists.append((name, value))
        else:
            flat[name] = _as_text(value)
    yield "", flat
    for path, inner in lists:
        outer = {name: value for name, value in flat.items() if _IDENTIFIES.search(name)}
        about_people = any(map(_is_about_people, (file.name, path, *flat, *(name for one in inner for name in one))))
        names = [] if about_people else filter(_names_it, flat)
        above = {f"group of {path}.{name}": flat[name] for name in names}
        for one in inner:
            for where, held in _flat(one, file, line):
                known = {name: value for name, value in (above | outer).items() if name not in held}
                yield f"{path}.{where}" if where else path, known | held


def _names_it(path: str) -> bool:
    """Whether a field is the name of its record."""
    return english_words(path.rpartition(".")[2].casefold())[-1] in _NAMES


def _is_about_people(name: str) -> bool:
    """Whether a field or a list is about a person, so that a name beside it may be that person's."""
    words = (word.removesuffix("s") for word in words_in(name))
    return any(is_patient(word) or is_encounter(word) for word in words) or bool(person_reason(name, ()))


def _leaves(record: dict[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    return "" if value is None or value == [] else _as_json(value)


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
