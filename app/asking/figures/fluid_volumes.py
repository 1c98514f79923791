"""Intake and output of one patient, and what is left of one less the other."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from app.asking.figures.amounts import (
    hours_of,
    number_of,
    row_of,
    shown,
)
from app.asking.figures.bounds import Bounds, Item, bounds
from app.asking.figures.figure import Absent, Charts, Figure, obtained, once, tried, with_value
from app.store.questions import Fact
from extraction.flowsheet.schema import Fluid
from extraction.questions.query import Aggregate, Balance

_VOLUME = "mL"


def balance_of(asked: Balance, facts: Sequence[Fact], charts: Charts) -> Figure | Absent:
    """Intake minus output of one patient; absent unless both are charted, because what is not charted is not zero."""
    sides: dict[Fluid, list[tuple[Fact, Decimal]]] = {Fluid.INTAKE: [], Fluid.OUTPUT: []}
    uncounted = 0
    for fact in once(obtained(facts), (), same=False):
        side = row_of(charts.schema, fact.row_id).fluid
        number = number_of(fact, charts.schema, _VOLUME)
        if side and number is not None:
            sides[side].append((fact, number))
        else:
            uncounted += side is not None
    sums = {side: sum((number for _, number in those), Decimal(0)) for side, those in sides.items()}
    if not all(sides.values()):
        charted = [f"{side.value} {shown(sums[side])} mL, the other side not charted" for side in Fluid if sides[side]]
        return Absent("".join(charted) or tried(facts, charts))
    every = sorted((fact for those in sides.values() for fact, _ in those), key=lambda one: (one.at, one.value_id))
    net = sums[Fluid.INTAKE] - sums[Fluid.OUTPUT]
    limits = {
        side: bounds(Aggregate.SUM, [_volume(one, number, charts) for one, number in those])
        for side, those in sides.items()
    }
    hours = shown(hours_of(asked.window, charts.now, every))
    volumes = f"in {shown(sums[Fluid.INTAKE])} mL - out {shown(sums[Fluid.OUTPUT])} mL = {shown(net)} mL"
    arithmetic = f"{volumes} ({len(every)} values in {hours} h)"
    if uncounted:
        arithmetic += f"; {uncounted} without a volume not counted"
    text = f"{'+' * (net > 0)}{shown(net)} mL"
    intake, output = limits[Fluid.INTAKE], limits[Fluid.OUTPUT]
    span = Bounds(intake.low - output.high, intake.high - output.low, intake.may_be_absent or output.may_be_absent)
    return Figure(float(net), text, _VOLUME, net, every[-1].at, tuple(every), arithmetic, span)


def _volume(fact: Fact, number: Decimal, charts: Charts) -> Item:
    if not fact.flagged:
        return Item(number, number, number)
    others = [number_of(with_value(fact, other), charts.schema, _VOLUME) for other in fact.others]
    every = [number, *(one for one in others if one is not None)]
    return Item(number, min(every), max(every), doubtful=True)
