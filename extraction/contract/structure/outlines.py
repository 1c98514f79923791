"""Sources in which lines of groups stand above the lines of their rows: the groups become columns of the rows.

What tells them apart is a number of the level, a numbering such as 2.1.3, how far a name is indented, a column of
kinds, or that the line of a group has a name and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, pairwise

from extraction.contract.catalogue import Record, Table
from extraction.contract.rows.groups import are_kinds, is_group_kind
from extraction.contract.sources.ragged_lines import Record as Line
from extraction.contract.sources.source_table import SourceTable
from extraction.contract.value_shapes import tidied, words_in

_MOST_LINES = 20_000  # a longer source is no outline
_LOOKED_AT = 400
_OF_LEVELS = frozenset("level depth indent tier lvl hierarchy outline".split())
_OF_PARENTS = frozenset("parent upper belongs".split())
_NUMBERING = re.compile(r"\d{1,3}(?:\.\d{1,3})*\.?")
_DEEPEST, _FEWEST_GROUPS, _MOST_GROUPS, _LONGEST_NAME = 8, 2, 0.5, 80
_FEWEST_FIELDS = 2
_LEAST_INDENTED = 0.4
_LEAST_FILLED = 3  # cells of each row below a single group


def outlined(table: Table) -> Table:
    """The source itself, or its rows with the groups above them where it is an outline."""
    fields = table.fields
    if len(fields) < _FEWEST_FIELDS or any(set(words_in(path)) & _OF_PARENTS for path in fields):
        return table
    lines = list(islice(table.records(), _LOOKED_AT))
    if _outline(fields, lines) is None:
        return table
    lines = list(islice(table.records(), _MOST_LINES + 1))
    found = _outline(fields, lines) if len(lines) <= _MOST_LINES else None
    if found is None:
        return table
    return _below_groups(table, lines, *found)


def _below_groups(
    table: Table, lines: Sequence[Record], levels: Sequence[int], groups: Sequence[bool], name_at: int
) -> Table:
    """The lines of rows, with the names of the groups above them in further fields."""
    depth = len({level for level, group in zip(levels, groups, strict=True) if group})
    above: dict[int, str] = {}
    rows = []
    for record, level, group in zip(lines, levels, groups, strict=True):
        above = {upper: name for upper, name in above.items() if upper < level}
        if group:
            above[level] = tidied(record.values[name_at])
            continue
        names = [name for _, name in sorted(above.items())]
        rows.append(Line(record.line, (*record.values, *names, *[""] * (depth - len(names)))))
    fields = (*table.fields, *(f"group {number} above" for number in range(1, depth + 1)))
    return SourceTable(table.source, fields, partial(iter, rows))


def _outline(fields: Sequence[str], lines: Sequence[Record]) -> tuple[list[int], list[bool], int] | None:
    """The level of each line, whether it is a group, and the field with the names of groups."""
    if len(lines) < _FEWEST_GROUPS + 2:
        return None
    for levels in _numbered(fields, lines):
        groups = [one < other for one, other in pairwise(levels)] + [False]
        if (found := _checked(fields, lines, levels, groups)) is not None:
            return found
    return _by_kind(fields, lines) or _by_lone_names(fields, lines)


def _numbered(fields: Sequence[str], lines: Sequence[Record]) -> Iterator[list[int]]:
    """Levels by a number, by a numbering, and by how far a name is indented, where these go down step by step."""
    for at, path in enumerate(fields):
        cells = [line.values[at] for line in lines]
        words = set(words_in(path))
        if words & _OF_LEVELS and all(cell.strip().isdigit() for cell in cells):
            levels = [int(cell) for cell in cells]
        elif all(_NUMBERING.fullmatch(cell.strip()) for cell in cells) and any(
            "." in cell.strip(". ") for cell in cells
        ):
            levels = [cell.strip(". ").count(".") for cell in cells]
        elif sum(cell[:1] in " \t\u00a0" and bool(cell.strip()) for cell in cells) >= _LEAST_INDENTED * len(cells):
            widths = [len(cell) - len(cell.lstrip()) for cell in cells]
            steps = sorted(set(widths))
            levels = [steps.index(width) for width in widths]
        else:
            continue
        if levels[0] == min(levels) < max(levels) <= min(levels) + _DEEPEST and all(
            other <= one + 1 for one, other in pairwise(levels)
        ):
            yield levels


def _by_kind(fields: Sequence[str], lines: Sequence[Record]) -> tuple[list[int], list[bool], int] | None:
    """Groups by a column of kinds, if they stand in order: no group is empty, and none is the last line."""
    for at in range(len(fields)):
        kinds = [tidied(line.values[at]).casefold() for line in lines]
        if not are_kinds(kinds) or not is_group_kind(kinds[0]) or is_group_kind(kinds[-1]):
            continue
        order = list(dict.fromkeys(kind for kind in kinds if is_group_kind(kind)))
        levels = [order.index(kind) if kind in order else len(order) for kind in kinds]
        groups = [kind in order for kind in kinds]
        if all(not group or other > one for (one, other), group in zip(pairwise(levels), groups[:-1], strict=True)):
            return _checked(fields, lines, levels, groups)
    return None


def _by_lone_names(fields: Sequence[str], lines: Sequence[Record]) -> tuple[list[int], list[bool], int] | None:
    """Groups by lines that have a name and nothing else; of two such lines below one another the first is above."""
    filled = [[at for at, cell in enumerate(line.values) if cell.strip()] for line in lines]
    groups = [len(one) == 1 for one in filled]
    if (
        not groups[0]
        or groups[-1]
        or len(fields) <= _FEWEST_FIELDS
        or len({one[0] for one in filled if len(one) == 1}) > 1
    ):
        return None
    levels = [1 if group else 2 for group in groups]
    for at in range(len(lines) - 1):
        if groups[at] and groups[at + 1]:
            levels[at] = 0
    full = all(len(one) >= _LEAST_FILLED for one, group in zip(filled, groups, strict=True) if not group)
    return _checked(fields, lines, levels, groups, fewest=1 if full else _FEWEST_GROUPS)


def _checked(
    fields: Sequence[str], lines: Sequence[Record], levels: list[int], groups: list[bool], fewest: int = _FEWEST_GROUPS
) -> tuple[list[int], list[bool], int] | None:
    """An outline if it has some groups, each with a name, and more rows than groups."""
    above = [line for line, group in zip(lines, groups, strict=True) if group]
    if not fewest <= len(above) <= _MOST_GROUPS * len(lines):
        return None
    named = [
        at for at in range(len(fields))
        if all(line.values[at].strip() and len(line.values[at]) <= _LONGEST_NAME for line in above)
        and any(not _NUMBERING.fullmatch(line.values[at].strip()) for line in above)
        and not are_kinds(line.values[at] for line in lines)
    ]  # fmt: skip
    if not named:
        return None

    def fullness(at: int) -> tuple[int, int]:
        cells = [line.values[at] for line in above]
        return len(set(cells)), sum(map(len, cells))

    return levels, groups, max(named, key=fullness)
