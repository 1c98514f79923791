"""Rule step: what was said of one side is not charted for the other.

"Trace edema in the left leg, three plus in the right leg": the language model may take what was said of the right leg
for the left one. Where a sentence says something of each side, a value of a row that names one of them must come from
words about it; "left arm and right arm are swollen" says it of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import SAID_TYPES, Row, Schema, ValueType
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.body_sites import sides_in
from extraction.language.clauses import clauses
from extraction.language.numbers import numbers
from extraction.language.spans import Span
from extraction.language.vocabulary.words import said_whole
from extraction.rules.changes import Change, flagged, replaced, suppressed


def laterality(text: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """Values of a left or right row that were said of the other side are held back; where its own side has another
    option of the row, that one takes their place."""
    for value in proposals.values:
        row = schema.row(value.row_id)
        side, other = meaning_of(schema).of(row.id).laterality, _side_said(text, value)
        if side is None or other is None or other == side:
            continue
        clauses = _clauses_of(side, text, value)
        if again := _said_again(text, value, clauses):
            yield flagged(value, value=again)
        elif said := _said_in(text, row, clauses):
            own = _with_option(text, row, value, said)
            finding = Finding("other_side", (value.evidence.text, other))
            if own is None:
                yield suppressed(value, finding)
            elif own.value == value.value:
                yield flagged(value, value=own)
            else:
                yield replaced(value, own, finding)


def _side_said(text: str, value: FilledValue) -> str | None:
    """The one side that the clause of a value names, where its sentence names both."""
    said = value.evidence
    sentence = (said.sentence_start, said.sentence_end)
    if len(sides_in(text, *sentence)) < 2:
        return None
    around = (span for span in _clauses(text, value) if span[0] < said.end and said.start < span[1])
    sides = frozenset[str]().union(*(sides_in(text, *span) for span in around))
    return next(iter(sides)) if len(sides) == 1 else None


def _clauses(text: str, value: FilledValue) -> list[Span]:
    """The clauses of a value's sentence."""
    start, end = value.evidence.sentence_start, value.evidence.sentence_end
    return [(start + first, start + last) for first, last in clauses(text[start:end])]


def _clauses_of(side: str, text: str, value: FilledValue) -> list[Span]:
    """The clauses of a value's sentence that name this side alone."""
    return [span for span in _clauses(text, value) if sides_in(text, *span) == {side}]


def _said_again(text: str, value: FilledValue, clauses: Sequence[Span]) -> FilledValue | None:
    """The value with the same words where they are said of its own side, too: "left pupil 3, right pupil 3"."""
    for start, end in clauses:
        if match := said_whole(value.evidence.text, text[start:end]):
            first, last = (start + place for place in match.span())
            return replace(value, evidence=replace(value.evidence, start=first, end=last, text=match.group()))
    return None


def _said_in(text: str, row: Row, clauses: Sequence[Span]) -> list[tuple[str, int, int]]:
    """What these clauses say that a row can hold, with its characters: options by their names, or numbers."""
    if row.options:
        return [
            (name, start + a, start + b)
            for start, end in clauses
            for name, (a, b) in said_options(row, text[start:end])
        ]
    if row.value_type not in SAID_TYPES:
        return []
    return [("", start + one.start, start + one.end) for start, end in clauses for one in numbers(text[start:end])]


def _with_option(text: str, row: Row, value: FilledValue, said: Sequence[tuple[str, int, int]]) -> FilledValue | None:
    """The value with the only option that was said; None where there are none or several."""
    if not row.options or len({name for name, _, _ in said}) != 1:
        return None
    name, start, end = said[0]
    evidence = replace(value.evidence, start=start, end=end, text=text[start:end])
    chosen = (name,) if row.value_type is ValueType.MULTI_SELECT else name
    return replace(value, value=chosen, evidence=evidence)
