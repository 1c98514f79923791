"""A dictation under a hospital's contract, in every format, read back by other libraries: ids, codes and units."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdf
import pytest
from fhir.resources.R4B.bundle import Bundle
from python_calamine import load_workbook

from app.exchange.export import export
from app.exchange.file_formats import EXPORTERS, options_in
from app.exchange.message_formats import message_format
from app.exchange.outbox import message_of
from app.exchange.records import content_words
from extraction.contract.codes.proposals import exact_codes, propose_codes
from tests.kit.chart_systems import said_in_fhir, said_in_hl7
from tests.kit.hospital import CODED, RECORD_SYSTEM, SAID, Hospital

COLUMNS = """
raw = true
between = "~"
[[columns]]
name = "PARAM_ID"
content = "row-id"
[[columns]]
name = "RESULT"
content = "coded-value"
[[columns]]
name = "UNIT"
content = "unit"
"""


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    opened = Hospital(tmp_path)
    yield opened
    opened.store.close()


def written(hospital: Hospital, **settings: str) -> dict[str, Path]:
    """The files of every format, by its name."""
    options = options_in(replace(hospital.settings, **settings), hospital.schema, EXPORTERS)
    folder = hospital.home / "out"
    paths = export(hospital.store, hospital.dictation, hospital.schema, folder, tuple(EXPORTERS), options)
    return dict(zip(EXPORTERS, paths, strict=True))


def test_every_file_says_the_same(hospital: Hospital) -> None:
    (hospital.home / "columns.toml").write_text(COLUMNS, encoding="utf-8")
    files = written(hospital, hospital_columns=str(hospital.home / "columns.toml"))
    words = {row: (content_words(value), unit or "") for row, (value, unit) in SAID.items()}
    with files["csv"].open(newline="", encoding="utf-8") as stream:
        assert {one["row_id"]: (one["value"], one["unit"]) for one in csv.DictReader(stream)} == words
    with files["hospital-csv"].open(newline="", encoding="utf-8") as stream:
        lines = {one["PARAM_ID"]: one["RESULT"] for one in csv.DictReader(stream)}
    coded = {row: value for row, (value, _) in CODED.items()}
    assert lines == coded
    book = load_workbook(files["xlsx"]).get_sheet_by_name("Values").to_python()
    assert {str(line[1]) for line in book[1:]} == {hospital.schema.row(row).name for row in SAID}
    printed = "".join(page.extract_text() for page in pypdf.PdfReader(files["pdf"]).pages)
    assert all(part in printed for part in ("Okafor, Nandi", "00417", "88 bpm", "Pale", "Wheezes, Crackles"))
    message_id, observations = said_in_fhir(files["fhir"].read_bytes())
    in_fhir = {one.row: (one.value, one.unit) for one in observations}
    in_hl7 = {one.row: (one.value, one.unit) for one in said_in_hl7(files["hl7"].read_bytes())[1]}
    assert in_fhir == in_hl7 == CODED
    assert said_in_hl7(files["hl7"].read_bytes())[0] == message_id


def test_the_hospital_is_named_as_the_settings_say(hospital: Hospital) -> None:
    files = written(hospital)
    lines = files["hl7"].read_text(encoding="utf-8").splitlines()
    assert lines[0].split("|")[2:6] == ["WARDLIGHT", "Harbour", "CHART^1.2.3^ISO", "Harbour"]
    assert lines[1].split("|")[3] == "00417^^^MRN&1.2.4&ISO^MR"
    assert "|70003^Colour of the skin^99HBR" in files["hl7"].read_text(encoding="utf-8")
    bundle = Bundle.model_validate_json(files["fhir"].read_bytes())
    (patient,) = (one.resource for one in bundle.entry if one.resource.get_resource_type() == "Patient")
    assert (patient.identifier[0].system, patient.identifier[0].value) == (RECORD_SYSTEM.mrn_system, "00417")
    coded = [one.resource.code.coding[0] for one in bundle.entry if one.resource.get_resource_type() == "Observation"]
    assert {one.system for one in coded} == {RECORD_SYSTEM.code_system}


def test_only_loinc_codes_that_a_person_accepted_leave(hospital: Hospital, tmp_path: Path) -> None:
    proposed = exact_codes(hospital.contract.rows, propose_codes(hospital.contract.rows))
    assert proposed == {"70001": "8867-4"}
    files = written(hospital)
    assert b"loinc" not in files["fhir"].read_bytes()
    assert b"^LN" not in files["hl7"].read_bytes()
    accepted = Hospital(tmp_path / "accepted", proposed)
    try:
        files = written(accepted)
    finally:
        accepted.store.close()
    bundle = json.loads(files["fhir"].read_bytes())
    codings = [coding for one in bundle["entry"] for coding in one["resource"].get("code", {}).get("coding", ())]
    assert [one["code"] for one in codings if one["system"] == "http://loinc.org"] == ["8867-4"]
    coded = [line for line in files["hl7"].read_text(encoding="utf-8").splitlines() if "^LN" in line]
    assert [line.partition("|")[0] for line in coded] == ["OBR", "OBX"]
    assert all("70001^" in line and "^8867-4^^LN" in line for line in coded)
    assert {one.row: (one.value, one.unit) for one in said_in_fhir(files["fhir"].read_bytes())[1]} == CODED


@pytest.mark.parametrize("name", ["json", "hl7", "fhir"])
def test_a_message_has_the_ids_and_codes_of_the_file(hospital: Hospital, name: str) -> None:
    files = written(hospital)
    (queued,) = hospital.file()
    written_by = message_format(hospital.delivering("folder", "/", name), hospital.store)
    message = message_of(hospital.store, queued)
    data = written_by.render(message)
    ids = {one.record.row_id: one.id for one in message.observations}
    assert written_by.suffix == {"json": ".json", "hl7": ".hl7", "fhir": ".fhir.json"}[name]
    if name == "json":
        content = json.loads(data)["observations"]
        assert {one["record"]["row_id"]: one["id"] for one in content} == ids
        return
    read = {"hl7": said_in_hl7, "fhir": said_in_fhir}[name]
    message_id, observations = read(data)
    assert message_id == queued.id
    assert {one.row: (one.value, one.unit) for one in observations} == CODED
    assert {one.row: one.id for one in observations} == ids
    assert {one.row: one.id for one in read(files[name].read_bytes())[1]} == ids


def test_a_file_has_the_ids_that_a_replaced_value_had_in_messages(hospital: Hospital) -> None:
    """A value that takes over the id of another one has that id in files, too."""
    hospital.file()
    hospital.decide("70001", "edit", 92.0, "bpm")
    (told,) = message_of(hospital.store, hospital.store.outbox.newest(1)[0]).observations
    (one,) = (one for one in said_in_fhir(written(hospital)["fhir"].read_bytes())[1] if one.row == "70001")
    assert (one.id, one.value, one.supersedes) == (told.id, "92", "")


def outcome(severity: str) -> str:
    return json.dumps({"resourceType": "OperationOutcome", "issue": [{"severity": severity, "code": "invalid"}]})


def responses(*statuses: str) -> str:
    entries = [{"response": {"status": status}} for status in statuses]
    return json.dumps({"resourceType": "Bundle", "type": "transaction-response", "entry": entries})


@pytest.mark.parametrize(
    ("name", "answer", "accepted"),
    [
        ("hl7", "MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|AA|{id}\r", True),
        ("hl7", "MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|AE|{id}|no such row\r", False),
        ("hl7", "no such patient", None),
        ("fhir", outcome("information"), True),
        ("fhir", outcome("error"), False),
        ("fhir", responses("201 Created", "200"), True),
        ("fhir", responses("201", "422 Unprocessable"), False),
        ("fhir", responses(), None),
        ("fhir", '{"resourceType": "Bundle", "type": "searchset", "entry": [{"response": {"status": "201"}}]}', None),
        ("fhir", '{"resourceType": "Patient"}', None),
        ("fhir", "[1]", None),
        ("fhir", "OK", None),
    ],
)  # fmt: skip
def test_an_answer_is_read_in_the_format_of_the_message(
    hospital: Hospital, name: str, answer: str, accepted: bool | None
) -> None:
    written_by = message_format(hospital.delivering("folder", "/", name), hospital.store)
    read: Any = written_by.read_answer(answer.replace("{id}", "W7").encode(), "W7")
    assert (read.accepted if read else None) == accepted
    assert read is None or read.accepted or read.reason
