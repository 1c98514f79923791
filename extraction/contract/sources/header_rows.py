"""Headers of two or more rows, in which a cell that is merged over several columns stands above their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from extraction.contract.sources.header import Line, are_names

_FEWEST = 2
_MOST_ROWS = 4

Ranges = list[tuple[int, int]]


def with_joined_header(lines: Sequence[Line], merged: Callable[[int], Ranges]) -> list[Line]:
    """The lines, with the rows of such a header as one line in the place of the last of them.

    Args:
        lines: from the first one on, each with its number.
        merged: the ranges of columns that are merged in the line of a number, each as its first and last place.
    """
    first = next((at for at, (_, cells) in enumerate(lines) if sum(map(bool, cells)) >= _FEWEST), len(lines))
    found = list(lines)
    for _ in range(_MOST_ROWS - 1):
        if first + 1 >= len(found) or found[first + 1][0] != found[first][0] + 1:
            break
        joined = _joined(found[first][1], found[first + 1][1], merged(found[first][0]))
        if joined is None:
            break
        found[first : first + 2] = [(found[first + 1][0], joined)]
    return found


def _joined(upper: Sequence[str], lower: Sequence[str], ranges: Ranges) -> list[str] | None:
    """Names of columns made of two rows: those below, and those above where nothing stands below."""
    width = max(len(upper), len(lower))
    above, below = ([*cells, *[""] * (width - len(cells))] for cells in (upper, lower))
    within = {at: first for first, last in ranges for at in range(first, last + 1) if at < width}
    if not within or not all(below[at].strip() for at in within) or sum(map(bool, above)) < _FEWEST:
        return None
    if any(one and other for at, (one, other) in enumerate(zip(above, below, strict=True)) if at not in within):
        return None  # a name above a value
    repeated = {name for name, count in Counter(map(str.casefold, filter(None, below))).items() if count > 1}
    names = [
        f"{above[within[at]]} {name}" if name.casefold() in repeated and at in within else name or above[at]
        for at, name in enumerate(below)
    ]
    return names if are_names(names) else None
