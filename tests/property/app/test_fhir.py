"""Whatever is charted in whatever row arrives in FHIR as it is, read by another library."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from typing import Any

from fhir.resources.R4B.bundle import Bundle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.exchange.fhir.answers import read_transaction_answer
from app.exchange.fhir.bundle import fhir_bundle
from app.exchange.fhir.datatypes import clean
from app.exchange.observations import HospitalCodes, ObservationState, RowCodes
from extraction.flowsheet.schema import Interval, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from tests.unit.app.exchange.fhir.messages import SENDER, message, observation, record, uuid

texts = st.text(max_size=12).map(lambda text: f'"{text}<x>').filter(lambda text: text.strip())
numbers = st.floats(allow_nan=False, allow_infinity=False)
units = st.sampled_from([(None, None), ("mL", "mL"), ("points", "{score}"), ("bpm", None), ("pt", None), ("'\0", None)])
days = st.dates(date(1990, 1, 1), date(2090, 12, 31))


@st.composite
def charted(draw: st.DrawFn, number: int) -> tuple[Row, Value]:
    value_type = draw(st.sampled_from(list(ValueType)))
    unit, ucum = draw(units)
    options = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    row = Row(
        f"{draw(texts)}{number}",
        draw(texts),
        value_type,
        (draw(texts),),
        options=tuple(map(Option, options)),
        unit=unit,
        ucum=ucum,
        loinc=draw(st.sampled_from([None, "72514-3", "9187-6"])),
        reference=draw(st.sampled_from([(), (Interval(1.0, None),), (Interval(1.0, 2.5), Interval(None, 3.0))])),
    )
    pressure = st.integers(0, 999).map(str)
    values: dict[ValueType, st.SearchStrategy[Any]] = {
        ValueType.SINGLE_SELECT: st.sampled_from(options),
        ValueType.MULTI_SELECT: st.lists(st.sampled_from(options), min_size=1, unique=True).map(tuple),
        ValueType.NUMERIC: numbers,
        ValueType.QUANTITY: numbers,
        ValueType.TEXT: texts,
        ValueType.YES_NO: st.booleans(),
        ValueType.DATE: days.map(date.isoformat),
        ValueType.TIME: st.times().map(lambda at: at.strftime("%H:%M")),
        ValueType.DATE_TIME: days.map(lambda day: f"{day}T12:34"),
        ValueType.BLOOD_PRESSURE: st.tuples(pressure, pressure).map("/".join),
    }
    return row, draw(values[value_type])


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.integers(1, 4).flatmap(lambda count: st.tuples(*(charted(number) for number in range(count)))),
    st.sampled_from(list(ObservationState)),
    st.booleans(),
)
def test_a_bundle_keeps_every_value(rows: tuple[tuple[Row, Value], ...], state: ObservationState, coded: bool) -> None:
    schema = Schema("s", "S", "1", tuple(row for row, _ in rows), "", "s.json")
    options = {name: f"c{place}" for row, _ in rows for place, name in enumerate(row.option_names)}
    own = {row.id: RowCodes(f"F{number}", row.name, options) for number, (row, _) in enumerate(rows)}
    codes = HospitalCodes("urn:oid:1.2.3", rows=own if coded else {})
    version = 1 if state is ObservationState.FINAL else 2
    sent = message(
        *(observation(number, record(row, value), state, version) for number, (row, value) in enumerate(rows))
    )
    read = Bundle.model_validate_json(fhir_bundle(sent, codes, schema, SENDER))
    found = {entry.resource.id: entry.resource for entry in read.entry}
    for number, (row, value) in enumerate(rows):
        resource = found[uuid(number)]
        own_coding = resource.code.coding[-1]
        assert own_coding.system == "urn:oid:1.2.3"
        assert own_coding.code == (f"F{number}" if coded else " ".join(clean(row.id).split()))
        assert resource.code.text == clean(row.name)
        assert content_of(resource, row) == expected(value, row)
        if coded and row.value_type is ValueType.SINGLE_SELECT:
            assert resource.valueCodeableConcept.coding[0].code == options[str(value)]


def expected(value: Value, row: Row) -> Any:
    if isinstance(value, tuple):
        return [clean(name) for name in value]
    if row.value_type is ValueType.BLOOD_PRESSURE:
        return [float(part) for part in str(value).split("/")]
    return clean(value) if isinstance(value, str) else value


def content_of(resource: Any, row: Row) -> Any:
    match row.value_type:
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return float(resource.valueQuantity.value)
        case ValueType.SINGLE_SELECT:
            return resource.valueCodeableConcept.text
        case ValueType.MULTI_SELECT:
            return [part.valueCodeableConcept.text for part in resource.component]
        case ValueType.BLOOD_PRESSURE:
            return [float(part.valueQuantity.value) for part in resource.component]
        case ValueType.YES_NO:
            return resource.valueBoolean
        case ValueType.TEXT:
            return resource.valueString
        case ValueType.TIME:
            assert isinstance(resource.valueTime, time)
            return resource.valueTime.strftime("%H:%M")
        case ValueType.DATE:
            return resource.valueDateTime.isoformat()
        case ValueType.DATE_TIME:
            assert isinstance(resource.valueDateTime, datetime)
            return resource.valueDateTime.astimezone().strftime("%Y-%m-%dT%H:%M")


names = st.sampled_from("resourceType type entry response status outcome issue severity details text code".split())
texts = st.sampled_from("OperationOutcome Bundle transaction-response 201 422 error fatal information".split())
resources = st.recursive(
    st.none() | st.booleans() | st.integers() | texts | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=6),
)


@given(resources)
def test_whatever_a_server_answers_is_read_or_is_no_answer(content: object) -> None:
    answer = read_transaction_answer(json.dumps(content).encode())
    assert answer is None or (answer.accepted == (not answer.problems) and isinstance(str(answer), str))


@given(st.binary(max_size=40))
def test_bytes_that_are_no_json_are_no_answer(data: bytes) -> None:
    assert read_transaction_answer(b"\x00" + data) is None
