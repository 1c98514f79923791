"""Rule: what a category within its limits charts, and what its exception says.

The statements are found in `extraction.preparation.exception_statements`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extraction.filling.evidence import located
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.spans import Span
from extraction.language.vocabulary.words import stems
from extraction.preparation.exception_statements import STRATEGY, LocatedStatement
from extraction.rules.changes import Change, added, flagged

# Words of row names that do not identify the topic of the row.
_COMMON = stems("left right general overall severity present score level total status type the of to and in all type")


def within_limits(task: Task, limits: Sequence[LocatedStatement], proposals: Proposals) -> Iterator[Change]:
    """Charts the stated definitions."""
    defined, beside = by_definition(task.transcript, task.schema, limits, proposals.values)
    yield from beside
    for value in defined:
        held_back = [one for one in proposals.held_back if one.row_id == value.row_id]
        bare = replace(value, findings=())  # drops the findings, which this rule adds and signs itself
        placed = located(task, bare, bare.evidence)
        # no model has read it, so an unclear time lights it
        unclear = [Finding("time_unclear", (one.text,)) for one in placed.findings]
        yield added(replace(placed, findings=()), *value.findings, *unclear, instead_of=held_back)


def by_definition(
    transcript: str, schema: Schema, heard: Iterable[LocatedStatement], proposed: Sequence[FilledValue]
) -> tuple[list[FilledValue], list[Change]]:
    """The values that the statements chart, and their findings about the models' proposals.

    A row named in an exception is not charted by definition, nor is one with a proposal: a statement about the row
    itself takes precedence over one about its category.
    """
    charted: dict[str, FilledValue] = {}
    statements = [one for one in heard if one.definition is not None]
    read = {value.row_id for value in proposed}
    excepted = {
        row_id for one in statements if one.exception for row_id in _excepted(transcript, schema, one, proposed)
    }
    for one in statements:
        assert one.definition is not None
        placed = one.exception is None or _exception_matches(one, excepted, proposed)
        for row_id, value in one.definition.values:
            row = schema.row(row_id)
            if row_id in read or row_id in charted:
                continue
            if row_id not in excepted:
                doubts = [] if placed else [Finding("exception_unmatched", (_exception_text(transcript, one),))]
                doubts += _contradictions(schema, row, value, proposed)
                charted[row_id] = _value(transcript, one, row, value, tuple(doubts))
            elif one.exception and isinstance(value, bool):
                charted[row_id] = _opposite_answer(transcript, one, row, value=value)
    beside = [(value, list(_differing_definitions(transcript, schema, statements, value))) for value in proposed]
    return list(charted.values()), [flagged(value, *findings) for value, findings in beside if findings]


def _differing_definitions(
    transcript: str, schema: Schema, statements: Iterable[LocatedStatement], value: FilledValue
) -> Iterator[Finding]:
    """What the definitions would have charted instead of a proposal, unless it was excepted."""
    for one in statements:
        assert one.definition is not None
        defined = dict(one.definition.values).get(value.row_id, value.value)
        if defined != value.value and not (one.exception and _is_within(value, one.exception)):
            words = transcript[one.span[0] : one.span[1]]
            yield Finding("would_mean", (words, display(schema.row(value.row_id), defined)))


def _exception_text(transcript: str, one: LocatedStatement) -> str:
    assert one.exception is not None
    return transcript[one.exception[0] : one.exception[1]]


def _is_within(value: FilledValue, span: Span) -> bool:
    return span[0] < value.evidence.end and value.evidence.start < span[1]


def _exception_matches(one: LocatedStatement, excepted: set[str], proposed: Sequence[FilledValue]) -> bool:
    """Whether the exception matches a proposal or a row of the definition."""
    assert one.definition is not None
    assert one.exception is not None
    return any(row_id in excepted for row_id, _ in one.definition.values) or any(
        _is_within(value, one.exception) for value in proposed
    )


def _excepted(transcript: str, schema: Schema, one: LocatedStatement, proposed: Sequence[FilledValue]) -> Iterator[str]:
    """The rows of the definition that its exception is about.

    Rows with a proposal from the exception, rows of which it states another option or the name, and rows with the same
    options as a row with such a proposal. If there are none, every row with a word of its name in the exception.
    """
    assert one.definition is not None
    assert one.exception is not None
    said = stems(_exception_text(transcript, one))
    read = [schema.row(value.row_id) for value in proposed if _is_within(value, one.exception)]
    rows = [(schema.row(row_id), value) for row_id, value in one.definition.values]
    found = {
        row.id
        for row, value in rows
        if row in read
        or _says_whole_name(row, said)
        or _other_option(row, value, said)
        or any(_same_options(row, other) for other in read)
    }
    yield from found or {row.id for row, _ in rows if (stems(row.name) - _COMMON) & said}


def _says_whole_name(row: Row, said: frozenset[str]) -> bool:
    """Whether the row's whole name or a whole synonym was said."""
    return any(words and words <= said for words in map(stems, (row.name, *row.synonyms)))


def _other_option(row: Row, value: Value, said: frozenset[str]) -> bool:
    chosen = value if isinstance(value, tuple) else (value,)
    return any(
        words and words <= said
        for option in row.options
        if option.name not in chosen
        for words in map(stems, (option.name, *option.synonyms))
    )


def _same_options(row: Row, other: Row) -> bool:
    return row.id != other.id and bool(row.options) and row.option_names == other.option_names


def _contradictions(schema: Schema, row: Row, value: Value, proposed: Sequence[FilledValue]) -> Iterator[Finding]:
    """Proposals for rows with the same options and category that differ from the defined value."""
    for other in proposed:
        its = schema.row(other.row_id)
        if _same_options(row, its) and row.category == its.category and other.value != value:
            yield Finding("definition_contradicted", (f"{its.name} {display(its, other.value)}",))


def _opposite_answer(transcript: str, one: LocatedStatement, row: Row, *, value: bool) -> FilledValue:
    """The other answer to a yes-or-no row that an exception names and that has no proposal."""
    assert one.exception is not None
    exception = replace(one, span=one.exception)
    return _value(transcript, exception, row, not value, (Finding("opposite_of_normal"),))


def _value(
    transcript: str, one: LocatedStatement, row: Row, value: Value, findings: tuple[Finding, ...]
) -> FilledValue:
    (start, end), (sentence_start, sentence_end) = one.span, one.sentence
    assert one.definition is not None
    return FilledValue(
        row_id=row.id,
        value=value,
        unit=row.unit,
        evidence=Evidence(start, end, transcript[start:end], sentence_start, sentence_end),
        log_probability=0.0,
        not_mentioned=0.0,
        confidence=0.0,  # the rule's precision is set by `extraction.rules.changes`
        relevance=1.0,
        neighbour=Neighbour(STRATEGY, one.definition.category[-1], 0),
        strategy=STRATEGY,
        findings=findings,
    )
