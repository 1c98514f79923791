"""Groups that are sheets: a workbook with a sheet for each form lists the rows of the form in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.contract.catalogue import Table
from extraction.contract.rows.activity import is_state

_UNNAMED = re.compile(
    r"(?:sheet|tabelle|blatt|feuil|feuille|blad|hoja|foglio|page|export|data)?[ _]*\d*", re.IGNORECASE
)
_FEWEST, _LEAST_ALIKE = 2, 0.6
_WORKBOOKS = ("xlsx", "xlsm")


def sheet_groups(tables: Sequence[Table]) -> dict[str, str]:
    """The name of the sheet, by the source, of dictionaries that are one of several sheets of the same form.

    A sheet without a name of its own, or one that says whether its rows are in use, is no group.
    """
    sheets = [
        table
        for table in tables
        if table.source.format in _WORKBOOKS
        and not _UNNAMED.fullmatch(table.source.sheet.strip())
        and not is_state(table.source.sheet)
    ]
    found = {}
    for table in sheets:
        alike = [other for other in sheets if _file(other) == _file(table) and _are_alike(table, other)]
        if len(alike) >= _FEWEST:
            found[table.source.name] = table.source.sheet.strip()
    return found


def _file(table: Table) -> str:
    return table.source.name.partition("#")[0]


def _are_alike(one: Table, other: Table) -> bool:
    ours, theirs = set(one.fields), set(other.fields)
    return len(ours & theirs) >= _LEAST_ALIKE * len(ours | theirs)
