"""Where a table begins among the first lines of a file or sheet, and what its columns are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extraction.contract.sources.source_table import unique_names

Line = tuple[int, Sequence[str]]

_NUMBER = re.compile(r"(?=\D*\d)[\d\s.,:/%+\-TZ]+(?:[eE][+-]?\d+)?(?:\s*[AaPp]\.?[Mm]\.?)?")  # dates and times, too
_LONGEST_NAME = 80
_PROSE_WORDS = 9


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table: its line, 0 if it has none, and its fields."""

    line: int
    fields: tuple[str, ...]


def find_header(lines: Sequence[Line]) -> Header | None:
    """The header above the given lines, which have at least one value each; None if they are no table.

    The table begins with the first line that is as wide as four fifths of all lines; lines above are titles. If its
    cells are names, it is the header; otherwise the table has none, and every line belongs to it. A column of names
    or codes is a table; lines of prose are none.
    """
    if not lines:
        return None
    lengths = Counter(len(cells) for _, cells in lines)
    usual = max(lengths, key=lambda length: (lengths[length], length))
    filled = max(_used(cells) for _, cells in lines if len(cells) == usual)

    def width_of(cells: Sequence[str]) -> int:
        used = _used(cells)
        return filled if used <= filled <= len(cells) else used

    widths = [width_of(cells) for _, cells in lines]
    width = sorted(widths)[max(0, int(len(widths) * 0.8) - 1)]
    if width == 1 and _used(lines[0][1]) == 1:
        return _one_column(lines)
    for line, cells in lines:
        if width_of(cells) >= width and sum(map(bool, cells)) > 1:
            if are_names(cells[: width_of(cells)]):
                return Header(line, unique_names(cells[: width_of(cells)]))
            break
    return Header(0, unique_names([""] * max(width, filled)))


def is_number(cell: str) -> bool:
    """Whether a cell is a number, a date or a time rather than a name."""
    return _NUMBER.fullmatch(cell.strip()) is not None


def _used(cells: Sequence[str]) -> int:
    return max((place for place, cell in enumerate(cells, start=1) if cell), default=0)


def are_names(cells: Sequence[str]) -> bool:
    """Whether the cells of a line may be the names of columns."""
    names = [cell.strip() for cell in cells if cell.strip()]
    return (
        2 * len(names) >= len(cells)
        and 2 * len(set(names)) > len(names)
        and not any(is_number(name) or len(name) > _LONGEST_NAME for name in names)
    )


def _one_column(lines: Sequence[Line]) -> Header | None:
    cells = [next(filter(None, cells)) for _, cells in lines]
    prose = sum(len(cell.split()) >= _PROSE_WORDS or cell.rstrip().endswith((".", ":", "!", "?")) for cell in cells)
    if len(cells) < 2 or 2 * prose >= len(cells):
        return None
    if is_number(cells[0]):
        return Header(0, unique_names([""]))
    return Header(lines[0][0], unique_names(cells[:1])) if len(cells[0]) <= _LONGEST_NAME else None
