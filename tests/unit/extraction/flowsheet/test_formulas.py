"""Scores computed from other rows: arithmetic, missing parts, export, and formulas in a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.chart.computed_rows import differences, is_confirmed, scores_of, state
from app.chart.records import ReviewStatus
from app.exchange.export import export_records
from app.record.run import NO_RUN
from app.record.values import ProposedValue, Timing
from app.store import Store
from extraction.flowsheet.errors import SchemaError
from extraction.flowsheet.formulas import compute, names_in, result, with_numbers
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema, parse_schema
from tests.kit.schema_files import dump_schema
from tests.kit.store import TRANSCRIPT, filled

POINTS = {"4 Spontaneous": 4, "3 To speech": 3}
ROWS: list[dict[str, Any]] = [
    {"id": "eye", "name": "Eye opening", "type": "single_select", "options": list(POINTS)},
    {"id": "verbal", "name": "Verbal response", "type": "numeric"},
    {
        "id": "gcs", "name": "GCS total", "type": "numeric", "unit": "{score}", "codes": {"loinc": "9269-2"},
        "formula": {
            "expression": "sum(eye, verbal)",
            "parts": {"eye": {"row": "eye", "points": POINTS}, "verbal": "verbal"},
        },
    },
    {"id": "bp", "name": "Blood pressure", "type": "blood_pressure"},
    {
        "id": "map", "name": "Mean pressure", "type": "numeric", "unit": "mm[Hg]",
        "formula": {
            "expression": "round((systolic + 2 * diastolic) / 3)",
            "parts": {"systolic": {"row": "bp", "take": "systolic"}, "diastolic": {"row": "bp", "take": "diastolic"}},
        },
    },
    {"id": "rate", "name": "Respiratory rate", "type": "numeric"},
    {"id": "confused", "name": "Confused", "type": "yes_no"},
    {
        "id": "warning", "name": "Warning score", "type": "numeric",
        "formula": {
            "expression": "rate + confused",
            "parts": {
                "rate": {"row": "rate", "bands": [{"max": 8, "points": 3}, {"max": 20, "points": 0}, {"points": 2}]},
                "confused": {"row": "confused", "points": {"Yes": 3, "No": 0}},
            },
        },
    },
]  # fmt: skip


def document(rows: list[dict[str, Any]]) -> bytes:
    head = {"format": "wardlight-flowsheet/1", "id": "t", "name": "Test", "version": "1"}
    return json.dumps(head | {"categories": [{"name": "All", "rows": rows}]}).encode()


SCHEMA_BYTES = document(ROWS)
SCHEMA = parse_schema(SCHEMA_BYTES, "test.json")


def found(*charted: tuple[str, Value], schema: Schema = SCHEMA) -> dict[str, tuple[float | None, str, tuple[str, ...]]]:
    values = [filled(row_id, value) for row_id, value in charted]
    return {one.row.id: (one.value, one.steps, one.missing) for one in compute(schema, values)}


# arithmetic


def test_a_score_shows_its_arithmetic() -> None:
    assert found(("eye", "3 To speech"), ("verbal", 5.0)) == {"gcs": (8.0, "eye 3 + verbal 5 = 8", ())}
    assert found(("bp", "92/50")) == {"map": (64.0, "(systolic 92 + 2 × diastolic 50) / 3 = 64", ())}


@pytest.mark.parametrize(("rate", "points"), [(8.0, 3.0), (8.5, 0.0), (20.0, 0.0), (21.0, 2.0)])
def test_a_number_gets_the_points_of_the_first_matching_band(rate: float, points: float) -> None:
    assert found(("rate", rate), ("confused", True))["warning"][0] == points + 3.0
    assert found(("rate", rate), ("confused", False))["warning"][0] == points


def test_a_part_can_be_taken_from_another_row_that_says_the_same() -> None:
    rows = [*ROWS[:2], {"id": "awake", "name": "Awake", "type": "yes_no"}]
    eye = {"row": "eye", "points": POINTS, "otherwise": {"row": "awake", "points": {"Yes": 4}}}
    formula = {"expression": "eye + verbal", "parts": {"eye": eye, "verbal": "verbal"}}
    rows.append({"id": "sum", "name": "Sum", "type": "numeric", "formula": formula})
    schema = parse_schema(document(rows), "test.json")
    assert found(("awake", True), ("verbal", 5.0), schema=schema)["sum"] == (9.0, "eye 4 + verbal 5 = 9", ())
    both = found(("eye", "3 To speech"), ("awake", True), ("verbal", 5.0), schema=schema)
    assert both["sum"][0] == 8.0, "the first choice counts"
    assert found(("awake", False), ("verbal", 5.0), schema=schema)["sum"][2] == ("Awake (no points)",)
    assert parse_schema(dump_schema(schema), "again.json").rows == schema.rows


def test_missing_parts_are_named_and_never_guessed() -> None:
    rows = [*ROWS[:2], ROWS[3], {"id": "motor", "name": "Motor response", "type": "numeric"}]
    formula = {
        "expression": "a + b + c",
        "parts": {"a": "verbal", "b": "motor", "c": ROWS[2]["formula"]["parts"]["eye"]},
    }
    rows.append({"id": "sum", "name": "Sum", "type": "numeric", "formula": formula})
    schema = parse_schema(document(rows), "test.json")
    assert found(("verbal", 5.0), schema=schema) == {}  # too few parts to be worth reporting
    assert found(("verbal", 5.0), ("eye", "3 To speech"), schema=schema) == {"sum": (None, "", ("Motor response",))}
    several = found(("verbal", 5.0), ("verbal", 4.0), ("eye", "3 To speech"), ("motor", 6.0), schema=schema)
    assert several == {"sum": (None, "", ("Verbal response (several values)",))}


def test_values_of_different_times_are_not_combined() -> None:
    early = replace(filled("verbal", 5.0), timing=Timing("2026-03-04T06:30", None, 0, 5, "Heart"))
    assert compute(SCHEMA, [filled("eye", "3 To speech"), early]) == ()
    both = [early, replace(early, row_id="eye", value="4 Spontaneous"), filled("bp", "120/60")]
    assert [(one.row.id, one.observed_at, one.value) for one in compute(SCHEMA, both)] == [
        ("gcs", "2026-03-04T06:30", 9.0), ("map", None, 80.0),
    ]  # fmt: skip


def test_halves_round_up_and_undefined_results_are_none() -> None:
    assert result("round(a)", {"a": 2.5}) == 3.0
    assert result("round(a, 1)", {"a": -0.25}) == -0.3
    assert result("a / b", {"a": 1.0, "b": 0.0}) is None
    assert result("a * 1e308 * 1e308", {"a": 1.0}) is None
    assert result("mean(a, b, 1) - max(a, b) + min(a, -b)", {"a": 2.0, "b": 6.0}) == -9.0


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("a - (b - 1)", "a 4 - (b 2 - 1)"),
        ("a - (b + 1)", "a 4 - (b 2 + 1)"),
        ("a / (b * 2)", "a 4 / (b 2 × 2)"),
        ("a * (b + 1)", "a 4 × (b 2 + 1)"),
        ("a - sum(b, 1)", "a 4 - (b 2 + 1)"),
        ("a + b * 2", "a 4 + b 2 × 2"),
        ("a - -b", "a 4 - (-b 2)"),
    ],
)
def test_brackets_are_shown_where_they_matter(expression: str, words: str) -> None:
    assert with_numbers(expression, {"a": 4.0, "b": 2.0}) == words


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')",
        "a.b", "a[0]", "a if b else c", "lambda: 1", "a ** 9", "open(a)", "'a'", "True", "1j", "a = b",
        "a; b", "", "sum()", "sum(*a)", "round(a, b)", "round(a, 9)", "(" * 200, "-" * 100 + "a", "1+" * 300 + "1",
        "[a for a in b]", "a and b", "f(a)(b)", "sum(a, key=b)",
    ],
)  # fmt: skip
def test_anything_but_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        names_in(expression)


# formulas in a schema file


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ({"expression": "a + b", "parts": {"a": "verbal"}}, '"parts" has no "b"'),
        ({"expression": "a", "parts": {"a": "verbal", "b": "verbal"}}, 'the expression does not use "b"'),
        ({"expression": "a +", "parts": {"a": "verbal"}}, "is not a valid expression"),
        ({"expression": "a", "parts": {"a": "zz"}}, 'names "zz", and no row has that id'),
        ({"expression": "a", "parts": {"a": "total"}}, "names its own row"),
        ({"expression": "a", "parts": {"a": {"row": "rate", "otherwise": "zz"}}}, 'names "zz", and no row has that id'),
        ({"expression": "a", "parts": {"a": {"row": "rate", "otherwise": "eye"}}}, "which cannot be a part"),
        ({"expression": "a", "parts": {"a": "eye"}}, "which cannot be a part"),
        ({"expression": "a", "parts": {"a": {"row": "eye", "points": {"5": 5}}}}, 'gives points to "5"'),
        ({"expression": "a", "parts": {"a": {"row": "verbal", "points": {"5": 5}}}}, "which cannot be a part"),
        ({"expression": "a", "parts": {"a": "bp"}}, "is a row of type blood_pressure"),
        ({"expression": "a", "parts": {"a": {"row": "verbal", "take": "systolic"}}}, "is a row of type numeric"),
        (
            {
                "expression": "a",
                "parts": {"a": {"row": "rate", "bands": [{"max": 9, "points": 1}, {"max": 3, "points": 0}]}},
            },
            "do not rise",
        ),
        ({"expression": "a", "parts": {}}, "is empty"),
        ({"parts": {"a": "verbal"}}, 'has no "expression"'),
        ({"expression": "a", "parts": {"a": {"row": "bp", "take": "mean"}}}, "is not known"),
    ],
)  # fmt: skip
def test_an_invalid_formula_is_reported(formula: dict[str, Any], says: str) -> None:
    rows = [*ROWS, {"id": "total", "name": "Total", "type": "numeric", "formula": formula}]
    with pytest.raises(SchemaError) as raised:
        parse_schema(document(rows), "test.json")
    assert says in str(raised.value)
    assert "total" in str(raised.value)


def test_a_formula_needs_a_numeric_row() -> None:
    row = {"id": "total", "name": "Total", "type": "text", "formula": {"expression": "a", "parts": {"a": "verbal"}}}
    with pytest.raises(SchemaError, match='cannot have a "formula"'):
        parse_schema(document([*ROWS, row]), "test.json")


def test_formulas_are_written_back() -> None:
    assert parse_schema(dump_schema(SCHEMA), "again.json").rows == SCHEMA.rows


def test_the_demonstration_schemas_formulas_are_right() -> None:
    schema = load_schema(Path(__file__).parents[4] / "resources" / "schemas" / "medsurg_icu.json")
    charted = [
        ("vs.resp_rate", 22.0), ("o2.spo2", 94.0), ("o2.device", "Room air"), ("vs.bp", "105/60"),
        ("vs.heart_rate", 112.0), ("neuro.responsiveness", "Alert"), ("vs.temperature", 38.5),
        ("gcs.eye", "3 - To speech"), ("gcs.verbal", "4 - Confused"), ("gcs.motor", "6 - Obeys commands"),
        ("meas.weight", 80.0), ("meas.height", 200.0), ("in.total", 900.0), ("out.total", 1400.0),
        ("morse.history", "Yes (25)"), ("morse.secondary_dx", "Yes (15)"), ("morse.iv", "Yes (20)"),
        ("morse.aid", "Crutches, cane or walker (15)"), ("morse.gait", "Weak (10)"),
        ("morse.mental", "Oriented to own ability (0)"), ("neuro.icp", 12.0), ("hemo.art_map", 85.0),
    ]  # fmt: skip
    assert {row: value for row, (value, _, _) in found(*charted, schema=schema).items()} == {
        "vs.map_cuff": 75.0, "vs.ews": 7.0, "gcs.total": 13.0, "meas.bmi": 20.0, "out.net": -500.0, "morse.total": 85.0,
        "neuro.cpp": 73.0,
    }  # fmt: skip


@pytest.mark.parametrize(("level", "score"), [("Alert", 7.0), ("Drowsy", 10.0), ("Sedated", None)])
def test_the_early_warning_score_knows_the_level_of_consciousness(level: str, score: float | None) -> None:
    schema = load_schema(Path(__file__).parents[4] / "resources" / "schemas" / "medsurg_icu.json")
    charted = [
        ("vs.resp_rate", 22.0), ("o2.spo2", 94.0), ("o2.device", "Room air"), ("vs.bp", "105/60"),
        ("vs.heart_rate", 112.0), ("neuro.loc", level), ("vs.temperature", 38.5),
    ]  # fmt: skip
    assert found(*charted, schema=schema)["vs.ews"][0] == score


# review and export


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def dictation_with(store: Store, folder: Path, *values: ProposedValue) -> int:
    (folder / "a.txt").write_text("Heart rate 110.", encoding="utf-8")
    encounter = store.encounters.open(store.patients.add("Ann").id)
    number = store.dictations.add(encounter.id, folder / "a.txt", "text", store.schemas.save(SCHEMA, SCHEMA_BYTES)).id
    store.transcripts.save(number, TRANSCRIPT)
    store.runs.save(number, values, NO_RUN)
    return number


def test_a_score_is_exported_once_its_parts_are_confirmed(store: Store, tmp_path: Path) -> None:
    number = dictation_with(store, tmp_path, filled("eye", "3 To speech"), filled("verbal", 5.0))
    eye, verbal = (value.id for value in store.values.of(number))

    def exported() -> list[tuple[str, Value, str]]:
        return [(one.row_id, one.value, one.status) for one in export_records(store, number, SCHEMA)]

    def states() -> list[str]:
        return [state(score) for score in scores_of(store.values.of(number), SCHEMA)]

    assert states() == ["provisional until confirmed"]
    store.reviews.decide(eye, "confirm", "Kim")
    assert exported() == [("eye", "3 To speech", "confirmed")]
    store.reviews.decide(verbal, "confirm", "Lou")
    assert states() == ["from confirmed values"]
    assert exported()[-1] == ("gcs", 8.0, "computed")
    record = export_records(store, number, SCHEMA)[-1]
    assert (record.evidence, record.reviewer, record.loinc, record.unit) == (
        "eye 3 + verbal 5 = 8", "Lou", "9269-2", "{score}",
    )  # fmt: skip
    store.reviews.decide(verbal, "edit", "Lou", value=4.0)
    assert exported()[-1] == ("gcs", 7.0, "computed")
    store.reviews.undo(number, "Lou")
    assert exported()[-1] == ("gcs", 8.0, "computed")
    store.reviews.decide(verbal, "reject", "Lou")
    assert exported() == [("eye", "3 To speech", "confirmed")]


def test_a_spoken_total_that_differs_from_its_parts_is_flagged(store: Store, tmp_path: Path) -> None:
    number = dictation_with(store, tmp_path, filled("eye", "3 To speech"), filled("verbal", 5.0), filled("gcs", 9.0))
    values = store.values.of(number)
    scores = scores_of(values, SCHEMA)
    (found,) = differences(scores).items()
    assert (found[0], found[1].text) == (
        values[2].id,
        "components add up to 8, but 9 was charted: eye 3 + verbal 5 = 8",
    )
    store.reviews.decide_all([value.id for value in values], "confirm", "Kim")
    records = export_records(store, number, SCHEMA)
    assert [(one.row_id, one.value, one.status) for one in records] == [
        ("eye", "3 To speech", "confirmed"), ("verbal", 5.0, "confirmed"), ("gcs", 9.0, "confirmed"),
    ]  # fmt: skip
    store.reviews.decide(values[2].id, "edit", "Kim", value=8.0)
    assert differences(scores_of(store.values.of(number), SCHEMA)) == {}


def test_a_rejected_part_counts_as_missing(store: Store, tmp_path: Path) -> None:
    number = dictation_with(store, tmp_path, filled("bp", "120/60"))
    (value,) = store.values.of(number)
    (score,) = scores_of([value], SCHEMA)
    assert not is_confirmed(score)
    assert scores_of([replace(value, status=ReviewStatus.REJECTED)], SCHEMA) == ()
