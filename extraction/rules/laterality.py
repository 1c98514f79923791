"""Rule: statements about one side are not charted for the other.

"Trace edema in the left leg, three plus in the right leg": the language model may use the statement about the right leg
for the left one. If a sentence has statements about both sides, a value of a row for one side must come from words
about that side; "left arm and right arm are swollen" is about both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.filling.evidence import SaidIn, located
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import SAID_TYPES, Row, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Proposals
from extraction.language.body_sites import sides_in
from extraction.language.clauses import clauses
from extraction.language.numbers import numbers
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.words import said_whole
from extraction.rules.changes import Change, flagged, hold_back, replaced


def laterality(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Holds back values of a left or right row that were said about the other side.

    If the row's own side has another option, that one replaces the value.
    """
    for value in proposals.values:
        row = task.schema.row(value.row_id)
        side = meaning_of(task.schema).of(row.id).laterality
        said = SaidIn.of(task, value.evidence) if side else None
        other = _only_side(said) if said else None
        if side is None or said is None or other is None or other == side:
            continue
        clauses = _clauses_of(side, said.sentence)
        if again := _same_words_in(said, clauses):
            yield flagged(value, value=located(task, value, again))
        elif possible := _possible_values(said.sentence, row, clauses):
            own = _with_option(said, row, value, possible)
            finding = Finding("other_side", (said.words, other))
            if own is None:
                yield hold_back(value, finding)
            elif own.value == value.value:
                yield flagged(value, value=own)
            else:
                yield replaced(value, own, finding)


def _only_side(said: SaidIn) -> str | None:
    """The only side in the clauses of a value, if its sentence mentions both."""
    if len(sides_in(said.sentence)) < 2:
        return None
    around = (span for span in clauses(said.sentence) if overlap(span, (said.start, said.end)))
    sides = frozenset[str]().union(*(sides_in(said.sentence, *span) for span in around))
    return next(iter(sides)) if len(sides) == 1 else None


def _clauses_of(side: str, sentence: str) -> list[Span]:
    """The clauses of a sentence that mention only this side."""
    return [span for span in clauses(sentence) if sides_in(sentence, *span) == {side}]


def _same_words_in(said: SaidIn, clauses: Sequence[Span]) -> Evidence | None:
    """The same words about the value's own side, if there are any: "left pupil 3, right pupil 3"."""
    for start, end in clauses:
        if match := said_whole(said.words, said.sentence[start:end]):
            return said.evidence(start + match.start(), start + match.end())
    return None


def _possible_values(sentence: str, row: Row, clauses: Sequence[Span]) -> list[tuple[str, int, int]]:
    """Possible values of a row in these clauses, with their characters: options, or numbers without a name."""
    if row.options:
        return [
            (name, start + a, start + b)
            for start, end in clauses
            for name, (a, b) in said_options(row, sentence[start:end])
        ]
    if row.value_type not in SAID_TYPES:
        return []
    return [("", start + one.start, start + one.end) for start, end in clauses for one in numbers(sentence[start:end])]


def _with_option(
    said: SaidIn, row: Row, value: FilledValue, possible: Sequence[tuple[str, int, int]]
) -> FilledValue | None:
    """The value replaced by the only option that was said; None unless there is exactly one."""
    if not row.options or len({name for name, _, _ in possible}) != 1:
        return None
    name, start, end = possible[0]
    chosen = (name,) if row.value_type is ValueType.MULTI_SELECT else name
    return located(said.task, replace(value, value=chosen), said.evidence(start, end))
