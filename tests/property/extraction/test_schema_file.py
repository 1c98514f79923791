"""Arbitrary schema files: only SchemaError is raised, and written schemas read back unchanged."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from extraction.flowsheet.errors import SchemaError
from extraction.flowsheet.naming.row_meaning import side_of_name
from extraction.flowsheet.schema import (
    INFERRED_FIELDS,
    Instance,
    Interval,
    Laterality,
    Option,
    Role,
    Row,
    Schema,
    ValueType,
)
from extraction.flowsheet.unit_conversion import DIMENSION_UNITS
from extraction.schema_files.checks import MEASURED, SELECTS
from extraction.schema_files.native_format import parse_schema
from tests.kit.schema_files import dump_schema

DEFINITION = json.loads((files("resources") / "schemas" / "flowsheet.schema.json").read_text(encoding="utf-8"))

texts = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=12).filter(str.strip)
plain = st.text("abcdefghij", min_size=1, max_size=6)
bounds = st.floats(-1e6, 1e6) | st.integers(-500, 500).map(float)
paths = st.lists(st.lists(texts, min_size=1, max_size=3).map(tuple), max_size=2, unique=True)
kinds = st.sampled_from(ValueType)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def options(draw: st.DrawFn) -> tuple[Option, ...]:
    """Options with distinct names and synonyms."""
    words = draw(st.lists(plain, min_size=1, max_size=6, unique=True))
    count = draw(st.integers(1, len(words)))
    synonyms: list[list[str]] = [[] for _ in range(count)]
    for word in words[count:]:
        synonyms[draw(st.integers(0, count - 1))].append(word)
    return tuple(Option(name, tuple(also)) for name, also in zip(words[:count], synonyms, strict=True))


@st.composite
def nested(draw: st.DrawFn, low: float, high: float, parts: int) -> dict[str, tuple[Interval, ...]]:
    """Nested ranges around and within the plausible one, some left out."""
    widths = {
        "absolute": 1.0,
        "critical": -0.25,
        "reference": -0.5,
    }  # distances from the plausible range
    found = {}
    for name, share in widths.items():
        slack = share * (high - low) / 2
        one = Interval(low - slack, high + slack)
        chosen = draw(st.sampled_from((None, one, Interval(one.minimum), Interval(None, one.maximum))))
        if chosen:
            found[name] = (chosen,) * parts
    return found


@st.composite
def rows(draw: st.DrawFn, row_id: str, category: tuple[str, ...]) -> Row:
    kind = draw(kinds)
    low, high = sorted((draw(bounds), draw(bounds)))
    facts: dict[str, Any] = {"synonyms": tuple(draw(st.lists(texts, max_size=2)))}
    if kind in SELECTS:
        facts["options"] = draw(options())
    if kind in MEASURED:
        facts |= {"unit": draw(st.none() | texts), "ucum": draw(st.none() | texts)}
        facts |= {"minimum": draw(st.sampled_from((None, low))), "maximum": draw(st.sampled_from((None, high)))}
        facts |= draw(nested(low, high, 2 if kind is ValueType.BLOOD_PRESSURE else 1))
    if kind is ValueType.QUANTITY:
        facts["dimension"] = draw(st.sampled_from(sorted(DIMENSION_UNITS)))
        facts["unit"] = facts["ucum"] = draw(st.sampled_from(DIMENSION_UNITS[facts["dimension"]]))
    return Row(row_id, draw(texts), kind, category, loinc=draw(st.sampled_from((None, "8867-4"))), **facts)


@st.composite
def about(draw: st.DrawFn, row: Row) -> Row:
    """The row with some optional statements about its meaning."""
    none = {name for name in INFERRED_FIELDS if draw(st.integers(0, 3)) == 0}
    facts: dict[str, Any] = {"also_in": tuple(draw(paths.filter(lambda found: row.category not in found)))}
    if "instance" not in none:
        groups = texts.filter(lambda text: any(map(str.isalpha, text)))
        facts["instance"] = draw(st.none() | st.builds(Instance, groups, st.integers(1, 999)))
        if row.value_type in (*SELECTS, ValueType.TEXT) and "role" not in none:
            facts["role"] = draw(st.none() | st.sampled_from(Role))
    if "laterality" not in none and side_of_name(row.name) is None:
        facts["laterality"] = draw(st.none() | st.sampled_from(Laterality))
    return replace(row, stated_none=tuple(name for name in INFERRED_FIELDS if name in none), **facts)


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    found: list[Row] = []

    def fill(path: tuple[str, ...]) -> None:
        found.extend(draw(rows(f"row {len(found)}", path)) for _ in range(draw(st.integers(0 if path[1:] else 1, 3))))
        for name in draw(st.lists(texts, max_size=2, unique=True)) if len(path) < 3 else ():
            fill((*path, name))

    for name in draw(st.lists(texts, min_size=1, max_size=2, unique=True)):
        fill((name,))
    found = [draw(about(row)) for row in found]
    selects = [place for place, row in enumerate(found) if row.value_type is ValueType.SINGLE_SELECT]
    numbers = [row.id for row in found if row.value_type is ValueType.NUMERIC]
    if selects and numbers:
        place = draw(st.sampled_from(selects))
        row = found[place]
        found[place] = Row(
            row.id, row.name, row.value_type, row.category, options=row.options, unit_of=draw(st.sampled_from(numbers))
        )
    if selects and numbers:
        place, number = draw(st.sampled_from(selects)), draw(st.sampled_from(numbers))
        if found[place].unit_of is None and "measured_with" not in found[place].stated_none:
            found[place] = replace(found[place], measured_with=number)
    return Schema(draw(texts), draw(texts), draw(texts), tuple(found), "", "")


def outcome(data: bytes) -> Schema | SchemaError:
    try:
        return parse_schema(data, "file")
    except SchemaError as error:
        return error


@given(schemas())
def test_a_written_schema_reads_back(schema: Schema) -> None:
    written = dump_schema(schema)
    read = parse_schema(written, "written")
    assert (read.id, read.name, read.version, read.rows) == (schema.id, schema.name, schema.version, schema.rows)
    assert dump_schema(read) == written


@given(st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_arbitrary_files_are_refused_with_a_schema_error(data: bytes) -> None:
    answer = outcome(data)
    assert isinstance(answer, Schema) or (answer.what and answer.next_step)


FIELDS = {
    "id": st.sampled_from(("a", "")),
    "name": plain,
    "type": kinds.map(str),
    "options": st.lists(plain | st.fixed_dictionaries({"name": plain, "synonyms": st.just([])}), max_size=3),
    "unit": st.sampled_from(("kg", "Cel", "mL")),
    "range": st.dictionaries(st.sampled_from(("min", "max", "mid")), bounds, max_size=2),
    **dict.fromkeys(
        ("absolute", "critical", "reference"),
        st.dictionaries(st.sampled_from(("min", "max", "systolic")), bounds | st.just({"min": 1}), max_size=2),
    ),
    "dimension": st.sampled_from(("weight", "volume")),
    "synonyms": st.lists(plain, max_size=2),
    "instance": st.none() | st.fixed_dictionaries({"group": plain, "number": st.integers(0, 2) | bounds}),
    "role": st.sampled_from(("site", "side", "place", None)),
    "laterality": st.sampled_from(("left", "both", None)),
    "measured_with": st.none() | st.sampled_from(("a", "")),
    "also_in": st.lists(st.lists(plain, max_size=2), max_size=2),
    "unit_of": plain,
    "codes": st.dictionaries(st.sampled_from(("loinc", "ucum")), st.just("8867-4"), max_size=2),
    "other": json_values,
    "x-own": json_values,
}


@st.composite
def raw_rows(draw: st.DrawFn) -> dict[str, Any]:
    """A valid row with up to two fields replaced by something nearly right or arbitrary."""
    row: dict[str, Any] = {"id": draw(plain), "name": draw(plain), "type": str(draw(kinds))}
    if row["type"] in SELECTS:
        row["options"] = ["one", {"name": "two", "synonyms": ["2"]}]
    if row["type"] == ValueType.QUANTITY:
        row |= {"dimension": "weight", "unit": "kg"}
    for field in draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=2)):
        row[field] = draw(FIELDS[field] | json_values)
    return row


@given(st.lists(raw_rows(), min_size=1, max_size=3))
def test_files_refused_by_the_json_schema_are_never_accepted(candidates: list[dict[str, Any]]) -> None:
    head = {"format": "wardlight-flowsheet/1", "id": "a", "name": "b", "version": "1"}
    document = {**head, "categories": [{"name": "c", "rows": candidates}]}
    answer = outcome(json.dumps(document).encode())
    if isinstance(answer, SchemaError):
        assert "Row " in answer.what
    else:
        assert Draft202012Validator(DEFINITION).is_valid(document)
        assert len(answer.rows) == len(candidates)
