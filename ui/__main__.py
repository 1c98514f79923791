"""`python -m ui`: opens the window."""

from __future__ import annotations

import os
import subprocess
import sys
from types import TracebackType

from PySide6.QtWidgets import QApplication

from app.services.workbench import Workbench
from app.system import paths
from app.system.settings import Settings, load_settings
from models.base.errors import InputError
from ui.kit.theme import Theme
from ui.shell.bridge import Bridge
from ui.shell.garbage_collection import GarbageCollector
from ui.shell.only_window import OnlyWindow, come_forward
from ui.shell.window import MainWindow
from ui.shell.window_place import keep_place, restore_place


def main() -> int:
    """Runs the window until it is closed, or brings the one that is open to the front; returns the exit status."""
    settings = _settings()
    environment = dict(os.environ)
    if settings.scale != 100:
        os.environ.setdefault("QT_SCALE_FACTOR", str(settings.scale / 100))  # Qt reads it once, at startup
    app = QApplication(sys.argv)
    app.setApplicationName("Wardlight")
    app.setDesktopFileName("wardlight")
    only = OnlyWindow(app)
    if only.call():
        print("Wardlight is already open; its window comes to the front.", file=sys.stderr)
        return 0
    only.listen()
    bridge = Bridge()
    workbench = Workbench(bridge.listen)
    window = MainWindow(Theme(app, settings.theme), workbench, bridge)
    only.called.connect(lambda token: come_forward(window, token))

    def show_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        window.show_bug(error)

    sys.excepthook = show_bug
    GarbageCollector(window)
    restore_place(window)
    window.show()
    window.open()
    try:
        status = app.exec()
    finally:
        keep_place(window)
        sys.excepthook = sys.__excepthook__
        workbench.close()
        only.close()
    if window.restarting:
        subprocess.Popen([sys.executable, *sys.orig_argv[1:]], env=environment)  # outlives this one
    return status


def _settings() -> Settings:
    try:
        return load_settings(paths.config_file())
    except InputError:  # the window shows this error when it opens the workbench
        return Settings()


if __name__ == "__main__":
    sys.exit(main())
