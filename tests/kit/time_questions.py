"""Two hundred questions about a `time_ward`: their words, their trees, and right answers by SQL over its table.

Right answers are made by SQL alone, so that they share nothing with what they test but the tree's meaning.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from extraction.flowsheet.schema import Fluid, Schema
from extraction.questions.query import (
    WARD,
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Compare,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Measure,
    Missing,
    Not,
    Order,
    OverPatients,
    Part,
    Query,
    Rate,
    Select,
    Sequence,
    Subject,
    Value,
    Window,
)
from tests.kit.time_ward import ASSISTANCE, NAUSEA, NOW, PATIENTS, START, TimeWard

EACH = 7  # questions of a template
Right = Any


@dataclass(frozen=True, slots=True)
class TimeQuestion:
    """A question with its right answer.

    Attributes:
        right: of a table, by patient the value (None: not charted) or, of a condition, True, False or None; of a
            number, the number; of a sequence, its minutes and values.
    """

    kind: str
    words: str
    tree: Query
    right: Right


def time_questions(ward: TimeWard, seed: int) -> list[TimeQuestion]:
    """The questions of a seed, `EACH` of each template."""
    chance = random.Random(f"questions {seed}")
    asking = _Asking(ward.source, ward.schema, chance)
    found: list[TimeQuestion] = []
    for template in _TEMPLATES:
        found += [template(asking) for _ in range(EACH)]
    return found


class _Asking:
    """Choices of a question, and the table behind the ward."""

    def __init__(self, source: sqlite3.Connection, schema: Schema, chance: random.Random) -> None:
        self.schema = schema
        self.chance = chance
        self._source = source
        source.execute("DROP VIEW IF EXISTS charted")
        source.execute("CREATE VIEW charted AS SELECT * FROM source WHERE said = 1 AND refused = 0")

    def measure(self, *rows: str, part: Part | None = None, same: bool = True) -> Measure:
        return Measure(self.schema.row(rows[0]).name, rows, part=part, same=same)

    def row(self, *rows: str) -> str:
        return self.chance.choice(rows or ("vs.heart_rate", "o2.spo2", "pain.score", "vs.temperature"))

    def patient(self) -> int:
        return self.chance.randint(1, PATIENTS)

    def window(self) -> Window:
        hours = self.chance.choice((4, 6, 8, 12, 24))
        return Window(NOW - timedelta(hours=hours), None, f"in the last {hours} hours")

    def limit(self, row: str) -> float:
        return {"vs.heart_rate": 90.0, "o2.spo2": 93.0, "pain.score": 5.0, "vs.temperature": 37.6}[row]

    def sql(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        return self._source.execute(query, given).fetchall()

    def each(self, column: str, row: str, window: Window | None = None, more: str = "") -> dict[int, Any]:
        """By patient, an aggregate of the values of a row in a window; None if there is none."""
        since, until = _ends(window)
        found = dict(
            self.sql(
                f"""SELECT patient, {column} FROM charted WHERE row = ? AND at >= ? AND at < ? {more}
                    GROUP BY patient""",
                row,
                since,
                until,
            )
        )
        return {patient: found.get(patient) for patient in range(1, PATIENTS + 1)}

    def last(
        self, row: str, window: Window | None = None, column: str = "number", order: str = "max"
    ) -> dict[int, Any]:
        """By patient, the latest (or with `min` the first) value of a row in a window."""
        since, until = _ends(window)
        found = dict(
            self.sql(
                f"""SELECT patient, {column} FROM charted AS c WHERE row = ? AND at = (
                        SELECT {order}(at) FROM charted
                        WHERE patient = c.patient AND row = c.row AND at >= ? AND at < ?)""",
                row,
                since,
                until,
            )
        )
        return {patient: found.get(patient) for patient in range(1, PATIENTS + 1)}


def _ends(window: Window | None) -> tuple[str, str]:
    since = window.since.isoformat(timespec="minutes") if window and window.since else ""
    return since, window.until.isoformat(timespec="minutes") if window and window.until else "9999"


def _one(patient: int) -> Subject:
    return Subject((patient,), f"bed {patient}")


def _latest(ask: _Asking) -> TimeQuestion:
    row, patient = ask.row(), ask.patient()
    tree = Select(_one(patient), (Value(ask.measure(row)),))
    words = f"What is the {ask.measure(row).name} in bed {patient}?"
    return TimeQuestion("latest", words, tree, {patient: ask.last(row)[patient]})


def _first(ask: _Asking) -> TimeQuestion:
    row, window = ask.row(), ask.window()
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.FIRST, window),))
    words = f"First {ask.measure(row).name} of everybody {window.words}"
    return TimeQuestion("first", words, tree, ask.last(row, window, order="min"))


def _extreme(ask: _Asking) -> TimeQuestion:
    row, window = ask.row(), ask.window()
    word, sql, aggregate = ask.chance.choice(
        (("highest", "max", Aggregate.HIGHEST), ("lowest", "min", Aggregate.LOWEST))
    )
    tree = Select(WARD, (Value(ask.measure(row), aggregate, window),))
    words = f"{word} {ask.measure(row).name} of each patient {window.words}"
    return TimeQuestion("extreme", words, tree, ask.each(f"{sql}(number)", row, window))


def _mean(ask: _Asking) -> TimeQuestion:
    row, window = ask.row(), ask.window()
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.MEAN, window),))
    return TimeQuestion(
        "mean", f"mean {ask.measure(row).name} {window.words}", tree, ask.each("avg(number)", row, window)
    )


def _sum(ask: _Asking) -> TimeQuestion:
    row, window = ask.row("out.urine", "in.oral", "in.iv_fluid", "out.emesis"), ask.window()
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.SUM, window),))
    return TimeQuestion(
        "sum", f"total {ask.measure(row).name} {window.words}", tree, ask.each("sum(number)", row, window)
    )


def _summands(ask: _Asking) -> TimeQuestion:
    window = ask.window()
    measure = ask.measure("out.urine", "out.emesis", same=False)
    tree = Select(WARD, (Value(measure, Aggregate.SUM, window),))
    parts = [ask.each("sum(number)", row, window) for row in measure.row_ids]
    right = {
        patient: None if all(one[patient] is None for one in parts) else sum(one[patient] or 0 for one in parts)
        for patient in parts[0]
    }
    return TimeQuestion("summands", f"urine and emesis {window.words}", tree, right)


def _rate(ask: _Asking) -> TimeQuestion:
    window, per_day = ask.window(), ask.chance.random() < 0.5
    rate = Rate.DAY if per_day else Rate.HOUR
    hours = (NOW - window.since).total_seconds() / 3600 if window.since else 0
    tree = Select(WARD, (Value(ask.measure("out.urine"), Aggregate.SUM, window, rate),))
    sums = ask.each("sum(number)", "out.urine", window)
    right = {one: None if total is None else total / (hours / 24 if per_day else hours) for one, total in sums.items()}
    return TimeQuestion("rate", f"urine output {rate.value} {window.words}", tree, right)


def _rate_by_weight(ask: _Asking) -> TimeQuestion:
    window = ask.window()
    hours = (NOW - window.since).total_seconds() / 3600 if window.since else 0
    weight = ask.measure("meas.weight")
    value = Value(ask.measure("out.urine"), Aggregate.SUM, window, Rate.KILOGRAM_HOUR, weight)
    sums, weights = ask.each("sum(number)", "out.urine", window), ask.last("meas.weight")
    right = {
        one: None if total is None or weights[one] is None else total / hours / weights[one]
        for one, total in sums.items()
    }
    if ask.chance.random() < 0.5:
        return TimeQuestion("rate by weight", f"urine per kilo and hour {window.words}", Select(WARD, (value,)), right)
    tree = Select(WARD, where=Condition(value, Comparison.BELOW, numbers=(0.5,), unit="mL/kg/h"))
    met = {one: None if number is None else number < 0.5 for one, number in right.items()}
    return TimeQuestion("rate by weight", f"whose urine is below 0.5 mL/kg/h {window.words}?", tree, met)


def _balance(ask: _Asking) -> TimeQuestion:
    window = ask.window()
    since, until = _ends(window)
    sides = {
        side: dict(
            ask.sql(
                """SELECT patient, sum(number) FROM charted WHERE at >= ? AND at < ?
                    AND row IN (SELECT value FROM json_each(?)) GROUP BY patient""",
                since,
                until,
                json.dumps([one.id for one in ask.schema.rows if one.fluid is side]),
            )
        )
        for side in Fluid
    }
    right = {
        patient: sides[Fluid.INTAKE][patient] - sides[Fluid.OUTPUT][patient]
        if patient in sides[Fluid.INTAKE] and patient in sides[Fluid.OUTPUT]
        else None
        for patient in range(1, PATIENTS + 1)
    }
    return TimeQuestion("balance", f"in and out of everybody {window.words}", Select(WARD, (Balance(window),)), right)


def _count(ask: _Asking) -> TimeQuestion:
    row, window = ask.row(), ask.window()
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.COUNT, window),))
    words = f"how often was {ask.measure(row).name} charted {window.words}"
    return TimeQuestion("count", words, tree, ask.each("count(*)", row, window))


def _change(ask: _Asking) -> TimeQuestion:
    row, window = ask.row(), ask.window()
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.CHANGE, window),))
    first, last, many = ask.last(row, window, order="min"), ask.last(row, window), ask.each("count(*)", row, window)
    right = {one: last[one] - first[one] if (many[one] or 0) > 1 else None for one in many}
    return TimeQuestion("change", f"change of {ask.measure(row).name} {window.words}", tree, right)


def _since_baseline(ask: _Asking) -> TimeQuestion:
    middle = START + timedelta(hours=ask.chance.choice((12, 18, 24)))
    before, after = Window(None, middle, "before"), Window(middle, None, f"since {middle:%H:%M}")
    row = ask.row("meas.weight", "vs.heart_rate")
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.CHANGE, after, baseline=before),))
    then, now = ask.last(row, before), ask.last(row, after)
    right = {one: None if then[one] is None or now[one] is None else now[one] - then[one] for one in then}
    return TimeQuestion("since baseline", f"{ask.measure(row).name} change {after.words}", tree, right)


def _trend(ask: _Asking) -> TimeQuestion:
    row, window = ask.row(), ask.window()
    tree = Select(WARD, (Value(ask.measure(row), Aggregate.TREND, window),))
    since, until = _ends(window)
    # the steps that are larger than three hundredths of the largest number
    found = ask.sql(
        """WITH steps AS (SELECT patient, number, at,
                number - lag(number) OVER (PARTITION BY patient ORDER BY at) AS step,
                0.03 * max(abs(number)) OVER (PARTITION BY patient) AS slack
            FROM charted WHERE row = ? AND at >= ? AND at < ?)
            SELECT patient, count(*), max(step > slack), max(step < -slack), max(slack), sum(step) FROM steps
            GROUP BY patient""",
        row,
        since,
        until,
    )
    right: dict[int, Any] = dict.fromkeys(range(1, PATIENTS + 1))
    for patient, many, up, down, slack, total in found:
        if many > 1:
            flat = "steady" if abs(total) <= slack else "rising" if total > 0 else "falling"
            right[patient] = "varying" if up and down else flat
    return TimeQuestion("trend", f"trend of {ask.measure(row).name} {window.words}", tree, right)


def _when(ask: _Asking) -> TimeQuestion:
    row, patient = ask.row("mobility.assistance", "pain.score", "meas.weight"), ask.patient()
    aggregate, order = ask.chance.choice(((Aggregate.WHEN_LAST, "max"), (Aggregate.WHEN_FIRST, "min")))
    tree = Select(_one(patient), (Value(ask.measure(row), aggregate),))
    words = f"{aggregate.value} {ask.measure(row).name} in bed {patient}"
    return TimeQuestion("when", words, tree, {patient: ask.each(f"{order}(at)", row)[patient]})


def _time_since(ask: _Asking) -> TimeQuestion:
    row = ask.row("pain.score", "o2.spo2")
    value = Value(ask.measure(row), Aggregate.TIME_SINCE)
    tree = Select(WARD, where=Condition(value, Comparison.ABOVE, numbers=(6.0,), unit="h"))
    oldest = (NOW - timedelta(hours=6)).isoformat(timespec="minutes")
    right = {one: None if at is None else at < oldest for one, at in ask.each("max(at)", row).items()}
    return TimeQuestion("time since", f"whose last {ask.measure(row).name} is more than 6 hours old?", tree, right)


def _threshold(ask: _Asking) -> TimeQuestion:
    row = ask.row()
    limit = ask.limit(row)
    comparison, holds = ask.chance.choice(_COMPARISONS)
    tree = Select(WARD, where=Condition(Value(ask.measure(row)), comparison, numbers=(limit,)))
    right = {one: None if number is None else holds(number, limit) for one, number in ask.last(row).items()}
    return TimeQuestion("threshold", f"who has {ask.measure(row).name} {comparison.value} {limit:g}?", tree, right)


_COMPARISONS: tuple[tuple[Comparison, Callable[[float, float], bool]], ...] = (
    (Comparison.ABOVE, lambda number, limit: number > limit),
    (Comparison.AT_LEAST, lambda number, limit: number >= limit),
    (Comparison.BELOW, lambda number, limit: number < limit),
    (Comparison.AT_MOST, lambda number, limit: number <= limit),
    (Comparison.EQUAL, lambda number, limit: number == limit),
    (Comparison.NOT_EQUAL, lambda number, limit: number != limit),
)


def _between(ask: _Asking) -> TimeQuestion:
    low, high = sorted((ask.chance.randint(90, 130), ask.chance.randint(90, 150)))
    part = ask.chance.choice((None, Part.SYSTOLIC, Part.DIASTOLIC))
    column = "second" if part is Part.DIASTOLIC else "number"
    if part is Part.DIASTOLIC:
        low, high = low - 40, high - 40
    tree = Select(
        WARD,
        where=Condition(Value(ask.measure("vs.bp", part=part)), Comparison.BETWEEN, numbers=(float(low), float(high))),
    )
    right = {
        one: None if number is None else low <= number <= high
        for one, number in ask.last("vs.bp", column=column).items()
    }
    words = f"whose {part.value if part else 'blood'} pressure is between {low} and {high}?"
    return TimeQuestion("between", words, tree, right)


def _ever(ask: _Asking) -> TimeQuestion:
    window = ask.window()
    value = Value(ask.measure("vs.temperature"), Aggregate.ANY, window)
    tree = Select(WARD, where=Condition(value, Comparison.ABOVE, numbers=(100.4,), unit="[degF]"))
    right = {
        one: None if top is None else top > 38.0
        for one, top in ask.each("max(number)", "vs.temperature", window).items()
    }
    return TimeQuestion("ever", f"who had a temperature above 100.4 F {window.words}?", tree, right)


def _option(ask: _Asking) -> TimeQuestion:
    chosen = tuple(ask.chance.sample(NAUSEA, ask.chance.randint(1, 2)))
    aggregate = ask.chance.choice((Aggregate.LATEST, Aggregate.ANY))
    equal = ask.chance.random() < 0.6
    comparison = Comparison.EQUAL if equal else Comparison.NOT_EQUAL
    tree = Select(WARD, where=Condition(Value(ask.measure("gi.nausea"), aggregate), comparison, options=chosen))
    listed = ", ".join(f"'{one}'" for one in chosen)
    test = f"max(text {'' if equal else 'NOT'} IN ({listed}))"
    if aggregate is Aggregate.ANY:
        right = {one: None if met is None else bool(met) for one, met in ask.each(test, "gi.nausea").items()}
    else:
        last = ask.last("gi.nausea", column="text")
        right = {one: None if text is None else (text in chosen) is equal for one, text in last.items()}
    word = "ever had" if aggregate is Aggregate.ANY else "has"
    return TimeQuestion("option", f"who {word} nausea {comparison.value} {' or '.join(chosen)}?", tree, right)


def _several_conditions(ask: _Asking) -> TimeQuestion:
    one, other = "vs.heart_rate", "pain.score"
    first = Condition(Value(ask.measure(one)), Comparison.ABOVE, numbers=(80.0,))
    second = Condition(Value(ask.measure(other)), Comparison.AT_LEAST, numbers=(5.0,))
    rates, pains = ask.last(one), ask.last(other)
    word = ask.chance.choice(("and", "or", "and not"))
    right: dict[int, bool | None] = {}
    for patient in rates:
        left = None if rates[patient] is None else rates[patient] > 80
        pain = None if pains[patient] is None else pains[patient] >= 5
        if word == "and not":
            pain = None if pain is None else not pain
        decisive = word == "or"
        if decisive in (left, pain):
            right[patient] = decisive
        else:
            right[patient] = None if None in (left, pain) else not decisive
    second_or_not = Not(second) if word == "and not" else second
    join = AnyOf if word == "or" else AllOf
    tree = Select(WARD, where=join((first, second_or_not)))
    return TimeQuestion("several conditions", f"heart rate above 80 {word} pain at least 5", tree, right)


def _charted_or_not(ask: _Asking) -> TimeQuestion:
    window, row = ask.window(), ask.row("pain.score", "meas.weight", "mobility.assistance")
    charted = ask.chance.random() < 0.5
    comparison = Comparison.CHARTED if charted else Comparison.NOT_CHARTED
    tree = Select(WARD, where=Condition(Value(ask.measure(row), window=window), comparison))
    right = {one: (number is not None) is charted for one, number in ask.each("count(*)", row, window).items()}
    return TimeQuestion("charted", f"who has {ask.measure(row).name} {comparison.value} {window.words}?", tree, right)


def _missing(ask: _Asking) -> TimeQuestion:
    window, row = ask.window(), ask.row("pain.score", "o2.spo2", "mobility.assistance")
    tree = Missing(WARD, (ask.measure(row),), window)
    since, _ = _ends(window)
    before = Window(None, window.since)
    right = {
        one: ask.each("max(at)", row, before)[one]
        for one, many in ask.each("count(*)", row, window).items()
        if many is None
    }
    assert since
    return TimeQuestion("missing", f"who has no {ask.measure(row).name} {window.words}?", tree, right)


def _older_than(ask: _Asking) -> TimeQuestion:
    hours, row = ask.chance.choice((4, 8, 12)), ask.row("pain.score", "vs.bp", "mobility.assistance")
    tree = Missing(WARD, (ask.measure(row),), longer_than=timedelta(hours=hours))
    oldest = (NOW - timedelta(hours=hours)).isoformat(timespec="minutes")
    right = {one: at for one, at in ask.each("max(at)", row).items() if at is None or at < oldest}
    return TimeQuestion("older than", f"{ask.measure(row).name} not charted for {hours} hours", tree, right)


def _how_many(ask: _Asking) -> TimeQuestion:
    chosen = ask.chance.choice(ASSISTANCE)
    where = Condition(Value(ask.measure("mobility.assistance")), Comparison.EQUAL, options=(chosen,))
    last = ask.last("mobility.assistance", column="text")
    right = float(sum(text == chosen for text in last.values()))
    return TimeQuestion("how many", f"how many patients are {chosen}?", CountPatients(Select(WARD, where=where)), right)


def _over(ask: _Asking) -> TimeQuestion:
    row = ask.row()
    name, aggregate = ask.chance.choice(
        (("avg", Aggregate.MEAN), ("max", Aggregate.HIGHEST), ("min", Aggregate.LOWEST), ("sum", Aggregate.SUM))
    )
    numbers = [number for number in ask.last(row).values() if number is not None]
    marks = ", ".join(f"({number!r})" for number in numbers)
    ((right,),) = ask.sql(f"WITH n(number) AS (VALUES {marks}) SELECT {name}(number) FROM n")
    tree = OverPatients(aggregate, Select(WARD, (Value(ask.measure(row)),)))
    return TimeQuestion("over patients", f"{aggregate.value} of the latest {ask.measure(row).name}", tree, right)


def _groups(ask: _Asking) -> TimeQuestion:
    if ask.chance.random() < 0.5:
        last = ask.last("gi.nausea", column="text")
        right = {text: sum(one == text for one in last.values()) for text in set(last.values()) - {None}}
        return TimeQuestion(
            "groups", "nausea, how many each", Group(Select(WARD, (Value(ask.measure("gi.nausea")),))), right
        )
    bins = (60.0, 80.0, 100.0)
    names = ("below 60", "60 to below 80", "80 to below 100", "100 and more")
    rates = [number for number in ask.last("vs.heart_rate").values() if number is not None]
    places = [sum(number >= one for one in bins) for number in rates]
    right = {names[place]: places.count(place) for place in set(places)}
    tree = Group(Select(WARD, (Value(ask.measure("vs.heart_rate")),)), bins)
    return TimeQuestion("groups", "heart rates in groups of 60, 80 and 100", tree, right)


def _first_few(ask: _Asking) -> TimeQuestion:
    row, few = ask.row(), ask.chance.randint(1, 4)
    high = ask.chance.random() < 0.5
    order = Order.HIGHEST_FIRST if high else Order.LOWEST_FIRST
    tree = Select(WARD, (Value(ask.measure(row)),), order=order, limit=few)
    known = [(number, one) for one, number in ask.last(row).items() if number is not None]
    ranked = sorted((number for number, _ in known), reverse=high)
    cut = ranked[min(few, len(ranked)) - 1]
    right = {one: number for number, one in known if (number >= cut if high else number <= cut)}
    return TimeQuestion("first few", f"{few} {order.value} of {ask.measure(row).name}", tree, right)


def _course(ask: _Asking) -> TimeQuestion:
    patient, row = ask.patient(), ask.row("pain.score", "vs.heart_rate")
    if ask.chance.random() < 0.5:
        window = ask.window()
        since, until = _ends(window)
        found = ask.sql(
            "SELECT at, number FROM charted WHERE patient = ? AND row = ? AND at >= ? AND at < ? ORDER BY at",
            patient, row, since, until,
        )  # fmt: skip
        tree = Sequence(_one(patient), (ask.measure(row),), window)
        return TimeQuestion("course", f"all {ask.measure(row).name} of bed {patient} {window.words}", tree, found)
    around = START + timedelta(hours=ask.chance.randint(6, 30))
    at = around.isoformat(timespec="minutes")
    given = (patient, row, at)
    last = "SELECT at, number FROM charted WHERE patient = ? AND row = ? AND at < ? ORDER BY at DESC LIMIT 1"
    following = "SELECT at, number FROM charted WHERE patient = ? AND row = ? AND at >= ? ORDER BY at LIMIT 1"
    found = [*ask.sql(last, *given), *ask.sql(following, *given)]
    tree = Sequence(_one(patient), (ask.measure(row),), around=around)
    return TimeQuestion(
        "course", f"{ask.measure(row).name} of bed {patient} before and after {around:%H:%M}", tree, found
    )


def _compared(ask: _Asking) -> TimeQuestion:
    row = ask.row()
    one, other = ask.chance.sample(range(1, PATIENTS + 1), 2)
    last = ask.last(row)
    sides = [Select(_one(patient), (Value(ask.measure(row)),)) for patient in (one, other)]
    words = f"{ask.measure(row).name} of beds {one} and {other}"
    return TimeQuestion("compared", words, Compare(*sides), {patient: last[patient] for patient in (one, other)})


_TEMPLATES: tuple[Callable[[_Asking], TimeQuestion], ...] = (
    _latest, _first, _extreme, _mean, _sum, _summands, _rate, _rate_by_weight, _balance, _count, _change,
    _since_baseline, _trend, _when, _time_since, _threshold, _between, _ever, _option, _several_conditions,
    _charted_or_not, _missing, _older_than, _how_many, _over, _groups, _first_few, _course, _compared,
)  # fmt: skip
