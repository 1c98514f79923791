"""Cached analysis of a text, so that every step and rule shares the same sentences, denials and cues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from extraction.language.assertion import Scope, assertion_cues, scopes
from extraction.language.body_sites import sides_in
from extraction.language.negation import absences, denials, negation_cues
from extraction.language.past_states import Ended, Outdated, ended, outdated
from extraction.language.sentences import Segment, segment
from extraction.language.spans import Span
from extraction.language.vocabulary.correction_cues import correction_cues
from extraction.language.vocabulary.exception_cues import exception_cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.patient_cues import newborn_cues

_Former = TypeVar("_Former", Ended, Outdated)


class Analysis:
    """What the cues in a text mark, computed lazily. All positions are character offsets [start, end) into the text.

    The yes-or-no properties let a step skip a text that has nothing for it.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def sentences(self) -> tuple[Segment, ...]:
        return segment(self.text)

    @cached_property
    def says_both_sides(self) -> bool:
        """Whether the text mentions both left and right."""
        return len(sides_in(self.text)) > 1

    @cached_property
    def has_correction_cue(self) -> bool:
        return correction_cues().interregnum.search(self.text) is not None

    @cached_property
    def has_limits(self) -> bool:
        """Whether the text may state that a category is within its limits."""
        return exception_cues().limits.search(self.text) is not None

    @cached_property
    def may_name_newborn(self) -> bool:
        """Whether the text may speak of a newborn."""
        return any(cue.search(self.text) for cue in (newborn_cues().named, newborn_cues().birth))

    @property
    def has_status(self) -> bool:
        """Whether the text may state anything but current findings."""
        return bool(self.scopes or self.ended or self.outdated)

    @cached_property
    def denials(self) -> tuple[Span, ...]:
        """The spans of the text in which findings are denied."""
        cues = negation_cues()
        if not (cues.finding.search(self.text) or cues.finding_before.search(self.text)):
            return ()
        return tuple(denials(self.text))

    @cached_property
    def absences(self) -> tuple[Span, ...]:
        """The spans of the text in which something is said not to be there at all."""
        return tuple(absences(self.text)) if self.denials else ()

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """The spans of the text whose status is anything but a current finding."""
        patterns = (pattern for of in assertion_cues().values() for pattern in (of.forward, of.backward))
        return tuple(scopes(self.text)) if any(pattern.search(self.text) for pattern in patterns) else ()

    @cached_property
    def ended(self) -> tuple[Ended, ...]:
        """What the text says was ended, refused or never begun."""
        return self._in_each_sentence(ended)

    @cached_property
    def outdated(self) -> tuple[Outdated, ...]:
        """What the text says was so, in sentences that say how it is now."""
        return self._in_each_sentence(outdated)

    def _in_each_sentence(self, find: Callable[[str], tuple[_Former, ...]]) -> tuple[_Former, ...]:
        """What is found in each sentence, at its place in the text."""
        return tuple(
            replace(one, start=one.start + sentence.start, end=one.end + sentence.start)
            for sentence in self.sentences
            for one in find(sentence.text)
        )

    def is_denied(self, span: Span) -> bool:
        """Whether a span lies within a denial."""
        return any(scope[0] <= span[0] and span[1] <= scope[1] for scope in self.denials)


@of_vocabularies
def analyse(text: str) -> Analysis:
    """Returns the cached analysis of a text, a sentence or a clause."""
    return Analysis(text)
