"""Reads a flowsheet schema from a file and reports exactly what is wrong with an invalid one.

Accepts Wardlight's own format (docs/schema-format.md) and the list of rows in which SYNUR is published.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from extraction.flowsheet.errors import SchemaError
from extraction.flowsheet.schema import (
    INFERRED_FIELDS,
    PRESSURES,
    Band,
    Contradiction,
    Definition,
    Fluid,
    Formula,
    FormulaPart,
    Instance,
    Interval,
    Laterality,
    Option,
    Role,
    Row,
    Schema,
    ValueType,
    file_sha256,
)
from extraction.flowsheet.unit_conversion import ucum
from extraction.schema_files.checks import Problem, broken_rules, checked_definitions, shortened, text_problem
from extraction.schema_files.json_locations import Path as JsonPath
from extraction.schema_files.json_locations import lines_of
from extraction.schema_files.synur_format import SYNUR_TYPES, from_synur

MAX_BYTES = 64 * 1024 * 1024
_SHOWN = 5
_SEE_FORMAT = "The format is described in docs/schema-format.md."
_SYNUR_FIELDS = {"type": "value_type", "options": "value_enum"}


def load_schema(path: Path) -> Schema:
    """Reads and checks the schema in a file.

    Raises:
        SchemaError: the file is unreadable or not a valid schema; the message names row and field.
    """
    return parse_schema(read_schema_bytes(path), str(path))


def read_schema_bytes(path: Path) -> bytes:
    """The raw file, for callers that store it with the parsed schema. Raises SchemaError if it is unreadable."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SchemaError(
                f"{path} is too large to be a flowsheet schema ({path.stat().st_size / 1e6:.0f} MB).",
                "Choose the schema's JSON file.",
            )
        return path.read_bytes()
    except FileNotFoundError as error:
        raise SchemaError(f"There is no schema file {path}.", "Check the name and the folder.") from error
    except OSError as error:
        raise SchemaError(
            f"The schema file {path} cannot be read: {error.strerror or error}.", "Choose a file that you may read."
        ) from error


def parse_schema(data: bytes, source: str) -> Schema:
    """Parses and checks the schema in `data`; `source` is the file's name in messages.

    Raises:
        SchemaError: the schema is invalid. The message is the first problem; the next step lists further ones.
    """
    try:
        written = _decode(data, source)
        synur = isinstance(written, list)
        document = from_synur(written, file_sha256(data)) if synur else written
        if not isinstance(document, dict):
            raise SchemaError(f"{source} is JSON, but not a flowsheet schema.", _SEE_FORMAT)
        _refuse([*_structure_problems(document, synur=synur)], source, data, written)
        rows = tuple(row for category in document["categories"] for row in _rows(category, ()))
        given = list(_definitions(document, (), ()))
    except RecursionError:
        raise SchemaError(f"{source} is nested too deeply.", "Use fewer levels of categories.") from None
    titles = [_title_problem(document, field) for field in ("id", "name", "version", "language")]
    _refuse([*filter(None, titles), *broken_rules(rows)], source, data, written)
    definitions, problems = checked_definitions(given, rows)
    _refuse(problems, source, data, written)
    return Schema(
        document["id"],
        document["name"],
        document["version"],
        rows,
        file_sha256(data),
        source,
        definitions,
        document.get("language", ""),
    )


# reading


def _title_problem(document: dict[str, Any], field: str) -> Problem | None:
    problem = text_problem("The schema", field, document[field]) if field in document else None
    return replace(problem, path=(field,)) if problem else None


def _decode(data: bytes, source: str) -> Any:
    if not data.strip():
        raise SchemaError(f"{source} is empty.", "Choose the schema's JSON file.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SchemaError(
            f"{source} is not UTF-8 text: line {line} holds the byte 0x{data[error.start]:02x}.",
            "Save the file as UTF-8 and open it again.",
        ) from error

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
            near = fields.get("id") or fields.get("name")
            where = f' (near "{shortened(near)}")' if isinstance(near, str) else ""
            raise SchemaError(f'{source} gives the field "{shortened(twice)}" twice{where}.', "Keep one of them.")
        return fields

    def not_a_number(name: str) -> NoReturn:
        raise SchemaError(f"{source} holds {name}, which is not a number in JSON.", "Write a number, or leave it out.")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=not_a_number)
    except json.JSONDecodeError as error:
        raise SchemaError(
            f"{source} is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}.",
            "Correct the file there, or choose another one.",
        ) from error
    except ValueError as error:  # the interpreter refuses integers of thousands of digits
        raise SchemaError(f"{source} holds a number that is too long.", "Write an ordinary number.") from error


def _rows(category: dict[str, Any], above: tuple[str, ...]) -> Iterator[Row]:
    path = (*above, category["name"])
    for row in category.get("rows", ()):
        bounds, codes, unit = row.get("range", {}), row.get("codes", {}), row.get("unit")
        convertible = unit is not None and row["type"] == ValueType.QUANTITY
        yield Row(
            id=row["id"],
            name=row["name"],
            value_type=ValueType(row["type"]),
            category=path,
            options=tuple(map(_option, row.get("options", ()))),
            unit=unit,
            minimum=_number(bounds.get("min")),
            maximum=_number(bounds.get("max")),
            dimension=row.get("dimension"),
            synonyms=tuple(row.get("synonyms", ())),
            written_out=row.get("written_out", ""),
            loinc=codes.get("loinc"),
            ucum=codes.get("ucum") or (ucum(unit) if convertible else None),
            unit_of=row.get("unit_of"),
            formula=_formula(row["formula"]) if "formula" in row else None,
            absolute=_intervals(row, "absolute"),
            critical=_intervals(row, "critical"),
            reference=_intervals(row, "reference"),
            usual=_intervals(row, "usual"),
            instance=_instance(row.get("instance")),
            role=Role(row["role"]) if row.get("role") else None,
            laterality=Laterality(row["laterality"]) if row.get("laterality") else None,
            measured_with=row.get("measured_with"),
            stated_none=tuple(name for name in INFERRED_FIELDS if name in row and row[name] is None),
            also_in=tuple(map(tuple, row.get("also_in", ()))),
            concept=row.get("concept"),
            required=row.get("required", False),
            pinned=row.get("pinned", False),
            fluid=Fluid(row["fluid"]) if row.get("fluid") else None,
            contradicts=tuple(map(_contradiction, row.get("contradicts", ()))),
        )
    for inner in category.get("categories", ()):
        yield from _rows(inner, path)


def _option(data: str | dict[str, Any]) -> Option:
    if isinstance(data, str):
        return Option(data)
    return Option(data["name"], tuple(data.get("synonyms", ())), exclusive=data.get("exclusive"))


def _contradiction(data: dict[str, Any]) -> Contradiction:
    return Contradiction(
        data["value"], tuple(data["rows"]), tuple(data.get("other_than", ())), _number(data.get("above"))
    )


def _instance(data: dict[str, Any] | None) -> Instance | None:
    return Instance(data["group"], int(data["number"])) if data else None


def _intervals(row: dict[str, Any], name: str) -> tuple[Interval, ...]:
    """One of the row's optional ranges: of its number, or of both numbers of a blood pressure."""
    given = row.get(name)
    if given is None:
        return ()
    pair = row["type"] == ValueType.BLOOD_PRESSURE
    return tuple(_interval(part) for part in ([given.get(name, {}) for name in PRESSURES] if pair else [given]))


def _interval(bounds: dict[str, Any]) -> Interval:
    return Interval(_number(bounds.get("min")), _number(bounds.get("max")))


def _formula(data: dict[str, Any]) -> Formula:
    return Formula(data["expression"], tuple((name, _part(part)) for name, part in data["parts"].items()))


def _part(data: str | dict[str, Any]) -> FormulaPart:
    if isinstance(data, str):
        return FormulaPart(data)
    return FormulaPart(
        data["row"],
        points=tuple((name, _number(points) or 0.0) for name, points in data.get("points", {}).items()),
        bands=tuple(Band(_number(band.get("max")), _number(band["points"]) or 0.0) for band in data.get("bands", ())),
        take=data.get("take"),
        otherwise=_part(data["otherwise"]) if "otherwise" in data else None,
    )


def _definitions(
    holder: dict[str, Any], above: tuple[str, ...], place: JsonPath
) -> Iterator[tuple[JsonPath, Definition]]:
    """The unchecked definitions of "within defined limits" in all categories, with their paths."""
    for number, category in enumerate(holder.get("categories", ())):
        here, names = (*place, "categories", number), (*above, category["name"])
        if limits := category.get("within_defined_limits"):
            definition = Definition(names, tuple(limits.get("synonyms", ())), tuple(limits["values"].items()))
            yield (*here, "within_defined_limits"), definition
        yield from _definitions(category, names, here)


def _number(value: float | None) -> float | None:
    try:
        return None if value is None else float(value)
    except OverflowError:
        return float("inf")


# structure, checked against the JSON Schema


@cache
def _validators() -> tuple[Any, Any]:
    """Validators for a whole document and for a single row."""
    from jsonschema import Draft202012Validator

    definition = json.loads((files("resources") / "schemas" / "flowsheet.schema.json").read_text(encoding="utf-8"))
    row = {"$ref": "#/$defs/row", "$defs": definition["$defs"]}
    return Draft202012Validator(definition), Draft202012Validator(row)


def _structure_problems(document: dict[str, Any], *, synur: bool) -> Iterator[Problem]:
    whole, single = _validators()
    outline = list(whole.iter_errors(_without_rows(document)))
    for error in outline:
        yield replace(_problem(error, *_category_and_path(document, error), {}), path=tuple(error.absolute_path))
    if outline:
        return
    # The JSON Schema check is slow, and rows of the same shape give the same result, so each shape is checked once.
    answers: dict[Any, list[Any]] = {}
    for place, (label, row) in enumerate(_raw_rows(document)):
        shape = _shape(row, "")
        if shape not in answers:
            answers[shape] = list(single.iter_errors(row))
        for error in answers[shape]:
            path = list(error.absolute_path)
            yield replace(_problem(error, label, path, _SYNUR_FIELDS if synur else {}), row=place, path=tuple(path))


def _category_and_path(document: dict[str, Any], error: Any) -> tuple[str, list[Any]]:
    """The category that contains an error, and the path from there."""
    path, here, label = list(error.absolute_path), document, "The schema"
    while len(path) > 1 and path[0] == "categories" and isinstance(path[1], int):
        here = here["categories"][path[1]]
        name = here.get("name") if isinstance(here, dict) else None
        label = f'Category "{shortened(name)}"' if isinstance(name, str) else f"Category {path[1] + 1}"
        path = path[2:]
    return label, path


def _without_rows(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_rows(item) for item in value]
    if isinstance(value, dict):
        return {
            key: [] if key == "rows" and isinstance(item, list) else _without_rows(item) for key, item in value.items()
        }
    return value


def _raw_rows(holder: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every unparsed row, with its label for messages."""
    for category in holder.get("categories", ()):
        for place, row in enumerate(category.get("rows", ()), 1):
            fields = row if isinstance(row, dict) else {}
            row_id, name = fields.get("id"), fields.get("name")
            label = (
                f'Row "{shortened(row_id)}"'
                if isinstance(row_id, str)
                else f'Row {place} of "{shortened(category["name"])}"'
            )
            yield f"{label} ({shortened(name)})" if isinstance(name, str) else label, row
        yield from _raw_rows(category)


_ENUMERATED = frozenset({"type", "dimension", "take", "role", "laterality"})


def _shape(value: Any, key: str) -> Any:
    """What the JSON Schema can see of a value: values of one shape are all valid or all invalid."""
    if isinstance(value, dict):
        return frozenset((name, _shape(item, name)) for name, item in value.items())
    if isinstance(value, list):
        return (len(value) > 0, frozenset(_shape(item, "") for item in value))
    if isinstance(value, str):
        return value if key in _ENUMERATED else ("str", bool(value))
    if isinstance(value, float):
        return "float", value.is_integer()
    return type(value).__name__


_WORDS = {
    "object": "an object in braces",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "null": "null",
    "boolean": "true or false",
}


def _problem(error: Any, label: str, path: list[Any], fields: dict[str, str]) -> Problem:
    """A JSON Schema error in plain words; `fields` maps names that the file spells differently."""
    parts = [f"entry {part + 1}" if isinstance(part, int) else fields.get(part, part) for part in path]
    field = f'the field "{" / ".join(parts)}"' if parts else "it"
    match error.validator:
        case "required":
            missing = [fields.get(name, name) for name in error.validator_value if name not in error.instance]
            place = f"{field} has" if parts else "it has"
            return Problem(f"{label}: {place} no {_quoted(missing, ' and no ')}.", f"Add it. {_SEE_FORMAT}")
        case "additionalProperties":
            known = error.schema["properties"]
            extra = [shortened(name) for name in error.instance if name not in known and not name.startswith("x-")]
            return Problem(
                f"{label}: the format has no field {_quoted(extra, ' and no ')} there.",
                f'Take it out, correct it to one of {", ".join(known)}, or begin its name with "x-".',
            )
        case "type":
            wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
            return Problem(
                f"{label}: {field} must be {' or '.join(_WORDS[name] for name in wanted)}.",
                f"Correct it. {_SEE_FORMAT}",
            )
        case "enum" | "const":
            permitted = error.validator_value if error.validator == "enum" else [error.validator_value]
            permitted = list(SYNUR_TYPES) if "value_type" in parts else permitted
            found = shortened(json.dumps(error.instance, ensure_ascii=False))
            return Problem(
                f"{label}: {field} is {found}, which is not known.",
                f"Use one of: {', '.join(one or 'null' for one in permitted)}.",
            )
        case _:  # minLength, minItems, minProperties
            return Problem(f"{label}: {field} is empty.", "Fill it, or take it out.")


def _quoted(names: list[str], joint: str) -> str:
    return joint.join(f'"{name}"' for name in names)


def _refuse(problems: list[Problem], source: str, data: bytes, written: Any) -> None:
    """Raises SchemaError if there are problems: the first in full, further ones listed after it, each with its line.

    Args:
        data, written: the file, and the JSON parsed from it.
    """
    if not problems:
        return
    first, *more = dict.fromkeys(problems)
    lines, rows = lines_of(data.decode("utf-8-sig")), _row_paths(written)

    def placed(problem: Problem) -> str:
        path = (*(rows[problem.row] if problem.row is not None else ()), *problem.path)
        while path not in lines:  # the file names the field differently, or it is missing
            path = path[:-1]
        return f"Line {lines[path]}: {problem.what}"

    listed = "".join(f"\n- {placed(problem)}" for problem in more[:_SHOWN])
    rest = f"\n- and {len(more) - _SHOWN} more" if len(more) > _SHOWN else ""
    also = f"\nFurther problems in this file:{listed}{rest}" if more else ""
    raise SchemaError(f"The flowsheet schema {source} cannot be used. {placed(first)}", f"{first.fix}{also}")


def _row_paths(written: Any) -> list[JsonPath]:
    """The path of each row in the file, in row order."""
    if isinstance(written, list):
        return [(place,) for place in range(len(written))]

    def below(holder: Any, path: JsonPath) -> Iterator[JsonPath]:
        for number, category in enumerate(holder.get("categories", ())):
            here = (*path, "categories", number)
            yield from ((*here, "rows", place) for place in range(len(category.get("rows", ()))))
            yield from below(category, here)

    try:
        return list(below(written, ()))
    except (AttributeError, TypeError):  # with an invalid outline, rows are not checked
        return []


# writing
