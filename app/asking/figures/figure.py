"""A figure, what it is reckoned by, and the values that count for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.asking.figures.amounts import (
    clock_words,
    local,
    number_of,
)
from app.asking.figures.bounds import Bounds, Item
from app.chart.trends import number_in
from app.store.questions import Fact
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NotObtained
from extraction.flowsheet.values import Value as ChartValue
from extraction.questions.query import Value


@dataclass(frozen=True, slots=True)
class Figure:
    """What is made of the values of a measure.

    Attributes:
        at: the charted minute (UTC) of the value, or of the latest of several.
        facts: the values it is made of; of `LATEST` and `FIRST`, those of that minute.
        bounds: None unless it is a number.
    """

    value: ChartValue
    text: str
    unit: str | None
    number: Decimal | None
    at: str
    facts: tuple[Fact, ...]
    arithmetic: str = ""
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """That there is nothing to make a figure of, and what was charted nevertheless."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Charts:
    """What figures are reckoned by: the rows, and the clock."""

    schema: Schema
    now: datetime


def obtained(facts: Iterable[Fact]) -> list[Fact]:
    """The values that say something, without those that say that something was not obtained."""
    return [fact for fact in facts if not isinstance(fact.value, NotObtained)]


def once(facts: Sequence[Fact], order: Sequence[str], *, same: bool = True) -> list[Fact]:
    """Values in order of time, what several dictations say alike of one place once; the likeliest row comes last.

    With `same`, rows mean the same, so that equal numbers of two of them at one minute are one value.
    """
    rank = {row_id: -place for place, row_id in enumerate(order)}
    found: list[Fact] = []
    places: dict[object, Fact] = {}
    for fact in sorted(facts, key=lambda one: (one.at, rank.get(one.row_id, 0), one.value_id)):
        content = frozenset(fact.value) if isinstance(fact.value, tuple) else fact.value
        numeric = same and fact.number is not None
        place = (fact.at, fact.encounter_id, "" if numeric else fact.row_id, content, fact.unit)
        former = places.get(place)
        if former is None or (former.dictation_id, former.row_id) == (fact.dictation_id, fact.row_id):
            places.setdefault(place, fact)
            found.append(fact)
        elif former.flagged and not fact.flagged:  # the other one confirms it
            found[found.index(former)] = places[place] = fact
    return found


def items_of(said: Iterable[Fact], asked: Value, unit: str | None, charts: Charts) -> list[Item]:
    found = []
    for fact in said:
        number = number_of(fact, charts.schema, unit, asked.measure.part)
        if number is not None:
            found.append(item_of(fact, number, asked, unit, charts))
    return found


def item_of(fact: Fact, number: Decimal, asked: Value, unit: str | None, charts: Charts) -> Item:
    if not fact.flagged:
        return Item(number, number, number)
    changed = (with_value(fact, other) for other in fact.others)
    others = [number_of(one, charts.schema, unit, asked.measure.part) for one in changed]
    every = [number, *(one for one in others if one is not None)]
    return Item(number, min(every), max(every), doubtful=True)


def with_value(fact: Fact, value: ChartValue) -> Fact:
    """A charted value as it would be with another value in its place."""
    number = number_in(value)
    second = None
    if fact.second is not None and isinstance(value, str) and number is not None:
        second = float(value.rpartition("/")[2])
    return fact._replace(value=value, number=number, second=second, flagged=False, others=())


def tried(facts: Sequence[Fact], charts: Charts) -> str:
    """That it was tried and not obtained, and when; empty if it was not."""
    if not facts:
        return ""
    return f"{facts[-1].value} at {clock_words(local(facts[-1].at), charts.now)}"
