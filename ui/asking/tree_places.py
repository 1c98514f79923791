"""Where the labels of a query tree stand in it, and the tree with another part in that place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from extraction.questions.query import ALWAYS, Aggregate, Balance, Query, Value
from extraction.questions.wording import Chip, ChipKind, chips

Place = tuple[str | int, ...]
ANY_TIME, ANY_VALUE, LATEST = "any time", "any value", "latest"
# parts that are no nodes, and the field that they stand in
_FIELDS: dict[type, str] = {int: "limit", datetime: "around", timedelta: "longer_than"}


@dataclass(frozen=True, slots=True)
class Part:
    """A label with the place of its part in the tree."""

    chip: Chip
    place: Place


def parts_of(query: Query) -> tuple[Part, ...]:
    """The labels of a tree, with those of what it leaves open: "latest" and "any time"."""
    found = list(_placed(query))
    for place, node in _nodes(query):
        if isinstance(node, Value):
            _imply(found, place, node)
        elif hasattr(node, "window"):
            _imply_window(found, place, node)
    return tuple(found)


def part_at(tree: Any, place: Place) -> Any:
    """What stands in a place of a tree; None if it has no such place."""
    for step in place:
        try:
            tree = getattr(tree, step) if isinstance(step, str) else tree[step]
        except (AttributeError, IndexError, TypeError):
            return None
    return tree


def with_part(tree: Any, place: Place, part: object) -> Any:
    """A tree with another part in a place."""
    if not place:
        return part
    step, rest = place[0], place[1:]
    if isinstance(step, str):
        return replace(tree, **{step: with_part(getattr(tree, step), rest, part)})
    return (*tree[:step], with_part(tree[step], rest, part), *tree[step + 1 :])


def is_rate(chip: Chip) -> bool:
    """Whether a label of an aggregate says what an amount is divided by."""
    return chip.kind is ChipKind.AGGREGATE and chip.label.startswith("per ")


def _nodes(node: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    yield place, node
    if is_dataclass(node) and not isinstance(node, type):
        for one in fields(node):
            yield from _nodes(getattr(node, one.name), (*place, one.name))
    elif isinstance(node, tuple):
        for number, one in enumerate(node):
            yield from _nodes(one, (*place, number))


def _placed(query: Query) -> Iterator[Part]:
    """Each label with its place. A node that stands in several places has a label for each of them, in their order."""
    nodes, used, before = list(_nodes(query)), set[tuple[Place, str]](), Place()
    for chip in chips(query):
        kept = _FIELDS.get(type(chip.part))
        places = [place for place, node in nodes if node is chip.part and (kept is None or place[-1:] == (kept,))]
        free = [place for place in places if (place, chip.label) not in used] or places
        place = max(free, key=lambda one: _shared(one, before), default=Place())
        used.add((place, chip.label))
        yield Part(chip, place)
        before = place


def _shared(one: Place, other: Place) -> int:
    """How many steps two places share."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _imply(found: list[Part], place: Place, value: Value) -> None:
    if _last_of(found, place) is None:
        return
    labels = [part.chip for part in found if part.place == place and part.chip.kind is ChipKind.AGGREGATE]
    if all(map(is_rate, labels)):
        label = ANY_VALUE if value.aggregate is Aggregate.ANY else LATEST
        at = next(number for number, part in enumerate(found) if part.place[: len(place)] == place)
        found.insert(at + 1, Part(Chip(ChipKind.AGGREGATE, label, value), place))
    if value.baseline is None:
        _imply_window(found, place, value)


def _imply_window(found: list[Part], place: Place, node: Any) -> None:
    own, last = (*place, "window"), _last_of(found, place)
    if node.window != ALWAYS or last is None or any(part.place == own for part in found):
        return
    if not isinstance(node, Value | Balance):  # there the label of the patients comes last
        last -= found[last].chip.kind is ChipKind.SUBJECT
    found.insert(last + 1, Part(Chip(ChipKind.WINDOW, ANY_TIME, node.window), own))


def _last_of(found: Sequence[Part], place: Place) -> int | None:
    """The number of the last label of a node and what it holds; None if it is not shown."""
    return max((number for number, part in enumerate(found) if part.place[: len(place)] == place), default=None)
