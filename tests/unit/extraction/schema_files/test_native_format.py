"""Reading flowsheet schemas: both formats, and error messages for invalid files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from extraction.confidence.binding import rows_sha256
from extraction.flowsheet.errors import SchemaError
from extraction.flowsheet.schema import (
    Contradiction,
    Definition,
    Fluid,
    Instance,
    Interval,
    Laterality,
    Option,
    Role,
    Row,
    ValueType,
)
from extraction.schema_files.checks import is_loinc
from extraction.schema_files.native_format import MAX_BYTES, load_schema, parse_schema
from tests.kit.schema_files import dump_schema

PULSE = {"id": "vs.pulse", "name": "Pulse", "type": "numeric", "unit": "/min", "range": {"min": 0, "max": 300}}
COUGH = {"id": "resp.cough", "name": "Cough", "type": "single_select", "options": ["Dry", "Wet"]}
PRESSURE = {"id": "bp", "name": "Pressure", "type": "blood_pressure", "unit": "mm[Hg]"}
SYNUR = [
    {"id": "4", "name": "Fever", "value_type": "SINGLE_SELECT", "value_enum": ["Yes", "No"]},
    {"id": "5", "name": "Skin", "value_type": "MULTI_SELECT", "value_enum": ["warm", "dry"]},
    {"id": "6", "name": "Body heat", "value_type": "NUMERIC"},
    {"id": "7", "name": "Body heat unit", "value_type": "SINGLE_SELECT", "value_enum": ["Â°C", "Â°F"]},
    {"id": "8", "name": "Remarks", "value_type": "STRING"},
    {"id": "9", "name": "Alarm", "value_type": "SINGLE_SELECT", "value_enum": ["yes", "no"]},
]


def document(*rows: Any, **head: Any) -> dict[str, Any]:
    fields = {"format": "wardlight-flowsheet/1", "id": "ward-9", "name": "Ward 9", "version": "3"}
    return {**fields, "categories": [{"name": "Vital signs", "rows": list(rows)}], **head}


def data(value: Any) -> bytes:
    return json.dumps(value).encode()


def refusal(content: bytes) -> str:
    with pytest.raises(SchemaError) as caught:
        parse_schema(content, "ward.json")
    assert "ward.json" in caught.value.what
    assert caught.value.next_step
    return str(caught.value)


def test_every_field_is_read() -> None:
    row = {
        "id": "vs.temp",
        "name": "Temperature",
        "type": "quantity",
        "dimension": "temperature",
        "unit": "°F",
        "range": {"min": 80, "max": 113.5},
        "synonyms": ["temp"],
        "codes": {"loinc": "8310-5", "ucum": "[degF]"},
    }
    options = ["None", {"name": "Dry", "synonyms": ["nonproductive"]}]
    inner = {"name": "Respiratory", "rows": [{**COUGH, "options": options, "x-owner": "pulmonology"}]}
    schema = parse_schema(
        data(document(row) | {"categories": [{"name": "All", "rows": [row], "categories": [inner]}]}), "w"
    )
    assert (schema.id, schema.name, schema.version, schema.source, len(schema.sha256)) == (
        "ward-9",
        "Ward 9",
        "3",
        "w",
        64,
    )
    assert schema.rows == (
        Row(
            "vs.temp",
            "Temperature",
            ValueType.QUANTITY,
            ("All",),
            unit="°F",
            minimum=80.0,
            maximum=113.5,
            dimension="temperature",
            synonyms=("temp",),
            loinc="8310-5",
            ucum="[degF]",
        ),
        Row(
            "resp.cough",
            "Cough",
            ValueType.SINGLE_SELECT,
            ("All", "Respiratory"),
            options=(Option("None"), Option("Dry", ("nonproductive",))),
        ),
    )


def test_ranges_are_read_and_written_back() -> None:
    ranges = {
        "absolute": {"min": 0},
        "range": {"max": 300},
        "critical": {"min": 40},
        "reference": {"min": 60, "max": 100},
    }
    pressures = {"reference": {"systolic": {"min": 90, "max": 140}}, "critical": {"diastolic": {"max": 120}}}
    schema = parse_schema(data(document(change(PULSE, **ranges), change(PRESSURE, **pressures))), "w")
    pulse, pressure = schema.rows
    assert (pulse.absolute, pulse.critical, pulse.reference) == (
        (Interval(0.0, None),),
        (Interval(40.0, None),),
        (Interval(60.0, 100.0),),
    )
    assert pressure.reference == (Interval(90.0, 140.0), Interval())
    assert pressure.critical == (Interval(), Interval(None, 120.0))
    assert parse_schema(dump_schema(schema), "written").rows == schema.rows


def test_an_invalid_range_is_reported_with_its_line() -> None:
    text = json.dumps(document(change(PULSE, critical={"min": 40}, reference={"min": 30})), indent=1)
    line = next(n for n, words in enumerate(text.splitlines(), 1) if '"min": 30' in words)
    assert f"Line {line}:" in refusal(text.encode())


def test_a_quantity_gets_the_ucum_code_of_its_unit() -> None:
    row = {"id": "w", "name": "Weight", "type": "quantity", "dimension": "weight", "unit": "lb"}
    assert parse_schema(data(document(row)), "w").row("w").ucum == "[lb_av]"


def test_a_byte_order_mark_is_tolerated() -> None:
    assert parse_schema(b"\xef\xbb\xbf" + data(document(PULSE)), "w").row("vs.pulse").unit == "/min"


def limited(values: Any, *, name: str = "Lungs", **more: Any) -> dict[str, Any]:
    """A category with a definition of its limits."""
    return {"name": name, "within_defined_limits": {"values": values, **more}, "rows": []}


def test_limits_are_normalised_and_written_back() -> None:
    multi = change(COUGH, id="sounds", name="Sounds", type="multi_select")
    limits = limited({"resp.cough": "dry", "sounds": ["Wet", "Dry"], "vs.pulse": 80}, synonyms=["resp"])
    given = document(PULSE, COUGH, multi)
    schema = parse_schema(data({**given, "categories": [*given["categories"], limits]}), "w")
    values = (("resp.cough", "Dry"), ("sounds", ("Dry", "Wet")), ("vs.pulse", 80.0))
    assert schema.definitions == (Definition(("Lungs",), ("resp",), values),)
    assert schema.definitions[0].names == ("Lungs", "resp")
    assert parse_schema(dump_schema(schema), "w").definitions == schema.definitions


@pytest.mark.parametrize(
    ("categories", "said"),
    [
        ([limited({"zz": "Dry"})], ['Category "Lungs"', '"within_defined_limits"', 'no row has the id "zz"']),
        ([limited({"resp.cough": "Barking"})], ['Category "Lungs"', "'Barking' cannot be a value of 'Cough'"]),
        ([limited({"vs.pulse": 900})], ['"vs.pulse" (Pulse) is outside the plausible range 0 to 300']),
        ([limited({})], ['"within_defined_limits / values" is empty']),
        ([limited({"resp.cough": None})], ['"within_defined_limits / values / resp.cough" must be a text or']),
        ([limited({"resp.cough": "Dry"}, synonym=["x"])], ['no field "synonym"']),
        (
            [limited({"resp.cough": "Dry"}, synonyms=["lungs"], name="Chest"), limited({"resp.cough": "Dry"})],
            ['"Lungs" names "Chest" as well'],
        ),
    ],
)
def test_invalid_limits_are_reported(categories: list[Any], said: list[str]) -> None:
    given = document(PULSE, COUGH)
    message = refusal(data({**given, "categories": [*given["categories"], *categories]}))
    assert [part for part in said if part not in message] == []


def change(row: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {key: value for key, value in {**row, **fields}.items() if value is not None}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([PULSE, change(COUGH, id="vs.pulse")], ['"vs.pulse" (Cough)', '"id"', "(Pulse)"]),
        ([change(PULSE, type="slider")], ['"vs.pulse" (Pulse)', '"type"', '"slider"', "single_select"]),
        ([change(PULSE, type=None)], ['"vs.pulse" (Pulse)', 'no "type"']),
        ([change(PULSE, id=None)], ['Row 1 of "Vital signs" (Pulse)', 'no "id"']),
        ([PULSE, change(COUGH, id=7)], ['Row 2 of "Vital signs" (Cough)', '"id" must be a text']),
        (["pulse"], ['Row 1 of "Vital signs"', "must be an object"]),
        ([change(COUGH, options=None)], ['"resp.cough" (Cough)', 'no "options"']),
        ([change(COUGH, options=[])], ['"resp.cough" (Cough)', '"options" is empty']),
        ([change(COUGH, options=["Dry", ""])], ['"options / entry 2" is empty']),
        ([change(COUGH, options=["Dry", " "])], ['"resp.cough" (Cough)', '"options" is empty']),
        ([change(COUGH, options=["Dry", 2])], ['"options / entry 2" must be a text or an object']),
        ([change(COUGH, options=["Dry", {"synonyms": ["x"]}])], ['"options / entry 2" has no "name"']),
        ([change(COUGH, options=["Dry", "Wet", "dry "])], ['"dry "', "twice"]),
        (
            [change(COUGH, options=["Dry", {"name": "Wet", "synonyms": ["dry"]}])],
            ['"dry" stands for "Dry" and for "Wet"'],
        ),
        ([change(PULSE, options=["Fast"])], ["type numeric", '"options"']),
        ([change(PULSE, range={"min": 9, "max": 1})], ['"vs.pulse" (Pulse)', "min (9) is greater than max (1)"]),
        ([change(PULSE, range={"max": "1"})], ['"range / max" must be a number']),
        ([change(PULSE, range={})], ['"range" is empty']),
        ([change(PULSE, range={"max": 10**400})], ['bound of its "range" is too large']),
        (
            [change(PULSE, reference={"min": 30, "max": 90}, critical={"min": 40})],
            ["Line ", '"vs.pulse" (Pulse)', 'min (30) of "reference" lies outside of "critical" (40 or more)'],
        ),
        (
            [change(PULSE, range={"max": 200}, critical={"max": 210})],
            ['max (210) of "critical"', '"range" (up to 200)'],
        ),
        (
            [change(PULSE, absolute={"max": 100}, range={"max": 200})],
            ['max (200) of "range"', '"absolute" (up to 100)'],
        ),
        ([change(PULSE, absolute={"min": 50}, reference={"max": 40})], ['max (40) of "reference"', '"absolute"']),
        ([change(PULSE, critical={"min": 9, "max": 1})], ['in "critical", min (9) is greater than max (1)']),
        ([change(PULSE, critical={"max": 10**400})], ['bound of its "critical" is too large']),
        ([change(PULSE, reference={})], ['"reference" is empty']),
        ([change(PULSE, reference={"systolic": {"min": 9}})], ['no field "systolic"', "min, max"]),
        ([change(PRESSURE, reference={"min": 9})], ['"bp" (Pressure)', 'no field "min"', "systolic, diastolic"]),
        (
            [change(PRESSURE, range={"min": 20}, critical={"diastolic": {"min": 10}})],
            ['min (10) of "critical / diastolic" lies outside of "range" (20 or more)'],
        ),
        ([change(COUGH, reference={"min": 1})], ["single_select", '"reference"']),
        ([change(COUGH, unit="mL", range={"min": 1})], ["single_select", '"unit"', '"range"']),
        ([change(PULSE, dimension="weight")], ["type numeric", '"dimension"']),
        ([change(PULSE, type="quantity")], ['no "dimension"']),
        ([change(PULSE, type="quantity", dimension="weight")], ['"/min" is not a unit of weight', "kg"]),
        (
            [change(PULSE, type="quantity", dimension="temperature", unit="°F", codes={"ucum": "Cel"})],
            ["°F", "Cel", "Correct one of them"],
        ),
        ([PULSE, change(COUGH, unit_of="vs.plus")], ['"resp.cough" (Cough)', '"unit_of"', '"vs.plus"']),
        ([change(COUGH, unit_of="resp.cough")], ['"unit_of"', "records a unit itself"]),
        ([PULSE, change(COUGH, type="multi_select", unit_of="vs.pulse")], ["only a single_select", '"unit_of"']),
        ([change(PULSE, codes={"loinc": "8867-5"})], ['"loinc" is "8867-5"', "check digit"]),
        ([change(PULSE, synonims=["HR"])], ['no field "synonims"', "synonyms"]),
        ([change(PULSE, name="Pulse\nrate")], ['"name"', "line break"]),
        ([change(PULSE, name="\ud800")], ['"name"', "cannot be shown"]),
        ([], ["no rows"]),
    ],
)
def test_an_invalid_row_is_reported_with_its_field(rows: list[Any], said: list[str]) -> None:
    message = refusal(data(document(*rows)))
    assert [part for part in said if part not in message] == []


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({"format": "wardlight-flowsheet/9"}, '"wardlight-flowsheet/9"'),
        ({"version": 3}, '"version" must be a text'),
        ({"name": " "}, '"name" is empty'),
        ({"categories": []}, '"categories" is empty'),
        ({"categories": [{"rows": [PULSE]}]}, 'Category 1: it has no "name"'),
        ({"categories": [{"name": "A", "row": [PULSE]}]}, 'Category "A": the format has no field "row"'),
        ({"categories": [{"name": "A", "categories": [{"name": "B", "rows": 3}]}]}, 'Category "B": the field "rows"'),
    ],
)
def test_an_invalid_outline_is_reported(head: dict[str, Any], said: str) -> None:
    assert said in refusal(data(document(PULSE, **head)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8 text: line 1 holds the byte 0xff"),
        ('{\n"name": "Ä"}'.encode("latin-1"), "line 2 holds the byte 0xc4"),
        (b'{"id": "a",\n "name" "b"}', "line 2, column 9"),
        (b"RIFF....WAVEfmt", "not valid JSON: line 1, column 1"),
        (b'{"range": NaN}', "NaN"),
        (b'{"id": "a", "name": "x", "name": "y"}', '"name" twice (near "a")'),
        (b'"a text"', "not a flowsheet schema"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"id": ' + b"1" * 5000 + b"}", "number that is too long"),
    ],
)
def test_a_file_that_is_not_a_schema_is_refused_in_plain_words(content: bytes, said: str) -> None:
    assert said in refusal(content)


def test_categories_nested_too_deeply_are_refused() -> None:
    category: dict[str, Any] = {"name": "x", "rows": [PULSE]}
    for _ in range(300):
        category = {"name": "x", "categories": [category]}
    assert "nested too deeply" in refusal(data(document(categories=[category])))


def test_all_problems_are_counted_and_the_first_few_listed() -> None:
    message = refusal(data(document(*[change(PULSE, id=f"r{number}", type="slider") for number in range(9)])))
    assert message.index('"r0"') < message.index('"r1"') < message.index('"r5"') < message.index("and 3 more")
    assert '"r6"' not in message


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"no schema file .*ward\.json"):
        load_schema(tmp_path / "ward.json")
    with pytest.raises(SchemaError, match="cannot be read"):
        load_schema(tmp_path)
    huge = tmp_path / "film.mp4"
    with huge.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(SchemaError, match="too large"):
        load_schema(huge)


def test_a_schema_is_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ward.json"
    path.write_bytes(data(document(PULSE, COUGH)))
    schema = load_schema(path)
    assert (schema.source, [row.id for row in schema.rows]) == (str(path), ["vs.pulse", "resp.cough"])


def test_synur_rows_are_converted() -> None:
    rows = parse_schema(data(SYNUR), "synur.json").by_id
    assert {row.category for row in rows.values()} == {("Flowsheet",)}
    assert [rows[key].value_type for key in "456789"] == [
        ValueType.YES_NO,
        ValueType.MULTI_SELECT,
        ValueType.NUMERIC,
        ValueType.SINGLE_SELECT,
        ValueType.TEXT,
        ValueType.SINGLE_SELECT,  # "yes" and "no" in lower case would not read back unchanged
    ]
    assert rows["7"].unit_of == "6"
    assert rows["7"].options == (Option("Â°C", ("°C",)), Option("Â°F", ("°F",)))
    assert rows["9"].option_names == ("yes", "no")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "1", "name": "Fever", "value_type": "DATE"}, ['"1" (Fever)', '"value_type"', "SINGLE_SELECT"]),
        ({"id": "1", "name": "Fever", "value_type": "SINGLE_SELECT"}, ['"1" (Fever)', 'no "value_enum"']),
        ({"id": "1", "name": "Fever", "value_type": "MULTI_SELECT", "value_enum": [3]}, ['"value_enum / entry 1"']),
        ({"id": "4", "name": "Pulse", "value_type": "NUMERIC"}, ['"4" (Pulse)', "already used", "(Fever)"]),
        ("Fever", ['Row 7 of "Flowsheet"', "object"]),
    ],
)
def test_invalid_synur_rows_are_reported_with_synurs_field_names(row: Any, said: list[str]) -> None:
    message = refusal(data([*SYNUR, row]))
    assert [part for part in said if part not in message] == []


def test_an_empty_synur_list_has_no_rows() -> None:
    assert "no rows" in refusal(b"[]")


def test_a_written_schema_has_one_row_per_line() -> None:
    written = dump_schema(parse_schema(data(document(PULSE, COUGH)), "w")).decode()
    assert sum(line.strip().startswith('{"id": ') for line in written.splitlines()) == 2
    assert '"range": {"min": 0, "max": 300}' in written


@pytest.mark.timeout(300)
def test_fifty_thousand_rows_load() -> None:
    rows = [change(COUGH, id=f"row {number}", name=f"Cough {number}") for number in range(50_000)]
    assert len(parse_schema(data(document(*rows)), "w").rows) == 50_000


def test_loinc_codes_are_validated_by_their_check_digit() -> None:
    assert all(map(is_loinc, ("8867-4", "85354-9", "59408-5", "9269-2")))
    assert not any(map(is_loinc, ("8867-3", "8876-4", "8867", "-4", "8867-44", "heart")))


def test_each_problem_has_its_line() -> None:
    rows = [PULSE, {**COUGH, "options": ["Dry", "dry"]}, {**COUGH, "id": "resp.other", "unit": "L"}]
    head = ["{", '"format": "wardlight-flowsheet/1", "id": "w",', '"name": "Ward", "version": "1", "categories": [']
    body = ",\n".join(json.dumps(row) for row in rows)
    refused = refusal("\n".join([*head, '{"name": "All", "rows": [', body, "]}]}"]).encode())
    assert 'Line 6: Row "resp.cough"' in refused
    assert 'stands twice in "options"' in refused
    assert '- Line 7: Row "resp.other"' in refused


def test_a_problem_in_a_field_has_the_line_of_the_field() -> None:
    text = json.dumps(document(PULSE | {"synonyms": "pulse"}), indent=1)
    line = next(number for number, line in enumerate(text.split("\n"), 1) if "synonyms" in line)
    assert f'Line {line}: Row "vs.pulse" (Pulse): the field "synonyms" must be a list' in refusal(text.encode())
    assert "Line 3: Row" in refusal(b'[\n{"id": "4", "name": "Fever", "value_type": "STRING"},\n{"id": "5"}]')


def test_problems_with_limits_have_their_line() -> None:
    given = document(PULSE, COUGH)
    inner = limited({"resp.cough": "Dry", "vs.pulse": 900}, name="Left", synonyms=["lung", "l\u2028l"])
    outer = {"name": "Lungs", "categories": [inner], "rows": []}
    text = json.dumps({**given, "categories": [*given["categories"], outer]}, indent=1)
    lines = {
        name: number for number, line in enumerate(text.split("\n"), 1) for name in ("900", "u2028") if name in line
    }
    refused = refusal(text.encode())
    assert f'Line {lines["u2028"]}: Category "Left"' in refused
    assert f'- Line {lines["900"]}: Category "Left"' in refused


def test_the_language_is_optional() -> None:
    assert parse_schema(data(document(PULSE)), "w").language == ""
    spoken = parse_schema(data(document(PULSE, language="en-GB")), "w")
    assert spoken.language == "en-GB"
    assert parse_schema(dump_schema(spoken), "w").language == "en-GB"
    assert 'Line 1: The schema: the field "language" is empty' in refusal(data(document(PULSE, language=" ")))


SITE = {
    "id": "piv1.loc",
    "name": "Where line 1 is",
    "type": "text",
    "instance": {"group": "Peripheral IV", "number": 1},
    "role": "site",
    "also_in": [["Skin", "Lines"], ["Handover"]],
}
SOURCE = COUGH | {
    "id": "pulse.src",
    "concept": "heart_rate_source",
    "name": "Source",
    "measured_with": "vs.pulse",
    "laterality": "left",
}
NONE = COUGH | {"name": "Left cough 1", "instance": None, "role": None, "laterality": None, "measured_with": None}
NONE |= {"concept": None}


DRAIN = {"id": "drain", "name": "Drain output", "type": "quantity", "dimension": "volume", "unit": "mL"}


def test_the_stated_meaning_of_a_row_is_read_and_written_back() -> None:
    schema = parse_schema(data(document(PULSE, SITE, SOURCE, NONE, DRAIN | {"fluid": "output", "pinned": True})), "w")
    _, site, source, none, drain = schema.rows
    assert drain.fluid is Fluid.OUTPUT
    assert drain.pinned
    assert not site.pinned
    assert (site.instance, site.role) == (Instance("Peripheral IV", 1), Role.SITE)
    assert site.categories == (("Vital signs",), ("Skin", "Lines"), ("Handover",))
    assert (source.measured_with, source.laterality) == ("vs.pulse", Laterality.LEFT)
    assert (source.concept, none.concept) == ("heart_rate_source", None)
    assert none.stated_none == ("instance", "role", "laterality", "measured_with", "concept")
    assert (none.instance, none.role, none.laterality, none.measured_with) == (None,) * 4
    assert parse_schema(dump_schema(schema), "w").rows == schema.rows


SOUNDS = {
    "id": "sounds",
    "name": "Breath sounds",
    "type": "multi_select",
    "options": [{"name": "Clear", "exclusive": True}, {"name": "Wet", "exclusive": False}, "Wheeze"],
    "contradicts": [
        {"value": "Clear", "rows": ["resp.cough"], "other_than": ["Dry"]},
        {"value": "Clear", "rows": ["vs.pulse"], "above": 130},
    ],
}


def test_what_excludes_and_contradicts_is_read_and_written_back() -> None:
    schema = parse_schema(data(document(PULSE, COUGH, SOUNDS)), "w")
    sounds = schema.row("sounds")
    assert [option.exclusive for option in sounds.options] == [True, False, None]
    assert sounds.contradicts == (
        Contradiction("Clear", ("resp.cough",), ("Dry",)),
        Contradiction("Clear", ("vs.pulse",), above=130.0),
    )
    assert parse_schema(dump_schema(schema), "w").rows == schema.rows
    plain = SOUNDS | {"options": ["Clear", "Wet", "Wheeze"], "contradicts": []}
    assert rows_sha256(schema) == rows_sha256(parse_schema(data(document(PULSE, COUGH, plain)), "w"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"contradicts": [{"value": "Dry", "rows": ["sounds"]}]}, "which is not a value of the row"),
        ({"contradicts": [{"value": "Clear", "rows": ["x"]}]}, 'in "contradicts", "rows" names "x", and no row has'),
        ({"contradicts": [{"value": "Clear", "rows": ["sounds"]}]}, '"rows" names the row itself'),
        ({"contradicts": [{"value": "Clear", "rows": ["resp.cough"], "above": 1}]}, '"above" is for numbers'),
        (
            {"contradicts": [{"value": "Clear", "rows": ["resp.cough"], "other_than": ["Blue"]}]},
            '"other_than" has "Blue", which is not an option of "resp.cough"',
        ),
        ({"contradicts": [{"value": "Clear"}]}, 'has no "rows"'),
        ({"type": "single_select"}, '"exclusive" is for a multi_select'),
    ],
)
def test_a_wrong_exclusion_or_contradiction_is_refused(row: dict[str, Any], said: str) -> None:
    assert said in refusal(data(document(PULSE, COUGH, SOUNDS | row)))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (SITE | {"instance": {"group": "IV", "number": 0}}, 'in "instance", the number is 0. Number instances from 1'),
        (SITE | {"instance": {"group": "IV", "number": 1.5}}, '"instance / number" must be a whole number'),
        (SITE | {"instance": {"group": "#", "number": 1}}, 'in "instance", the group "#" has no word'),
        (SITE | {"instance": {"group": "IV"}}, '"instance" has no "number"'),
        (SITE | {"instance": "IV 1"}, '"instance" must be an object in braces or null'),
        (SITE | {"instance": None}, 'it has the "role" site, but its "instance" is null'),
        (
            SITE | {"role": "place"},
            'the field "role" is "place", which is not known. Use one of: site, side, type, null',
        ),
        (PULSE | {"role": "site"}, 'a row of type numeric cannot have the "role" site'),
        (PULSE | {"laterality": "both"}, 'the field "laterality" is "both"'),
        (PULSE | {"name": "R radial pulse", "laterality": "left"}, None),
        (PULSE | {"name": "Right pulse", "laterality": "left"}, '"laterality" is left, but its name says right'),
        (COUGH | {"concept": "couhg"}, '"concept" is "couhg", and no concept has that id'),
        (COUGH | {"measured_with": "x"}, '"measured_with" names "x", and no row has that id'),
        (COUGH | {"measured_with": "resp.cough"}, "which holds no number"),
        (PULSE | {"measured_with": "vs.pulse"}, 'only a single_select without "unit_of" can have "measured_with"'),
        (PULSE | {"fluid": "intake"}, 'it has "fluid", but its unit is not a volume'),
        (COUGH | {"fluid": "output"}, 'only a row with a number that is measured can have "fluid"'),
        (
            DRAIN | {"fluid": "drained"},
            'the field "fluid" is "drained", which is not known. Use one of: intake, output',
        ),
        (SITE | {"also_in": [["Skin"], ["Vital signs"]]}, 'names the category "Vital signs", which it is in already'),
        (SITE | {"also_in": [["Skin"], ["Skin"]]}, 'names the category "Skin", which it is in already'),
        (SITE | {"also_in": [[]]}, '"also_in / entry 1" is empty'),
        (SITE | {"also_in": [["Skin", " "]]}, 'the field "also_in" is empty'),
    ],
)
def test_a_contradictory_meaning_is_refused(row: dict[str, Any], said: str | None) -> None:
    if said is None:
        assert parse_schema(data(document(row)), "w").rows[0].laterality is Laterality.LEFT
    else:
        assert said in refusal(data(document(row)))


def test_whole_floats_are_instance_numbers_and_fractions_are_refused() -> None:
    whole = [SITE | {"id": str(number), "instance": {"group": "IV", "number": number}} for number in (1, 2.0)]
    assert [row.instance for row in parse_schema(data(document(*whole)), "w").rows] == [
        Instance("IV", 1),
        Instance("IV", 2),
    ]
    broken = SITE | {"id": "3", "instance": {"group": "IV", "number": 2.5}}
    assert "must be a whole number" in refusal(data(document(*whole, broken)))


def test_problems_with_the_meaning_of_a_row_have_their_line() -> None:
    text = json.dumps(document(PULSE, SITE | {"instance": {"group": "IV", "number": 0}}), indent=1)
    line = next(number for number, one in enumerate(text.splitlines(), 1) if '"number": 0' in one)
    assert f"Line {line}: " in refusal(text.encode())
