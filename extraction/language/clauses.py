"""Clauses and phrases of a sentence; resources/language/<language>/sentences.toml.

A clause ends at punctuation within the sentence or before a conjunction ("and", "but"). A phrase also ends at a full
stop and before "with" and "on": "clean, with scant drainage", "91 on two liters".
"""

from __future__ import annotations

import re

from extraction.language.spans import Span
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled
from extraction.language.vocabulary.words import stems

_MARK = r"[,;!?]+(?=\s|$)|\n"
_FULL_STOP = r"\.(?!\d)"


@of_vocabularies
def _end_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns that end a clause and a phrase."""
    of = cues("sentences")
    clause, phrase = of["clause_ends"], [*of["clause_ends"], *of["phrase_ends"]]
    return (
        compiled(rf"{_MARK}|\b(?:{any_of(clause)})\b"),
        compiled(rf"{_MARK}|{_FULL_STOP}|\b(?:{any_of(phrase)})\b"),
    )


@of_vocabularies
def clauses(text: str) -> tuple[Span, ...]:
    """Spans of the clauses of a text, in order, without their delimiters."""
    spans = [match.span() for match in _end_patterns()[0].finditer(text)]
    starts, stops = [0, *(stop for _, stop in spans)], [*(start for start, _ in spans), len(text)]
    return tuple(zip(starts, stops, strict=True))


def clause_of(text: str, position: int) -> Span:
    """Span of the clause that contains a position."""
    return _between_ends(_end_patterns()[0], text, (position, position))


def phrase_around(text: str, span: Span) -> Span:
    """Span of the phrase that contains the characters [start, end) of a text."""
    return _between_ends(_end_patterns()[1], text, span)


def _between_ends(end: re.Pattern[str], text: str, span: Span) -> Span:
    start = 0
    for match in end.finditer(text):
        if match.end() <= span[0]:
            start = match.end()
        elif match.start() >= span[1]:
            return start, match.start()
    return start, len(text)


def nearby_words(text: str, span: Span) -> frozenset[str]:
    """Stems of the words that share a phrase with a number, and of the number's unit."""
    start, end = phrase_around(text, span)
    unit = frozenset(word for word in stems(text[slice(*span)]) if not word.isdigit())
    return stems(f"{text[start : span[0]]} {text[span[1] : end]}") | unit
