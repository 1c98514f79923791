"""Where a sentence says an option of a row, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.flowsheet.schema import Option, Row
from extraction.language.spans import Span
from extraction.language.vocabulary.words import is_part


def mentions(sentence: str, option: Option) -> list[Span]:
    """Where an option or a synonym of it is said, whole words each."""
    return [
        match.span()
        for name in (option.name, *option.synonyms)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE)
    ]


def said_options(row: Row, sentence: str) -> list[tuple[str, Span]]:
    """The options that a sentence says, with their places; of words within others, the longer count."""
    return longest([(option.name, span) for option in row.options for span in mentions(sentence, option)])


def longest(found: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """Those of some mentions that do not lie within another one."""
    return [one for one in found if not any(is_part(one[1], other) for _, other in found)]
