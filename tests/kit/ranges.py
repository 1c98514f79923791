"""The ward of `tests.kit.fake_app` with the ranges of adults, and an engine that reads other numbers out of its
words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.pipeline import PipelineResult
from extraction.flowsheet.values import FilledValue, Value
from tests.kit.fake_app import SCHEMA, FakeEngine

RANGES: dict[str, dict[str, Any]] = {
    "hr": {"critical": {"min": 40, "max": 130}, "reference": {"min": 60, "max": 100}},
    "bp": {
        "absolute": {"systolic": {"min": 0, "max": 400}, "diastolic": {"min": 0, "max": 300}},
        "critical": {"systolic": {"min": 80, "max": 200}, "diastolic": {"min": 40, "max": 120}},
        "reference": {"systolic": {"min": 90, "max": 140}, "diastolic": {"min": 60, "max": 90}},
    },
    "temp": {"critical": {"min": 35, "max": 39.5}, "reference": {"min": 36.1, "max": 37.9}},
    "spo2": {"critical": {"min": 88}, "reference": {"min": 94}},
}


def write_ranged_schema(folder: Path) -> Path:
    """The schema of the small ward, with ranges for its vital signs."""
    schema = deepcopy(SCHEMA)
    for row in schema["categories"][0]["rows"]:
        row.update(RANGES.get(row["id"], {}))
    path = folder / "ranged.json"
    path.write_text(json.dumps(schema), encoding="utf-8")
    return path


class MisreadingEngine(FakeEngine):
    """Reads these values, by row id, in place of those that were said; with `held_back` also what is held back."""

    def __init__(self, values: Mapping[str, Value], held_back: Mapping[str, Value] | None = None, **how: Any) -> None:
        super().__init__(**how)
        self.values, self.held_back = values, held_back or {}

    def run(self, *source: Any, **how: Any) -> PipelineResult:
        result = super().run(*source, **how)
        values = tuple(
            replace(value, value=self.values.get(value.row_id, value.value), findings=())
            for value in result.values
            if value.row_id not in self.held_back
        )
        held_back = tuple(
            _less_likely(value, self.held_back) for value in result.values if value.row_id in self.held_back
        )
        return replace(result, values=values, held_back=(*held_back, *result.held_back))


def _less_likely(value: FilledValue, held_back: Mapping[str, Value]) -> FilledValue:
    return replace(value, value=held_back[value.row_id], confidence=0.3, findings=())
