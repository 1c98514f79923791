"""Cells of the chart: which cell a value occupies, which values conflict there, and which contradict each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from extraction.flowsheet.contradictions import contradict
from extraction.flowsheet.schema import Schema

Cell = tuple[int, str, str]


def utc_of(local: str) -> str:
    """Converts a minute by the ward's clock to UTC (ISO 8601); in an hour that occurs twice, the first is meant."""
    return datetime.fromisoformat(local).astimezone(UTC).isoformat()


def local_of(moment: str) -> datetime:
    """A stored moment, or a time column (both UTC), by the ward's clock and without a zone."""
    parsed = datetime.fromisoformat(moment)
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone().replace(tzinfo=None)


def column_at(moment: str) -> str:
    """The chart's time column for a moment (UTC in ISO 8601): its minute, such as `2026-11-21T14:05`."""
    return moment[:16]


def column_of(placed: ChartEntry) -> str:
    """The time column of a value: of its observation, or of the assessment if no time was said."""
    observed_at = placed.value.observed_at
    return column_at(placed.assessed_at if observed_at is None else utc_of(observed_at))


def cell_of(placed: ChartEntry) -> Cell:
    """The cell of a patient's chart for a value: encounter, time column and row."""
    return placed.encounter_id, column_of(placed), placed.value.row_id


def conflicts(values: Iterable[ChartEntry], standing: Iterable[ChartEntry]) -> dict[int, tuple[ChartEntry, ...]]:
    """By id of a proposed or accepted value, the differing values that are charted in its cell and exclude it."""
    cells: defaultdict[Cell, list[ChartEntry]] = defaultdict(list)
    for one in standing:
        cells[cell_of(one)].append(one)
    found = {}
    for one in values:
        if one.value.status is not ReviewStatus.REJECTED:
            others = [other for other in cells[cell_of(one)] if _exclude(one.value, other.value)]
            if others:
                found[one.value.id] = tuple(others)
    return found


def beside(values: Iterable[ChartEntry]) -> dict[int, tuple[ReviewedValue, ...]]:
    """By id of a value of a dictation, its differing values in the same cell, without rejected and replaced ones."""
    cells: defaultdict[Cell, list[ReviewedValue]] = defaultdict(list)
    for one in values:
        if one.value.status is not ReviewStatus.REJECTED and one.value.replaced_by is None:
            cells[cell_of(one)].append(one.value)
    found = {one.id: tuple(it for it in several if differ(one, it)) for several in cells.values() for one in several}
    return {value_id: others for value_id, others in found.items() if others}


def contradictions(values: Iterable[ChartEntry], schema: Schema) -> Iterator[tuple[ReviewedValue, ReviewedValue]]:
    """Pairs of values in one time column that by the schema cannot both be so; without rejected and replaced ones."""
    columns: defaultdict[str, list[ReviewedValue]] = defaultdict(list)
    for one in values:
        if one.value.status is not ReviewStatus.REJECTED and one.value.replaced_by is None:
            columns[column_of(one)].append(one.value)
    for column in columns.values():
        for value in column:
            row = schema.row(value.row_id)
            for other in column if row.contradicts else ():
                if contradict(row, value.value, other.row_id, other.value):
                    yield value, other


def differ(one: ReviewedValue, other: ReviewedValue) -> bool:
    """Whether two values say different things; order does not matter among several options."""
    return one.id != other.id and (_content(one), one.unit) != (_content(other), other.unit)


def _exclude(one: ReviewedValue, other: ReviewedValue) -> bool:
    """Whether only one of two values can stand in a cell; two that one dictation says in different words both can."""
    return differ(one, other) and not (one.dictation_id == other.dictation_id and _said_apart(one, other))


def _said_apart(one: ReviewedValue, other: ReviewedValue) -> bool:
    mine, its = one.evidence, other.evidence
    if mine is None or its is None or one.transcript_id != other.transcript_id:
        return False
    return mine.end <= its.start or its.end <= mine.start


def _content(value: ReviewedValue) -> object:
    return frozenset(value.value) if isinstance(value.value, tuple) else value.value
