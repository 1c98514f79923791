"""Makes the pictures of the sample dictation, read by the real models: `python -m tests.screens.sample`.

Unlike the other pictures they show what Wardlight really reads, so they also show its mistakes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from app.system import paths
from resources import SAMPLE_DICTATION
from tests.screens.__main__ import FOLDER, SCREEN, Waiter, offscreen
from ui.review.review_page import ReviewPage

SAMPLE_FOLDER = FOLDER / "sample"
_COLOURS = 32
_WAIT_SECONDS = 600.0
_READ = 5  # values that are there when the picture of the filling is made


def main() -> None:
    """Opens the sample in the window, and makes a picture while it is read, afterwards, and of a flagged value."""
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

    from app.system.settings import Settings, save_settings
    from app.workspace.engine import LocalEngine
    from tests.gui.conftest import Ward
    from tests.screens.palette import save_small

    save_settings(Settings(reviewer="R. Nurse", theme="light", setup_finished=True), paths.config_file())
    app = QApplication([])
    ward = Ward(Waiter(app.processEvents), LocalEngine(), scratch, patience_seconds=_WAIT_SECONDS)
    SAMPLE_FOLDER.mkdir(exist_ok=True)

    def save(name: str) -> None:
        for _ in range(24):  # what is nested lays itself out level by level
            app.processEvents()
        save_small(ward.window.grab().toImage(), SAMPLE_FOLDER / f"{name}.png", _COLOURS)
        print(name, flush=True)

    ward.window.resize(QSize(*SCREEN))
    ward.until_ready()
    ward.add_patient()
    recording = Path(shutil.copy(SAMPLE_DICTATION, scratch / "morning.flac"))
    ward.window.intake.open_file(recording)
    page = ward.window.page
    ward.until(lambda: page.isVisible() and _read_so_far(page) >= _READ)
    save("filling")
    ward.until_filled(recording.name)
    save("review")
    page.flowsheet.choose_next(lit=True)
    save("flagged")
    ward.window.actions_.chart.trigger()
    save("chart")
    ward.close()


def _read_so_far(page: ReviewPage) -> int:
    latest = page.filling._latest_values
    return len(latest[1].values) if latest else 0


if __name__ == "__main__":
    main()
