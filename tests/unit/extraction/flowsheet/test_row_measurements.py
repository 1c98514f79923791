"""Which row of a schema records which measurement."""

from __future__ import annotations

from dataclasses import replace

from extraction.flowsheet.naming.row_measurements import divided_rows, measurement_rows, rows_by_name
from extraction.flowsheet.schema import Laterality, Option, Row, Schema, ValueType
from extraction.language.vocabulary.measurements import measurements


def schema_of(*rows: Row) -> Schema:
    return Schema("t", "T", "1", rows, "0" * 64, "t")


def numeric(row_id: str, name: str, unit: str | None = None, **more: object) -> Row:
    return Row(row_id, name, ValueType.NUMERIC, ("V",), unit=unit, **more)  # type: ignore[arg-type]


def linked(*rows: Row) -> dict[str, str]:
    return {name: row.id for name, row in measurement_rows(schema_of(*rows)).items()}


def test_a_code_links_a_row_whatever_its_name() -> None:
    assert linked(numeric("1", "Puls", "/min", loinc="8867-4"), numeric("2", "Pulse", "/min")) == {"heart_rate": "1"}


def test_names_of_rows_come_before_names_in_speech_and_synonyms() -> None:
    assert linked(numeric("1", "Apical pulse", "/min"), numeric("2", "Pulse", "/min")) == {"heart_rate": "2"}
    assert linked(numeric("1", "Frequency", "/min", synonyms=("pulse rate",))) == {"heart_rate": "1"}


def test_of_rows_under_several_names_the_usual_one_is_linked() -> None:
    rows = (numeric("1", "Pulse", "/min"), numeric("2", "Heart rate", "/min"))
    assert linked(*rows) == {"heart_rate": "2"}
    named = rows_by_name(schema_of(*rows))["heart_rate"]
    assert {name: row.id for name, row in named.items()} == {("pulse",): "1", ("heart", "rate"): "2"}


def test_a_measurement_of_two_equal_rows_is_linked_to_neither() -> None:
    assert (
        linked(numeric("1", "Heart rate", "/min"), replace(numeric("2", "Heart rate", "/min"), category=("W",))) == {}
    )
    assert rows_by_name(schema_of(numeric("1", "Heart rate", "/min"))) == {}


def test_a_score_may_be_a_select_of_its_points() -> None:
    points = tuple(Option(f"{number} out of 10") for number in range(11))
    select = Row("1", "Pain score", ValueType.SINGLE_SELECT, ("V",), points)
    assert linked(select) == {"pain_score": "1"}


def test_rows_in_another_unit_of_one_side_or_of_another_kind_are_not_linked() -> None:
    assert linked(numeric("1", "Pulse", "mL")) == {}
    assert linked(numeric("1", "Blood pressure", "mm[Hg]")) == {}


def test_every_measurement_has_a_possible_range() -> None:
    assert all(one.low < one.high for one in measurements().values())


def test_rows_of_both_sides_are_linked_together() -> None:
    rows = (numeric("1", "L Pupil Size (mm)", "mm"), numeric("2", "R Pupil Size (mm)", "mm"))
    sides = divided_rows(schema_of(*rows))["pupil_size"].by_side
    assert {side: row.id for side, row in sides.items()} == {Laterality.LEFT: "1", Laterality.RIGHT: "2"}
    assert divided_rows(schema_of(rows[0])) == {}


def test_rows_of_several_wounds_are_linked_together() -> None:
    rows = [numeric(f"{part} {one}", f"Wound {one} {part}", "cm") for one in (1, 2) for part in ("length", "width")]
    sites = [Row(f"site {one}", f"Wound {one} location", ValueType.TEXT, ("V",)) for one in (1, 2)]
    lengths = divided_rows(schema_of(*sites, *rows))["wound_length"]
    assert {number: row.id for number, row in lengths.by_number.items()} == {1: "length 1", 2: "length 2"}
