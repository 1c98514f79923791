"""In which order patients are listed, and how many of them: "highest first", "the three lowest"."""

from __future__ import annotations

import re

from extraction.questions.query import Order
from extraction.questions.words.tags import Tag, Tagged
from extraction.questions.words.vocabulary import question_words

_ORDERS = {
    "highest_first": Order.HIGHEST_FIRST,
    "lowest_first": Order.LOWEST_FIRST,
    "newest_first": Order.NEWEST_FIRST,
    "oldest_first": Order.OLDEST_FIRST,
}
_WHO = re.compile(r"\b(?:who|whose|whom|(?:which|what) (?:bed|patient|resident|one)s?)\b", re.IGNORECASE)


def order_of(question: Tagged, used: set[Tag]) -> Order | None:
    """The order that is asked for; its tags are added to `used`."""
    tags = question.of(*_ORDERS)
    used.update(tags)
    return _ORDERS[tags[0].kind] if tags else None


def limit_of(question: Tagged, used: set[Tag]) -> int | None:
    """How many are asked for, beside "highest" or "lowest"; the number is added to `used`."""
    for number in question.of("number"):
        near = [tag for tag in question.of("highest", "lowest") if _gap(number, tag) <= 1]
        value = number.value.numbers[0]
        if near and number not in used and value.is_integer():
            used.add(number)
            return int(value)
    return None


def extreme(
    question: Tagged, order: Order | None, limit: int | None, *, several: bool
) -> tuple[Order | None, int | None]:
    """Order and limit of the highest, lowest, newest or first over all patients; `several`: of more than one value."""
    if order is not None:
        return order, limit
    for kind, of_kind in (("highest", Order.HIGHEST_FIRST), ("lowest", Order.LOWEST_FIRST)):
        named = any(question_words().patterns[kind].fullmatch(tag.words) for tag in question.of("name"))  # "heaviest"
        if question.has(kind) or named:
            return of_kind, limit or 1
    if not (question.has("whose_is_it") or _WHO.search(question.text)):
        return None, limit
    if question_words().find("newest", question.text) and not several:
        return Order.NEWEST_FIRST, 1
    return (Order.OLDEST_FIRST, limit or 1) if question.has("first") else (None, limit)


def _gap(one: Tag, other: Tag) -> int:
    return max(other.start - one.end, one.start - other.end)
