"""How long a person waits for a warning and a slider, and how much of the sound `kill -9` takes."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.conftest import Ward
from tests.gui.killing import Started, patient_with_a_review, record_until, under_way
from tests.gui.patients.test_identity import hear, speak
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from tests.kit.heartbeat import slowness

pytestmark = pytest.mark.speed

MOMENTS = 10
MOST_MISSING_SECONDS = 1.0


def seconds_of(act: Callable[[], object]) -> float:
    """How long it takes, as on the reference machine."""
    before, began = slowness(), time.perf_counter()
    act()
    return (time.perf_counter() - began) / max(before, slowness())


def test_a_recording_says_within_three_seconds_that_somebody_else_is_named(ward: Ward) -> None:
    for patient in (("Alvarez, Luis", "12", "004455"), ("Novak, Anna", "14B", "123456")):
        ward.add_patient(*patient)
    speak(ward, ("", "This is the"), ("", "This is the assessment for bed twelve"))
    hear(ward)
    ward.until(ward.window.live.isVisible)
    hear(ward)
    assert seconds_of(lambda: ward.until(ward.window.spoken.isVisible)) < 3.0


def test_a_step_of_the_slider_takes_a_fiftieth_of_a_second(new_ward: Callable[..., Ward], calibrated: None) -> None:
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()

    def move(dialog: Any) -> None:
        ward.click(dialog.lighting)
        ward.until(lambda: "Calculating" not in dialog.lights.outlook.text())
        slider = dialog.lights.slider
        slider.setFocus()
        QTest.keyClick(slider, Qt.Key.Key_Home)
        slowest = 0.0
        while slider.value() < slider.maximum():
            slowest = max(slowest, seconds_of(lambda: QTest.keyClick(slider, Qt.Key.Key_Right)))
        print(f"{slowest * 1000:.0f} ms")
        assert slowest < 0.02

    ward.in_dialog(ward.window.actions_["settings"].trigger, move)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_kill_9_takes_a_second_of_the_recording_at_most(use_schema: None, tmp_path: Path) -> None:
    patient_with_a_review(tmp_path)
    dice, missing = random.Random(11), []
    for _ in range(MOMENTS):
        known, moment = under_way(), dice.uniform(0.2, 3.0)

        def enough(started: Started, moment: float = moment) -> bool:
            time.sleep(0.005)
            return time.monotonic() >= started.began + moment

        started = record_until(enough)
        spoken = time.monotonic() - started.began
        missing.append(spoken - sum(kept.seconds for name, kept in under_way().items() if name not in known))
    print("seconds missing:", " ".join(f"{seconds:.2f}" for seconds in missing))
    assert max(missing) <= MOST_MISSING_SECONDS
