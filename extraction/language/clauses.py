"""Clauses and phrases: the parts of a sentence that each state something; resources/language/<language>/sentences.toml.

A clause ends at a mark or before a word that joins it to the next one ("and", "but"); a phrase ends at these and before
"with" and "on", too: "clean, with scant drainage", "91 on two liters".
"""

from __future__ import annotations

import re
from functools import lru_cache

from extraction.language.cues import cues
from extraction.language.phrases import any_of
from extraction.language.vocabulary import of_vocabularies
from extraction.reworded import Span

_MARK = r"[,;:.!?]+(?=\s|$)|\n"


@of_vocabularies
def _ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where clauses end, and where phrases do."""
    of = cues("sentences")
    clause, phrase = of["clause_ends"], [*of["clause_ends"], *of["phrase_ends"]]
    first, second = (re.compile(rf"{_MARK}|\b(?:{any_of(ends)})\b", re.IGNORECASE) for ends in (clause, phrase))
    return first, second


def clauses(text: str) -> tuple[Span, ...]:
    """The clauses of a text in order, without what ends them."""
    return _between(_ends()[0], text)


def phrases(text: str) -> tuple[Span, ...]:
    """The phrases of a text in order, without what ends them."""
    return _between(_ends()[1], text)


def phrase_around(text: str, span: Span) -> Span:
    """From the last end of a phrase before characters [start, end) of a text to the next one behind them."""
    end = _ends()[1]
    start = max((match.end() for match in end.finditer(text, 0, span[0])), default=0)
    return start, next((match.start() for match in end.finditer(text, span[1])), len(text))


@lru_cache(maxsize=4096)
def _between(end: re.Pattern[str], text: str) -> tuple[Span, ...]:
    spans = [match.span() for match in end.finditer(text)]
    starts, stops = [0, *(stop for _, stop in spans)], [*(start for start, _ in spans), len(text)]
    return tuple(zip(starts, stops, strict=True))
