"""One measure of one patient: what is made of its values, with the arithmetic and the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.asking.figures.amounts import (
    HOUR,
    between,
    clock_words,
    duration_words,
    hours_of,
    local,
    minute,
    number_of,
    shown,
    text_of,
    unit_of,
    with_unit,
)
from app.asking.figures.bounds import Bounds, Item, bounds
from app.asking.figures.figure import Absent, Charts, Figure, item_of, items_of, obtained, once, tried
from app.asking.figures.rates import divided
from app.chart.trends import direction
from app.store.questions import Fact
from extraction.flowsheet.values import Value as ChartValue
from extraction.questions.query import Aggregate, Value

_TERMS = 6  # summands that are spelled out
_NUMBERS = {Aggregate.LOWEST, Aggregate.HIGHEST, Aggregate.MEAN, Aggregate.SUM, Aggregate.CHANGE, Aggregate.TREND}
_TIMES = {Aggregate.WHEN_FIRST, Aggregate.WHEN_LAST, Aggregate.TIME_SINCE}


def figure_of(
    asked: Value, facts: Sequence[Fact], before: Sequence[Fact], weights: Sequence[Fact], charts: Charts
) -> Figure | Absent:
    """The figure of one patient.

    Args:
        facts: the values of its window, in order of time.
        before: those of its baseline.
        weights: those of its weight up to the end of the window.
    """
    said = once(obtained(facts), asked.measure.row_ids, same=asked.measure.same)
    if not said:
        return Absent(tried(facts, charts))
    if asked.aggregate in _TIMES:
        return _time(asked, said, charts)
    if asked.aggregate is Aggregate.COUNT:
        text = f"{len(said)} value{'s' * (len(said) != 1)}"
        items = [Item(Decimal(1), Decimal(1), Decimal(1), fact.flagged) for fact in said]
        return Figure(
            float(len(said)),
            text,
            None,
            Decimal(len(said)),
            said[-1].at,
            tuple(said),
            "",
            bounds(Aggregate.COUNT, items),
        )
    if asked.aggregate not in _NUMBERS and asked.rate is None:
        return _as_charted(asked, said, charts)
    return _reckoned(asked, said, once(obtained(before), asked.measure.row_ids), weights, charts)


def _time(asked: Value, said: Sequence[Fact], charts: Charts) -> Figure:
    fact = said[0] if asked.aggregate is Aggregate.WHEN_FIRST else said[-1]
    at = local(fact.at)
    if asked.aggregate is not Aggregate.TIME_SINCE:
        return Figure(at.isoformat(timespec="minutes"), clock_words(at, charts.now), None, None, fact.at, (fact,))
    now = minute(charts.now) or ""
    hours = [Decimal(round(between(one.at, now) / HOUR * 60)) / 60 for one in said]
    items = [Item(passed, passed, passed, one.flagged) for passed, one in zip(hours, said, strict=True)]
    text = duration_words(between(fact.at, now))
    arithmetic = f"from {clock_words(at, charts.now)} to {charts.now:%H:%M} = {text}"
    return Figure(float(hours[-1]), text, "h", hours[-1], fact.at, (fact,), arithmetic, bounds(Aggregate.LATEST, items))


def _as_charted(asked: Value, said: Sequence[Fact], charts: Charts) -> Figure:
    """The latest or the first value, or all of them."""
    schema, part = charts.schema, asked.measure.part
    unit = unit_of(schema, asked.measure)
    match asked.aggregate:
        case Aggregate.FIRST:
            taken = [fact for fact in said if fact.at == said[0].at]
        case Aggregate.ANY:
            taken = list(said)
        case _:
            taken = [fact for fact in said if fact.at == said[-1].at]
    fact = taken[0] if asked.aggregate is Aggregate.FIRST else taken[-1]
    number = number_of(fact, schema, unit, part)
    items = items_of(said, asked, unit, charts)
    if number is not None and (fact.second is None or part is not None):
        value: ChartValue = float(number)
    else:
        value = fact.value
    as_number = isinstance(value, float) and number is not None and fact.number is not None
    text = with_unit(shown(number), unit) if as_number and number is not None else ""
    others = [text_of(one, schema, part) for one in taken if one is not fact]
    texts = dict.fromkeys((*others, text or text_of(fact, schema, part)))
    arithmetic = ""
    if number is not None and fact.unit and unit and fact.unit != unit:
        arithmetic = f"{text_of(fact, schema, part)} = {with_unit(shown(number), unit)}"
    limits = (
        bounds(Aggregate.FIRST if asked.aggregate is Aggregate.FIRST else Aggregate.LATEST, items) if items else None
    )
    return Figure(
        value, ", ".join(texts), unit if number is not None else None, number, fact.at, tuple(taken), arithmetic, limits
    )


def _reckoned(
    asked: Value, said: Sequence[Fact], before: Sequence[Fact], weights: Sequence[Fact], charts: Charts
) -> Figure | Absent:
    unit = unit_of(charts.schema, asked.measure)
    pairs = [
        (one, number) for one in said if (number := number_of(one, charts.schema, unit, asked.measure.part)) is not None
    ]
    if not pairs:
        return Absent(f"charted without a number, last {text_of(said[-1], charts.schema)}")
    facts, numbers = [one for one, _ in pairs], [number for _, number in pairs]
    items = [item_of(one, number, asked, unit, charts) for one, number in pairs]
    uncounted = f"; {len(said) - len(facts)} without a number not counted" if len(facts) < len(said) else ""

    def as_is(place: int) -> Figure:
        text = text_of(facts[place], charts.schema, asked.measure.part) if facts[place].second is not None else ""
        value: ChartValue = float(numbers[place]) if not text or asked.measure.part else facts[place].value
        return _number(
            numbers[place], unit, facts, items, asked.aggregate, "", text=text, value=value, at=facts[place].at
        )

    found: Figure | Absent
    match asked.aggregate:
        case Aggregate.LOWEST | Aggregate.HIGHEST:
            best = min(numbers) if asked.aggregate is Aggregate.LOWEST else max(numbers)
            place = max(place for place, number in enumerate(numbers) if number == best)
            found = replace(as_is(place), facts=(facts[place],))
        case Aggregate.MEAN:
            mean = sum(numbers, Decimal(0)) / len(numbers)
            sums = f"{_terms(numbers, brackets=True)} / {len(numbers)}"
            found = _number(mean, unit, facts, items, Aggregate.MEAN, f"{sums} = {with_unit(shown(mean), unit)}")
        case Aggregate.CHANGE if asked.baseline is not None:
            found = _since_baseline(asked, pairs, before, unit, charts)
        case Aggregate.CHANGE | Aggregate.TREND:
            found = _change(asked, pairs, items, unit, charts)
        case Aggregate.FIRST:
            found = as_is(0)
        case Aggregate.SUM:
            total = sum(numbers, Decimal(0))
            covers = (
                f"{len(facts)} value{'s' * (len(facts) != 1)} in {shown(hours_of(asked.window, charts.now, facts))} h"
            )
            equation = f"{_terms(numbers)} = " if len(numbers) > 1 else ""
            arithmetic = f"{equation}{with_unit(shown(total), unit)} ({covers})"
            found = _number(total, unit, facts, items, Aggregate.SUM, arithmetic)
        case _:
            found = as_is(-1)
    if isinstance(found, Figure) and asked.rate:
        found = divided(asked, found, weights, charts)
    return replace(found, arithmetic=found.arithmetic + uncounted) if isinstance(found, Figure) else found


def _number(
    number: Decimal,
    unit: str | None,
    facts: Sequence[Fact],
    items: Sequence[Item],
    aggregate: Aggregate,
    arithmetic: str,
    *,
    text: str = "",
    value: ChartValue | None = None,
    at: str = "",
) -> Figure:
    return Figure(
        float(number) if value is None else value,
        text or with_unit(shown(number), unit),
        unit,
        number,
        at or facts[-1].at,
        tuple(facts),
        arithmetic,
        bounds(aggregate, items),
    )


def _terms(numbers: Sequence[Decimal], *, brackets: bool = False) -> str:
    if len(numbers) > _TERMS:
        return f"sum of {len(numbers)} values"
    text = " + ".join(map(shown, numbers))
    return f"({text})" if brackets and len(numbers) > 1 else text


def _change(
    asked: Value, pairs: Sequence[tuple[Fact, Decimal]], items: Sequence[Item], unit: str | None, charts: Charts
) -> Figure | Absent:
    if len(pairs) < 2:
        fact, number = pairs[0]
        return Absent(f"only one value, {with_unit(shown(number), unit)} at {clock_words(local(fact.at), charts.now)}")
    (first, was), (last, now) = pairs[0], pairs[-1]
    change = now - was
    arithmetic = _difference(last, now, first, was, unit, charts)
    if asked.aggregate is Aggregate.CHANGE:
        text = with_unit(f"{'+' * (change > 0)}{shown(change)}", unit)
        return replace(_number(change, unit, [first, last], items, Aggregate.CHANGE, arithmetic), text=text)
    words = direction([float(number) for _, number in pairs])
    text = f"{words}, {shown(was)} to {with_unit(shown(now), unit)} ({len(pairs)} values)"
    facts = [fact for fact, _ in pairs]
    return replace(_number(change, unit, facts, items, Aggregate.TREND, arithmetic), value=words, text=text)


def _difference(last: Fact, now: Decimal, first: Fact, was: Decimal, unit: str | None, charts: Charts) -> str:
    ends = [
        f"{with_unit(shown(number), unit)} ({clock_words(local(fact.at), charts.now)})"
        for fact, number in ((last, now), (first, was))
    ]
    return f"{ends[0]} - {ends[1]} = {with_unit(shown(now - was), unit)}"


def _since_baseline(
    asked: Value, pairs: Sequence[tuple[Fact, Decimal]], before: Sequence[Fact], unit: str | None, charts: Charts
) -> Figure | Absent:
    former = [
        (one, number)
        for one in before
        if (number := number_of(one, charts.schema, unit, asked.measure.part)) is not None
    ]
    if not former:
        return Absent("no value to compare with")
    (first, was), (last, now) = former[-1], pairs[-1]
    then, today = (
        bounds(Aggregate.LATEST, [item_of(one, number, asked, unit, charts) for one, number in those])
        for those in (former, pairs)
    )
    limits = Bounds(today.low - then.high, today.high - then.low, today.may_be_absent or then.may_be_absent)
    change = now - was
    text = with_unit(f"{'+' * (change > 0)}{shown(change)}", unit)
    arithmetic = _difference(last, now, first, was, unit, charts)
    return Figure(float(change), text, unit, change, last.at, (first, last), arithmetic, limits)
