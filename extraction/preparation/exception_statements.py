"""Charting by exception: "neuro within defined limits except pupils unequal".

Such a statement charts what the hospital defines for that category (`within_defined_limits` in the schema), without the
rows that the exception speaks of. It is read by rule and kept from the models, which would guess what is normal; what
follows "except" is left to them. A category without a definition is never expanded: what was said of it is shown, and
nothing is charted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Definition, Row, Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Value
from extraction.language.edited_text import Reworded, Span
from extraction.language.negation import negation_cues
from extraction.language.vocabulary.exception_cues import exception_cues
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, flagged

STRATEGY = "definition"
_STOP = re.compile(r"[.!?]+(?=\s|$)|\n")
_CLAUSE = re.compile(r"[.!?;]+(?=\s|$)|\n")
_LONGEST_SUBJECT = 12
# Words of row names that do not say what the row is about.
_COMMON = stems("left right general overall severity present score level total status type the of to and in all type")


@dataclass(frozen=True, slots=True)
class Statement:
    """What was said of one category, in characters of the text it was found in.

    Attributes:
        name: the category as it was said.
        definition: None where the schema defines nothing for it, or where it was denied.
        span: the statement without its exception.
        exception: what follows "except"; None where nothing does.
        denied: whether the category was said not to be within its limits.
    """

    name: str
    definition: Definition | None
    span: Span
    exception: Span | None = None
    denied: bool = False


def statements(text: str, schema: Schema) -> list[Statement]:
    """The statements that a category is within its limits, in their order; of anything else that is, none."""
    return [one for limits in exception_cues().limits.finditer(text) for one in _statements(text, limits, schema)]


def without_statements(text: Reworded, found: Sequence[Statement]) -> Reworded:
    """The text without the statements and the word "except": what the models are to read."""
    return text.without(*_cuts(found))


def _cuts(found: Sequence[Statement]) -> list[Span]:
    cuts = {one.span[0]: (one.span[0], one.exception[0] if one.exception else one.span[1]) for one in found}
    return sorted(cuts.values())


def _statements(text: str, limits: re.Match[str], schema: Schema) -> Iterator[Statement]:
    begin = max((stop.end() for stop in _CLAUSE.finditer(text, 0, limits.start())), default=0)
    start, names = _subject(text, begin, limits.start(), schema)
    if names is None:
        return
    end = limits.end()
    exception = _exception(text, end)
    denied = negation_cues().limits.search(text, start, limits.start()) is not None
    for name, definition in names:
        yield Statement(name, None if denied else definition, (start, end), exception, denied)


def _subject(text: str, begin: int, end: int, schema: Schema) -> tuple[int, list[tuple[str, Definition | None]] | None]:
    """Where the words that name the categories begin, and what they name; None where they name anything else.

    The longest stretch of whole parts between commas and "and" is taken that names nothing but categories.
    """
    joints = exception_cues().joint
    starts = [begin, *(joint.end() for joint in joints.finditer(text, begin, end))]
    for start in starts:
        words = text[start:end].strip(" ,:-")
        if not words or len(words.split()) > _LONGEST_SUBJECT:
            continue
        named = [_named(_bare(part), schema) for part in joints.split(words) if part.strip()]
        if all(one is not None for one in named):
            return text.index(words, start), [one for one in named if one is not None]
    return begin, None


def _bare(part: str) -> str:
    bare = exception_cues().around.sub(" ", negation_cues().limits.sub(" ", part))
    return " ".join(bare.split()).strip(" ,.;:-").casefold()


def _named(words: str, schema: Schema) -> tuple[str, Definition | None] | None:
    """The category that these words name, with its definition; None where they name none."""
    for definition in schema.definitions:
        if words in (_bare(name) for name in definition.names):
            return words, definition
    if schema.definitions and (not words or exception_cues().everything.fullmatch(words)):
        return words or "all systems", None
    categories = {name for row in schema.rows for path in row.categories for name in path}
    if words and words in (_bare(name) for name in categories):
        return words, None
    return None


def _exception(text: str, position: int) -> Span | None:
    """What is excepted, up to the end of its sentence."""
    words = exception_cues().exception.match(text, position)
    if words is None:
        return None
    stop = _STOP.search(text, words.end())
    end = stop.start() if stop else len(text)
    return (words.end(), end) if words.end() < end else None


# what such statements chart


@dataclass(frozen=True, slots=True)
class Heard:
    """A statement in characters of the transcript, and from where to where it goes with its exception."""

    name: str
    definition: Definition | None
    span: Span
    exception: Span | None
    denied: bool
    sentence: Span


def by_definition(
    transcript: str, schema: Schema, heard: Iterable[Heard], proposed: Sequence[FilledValue]
) -> tuple[list[FilledValue], list[Change]]:
    """What the statements chart, and what they say of the proposals of the models.

    A row that an exception speaks of is not charted by definition, nor is one that the models read a value of: what was
    said of a row itself goes before what was said of its category.
    """
    added: dict[str, FilledValue] = {}
    statements = [one for one in heard if one.definition is not None]
    read = {value.row_id for value in proposed}
    excepted = {
        row_id for one in statements if one.exception for row_id in _excepted(transcript, schema, one, proposed)
    }
    for one in statements:
        assert one.definition is not None
        placed = one.exception is None or _is_placed(one, excepted, proposed)
        for row_id, value in one.definition.values:
            row = schema.row(row_id)
            if row_id in read or row_id in added:
                continue
            if row_id not in excepted:
                doubts = [] if placed else [Finding("exception_unmatched", (_said(transcript, one),))]
                doubts += _contradicted(schema, row, value, proposed)
                added[row_id] = _value(transcript, one, row, value, tuple(doubts))
            elif one.exception and isinstance(value, bool):
                added[row_id] = _opposite(transcript, one, row, value=value)
    beside = [(value, list(_differs(transcript, schema, statements, value))) for value in proposed]
    return list(added.values()), [flagged(value, *findings) for value, findings in beside if findings]


def _differs(transcript: str, schema: Schema, statements: Iterable[Heard], value: FilledValue) -> Iterator[Finding]:
    """What the definitions would have said of a proposal of the models, where that differs and was not excepted."""
    for one in statements:
        assert one.definition is not None
        defined = dict(one.definition.values).get(value.row_id, value.value)
        if defined != value.value and not (one.exception and _within(value, one.exception)):
            words = transcript[one.span[0] : one.span[1]]
            yield Finding("would_mean", (words, display(schema.row(value.row_id), defined)))


def _said(transcript: str, one: Heard) -> str:
    assert one.exception is not None
    return transcript[one.exception[0] : one.exception[1]]


def _within(value: FilledValue, span: Span) -> bool:
    return span[0] < value.evidence.end and value.evidence.start < span[1]


def _is_placed(one: Heard, excepted: set[str], proposed: Sequence[FilledValue]) -> bool:
    """Whether the exception is charted, or keeps a row of the definition from being charted."""
    assert one.definition is not None
    assert one.exception is not None
    return any(row_id in excepted for row_id, _ in one.definition.values) or any(
        _within(value, one.exception) for value in proposed
    )


def _excepted(transcript: str, schema: Schema, one: Heard, proposed: Sequence[FilledValue]) -> Iterator[str]:
    """The rows of the definition that its exception speaks of: those of which the models read a value there, those of
    which it says another option or the name, and those with the same options as a row that was read there.

    Where none of that holds, every row counts of whose name a word was said.
    """
    assert one.definition is not None
    assert one.exception is not None
    said = stems(_said(transcript, one))
    read = [schema.row(value.row_id) for value in proposed if _within(value, one.exception)]
    rows = [(schema.row(row_id), value) for row_id, value in one.definition.values]
    found = {
        row.id
        for row, value in rows
        if row in read
        or _is_named(row, said)
        or _other_option(row, value, said)
        or any(_same_options(row, other) for other in read)
    }
    yield from found or {row.id for row, _ in rows if (stems(row.name) - _COMMON) & said}


def _is_named(row: Row, said: frozenset[str]) -> bool:
    """Whether the whole name of the row was said, or a whole synonym of it."""
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


def _contradicted(schema: Schema, row: Row, value: Value, proposed: Sequence[FilledValue]) -> Iterator[Finding]:
    """What the models read of rows with the same options in the same category that is not the defined value."""
    for other in proposed:
        its = schema.row(other.row_id)
        if _same_options(row, its) and row.category == its.category and other.value != value:
            yield Finding("definition_contradicted", (f"{its.name} {display(its, other.value)}",))


def _opposite(transcript: str, one: Heard, row: Row, *, value: bool) -> FilledValue:
    """The other answer to a yes-or-no row that an exception names and of which the models read nothing."""
    assert one.exception is not None
    exception = replace(one, span=one.exception)
    return _value(transcript, exception, row, not value, (Finding("opposite_of_normal"),))


def _value(transcript: str, one: Heard, row: Row, value: Value, findings: tuple[Finding, ...]) -> FilledValue:
    (start, end), (sentence_start, sentence_end) = one.span, one.sentence
    assert one.definition is not None
    return FilledValue(
        row_id=row.id,
        value=value,
        unit=row.unit,
        evidence=Evidence(start, end, transcript[start:end], sentence_start, sentence_end),
        log_probability=0.0,
        not_mentioned=0.0,
        confidence=0.0,  # the rule's own, see `extraction.rules.changes`
        relevance=1.0,
        neighbour=Neighbour(STRATEGY, one.definition.category[-1], 0),
        strategy=STRATEGY,
        findings=findings,
    )
