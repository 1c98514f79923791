"""Quotes from transcripts, shortened between words."""

from __future__ import annotations

from collections.abc import Callable

MORE = "…"

CONTEXT_CHARACTERS = 140  # of a sentence, before and after the words that a value was read from


def around(text: str, start: int, end: int, within: tuple[int, int], most: int) -> tuple[str, str]:
    """The text before and after a span, in whole words, about `most` characters each.

    Args:
        start, end: the span.
        within: the longest part of the text to quote, such as the sentence.
    """
    first, last = _word_start(text, min(within[0], start)), _word_end(text, max(within[1], end))
    left, right = first, last
    if start - most > first:
        left = _next_word(text, start - most, start)
    if end + most < last:
        right = _word_before(text, end + most, end)
    before, after = text[left:start], text[end:right]
    return (MORE if left > first else "") + before, after + (MORE if right < last else "")


def ends_with(text: str, fits: Callable[[str], bool]) -> str:
    """The first words of a text that fit, with an ellipsis if shortened; at least the ellipsis."""
    if fits(text):
        return text
    end = len(text.rstrip())
    while end := len(text[:end].rstrip()):
        while end and not text[end - 1].isspace():
            end -= 1
        if fits(shown := text[:end].rstrip() + MORE):
            return shown
    return MORE


def begins_with(text: str, fits: Callable[[str], bool]) -> str:
    """As `ends_with`, but keeps the last words."""
    if fits(text):
        return text
    start = 0
    while start < len(text):
        while start < len(text) and text[start].isspace():
            start += 1
        while start < len(text) and not text[start].isspace():
            start += 1
        if fits(shown := MORE + text[start:].lstrip()):
            return shown
    return MORE


def _word_start(text: str, place: int) -> int:
    while 0 < place < len(text) and not text[place - 1].isspace() and not text[place].isspace():
        place -= 1
    return place


def _word_end(text: str, place: int) -> int:
    while 0 < place < len(text) and not text[place - 1].isspace() and not text[place].isspace():
        place += 1
    return place


def _next_word(text: str, place: int, limit: int) -> int:
    """The start of the first word after `place`; if none starts before `limit`, the start of the word at `limit`."""
    at = place
    while at < limit and at and not text[at - 1].isspace():
        at += 1
    while at < limit and text[at].isspace():
        at += 1
    return at if at < limit else _word_start(text, limit)


def _word_before(text: str, place: int, limit: int) -> int:
    at = place
    while at > limit and at < len(text) and not text[at].isspace():
        at -= 1
    while at > limit and text[at - 1].isspace():
        at -= 1
    return at if at > limit else _word_end(text, limit)
