"""The window on the real models: from sound to the exported file, and its inference process killed while it fills."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.chart.records import ReviewStatus
from app.cli.demo import RIGHT_AT_LEAST, WRONG_AT_MOST
from app.services.engine.engine import LocalEngine
from app.system import paths
from app.system.settings import Settings, save_settings
from resources import FOLDER
from speech.audio import SAMPLE_RATE, decode
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import SHIFT, filed
from tests.kit.audio import write_audio

pytestmark = [pytest.mark.models, pytest.mark.timeout(3600)]
PATIENCE_SECONDS = 1500.0
SAMPLE = FOLDER / "dictation"
SECONDS = 27  # of the sample, in which the rows of SAID are said
SAID = (
    "neuro.loc", "neuro.orientation", "vs.temperature", "vs.temp_site", "vs.bp", "vs.heart_rate", "vs.resp_rate",
    "o2.spo2", "o2.device", "o2.flow",
)  # fmt: skip
TEXT = "Heart rate 112 and regular. Blood pressure is 142 over 74. Pain is six out of ten in the right hip."


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the schema is made once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def ward(qtbot: QtBot, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ward]:
    monkeypatch.setenv("WARDLIGHT_CACHE", str(cache))
    chosen = Settings(
        reviewer="R. Nurse", theme="light", setup_finished=True, last_look=False, file_folder=str(tmp_path / "filed")
    )
    save_settings(chosen, paths.config_file())
    ward = Ward(qtbot, LocalEngine(), tmp_path, patience_seconds=PATIENCE_SECONDS)
    yield ward
    ward.close()


def test_from_sound_to_the_exported_file(ward: Ward, tmp_path: Path) -> None:
    """The beginning of the sample is filled, and what was confirmed, nothing else, is in the file."""
    ward.until_ready()
    ward.add_patient()
    sound = decode(SAMPLE / "sample.flac")[: SECONDS * SAMPLE_RATE]
    ward.window.intake.open_file(write_audio(tmp_path / "morning.wav", sound))
    ward.until_filled("morning.wav")
    text = ward.window.page.words.transcript.toPlainText()
    proposed = {one.row_id: one.value for one in ward.values()}
    gold = json.loads((SAMPLE / "gold.json").read_text(encoding="utf-8"))["values"]
    wanted = {one["row_id"]: tuple(one["value"]) if isinstance(one["value"], list) else one["value"] for one in gold}
    right = [row for row in SAID if proposed.get(row) == wanted[row]]
    wrong = {row: value for row, value in proposed.items() if wanted.get(row) != value}
    assert len(right) >= RIGHT_AT_LEAST * len(SAID), set(SAID) - set(right)
    assert len(wrong) <= WRONG_AT_MOST * len(proposed), wrong

    page = ward.window.page
    for row_id in [one.row_id for one in ward.values() if one.id in page.sheet.lights]:
        ward.choose(row_id)
        lay_out()
        ward.key(Qt.Key.Key_A)
        if page.current.row_id == row_id:  # it only went to the evidence
            lay_out()
            ward.key(Qt.Key.Key_A)
        ward.until_status(row_id, ReviewStatus.CONFIRMED)
    ward.choose("vs.heart_rate")
    ward.key(Qt.Key.Key_R)
    ward.until_status("vs.heart_rate", ReviewStatus.REJECTED)
    ward.key(Qt.Key.Key_A, SHIFT)
    ward.until(lambda: not any(one.status is ReviewStatus.PROPOSED for one in ward.values()))
    ward.key(Qt.Key.Key_F)
    ward.until(lambda: filed(ward))
    (file,) = (tmp_path / "filed").glob("*.json")
    records = json.loads(file.read_text(encoding="utf-8"))["records"]
    confirmed = [one for one in records if one["status"] != "computed"]
    assert {one["row_id"] for one in confirmed} == set(proposed) - {"vs.heart_rate"}
    assert all(one["evidence"] in text for one in confirmed)


def test_killing_the_inference_process_while_it_fills_costs_time_alone(ward: Ward) -> None:
    ward.until_ready()
    ward.add_patient()
    assert isinstance(ward.engine, LocalEngine)
    ward.open_text("note.txt", TEXT)
    ward.until(lambda: "filling values" in ward.window.strip.text)
    inference = ward.engine.inference
    assert inference
    killed = inference.pid
    assert killed
    os.kill(killed, signal.SIGKILL)
    ward.until_filled("note.txt")
    assert ward.window.page.words.transcript.toPlainText() == TEXT
    assert not ward.window.message.isVisible(), ward.window.message.text
    assert inference.pid not in (None, killed)
