"""A mention reader that a test scripts by the words of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extraction.estimators.mention_reader import STATUSES, MentionStatus, ReadMention
from extraction.language.spans import Span


def surely(status: MentionStatus, probability: float = 0.98) -> ReadMention:
    """A value of one status, or else current; one that is current may also be taken back."""
    other = MentionStatus.CORRECTED if status is MentionStatus.CURRENT else MentionStatus.CURRENT
    shares = {status: probability, other: 1 - probability}
    return ReadMention(tuple(shares.get(one, 0.0) for one in STATUSES))


class ScriptedReader:
    """Reads a value by its words, in the order in which these are said; what is not scripted is current."""

    def __init__(self, said: Mapping[str, ReadMention | Sequence[ReadMention]]) -> None:
        self._said = {words: [one] if isinstance(one, ReadMention) else list(one) for words, one in said.items()}

    def read(self, text: str, values: Sequence[Span]) -> list[ReadMention]:
        left = {words: list(found) for words, found in self._said.items()}
        current = surely(MentionStatus.CURRENT)
        return [left[words].pop(0) if left.get(words := text[start:end]) else current for start, end in values]
