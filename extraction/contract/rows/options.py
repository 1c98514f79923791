"""Options of rows: from the hospital's lists, from a cell that lists them, or from what was charted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from extraction.contract.catalogue import Table
from extraction.contract.records import Cell, ContractOption, FieldRole
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.role_places import places_of
from extraction.contract.value_shapes import folded, is_nothing, tidied, words_in

_MOST_OPTIONS = 30
_LONGEST_OPTION, _MOST_WORDS = 60, 6
MARKS = re.compile(r"[;|\n]|\s/\s")
_CODED = re.compile(r"\s*([+-]?[A-Za-z0-9]{1,8})\s*[=:]\s*(\S.*?)\s*|\s*(\d{1,3})\s+[-–]\s+(\S.*?)\s*")
_INACTIVE = frozenset("n no false 0 inactive retired deleted obsolete hidden disabled i d x".split())
_NEGATIVE = frozenset("off inactive retired deleted disabled obsolete hidden archived voided invalid".split())
_YES, _NO = frozenset("true 1 y yes t x".split()), frozenset("false 0 n no f".split())
_NO_LONGER = re.compile(r"\s*\((?:invalid|inactive|retired|deleted|obsolete|no longer used|old)\)\s*$", re.IGNORECASE)
_LEAST_COMMON = 0.6  # share of what was charted that the shared values of a choice make up


def is_inactive(text: str, header: str) -> bool:
    """Whether a mark of activity says that something is no longer used; an empty one says that it is.

    Args:
        header: of the field; under one such as `retired`, a yes says so.
    """
    plain = folded(text)
    if set(words_in(header)) & _NEGATIVE and plain in _YES | _NO:
        return plain in _YES
    return plain in _INACTIVE


@dataclass
class OptionLists:
    """Options by the id of their list, or of their row; each as (order, option) until `options`."""

    by_list: dict[str, list[tuple[float, ContractOption]]] = field(default_factory=dict)
    by_row: dict[str, list[tuple[float, ContractOption]]] = field(default_factory=dict)

    def options(self, list_id: str, row_id: str) -> tuple[ContractOption, ...]:
        """The options of a row, in the order of the list; an option that is spelled twice is one."""
        found = self.by_list.get(list_id, ()) if list_id else ()
        return merged([option for _, option in sorted(found or self.by_row.get(row_id, ()), key=lambda item: item[0])])


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


def read_option_lists(tables: Iterable[Table], roles: Mapping[tuple[str, str], FieldRole]) -> OptionLists:
    """All options that stand in sources of their own."""
    lists = OptionLists()
    for table in tables:
        place = {role: ats[0] for role, ats in places_of(table, roles).items() if ats}
        if FieldRole.OPTION_NAME not in place:
            continue
        owner = place.get(FieldRole.OPTION_LIST)
        row = place.get(FieldRole.ROW_ID)
        if owner is None and row is None:
            continue
        name_field = table.fields[place[FieldRole.OPTION_NAME]]
        for number, record in enumerate(table.records(), 1):
            cells = record.values
            name = tidied(cells[place[FieldRole.OPTION_NAME]])
            if not name:
                continue
            option = ContractOption(
                name,
                _cell(cells, place.get(FieldRole.OPTION_CODE)),
                retired=FieldRole.ACTIVE in place
                and is_inactive(cells[at := place[FieldRole.ACTIVE]], table.fields[at]),
                cells=(Cell(table.source.name, record.line, name_field),),
            )
            order = _order(_cell(cells, place.get(FieldRole.ORDER)), number)
            if owner is not None and cells[owner].strip():
                lists.by_list.setdefault(cells[owner].strip(), []).append((order, option))
            elif row is not None and cells[row].strip():
                lists.by_row.setdefault(cells[row].strip(), []).append((order, option))
    return lists


def _cell(cells: Sequence[str], place: int | None) -> str:
    return "" if place is None or is_nothing(cells[place]) else cells[place].strip()


def _order(text: str, number: int) -> float:
    try:
        return float(text)
    except ValueError:
        return float(number)


def options_in_cell(text: str, cell: Cell) -> tuple[ContractOption, ...]:
    """Options that one cell lists, such as '1=Yes|2=No' or 'Yes; No'."""
    options = []
    for part in MARKS.split(text):
        coded = _CODED.fullmatch(part)
        code, said = (coded[1] or coded[3], coded[2] or coded[4]) if coded else ("", part)
        name = tidied(said)
        if name:
            plain = _NO_LONGER.sub("", name)
            options.append(ContractOption(plain, code, retired=plain != name, cells=(cell,)))
    return merged(options) if len(options) > 1 else ()


def split_values(value: str) -> list[str]:
    """The options that a charted value joins."""
    if value.startswith("[") and value.endswith("]"):
        value = value[1:-1].replace('"', "").replace(",", ";")
    return [part for part in map(tidied, re.split(r"[;|]", value)) if part]


def options_charted(values: ChartedValues) -> tuple[ContractOption, ...]:
    """The options of a row as far as at least two patients have them; empty if the row is no choice.

    What one patient alone has may be words about that patient, and is never an option.
    """
    common = [
        value
        for value in values.values
        if values.shared(value) and len(value) <= _LONGEST_OPTION and len(value.split()) <= _MOST_WORDS
    ]
    if not common or len(common) > _MOST_OPTIONS or values.overflowed:
        return ()
    if sum(values.values[value] for value in common) < _LEAST_COMMON * values.count:
        return ()
    cell = (Cell(values.source, values.first_line, ""),) if values.source else ()
    return tuple(ContractOption(values.spelling(value), cells=cell) for value in sorted(common))


def are_several(values: ChartedValues, options: Sequence[ContractOption]) -> bool:
    """Whether values of a row often join several of its options."""
    names = {folded(form) for option in options for form in (option.name, option.code, *option.synonyms) if form}
    joined = sum(
        count
        for value, count in values.values.items()
        if len(parts := split_values(value)) > 1 and all(folded(part) in names for part in parts)
    )
    return joined >= max(2, 0.03 * values.count)
