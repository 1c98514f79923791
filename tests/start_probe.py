"""A program that opens the real window, prints the seconds until it stands there and what it loaded, and ends."""

from __future__ import annotations

STARTS = """
import sys, time
began = time.monotonic()
import ui.__main__ as entry
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
shown = []
class Application(QApplication):
    def __init__(self, arguments):
        super().__init__(arguments)
        QTimer.singleShot(0, self.appeared)
    def appeared(self):
        shown.append(time.monotonic() - began)
        heavy = {"torch", "llama_cpp", "faster_whisper", "sentence_transformers", "hnswlib", "av", "numpy"}
        print(shown[0], *sorted((heavy | {"PySide6.QtMultimedia"}) & set(sys.modules)))
        QTimer.singleShot(200, self.quit)
entry.QApplication = Application
sys.exit(entry.main())
"""
