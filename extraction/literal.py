"""Rule step: scores and their parts that were said word for word.

A score is only as right as its parts, and a small model may take "very limited" for "completely limited". Where the
sentence of a part says one of its options word for word, and no other, that option is proposed, and both are named.
Rows that no formula rests on are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from extraction.propose import Proposals
from extraction.schema import Option, Row, Schema, ValueType
from extraction.values import FilledValue

# the points that an option's name begins or ends with: '3 - To speech', '1 Bedfast', 'Weak (10)'
_POINTS = re.compile(r"^[+-]?\d+\s*-?\s+|\s*\([+-]?\d+\)$")
_BETWEEN = r"(?:\s+(?:is|was|of|at|now|score|total)|\s*[:,=])*\s+"
_SHORTEST = 4  # characters: 'No' and 'Yes' are said of other things, too


def literal(text: str, schema: Schema, proposals: Proposals) -> Proposals:
    """The proposals with the options that were said word for word, of rows that formulas rest on; and numbers of those
    rows and of totals that were held back although they were said right behind the row's name."""
    parts = {part.row_id for row in schema.rows if row.formula for _, part in row.formula.parts}
    totals = {row.id for row in schema.rows if row.formula}
    if not any(value.row_id in parts | totals for value in (*proposals.values, *proposals.unlikely)):
        return proposals
    values = [
        _literal(text, schema.row(value.row_id), value) if value.row_id in parts else value
        for value in proposals.values
    ]
    filled = {value.row_id for value in values}
    named: dict[str, FilledValue] = {}
    for value in proposals.unlikely:
        if value.row_id in (parts | totals) - filled and _is_named(text, schema.row(value.row_id), value):
            named.setdefault(value.row_id, value)
    if named:
        values = sorted([*values, *named.values()], key=lambda value: -value.confidence)
    unlikely = tuple(value for value in proposals.unlikely if value not in named.values())
    return replace(proposals, values=tuple(values), unlikely=unlikely)


def _is_named(text: str, row: Row, value: FilledValue) -> bool:
    """Whether a number stands right behind the name of its row: 'a MAP of 95'."""
    if row.value_type not in (ValueType.NUMERIC, ValueType.QUANTITY):
        return False
    before = text[value.evidence.sentence_start : value.evidence.start]
    names = "|".join(map(re.escape, sorted((row.name, *row.synonyms), key=len, reverse=True)))
    return re.search(rf"(?<!\w)(?:{names}){_BETWEEN}$", before, re.IGNORECASE) is not None


def _literal(text: str, row: Row, value: FilledValue) -> FilledValue:
    if row.value_type is not ValueType.SINGLE_SELECT:
        return value
    sentence = text[value.evidence.sentence_start : value.evidence.sentence_end]
    said = list(_said(row, sentence))
    if len({name for name, _, _ in said}) != 1 or said[0][0] == value.value:
        return value
    name, start, end = said[0]
    shift = value.evidence.sentence_start
    words = sentence[start:end]
    evidence = replace(value.evidence, start=shift + start, end=shift + end, text=words)
    problem = f"“{words}” was said, the language model took it for {value.value}"
    return replace(value, value=name, evidence=evidence, problems=(*value.problems, problem))


def _said(row: Row, sentence: str) -> Iterator[tuple[str, int, int]]:
    """Options with the characters that say them; of words within other such words, the longer count."""
    found = [
        (option.name, match.start(), match.end())
        for option in row.options
        for match in _words(option).finditer(sentence)
    ]
    for name, start, end in found:
        within = any((begin, stop) != (start, end) and begin <= start and end <= stop for _, begin, stop in found)
        if not within:
            yield name, start, end


@lru_cache(maxsize=4096)
def _words(option: Option) -> re.Pattern[str]:
    names = [_POINTS.sub("", name) for name in (option.name, *option.synonyms)]
    long = sorted((name for name in names if len(name) >= _SHORTEST), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, long)) or '(?!)'})(?!\w)", re.IGNORECASE)
