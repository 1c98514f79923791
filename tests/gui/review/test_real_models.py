"""The window on the real models (the small filler): its worker is killed while it fills, and it is all filled."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.system import paths
from app.system.settings import Settings, save_settings
from app.workspace.engine import LocalEngine
from tests.gui.conftest import Ward
from tests.kit.heartbeat import Heartbeat, assert_never_held

WAIT_MS = 180_000
TEXT = "Heart rate 112 and regular. Blood pressure is 142 over 74. Pain is six out of ten in the right hip."


@pytest.fixture
def ward(qtbot: QtBot, tmp_path: Path) -> Iterator[Ward]:
    save_settings(
        Settings(filler_model="qwen2.5-coder-0.5b-q4", reviewer="R. Nurse", theme="light", setup_finished=True),
        paths.config_file(),
    )
    ward = Ward(qtbot, LocalEngine(), tmp_path, patience_ms=WAIT_MS)
    yield ward
    ward.close()


@pytest.mark.models
def test_killing_the_worker_while_it_fills_costs_time_alone(ward: Ward) -> None:
    ward.until_ready()
    ward.add_patient()
    assert isinstance(ward.engine, LocalEngine)
    heart, engine = Heartbeat(), ward.engine
    names = iter(("one.txt", "two.txt"))

    def once() -> dict[str, float]:
        name = next(names)
        heart.start()
        ward.open_text(name, TEXT)
        ward.until(lambda: "filling values" in ward.window.strip.text)
        inference = engine.inference
        assert inference
        killed = inference.pid
        assert killed
        os.kill(killed, signal.SIGKILL)
        ward.until_filled(name)
        assert ward.window.page.words.transcript.toPlainText() == TEXT
        assert not ward.window.message.isVisible(), ward.window.message.text
        assert inference.pid not in (None, killed)
        heart.stop()
        return heart.held

    assert_never_held(2, once)
