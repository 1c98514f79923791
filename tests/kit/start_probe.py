"""A program that opens the real window, prints the seconds until it stands there and what it loaded, and ends.

The time in which it stood ready while the machine ran other programs (Linux counts it) is left out.
"""

from __future__ import annotations

STARTS = """
import os, sys, time
def spent():
    counters = "/proc/self/schedstat"
    if not os.path.exists(counters):
        return time.monotonic()
    with open(counters) as told:
        return time.monotonic() - int(told.read().split()[1]) / 1e9
began = spent()
import ui.__main__ as entry
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
shown = []
class Application(QApplication):
    def __init__(self, arguments):
        super().__init__(arguments)
        QTimer.singleShot(0, self.appeared)
    def appeared(self):
        shown.append(spent() - began)
        heavy = {"torch", "llama_cpp", "faster_whisper", "sentence_transformers", "hnswlib", "av", "numpy"}
        print(shown[0], *sorted((heavy | {"PySide6.QtMultimedia"}) & set(sys.modules)))
        QTimer.singleShot(200, self.quit)
entry.QApplication = Application
sys.exit(entry.main())
"""
