"""Composes the query tree from the tags of a question, by rules from the rarest kind of question to the commonest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import cast

from extraction.flowsheet.schema import TIME_TYPES
from extraction.language.vocabulary.words import stems
from extraction.questions.asked import Asked, asked_of
from extraction.questions.comparing import Comparing
from extraction.questions.conditions import refuse
from extraction.questions.gates import quote_start
from extraction.questions.lacking import Lacking
from extraction.questions.ordering import extreme, limit_of, order_of
from extraction.questions.query import (
    ALWAYS,
    WARD,
    Aggregate,
    Balance,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Measure,
    Order,
    OverPatients,
    Query,
    Quote,
    Reason,
    Select,
    Subject,
    Value,
    Window,
)
from extraction.questions.query import (
    Sequence as InOrder,
)
from extraction.questions.words.names import NamedRow, Rank
from extraction.questions.words.tags import Tag
from extraction.questions.words.vocabulary import question_words
from extraction.questions.words.windows import NamedWindow

_DAY = timedelta(days=1)
_JOINED = re.compile(r"(?:[\s,;&/]|\b(?:and|or|vs\.?|versus|than|with|to|of|for)\b)+", re.IGNORECASE)
# Cues that may stand unused, because they ask for what is answered anyway.
_IDLE = frozenset(
    (
        *("who", "and", "with", "latest", "all", "whose_is_it", "per_patient", "sort", "now", "ever", "old", "count"),
        *("heavier", "positive", "negative", "times", "over_ward"),
    )
)


class Composer(Comparing, Lacking):
    """Composes the tree of one question."""

    def query(self) -> Query:
        """The tree. Raises Refused."""
        has = self.question.has
        self.subject, self.named_window = self._subject(), self._window()
        if (start := quote_start(self.question)) is not None:
            return self._quote(start)
        self.asked = asked_of(self.question, self.names, self.used)
        if has("before_after"):
            return self._around()
        if has("in_out", "balance", "positive", "negative") and (fluids := self._fluids()):
            return fluids
        if has("everything") and not self.asked:
            self.use("everything")
            if self.subject == WARD and self.window == ALWAYS:
                raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("everything")[0].words)
            return InOrder(self.subject, (), self.window)
        self._add_totals()
        if not self.asked:
            raise refuse(Reason.NOT_UNDERSTOOD)
        self._refuse_unjoined()
        return self._missing() or self._compared() or self._course() or self._grouped() or self._selected()

    def unused(self) -> list[Tag]:
        """Tags that say something that the tree leaves out."""
        harmless = question_words().harmless
        return [
            tag
            for tag in self.question.tags
            if tag not in self.used
            and tag.kind not in _IDLE
            and not (tag.kind == "name" and all(word in harmless for word in re.findall(r"[\w']+", tag.words.lower())))
        ]

    def _subject(self) -> Subject:
        tags = self.question.of("subject")
        self.used.update(tags)
        text = self.question.text
        for one, other in pairwise(tags):
            if not _JOINED.fullmatch(text, one.end, other.start):
                raise refuse(Reason.NOT_UNDERSTOOD, f"{one.words} {other.words}")
        for tag in tags:
            if any(not text[one.end : tag.start].strip() for one in self.question.of("not") if one.end <= tag.start):
                raise refuse(Reason.NOT_UNDERSTOOD, f"except {tag.words}")
        ids = tuple(dict.fromkeys(one for tag in tags for one in tag.value.patient_ids))
        return Subject(ids, ", ".join(tag.words for tag in tags)) if tags else WARD

    def _window(self) -> NamedWindow | None:
        tags = self.question.of("window")
        if not tags:
            lengths = self.question.of("length") or self.spans()
            if len(lengths) != 1:
                return None
            tag = lengths[0]
            self.used.add(tag)
            length = tag.value if isinstance(tag.value, timedelta) else tag.value.length
            window = Window(self.ward.now.replace(second=0, microsecond=0) - length, None, tag.words)
            return NamedWindow(tag.start, tag.end, window)
        if len({(tag.value.window.since, tag.value.window.until) for tag in tags}) > 1:
            return None
        self.used.update(tags)
        return cast("NamedWindow", tags[0].value)

    def _quote(self, start: int) -> Quote:
        taken = sorted(
            [tag for tag in self.question.tags if tag.kind in ("subject", "window") and tag.end > start],
            key=lambda tag: tag.start,
        )
        text, at, parts = self.question.text, start, []
        for tag in taken:
            parts.append(text[at : tag.start])
            at = max(at, tag.end)
        parts.append(text[at:])
        topic = " ".join(re.findall(r"[\w'’/-]+", " ".join(parts)))
        topic = re.sub(
            r"^(?:(?:the|a|an|about|of|on|regarding|any|for)\s+)+|(?:\s+(?:in|of|for|on|by|with|from|about|the|bed|today))+$",
            "",
            topic,
        )
        if not topic:
            raise refuse(Reason.NOT_UNDERSTOOD)
        self.used.update(self.question.tags)
        return Quote(topic, self.subject, self.window)

    def _fluids(self) -> Query | None:
        """Intake, output and balance. None if the question is about a row instead."""
        if self.asked or not (self.names.intake and self.names.output):
            if self.question.has("in_out", "balance") and not self.asked:
                raise refuse(Reason.NOT_IN_THE_NOTES, self.question.of("in_out", "balance")[0].words)
            return None
        window = self.window if self.window != ALWAYS else self.shift()
        balance = Balance(window)
        thresholds = self.question.of("threshold")
        if self.use("in_out"):
            both = [
                Measure(side, ids, same=False)
                for side, ids in (("Intake", self.names.intake), ("Output", self.names.output))
            ]
            values = [Value(one, Aggregate.SUM, window) for one in both]
            return Select(self.subject, (*values, balance))
        if not thresholds:
            order = order_of(self.question, self.used)
            return Select(self.subject, (balance,), None, order) if self.use("balance") else None
        self.use("balance", "threshold", "positive", "negative")
        threshold = thresholds[0].value
        numbers, comparison = threshold.numbers, threshold.comparison
        if self.question.has("negative"):
            mirrored = {Comparison.ABOVE: Comparison.BELOW, Comparison.AT_LEAST: Comparison.AT_MOST}
            if comparison not in mirrored:
                raise refuse(Reason.NOT_UNDERSTOOD, thresholds[0].words)
            comparison, numbers = mirrored[comparison], tuple(-one for one in numbers)
        return self._counted(
            Select(
                self.subject,
                (),
                Condition(balance, comparison, (), numbers, threshold.unit),
                order_of(self.question, self.used),
            )
        )

    def _add_totals(self) -> None:
        """Adds all rows of intake or of output, where they are asked for as a whole."""
        for kind, name, ids in (
            ("intake_total", "Intake", self.names.intake),
            ("output_total", "Output", self.names.output),
        ):
            for tag in self.question.of(kind):
                if self._restates(tag):
                    continue
                if not ids:
                    raise refuse(Reason.NOT_IN_THE_NOTES, tag.words)
                self.used.add(tag)
                first = NamedRow(self.schema.row(ids[0]), Rank.NAME)
                total = Measure(name, ids, tag.words, same=False)
                self.asked.append(Asked([first], (tag.start, tag.end), tag.words, total=total))
        self.asked.sort(key=lambda one: one.span)

    def _restates(self, tag: Tag) -> bool:
        """Whether "output" only says of what an option before it is: "watery output"."""
        text = self.question.text
        before = [one for one in self.asked if one.options and not text[one.span[1] : tag.start].strip()]
        if tag.words.lower() not in ("output", "outputs") or not any(one.span[1] <= tag.start for one in before):
            return False
        self.used.add(tag)
        return True

    def _refuse_unjoined(self) -> None:
        """Refuses a question of two things that no word joins: it is likelier that one of them was misread."""
        joints = self.question.of("and", "or", "with", "not", "missing", "since_when", "who")
        for one, other in pairwise(self.asked):
            between = self.question.text[one.span[1] : other.span[0]]
            joined = any(one.span[0] <= tag.start < other.span[1] for tag in joints)
            if one.span != other.span and not joined and not re.search(r"[,;:?&/]", between):
                if not between.strip() and all(map(_is_short, (one, other))):
                    continue  # "hr rr and sat"
                raise refuse(Reason.NOT_UNDERSTOOD, f"{one.words} {other.words}")

    def _grouped(self) -> Query | None:
        if not self.question.has("group"):
            return None
        self.use("group", "count")
        shown = [one for one in self.asked if not one.compares]
        if len(shown) != 1 or shown[0].denied:
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("group")[0].words)
        where = self.where([one for one in self.asked if one.compares])
        return Group(Select(self.subject, self.values(shown), where))

    def _selected(self) -> Query:
        """Values of patients, and which patients."""
        conditions = [one for one in self.asked if one.compares or one.denied or self.is_presence(one)]
        shown = [one for one in self.asked if one not in conditions]
        self.shows_values = bool(shown)
        limit, order = limit_of(self.question, self.used), order_of(self.question, self.used)
        if conditions and not shown and (found := self._since_when(conditions)):
            return found
        when = self.question.of("when")
        newest = question_words().find("newest", self.question.text) and self.question.has("who")
        if conditions and not shown and newest and not when:
            self.use("latest")
            where = self.where(conditions, Aggregate.ANY)
            return self._counted(Select(self.subject, (), where, order or Order.NEWEST_FIRST, limit or 1))
        if conditions and (self.question.has("first") or when):
            last = self.question.has("latest") and not self.question.has("first")
            self.use("first", "when", "latest")
            order, limit = order or (Order.NEWEST_FIRST if last else Order.OLDEST_FIRST), limit or 1
            return self._counted(Select(self.subject, (), self.where(conditions, Aggregate.ANY), order, limit))
        where = self.where(conditions)
        if self.question.has("count") and where is not None and not shown:
            return self._counted(Select(self.subject, (), where, order, limit))
        values = self.values(shown)
        single = self.subject.patient_ids is not None
        if values and not single and not self.question.has("per_patient"):
            order, limit = extreme(self.question, order, limit, several=len(values) > 1)
        if not single and not self.question.has("per_patient") and len(values) == 1:
            value = values[0]
            if isinstance(value, Value) and value.aggregate is Aggregate.SUM and self.use("over_ward"):
                return OverPatients(Aggregate.SUM, Select(self.subject, (value,), where))
            if isinstance(value, Value) and self.question.has("mean"):
                latest = replace(value, aggregate=Aggregate.LATEST if value.window == ALWAYS else Aggregate.MEAN)
                return OverPatients(Aggregate.MEAN, Select(self.subject, (latest,), where))
        return self._counted(Select(self.subject, values, where, order, limit))

    def _counted(self, select: Select) -> Query:
        if self.question.has("count") and select.where is not None and not self.question.has("times"):
            self.use("count")
            return CountPatients(replace(select, order=None, limit=None))
        return select

    def _since_when(self, conditions: Sequence[Asked]) -> Query | None:
        """Who has something, and since when: with the time at which it began, if a row records that."""
        if not self.use("since_when"):
            return None
        where = self.where(conditions)
        condition = where if isinstance(where, Condition) else None
        if condition is None or not isinstance(condition.value, Value):
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("since_when")[0].words)
        measure = condition.value.measure
        row = self.schema.row(measure.row_ids[0])
        begins = stems("insertion inserted start started placed placement began onset")
        own = stems(row.name)
        known = [
            (len(stems(one.name) & own), one)
            for one in self.schema.rows
            if one.value_type in TIME_TYPES
            and one.category == row.category
            and stems(one.name) & begins
            and stems(one.name) & own
        ]
        best = max(known, key=lambda pair: pair[0])[1] if known else None
        since = Value(self.names.measure(best)) if best else Value(measure, Aggregate.WHEN_FIRST)
        return Select(self.subject, (Value(measure), since), where)


_SHORT = 4  # letters of abbreviations that are listed without commas


def _is_short(one: Asked) -> bool:
    """Whether a row is named by an abbreviation, as in a list without commas."""
    return len(one.words) <= _SHORT and not (one.compares or one.denied or one.total)
