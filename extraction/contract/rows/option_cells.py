"""Options that the line of a row lists: joined in one cell, or one in each column such as `code1`, `text1`, `code2`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from extraction.contract.catalogue import Record, Table
from extraction.contract.records import Cell, ContractOption, FieldRole
from extraction.contract.rows.option_text import loose_order, options_of, with_codes
from extraction.contract.value_shapes import folded, is_nothing, tidied, words_in

_NO_LONGER = re.compile(r"\s*\((?:invalid|inactive|retired|deleted|obsolete|no longer used|old)\)\s*$", re.IGNORECASE)
_FEWEST = 3
_OF_OPTIONS = frozenset(
    "opt option options choice choices answer answers response responses resp value val item text label choix".split()
)
_CODES = frozenset("code cd key score".split())
_NUMBER = re.compile(r"\d+")
_UNNAMED = re.compile(r"column \d+")


class OptionColumn(NamedTuple):
    """A column with one option of each row, or with its code."""

    number: int
    holds_code: bool


def option_columns(fields: Sequence[str]) -> dict[str, OptionColumn]:
    """The columns that hold one option each; those of codes only beside columns of texts."""
    groups: dict[str, dict[int, str]] = {}
    for place, path in enumerate(fields):
        pattern = _NUMBER.sub("#", path, count=1)
        if number := _NUMBER.search(path):
            groups.setdefault(pattern, {})[int(number[0])] = path
        groups.setdefault(f"{path} (#)", {})[1] = path  # a repeated name is numbered from the second on
        run = _unnamed_behind(fields, place)
        if run:
            groups.setdefault(f"{path} #", {}).update(enumerate((path, *run), 1))
    found: dict[str, OptionColumn] = {}
    codes: dict[str, OptionColumn] = {}
    for pattern, members in groups.items():
        words = {word.rstrip("0123456789") for word in words_in(pattern)}
        numbers = sorted(members)
        if len(members) < _FEWEST or numbers[0] > 1 or numbers[-1] - numbers[0] >= len(members) + 1:
            continue
        if words & _CODES and not words & {"text", "label"}:
            codes |= {path: OptionColumn(number, holds_code=True) for number, path in members.items()}
        elif words & _OF_OPTIONS:
            found |= {path: OptionColumn(number, holds_code=False) for number, path in members.items()}
    return found | codes if found else {}


def _unnamed_behind(fields: Sequence[str], place: int) -> list[str]:
    """The columns without a name behind a named one."""
    if _UNNAMED.fullmatch(fields[place]):
        return []
    run = []
    for path in fields[place + 1 :]:
        if not _UNNAMED.fullmatch(path):
            break
        run.append(path)
    return run


def options_of_lines(
    table: Table, places: Mapping[FieldRole, Sequence[int]]
) -> Callable[[Record], tuple[ContractOption, ...]]:
    """A function from a line of a dictionary to the options that it lists."""
    one_each = option_columns(table.fields)
    joined = [at for at in places[FieldRole.OPTION_NAME] if table.fields[at] not in one_each]
    loose = loose_order(record.values[at] for record in table.records() for at in joined)
    numbered = sorted((one_each[path], at) for at, path in enumerate(table.fields) if path in one_each)
    texts = [(column.number, at) for column, at in numbered if at in places[FieldRole.OPTION_NAME]]
    codes = {column.number: at for column, at in numbered if at in places[FieldRole.OPTION_CODE]}

    def options(record: Record) -> tuple[ContractOption, ...]:
        cells = record.values
        for at in joined:
            if found := options_of(cells[at], loose=loose):
                cell = Cell(table.source.name, record.line, table.fields[at])
                return merged([_option(code, name, cell) for code, name in found])
        filled = [(number, at) for number, at in texts if not is_nothing(cells[at])]
        if len(filled) < 2:
            return ()
        coded = with_codes([tidied(cells[at]) for _, at in filled])
        return merged(
            [
                _option(
                    cells[codes[number]].strip() if number in codes else code,
                    name,
                    Cell(table.source.name, record.line, table.fields[at]),
                )
                for (number, at), (code, name) in zip(filled, coded, strict=True)
            ]
        )

    return options


def _option(code: str, name: str, cell: Cell) -> ContractOption:
    """An option; one such as 'Wan (invalid)' is no longer in use."""
    plain = _NO_LONGER.sub("", name)
    return ContractOption(plain, code, retired=plain != name, cells=(cell,))


def merged(options: Sequence[ContractOption]) -> tuple[ContractOption, ...]:
    """Options with former spellings of the same code, and doubles, as synonyms of those in use."""
    kept: dict[str, ContractOption] = {}
    by_code: dict[str, str] = {}
    for option in sorted(options, key=lambda option: option.retired):
        name = folded(option.name) or option.name
        same = name if name in kept else by_code.get(option.code, "") if option.retired and option.code else ""
        if same:
            before = kept[same]
            spellings = dict.fromkeys((*before.synonyms, option.name))
            spellings.pop(before.name, None)
            kept[same] = replace(before, synonyms=tuple(spellings), cells=(*before.cells, *option.cells))
            continue
        kept[name] = option
        if option.code:
            by_code.setdefault(option.code, name)
    return tuple(kept.values())
