"""Finds the tables in a folder of exports."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from extraction.contract.errors import SourceError
from extraction.contract.records import Source
from extraction.contract.sources.databases import database_tables
from extraction.contract.sources.delimited import delimited_table
from extraction.contract.sources.file_groups import joined
from extraction.contract.sources.json_records import json_tables
from extraction.contract.sources.source_table import SourceTable, without_table
from extraction.contract.sources.text_files import CHUNK, text_file, unreadable
from extraction.contract.sources.workbooks import OLE, workbook_tables
from models.base.progress import NOT_MONITORED, CancelledCallback, Progress, ProgressMonitor, stop_if

_TEXTS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".txt": "txt"}
_JSON = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_WORKBOOKS = {".xlsx": "xlsx", ".xlsm": "xlsm"}
_DATABASES = {".db": "sqlite", ".sqlite": "sqlite", ".sqlite3": "sqlite"}
_FORMATS = _TEXTS | _JSON | _WORKBOOKS | _DATABASES
# Workbooks that are refused: no reader tells how their cells are shown, so that an id would lose its leading zeros.
_OTHER_WORKBOOKS = frozenset({".xls", ".xlsb", ".ods", ".numbers"})
_ZIP, _MARKUP = b"PK", (b"<", b"\xef\xbb\xbf<")


def find_sources(folder: Path, monitor: ProgressMonitor = NOT_MONITORED) -> list[SourceTable]:
    """The tables in a folder and the folders in it, in the order of their names; hidden files are left out.

    A file without a table comes back, too, with the reason in `skipped`. Fifty or more files in one folder with nearly
    the same columns are one source, named as the folder with `/*`.

    Raises:
        SourceError: there is no such folder, it is empty, or some of its tables cannot be read; all are named.
        Cancelled: the monitor asks to stop.
    """
    files = _files(folder)
    if not files:
        raise SourceError(f"{folder} holds no files.", "Choose the folder with the exports of the record system.")
    sizes = [path.stat().st_size for path in files]
    found: list[SourceTable] = []
    errors: list[SourceError] = []
    for place, path in enumerate(files):
        name = path.relative_to(folder).as_posix()
        stop_if(monitor.cancelled)
        monitor.report(Progress("load", sum(sizes[:place]) / max(1, sum(sizes)), name))
        try:
            found += _tables(path, name, monitor.cancelled)
        except SourceError as error:
            errors.append(error)
    if len(errors) > 1:
        raise SourceError(
            " ".join(error.what for error in errors), "Correct these files or take them out of the folder."
        )
    if errors:
        raise errors[0]
    monitor.report(Progress("load", 1.0))
    return joined(found)


def _files(folder: Path) -> list[Path]:
    def refuse(error: OSError) -> None:
        raise unreadable(str(error.filename or folder), error) from error

    if not folder.is_dir():
        what = f"{folder} is no folder." if folder.exists() else f"There is no folder {folder}."
        raise SourceError(what, "Choose the folder with the exports of the record system.")
    files = []
    for here, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not _is_hidden(Path(here, name)))
        files += [path for path in (Path(here, name) for name in names) if path.is_file() and not _is_hidden(path)]
    return sorted(files, key=lambda path: path.relative_to(folder).as_posix())


def _is_hidden(path: Path) -> bool:
    """Whether the system or Office keeps a file or folder for itself."""
    attributes = getattr(path.lstat(), "st_file_attributes", 0)
    return path.name.startswith((".", "~$", "__MACOSX")) or bool(attributes & stat.FILE_ATTRIBUTE_HIDDEN)


def _tables(path: Path, name: str, cancelled: CancelledCallback) -> list[SourceTable]:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"]
    suffix = (suffixes[:-1] if packed else suffixes)[-1:]
    form = _FORMATS.get(suffix[0], "") if suffix else ""
    if suffix and suffix[0] in _OTHER_WORKBOOKS and not packed:
        form = _form_of_workbook(path, name, suffix[0])
    source = Source(name, _sha256(path, name, cancelled), format=form or "other")
    if not form or (packed and form not in (*_TEXTS.values(), *_JSON.values())):
        return [without_table(source, "Files of this kind are not read: CSV, XLSX, JSON, JSONL and SQLite are.")]
    if form in _WORKBOOKS.values():
        return workbook_tables(source, path)
    if form in _DATABASES.values():
        return database_tables(source, path)
    file = text_file(path, name, cancelled)
    if form in _TEXTS.values():
        return [delimited_table(source, file, is_table=form != "txt")]
    return json_tables(source, file, is_table=form != "json")


def _form_of_workbook(path: Path, name: str, suffix: str) -> str:
    """What a file that is called an older workbook holds: many systems write texts and new workbooks under `.xls`.

    Raises SourceError for a real one, with what to save it as.
    """
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError as error:
        raise unreadable(name, error) from error
    if suffix == ".xls" and start.startswith(_ZIP):
        return "xlsx"
    if suffix == ".xls" and not start.startswith((OLE, *_MARKUP)) and b"\0" not in start:
        return "tsv"
    what = f"{name} is a web page that is called a workbook." if start.startswith(_MARKUP) else f"{name} is not read."
    raise SourceError(
        f"{what} Of workbooks only .xlsx and .xlsm are.",
        "Open it in Excel, choose Save As, Excel Workbook (.xlsx), and take the former file out of the folder.",
    )


def _sha256(path: Path, name: str, cancelled: CancelledCallback) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                stop_if(cancelled)
                digest.update(chunk)
    except OSError as error:
        raise unreadable(name, error) from error
    return digest.hexdigest()
