"""What plays the words a value came from."""

from __future__ import annotations

import subprocess
import sys

from tests.kit.patience import PATIENCE_SECONDS

LOADS = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer, qInstallMessageHandler
from ui.review.evidence.evidence_player import EvidencePlayer
app = QCoreApplication([])
loaded = lambda: "PySide6.QtMultimedia" in sys.modules
qInstallMessageHandler(lambda kind, context, words: loaded() or print(words))  # what it says later holds nobody
player = EvidencePlayer()
player.look_ahead()
QTimer.singleShot(0, lambda: QTimer.singleShot(0, lambda: QTimer.singleShot(0, app.quit)))
app.exec()
print("loaded", loaded())
"""


def test_the_sound_library_is_quiet_while_it_is_loaded() -> None:
    """A report of it then, with a handler in Python, can hold the program for good (see `ui.kit.sound_library`)."""
    done = subprocess.run(
        [sys.executable, "-c", LOADS], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    )
    assert done.stdout == "loaded True\n"
