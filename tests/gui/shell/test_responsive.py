"""The window is never held for long: a heartbeat on its thread, while everything happens at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from PySide6.QtCore import Qt

from app.chart.records import ReviewStatus
from tests.gui.conftest import Ward
from tests.gui.hands import BETWEEN_KEYS_MS
from tests.kit.fake_app import TEXT, FakeEngine, flood
from tests.kit.heartbeat import Heartbeat, assert_never_held
from tests.kit.start_probe import STARTS


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


def test_the_window_appears_within_two_seconds_and_loads_nothing_heavy() -> None:
    def once() -> float:
        done = subprocess.run([sys.executable, "-c", STARTS], capture_output=True, text=True, timeout=60, check=True)
        seconds, *heavy = done.stdout.split()
        assert heavy == []
        return float(seconds)

    best = min(once() for _ in range(2))
    print(f"window shown after {best:.2f} s")
    assert best < 2.0


def test_none_outlives_the_binding() -> None:
    """A build of PySide6 that takes references to None away kills the program after some minutes of use."""
    from PySide6.QtCore import QObject

    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1000):
        thing.property("unknown")
    assert abs(sys.getrefcount(None) - before) < 500 or sys.version_info >= (3, 12)
