"""Where the clause of some words begins and ends."""

from __future__ import annotations

import re

from extraction.reworded import Span

_JOINT = re.compile(r"[,;]\s+(?:and\s+|but\s+|then\s+)?|\s+(?=(?:and|but|then|while)\s)", re.IGNORECASE)
_END = re.compile(r"[;!?\n]|\.(?!\d)|,(?=\s)|\b(?:and|but|with|on)\b", re.IGNORECASE)


def clause_around(text: str, span: Span) -> Span:
    """From the last mark or joint before characters [start, end) of a text to the next one behind them."""
    start = max((match.end() for match in _END.finditer(text, 0, span[0])), default=0)
    end = next((match.start() for match in _END.finditer(text, span[1])), len(text))
    return start, end


def clause_of(text: str, position: int) -> Span:
    """Characters [start, end) of the clause of a sentence in which a position lies."""
    start, end = 0, len(text)
    for joint in _JOINT.finditer(text):
        if joint.end() <= position:
            start = joint.end()
        elif joint.start() >= position:
            end = joint.start()
            break
    return start, end
