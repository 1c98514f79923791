"""Settings and paths."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from app.system import paths
from app.system.record_system import DeliverySettings, RecordSystemSettings
from app.system.settings import Settings, load_settings, save_settings
from models.base.errors import InputError, ResourceError


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(threads=2, reviewer='Nurse "O\'Neil" \\ é', schema="C:\\ward\\schema.json", accept_threshold=1),
        Settings(collect_examples=True),
        Settings(file_format="pdf and xlsx and hospital-csv", paper="letter", hospital_columns="/srv/columns.toml"),
        Settings(device="cuda", theme="dark", top_k=9, filler_model="small"),
        Settings(delivery=DeliverySettings("folder", "/mnt/interface", "json")),
        Settings(delivery=DeliverySettings("mllp", address="[::1]:2575"), contract="C:\\ward\\contract.json"),
        Settings(delivery=DeliverySettings("fhir", address="https://chart.hospital:8443/fhir", certificates="/ca.pem")),
        Settings(
            record_system=RecordSystemSettings(
                "urn:oid:1.2.3", "99HBR", receiving_application="CHART^1.2.3.4", statuses="FCW", withdrawn="W"
            )
        ),
    ],
)
def test_settings_survive_their_file(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "config" / "settings.toml"
    save_settings(settings, path)
    assert load_settings(path) == settings
    assert [file.name for file in path.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("device = 'both'", "device"),
        ("theme = 1", "theme"),
        ("top_k = 0", "top_k"),
        ("top_k = 2.5", "top_k"),
        ("top_k = true", "top_k"),
        ("threads = -1", "threads"),
        ("threads = 'all'", "threads"),
        ("accept_threshold = 1.5", "accept_threshold"),
        ("accept_threshold = nan", "accept_threshold"),
        ("reviewer = 7", "reviewer"),
        ("collect_examples = 1", "collect_examples"),
        ("collect_examples = 'yes'", "collect_examples"),
        ("file_format = 'json, csv'", "file_format"),
        ("file_format = 'json and docx'", "file_format"),
        ("file_format = ''", "file_format"),
        ("file_format = 3", "file_format"),
        ("paper = 'a5'", "paper"),
        ("[schema]\npath = 'x'", "schema"),
        ("treads = 2", "treads"),
        ("delivery = 'on'", "delivery"),
        ("[delivery]\nchannel = 'pigeon'", "delivery.channel"),
        ("[delivery]\nchannel = 'folder'", "delivery.folder"),
        ("[delivery]\nformat = 'xml'", "delivery.format"),
        ("[delivery]\nfolder = 7", "delivery.folder"),
        ("[delivery]\nhost = 'x'", "delivery.host"),
        ("[delivery]\nchannel = 'mllp'", "delivery.address"),
        ("[delivery]\nchannel = 'mllp'\naddress = 'engine'", "delivery.address"),
        ("[delivery]\nchannel = 'mllp'\naddress = 'engine:70000'", "delivery.address"),
        ("[delivery]\nchannel = 'mllp'\naddress = 'http://engine:80'", "delivery.address"),
        ("[delivery]\nchannel = 'fhir'\naddress = 'engine:2575'", "delivery.address"),
        ("[delivery]\nchannel = 'fhir'\naddress = 'ftp://chart.hospital'", "delivery.address"),
        ("[delivery]\nchannel = 'fhir'\naddress = 'https://nurse:secret@chart.hospital'", "delivery.address"),
        ("[delivery]\nchannel = 'fhir'\naddress = 'https://chart.hospital/fhir?x=1'", "delivery.address"),
        ("[delivery]\nchannel = 'fhir'\naddress = 'https://chart.hospital:x/'", "delivery.address"),
        ("record_system = 'ours'", "record_system"),
        ("[record_system]\nmrn = 'x'", "record_system.mrn"),
        ("[record_system]\ncode_system = 'ours'", "record_system.code_system"),
        ("[record_system]\nmrn_system = 7", "record_system.mrn_system"),
        ("[record_system]\nreceiving_application = 'A^B'", "record_system.receiving_application"),
        ("[record_system]\nreceiving_facility = 'A|B'", "record_system.receiving_facility"),
        ("[record_system]\nsending_application = ''", "record_system.sending_application"),
        ("[record_system]\nstatuses = 'CD'", "record_system.statuses"),
        ("[record_system]\nwithdrawn = 'F'", "record_system.withdrawn"),
        ("[record_system]\nwords_said = 'no'", "record_system.words_said"),
        ("contract = 3", "contract"),
        ("top_k = ", "TOML"),
    ],
)
def test_a_bad_setting_is_named(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_settings(path)
    assert named in caught.value.what
    assert str(path) in caught.value.next_step


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("strategy = 'json'\nsegmentation = 'llm'\ntop_k = 9\n", encoding="utf-8")
    found = load_settings(path)
    assert found == Settings(top_k=9)
    save_settings(found, path)
    assert "strategy" not in path.read_text(encoding="utf-8")


def test_a_file_that_is_not_text_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="TOML"):
        load_settings(path)


def test_a_full_disk_leaves_the_former_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    save_settings(Settings(reviewer="Kim"), path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResourceError, match="No space left"):
        save_settings(Settings(reviewer="Lou"), path)
    assert load_settings(path).reviewer == "Kim"
    assert [file.name for file in tmp_path.iterdir()] == ["settings.toml"]


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "stick"
    monkeypatch.setenv("WARDLIGHT_DATA", str(place))
    monkeypatch.delenv("WARDLIGHT_MODELS", raising=False)
    monkeypatch.delenv("WARDLIGHT_CACHE", raising=False)
    places = (paths.models_dir(), paths.cache_dir(), paths.config_file(), paths.database_file())
    assert all(path.is_relative_to(place) for path in places)
    monkeypatch.setenv("WARDLIGHT_MODELS", str(tmp_path / "weights"))
    assert paths.models_dir() == tmp_path / "weights"
    assert not place.exists()
