"""The window is never held for long: a heartbeat on its thread, while everything happens at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.chart.records import ReviewStatus
from speech import recording_journal
from tests.gui.conftest import Ward
from tests.gui.hands import BETWEEN_KEYS_MS
from tests.gui.rounds import Rounds, Speaker, opened
from tests.gui.shift import Shift, opened_demanding
from tests.kit.fake_app import TEXT, FakeEngine, flood
from tests.kit.heartbeat import Heartbeat, assert_never_held

pytestmark = pytest.mark.speed


def test_a_flood_of_reports_does_not_hold_the_window(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    heart = Heartbeat()

    names = iter(("one.wav", "two.wav", "three.wav"))

    def once() -> dict[str, float]:
        name = next(names)
        engine.before_fill.append(flood(1.0))
        heart.start()
        ward.open_recording(name)
        ward.until_filled(name)
        heart.stop()
        assert heart.beats > 30
        return heart.held

    assert_never_held(3, once)


def test_reviewing_does_not_hold_the_window(review: Ward) -> None:
    heart = Heartbeat()

    def once() -> dict[str, float]:
        heart.start()
        for row_id in ("hr", "bp", "rr"):
            review.choose(row_id)
            review.key(Qt.Key.Key_A)
            review.until_status(row_id, ReviewStatus.CONFIRMED)
        review.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        review.until(lambda: not review.window.page.head.accept_all.isEnabled())
        for _ in range(4):
            review.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            review.until(lambda: review.window.page.sheet)
            review.qtbot.wait(60)
        heart.stop()
        return heart.held

    assert_never_held(3, once)


def test_fifty_pages_do_not_hold_the_window(ward: Ward) -> None:
    ward.add_patient()
    pages = " ".join([TEXT] + ["She slept well and had no complaints during the night."] * 3000)
    heart = Heartbeat()
    names = iter(("one.txt", "two.txt", "three.txt"))

    def once() -> dict[str, float]:
        name = next(names)
        heart.start()
        ward.open_text(name, pages)
        ward.until_filled(name)
        ward.qtbot.wait(BETWEEN_KEYS_MS)  # nobody presses a key for what is not painted yet
        ward.key(Qt.Key.Key_Down)
        heart.stop()
        return heart.held

    assert_never_held(3, once)


def test_a_slow_disk_does_not_hold_the_window(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    ward.add_patient()
    heart, sync = Heartbeat(), recording_journal.os.fsync
    monkeypatch.setattr(recording_journal.os, "fsync", lambda file: (time.sleep(0.3), sync(file))[1])

    def once() -> dict[str, float]:
        ready = ward.window.side.record.isEnabled
        ward.until(ready)
        heart.start()
        ward.key(Qt.Key.Key_F9)
        Speaker(ward).speak(6)
        ward.key(Qt.Key.Key_F9)
        ward.until(ready)
        heart.stop()
        return heart.held

    assert_never_held(3, once)


def test_a_round_does_not_hold_the_window(
    new_ward: Callable[..., Ward], calibrated: None, out: Path, tmp_path: Path
) -> None:
    assert_never_held(5, Rounds(opened(new_ward), out, tmp_path).one)


def test_a_shift_does_not_hold_the_window(
    new_ward: Callable[..., Ward], calibrated: None, out: Path, tmp_path: Path
) -> None:
    assert_never_held(5, Shift(opened_demanding(new_ward, tmp_path), out, tmp_path).whole)
