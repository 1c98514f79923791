"""Files for other systems: only what somebody answers for, whole or not at all."""

from __future__ import annotations

import csv
import errno
import json
import locale
import os
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pypdf
import pytest
from python_calamine import load_workbook

import resources
from app.chart.cells import local_of
from app.exchange.export import export, export_records
from app.exchange.file_formats import EXPORTERS, ExportOptions, options_in
from app.exchange.records import ExportRecord, Former
from app.record.run import NO_RUN
from app.store import Store
from app.system.paper import usual_paper
from app.system.settings import FILE_FORMATS, Settings
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.schema import Interval
from extraction.flowsheet.values import Timing
from models.base.errors import InputError, ResourceError
from tests.kit.store import SCHEMA, SCHEMA_BYTES, TRANSCRIPT, filled, recorded

FORMAT = json.loads((resources.FOLDER / "schemas" / "export.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


@pytest.fixture
def dictation(store: Store, tmp_path: Path) -> int:
    """One value of each status, and a row of which one value was put in the place of another."""
    number = recorded(store, tmp_path).id
    store.transcripts.save(number, TRANSCRIPT)
    proposals = [
        filled("note", "=HYPERLINK(1)", said="equals"),
        filled("hr", 110.0, "/min"),
        filled("rass", 3.0),
        filled("hr", 95.5, "/min"),
        filled("hr", 60.0, "/min"),
        filled("rass", 4.0),
    ]
    store.runs.save(number, proposals, NO_RUN)
    note, confirmed, edited, second, rejected, _ = (item.id for item in store.values.of(number))
    store.reviews.decide_all([note, confirmed], "confirm", "Kim")
    store.reviews.decide(second, "confirm", "Kim", replacing=True)
    store.reviews.decide(edited, "edit", "Lou", value=-2.0)
    store.reviews.decide(rejected, "reject", "Kim")
    store.reviews.add(number, "edema", ("left leg", "right leg"), None, "Kim")
    return number


def read_json(path: Path) -> list[dict[str, Any]]:
    content = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(FORMAT)
    jsonschema.validate(content, FORMAT)
    return content["records"]


def test_only_accepted_values_leave_in_the_order_of_the_schema(store: Store, dictation: int, tmp_path: Path) -> None:
    as_json, as_csv = export(store, dictation, SCHEMA, tmp_path / "new" / "out")
    records = read_json(as_json)
    assert [(item["row_id"], item["value"], item["status"]) for item in records] == [
        ("hr", 95.5, "confirmed"),
        ("rass", -2.0, "edited"),
        ("edema", ["left leg", "right leg"], "added"),
        ("note", "=HYPERLINK(1)", "confirmed"),
    ]
    data = as_csv.read_bytes()
    assert data.startswith(b"patient_name,patient_bed,patient_mrn,")
    assert data.count(b"\r\n") == data.count(b"\n") == 5
    with as_csv.open(newline="", encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["value"] for line in lines] == ["95.5", "-2", "left leg; right leg", "'=HYPERLINK(1)"]
    assert [line["category"] for line in lines][1] == "Neuro > Sedation"


def test_a_record_can_be_understood_alone(store: Store, dictation: int) -> None:
    first = export_records(store, dictation, SCHEMA)[0]
    value = next(item for item in store.values.of(dictation) if item.row_id == "hr" and item.stands)
    former = next(item for item in store.values.of(dictation) if item.replaced_by is not None)
    kept = store.dictations.one(dictation)
    assert first == ExportRecord(
        patient_name="Ann Lee",
        patient_bed="4",
        patient_mrn="123",
        patient_birth_date="",
        dictation=dictation,
        time=kept.created_at,
        observed_at=None,
        observed_since=None,
        observed_words="",
        row_id="hr",
        category=("Vital signs",),
        name="Heart rate",
        value=95.5,
        unit="/min",
        loinc="8867-4",
        status="confirmed",
        evidence="110",
        sentence="Heart rate 110.",
        proposed=None,
        proposed_unit=None,
        audio_start=1.2,
        audio_end=1.9,
        reviewer="Kim",
        reviewed_at=value.reviewed_at,
        schema_id="ward",
        schema_version="3",
        schema_sha256=SCHEMA.sha256,
        replaces=(Former(110.0, "/min", dictation, "Kim", former.reviewed_at),),
    )


def test_a_corrected_value_stands_beside_what_was_proposed(store: Store, dictation: int, tmp_path: Path) -> None:
    as_json, as_csv = export(store, dictation, SCHEMA, tmp_path)
    records = {one["row_id"]: one for one in read_json(as_json)}
    assert (records["rass"]["value"], records["rass"]["proposed"], records["rass"]["evidence"]) == (-2.0, 3.0, "110")
    assert records["hr"]["proposed"] is None
    with as_csv.open(newline="", encoding="utf-8") as stream:
        lines = {one["row_id"]: one for one in csv.DictReader(stream)}
    assert (lines["rass"]["value"], lines["rass"]["proposed"], lines["hr"]["proposed"]) == ("-2", "3", "")


@pytest.mark.parametrize(
    ("mrn", "named"), [("A/12 \u20ac7", "A_12_7"), ("../../etc", "_etc"), ("", "no-mrn"), ("9" * 80, "9" * 40)]
)
def test_every_file_names_the_patient_and_when(store: Store, tmp_path: Path, mrn: str, named: str) -> None:
    patient = store.patients.add("Ann Lee", "4", mrn)
    (tmp_path / "a.wav").write_bytes(b"RIFF")
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    number = store.dictations.add(store.encounters.open(patient.id).id, tmp_path / "a.wav", "audio", version).id
    store.reviews.add(number, "note", "calm", None, "Kim")
    formats = [name for name in EXPORTERS if mrn or name != "hl7"]  # which refuses a patient without a number
    paths = export(store, number, SCHEMA, tmp_path / "out", formats)
    said = local_of(store.dictations.one(number).created_at)
    assert [path.parent for path in paths] == [tmp_path / "out"] * len(formats)
    assert all(path.name.startswith(f"wardlight-{named}-{said:%Y%m%dT%H%M}-{number}-") for path in paths)


def test_what_a_value_replaced_is_named(store: Store, dictation: int, tmp_path: Path) -> None:
    as_json, as_csv = export(store, dictation, SCHEMA, tmp_path)
    former = next(item for item in store.values.of(dictation) if item.replaced_by is not None)
    records = read_json(as_json)
    assert records[0]["replaces"] == [
        {
            "value": 110.0,
            "unit": "/min",
            "dictation": dictation,
            "reviewer": "Kim",
            "reviewed_at": former.reviewed_at,
        }
    ]
    assert [record["replaces"] for record in records[1:]] == [[], [], []]
    with as_csv.open(newline="", encoding="utf-8") as stream:
        cells = [line["replaces"] for line in csv.DictReader(stream)]
    assert cells == [f"110 /min (dictation {dictation}, Kim, {former.reviewed_at})", "", "", ""]


def test_a_value_replaced_in_another_dictation_is_named_until_it_is_restored(
    store: Store, dictation: int, tmp_path: Path
) -> None:
    first = store.dictations.one(dictation)
    (tmp_path / "later.wav").write_bytes(b"RIFF of a later one")
    later = store.dictations.add(
        first.encounter_id, tmp_path / "later.wav", "audio", store.schemas.save(SCHEMA, SCHEMA_BYTES)
    )
    store.transcripts.save(later.id, TRANSCRIPT)
    store.runs.save(later.id, [filled("hr", 72.0, "/min")], NO_RUN)
    (value,) = store.values.of(later.id)
    minute = local_minute(first.created_at)
    store.reviews.decide(value.id, "edit", "Lou", value=72.0, unit="/min", observed_at=minute, replacing=True)
    (record,) = export_records(store, later.id, SCHEMA)
    assert [(one.value, one.dictation, one.reviewer) for one in record.replaces] == [(95.5, dictation, "Kim")]
    assert "hr" not in [one.row_id for one in export_records(store, dictation, SCHEMA)]
    store.reviews.decide(value.id, "reject", "Lou")
    (again,) = (one for one in export_records(store, dictation, SCHEMA) if one.row_id == "hr")
    assert [one.value for one in again.replaces] == [110.0]


def local_minute(moment: str) -> str:
    """The minute of a moment (UTC) by the ward's clock."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%dT%H:%M")


def test_the_schema_file_names_the_same_fields() -> None:
    record = FORMAT["$defs"]["record"]
    names = [column.name for column in fields(ExportRecord)]
    assert list(record["properties"]) == record["required"] == names


def test_the_settings_offer_every_format() -> None:
    assert tuple(EXPORTERS) == FILE_FORMATS


def test_nothing_confirmed_is_said_plainly(store: Store, tmp_path: Path) -> None:
    number = recorded(store, tmp_path).id
    store.runs.save(number, [filled("hr", 1.0)], NO_RUN)
    with pytest.raises(InputError, match="only confirmed values are exported"):
        export(store, number, SCHEMA, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_file_is_overwritten(store: Store, dictation: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.exchange import export as module

    class Frozen(module.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls(2026, 1, 2, 3, 4, 5, tzinfo=tz)

    monkeypatch.setattr(module, "datetime", Frozen)
    folder = tmp_path / "out"
    first = export(store, dictation, SCHEMA, folder, ("csv",))
    content = first[0].read_bytes()
    second = export(store, dictation, SCHEMA, folder, ("json", "csv", "csv"))
    said = local_of(store.dictations.one(dictation).created_at)
    stem = f"wardlight-123-{said:%Y%m%dT%H%M}-{dictation}-20260102T030405Z"
    assert [path.name for path in (*first, *second)] == [f"{stem}.csv", f"{stem}-2.json", f"{stem}-2.csv"]
    assert first[0].read_bytes() == content
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize("fails_at", range(1, len(EXPORTERS) + 2))
def test_a_full_disk_leaves_no_file(
    store: Store, dictation: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    calls = 0

    def full(_: int) -> None:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResourceError, match="No space left"):
        export(store, dictation, SCHEMA, tmp_path / "out", tuple(EXPORTERS))
    assert list((tmp_path / "out").iterdir()) == []


def test_a_format_that_cannot_say_a_value_leaves_no_file(store: Store, dictation: int, tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text('encoding = "ascii"\n[[columns]]\nname = "é"\ncontent = "value"\n')
    options = ExportOptions(columns_file=tmp_path / "columns.toml")
    with pytest.raises(InputError, match="Column é"):
        export(store, dictation, SCHEMA, tmp_path / "out", ("json", "pdf", "hospital-csv"), options)
    assert not (tmp_path / "out").exists()


def test_every_format_holds_the_values(store: Store, dictation: int, tmp_path: Path) -> None:
    paths = dict(zip(EXPORTERS, export(store, dictation, SCHEMA, tmp_path / "out", tuple(EXPORTERS)), strict=True))
    book = load_workbook(paths["xlsx"]).get_sheet_by_name("Values").to_python()
    assert sorted(str(line[2]) for line in book[1:]) == ["-2.0", "95.5", "=HYPERLINK(1)", "left leg; right leg"]
    printed = " ".join(pypdf.PdfReader(paths["pdf"]).pages[0].extract_text().split())
    for part in ("95.5 /min", "RASS -2 corrected from 3", "left leg, right leg", "=HYPERLINK(1)", "Ann Lee"):
        assert part in printed
    with paths["hospital-csv"].open(newline="", encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["value"] for line in lines] == ["95.5", "-2", "left leg;right leg", "'=HYPERLINK(1)"]
    assert {line["encounter"] for line in lines} == {str(store.dictations.one(dictation).encounter_id)}


def test_every_format_holds_all_readings_of_a_row_with_their_times(store: Store, tmp_path: Path) -> None:
    number = recorded(store, tmp_path).id
    store.transcripts.save(number, TRANSCRIPT)
    day = f"{local_of(store.dictations.one(number).created_at):%Y-%m-%d}"
    times = ("00:01", "00:02", None)
    proposals = [
        replace(filled("hr", value, "/min"), timing=Timing(f"{day}T{time}", None, 0, 5, "Heart") if time else None)
        for value, time in zip((131.0, 122.0, 113.0), times, strict=True)
    ]
    store.runs.save(number, proposals, NO_RUN)
    store.reviews.decide_all([one.id for one in store.values.of(number)], "confirm", "Kim")
    formats = [name for name in EXPORTERS if name != "hospital-csv"]
    for name, path in zip(formats, export(store, number, SCHEMA, tmp_path / "out", tuple(formats)), strict=True):
        match name:
            case "xlsx":
                lines = load_workbook(path).get_sheet_by_name("Values").to_python()
                text = " ".join(str(cell) for line in lines for cell in line)
            case "pdf":
                text = " ".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
            case _:
                text = path.read_text(encoding="utf-8")
        assert all(value in text for value in ("131", "122", "113")), name
        assert all(time in text or time.replace(":", "") in text for time in times if time), name  # of HL7 without ":"


def test_the_settings_say_how_files_look(tmp_path: Path) -> None:
    columns = tmp_path / "columns.toml"
    chosen = options_in(Settings(paper="letter", hospital_columns=str(columns)), SCHEMA, ("pdf",))
    assert (chosen.paper, chosen.columns_file) == ("letter", columns)
    assert options_in(Settings(), SCHEMA, ("pdf",)).columns_file is None
    assert options_in(Settings(), SCHEMA, ("pdf",)).paper in ("a4", "letter")


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        ("en_US", "letter"),
        ("fr_CA", "letter"),
        ("English_United States", "letter"),
        ("en_GB", "a4"),
        ("German_Germany", "a4"),
        ("C", "a4"),
        (None, "a4"),
    ],
)
def test_the_region_decides_about_the_paper(monkeypatch: pytest.MonkeyPatch, name: str | None, paper: str) -> None:
    monkeypatch.setattr(locale, "getlocale", lambda _: (name, None))
    assert usual_paper() == paper


def test_what_cannot_be_exported_is_refused(store: Store, dictation: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'docx'"):
        export(store, dictation, SCHEMA, tmp_path, ("json", "docx"))
    with pytest.raises(InputError, match="was filled with Ward 3"):
        export(store, dictation, replace(SCHEMA, sha256="0" * 64), tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ResourceError, match="cannot be written"):
        export(store, dictation, SCHEMA, tmp_path / "file")


def test_what_the_ranges_say_and_what_was_confirmed_all_the_same_are_exported(tmp_path: Path) -> None:
    ranged = {
        "hr": {"critical": (Interval(40, 130),), "reference": (Interval(60, 100),)},
        "rass": {"reference": (Interval(-1, 0),)},
    }
    schema = replace(SCHEMA, rows=tuple(replace(row, **ranged.get(row.id, {})) for row in SCHEMA.rows))
    with Store(tmp_path / "wardlight.db") as store:
        number = recorded(store, tmp_path).id
        store.reviews.add(number, "hr", 33.0, "/min", "Kim", outside=Outside.CRITICAL)
        store.reviews.add(number, "rass", 0.0, None, "Kim")
        store.reviews.add(number, "note", "calm", None, "Kim")
        records = {record.row_id: record for record in export_records(store, number, schema)}
        as_json, as_csv = export(store, number, schema, tmp_path / "out")
    found = {row: (one.interpretation, one.confirmed_outside) for row, one in records.items()}
    assert found == {"hr": ("LL", "critical"), "rass": ("N", None), "note": ("", None)}
    assert [(one["interpretation"], one["confirmed_outside"]) for one in read_json(as_json)] == [
        ("LL", "critical"), ("N", None), ("", None)
    ]  # fmt: skip
    with as_csv.open(newline="", encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream))
    assert [(line["interpretation"], line["confirmed_outside"]) for line in lines] == [
        ("LL", "critical"), ("N", ""), ("", "")
    ]  # fmt: skip
