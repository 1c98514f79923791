"""Cycles of objects are collected on the window's thread alone.

Python collects on whichever thread has just made one object too many. On the thread of a lane it would destroy objects
of Qt that live on the window's thread, which now and then crashes the program.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 2000
# What is looked at takes a millisecond for two thousand objects or so. More than this come with what is loaded:
# packages, a schema, models. They stay for good, and to look at them again and again would hold the window.
_MOST_OBJECTS = 50_000


class GarbageCollector(QObject):
    """Does from a timer what Python does by itself otherwise, as often and of the same generations; where there are too
    many objects to be looked at, it exempts those that there are from then on instead."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        gc.freeze()  # what was imported stays, and need not be looked at each time
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
