"""Cells and heads of columns."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from app.asking.answer import Cell
from app.asking.conditions import Met, Patients
from app.asking.figures.amounts import clock_words, local, number_of, shown, text_of, unit_of, with_unit
from app.asking.figures.figure import Absent, Figure
from app.store.questions import Fact
from extraction.flowsheet.values import Value as ChartValue
from extraction.questions.query import Aggregate, Balance, Comparison, Part, Rate, Value

_ABOVE = (Comparison.ABOVE, Comparison.AT_LEAST)
_BELOW = (Comparison.BELOW, Comparison.AT_MOST)
_WORDS = {
    Aggregate.FIRST: "first", Aggregate.LOWEST: "lowest", Aggregate.HIGHEST: "highest", Aggregate.MEAN: "mean",
    Aggregate.SUM: "total", Aggregate.COUNT: "number of", Aggregate.CHANGE: "change of", Aggregate.TREND: "trend of",
    Aggregate.WHEN_FIRST: "first time of", Aggregate.WHEN_LAST: "last time of", Aggregate.TIME_SINCE: "time since",
}  # fmt: skip


def title_of(value: Value | Balance) -> str:
    """The head of a column: 'Highest temperature', 'Total urine output per hour'."""
    if isinstance(value, Balance):
        return "Fluid balance"
    name = value.measure.name
    part = value.measure.part
    if part:
        name = f"{name}, {part.value}"
    words = _WORDS.get(value.aggregate, "")
    if value.rate and value.aggregate is Aggregate.SUM:
        words = ""
    if words:
        name = f"{words.capitalize()} {name if name[1:2].isupper() else name[:1].lower() + name[1:]}"
    return f"{name} {_per(value.rate)}" if value.rate else name


def _per(rate: Rate) -> str:
    return "per kg and hour" if rate is Rate.KILOGRAM_HOUR else rate.value


def is_any(value: Value | Balance) -> bool:
    return isinstance(value, Value) and value.aggregate is Aggregate.ANY and value.rate is None


def cell_of(figure: Figure | Absent, patients: Patients) -> Cell:
    if isinstance(figure, Absent):
        return Cell(text=f"not charted ({figure.why})" if figure.why else "not charted")
    low = high = None
    if figure.bounds is not None:
        low, high = float(figure.bounds.low), float(figure.bounds.high)
    return Cell(
        figure.value,
        figure.text,
        figure.unit,
        local(figure.at),
        tuple(fact.value_id for fact in figure.facts),
        figure.arithmetic,
        low,
        high,
        any(fact.flagged for fact in figure.facts),
        _options(figure, patients),
    )


def _options(figure: Figure, patients: Patients) -> tuple[str, ...]:
    """The options of the values that a figure shows; empty for numbers and whatever is computed."""
    if figure.number is not None or figure.arithmetic:
        return ()
    texts = (text for fact in figure.facts if fact.number is None for text in patients.parts(fact))
    return tuple(dict.fromkeys(texts)) if figure.value in [fact.value for fact in figure.facts] else ()


def fact_cell(fact: Fact, value: Value | Balance, patients: Patients) -> Cell:
    schema = patients.charts.schema
    unit = unit_of(schema, value.measure) if isinstance(value, Value) else None
    part = value.measure.part if isinstance(value, Value) else None
    number = number_of(fact, schema, unit, part)
    plain = number is not None and (fact.second is None or part is not None)
    content: ChartValue = float(number) if plain and number is not None else fact.value
    as_number = plain and fact.number is not None
    text = with_unit(shown(number), unit) if as_number and number is not None else text_of(fact, schema, part)
    low = high = float(number) if number is not None else None
    own = (fact.value_id,)
    options = patients.parts(fact) if number is None else ()
    kept = unit if number is not None else None
    return Cell(content, text, kept, local(fact.at), own, "", low, high, fact.flagged, options)


def number_in_cells(cells: Sequence[Cell]) -> float:
    return next((cell.low for cell in cells if cell.low is not None), 0.0)


def strength(fact: Fact, met: Met, patients: Patients) -> tuple[Decimal | int, str, int]:
    """How clearly a value meets a condition: the highest above a limit, the lowest below it, else the latest."""
    value = met.condition.value
    part: Part | None = value.measure.part if isinstance(value, Value) else None
    unit = unit_of(patients.charts.schema, value.measure) if isinstance(value, Value) else None
    number = number_of(fact, patients.charts.schema, unit, part) or Decimal(0)
    sign = 1 if met.condition.comparison in _ABOVE else -1 if met.condition.comparison in _BELOW else 0
    return sign * number, fact.at, fact.value_id


def at_words(fact: Fact, patients: Patients) -> str:
    return clock_words(local(fact.at), patients.charts.now)
