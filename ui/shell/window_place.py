"""Where the window was when it was closed, so that it opens there again."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from app.system import paths
from ui.shell.window import MainWindow

_WINDOW, _WIDTHS, _DICTATION = "window", "review/widths", "review/dictation"


def restore_place(window: MainWindow) -> None:
    """Restores size, place, the widths of the panes and the dictation.

    Qt moves a window back that no screen shows any more.
    """
    kept = _kept()
    dictation = str(kept.value(_DICTATION, ""))
    window.navigation.first = int(dictation) if dictation.isdecimal() else None
    place, widths = kept.value(_WINDOW), kept.value(_WIDTHS)
    if isinstance(place, QByteArray):
        window.restoreGeometry(place)
    if isinstance(widths, list) and len(widths) == 2 and all(str(width).isdecimal() for width in widths):
        window.page.set_widths([int(width) for width in widths])


def keep_place(window: MainWindow) -> None:
    """Keeps what `restore_place` restores; a file that cannot be written is left as it is."""
    kept = _kept()
    kept.setValue(_WINDOW, window.saveGeometry())
    kept.setValue(_WIDTHS, window.page.widths)
    kept.setValue(_DICTATION, window.selection.dictation_id or "")
    kept.sync()


def _kept() -> QSettings:
    return QSettings(str(paths.config_dir() / "window.ini"), QSettings.Format.IniFormat)
