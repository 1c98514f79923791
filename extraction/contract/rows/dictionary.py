"""The rows of a flowsheet, made of the lines of the dictionaries and of what the other sources say about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from extraction.contract.catalogue import Table
from extraction.contract.records import Cell, ContractOption, FieldRole, Link
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.options import (
    is_inactive,
    options_in_cell,
)
from extraction.contract.rows.role_places import places_of
from extraction.contract.rows.units import ucum_of, unit_named
from extraction.contract.rows.value_types import type_named
from extraction.contract.value_shapes import folded, is_nothing, number_of, tidied, words_in
from extraction.flowsheet.unit_conversion import contradict

_UNBOUNDED = re.compile(r"[01]\.\.[*n]")  # a multiplicity
_SEVERAL = frozenset(("multi", "mult", "multiple", "several"))
_SUCCESSOR = frozenset(("superseded", "successor", "replaced"))
_FORMER = frozenset(("old", "legacy", "former", "previous"))
_NUMBERS = frozenset(("id", "no", "nr", "number", "code", "key"))
# what a code stands for, where it has a meaning
_CODED = (FieldRole.VALUE_TYPE, FieldRole.UNIT)


@dataclass
class DictionaryLine:
    """What the dictionaries say about one row."""

    id: str
    name: str = ""
    labels: list[str] = field(default_factory=list)
    value_type: str = ""
    list_id: str = ""
    unit: str = ""
    loinc: str = ""
    minimum: float | None = None
    maximum: float | None = None
    retired: bool = False
    categories: list[tuple[str, ...]] = field(default_factory=list)
    options: tuple[ContractOption, ...] = ()
    cells: list[Cell] = field(default_factory=list)
    former: list[str] = field(default_factory=list)
    several: bool = False
    successor: str = ""


def dictionary_lines(
    tables: Iterable[Table],
    roles: Mapping[tuple[str, str], FieldRole],
    meanings: Mapping[tuple[str, str], Mapping[str, str]],
) -> dict[str, DictionaryLine]:
    lines: dict[str, DictionaryLine] = {}
    for table in tables:
        places = places_of(table, roles)
        texts = [meanings.get((table.source.name, path), {}) for path in table.fields]

        def text(
            cells: Sequence[str],
            role: FieldRole,
            places: Mapping[FieldRole, list[int]] = places,
            texts: Sequence[Mapping[str, str]] = texts,
        ) -> str:
            at = next((at for at in places[role] if not is_nothing(cells[at])), None)
            if at is None:
                return ""
            if role not in _CODED or not texts[at]:
                return tidied(cells[at])
            value = cells[at].strip()
            return tidied(texts[at].get(value, "" if value == "0" else value))  # 0 stands for no code

        several_at = [at for at, path in enumerate(table.fields) if set(words_in(path)) & _SEVERAL]
        former_at = [at for at, path in enumerate(table.fields) if _holds_former_ids(path)]
        successor_at = [at for at, path in enumerate(table.fields) if set(words_in(path)) & _SUCCESSOR]
        outer_first = places[FieldRole.CATEGORY]
        for record in table.records():
            cells = record.values
            if not (row_id := text(cells, FieldRole.ROW_ID)):
                continue
            line = lines.setdefault(row_id, DictionaryLine(row_id))
            source = table.source.name
            line.cells += [
                Cell(source, record.line, table.fields[at])
                for role, ats in places.items()
                for at in ats
                if role not in (FieldRole.OTHER, FieldRole.PERSON) and not is_nothing(cells[at])
            ]
            line.name = line.name or text(cells, FieldRole.ROW_NAME)
            line.labels += [tidied(cells[at]) for at in places[FieldRole.ROW_ALIAS] if not is_nothing(cells[at])]
            line.value_type = line.value_type or text(cells, FieldRole.VALUE_TYPE)
            line.list_id = line.list_id or text(cells, FieldRole.OPTION_LIST)
            line.unit = line.unit or unit_named(text(cells, FieldRole.UNIT))
            line.minimum = _or(line.minimum, number_of(text(cells, FieldRole.MINIMUM)))
            line.maximum = _or(line.maximum, number_of(text(cells, FieldRole.MAXIMUM)))
            line.several = line.several or any(folded(cells[at]) in ("y", "yes", "true", "1") for at in several_at)
            line.several = line.several or any(_UNBOUNDED.fullmatch(cell.strip()) for cell in cells)
            line.former += [cells[at].strip() for at in former_at if not is_nothing(cells[at])]
            line.successor = next(
                (cells[at].strip() for at in successor_at if not is_nothing(cells[at])), line.successor
            )
            line.retired = line.retired or any(
                is_inactive(cells[at], table.fields[at]) for at in places[FieldRole.ACTIVE]
            )
            path = tuple(texts[at].get(cells[at].strip(), tidied(cells[at])) for at in outer_first)
            if path := tuple(name for name in path if not is_nothing(name)):
                line.categories.append(path)
            if text(cells, FieldRole.OPTION_NAME):
                at = places[FieldRole.OPTION_NAME][0]
                line.options = options_in_cell(cells[at], Cell(source, record.line, table.fields[at])) or line.options
    return lines


def _holds_former_ids(path: str) -> bool:
    words = set(words_in(path))
    return bool(words & _FORMER and words & _NUMBERS)


def _or(first: float | None, second: float | None) -> float | None:
    return second if first is None else first


def name_all(lines: Mapping[str, DictionaryLine]) -> None:
    """Takes from labels what the vendor writes before all of them, and gives a row without a name its label."""
    before = Counter(
        label[: len(label) - len(line.name)]
        for line in lines.values()
        for label in line.labels
        if line.name and folded(label).endswith(folded(line.name))
    )
    prefix = before.most_common(1)[0][0] if before and before.most_common(1)[0][1] > 0.5 * len(lines) else ""
    for line in lines.values():
        line.labels = [label.removeprefix(prefix).strip() or label for label in line.labels]
        if not line.name:
            label = next(iter(line.labels), "")
            line.name = label.capitalize() if label.isupper() and prefix else label or line.id


def renamed(
    tables: Iterable[Table], roles: Mapping[tuple[str, str], FieldRole], lines: Mapping[str, DictionaryLine]
) -> dict[str, str]:
    """Today's id for each id of before; those that lead nowhere are left out."""
    renamed = {former: line.id for line in lines.values() for former in line.former}
    for table in tables:
        places = places_of(table, roles)
        for record in table.records():
            now = next((record.values[at].strip() for at in places[FieldRole.ROW_ID]), "")
            for at in places[FieldRole.ROW_ALIAS]:
                old = record.values[at].strip()
                if now in lines and old and old != now:
                    renamed[old] = now
                    lines[now].former.append(old)
                    lines[now].cells.append(Cell(table.source.name, record.line, table.fields[at]))
    return renamed


def join_retired(lines: dict[str, DictionaryLine], renamed: dict[str, str]) -> None:
    """A retired row that a mapping or its name leads to a row in use is a former id of that row.

    Never one whose unit measures something else; and a name leads to no row of another type.
    """
    for line in lines.values():
        if line.successor in lines and line.successor != line.id:
            renamed.setdefault(line.id, line.successor)
    for line in lines.values():
        if (mapped := lines.get(renamed.get(line.id, ""))) and _measures_otherwise(line, mapped):
            del renamed[line.id]
    in_use = {folded(line.name): line for line in lines.values() if not line.retired and line.id not in renamed}
    for line in list(lines.values()):
        double = in_use.get(folded(line.name)) if line.retired else None
        if double and (_measures_otherwise(line, double) or _is_of_other_type(line, double)):
            double = None
        heir = lines.get(renamed.get(line.id, "")) or double
        if heir is None or heir is line:
            continue
        renamed[line.id] = heir.id
        heir.former += [known for known in (line.id, *line.former) if known not in heir.former]
        heir.cells += line.cells
        del lines[line.id]


def _measures_otherwise(line: DictionaryLine, other: DictionaryLine) -> bool:
    one, another = ucum_of(line.unit), ucum_of(other.unit)
    return bool(one and another and contradict(one, another))


def _is_of_other_type(line: DictionaryLine, other: DictionaryLine) -> bool:
    one, another = type_named(line.value_type), type_named(other.value_type)
    return bool(one and another and one is not another)


def categories(
    tables: Iterable[Table], roles: Mapping[tuple[str, str], FieldRole], lines: Mapping[str, DictionaryLine],
    renamed: Mapping[str, str], sparse: Set[tuple[str, str]],
) -> None:  # fmt: skip
    """Groups in which the rows stand; names of `sparse` fields hold for the lines below, too."""
    for table in tables:
        places = places_of(table, roles)
        above = {at: "" for at in places[FieldRole.CATEGORY] if (table.source.name, table.fields[at]) in sparse}
        for record in table.records():
            cells = record.values
            row_id = next((cells[at].strip() for at in places[FieldRole.ROW_ID]), "")
            line = lines.get(renamed.get(row_id, row_id))
            above = {at: tidied(cells[at]) or name for at, name in above.items()}
            path = tuple(above.get(at) or tidied(cells[at]) for at in places[FieldRole.CATEGORY])
            path = tuple(name for name in path if not is_nothing(name))
            if line is None or not path:
                continue
            if path not in line.categories:
                line.categories.append(path)
            line.cells += [Cell(table.source.name, record.line, table.fields[at]) for at in places[FieldRole.CATEGORY]]


def groups_joined(
    tables: Sequence[Table],
    links: Iterable[Link],
    row_fields: Mapping[str, str],
    lines: Mapping[str, DictionaryLine],
    meanings: Mapping[tuple[str, str], Mapping[str, str]],
) -> None:
    """Groups that other sources name: a line leads to a row and to its group, and groups stand in groups.

    Args:
        links: of lines to groups.
        row_fields: by source, the field with the id of the row.
    """
    by_name = {table.source.name: table for table in tables}
    for link in (links := list(links)):
        names = meanings.get(link.child)
        member = by_name[link.child[0]]
        row_field = row_fields.get(link.child[0])
        if not names or not row_field or row_field == link.child[1]:
            continue
        above = _parents(by_name[link.parent[0]], link.parent, links)
        row_at, group_at = member.fields.index(row_field), member.fields.index(link.child[1])
        for record in member.records():
            line = lines.get(record.values[row_at].strip())
            path = _path(record.values[group_at].strip(), names, above)
            if line is None or not path or path in line.categories:
                continue
            if path[-1:] in line.categories:
                line.categories.remove(path[-1:])  # the same group without those above it
            line.categories.append(path)
            line.cells.append(Cell(member.source.name, record.line, link.child[1]))


def _parents(table: Table, key: tuple[str, str], links: Iterable[Link]) -> dict[str, str]:
    """The group above each group, where a source says it of itself."""
    upper = next((link.child[1] for link in links if link.parent == key and link.child[0] == key[0]), None)
    if upper is None:
        return {}
    at, above = table.fields.index(key[1]), table.fields.index(upper)
    return {record.values[at].strip(): record.values[above].strip() for record in table.records()}


def _path(group: str, names: Mapping[str, str], above: Mapping[str, str]) -> tuple[str, ...]:
    path: list[str] = []
    seen: set[str] = set()
    while group in names and group not in seen:  # groups that contain each other end the way up
        seen.add(group)
        path.insert(0, names[group])
        group = above.get(group, "")
    return tuple(path)


def lines_charted(charted: Mapping[str, ChartedValues]) -> dict[str, DictionaryLine]:
    """Rows where no dictionary lists them: as the dumps name them."""
    lines = {}
    for row_id, values in charted.items():
        name = values.names.most_common(1)[0][0] if values.names else row_id
        line = DictionaryLine(row_id, tidied(name), cells=[Cell(values.source, values.first_line, "")])
        line.labels = [label for label in map(tidied, values.names) if label != line.name]
        line.categories = [path for path, _ in values.categories.most_common(3) if path]
        lines[row_id] = line
    return lines
