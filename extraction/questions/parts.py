"""The parts of a query tree: values with what is made of them, and conditions on patients."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from extraction.flowsheet.schema import NUMBER_TYPES, TIME_TYPES, Row, Schema, ValueType
from extraction.flowsheet.validation import chart_unit
from extraction.questions.asked import Asked, numbered_options
from extraction.questions.conditions import Choice, adds_up, can_be_present, compared, measures, readings_of, refuse
from extraction.questions.query import (
    ALWAYS,
    WARD,
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Comparison,
    Condition,
    Measure,
    Rate,
    Reason,
    Value,
    Where,
    Window,
)
from extraction.questions.ward import WardFacts
from extraction.questions.words.days import shift_start
from extraction.questions.words.names import Names, names_of
from extraction.questions.words.tags import Tag, Tagged
from extraction.questions.words.talk import people
from extraction.questions.words.vocabulary import question_words
from extraction.questions.words.windows import NamedWindow

_MOST_LEAVES = 12
_DAY = timedelta(days=1)
_MADE_OF = {
    "mean": Aggregate.MEAN,
    "change": Aggregate.CHANGE,
    "trend": Aggregate.TREND,
    "course": Aggregate.TREND,
    "time_since": Aggregate.TIME_SINCE,
    "sum": Aggregate.SUM,
    "first": Aggregate.FIRST,
}


_OF_NUMBERS = {Aggregate.MEAN, Aggregate.CHANGE, Aggregate.TREND, Aggregate.SUM}
_ASKS = re.compile(r"\s*(?:does|do|has|have|is|are|was|were|did|any)\b", re.IGNORECASE)
_VALUED = re.compile(r"\bwhose\b|\bwhat\b|\bhow (?:much|many liters|often|long|is|are)\b|\bwhen\b", re.IGNORECASE)
_HAVING = re.compile(
    r"\b(?:with|has|have|had|having|got|without|is|are|were|was|who(?:['’]s)?|any|anyone|wearing|using|uses?|on)"
    r"(?:\s+\w+){0,3}\s*$",
    re.IGNORECASE,
)


class Parts:
    """Makes the parts of the tree of one question.

    Attributes:
        used: the tags that the tree is made of.
        words: words of names that are taken; for what is shown.
    """

    def __init__(self, question: Tagged, schema: Schema, ward: WardFacts, choice: Choice) -> None:
        self.question, self.schema, self.ward, self.choice = question, schema, ward, choice
        self.names: Names = names_of(schema)
        self.used: set[Tag] = set()
        self.subject = WARD
        self.named_window: NamedWindow | None = None
        self.asked: list[Asked] = []
        self.shows_values = False

    @property
    def window(self) -> Window:
        """The named window; `ALWAYS` without one."""
        return self.named_window.window if self.named_window else ALWAYS

    def spans(self) -> list[Tag]:
        """Lengths of time behind "over" that are no comparison: "urine over 6 hours"."""
        if self.question.has("missing", "old", "not"):
            return []
        return [
            tag for tag in self.question.of("threshold") if tag.value.length and tag.words.lower().startswith("over")
        ]

    def use(self, *kinds: str) -> bool:
        """Whether there are tags of these kinds, which are then used."""
        found = self.question.of(*kinds)
        self.used.update(found)
        return bool(found)

    def measures(self, one: Asked) -> list[Measure]:
        if one.total:
            return [one.total]
        rows = self.choice.of(self.fitting(one))
        return [replace(of, part=one.part) for of in measures(rows, self.names, one.words)]

    def fitting(self, one: Asked) -> list[list[Row]]:
        """The readings of what was named that fit how it is asked for."""
        rows = one.rows
        if self.is_presence(one):
            rows = [named for named in rows if can_be_present(named.row)] or rows
        return readings_of(rows, self.names)

    def is_presence(self, one: Asked) -> bool:
        """Whether it is asked who has it, rather than what its value is."""
        if one.compares or one.total or one.lacking:
            return False
        if people().match(self.question.text, one.span[1]):  # "pressure injury patients"
            return self._is_had(one) and not any(named.row.value_type in NUMBER_TYPES for named in one.rows)
        if self.question.has("missing"):
            return False
        if one.denied:
            return True
        text, start = self.question.text, one.span[0]
        who = [tag for tag in self.question.of("who") if tag.end <= start]
        joined = any(tag.end <= start and not text[tag.end : start].strip() for tag in self.question.of("with"))
        if joined and who:  # "pain of patients with chest pain"
            return self._is_had(one)
        if question_words().find("newest", text):
            return False
        if self.question.has("all", "mean", "trend", "change", "when", "time_since", "highest", "lowest", "sort"):
            return False
        asks = who or _ASKS.match(text) or self.question.has("count")
        valued = _VALUED.search(text) and not self.question.has("count")
        if not asks or valued or not _HAVING.search(text[:start]):
            return False
        return self._is_had(one) if who else any(can_be_present(named.row) for named in one.rows)

    def _is_had(self, one: Asked) -> bool:
        """Whether what is charted in a row is had: selects say so themselves, or chart what there is of a kind."""
        return any(
            can_be_present(named.row)
            or named.row.value_type is not ValueType.SINGLE_SELECT
            or named.row.name.casefold().endswith(" type")
            for named in one.rows
        )

    def where(self, conditions: Sequence[Asked], aggregate: Aggregate | None = None) -> Where | None:
        """The conditions, joined as the words between them say."""
        if not conditions:
            return None
        groups: list[list[Where]] = [[]]
        previous: Asked | None = None
        for one in conditions:
            joint = [tag for tag in self.question.of("or") if previous and previous.span[1] <= tag.start < one.span[0]]
            if joint:
                self.used.update(joint)
                groups.append([])
            groups[-1].append(self._condition(one, aggregate))
            previous = one
        self.use("and", "ever")
        alternatives = [all_[0] if len(all_) == 1 else AllOf(tuple(all_)) for all_ in groups]
        if sum(map(len, groups)) > _MOST_LEAVES:
            raise refuse(Reason.NOT_UNDERSTOOD)
        return alternatives[0] if len(alternatives) == 1 else AnyOf(tuple(alternatives))

    def _condition(self, one: Asked, aggregate: Aggregate | None) -> Where:
        readings = self.fitting(one)
        rows = self.choice.of(readings)
        found: list[Where] = []
        done: set[tuple[str, ...]] = set()
        for row in rows:
            measure = replace(self.names.measure(row, one.words), part=one.part)
            if measure.row_ids in done:
                continue
            done.add(measure.row_ids)
            value = self.value(measure, row, one, condition=True)
            if aggregate is not None and value.aggregate in (Aggregate.LATEST, Aggregate.ANY, Aggregate.FIRST):
                value = replace(value, aggregate=aggregate)
            if one.lacking:
                value = replace(value, aggregate=Aggregate.LATEST)
                found.append(Condition(value, Comparison.NOT_CHARTED))
            else:
                found.append(compared(value, one, row, self.schema))
        if len(found) == 1:
            return found[0]
        return AllOf(tuple(found)) if one.denied else AnyOf(tuple(found))

    def values(self, shown: Sequence[Asked], window: Window | None = None) -> tuple[Value | Balance, ...]:
        found: dict[Value, None] = {}
        for one in shown:
            if one.total:
                found[self.value(one.total, one.rows[0].row, one, condition=False, window=window)] = None
                continue
            rows = self.choice.of(self.fitting(one))
            for row in rows:
                measure = replace(self.names.measure(row, one.words), part=one.part)
                found[self.value(measure, row, one, condition=False, window=window)] = None
        return tuple(found)

    def value(self, measure: Measure, row: Row, one: Asked, *, condition: bool, window: Window | None = None) -> Value:
        period = self.window if window is None else window
        rate = self._rate(one) if adds_up(row) or one.total else None
        explicit = self._aggregate(row, condition=condition)
        if rate is not None or (
            (adds_up(row) or one.total)
            and explicit in (None, Aggregate.SUM)
            and (period != ALWAYS or explicit or one.total)
        ):
            return self._sum(measure, period, rate)
        if explicit is Aggregate.SUM and not adds_up(row):
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("sum")[0].words)
        if explicit is Aggregate.CHANGE and self.named_window and self.named_window.whole_day and window is None:
            since = self.window.since
            if since is not None and since.date() < self.ward.now.date():
                day = datetime.combine(since.date(), datetime.min.time())
                return Value(measure, explicit, ALWAYS, baseline=Window(day, day + _DAY, self.window.words))
        if condition and explicit is None:
            ever = self.question.has("ever")
            return Value(measure, Aggregate.ANY if ever or period != ALWAYS else Aggregate.LATEST, period)
        return Value(measure, explicit or Aggregate.LATEST, period)

    def _sum(self, measure: Measure, period: Window, rate: Rate | None) -> Value:
        if period == ALWAYS:
            if rate is None and not self.question.has("sum"):
                return Value(measure)
            if rate is not None or not any(
                question_words().find("add_up", tag.words) for tag in self.question.of("sum")
            ):
                period = self.shift()
        self.use("sum", "per_hour", "per_day", "per_kilogram_hour")
        weight = None
        if rate is Rate.KILOGRAM_HOUR:
            rows = self.names.named(["body weight", "patient weight", "weight"])
            if not rows:
                raise refuse(Reason.NOT_IN_THE_NOTES, "weight")
            weight = self.names.measure(rows[0])
        return Value(
            replace(measure, same=measure.same and len(measure.row_ids) == 1), Aggregate.SUM, period, rate, weight
        )

    def shift(self) -> Window:
        """The window of amounts for which none is named."""
        return Window(shift_start(self.ward), None, "this shift")

    def _rate(self, one: Asked) -> Rate | None:
        unit = (one.threshold.unit or "") if one.threshold else ""
        if self.question.has("per_kilogram_hour") or unit.endswith(("/kg/h", "/h/kg")):
            return Rate.KILOGRAM_HOUR
        if (self.question.has("per_hour") or unit.endswith("/h")) and not (chart_unit(one.rows[0].row) or "").endswith(
            "/h"
        ):
            return Rate.HOUR
        if self.question.has("per_day") or unit.endswith("/d"):
            return Rate.DAY
        return None

    def _aggregate(self, row: Row, *, condition: bool) -> Aggregate | None:
        """What the words of the question make of values; None if they do not say."""
        has = self.question.has
        if condition and (self.shows_values or not (row.value_type in NUMBER_TYPES or numbered_options(row))):
            return None
        if (has("highest") and has("lowest")) or (has("first") and has("latest") and not has("change", "when")):
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("lowest", "latest")[0].words)
        if has("when") and not condition:
            self.use("when", "first", "latest")
            if row.value_type in TIME_TYPES:
                return Aggregate.LATEST
            return Aggregate.WHEN_FIRST if has("first") else Aggregate.WHEN_LAST
        for kind, aggregate in _MADE_OF.items():
            if has(kind):
                if aggregate in _OF_NUMBERS and not (row.value_type in NUMBER_TYPES or numbered_options(row)):
                    raise refuse(Reason.NOT_UNDERSTOOD, self.question.of(kind)[0].words, [row.name])
                self.use(kind, *(("first", "latest", "compare") if kind == "change" else ()))
                return aggregate
        single = self.subject.patient_ids is not None or has("per_patient")
        if has("highest", "lowest"):
            past = (
                single
                or self.window != ALWAYS
                or has("ever")
                or re.search(r"\b(?:charted|recorded)\b", self.question.text.lower())
            )
            self.use("highest", "lowest", "ever")
            extreme = Aggregate.HIGHEST if has("highest") else Aggregate.LOWEST
            return extreme if past else Aggregate.LATEST
        if condition:
            return None
        if has("count", "times") and not has("group"):
            if has("who") and not has("times"):  # how many patients, of whom nothing is asked
                raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("count")[0].words, [row.name])
            self.use("count", "times")
            return Aggregate.COUNT
        if has("all"):
            self.use("all")
            return Aggregate.ANY
        if has("latest"):
            self.use("latest")
            return Aggregate.LATEST
        return None
