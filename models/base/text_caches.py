"""Caches of what was computed from the words of a dictation, so that they can be emptied when it is deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

Given = ParamSpec("Given")
Made = TypeVar("Made")

_clears: list[Callable[[], None]] = []


def text_cache(maxsize: int) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """As `lru_cache`, for a function that is called with spoken words or names; `forget_texts` empties it."""

    def cached(make: Callable[Given, Made]) -> Callable[Given, Made]:
        kept = lru_cache(maxsize=maxsize)(make)
        _clears.append(kept.cache_clear)
        return cast(Callable[Given, Made], kept)

    return cached


def forget_texts() -> None:
    """Empties the text caches of this process."""
    for clear in _clears:
        clear()
