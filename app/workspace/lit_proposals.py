"""Which proposals are lit, kept for the lists, since working it out takes a moment for each dictation."""

from __future__ import annotations

import threading
from collections.abc import Callable


class LitProposals:
    """By dictation the ids of its proposals that are lit, where known. For any thread; one works them out at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, frozenset[int]] = {}
        self._working_out: int | None = None  # the dictation; None where it has changed since that began

    def of(self, dictation_id: int) -> frozenset[int] | None:
        """Those of a dictation; None where they are not known."""
        with self._lock:
            return self._known.get(dictation_id)

    def work_out(self, dictation_id: int, work: Callable[[], frozenset[int]]) -> None:
        """Keeps what `work` finds, unless the dictation is forgotten meanwhile."""
        with self._lock:
            self._working_out = dictation_id
        found = work()
        with self._lock:
            if self._working_out == dictation_id:
                self._known[dictation_id] = found
            self._working_out = None

    def forget(self, dictation_id: int) -> None:
        """A dictation has other values, or is somebody else's, from now on."""
        with self._lock:
            self._known.pop(dictation_id, None)
            if self._working_out == dictation_id:
                self._working_out = None

    def forget_all(self) -> None:
        """Something else decides about lights from now on."""
        with self._lock:
            self._known.clear()
            self._working_out = None
