"""Caches which proposals are lit, for lists, because computing it takes a moment per dictation."""

from __future__ import annotations

import threading
from collections.abc import Callable


class LitProposals:
    """By dictation id, the ids of its lit proposals, as far as known.

    Thread-safe, but only one `work_out` may run at a time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, frozenset[int]] = {}
        self._working_out: int | None = None  # id of the dictation; None if it has changed since the work began

    def of(self, dictation_id: int) -> frozenset[int] | None:
        """The lit proposals of a dictation; None if not known."""
        with self._lock:
            return self._known.get(dictation_id)

    def work_out(self, dictation_id: int, work: Callable[[], frozenset[int]]) -> None:
        """Caches the result of `work`, unless the dictation is forgotten meanwhile."""
        with self._lock:
            self._working_out = dictation_id
        found = work()
        with self._lock:
            if self._working_out == dictation_id:
                self._known[dictation_id] = found
            self._working_out = None

    def forget(self, dictation_id: int) -> None:
        """Call it when the values or the patient of a dictation have changed."""
        with self._lock:
            self._known.pop(dictation_id, None)
            if self._working_out == dictation_id:
                self._working_out = None

    def forget_all(self) -> None:
        """Call it when something else decides about lights."""
        with self._lock:
            self._known.clear()
            self._working_out = None
