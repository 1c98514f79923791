"""Literal mentions of a row's options in a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.flowsheet.schema import Option, Row
from extraction.language.spans import Span
from extraction.language.vocabulary.words import is_part


def mentions(sentence: str, option: Option) -> list[Span]:
    """Spans of an option or its synonyms as whole words."""
    return [
        match.span()
        for name in (option.name, *option.synonyms)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE)
    ]


def said_options(row: Row, sentence: str) -> list[tuple[str, Span]]:
    """The options mentioned in a sentence, with their spans; of nested mentions, only the longest."""
    return longest([(option.name, span) for option in row.options for span in mentions(sentence, option)])


def longest(found: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """Removes mentions that lie within another one."""
    return [one for one in found if not any(is_part(one[1], other) for _, other in found)]
