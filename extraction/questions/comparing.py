"""Two patients or two times side by side, changes between two times, and values in order of time."""

from __future__ import annotations

import re
from dataclasses import replace

from extraction.questions.conditions import refuse
from extraction.questions.parts import Parts
from extraction.questions.query import (
    ALWAYS,
    Aggregate,
    Compare,
    Query,
    Reason,
    Select,
    Subject,
    Value,
)
from extraction.questions.query import Sequence as InOrder
from extraction.questions.words.vocabulary import question_words

_LISTED = re.compile(r"\s*(?:and|vs\.?|versus|to|then|,|&)\s*", re.IGNORECASE)
_ASKS = re.compile(r"\s*(?:is|are|has|have|was|were)\b", re.IGNORECASE)  # "is it trending up" asks for the direction


class Comparing(Parts):
    """Composes comparisons and courses."""

    def _around(self) -> Query:
        clock = self.named_window.clock if self.named_window else None
        if clock is None or not self.asked or any(one.compares or one.denied for one in self.asked):
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("before_after")[0].words)
        self.use("before_after")
        found = [measure for one in self.asked for measure in self.measures(one)]
        return InOrder(self.subject, tuple(found), ALWAYS, clock)

    def _compared(self) -> Query | None:
        """Two patients, or two times, side by side."""
        ids = self.subject.patient_ids or ()
        text = self.question.text
        tags = self.question.of("subject")
        versus = tags and re.search(r"\b(?:vs|versus)\b", tags[0].words, re.IGNORECASE)
        apart = len(tags) == 2 and re.search(
            r"\b(?:or|vs|versus|than)\b", text[tags[0].end : tags[1].start], re.IGNORECASE
        )
        plain = not any(one.compares or one.denied for one in self.asked)
        if (
            len(ids) == 2
            and plain
            and (self.question.has("compare") or apart or versus or question_words().find("heavier", text))
        ):
            self.use("compare", "heavier", "or")
            self.used.update(self.question.of("highest", "lowest"))
            of = [Subject((one,), self._name_of(one)) for one in ids]
            values = self.values(self.asked)
            return Compare(Select(of[0], values), Select(of[1], values))
        if plain and (found := self._two_times()):
            return found
        if len({tag.value.window for tag in self.question.of("window")}) > 1 and self.named_window is None:
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("window")[1].words)
        return None

    def _two_times(self) -> Query | None:
        """Values of two times: side by side, or their difference if that is asked for."""
        tags = self.question.of("window")
        windows = list(dict.fromkeys(tag.value.window for tag in tags))
        between = self.question.text[tags[0].end : tags[1].start] if len(tags) == 2 else ""
        listed = self.subject.patient_ids is not None and _LISTED.fullmatch(between)
        if len(windows) not in (1, 2) or not (self.question.has("compare") or listed):
            return None
        if len(windows) == 1:
            windows = [ALWAYS, *windows]
        self.use("compare", "window", "now", "and", "latest")
        if not self.question.has("change"):
            sides = [Select(self.subject, self.values(self.asked, window)) for window in windows]
            return Compare(sides[0], sides[1])
        later, earlier = sorted(windows, key=lambda one: one.since or self.ward.now, reverse=True)
        found = self.values(self.asked, ALWAYS)
        if not all(isinstance(one, Value) and one.aggregate is Aggregate.CHANGE for one in found):
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("change")[0].words)
        changes = tuple(replace(one, window=later, baseline=earlier) for one in found if isinstance(one, Value))
        return Select(self.subject, changes)

    def _course(self) -> Query | None:
        """All values of a patient in order of time."""
        plain = self.asked and not any(one.compares or one.denied or one.total for one in self.asked)
        if self.subject.patient_ids is None or not plain or self.question.has("missing"):
            return None
        if not (
            self.question.has("oldest_first") or (self.question.has("course") and not _ASKS.match(self.question.text))
        ):
            return None
        self.use("oldest_first", "course", "all", "sort")
        return InOrder(self.subject, tuple(of for one in self.asked for of in self.measures(one)), self.window)

    def _name_of(self, patient_id: int) -> str:
        return next(one.name for one in self.ward.patients if one.id == patient_id)
