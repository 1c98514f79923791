"""Options of rows: from the hospital's lists, from a cell that lists them, or from what was charted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from extraction.contract.catalogue import Table
from extraction.contract.records import Cell, ContractOption, FieldRole, Source
from extraction.contract.row_history import LEAST_PATIENTS
from extraction.contract.rows.activity import retired_in
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.option_cells import merged
from extraction.contract.rows.option_text import options_of, with_codes
from extraction.contract.rows.role_places import places_of
from extraction.contract.value_shapes import folded, is_nothing, tidied

_MOST_OPTIONS = 30
_LONGEST_OPTION, _MOST_WORDS = 60, 6
_FEWEST_ACTS, _LEAST_ACTS = 3, 0.05  # acts with several values that show a choice of several
_LEAST_COMMON = 0.6  # share of what was charted that the shared values of a choice make up
_LEAST_CLOSED = 0.95  # the same of a choice that nothing calls so, if what two patients have counts, too


@dataclass
class OptionLists:
    """Options by the id of their list, or of their row; each as (order, option) until `options`."""

    by_list: dict[str, list[tuple[float, ContractOption]]] = field(default_factory=dict)
    by_row: dict[str, list[tuple[float, ContractOption]]] = field(default_factory=dict)

    def options(self, list_id: str, row_id: str) -> tuple[ContractOption, ...]:
        """The options of a row, in the order of the list; an option that is spelled twice is one."""
        found = (self.by_list.get(list_id) or self.by_list.get(list_key(list_id)) or []) if list_id else []
        found = found or self.by_row.get(row_id, [])
        return merged([option for _, option in sorted(found, key=lambda item: item[0])])


def read_option_lists(
    tables: Iterable[Table],
    roles: Mapping[tuple[str, str], FieldRole],
    meanings: Mapping[tuple[str, str], Mapping[str, str]],
    today: str,
) -> OptionLists:
    """All options that stand in sources of their own.

    Args:
        meanings: by source and field, what its codes mean: the texts of options where a source has their codes alone.
        today: in ISO 8601, see `extraction.contract.rows.activity`.
    """
    lists = OptionLists()
    for table in tables:
        places = places_of(table, roles)
        place = {role: ats[0] for role, ats in places.items() if ats}
        is_retired = retired_in(table, places[FieldRole.ACTIVE], today)
        texts: Mapping[str, str] = {}
        if FieldRole.OPTION_NAME not in place:
            texts = meanings.get((table.source.name, table.fields[place.get(FieldRole.OPTION_CODE, 0)]), {})
            if FieldRole.OPTION_CODE not in place or not texts:
                continue
        named_at = place.get(FieldRole.OPTION_NAME, place.get(FieldRole.OPTION_CODE, 0))
        owner = place.get(FieldRole.OPTION_LIST)
        row = place.get(FieldRole.ROW_ID)
        if owner is None and row is None:
            _add_named(lists, table, places)
            continue
        for number, record in enumerate(table.records(), 1):
            cells = record.values
            name = texts.get(cells[named_at].strip(), "") if texts else tidied(cells[named_at])
            if not name:
                continue
            option = ContractOption(
                name,
                _cell(cells, place.get(FieldRole.OPTION_CODE)),
                retired=is_retired(cells),
                cells=(Cell(table.source.name, record.line, table.fields[named_at]),),
            )
            order = _order(_cell(cells, place.get(FieldRole.ORDER)), number)
            if owner is not None and cells[owner].strip():
                lists.by_list.setdefault(cells[owner].strip(), []).append((order, option))
            elif row is not None and cells[row].strip():
                lists.by_row.setdefault(cells[row].strip(), []).append((order, option))
    return lists


def list_name(source: Source) -> str:
    """What a list that is a source of its own is called: its sheet or table, or its file."""
    return source.sheet or PurePosixPath(source.name).name.split(".")[0]


def list_key(name: str) -> str:
    """The name of a list as it is compared."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _add_named(lists: OptionLists, table: Table, places: Mapping[FieldRole, Sequence[int]]) -> None:
    """Adds a list that is a source of its own, or lists each of which is a column; they are known by their names."""
    names_at, codes_at = places[FieldRole.OPTION_NAME], places[FieldRole.OPTION_CODE]
    for at in names_at:
        title = table.fields[at] if len(names_at) > 1 else list_name(table.source)
        options = lists.by_list.setdefault(list_key(title), [])
        named = [(record, name) for record in table.records() if (name := tidied(record.values[at]))]
        apart = codes_at and len(names_at) == 1
        coded = [("", name) for _, name in named] if apart else with_codes([name for _, name in named])
        for number, ((record, _), (code, name)) in enumerate(zip(named, coded, strict=True), 1):
            cell = Cell(table.source.name, record.line, table.fields[at])
            beside = _cell(record.values, codes_at[0]) if apart else code
            options.append((float(number), ContractOption(name, beside, cells=(cell,))))


def _cell(cells: Sequence[str], place: int | None) -> str:
    return "" if place is None or is_nothing(cells[place]) else cells[place].strip()


def _order(text: str, number: int) -> float:
    try:
        return float(text)
    except ValueError:
        return float(number)


def options_charted(values: ChartedValues, *, is_choice: bool) -> tuple[ContractOption, ...]:
    """The options of a row as far as several patients have them; empty if the row is no choice.

    What one patient alone has may be words about that patient, and is never an option.

    Args:
        is_choice: whether the export says that it is one. Where nothing says so, enough patients must have most of what
            was charted, and a text that only two have counts only if hardly anything is that of one alone.
    """
    if values.overflowed:
        return ()
    parts: dict[str, list[str]] = {}
    for value in values.values:
        names = [name for _, name in options_of(values.spelling(value), loosely=False)]
        for name in names or [values.spelling(value)]:
            parts.setdefault(folded(name) or name, []).append(value)
    common = _common(values, parts, 2)
    if not is_choice:
        sure = _common(values, parts, LEAST_PATIENTS)
        if _share_of(values, parts, sure) < _LEAST_COMMON:
            return ()
        common = common if _share_of(values, parts, common) >= _LEAST_CLOSED else sure
    if not common or len(common) > _MOST_OPTIONS or _share_of(values, parts, common) < _LEAST_COMMON:
        return ()
    cell = (Cell(values.source, values.first_line, ""),) if values.source else ()
    return tuple(ContractOption(_spelling(values, part, parts[part]), cells=cell) for part in sorted(common))


def _common(values: ChartedValues, parts: Mapping[str, Sequence[str]], patients: int) -> set[str]:
    """The parts of values that could be options, and that at least so many patients have."""
    return {
        part
        for part, whole in parts.items()
        if len(part) <= _LONGEST_OPTION
        and len(part.split()) <= _MOST_WORDS
        and values.shared(*whole, patients=patients)
    }


def _share_of(values: ChartedValues, parts: Mapping[str, Sequence[str]], common: Set[str]) -> float:
    """The share of what was charted that has one of these parts."""
    explained = {value for part in common for value in parts[part]}
    return sum(values.values[value] for value in explained) / max(1, values.count)


def _spelling(values: ChartedValues, part: str, whole: Sequence[str]) -> str:
    """The commonest spelling of an option that is charted alone, or among others."""
    if part in values.values:
        return values.spelling(part)
    names = (name for value in whole for _, name in options_of(values.spelling(value), loosely=False))
    return next(name for name in names if folded(name) == part or name == part)


def are_several(values: ChartedValues, options: Sequence[ContractOption]) -> bool:
    """Whether values of a row often join several of its options, or several lines of one act have one each."""
    if values.acts_of_several >= max(_FEWEST_ACTS, _LEAST_ACTS * values.acts):
        return True
    names = {folded(form) for option in options for form in (option.name, option.code, *option.synonyms) if form}
    joined = sum(count for value, count in values.values.items() if value not in names and _joins(value, names))
    return joined >= max(2, 0.03 * values.count)


def _joins(value: str, names: Set[str]) -> bool:
    """Whether a charted value joins options, by whatever mark."""
    return any(
        len(parts := options_of(value, loose=(mark,))) > 1 and all(folded(part) in names for _, part in parts)
        for mark in (",", "/")
    )
