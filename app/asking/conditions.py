"""Whether a patient meets a condition: yes, no, or not charted; and what it could be if flagged values are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, product
from typing import NamedTuple

from app.asking.figures.amounts import number_of, row_of, unit_of
from app.asking.figures.comparisons import could_hold, holds_for, limits_of
from app.asking.figures.figure import Absent, Charts, Figure, obtained, once, with_value
from app.asking.figures.fluid_volumes import balance_of
from app.asking.figures.reckoning import figure_of
from app.asking.leaves import Facts, baseline_of, reach_of, weight_of
from app.store.questions import Fact
from extraction.flowsheet.schema import is_yes_no
from extraction.flowsheet.validation import display
from extraction.questions.query import (
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Comparison,
    Condition,
    Not,
    Value,
    Where,
)

Truth = bool | None
_VARIANTS = 256  # of flagged values at one minute; more are taken to allow everything


class Met(NamedTuple):
    """How a patient stands to one condition.

    Attributes:
        options: the options that are charted and meet it.
        facts: the values that meet it; all that it was decided by if none does.
    """

    condition: Condition
    truth: Truth
    figure: Figure | Absent
    facts: tuple[Fact, ...] = ()
    options: tuple[str, ...] = ()


class Judgement(NamedTuple):
    """Whether a patient meets a condition, and what it could be; None is not charted."""

    truth: Truth
    could_be: frozenset[Truth]
    met: tuple[Met, ...]


class Patients:
    """Reckons about one patient at a time."""

    def __init__(self, facts: Facts, charts: Charts) -> None:
        self.facts = facts
        self.charts = charts
        self._figures: dict[tuple[Value | Balance, int], Figure | Absent] = {}

    def figure(self, value: Value | Balance, patient_id: int) -> Figure | Absent:
        """What is made of the values of a leaf."""
        if (value, patient_id) not in self._figures:
            self._figures[value, patient_id] = self._reckoned(value, patient_id)
        return self._figures[value, patient_id]

    def _reckoned(self, value: Value | Balance, patient_id: int) -> Figure | Absent:
        facts = self.facts.of(reach_of(value, self.charts.schema), patient_id)
        if isinstance(value, Balance):
            return balance_of(value, facts, self.charts)
        baseline, weight = baseline_of(value), weight_of(value)
        before = self.facts.of(baseline, patient_id) if baseline else []
        weights = self.facts.of(weight, patient_id) if weight else []
        return figure_of(value, facts, before, weights, self.charts)

    def said(self, value: Value | Balance, patient_id: int) -> list[Fact]:
        """The values of a leaf, each once, in order of time."""
        facts = obtained(self.facts.of(reach_of(value, self.charts.schema), patient_id))
        return once(facts, value.measure.row_ids, same=value.measure.same) if isinstance(value, Value) else facts

    def judge(self, where: Where, patient_id: int) -> Judgement:
        match where:
            case Condition():
                return self._condition(where, patient_id)
            case Not():
                inner = self.judge(where.condition, patient_id)
                return Judgement(_negated(inner.truth), frozenset(map(_negated, inner.could_be)), inner.met)
            case AllOf() | AnyOf():
                join = _both if isinstance(where, AllOf) else _either
                parts = [self.judge(one, patient_id) for one in where.conditions]
                truth, could_be = parts[0].truth, parts[0].could_be
                for part in parts[1:]:
                    truth = join(truth, part.truth)
                    could_be = frozenset(join(one, other) for one in could_be for other in part.could_be)
                return Judgement(truth, could_be, tuple(met for part in parts for met in part.met))

    def _condition(self, asked: Condition, patient_id: int) -> Judgement:
        figure = self.figure(asked.value, patient_id)
        said = self.said(asked.value, patient_id)
        if asked.comparison in (Comparison.CHARTED, Comparison.NOT_CHARTED):
            wanted = asked.comparison is Comparison.CHARTED
            truth = isinstance(figure, Figure) is wanted
            doubtful = isinstance(figure, Figure) and may_be_absent(figure, said)
            could_be = frozenset({truth, not truth} if doubtful else {truth})
            return Judgement(truth, could_be, (Met(asked, truth, figure, _facts(figure)),))
        if isinstance(figure, Absent):
            return Judgement(None, frozenset({None}), (Met(asked, None, figure),))
        if asked.numbers:
            return self._number(asked, figure, said)
        return self._options(asked, figure, said)

    # numbers

    def _number(self, asked: Condition, figure: Figure, said: Sequence[Fact]) -> Judgement:
        any_of = isinstance(asked.value, Value) and asked.value.aggregate is Aggregate.ANY and asked.value.rate is None
        if any_of and isinstance(asked.value, Value):
            return self._ever(asked, asked.value, figure, said)
        if figure.number is None or figure.bounds is None:
            why = Absent(f"charted without a number, last {figure.text}")
            return Judgement(None, frozenset({None}), (Met(asked, None, why),))
        wanted = limits_of(asked, figure.unit)
        truth = holds_for(asked.comparison, figure.number, wanted)
        low, high, may_be_absent = figure.bounds
        could_be = could_hold(asked.comparison, low, high, wanted) | {truth} | ({None} if may_be_absent else set())
        return Judgement(truth, frozenset(could_be), (Met(asked, truth, figure, figure.facts),))

    def _ever(self, asked: Condition, value: Value, figure: Figure, said: Sequence[Fact]) -> Judgement:
        """Whether any value ever met it."""
        schema, part = self.charts.schema, value.measure.part
        unit = unit_of(schema, value.measure)
        wanted = limits_of(asked, unit)

        def holds(fact: Fact) -> bool:
            number = number_of(fact, schema, unit, part)
            return number is not None and holds_for(asked.comparison, number, wanted)

        if not any(number_of(fact, schema, unit, part) is not None for fact in said):
            why = Absent(f"charted without a number, last {figure.text}")
            return Judgement(None, frozenset({None}), (Met(asked, None, why),))
        met = tuple(fact for fact in said if holds(fact))
        sure = any(not fact.flagged for fact in met)
        possible = bool(met) or any(holds(with_value(fact, other)) for fact in said for other in fact.others)
        could_be: set[Truth] = {True} if sure else ({True, False} if possible else {False})
        if not sure and all(fact.flagged for fact in said):
            could_be.add(None)
        return Judgement(bool(met), frozenset(could_be), (Met(asked, bool(met), figure, met or figure.facts),))

    # options

    def _options(self, asked: Condition, figure: Figure, said: Sequence[Fact]) -> Judgement:
        ever = isinstance(asked.value, Value) and asked.value.aggregate is Aggregate.ANY
        facts = figure.facts
        truth = self._chosen(asked, facts, ever=ever)
        if ever:
            met = tuple(fact for fact in facts if self._chosen(asked, [fact], ever=True))
            could_be = self._could_ever(asked, said)
        else:
            met = tuple(fact for fact in facts if self._chosen(asked, [fact], ever=False)) if truth else facts
            first = isinstance(asked.value, Value) and asked.value.aggregate is Aggregate.FIRST
            could_be = self._could_be(asked, said if first else said[::-1])
        options = tuple(dict.fromkeys(text for fact in met for text in self._meeting(asked, fact)))
        shown = Met(asked, truth, figure, met or facts, options if truth else ())
        return Judgement(truth, could_be | {truth}, (shown,))

    def _chosen(self, asked: Condition, facts: Sequence[Fact], *, ever: bool) -> bool:
        if asked.comparison is Comparison.NOT_EQUAL:
            quantify: Callable[[Iterable[bool]], bool] = any if ever else all
            return quantify(not self._matching(asked, fact) for fact in facts)
        return any(self._matching(asked, fact) for fact in facts)

    def _meeting(self, asked: Condition, fact: Fact) -> tuple[str, ...]:
        """The options of a value that meet a condition, as they are named in the chart."""
        matching = self._matching(asked, fact)
        if asked.comparison is Comparison.EQUAL:
            return matching
        return tuple(text for text in self.parts(fact) if text not in matching)

    def _matching(self, asked: Condition, fact: Fact) -> tuple[str, ...]:
        """The options of a value that are among those asked for.

        "Yes" of a row whose name is asked for, such as Nausea, is that option.
        """
        wanted = {option.casefold(): option for option in asked.options}
        found = tuple(text for text in self.parts(fact) if text.casefold() in wanted)
        row = row_of(self.charts.schema, fact.row_id)
        if is_yes_no(row) and [text.casefold() for text in self.parts(fact)] == ["yes"]:
            named = [wanted[name.casefold()] for name in row.names if name.casefold() in wanted]
            return tuple(named[:1]) or found
        return found

    def parts(self, fact: Fact) -> tuple[str, ...]:
        """The options of a value, or its one text."""
        if isinstance(fact.value, tuple):
            return fact.value
        return (display(row_of(self.charts.schema, fact.row_id), fact.value),)

    def _could_ever(self, asked: Condition, said: Sequence[Fact]) -> frozenset[Truth]:
        sure = [fact for fact in said if not fact.flagged]
        if self._chosen(asked, sure, ever=True):
            return frozenset({True})
        instead = [with_value(fact, other) for fact in said for other in fact.others]
        possible = self._chosen(asked, [*said, *instead], ever=True)
        return frozenset({False, *([True] if possible else []), *([None] if not sure else [])})

    def _could_be(self, asked: Condition, said: Sequence[Fact]) -> frozenset[Truth]:
        """What it could be of the first minute: as long as all of its values are flagged, the next one could count."""
        found: set[Truth] = set()
        for _, several in groupby(said, key=lambda fact: fact.at):
            group = list(several)
            for variant in _variants(group):
                if variant is None:
                    return frozenset({True, False})
                if variant:
                    found.add(self._chosen(asked, variant, ever=False))
            if not all(fact.flagged for fact in group):
                return frozenset(found)
        return frozenset({*found, None})


def _variants(facts: Sequence[Fact]) -> Iterator[list[Fact] | None]:
    """Values with each flagged one as it is, as another one, or not there; None if there are too many ways."""
    ways: list[list[Fact | None]] = [
        [fact, *(with_value(fact, other) for other in fact.others), None] if fact.flagged else [fact] for fact in facts
    ]
    size = 1
    for several in ways:
        size *= len(several)
    if size > _VARIANTS:
        yield None
        return
    for chosen in product(*ways):
        yield [fact for fact in chosen if fact is not None]


def may_be_absent(figure: Figure, said: Sequence[Fact]) -> bool:
    """Whether there might be no figure if flagged values are wrong; `said` are all values of its leaf."""
    if figure.bounds is not None:
        return figure.bounds.may_be_absent
    return all(fact.flagged for fact in said)


def _facts(figure: Figure | Absent) -> tuple[Fact, ...]:
    return figure.facts if isinstance(figure, Figure) else ()


def _negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _both(one: Truth, other: Truth) -> Truth:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _either(one: Truth, other: Truth) -> Truth:
    if one is True or other is True:
        return True
    return None if one is None or other is None else False
