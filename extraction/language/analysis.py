"""A text analysed once: every step and rule reads the same sentences, denials and cues of it."""

from __future__ import annotations

from functools import cached_property

from extraction.language.assertion import Scope, assertion_cues, scopes
from extraction.language.body_sites import sides_in
from extraction.language.negation import denials, negation_cues
from extraction.language.sentences import Segment, segment
from extraction.language.spans import Span
from extraction.language.vocabulary.correction_cues import correction_cues
from extraction.language.vocabulary.exception_cues import exception_cues
from extraction.language.vocabulary.loader import of_vocabularies


class Analysis:
    """What a text says, found when it is first asked for. All places are characters [start, end) of the text.

    What only says whether there is a cue lets a step that has nothing to do be passed over.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def sentences(self) -> tuple[Segment, ...]:
        return segment(self.text)

    @cached_property
    def says_both_sides(self) -> bool:
        """Whether left and right are both said."""
        return len(sides_in(self.text)) > 1

    @cached_property
    def has_correction_cue(self) -> bool:
        return correction_cues().interregnum.search(self.text) is not None

    @cached_property
    def has_limits(self) -> bool:
        """Whether a category may be said to be within its limits."""
        return exception_cues().limits.search(self.text) is not None

    @cached_property
    def denials(self) -> tuple[Span, ...]:
        """Where what is named is denied."""
        cues = negation_cues()
        if not (cues.finding.search(self.text) or cues.finding_before.search(self.text)):
            return ()
        return tuple(denials(self.text))

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """What is said with another status than that of a current finding."""
        patterns = (pattern for of in assertion_cues().values() for pattern in (of.forward, of.backward))
        return tuple(scopes(self.text)) if any(pattern.search(self.text) for pattern in patterns) else ()

    def is_denied(self, span: Span) -> bool:
        """Whether these characters stand in what the text denies."""
        return any(scope[0] <= span[0] and span[1] <= scope[1] for scope in self.denials)


@of_vocabularies
def analyse(text: str) -> Analysis:
    """The analysis of a text, a sentence or a clause, made once."""
    return Analysis(text)
