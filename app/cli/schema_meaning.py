"""The meaning of rows, as `schema check` shows it: what is stated, inferred from names, or unclear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.cli.console import table
from extraction.flowsheet.naming.instance_names import PLACES, Group, Unclaimed
from extraction.flowsheet.naming.row_concepts import ConceptLink, row_concepts
from extraction.flowsheet.naming.row_meaning import RowMeaning, SchemaMeaning, is_temperature, meaning_of
from extraction.flowsheet.schema import Row, Schema

_ROWS_SHOWN = 5
_HOW_TO_CORRECT = (
    'Where this is wrong or missing, write "instance", "role", "laterality", "measured_with" or "concept" into the\n'
    'row, and null for none: docs/schema-format.md, "What a row is about".'
)


def meaning_data(schema: Schema, *, with_rows: bool) -> dict[str, Any]:
    """The meaning of a schema's rows as JSON; `with_rows` adds every row."""
    meaning = meaning_of(schema)
    data: dict[str, Any] = {
        "groups": [
            {
                "name": group.name,
                "instances": {str(number): len(rows) for number, rows in group.rows.items()},
                "told_apart_by": _places(group),
            }
            for group in meaning.groups
        ],
        "laterality": _count(meaning, "laterality"),
        "measured_with": _count(meaning, "measured_with"),
        "temperature": _temperatures(schema),
        "concept": len(row_concepts(schema)),
        "inferred": sum(bool(one.inferred) for one in meaning.rows.values()),
        "unclaimed": [{"group": one.group, "rows": list(one.row_ids), "why": one.why} for one in meaning.unclaimed],
    }
    return data | ({"rows": [_row_data(*one) for one in _rows(schema)]} if with_rows else {})


def _row_data(row: Row, one: RowMeaning, link: ConceptLink | None) -> dict[str, Any]:
    instance = {"group": one.instance.group, "number": one.instance.number} if one.instance else None
    fields = {
        "id": row.id,
        "instance": instance,
        "records": one.records or None,
        "role": one.role,
        "laterality": one.laterality,
        "measured_with": list(one.measured_with),
        "concept": link.concept.id if link else None,
        "options_without_concept": _unknown_options(row, link),
        "inferred": _inferred(row, one, link),
    }
    return {name: value for name, value in fields.items() if value}


def meaning_text(schema: Schema, *, with_rows: bool) -> str:
    """The same as text: counts, then what is unclear; `with_rows` adds every row."""
    meaning = meaning_of(schema)
    inferred = sum(bool(one.inferred) for one in meaning.rows.values())
    lines = [f"What rows are about ({inferred} of {len(schema.rows)} rows: inferred from their names):"]
    lines += [f"  {_group_line(group)}" for group in meaning.groups] or ["  no lines, drains or wounds with numbers"]
    counts = {
        "left or right": _count(meaning, "laterality"),
        "qualify the number of another row": _count(meaning, "measured_with"),
        "temperatures": _temperatures(schema),
        "record a bedside concept, whose words are understood": len(row_concepts(schema)),
    }
    lines += [f"  {what}: {_of_rows(count)}" for what, count in counts.items() if count]
    lines += [f"  unclear: {_unclaimed_line(one)}" for one in meaning.unclaimed]
    lines.append(_HOW_TO_CORRECT)
    if with_rows:
        headings = ["id", "row", "instance", "records", "role", "side", "qualifies", "concept", "inferred"]
        lines += ["", table(headings, [_row_cells(*one) for one in _rows(schema)], widest=40)]
    return "\n".join(lines)


def _group_line(group: Group) -> str:
    numbers = ", ".join(map(str, group.rows))
    counts = sorted({len(rows) for rows in group.rows.values()})
    rows = _of_rows(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]} rows"
    each = " each" if len(group.rows) > 1 else ""
    return f"{group.name} {numbers}: {rows}{each}, told apart by {', '.join(_places(group))}"


def _unclaimed_line(one: Unclaimed) -> str:
    more = f" and {len(one.row_ids) - _ROWS_SHOWN} more" if len(one.row_ids) > _ROWS_SHOWN else ""
    rows = f"{', '.join(one.row_ids[:_ROWS_SHOWN])}{more}"
    return f"{f'{one.group}: ' if one.group else ''}{one.why} ({rows})"


def _inferred(row: Row, one: RowMeaning, link: ConceptLink | None) -> list[str]:
    return sorted({*one.inferred, *(["concept"] if link and not row.concept else [])})


def _unknown_options(row: Row, link: ConceptLink | None) -> list[str]:
    """The options of a linked row that its concept does not know."""
    return [name for name in row.option_names if name not in link.options] if link else []


def _row_cells(row: Row, one: RowMeaning, link: ConceptLink | None) -> list[str]:
    instance = f"{one.instance.group} {one.instance.number}" if one.instance else ""
    return [
        row.id,
        row.name,
        instance,
        one.records,
        one.role or "",
        one.laterality or "",
        ", ".join(one.measured_with),
        link.concept.id if link else "",
        ", ".join(_inferred(row, one, link)),
    ]


def _rows(schema: Schema) -> Iterator[tuple[Row, RowMeaning, ConceptLink | None]]:
    """The rows of which anything is known, each with its meaning and concept."""
    meaning, links = meaning_of(schema), row_concepts(schema)
    known = meaning.rows.keys() | links.keys()
    return ((row, meaning.of(row.id), links.get(row.id)) for row in schema.rows if row.id in known)


def _places(group: Group) -> list[str]:
    return [records for records, role in group.roles.items() if role in PLACES]


def _count(meaning: SchemaMeaning, name: str) -> int:
    return sum(bool(getattr(one, name)) for one in meaning.rows.values())


def _temperatures(schema: Schema) -> int:
    return sum(map(is_temperature, schema.rows))


def _of_rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"
