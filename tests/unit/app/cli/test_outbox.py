"""The outbox on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.cli.common import read_schema
from app.record.run import NO_RUN
from app.store import Store
from app.system import paths
from app.system.record_system import DeliverySettings
from app.system.settings import FILE_FORMATS, Settings, load_settings, save_settings
from tests.kit.chart_systems import TransactionServer
from tests.kit.fake_app import write_schema
from tests.kit.store import TRANSCRIPT, filled


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    folder = tmp_path / "drop"
    folder.mkdir()
    delivery = DeliverySettings("folder", str(folder))
    save_settings(
        Settings(reviewer="R. Nurse", file_folder=str(tmp_path / "files"), delivery=delivery), paths.config_file()
    )
    with Store(paths.database_file()) as store:
        source = tmp_path / "a.wav"
        source.write_bytes(b"RIFF of a recording")
        encounter = store.encounters.open(store.patients.add("Ann Lee", "4", "123").id)
        version = store.schemas.save(*read_schema(write_schema(tmp_path)))
        number = store.dictations.add(encounter.id, source, "audio", version).id
        store.transcripts.save(number, TRANSCRIPT)
        store.runs.save(number, [filled("hr", 110.0, "/min")], NO_RUN)
        store.reviews.decide(store.values.of(number)[0].id, "confirm", "Kim")
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    code = main([*map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_filed_dictation_is_sent_refused_tried_again_and_cancelled(
    capsys: pytest.CaptureFixture[str], drop: Path
) -> None:
    assert main(["file", "1"]) == 0
    capsys.readouterr()
    code, (listed,) = run(capsys, "outbox")
    assert (code, listed["state"], listed["new"], listed["dictation"]) == (0, "queued", 1, 1)
    assert list(drop.iterdir()) == [], "listing sends nothing"
    assert run(capsys, "outbox", "check")[1][0]["state"] == "sent"
    (sent,) = drop.iterdir()
    (drop / f"{sent.name}.err").write_text("no such patient", encoding="utf-8")
    code, (refused,) = run(capsys, "outbox", "check")
    assert (code, refused["state"], refused["reason"]) == (1, "refused", "no such patient")
    assert main(["outbox", "list"]) == 0
    assert "no such patient" in capsys.readouterr().out
    assert run(capsys, "outbox", "retry", refused["number"])[1][0]["state"] == "sent"
    assert run(capsys, "outbox", "cancel", refused["number"], "--signed-by", "Lee")[1][0]["state"] == "abandoned"
    code, error = run(capsys, "outbox", "retry", refused["number"])
    assert (code, error["what"]) == (2, "Message 1 is abandoned.")


def test_it_reaches_a_server_by_the_settings_alone(capsys: pytest.CaptureFixture[str], drop: Path) -> None:
    with TransactionServer() as server:
        settings = load_settings(paths.config_file())
        delivery = DeliverySettings("fhir", address=server.address)
        save_settings(replace(settings, delivery=delivery), paths.config_file())
        assert main(["file", "1"]) == 0
        capsys.readouterr()
        assert server.asked == [], "filing only queues"
        code, (sent,) = run(capsys, "outbox", "check")
        assert (code, sent["state"]) == (0, "accepted")
    assert [one["valueQuantity"]["value"] for one in _of_kind(server, "Observation")] == [110]
    assert list(drop.iterdir()) == []


def _of_kind(server: TransactionServer, kind: str) -> list[dict[str, Any]]:
    return [one for place, one in server.resources.items() if place.startswith(kind)]


def test_export_offers_every_format(capsys: pytest.CaptureFixture[str], drop: Path, tmp_path: Path) -> None:
    formats = [part for name in FILE_FORMATS for part in ("--format", name)]
    code, answer = run(capsys, "export", "1", "--out", tmp_path / "out", *formats)
    assert code == 0
    assert len(answer["files"]) == len(FILE_FORMATS)
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    told = capsys.readouterr().out
    assert all(name in told for name in FILE_FORMATS)


def test_it_is_off_unless_it_is_turned_on(capsys: pytest.CaptureFixture[str], drop: Path) -> None:
    settings = load_settings(paths.config_file())
    save_settings(replace(settings, delivery=DeliverySettings()), paths.config_file())
    assert main(["file", "1"]) == 0
    capsys.readouterr()
    assert run(capsys, "outbox") == (0, [])
    code, error = run(capsys, "outbox", "check")
    assert code == 2
    assert "[delivery]" in error["what"]


def test_nothing_is_sent_twice_where_it_was_reopened_and_filed_unchanged(
    capsys: pytest.CaptureFixture[str], drop: Path
) -> None:
    for command in ("file", "reopen", "file"):
        assert main([command, "1"]) == 0
    capsys.readouterr()
    assert len(run(capsys, "outbox")[1]) == 1
