"""The columns that a hospital's own CSV has, and the file in which it describes them."""

from __future__ import annotations

import codecs
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path

from models.base.errors import InputError

_DIRECTIVES = frozenset("YymdHMSz%")  # those of `strftime` that do not depend on the computer's language


class ColumnContent(StrEnum):
    """What stands in a column."""

    PATIENT_NUMBER = "patient-number"
    PATIENT_NAME = "patient-name"
    BIRTH_DATE = "birth-date"
    BED = "bed"
    ENCOUNTER = "encounter"
    DICTATION = "dictation"
    LINE_NUMBER = "line-number"
    ROW_ID = "row-id"
    ROW_NAME = "row-name"
    CATEGORY = "category"
    VALUE = "value"
    CODED_VALUE = "coded-value"
    OPTION_CODE = "option-code"
    UNIT = "unit"
    ORIGINAL_VALUE = "original-value"
    OBSERVED_TIME = "observed-time"
    OBSERVED_SINCE = "observed-since"
    RECORDED_TIME = "recorded-time"
    REVIEWED_TIME = "reviewed-time"
    EXPORTED_TIME = "exported-time"
    REVIEWER = "reviewer"
    STATUS = "status"
    INTERPRETATION = "interpretation"
    LOINC = "loinc"
    EVIDENCE = "evidence"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class HospitalColumn:
    """A column: its name in the first line, and what stands in it."""

    name: str
    content: ColumnContent


DEFAULT_COLUMNS = tuple(
    HospitalColumn(content.replace("-", "_"), content)
    for content in (
        ColumnContent.LINE_NUMBER,
        ColumnContent.PATIENT_NUMBER,
        ColumnContent.ENCOUNTER,
        ColumnContent.ROW_ID,
        ColumnContent.ROW_NAME,
        ColumnContent.VALUE,
        ColumnContent.OPTION_CODE,
        ColumnContent.UNIT,
        ColumnContent.OBSERVED_TIME,
        ColumnContent.RECORDED_TIME,
        ColumnContent.REVIEWED_TIME,
        ColumnContent.REVIEWER,
    )
)


@dataclass(frozen=True, slots=True)
class HospitalColumns:
    """How a hospital's own CSV looks.

    Attributes:
        columns: in their order.
        delimiter: one character.
        encoding: name of a codec of Python, such as `cp1252`.
        line_end: `crlf` or `lf`.
        header: whether the first line holds the names of the columns.
        time_format: as `strftime` has it, of numbers only.
        clock: whose clock times follow: `ward` or `utc`.
        decimal_sign: `.` or `,`.
        between: what joins several options or codes.
        raw: whether texts stay as they are even if a spreadsheet could take them for formulas.
    """

    columns: tuple[HospitalColumn, ...] = DEFAULT_COLUMNS
    delimiter: str = ","
    encoding: str = "utf-8"
    line_end: str = "crlf"
    header: bool = True
    time_format: str = "%Y-%m-%d %H:%M:%S"
    clock: str = "ward"
    decimal_sign: str = "."
    between: str = ";"
    raw: bool = False


def read_hospital_columns(path: Path | None) -> HospitalColumns:
    """Reads columns from a TOML file, or from JSON if it is named so; without a file, the default ones.

    Raises InputError, naming file and column or setting, if it says anything else than docs/storage.md.
    """
    if path is None:
        return HospitalColumns()
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix.casefold() == ".json" else tomllib.loads(text)
    except OSError as error:
        raise InputError(
            f"The columns in {path} cannot be read: {error.strerror}.", "Choose the file again."
        ) from error
    except (ValueError, RecursionError) as error:  # not JSON, TOML or UTF-8
        raise InputError(f"{path} is not valid: {error}.", "Correct the file, or choose another one.") from error
    fault = _refuse(path)
    if not isinstance(content, dict):
        raise fault("is no table of settings.")
    if unknown := [name for name in content if name not in _SETTINGS]:
        raise fault(f"has {unknown[0]!r}, which is no setting.", f"Settings are: {', '.join(_SETTINGS)}.")
    chosen = {name: value for name, value in content.items() if name != "columns"}
    for name, value in chosen.items():
        if wrong := _fault(name, value):
            raise fault(f"says {name} = {value!r}.", wrong)
    columns = _columns(content["columns"], fault) if "columns" in content else DEFAULT_COLUMNS
    return HospitalColumns(columns=columns, **chosen)


_SETTINGS = tuple(one.name for one in fields(HospitalColumns))
_CHOICES = {"line_end": ("crlf", "lf"), "clock": ("ward", "utc"), "decimal_sign": (".", ",")}


def _refuse(path: Path) -> Callable[..., InputError]:
    """What makes an error about the file of what is wrong there."""

    def fault(what: str, next_step: str = "Correct the file.") -> InputError:
        return InputError(f"{path} {what}", next_step)

    return fault


def _columns(listed: object, fault: Callable[..., InputError]) -> tuple[HospitalColumn, ...]:
    if not isinstance(listed, list) or not listed:
        raise fault("has no list of columns.", "List each column with its name and content.")
    found: list[HospitalColumn] = []
    contents = ", ".join(ColumnContent)
    for number, one in enumerate(listed, start=1):
        if not isinstance(one, dict) or set(one) != {"name", "content"}:
            raise fault(f"describes column {number} otherwise than by name and content.")
        name, content = one["name"], one["content"]
        if not isinstance(name, str) or not name:
            raise fault(f"gives column {number} no name.")
        if name in (other.name for other in found):
            raise fault(f"names two columns {name!r}.")
        if content not in list(ColumnContent):
            raise fault(f"puts {content!r} into column {number}, {name!r}.", f"Choose from: {contents}.")
        found.append(HospitalColumn(name, ColumnContent(content)))
    return tuple(found)


def _fault(name: str, value: object) -> str:
    """What a setting must be instead; empty if it is valid."""
    if name in ("header", "raw"):
        return "" if isinstance(value, bool) else "It must be true or false."
    if name in _CHOICES:
        return "" if value in _CHOICES[name] else f"It must be one of: {' '.join(_CHOICES[name])}"
    if not isinstance(value, str) or not value:
        return "It must be text."
    if name == "delimiter":
        return "" if len(value) == 1 and value not in '"\r\n\0' else "It must be one character, and no quote."
    if name == "encoding":
        return "" if _is_text_encoding(value) else "There is no such encoding. Examples: utf-8, cp1252, utf-16."
    if name == "time_format":
        known = set(re.findall("%(.?)", value, re.DOTALL)) <= _DIRECTIVES
        return "" if known else "It may have %Y %y %m %d %H %M %S %z and %%."
    return ""


def _is_text_encoding(name: str) -> bool:
    try:
        "".encode(name)
        codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return True
