"""Tables of SQLite databases, which are never written to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from extraction.contract.errors import SourceError
from extraction.contract.records import Source
from extraction.contract.sources.ragged_lines import Record
from extraction.contract.sources.source_table import SourceTable, unique_names, without_table
from extraction.contract.sources.text_files import opened

_MARK = b"SQLite format 3\0"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"


def database_tables(source: Source, path: Path) -> list[SourceTable]:
    """Every table of a database; a file that is none has no table.

    Raises:
        SourceError: it is damaged, or a program has not finished writing to it.
    """
    with opened(path, source.name) as file:
        if file.read(len(_MARK)) != _MARK:
            return [without_table(source, "The file is no SQLite database, or an encrypted one.")]
    with _connected(path, source.name) as connection:
        names = [name for (name,) in connection.execute(_TABLES)]
        tables = [(name, _columns(connection, name)) for name in names]
    return [
        SourceTable(
            replace(source, name=f"{source.name}#{name}", sheet=name, header_line=0),
            unique_names(columns),
            partial(_records, path, source.name, name),
        )
        for name, columns in tables
    ] or [without_table(source, "The database has no tables.")]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [column[0] for column in connection.execute(f"SELECT * FROM {_quoted(table)} LIMIT 0").description]  # noqa: S608 - the name is quoted


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def _connected(path: Path, name: str) -> Iterator[sqlite3.Connection]:
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.is_file() and beside.stat().st_size:
            raise SourceError(
                f"{name} is not complete: some of its content is still in {beside.name}.",
                "Close the program that writes to it, or export the database again.",
            )
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            yield connection
    except sqlite3.Error as error:
        raise SourceError(f"{name} is damaged, or cannot be read ({error}).", "Export the database again.") from error


def _records(path: Path, name: str, table: str) -> Iterator[Record]:
    with _connected(path, name) as connection:
        rows = connection.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - the name is quoted
        for line, row in enumerate(rows, start=1):
            yield Record(line, tuple(map(_text, row)))


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.hex() if isinstance(value, bytes) else str(value)
