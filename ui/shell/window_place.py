"""Where the window was when it was closed, so that it opens there again."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from app.system import paths
from ui.shell.window import MainWindow

_WINDOW, _PANES, _COLUMNS, _DICTATION = "window", "review/widths", "review/columns", "review/dictation"


def restore_place(window: MainWindow) -> None:
    """Restores size, place, the widths of the panes and of the flowsheet's columns, and the dictation.

    Qt moves a window back that no screen shows any more.
    """
    kept = _kept()
    dictation = str(kept.value(_DICTATION, ""))
    window.navigation.first = int(dictation) if dictation.isdecimal() else None
    place = kept.value(_WINDOW)
    if isinstance(place, QByteArray):
        window.restoreGeometry(place)
    if widths := _numbers(kept.value(_PANES), 2):
        window.page.set_widths(widths)
    if widths := _numbers(kept.value(_COLUMNS), len(window.page.flowsheet.dragged_widths)):
        window.page.flowsheet.drag_widths(widths)


def keep_place(window: MainWindow) -> None:
    """Keeps what `restore_place` restores; a file that cannot be written is left as it is."""
    kept = _kept()
    kept.setValue(_WINDOW, window.saveGeometry())
    kept.setValue(_PANES, window.page.widths)
    kept.setValue(_COLUMNS, window.page.flowsheet.dragged_widths)
    kept.setValue(_DICTATION, window.selection.dictation_id or "")
    kept.sync()


def _numbers(kept: object, count: int) -> list[int]:
    """So many whole numbers; none if the file has something else."""
    if isinstance(kept, list) and len(kept) == count and all(str(one).isdecimal() for one in kept):
        return [int(one) for one in kept]
    return []


def _kept() -> QSettings:
    return QSettings(str(paths.config_dir() / "window.ini"), QSettings.Format.IniFormat)
