"""The window opens where and as it was closed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize

from app.system import paths
from tests.gui.conftest import Ward, lay_out
from ui.shell.window_place import keep_place, restore_place


def test_size_and_widths_are_restored(new_ward: Callable[..., Ward]) -> None:
    first = new_ward()
    first.window.resize(QSize(700, 500))
    first.window.page.set_widths([400, 500])
    first.window.page.flowsheet.drag_widths([0, 180, 90])
    keep_place(first.window)
    second = new_ward()
    restore_place(second.window)
    lay_out()
    assert second.window.size() == QSize(700, 500)
    assert second.window.page.widths == [400, 500]
    assert second.window.page.flowsheet.dragged_widths == [0, 180, 90]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\x00 no settings", b"[General]\nwindow=4\n[review]\nwidths=a, b, c\ncolumns=1, -2, 3\n"],
)
def test_a_file_that_says_nothing_useful_changes_nothing(ward: Ward, content: bytes) -> None:
    file = Path(paths.config_dir(), "window.ini")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    before = ward.window.size(), ward.window.page.widths
    restore_place(ward.window)
    assert (ward.window.size(), ward.window.page.widths) == before
    assert ward.window.page.flowsheet.dragged_widths == [0, 0, 0]


def test_a_folder_that_cannot_be_written_stops_nothing(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "config_dir", lambda: Path("/proc/nowhere"))
    keep_place(ward.window)
    restore_place(ward.window)
