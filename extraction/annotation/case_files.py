"""Annotated cases, one JSON object per line: a transcript and what a person charted from it, in SYNUR's format.

A case may be graded: `observations` are then required, `acceptable` ones may be charted, `forbidden` ones must not be.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extraction.annotation.json_lines import decoded, field_of, json_lines, parsed
from extraction.flowsheet.schema import Row, Schema, ValueType, file_sha256
from extraction.flowsheet.validation import normalise
from extraction.flowsheet.values import Value
from extraction.schema_files.checks import shortened
from models.base.errors import InputError

# Time of dictation for cases that state none: fixed on the ward's clock, so that results do not depend on when they are
# measured.
CASE_SAID_AT = dt.datetime(2026, 1, 1, 12).astimezone()
_SYNUR_TYPES = {ValueType.TEXT: "STRING", ValueType.YES_NO: "SINGLE_SELECT"}
# Why a value must not be charted.
TRAPS = ("negated", "plan", "history", "other_person", "wrong_site", "corrected", "uncertain", "wrong_row", "not_said")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_FORM = 'Each line is a JSON object with "id", "transcript" and "observations"; see docs/evaluation.md.'


@dataclass(frozen=True, slots=True)
class Observation:
    """A row with its value. A select row may hold a value outside its options, which no prediction matches.

    Attributes:
        time: when it was observed, as 'HH:MM'; empty for the time of the dictation.
        any_instance: whether the same row of another line, drain or wound is as good.
        words: the words of the transcript that say it; empty if the file does not tell.
    """

    row_id: str
    value: Value
    time: str = ""
    any_instance: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class Trap:
    """A value that must not be charted; any value of the row if it is None. `why` is one of `TRAPS`."""

    row_id: str
    value: Value | None
    why: str


@dataclass(frozen=True, slots=True)
class Case:
    """A transcript with what was charted from it; observations are empty if they were not read.

    Attributes:
        acceptable, forbidden: of a graded case, what may and must not be charted; None if the case is not graded.
        said_at: the time of day of the dictation.
    """

    id: str
    text: str
    observations: tuple[Observation, ...]
    acceptable: tuple[Observation, ...] | None = None
    forbidden: tuple[Trap, ...] | None = None
    said_at: dt.time | None = None

    @property
    def is_graded(self) -> bool:
        return self.forbidden is not None

    @property
    def dictated_at(self) -> dt.datetime:
        """When the case counts as dictated: `CASE_SAID_AT`, at the time of day that the case states."""
        if self.said_at is None:
            return CASE_SAID_AT
        return CASE_SAID_AT.replace(hour=self.said_at.hour, minute=self.said_at.minute)


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of a file, in order.

    Attributes:
        warnings: values that no prediction can match, one sentence each with file, line and row.
        sha256: of the file's bytes.
    """

    cases: tuple[Case, ...]
    warnings: tuple[str, ...]
    sha256: str


def read_cases(path: Path, schema: Schema, *, annotated: bool = True) -> Cases:
    """Reads cases from a JSON Lines file; without `annotated`, only ids and transcripts.

    Raises:
        InputError: the file is unreadable or not in the format above; the message names file, line and field.
    """
    data, lines = json_lines(path)
    reader = _Reader(path.name, schema)
    cases = [reader.case(number, line, annotated) for number, line in lines]
    if not cases:
        raise InputError(f"{path.name} contains no cases.", _FORM)
    return Cases(tuple(cases), tuple(reader.warnings), file_sha256(data))


def case_line(case_id: str, text: str, values: Iterable[Observation], schema: Schema) -> str:
    """A case as one line of such a file, without the line ending. Raises KeyError for a row the schema lacks."""
    observations = [_observation_json(schema.row(one.row_id), one) for one in values]
    fields = {"id": case_id, "transcript": text, "observations": json.dumps(observations, ensure_ascii=False)}
    return json.dumps(fields, ensure_ascii=False)


def _observation_json(row: Row, one: Observation) -> dict[str, Any]:
    kind = _SYNUR_TYPES.get(row.value_type, row.value_type.name)
    written = {"id": row.id, "value_type": kind, "name": row.name, "value": _plain(one.value)}
    return written | ({"time": one.time} if one.time else {})


def _plain(value: Value) -> Any:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    return value


class _Reader:
    """Reads line by line, remembers the ids it has seen and collects warnings."""

    def __init__(self, source: str, schema: Schema) -> None:
        self.warnings: list[str] = []
        self._source = source
        self._schema = schema
        self._by_number = {_without_zeros(row.id): row for row in reversed(schema.rows)}
        self._lines: dict[str, int] = {}

    def case(self, number: int, line: str, annotated: bool) -> Case:
        where = f"{self._source}, line {number}"
        data = decoded(line, where, _FORM)
        case_id = str(field_of(data, "id", (str, int), where, _FORM))
        if case_id in self._lines:
            raise InputError(
                f'{where}: the field "id" is "{shortened(case_id)}", as in line {self._lines[case_id]}.',
                "Give each case an id of its own.",
            )
        self._lines[case_id] = number
        text: str = field_of(data, "transcript", (str,), where, _FORM)
        if not text.strip():
            raise InputError(f'{where}: the field "transcript" is empty.', "Fill it, or take the case out.")
        said_at = _time_of_day(data, "said_at", where)
        if not annotated:
            return Case(case_id, text, (), said_at=said_at)
        observations = tuple(map(self._observation, *_listed(data, "observations", where)))
        if not {"acceptable", "forbidden"} & data.keys():
            return Case(case_id, text, observations, said_at=said_at)
        graded = {"acceptable": [], "forbidden": []} | data
        acceptable = tuple(map(self._observation, *_listed(graded, "acceptable", where)))
        forbidden = tuple(map(self._trap, *_listed(graded, "forbidden", where)))
        return Case(case_id, text, observations, acceptable, forbidden, said_at)

    def _observation(self, data: Any, where: str) -> Observation:
        row = self._row(data, where)
        value = self._given_value(row, data, where)
        time = _time_of_day(data, "time", where)
        words = data.get("words")
        return Observation(
            row.id,
            value,
            f"{time:%H:%M}" if time else "",
            bool(data.get("any_instance")),
            words if isinstance(words, str) else "",
        )

    def _trap(self, data: Any, where: str) -> Trap:
        row = self._row(data, where)
        why: str = field_of(data, "why", (str,), where, _FORM)
        if why not in TRAPS:
            raise InputError(f'{where}: the field "why" is "{shortened(why)}".', f"Use one of: {', '.join(TRAPS)}.")
        return Trap(row.id, None if data.get("value") is None else self._given_value(row, data, where), why)

    def _row(self, data: Any, where: str) -> Row:
        if not isinstance(data, dict):
            raise InputError(f'{where} is not an object with "id" and "value".', _FORM)
        row_id = str(field_of(data, "id", (str, int), where, _FORM))
        row = self._schema.by_id.get(row_id) or self._by_number.get(_without_zeros(row_id))
        if row is None:
            raise InputError(
                f'{where}: the schema {self._schema.name} has no row with the "id" "{shortened(row_id)}".',
                "Correct the id, or evaluate with the schema that the cases were annotated with.",
            )
        return row

    def _given_value(self, row: Row, data: dict[str, Any], where: str) -> Value:
        value = _value(row, field_of(data, "value", (str, int, float, bool, list), where, _FORM), where)
        for other in _unknown_options(row, value):
            self.warnings.append(f'{where}: "{shortened(other)}" is not an option of "{row.name}".')
        return value


def _listed(data: dict[str, Any], name: str, where: str) -> tuple[list[Any], list[str]]:
    """The entries of a list, which may be JSON text, and where each is."""
    given = field_of(data, name, (str, list), where, _FORM)
    if isinstance(given, str):
        given = parsed(given, f'{where}: the field "{name}"', _FORM)
    if not isinstance(given, list):
        raise InputError(f'{where}: the field "{name}" must be a list, or a list as JSON text.', _FORM)
    entry = name.removesuffix("s")
    return given, [f"{where}, {entry} {place}" for place in range(1, len(given) + 1)]


def _time_of_day(data: dict[str, Any], name: str, where: str) -> dt.time | None:
    given = data.get(name)
    if given is None:
        return None
    if isinstance(given, str) and _TIME.fullmatch(given):
        return dt.time.fromisoformat(given)
    raise InputError(f'{where}: the field "{name}" is not a time of day.', 'Write it as "14:05".')


def _value(row: Row, given: Any, where: str) -> Value:
    """The annotated value in the form its row keeps; select values are left as they are."""
    match row.value_type:
        case ValueType.MULTI_SELECT:
            parts = given if isinstance(given, list) else [given]
            return tuple(dict.fromkeys(_text(part, where) for part in parts))
        case ValueType.YES_NO:
            if isinstance(given, bool):
                return given
            return {"Yes": True, "No": False}.get(text := _text(given, where), text)
        case ValueType.SINGLE_SELECT | ValueType.TEXT:
            return _text(given, where)
    try:
        value, _, _ = normalise(row, given)
    except InputError as error:
        raise InputError(f'{where}, field "value": {error.what}', error.next_step) from error
    except OverflowError as error:
        raise InputError(
            f'{where}: the number in the field "value" is too long.', "Write an ordinary number."
        ) from error
    return value


def _text(given: Any, where: str) -> str:
    if isinstance(given, bool | list | dict) or given is None or given == "":
        raise InputError(f'{where}: the field "value" must be a text here.', "Correct it, or take the observation out.")
    return str(given)


def _unknown_options(row: Row, value: Value) -> list[str]:
    if row.value_type is ValueType.YES_NO:
        return [value] if isinstance(value, str) else []
    parts = value if isinstance(value, tuple) else (value,)
    return [part for part in parts if isinstance(part, str) and row.options and part not in row.option_names]


def _without_zeros(row_id: str) -> str:
    return (row_id.lstrip("0") or "0") if row_id.isdecimal() else row_id
