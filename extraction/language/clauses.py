"""Clauses and phrases: the parts of a sentence that each state something; resources/language/<language>/sentences.toml.

A clause ends at a mark within its sentence or before a word that joins it to the next one ("and", "but"); a phrase ends
at these, at a full stop and before "with" and "on", too: "clean, with scant drainage", "91 on two liters".
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
def _ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where clauses end, and where phrases do."""
    of = cues("sentences")
    clause, phrase = of["clause_ends"], [*of["clause_ends"], *of["phrase_ends"]]
    return (
        compiled(rf"{_MARK}|\b(?:{any_of(clause)})\b"),
        compiled(rf"{_MARK}|{_FULL_STOP}|\b(?:{any_of(phrase)})\b"),
    )


@of_vocabularies
def clauses(text: str) -> tuple[Span, ...]:
    """The clauses of a text in order, without what ends them."""
    spans = [match.span() for match in _ends()[0].finditer(text)]
    starts, stops = [0, *(stop for _, stop in spans)], [*(start for start, _ in spans), len(text)]
    return tuple(zip(starts, stops, strict=True))


def clause_of(text: str, position: int) -> Span:
    """The clause of a sentence in which a position lies, from the last end before it to the next one behind it."""
    return _around(_ends()[0], text, (position, position))


def phrase_around(text: str, span: Span) -> Span:
    """From the last end of a phrase before characters [start, end) of a text to the next one behind them."""
    return _around(_ends()[1], text, span)


def _around(end: re.Pattern[str], text: str, span: Span) -> Span:
    start = max((match.end() for match in end.finditer(text) if match.end() <= span[0]), default=0)
    return start, next((match.start() for match in end.finditer(text) if match.start() >= span[1]), len(text))


def said_beside(text: str, span: Span) -> frozenset[str]:
    """What is said around a number up to the next mark or joint on each side, in stems, and the unit that it has."""
    start, end = phrase_around(text, span)
    unit = frozenset(word for word in stems(text[slice(*span)]) if not word.isdigit())
    return stems(f"{text[start : span[0]]} {text[span[1] : end]}") | unit
