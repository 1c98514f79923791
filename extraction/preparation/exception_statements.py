"""Charting by exception: "neuro within defined limits except pupils unequal".

Such a statement charts the values the hospital defines for that category (`within_defined_limits` in the schema), apart
from the rows named in the exception. It is read by rule and hidden from the models, which would guess what is normal;
they read only what follows "except". A category without a definition is never expanded: the statement is shown and
nothing is charted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extraction.flowsheet.schema import Definition, Schema
from extraction.language.edited_text import EditedText
from extraction.language.negation import negation_cues
from extraction.language.spans import Span
from extraction.language.vocabulary.exception_cues import exception_cues

STRATEGY = "definition"
_STOP = re.compile(r"[.!?]+(?=\s|$)|\n")
_CLAUSE = re.compile(r"[.!?;]+(?=\s|$)|\n")
_LONGEST_SUBJECT = 12


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one category, in characters of the text it was found in.

    Attributes:
        name: the category as spoken.
        definition: None if the schema has none for it, or if the statement is negated.
        span: the statement without its exception.
        exception: the text after "except"; None without one.
        denied: whether the category was said not to be within its limits.
    """

    name: str
    definition: Definition | None
    span: Span
    exception: Span | None = None
    denied: bool = False


def statements(text: str, schema: Schema) -> list[Statement]:
    """Statements that a category of the schema is within its limits, in text order."""
    return [one for limits in exception_cues().limits.finditer(text) for one in _statements(text, limits, schema)]


def without_statements(text: EditedText, found: Sequence[Statement]) -> EditedText:
    """The text without the statements and the word "except", for the models to read."""
    return text.without(*_spans_to_cut(found))


def _spans_to_cut(found: Sequence[Statement]) -> list[Span]:
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
    """The start of the words that name the categories, and the categories; None if the words name anything else.

    Takes the longest run of parts between commas and "and" in which every part is a category.
    """
    joints = exception_cues().joint
    starts = [begin, *(joint.end() for joint in joints.finditer(text, begin, end))]
    for start in starts:
        words = text[start:end].strip(" ,:-")
        if not words or len(words.split()) > _LONGEST_SUBJECT:
            continue
        named = [_category(_bare(part), schema) for part in joints.split(words) if part.strip()]
        if all(one is not None for one in named):
            return text.index(words, start), [one for one in named if one is not None]
    return begin, None


def _bare(part: str) -> str:
    bare = exception_cues().around.sub(" ", negation_cues().limits.sub(" ", part))
    return " ".join(bare.split()).strip(" ,.;:-").casefold()


def _category(words: str, schema: Schema) -> tuple[str, Definition | None] | None:
    """The category that the words name, with its definition; None if there is none."""
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
    """Span of the exception, up to the end of its sentence."""
    words = exception_cues().exception.match(text, position)
    if words is None:
        return None
    stop = _STOP.search(text, words.end())
    end = stop.start() if stop else len(text)
    return (words.end(), end) if words.end() < end else None


# what such statements chart


@dataclass(frozen=True, slots=True)
class LocatedStatement:
    """A statement located in the transcript; `sentence` covers it with its exception."""

    name: str
    definition: Definition | None
    span: Span
    exception: Span | None
    denied: bool
    sentence: Span
