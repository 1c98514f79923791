"""Amounts by the hour, the day and the weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.asking.figures.amounts import (
    hours_of,
    number_of,
    shown,
    with_unit,
)
from app.asking.figures.bounds import Bounds, bounds
from app.asking.figures.figure import Absent, Charts, Figure, item_of, obtained, once
from app.store.questions import Fact
from extraction.questions.query import Aggregate, Rate, Value


def divided(asked: Value, amount: Figure, weights: Sequence[Fact], charts: Charts) -> Figure | Absent:
    """An amount divided by the hours or days of the window, and by the weight."""
    assert amount.number is not None
    assert amount.bounds is not None
    hours = hours_of(asked.window, charts.now, amount.facts)
    if hours <= 0:
        return Absent("no time to divide by")
    per, length = ("d", hours / 24) if asked.rate is Rate.DAY else ("h", hours)
    unit = f"{amount.unit}/{per}" if amount.unit else f"/{per}"
    number = amount.number / length
    steps = f"{with_unit(shown(amount.number), amount.unit)} / {shown(length)} {per} = {with_unit(shown(number), unit)}"
    low, high, absent = amount.bounds.low / length, amount.bounds.high / length, amount.bounds.may_be_absent
    facts = amount.facts
    if asked.rate is Rate.KILOGRAM_HOUR:
        known = [(one, kg) for one in once(obtained(weights), asked.weight.row_ids if asked.weight else ())
                 if (kg := number_of(one, charts.schema, "kg")) is not None and kg > 0]  # fmt: skip
        if not known:
            return Absent("weight not charted")
        weighing, kilograms = known[-1]
        by = replace(asked, measure=asked.weight or asked.measure)
        heavy = bounds(Aggregate.LATEST, [item_of(one, kg, by, "kg", charts) for one, kg in known])
        unit = f"{amount.unit}/kg/h" if amount.unit else "/kg/h"
        ends = [end / weight for end in (low, high) for weight in (heavy.low, heavy.high) if weight > 0]
        low, high, absent = min(ends), max(ends), absent or heavy.may_be_absent
        number /= kilograms
        steps += f"; / {shown(kilograms)} kg = {with_unit(shown(number), unit)}"
        facts = (*facts, weighing)
    arithmetic = f"{amount.arithmetic}; {steps}" if amount.arithmetic else steps
    text = with_unit(shown(number), unit)
    return Figure(float(number), text, unit, number, amount.at, facts, arithmetic, Bounds(low, high, absent))
