"""From the tags of a question to what is asked of its rows: values that are shown, and conditions on patients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from extraction.flowsheet.naming.row_meaning import fluid_of
from extraction.flowsheet.question_vocabulary import Question, questions_of
from extraction.flowsheet.schema import SELECT_TYPES, Row, Schema, is_yes_no
from extraction.flowsheet.unit_conversion import convert, meant
from extraction.flowsheet.validation import chart_unit
from extraction.questions.asked import Asked, numbered_options
from extraction.questions.query import (
    AllOf,
    Comparison,
    Condition,
    Measure,
    Not,
    Rate,
    Reason,
    Refusal,
    Value,
    Where,
)
from extraction.questions.words.names import NamedRow, Names, absence, presence, undecided
from extraction.questions.words.thresholds import Threshold
from extraction.questions.words.vocabulary import question_words

_OTHER_TEMPERATURE = {"Cel": "[degF]", "[degF]": "Cel"}
OPPOSITE = {
    Comparison.ABOVE: Comparison.AT_MOST,
    Comparison.BELOW: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.BELOW,
    Comparison.AT_MOST: Comparison.ABOVE,
    Comparison.EQUAL: Comparison.NOT_EQUAL,
    Comparison.NOT_EQUAL: Comparison.EQUAL,
    Comparison.CHARTED: Comparison.NOT_CHARTED,
    Comparison.NOT_CHARTED: Comparison.CHARTED,
}


class Refused(Exception):
    """The question is not answered, with the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def refuse(reason: Reason, words: str = "", near: Iterable[str] = ()) -> Refused:
    return Refused(Refusal(reason, words, tuple(near)))


@dataclass
class Choice:
    """Which of several readings is taken: the first of each, except that of one place the `other`th is.

    Attributes:
        open: how many readings each place had, in the order in which they were asked for.
    """

    place: int = -1
    other: int = 0
    open: list[int] = field(default_factory=list)

    def of(self, readings: Sequence[list[Row]]) -> list[Row]:
        here = len(self.open)
        self.open.append(len(readings))
        return readings[self.other if here == self.place else 0]


def readings_of(rows: Sequence[NamedRow], names: Names) -> list[list[Row]]:
    """The rows that may be meant, likeliest first: those of one reading are asked for together.

    Rows that count alike, or differ only in their side or instance, are one reading.
    """
    if not rows:
        return []
    best = min(named.rank for named in rows)
    groups: dict[str, list[Row]] = {}
    for named in rows:
        if named.rank == best:
            alike = names.alike.get(named.row.id)
            key = alike[0].id if alike else names.siblings.get(named.row.id, named.row.id)
            groups.setdefault(key, []).append(named.row)
    return list(groups.values())


def measures(rows: Sequence[Row], names: Names, words: str) -> list[Measure]:
    """Rows of one reading as measures; rows that count alike are one measure."""
    found = {one.row_ids: one for one in (names.measure(row, words) for row in rows)}
    return list(found.values())


def adds_up(row: Row) -> bool:
    """Whether the numbers of a row are added up over a time."""
    return row.fluid is not None or fluid_of(row) is not None or Question.SUM in questions_of(row)


def compared(value: Value, asked: Asked, row: Row, schema: Schema) -> Where:
    """The condition that values of a row meet."""
    if asked.threshold is not None:
        return _number_condition(value, asked, row)
    comparison = Comparison.NOT_EQUAL if asked.denied else Comparison.EQUAL
    if asked.options and asked.jointly:
        every = AllOf(tuple(Condition(value, Comparison.EQUAL, (one,)) for one in asked.options[row.id]))
        return Not(every) if asked.denied else every
    if asked.options:
        return Condition(value, comparison, tuple(asked.options[row.id]))
    return _present(value, row, denied=asked.denied, oxygen=asked.oxygen)


def can_be_present(row: Row) -> bool:
    """Whether one can have what a row records, as chest pain and a bed alarm."""
    if is_yes_no(row):
        return True
    if row.value_type not in SELECT_TYPES:
        return False
    return bool(presence(row) or absence(row))


def _present(value: Value, row: Row, *, denied: bool, oxygen: bool) -> Condition:
    """That patients have what a row records, or that it is denied of them."""
    present, absent, unknown = presence(row), absence(row), undecided(row)
    if oxygen:
        air = set(question_words().room_air)
        present = None
        absent = tuple(option.name for option in row.options if air & {form.casefold() for form in option.forms})
    if is_yes_no(row):
        said = "no" if denied else "yes"
        return Condition(
            value,
            Comparison.EQUAL,
            (next((one for one in row.option_names if one.casefold() == said), said.capitalize()),),
        )
    if denied and absent:
        return Condition(value, Comparison.EQUAL, absent)
    if present and (denied or len(row.options) <= len({*present, *absent, *unknown})):
        return Condition(value, Comparison.NOT_EQUAL if denied else Comparison.EQUAL, present)
    if absent:
        return Condition(value, Comparison.NOT_EQUAL, (*absent, *unknown))
    if present:
        return Condition(value, Comparison.EQUAL, present)
    return Condition(value, Comparison.NOT_CHARTED if denied else Comparison.CHARTED)


def _number_condition(value: Value, asked: Asked, row: Row) -> Condition:
    threshold = asked.threshold
    assert threshold is not None
    comparison = threshold.comparison
    if asked.denied:
        if comparison not in OPPOSITE:
            raise refuse(Reason.NOT_UNDERSTOOD, asked.words)
        comparison = OPPOSITE[comparison]
    if row.value_type in SELECT_TYPES:
        fits = tuple(
            name for name, number in numbered_options(row).items() if _holds(number, comparison, threshold.numbers)
        )
        if not fits:
            raise refuse(Reason.UNIT, f"{threshold.numbers[0]:g}", [row.name])
        return Condition(value, Comparison.EQUAL, fits)
    unit = _unit(threshold, row, value.rate)
    return Condition(value, comparison, (), threshold.numbers, unit)


def _holds(number: float, comparison: Comparison, bounds: Sequence[float]) -> bool:
    first, last = bounds[0], bounds[-1]
    return {
        Comparison.EQUAL: number == first,
        Comparison.NOT_EQUAL: number != first,
        Comparison.ABOVE: number > first,
        Comparison.BELOW: number < first,
        Comparison.AT_LEAST: number >= first,
        Comparison.AT_MOST: number <= first,
        Comparison.BETWEEN: first <= number <= last,
    }[comparison]


def _unit(threshold: Threshold, row: Row, rate: Rate | None) -> str | None:
    """The unit of a number in a question. Raises Refused if it does not fit the row."""
    chart = chart_unit(row)
    if threshold.unit is None:
        return _unsaid_unit(threshold, row, chart)
    unit = meant(threshold.unit, chart)
    if rate is not None or chart is None or unit == chart:
        return unit
    if chart in ("{score}", "points", "{count}"):
        raise refuse(Reason.UNIT, unit, [row.name])
    try:
        convert(threshold.numbers[0], unit, chart)
    except ValueError as error:
        raise refuse(Reason.UNIT, unit, [row.name]) from error
    return unit


def _unsaid_unit(threshold: Threshold, row: Row, chart: str | None) -> str | None:
    """The other unit of a temperature, if the number is impossible in the chart's."""
    other = _OTHER_TEMPERATURE.get(chart or "")
    if other is None or row.minimum is None or row.maximum is None:
        return None
    said = threshold.numbers[0]
    if row.minimum <= said <= row.maximum:
        return None
    return other if row.minimum <= convert(said, other, chart or "") <= row.maximum else None
