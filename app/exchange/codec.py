"""The form in which the outbox keeps records: JSON objects with a `version`, as those of `app.record.codec`.

A changed form gets a higher VERSION and a function that reads the former one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

from app.exchange.records import ExportRecord, Former
from app.record.codec import value_from_json, value_json
from app.record.errors import StorageError

VERSION = 2  # since 1, a value may be one that was not obtained
_OTHERWISE_KEPT = "replaces"  # these are the words of other dictations
_VALUES = ("value", "proposed")


def encode_record(record: ExportRecord) -> str:
    """A record without the values that it replaced."""
    data = asdict(record)
    del data[_OTHERWISE_KEPT]
    return _written(data)


def decode_record(text: str, replaces: tuple[Former, ...] = ()) -> ExportRecord:
    """Raises StorageError for the form of a newer program, as does `decode_former`."""
    data = _opened(text)
    known = {field.name for field in fields(ExportRecord)}
    content: dict[str, Any] = {
        name: value_from_json(item) if name in _VALUES else item for name, item in data.items() if name in known
    }
    return ExportRecord(**content | {"category": tuple(data["category"])}, replaces=replaces)


def encode_former(former: Former) -> str:
    return _written(asdict(former))


def decode_former(text: str) -> Former:
    data = _opened(text)
    return Former(
        value_from_json(data["value"]), data["unit"], data["dictation"], data["reviewer"], data["reviewed_at"]
    )


def _written(data: dict[str, Any]) -> str:
    data |= {name: value_json(data[name]) for name in _VALUES if name in data}
    return json.dumps({"version": VERSION, **data}, allow_nan=False)


def _opened(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    if data["version"] > VERSION:
        raise StorageError(
            f"This was stored by a newer version of Wardlight (form {data['version']}; this program knows {VERSION}).",
            "Install the newer version to open it. Nothing was changed.",
        )
    return data
