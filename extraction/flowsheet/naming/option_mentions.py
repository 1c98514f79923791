"""Literal mentions of a row's options in a sentence, and of their opposites: "unlabored" says Labored's opposite."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.flowsheet.schema import Option, Row
from extraction.language.negation import SHORTEST_NEGATED, negation_cues
from extraction.language.spans import Span
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import compiled
from extraction.language.vocabulary.words import is_part

_WORD = re.compile(rf"[^\W\d_]{{{SHORTEST_NEGATED},}}")


def mentions(sentence: str, option: Option) -> list[Span]:
    """Spans of an option or its synonyms as whole words, which no prefix turns round."""
    behind_prefix = negation_cues().behind_prefix
    return [
        match.span()
        for name in (option.name, *option.synonyms)
        for match in _said(name).finditer(sentence)
        if not behind_prefix.search(sentence, 0, match.start())
    ]


def opposite_mentions(sentence: str, option: Option) -> list[Span]:
    """Spans of an option or its synonyms with one of its words turned round by a prefix: "non tender" for Tender."""
    return [
        match.span()
        for name in (option.name, *option.synonyms)
        for match in _opposite(name).finditer(sentence)
        if negation_cues().not_negated.isdisjoint(match.group().lower().split())
    ]


def turns_round(option: Option, words: str) -> bool:
    """Whether an option or one of its synonyms is these words with a prefix that turns them round."""
    return any(_opposite(words).fullmatch(name) for name in (option.name, *option.synonyms))


def said_options(row: Row, sentence: str) -> list[tuple[str, Span]]:
    """The options mentioned in a sentence, with their spans; of nested mentions, only the longest."""
    return longest([(option.name, span) for option in row.options for span in mentions(sentence, option)])


def longest(found: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """Removes mentions that lie within another one."""
    return [one for one in found if not any(is_part(one[1], other) for _, other in found)]


@of_vocabularies
def _said(name: str) -> re.Pattern[str]:
    """A pattern for a name as whole words, however a prefix in it is written: "non tender", "nontender"."""
    return compiled(rf"(?<!\w){_spelt(name)}(?!\w)")


@of_vocabularies
def _opposite(name: str) -> re.Pattern[str]:
    """A pattern for a name with a prefix before one of its words."""
    prefix = negation_cues().prefix.pattern
    places = (word.start() for word in _WORD.finditer(name))
    turned = "|".join(f"{_spelt(name[:place])}{prefix}{_spelt(name[place:])}" for place in places)
    return compiled(rf"(?<!\w)(?:{turned or '(?!)'})(?!\w)")


def _spelt(name: str) -> str:
    """Source of a pattern for a name in any spelling of its prefixes."""
    found, last = "", 0
    for word in negation_cues().prefixed.finditer(name):
        if word.group().lower() in negation_cues().not_negated:
            continue
        start, end = word.span("apart" if word["apart"] is not None else "joined")
        found += re.escape(name[last:start]) + (r"[\s-]*" if word["apart"] is not None else "-?")
        last = end
    return found + re.escape(name[last:])
