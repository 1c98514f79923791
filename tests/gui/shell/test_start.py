"""What the program loads to show its window."""

from __future__ import annotations

import subprocess
import sys

from PySide6.QtCore import QObject

from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.start_probe import STARTS


def test_the_window_appears_without_anything_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTS], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    )
    _, *heavy = done.stdout.split()
    assert heavy == []


def test_none_outlives_the_binding() -> None:
    """A build of PySide6 that takes references to None away kills the program after some minutes of use."""
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1000):
        thing.property("unknown")
    assert abs(sys.getrefcount(None) - before) < 500 or sys.version_info >= (3, 12)
