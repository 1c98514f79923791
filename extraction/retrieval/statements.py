"""The statements that a dictation's sentences may make about its candidate rows, and how likely each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extraction.estimators.statement_matcher import Matcher, Statement
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment
from extraction.language.spans import Span
from extraction.retrieval.candidates import Candidate


class Sentences:
    """The sentences of a dictation by their index, each with the one before it."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._text = {segment.index: segment.text for segment in segments}
        before = ("", *(segment.text for segment in segments))
        self._before = {segment.index: text for segment, text in zip(segments, before, strict=False)}

    def text(self, index: int) -> str:
        return self._text[index]

    def statement(self, index: int, row: str, value: str = "", said: Span | None = None) -> Statement:
        return Statement(self._text[index], self._before[index], row, value, said)


def matched(
    schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate], matcher: Matcher | None
) -> list[Candidate]:
    """The candidates, each with the log-odds that its best sentence states its row; as they are without a matcher."""
    if matcher is None:
        return list(candidates)
    sentences = Sentences(segments)
    found = matcher.log_odds([sentences.statement(one.segment, schema.row(one.row_id).name) for one in candidates])
    return [replace(one, match=match) for one, match in zip(candidates, found, strict=True)]
