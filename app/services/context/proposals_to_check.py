"""Caches which proposals are to check, for lists, because computing it takes a moment per dictation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import NamedTuple


class ToCheck(NamedTuple):
    """Ids of a dictation's proposals to check, and of which state of its chart that is."""

    ids: frozenset[int]
    chart: Hashable


class ProposalsToCheck:
    """By dictation id, its proposals to check (see `Sheet.to_check`), as far as known.

    Thread-safe, but only one `work_out` may run at a time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, ToCheck] = {}
        self._working_out: int | None = None  # id of the dictation; None if it has changed since the work began

    def of(self, dictation_id: int) -> ToCheck | None:
        """The proposals of a dictation to check; None if not known."""
        with self._lock:
            return self._known.get(dictation_id)

    def work_out(self, dictation_id: int, chart: Hashable, work: Callable[[], frozenset[int]]) -> None:
        """Caches the result of `work` on this state of the chart, unless the dictation is forgotten meanwhile."""
        with self._lock:
            self._working_out = dictation_id
        found = work()
        with self._lock:
            if self._working_out == dictation_id:
                self._known[dictation_id] = ToCheck(found, chart)
            self._working_out = None

    def forget(self, dictation_id: int) -> None:
        """Call it when a dictation has other proposals."""
        with self._lock:
            self._known.pop(dictation_id, None)
            if self._working_out == dictation_id:
                self._working_out = None

    def forget_all(self) -> None:
        """Call it when something else decides about lights."""
        with self._lock:
            self._known.clear()
            self._working_out = None
