"""The written form of the record: JSON objects with a `version`.

Old versions are read forever: `_from_first` and its like turn the form of one version into that of the next. A changed
form gets a higher VERSION, such a function, and an empty migration of the database, which keeps older programs out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from app.record.errors import StorageError
from app.record.run import LikelyRows, Named, NamedPatients, PatientPart, RunRecord, SetAside
from app.record.values import Evidence, Neighbour, ProposedValue, Timing
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import NotObtained, Value

VERSION = 2
_NOT_OBTAINED = "not_obtained"
_UNNUMBERED = 1  # of the releases that wrote no version

_Json = dict[str, Any]


def encode_proposed(value: ProposedValue) -> str:
    return _written(value)


def decode_proposed(text: str) -> ProposedValue:
    """Raises StorageError for the form of a newer program; likewise the other functions that decode."""
    data, version = _opened(text)
    return _proposed(_proposed_from_first(data) if version == _UNNUMBERED else data)


def encode_evidence(said: Evidence) -> str:
    return _written(said)


def decode_evidence(text: str) -> Evidence:
    return _evidence(_opened(text)[0])


def encode_run(run: RunRecord) -> str:
    return _written(run)


def decode_run(text: str) -> RunRecord:
    data, version = _opened(text)
    return _run(_run_from_first(data) if version == _UNNUMBERED else data)


def value_json(value: Value) -> Any:
    """A value as JSON keeps it."""
    return {_NOT_OBTAINED: value.name} if isinstance(value, NotObtained) else value


def value_from_json(data: Any) -> Value:
    """A value from what JSON keeps of it."""
    if isinstance(data, dict):
        return NotObtained[data[_NOT_OBTAINED]]
    return tuple(data) if isinstance(data, list) else data


def _written(record: ProposedValue | Evidence | RunRecord) -> str:
    return json.dumps({"version": VERSION, **asdict(record)})


def _opened(text: str) -> tuple[_Json, int]:
    """The object in a text, and the version of its form."""
    data: _Json = json.loads(text)
    version = data.get("version", _UNNUMBERED)
    if version not in range(_UNNUMBERED, VERSION + 1):
        raise StorageError(
            f"This was stored by a newer version of Wardlight (form {version}; this program knows {VERSION}).",
            "Install the newer version to open it. Nothing was changed.",
        )
    return data, version


# version 1: releases added fields without a number, so that any of these may be absent


def _proposed_from_first(data: _Json) -> _Json:
    """Some releases stored the words of findings (`problems`, `flags`) instead of codes."""
    findings = list(data.get("findings", ()))
    for name, code in (("problems", "noted"), ("flags", "noted_lit")):
        findings += ({"code": code, "about": [words], "rule": ""} for words in data.get(name, ()))
    absent: _Json = {"errors": [], "timing": None, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}
    return absent | data | {"findings": findings}


def _run_from_first(data: _Json) -> _Json:
    whole = asdict(RunRecord()) | data
    whole["held_back"] = [_proposed_from_first(one) for one in whole["held_back"]]
    whole["naming"] = whole["naming"] or asdict(NamedPatients())
    return whole


# the present version


def _proposed(data: _Json) -> ProposedValue:
    timing = data["timing"]
    return ProposedValue(
        row_id=data["row_id"],
        value=value_from_json(data["value"]),
        unit=data["unit"],
        evidence=_evidence(data["evidence"]),
        log_probability=data["log_probability"],
        not_mentioned=data["not_mentioned"],
        confidence=data["confidence"],
        relevance=data["relevance"],
        neighbour=Neighbour(*_fields(data["neighbour"], "kind", "text", "segment")),
        strategy=data["strategy"],
        findings=tuple(Finding(one["code"], tuple(one["about"]), one["rule"]) for one in data["findings"]),
        alternatives=tuple((text, probability) for text, probability in data["alternatives"]),
        errors=tuple(data["errors"]),
        timing=Timing(*_fields(timing, "at", "since", "start", "end", "text")) if timing else None,
        taken_back=tuple(map(_evidence, data["taken_back"])),
        rule=data["rule"],
        held_back_by=data["held_back_by"],
        features=data["features"],
    )


def _evidence(data: _Json) -> Evidence:
    return Evidence(*_fields(data, "start", "end", "text", "sentence_start", "sentence_end"))


def _run(data: _Json) -> RunRecord:
    return RunRecord(
        seconds=data["seconds"],
        tokens=data["tokens"],
        models=data["models"],
        devices=data["devices"],
        candidates=data["candidates"],
        held_back=tuple(map(_proposed, data["held_back"])),
        weighed_by=data["weighed_by"],
        features_signature=data["features_signature"],
        set_aside=tuple(SetAside(*_fields(one, "start", "end", "text", "why")) for one in data["set_aside"]),
        naming=_naming(data["naming"]),
        likely=tuple(LikelyRows(one["start"], one["end"], tuple(one["row_ids"])) for one in data["likely"]),
    )


def _naming(data: _Json) -> NamedPatients:
    return NamedPatients(
        named=_named(data["named"]),
        strangers=_named(data["strangers"]),
        mixed=bool(data["mixed"]),
        other=bool(data["other"]),
        others=tuple(PatientPart(*_fields(one, "start", "end", "called")) for one in data["others"]),
    )


def _named(data: Sequence[_Json]) -> tuple[Named, ...]:
    return tuple(Named(*_fields(one, "kind", "called", "start", "end", "text")) for one in data)


def _fields(data: Mapping[str, Any], *names: str) -> list[Any]:
    """The fields of an object, in the order of the names."""
    return [data[name] for name in names]
