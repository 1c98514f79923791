"""Writes a flowsheet schema as a file."""

from __future__ import annotations

import json
from typing import Any

from extraction.flowsheet.schema import (
    PRESSURES,
    Contradiction,
    Formula,
    FormulaPart,
    Interval,
    Option,
    Row,
    Schema,
)
from extraction.schema_files.checks import FORMAT


def dump_schema(schema: Schema) -> bytes:
    """The schema in Wardlight's format, one row per line, with the rows of each category together."""
    tree: dict[str, Any] = {"rows": [], "categories": {}}
    for row in schema.rows:
        place = tree
        for name in row.category:
            place = place["categories"].setdefault(name, {"rows": [], "categories": {}})
        place["rows"].append(_row_json(row))
    for definition in schema.definitions:
        place = tree
        for name in definition.category:
            place = place["categories"].setdefault(name, {"rows": [], "categories": {}})
        values = {row_id: list(value) if isinstance(value, tuple) else value for row_id, value in definition.values}
        synonyms = {"synonyms": list(definition.synonyms)} if definition.synonyms else {}
        place["limits"] = synonyms | {"values": values}
    head = {"format": FORMAT, "id": schema.id, "name": schema.name, "version": schema.version}
    head |= {"language": schema.language} if schema.language else {}
    lines = [f"  {_line(key)}: {_line(value)}," for key, value in head.items()]
    return "\n".join(["{", *lines, *_category_lines(tree, "  "), "}", ""]).encode()


def _row_json(row: Row) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": row.id,
        "name": row.name,
        "type": str(row.value_type),
        "options": [_option_json(option) for option in row.options],
        "unit": row.unit,
        "range": _interval_json(Interval(row.minimum, row.maximum)),
        "absolute": _intervals_json(row.absolute),
        "critical": _intervals_json(row.critical),
        "reference": _intervals_json(row.reference),
        "dimension": row.dimension,
        "synonyms": list(row.synonyms),
        "unit_of": row.unit_of,
        "formula": _formula_json(row.formula) if row.formula else None,
        "codes": {key: value for key, value in (("loinc", row.loinc), ("ucum", row.ucum)) if value is not None},
    }
    fields |= {
        "instance": {"group": row.instance.group, "number": row.instance.number} if row.instance else None,
        "role": row.role,
        "laterality": row.laterality,
        "measured_with": row.measured_with,
        "concept": row.concept,
        "required": row.required,
        "pinned": row.pinned,
        "fluid": row.fluid,
        "contradicts": [_contradiction_json(one) for one in row.contradicts],
        "also_in": [list(path) for path in row.also_in],
    }
    return {key: value for key, value in fields.items() if value or key in row.stated_none}


def _option_json(option: Option) -> str | dict[str, Any]:
    fields: dict[str, Any] = {"synonyms": list(option.synonyms)} if option.synonyms else {}
    fields |= {} if option.exclusive is None else {"exclusive": option.exclusive}
    return {"name": option.name} | fields if fields else option.name


def _contradiction_json(one: Contradiction) -> dict[str, Any]:
    fields: dict[str, Any] = {"other_than": list(one.other_than)} if one.other_than else {}
    fields |= {} if one.above is None else {"above": _plain(one.above)}
    return {"value": one.value, "rows": list(one.row_ids)} | fields


def _interval_json(interval: Interval) -> dict[str, Any]:
    bounds = {"min": _plain(interval.minimum), "max": _plain(interval.maximum)}
    return {key: value for key, value in bounds.items() if value is not None}


def _intervals_json(intervals: tuple[Interval, ...]) -> dict[str, Any]:
    if len(intervals) == len(PRESSURES):
        parts = {name: _interval_json(part) for name, part in zip(PRESSURES, intervals, strict=True)}
        return {name: bounds for name, bounds in parts.items() if bounds}
    return _interval_json(intervals[0]) if intervals else {}


def _formula_json(formula: Formula) -> dict[str, Any]:
    return {"expression": formula.expression, "parts": {name: _part_json(part) for name, part in formula.parts}}


def _part_json(part: FormulaPart) -> str | dict[str, Any]:
    fields = {
        "row": part.row_id,
        "points": {name: _plain(points) for name, points in part.points},
        "bands": [
            ({} if band.maximum is None else {"max": _plain(band.maximum)}) | {"points": _plain(band.points)}
            for band in part.bands
        ],
        "take": part.take,
        "otherwise": _part_json(part.otherwise) if part.otherwise else None,
    }
    given = {key: value for key, value in fields.items() if value}
    return given if len(given) > 1 else part.row_id


def _plain(number: float | None) -> float | None:
    return int(number) if number is not None and number.is_integer() and abs(number) < 1e15 else number


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _category_lines(place: dict[str, Any], indent: str) -> list[str]:
    parts = []
    if "limits" in place:
        parts.append(f'{indent}"within_defined_limits": {_line(place["limits"])}')
    if place["rows"]:
        rows = ",\n".join(f"{indent}  {_line(row)}" for row in place["rows"])
        parts.append(f'{indent}"rows": [\n{rows}\n{indent}]')
    if place["categories"]:
        inner = ",\n".join(
            "\n".join(
                [f"{indent}  {{", f'{indent}    "name": {_line(name)},', *_category_lines(child, indent + "    ")]
            )
            + f"\n{indent}  }}"
            for name, child in place["categories"].items()
        )
        parts.append(f'{indent}"categories": [\n{inner}\n{indent}]')
    return [",\n".join(parts)]
