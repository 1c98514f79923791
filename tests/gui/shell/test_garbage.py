"""Cycles are collected by the window's thread, and by no other."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.kit.patience import PATIENCE_MS
from ui.shell import garbage_collection
from ui.shell.garbage_collection import GarbageCollector


class Cycle:
    ended_on: threading.Thread | None = None

    def __init__(self) -> None:
        self.me = self
        weakref.finalize(self, self._ended)

    @staticmethod
    def _ended() -> None:
        Cycle.ended_on = threading.current_thread()


@pytest.fixture
def collector(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(garbage_collection, "_EVERY_MS", 10)
    Cycle.ended_on = None
    window = QWidget()
    GarbageCollector(window)
    yield
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.unfreeze()


def test_a_lane_makes_garbage_and_the_window_collects_it(qtbot: QtBot, collector: None) -> None:
    kept: list[list[int]] = []

    def work() -> None:
        Cycle()
        kept.extend([] for _ in range(20 * gc.get_threshold()[0]))
        assert Cycle.ended_on is None

    lane = threading.Thread(target=work)
    lane.start()
    lane.join()
    assert not gc.isenabled()
    qtbot.waitUntil(lambda: Cycle.ended_on is not None, timeout=PATIENCE_MS)
    assert Cycle.ended_on is threading.main_thread()


def test_loaded_objects_are_exempt_and_later_ones_are_collected(qtbot: QtBot, collector: None) -> None:
    before = gc.get_freeze_count()
    loaded: list[list[int]] = [[] for _ in range(garbage_collection._MOST_OBJECTS + 1)]
    qtbot.waitUntil(lambda: gc.get_freeze_count() >= before + len(loaded), timeout=PATIENCE_MS)
    assert len(gc.get_objects()) < len(loaded)
    Cycle()
    made: list[list[int]] = [[] for _ in range(20 * gc.get_threshold()[0])]
    qtbot.waitUntil(lambda: Cycle.ended_on is not None, timeout=PATIENCE_MS)
    assert Cycle.ended_on is threading.main_thread()
    assert made


def test_with_the_window_python_collects_by_itself_again(qtbot: QtBot, collector: None) -> None:
    window = QWidget()
    GarbageCollector(window)
    assert not gc.isenabled()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert gc.isenabled()
