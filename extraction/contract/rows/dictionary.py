"""The rows of a flowsheet, made of the lines of the dictionaries and of what the other sources say about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from extraction.contract.catalogue import Table
from extraction.contract.records import IDS, Cell, ContractOption, FieldRole
from extraction.contract.rows.activity import is_retired_name, retired_in
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.option_cells import options_of_lines
from extraction.contract.rows.role_places import places_of, without_doubles
from extraction.contract.rows.sheet_groups import sheet_groups
from extraction.contract.rows.units import ucum_of, unit_named
from extraction.contract.rows.value_types import type_named
from extraction.contract.value_shapes import (
    folded,
    has_decimal_commas,
    is_nothing,
    number_of,
    tidied,
    type_of,
    words_in,
)
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
    today: str,
) -> dict[str, DictionaryLine]:
    """What the dictionaries say, by the id of the row.

    Args:
        today: in ISO 8601; what was valid until a day before is retired.
    """
    lines: dict[str, DictionaryLine] = {}
    tables = list(tables)
    sheets = sheet_groups(tables)
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

        bounds = [*places[FieldRole.MINIMUM], *places[FieldRole.MAXIMUM]]
        commas = has_decimal_commas(record.values[at] for record in table.records() for at in bounds)
        is_retired = retired_in(table, places[FieldRole.ACTIVE], today)
        options = options_of_lines(table, places)
        several_at = [at for at, path in enumerate(table.fields) if set(words_in(path)) & _SEVERAL]
        former_at = [at for at, path in enumerate(table.fields) if _holds_former_ids(path)]
        successor_at = [at for at, path in enumerate(table.fields) if set(words_in(path)) & _SUCCESSOR]
        outer_first = without_doubles(table, places[FieldRole.CATEGORY])
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
            line.minimum = _or(line.minimum, number_of(text(cells, FieldRole.MINIMUM), decimal_comma=commas))
            line.maximum = _or(line.maximum, number_of(text(cells, FieldRole.MAXIMUM), decimal_comma=commas))
            line.several = line.several or any(folded(cells[at]) in ("y", "yes", "true", "1") for at in several_at)
            line.several = line.several or any(_UNBOUNDED.fullmatch(cell.strip()) for cell in cells)
            line.former += [cells[at].strip() for at in former_at if not is_nothing(cells[at])]
            line.successor = next(
                (cells[at].strip() for at in successor_at if not is_nothing(cells[at])), line.successor
            )
            line.retired = line.retired or is_retired(cells)
            path = tuple(texts[at].get(cells[at].strip(), tidied(cells[at])) for at in outer_first)
            path = (sheets.get(table.source.name, ""), *path)
            if path := tuple(name for name in path if not is_nothing(name)):
                line.categories.append(path)
            line.options = line.options or options(record)
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
        line.retired = line.retired or is_retired_name(line.name)
        line.labels = [label.removeprefix(prefix).strip() or label for label in line.labels]
        if not line.name:
            label = next(iter(line.labels), "")
            line.name = label.capitalize() if label.isupper() and prefix else label or line.id


def renamed(
    tables: Iterable[Table], roles: Mapping[tuple[str, str], FieldRole], lines: Mapping[str, DictionaryLine]
) -> dict[str, str]:
    """Today's id for each id of before; those that lead nowhere are left out. Rows get their other names, too."""
    renamed = {former: line.id for line in lines.values() for former in line.former}
    for table in tables:
        places = places_of(table, roles)
        names_at = {at for at in places[FieldRole.ROW_ALIAS] if not _holds_ids(table, at)}
        for record in table.records():
            now = next((record.values[at].strip() for at in places[FieldRole.ROW_ID]), "")
            for at in places[FieldRole.ROW_ALIAS]:
                old = record.values[at].strip()
                if now in lines and at in names_at and not is_nothing(old):
                    lines[now].labels.append(tidied(old))
                    lines[now].cells.append(Cell(table.source.name, record.line, table.fields[at]))
                elif now in lines and old and old != now:
                    renamed[old] = now
                    lines[now].former.append(old)
                    lines[now].cells.append(Cell(table.source.name, record.line, table.fields[at]))
    return renamed


def _holds_ids(table: Table, at: int) -> bool:
    """Whether a field of a mapping holds ids of before, rather than names."""
    words = set(words_in(table.fields[at]))
    return bool(words & (_FORMER | _NUMBERS)) or type_of(record.values[at] for record in table.records()) in IDS


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
