"""What is not charted, and what is denied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.flowsheet.schema import TIME_TYPES
from extraction.questions.asked import Asked
from extraction.questions.conditions import can_be_present, refuse
from extraction.questions.parts import Parts
from extraction.questions.query import ALWAYS, Missing, Query, Reason
from extraction.questions.words.tags import Tag
from extraction.questions.words.vocabulary import question_words

_HAS_NOT = re.compile(r"(?:has|have|had|did)", re.IGNORECASE)


class Lacking(Parts):
    """Composes questions for what is not charted."""

    def _missing(self) -> Query | None:
        """What is not charted; None if the question is not only about that."""
        tags = self.question.of("missing")
        open_ = [one for one in self.asked if not one.compares]
        others = [one for one in self.asked if one.compares]
        longer = next((tag for tag in self.question.of("threshold") if tag.value.length and tag not in self.used), None)
        denied = [one for one in open_ if one.denied and not self._has_presence(one)]
        if not tags and not denied and not (longer and self.question.has("old")):
            return None
        if tags and others and not open_ and all(_HAS_NOT.match(tag.words) for tag in tags):
            self._denied(tags)
            return None
        if (
            tags
            and all(_HAS_NOT.match(tag.words) and "been" not in tag.words.lower() for tag in tags)
            and not _noted(self.question.text)
            and all(self._has_presence(one) for one in open_)
        ):
            self._denied(tags)  # "has not had chest pain"
            return None
        if not open_:
            return None
        lacking = denied or open_
        self.used.update(tags)
        if others or any(one not in lacking for one in open_):
            for one in lacking:
                one.denied, one.lacking = True, True
            return None
        self.use("old")
        if longer:
            self.used.add(longer)
        if self.window != ALWAYS and any(one.rows[0].row.value_type in TIME_TYPES for one in lacking):
            raise refuse(Reason.NOT_UNDERSTOOD, lacking[0].words)  # when it was charted is not when it was
        found = tuple(measure for one in lacking for measure in self.measures(one))
        query = Missing(self.subject, found, self.window, longer.value.length if longer else None)
        if self.question.has("count"):
            raise refuse(Reason.NOT_UNDERSTOOD, self.question.of("count")[0].words)
        return query

    def _denied(self, tags: Sequence[Tag]) -> None:
        """Takes "has not" as a denial of what stands behind it."""
        self.used.update(tags)
        for tag in tags:
            behind = [one for one in self.asked if one.span[1] > tag.end]
            if not behind:
                raise refuse(Reason.NOT_UNDERSTOOD, tag.words)
            behind[0].denied = not behind[0].denied

    def _has_presence(self, one: Asked) -> bool:
        return any(can_be_present(named.row) for named in one.rows) and not (
            _noted(self.question.text) and not one.options
        )


def _noted(text: str) -> bool:
    return question_words().find("noted", text) is not None
