"""400 notes by four hands who knew no rule: how many of their measurements are charted without a model, and wrongly.

tests/data/measurements/README.md says how they were made.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import resources
from extraction.extractor import prepare
from extraction.filling.task import Task
from extraction.flowsheet.naming.row_measurements import measurement_rows
from extraction.flowsheet.unit_conversion import convert
from extraction.flowsheet.values import NO_PROPOSALS, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.rules.spoken_measurements import spoken_measurements
from extraction.schema_files.native_format import load_schema

NOTES = Path(__file__).parents[3] / "data" / "measurements"
ASKED = {
    "heart_rate", "respiratory_rate", "blood_pressure", "temperature", "oxygen_saturation", "oxygen_flow", "pain_score",
    "glucose", "weight", "urine_output", "oral_intake", "mean_arterial_pressure",
}  # fmt: skip
CONTEXT = EncounterContext(dt.datetime(2026, 3, 4, 7, 0, tzinfo=dt.UTC))
UNITS = {"temperature": ("[degF]", "Cel"), "weight": ("[lb_av]", "kg")}
NEAR = 0.005  # of the number: what a conversion and its rounding change


def is_same(measurement: str, charted: Value, said: str) -> bool:
    if measurement == "blood_pressure":
        return charted == said
    assert isinstance(charted, float)
    possible = [float(said)]
    if measurement in UNITS:
        possible.append(convert(float(said), *UNITS[measurement]))
    return any(abs(charted - one) <= NEAR * abs(one) for one in possible)


def counted(hand: str, schema_file: Path) -> Counter[str]:
    schema = load_schema(schema_file)
    measured = {row.id: name for name, row in measurement_rows(schema).items()}
    found: Counter[str] = Counter()
    for line in (NOTES / f"{hand}.jsonl").read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        task = prepare(note["text"], schema, reduce=lambda _: ReducedSchema(()), context=CONTEXT).task
        charted = list(charted_in(task, measured))
        for name, said in note["values"]:
            same = next((one for one in charted if one[0] == name and is_same(name, one[1], said)), None)
            found["missed" if same is None else "found"] += name in measured.values()
            if same:
                charted.remove(same)
        found["wrong"] += sum(name in ASKED for name, _ in charted)
    return found


def charted_in(task: Task, measured: dict[str, str]) -> Iterator[tuple[str, Value]]:
    for change in spoken_measurements(task, NO_PROPOSALS):
        if change.value and change.value.row_id in measured and not change.value.is_unit:
            yield measured[change.value.row_id], change.value.value


@pytest.mark.parametrize(
    ("hand", "schema", "least", "most_wrong"),
    [
        ("v1", "schemas/medsurg_icu.json", 0.76, 4),
        ("v2", "schemas/medsurg_icu.json", 0.82, 3),
        ("v3", "corpus/schemas/nursing_home.json", 0.76, 2),  # two of several readings, lit
        ("v4", "schemas/medsurg_icu.json", 0.72, 6),
    ],
)
def test_measurements_of_strangers_notes(hand: str, schema: str, least: float, most_wrong: int) -> None:
    found = counted(hand, resources.FOLDER / schema)
    assert found["found"] / (found["found"] + found["missed"]) >= least, found
    assert found["wrong"] <= most_wrong, found
