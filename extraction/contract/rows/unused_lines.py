"""Lines of the lists of rows of which no row of their own becomes, and those that a person wants as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from extraction.contract.catalogue import Table
from extraction.contract.left_out.records import LeftOut, Reason
from extraction.contract.records import FieldRole
from extraction.contract.rows.dictionary import DictionaryLine
from extraction.contract.rows.role_places import places_of
from extraction.contract.value_shapes import is_nothing, tidied


def keep_as_rows(wanted: Set[str], lines: Mapping[str, DictionaryLine], renamed: dict[str, str]) -> None:
    """Lets rows stay rows in use: neither retired nor a former id of another row."""
    for row_id in wanted & lines.keys():
        lines[row_id].retired = False
        lines[row_id].successor = ""
        renamed.pop(row_id, None)
    for line in lines.values():
        line.former = [one for one in line.former if one not in wanted or one not in lines]


def lines_left_out(
    tables: Iterable[Table],
    roles: Mapping[tuple[str, str], FieldRole],
    rows: Mapping[str, DictionaryLine],
    headings: Set[str],
    heirs: Mapping[str, str],
) -> Iterator[LeftOut]:
    """The lines of dictionaries of which no row of their own was made.

    Args:
        tables: the dictionaries.
        roles: by source and field.
        rows: those that were made, by id.
        headings: ids of lines that are groups.
        heirs: the row in use by the id of a double of it.
    """
    seen: set[str] = set()
    for table in tables:
        places = places_of(table, roles)
        for record in table.records():
            row_id, name = (
                next((tidied(record.values[at]) for at in places[role] if not is_nothing(record.values[at])), "")
                for role in (FieldRole.ROW_ID, FieldRole.ROW_NAME)
            )
            reason, says = Reason.SAME_ROW, ""
            if not row_id:
                reason = Reason.NO_ID
            elif row_id in headings:
                reason = Reason.HEADING
            elif heir := _heir(row_id, rows, heirs):
                reason, says = Reason.DOUBLE, f"its values count for {heir.name} ({heir.id})"
            elif row_id not in seen:
                seen.add(row_id)
                continue
            yield LeftOut(reason, row_id, name, says, table.source.name, record.line)


def _heir(row_id: str, rows: Mapping[str, DictionaryLine], heirs: Mapping[str, str]) -> DictionaryLine | None:
    """The row in use for which the values of a double count; None if the id is that of a row itself."""
    for _ in range(len(heirs)):
        if row_id in rows or row_id not in heirs:
            break
        row_id = heirs[row_id]
        if row_id in rows:
            return rows[row_id]
    return None
