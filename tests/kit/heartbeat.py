"""How long a window keeps its own thread from its timer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt, QTimer

BEAT_MS = 10
LONGEST_GAP_SECONDS = 0.1


class Heartbeat:
    """Measures the longest time for which the window kept its own thread from its timer.

    The time in which the thread stood ready while the machine ran other programs (Linux counts it) is left out:
    `longest` is what the window, its locks and the other threads of its process are answerable for. `longest_wall` is
    all of it.
    """

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.longest, self.longest_wall, self.beats = 0.0, 0.0, 0
        self._last, self._kept_waiting = time.monotonic(), kept_waiting()
        self._timer.start(BEAT_MS)

    def stop(self) -> None:
        self._beat()
        self._timer.stop()

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """What a test does itself in here, such as taking a picture, is not the window's doing."""
        self._beat()
        yield
        self._last, self._kept_waiting = time.monotonic(), kept_waiting()

    def _beat(self) -> None:
        now, waited = time.monotonic(), kept_waiting()
        wall = now - self._last
        self.longest_wall = max(self.longest_wall, wall)
        self.longest = max(self.longest, wall - (waited - self._kept_waiting))
        self._last, self._kept_waiting = now, waited
        self.beats += 1


def kept_waiting() -> float:
    """Seconds for which this thread was ready to run and another program ran instead; 0 where nobody counts."""
    counters = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
    return int(counters.read_text().split()[1]) / 1e9 if counters.exists() else 0.0


def fewest(attempts: int, once: Callable[[], float]) -> float:
    """The best of some attempts: what the window does itself comes back each time, what other programs do does not."""
    best = 1e9
    for _ in range(attempts):
        best = min(best, once())
        if best < LONGEST_GAP_SECONDS:
            break
    return best
