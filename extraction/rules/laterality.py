"""Rule: statements about one side are not charted for the other.

"Trace edema in the left leg, three plus in the right leg": the language model may use the statement about the right leg
for the left one. If a sentence has statements about both sides, a value of a row for one side must come from words
about that side; "left arm and right arm are swollen" is about both.
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
from extraction.rules.changes import Change, flagged, hold_back, replaced


def laterality(text: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """Holds back values of a left or right row that were said about the other side.

    If the row's own side has another option, that one replaces the value.
    """
    for value in proposals.values:
        row = schema.row(value.row_id)
        side, other = meaning_of(schema).of(row.id).laterality, _only_side(text, value)
        if side is None or other is None or other == side:
            continue
        clauses = _clauses_of(side, text, value)
        if again := _same_words_in(text, value, clauses):
            yield flagged(value, value=again)
        elif said := _possible_values(text, row, clauses):
            own = _with_option(text, row, value, said)
            finding = Finding("other_side", (value.evidence.text, other))
            if own is None:
                yield hold_back(value, finding)
            elif own.value == value.value:
                yield flagged(value, value=own)
            else:
                yield replaced(value, own, finding)


def _only_side(text: str, value: FilledValue) -> str | None:
    """The only side in the clauses of a value, if its sentence mentions both."""
    said = value.evidence
    sentence = (said.sentence_start, said.sentence_end)
    if len(sides_in(text, *sentence)) < 2:
        return None
    around = (span for span in _clauses(text, value) if span[0] < said.end and said.start < span[1])
    sides = frozenset[str]().union(*(sides_in(text, *span) for span in around))
    return next(iter(sides)) if len(sides) == 1 else None


def _clauses(text: str, value: FilledValue) -> list[Span]:
    start, end = value.evidence.sentence_start, value.evidence.sentence_end
    return [(start + first, start + last) for first, last in clauses(text[start:end])]


def _clauses_of(side: str, text: str, value: FilledValue) -> list[Span]:
    """The clauses of a value's sentence that mention only this side."""
    return [span for span in _clauses(text, value) if sides_in(text, *span) == {side}]


def _same_words_in(text: str, value: FilledValue, clauses: Sequence[Span]) -> FilledValue | None:
    """The value moved to the same words about its own side, if there are any: "left pupil 3, right pupil 3"."""
    for start, end in clauses:
        if match := said_whole(value.evidence.text, text[start:end]):
            first, last = (start + place for place in match.span())
            return replace(value, evidence=replace(value.evidence, start=first, end=last, text=match.group()))
    return None


def _possible_values(text: str, row: Row, clauses: Sequence[Span]) -> list[tuple[str, int, int]]:
    """Possible values of a row in these clauses, with their characters: options, or numbers without a name."""
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
    """The value replaced by the only option that was said; None unless there is exactly one."""
    if not row.options or len({name for name, _, _ in said}) != 1:
        return None
    name, start, end = said[0]
    evidence = replace(value.evidence, start=start, end=end, text=text[start:end])
    chosen = (name,) if row.value_type is ValueType.MULTI_SELECT else name
    return replace(value, value=chosen, evidence=evidence)
