"""Passes events from other threads to the window's thread."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.services.engine.job_lanes import JobEvent, JobProgress

TURN_SECONDS = 0.008
SWITCH_SECONDS = 0.0001


class Bridge(QObject):
    """Takes events from any thread (`listen`) and emits them, in order, on the window's thread (`arrived`).

    However fast events arrive, they block the window for about `TURN_SECONDS` at a time, and a progress report without
    a message is dropped if a newer one of the same stage arrives before it is shown. A busy thread gives the
    interpreter back to the window after `SWITCH_SECONDS`.
    """

    arrived = Signal(object)
    _woken = Signal()

    def __init__(self) -> None:
        super().__init__()
        # One repaint waits for the interpreter lock dozens of times; Python's default of 5 ms each would add up.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._lock = threading.Lock()
        self._events: deque[JobEvent] = deque()
        self._awake = False
        self._turn = QTimer(self)  # between turns, the window handles keys and paints
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._deliver)
        self._woken.connect(self._turn.start, Qt.ConnectionType.QueuedConnection)

    def listen(self, event: JobEvent) -> None:
        with self._lock:
            if self._events and _overtakes(event, self._events[-1]):
                self._events[-1] = event
            else:
                self._events.append(event)
            if self._awake:
                return
            self._awake = True
        self._woken.emit()

    def _deliver(self) -> None:
        until = time.monotonic() + TURN_SECONDS
        while time.monotonic() < until:
            with self._lock:
                if not self._events:
                    self._awake = False
                    return
                event = self._events.popleft()
            self.arrived.emit(event)
        self._turn.start()


def _overtakes(new: JobEvent, old: JobEvent) -> bool:
    return (
        isinstance(new, JobProgress)
        and isinstance(old, JobProgress)
        and new.job is old.job
        and new.progress.stage == old.progress.stage
        and not old.progress.message
    )
