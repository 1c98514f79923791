"""How long a window keeps its own thread from its timer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication

BEAT_MS = 10
LONGEST_GAP_SECONDS = 0.1
# What the work of `slowness` takes on the reference machine: a core of an Intel Xeon (Sapphire Rapids) of 2.3 GHz.
_REFERENCE_SECONDS = 0.002


class Heartbeat:
    """Measures the longest time for which the window kept its own thread from its timer.

    The time in which the thread stood ready while the machine ran other programs (Linux counts it) is left out:
    `held` is what the window, its locks and the other threads of its process are answerable for, by the step of the
    test that it was in (`step`).
    """

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.held: dict[str, float] = {}
        self.beats = 0
        self._step = "start"
        self._last, self._kept_waiting = time.monotonic(), kept_waiting()
        self._timer.start(BEAT_MS)

    def step(self, name: str) -> None:
        """What comes from here on belongs to this step."""
        self._beat()
        self._step = name

    def stop(self) -> None:
        self._beat()
        self._timer.stop()

    @property
    def longest(self) -> float:
        return max(self.held.values())

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """What a test does itself in here, such as taking a picture, is not the window's doing."""
        self._beat()
        yield
        self._last, self._kept_waiting = time.monotonic(), kept_waiting()

    def _beat(self) -> None:
        now, waited = time.monotonic(), kept_waiting()
        held = now - self._last - (waited - self._kept_waiting)
        self.held[self._step] = max(self.held.get(self._step, 0.0), held)
        self._last, self._kept_waiting = now, waited
        self.beats += 1


def kept_waiting() -> float:
    """Seconds for which this thread was ready to run and another program ran instead; 0 where nobody counts."""
    counters = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
    return int(counters.read_text().split()[1]) / 1e9 if counters.exists() else 0.0


def assert_never_held(attempts: int, once: Callable[[], Mapping[str, float]]) -> None:
    """Fails if some step held the window for `LONGEST_GAP_SECONDS` or more in each of some attempts, on a machine as
    fast as the reference.

    What the window does itself comes back in the same step of each attempt, what other programs do does not. How fast
    the machine is changes within seconds: the slower measure of before and after an attempt counts.

    Args:
        once: makes one attempt; by step, the seconds for which it held the window at the longest.
    """
    least: dict[str, float] = {}
    after = slowness()
    for _ in range(attempts):
        before, held, after = after, once(), slowness()
        slower = max(before, after)
        step = max(held, key=lambda step: held[step])
        print(f"the window was held for {held[step] * 1000:.0f} ms in step {step!r}", end=" ")
        print(f"(this machine takes {slower:.2f} times as long as the reference)")
        least = {step: min(least.get(step, seconds), seconds / slower) for step, seconds in held.items()}
        if max(least.values()) < LONGEST_GAP_SECONDS:
            return
    longest = {step: f"{seconds * 1000:.0f} ms" for step, seconds in least.items() if seconds >= LONGEST_GAP_SECONDS}
    raise AssertionError(f"each of {attempts} attempts held the window, as on the reference machine: {longest}")


def slowness() -> float:
    """How many times as long as on the reference machine a fixed piece of work takes here and now; 1 if less.

    The work is of the kind that a window does, on one thread: Python, measuring text, and painting it.
    """
    sheet, font = QImage(640, 600, QImage.Format.Format_ARGB32_Premultiplied), QFont(QApplication.font())
    metrics, times = QFontMetrics(font), []
    for _ in range(25):
        began = time.perf_counter()
        sheet.fill(Qt.GlobalColor.white)
        painter = QPainter(sheet)
        for line in range(60):
            words = {
                word: len(word) for word in f"Line {line} of a sheet with a value of {line * 7} and a unit".split()
            }
            text = " ".join(sorted(words, key=lambda word: (-words[word], word)))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 300 + line)
            painter.drawText(QRect(8, line * 10, 600, 28), Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()
        times.append(time.perf_counter() - began)
    return max(1.0, median(times) / _REFERENCE_SECONDS)
