"""Runs Python's cyclic garbage collector on the window's thread only.

By default, Python collects on whichever thread passes the threshold. On a lane's thread it would destroy Qt objects
that live on the window's thread, which occasionally crashes the program.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 2000
# Scanning takes about 1 ms for 2000 objects. More than this limit come from loading packages, a schema or models;
# they are permanent, and scanning them again and again would block the window.
_MOST_OBJECTS = 50_000


class GarbageCollector(QObject):
    """Collects from a timer, by Python's own thresholds and generations.

    If there are more than `_MOST_OBJECTS` to scan, it exempts them from later collections instead.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        gc.freeze()  # imported objects are permanent and need not be scanned each time
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(_EVERY_MS)
        self.destroyed.connect(gc.enable)

    def _look(self) -> None:
        due = [made > limit for made, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        generation = max((place for place, is_due in enumerate(due) if is_due), default=None)
        if generation is None:
            return
        if len(gc.get_objects()) > _MOST_OBJECTS:
            gc.freeze()
        else:
            gc.collect(generation)
