"""A measurement that was tried and not obtained: from a nurse's decision to every file and message."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pypdf
import pytest
from python_calamine import load_workbook

import resources
from app.adaptation.reviewed_cases import accepted
from app.chart.computed_rows import scores_of
from app.chart.records import ReviewStatus
from app.exchange.codec import decode_record, encode_record
from app.exchange.export import export, export_records
from app.exchange.message_formats import message_format
from app.exchange.outbox import message_of
from app.system.settings import Settings
from extraction.flowsheet.values import NotObtained
from extraction.schema_files.native_format import load_schema
from tests.kit.hospital import SAID, Hospital
from tests.unit.app.exchange.hl7.samples import read

WHY = NotObtained.REFUSED
WORDS = "Not obtained: refused"


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    opened = Hospital(tmp_path)
    yield opened
    opened.store.close()


def of_row(hospital: Hospital, row_id: str) -> object:
    (value,) = (one for one in hospital.store.values.of(hospital.dictation) if one.row_id == row_id)
    return value.value


@pytest.mark.parametrize("row_id", SAID)
@pytest.mark.parametrize("why", NotObtained)
def test_it_is_kept_charted_and_undone(hospital: Hospital, row_id: str, why: NotObtained) -> None:
    store = hospital.store
    before = of_row(hospital, row_id)
    (value_id,) = (one.id for one in store.values.of(hospital.dictation) if one.row_id == row_id)
    decided = store.reviews.decide(value_id, "edit", "Kim", why)
    assert (decided.value, decided.unit, decided.status) == (why, None, ReviewStatus.EDITED)
    hospital.open_again()
    assert isinstance(of_row(hospital, row_id), NotObtained)
    assert [one.value.value for one in hospital.store.values.standing(1) if one.value.row_id == row_id] == [why]
    hospital.store.reviews.undo(hospital.dictation, "Kim")
    assert of_row(hospital, row_id) == before
    assert not isinstance(of_row(hospital, row_id), NotObtained)


def test_words_that_say_the_same_stay_words(hospital: Hospital) -> None:
    (text,) = (one.id for one in hospital.store.values.of(hospital.dictation) if one.row_id == "70005")
    kept = hospital.store.reviews.decide(text, "edit", "Kim", str(WHY.value))
    assert kept.value == WORDS
    assert not isinstance(kept.value, NotObtained)


@pytest.mark.parametrize("name", ["json", "hl7", "fhir"])
def test_it_is_told_corrected_and_withdrawn_under_one_identity(hospital: Hospital, name: str) -> None:
    hospital.file()
    hospital.decide("70001", "edit", WHY)
    hospital.decide("70001", "edit", 90.0, "bpm")
    hospital.decide("70001", "edit", NotObtained.UNABLE)
    hospital.decide("70001", "reject")
    written = message_format(hospital.delivering("folder", "/", name), hospital.store)
    told = [message_of(hospital.store, one) for one in hospital.store.outbox.open()]
    pulse = [one for message in told for one in message.observations if one.record.row_id == "70001"]
    assert [one.record.value for one in pulse] == [88.0, WHY, 90.0, NotObtained.UNABLE, NotObtained.UNABLE]
    assert [one.state.value for one in pulse] == ["final", "amended", "amended", "amended", "withdrawn"]
    assert len({one.id for one in pulse}) == 1
    for message in told:
        data = written.render(message)
        if name == "json":
            assert json.loads(data)["observations"]
        elif name == "hl7":
            assert read(data)


def test_the_outbox_keeps_it_apart_from_words(hospital: Hospital) -> None:
    record = export_records(hospital.store, hospital.dictation, hospital.schema)[0]
    kept = decode_record(encode_record(replace(record, value=WHY, proposed=88.0)))
    assert isinstance(kept.value, NotObtained)
    assert not isinstance(decode_record(encode_record(replace(record, value=WORDS))).value, NotObtained)


def test_every_file_says_it_in_words(hospital: Hospital, tmp_path: Path) -> None:
    for row_id in SAID:
        (one,) = (one.id for one in hospital.store.values.of(hospital.dictation) if one.row_id == row_id)
        hospital.store.reviews.decide(one, "edit", "Kim", WHY)
    files = export(
        hospital.store,
        hospital.dictation,
        hospital.schema,
        tmp_path / "out",
        ("json", "csv", "xlsx", "pdf", "hospital-csv"),
    )
    by_ending = {"".join(path.suffixes[-1:]): path for path in files}
    content = json.loads(by_ending[".json"].read_text())
    format_of_exports = json.loads((resources.FOLDER / "schemas" / "export.schema.json").read_text())
    jsonschema.validate(content, format_of_exports)
    assert {one["value"] for one in content["records"]} == {WORDS}
    for path in files:
        if path.suffix == ".csv":
            lines = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
            assert sum(WORDS in line for line in lines) == len(SAID), path
    book = load_workbook(by_ending[".xlsx"])
    lines = [line for name in book.sheet_names for line in book.get_sheet_by_name(name).to_python()]
    cells = [cell for line in lines for cell in line]
    assert cells.count(WORDS) == len(SAID)
    said = " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(by_ending[".pdf"]).pages).split())
    assert said.count("Not obtained: refused") == len(SAID)


def test_nothing_is_learnt_from_it(hospital: Hospital) -> None:
    (one,) = (one.id for one in hospital.store.values.of(hospital.dictation) if one.row_id == "70001")
    hospital.store.reviews.decide(one, "edit", "Kim", WHY)
    assert "70001" not in {value.row_id for value in accepted(hospital.store.values.of(hospital.dictation))}


def test_no_score_is_made_of_it(hospital: Hospital) -> None:
    schema = load_schema(resources.DEMONSTRATION_SCHEMA)
    (row,) = (row for row in schema.rows if row.id == "gcs.total")
    assert row.formula
    (value,) = (one for one in hospital.store.values.of(hospital.dictation) if one.row_id == "70003")
    parts = [first.row_id for _, first in row.formula.parts]
    values = [
        replace(value, id=number, row_id=part, filled=None, value=schema.row(part).option_names[0])
        for number, part in enumerate(parts)
    ]
    assert [one.value is not None for one in scores_of(values, schema) if one.row is row] == [True]
    values[0] = replace(values[0], value=WHY)
    (score,) = (one for one in scores_of(values, schema) if one.row is row)
    assert score.value is None
    assert score.missing == (f"{schema.row(parts[0]).name} (not obtained)",)


def test_the_settings_take_missing_results() -> None:
    assert "X" in Settings().record_system.statuses
