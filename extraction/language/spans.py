"""Character spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Span = tuple[int, int]  # characters [start, end)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spoken(Generic[T]):
    """A value and the characters [start, end) that say it."""

    value: T
    start: int
    end: int


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]
