"""What a person decided about things that have no row, and the schema with the rows and names that were decided on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from extraction.flowsheet.schema import SELECT_TYPES, Schema, ValueType
from extraction.schema_files.native_format import parse_schema
from models.base.errors import InputError

CATEGORY = "Found in dictations"
PREFIX = "found."
TYPES = (ValueType.NUMERIC, ValueType.YES_NO, ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.TEXT)
_PLAIN = re.compile(r"[^a-z0-9]+")
_LONGEST = 80  # characters of a name


@dataclass(frozen=True, slots=True)
class ProposedRow:
    """A row that the flowsheet may get; `options` of a select, `unit` of a number."""

    id: str
    name: str
    type: ValueType
    unit: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision about what is called `about`: a row of its own, another name of the row `alias_of`, or neither.

    Attributes:
        by, at: who decided, and when (UTC).
    """

    about: str
    row: ProposedRow | None = None
    alias_of: str = ""
    by: str = ""
    at: str = ""

    @property
    def ignored(self) -> bool:
        return self.row is None and not self.alias_of


def proposed_row(
    schema: Schema,
    decided: Sequence[Decided],
    name: str,
    kind: ValueType,
    unit: str = "",
    options: Sequence[str] = (),
) -> ProposedRow:
    """A row under an id that neither the schema nor an earlier proposal has.

    Raises InputError if there is such a row already, or its name or options cannot be used.
    """
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST:
        raise InputError("A row needs a name of at most 80 characters.", "Say what is charted in it.")
    proposals = [one.row for one in decided if one.row]
    taken = {each.casefold() for row in schema.rows for each in (row.name, *row.synonyms)}
    if name.casefold() in taken | {row.name.casefold() for row in proposals}:
        raise InputError(f"There is a row “{name}” already.", "Choose another name, or make it an alias of that row.")
    chosen = tuple(dict.fromkeys(text for one in options if (text := " ".join(one.split()))))
    if kind in SELECT_TYPES and len(chosen) < 2:
        raise InputError("A choice needs at least two options.", "Separate them by commas.")
    stem = PREFIX + (_PLAIN.sub("_", name.casefold()).strip("_") or "row")
    ids = schema.by_id.keys() | {row.id for row in proposals}
    number, row_id = 2, stem
    while row_id in ids:
        row_id, number = f"{stem}_{number}", number + 1
    unit = " ".join(unit.split()) if kind is ValueType.NUMERIC else ""
    return ProposedRow(row_id, name, kind, unit, chosen if kind in SELECT_TYPES else ())


def extended_schema(data: bytes, schema: Schema, decided: Sequence[Decided], version: int) -> bytes:
    """The file of a schema with the proposed rows in a category of their own, and with the aliases as synonyms.

    Nothing in it is what a patient's dictation said but names that a person has decided on. Its version names that of
    the decisions. Raises SchemaError if the result is no valid schema.
    """
    document = json.loads(data)
    if isinstance(document, list):  # as SYNUR publishes its rows
        from extraction.schema_files.synur_format import from_synur

        document = from_synur(document, schema.sha256)
    aliases: dict[str, list[str]] = {}
    for one in decided:
        if one.alias_of in schema.by_id:
            aliases.setdefault(one.alias_of, []).append(one.about)
    for row in _rows(document["categories"]):
        if more := aliases.get(str(row["id"])):
            known = [row["name"], *row.get("synonyms", ())]
            row["synonyms"] = [*row.get("synonyms", ()), *(one for one in dict.fromkeys(more) if one not in known)]
    new = [_row(one.row) for one in decided if one.row and one.row.id not in schema.by_id]
    if new:
        document["categories"].append({"name": CATEGORY, "rows": new})
    document["version"] = f"{schema.version}+found.{version}"
    extended = (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()
    parse_schema(extended, "The extended flowsheet template")
    return extended


def _rows(categories: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for category in categories:
        yield from category.get("rows", ())
        yield from _rows(category.get("categories", ()))


def _row(row: ProposedRow) -> dict[str, Any]:
    found: dict[str, Any] = {"id": row.id, "name": row.name, "type": row.type.value}
    if row.unit:
        found["unit"] = row.unit
    if row.options:
        found["options"] = list(row.options)
    return found
