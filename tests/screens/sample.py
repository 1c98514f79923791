"""Makes the picture of the sample dictation, read by the real models: `python -m tests.screens.sample`.

Unlike the other pictures it shows what Wardlight really reads, so it also shows its mistakes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from app.system import paths
from resources import SAMPLE_DICTATION
from tests.screens.__main__ import COLOURS, SCREEN, SHOWN, Waiter, offscreen

PICTURE = SHOWN / "sample" / "review.png"
_WAIT_SECONDS = 600.0


def main() -> None:
    """Opens the sample in the window, and makes a picture once it is read."""
    with tempfile.TemporaryDirectory() as scratch:
        models = paths.models_dir()
        os.environ |= {
            "QT_QPA_PLATFORM": offscreen(Path(scratch)),
            "QT_LOGGING_RULES": "default.warning=false",  # there is neither sound nor a window manager
            "TZ": "UTC",
            "WARDLIGHT_DATA": f"{scratch}/data",
            "WARDLIGHT_CACHE": f"{scratch}/cache",
            "WARDLIGHT_MODELS": str(models),
        }
        _make(Path(scratch))


def _make(scratch: Path) -> None:
    from PySide6.QtCore import QSize
    from PySide6.QtWidgets import QApplication

    from app.services.engine.engine import LocalEngine
    from app.system.settings import Settings, save_settings
    from tests.gui.conftest import Ward
    from tests.screens.palette import save_small

    save_settings(Settings(reviewer="R. Nurse", theme="light", setup_finished=True), paths.config_file())
    app = QApplication([])
    ward = Ward(Waiter(app.processEvents), LocalEngine(), scratch, patience_seconds=_WAIT_SECONDS)
    ward.window.resize(QSize(*SCREEN))
    ward.until_ready()
    ward.add_patient()
    recording = Path(shutil.copy(SAMPLE_DICTATION, scratch / "morning.flac"))
    ward.window.intake.open_file(recording)
    ward.until_filled(recording.name)
    for _ in range(24):  # what is nested lays itself out level by level
        app.processEvents()
    save_small(ward.window.grab().toImage(), PICTURE, COLOURS)
    ward.close()


if __name__ == "__main__":
    main()
