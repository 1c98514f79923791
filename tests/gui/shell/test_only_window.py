"""A second start of the program brings the window that is open to the front."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.record.errors import StorageError
from app.store import Store
from app.system import paths
from tests.gui.conftest import Ward
from tests.kit.patience import PATIENCE_MS, PATIENCE_SECONDS
from ui.shell.only_window import OnlyWindow, come_forward

pytestmark = pytest.mark.qt_log_ignore("XDG_RUNTIME_DIR")


@pytest.fixture
def only(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlyWindow]:
    with TemporaryDirectory(prefix="w") as run:  # the path of a socket has at most 107 bytes
        monkeypatch.setenv("XDG_RUNTIME_DIR", run)
        found = OnlyWindow()
        yield found
        found.close()


def test_without_a_window_nobody_answers(only: OnlyWindow) -> None:
    assert not only.call()


def test_what_a_killed_program_left_there_is_no_window(only: OnlyWindow) -> None:
    Path(only._name).write_bytes(b"")
    assert not only.call()
    only.listen()
    assert only._server.isListening()


def test_a_second_start_calls_the_window_and_ends_without_touching_the_data(only: OnlyWindow, qtbot: QtBot) -> None:
    only.listen()
    tokens: list[str] = []
    only.called.connect(tokens.append)
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_ACTIVATION_TOKEN": "a token"}
    with subprocess.Popen([sys.executable, "-m", "ui"], env=environment, stderr=subprocess.PIPE, text=True) as second:
        try:
            qtbot.waitUntil(lambda: second.poll() is not None, timeout=PATIENCE_MS)
        finally:
            second.kill()
        said = second.stderr.read() if second.stderr else ""
        assert second.wait(PATIENCE_SECONDS) == 0, said
    assert tokens == ["a token"]
    assert "already open" in said
    assert not paths.database_file().exists()


def test_the_window_comes_forward_and_says_that_it_was_open(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    window = ward.window
    window.showMinimized()
    come_forward(window, "")
    ward.until(window.isActiveWindow)
    assert not window.windowState() & Qt.WindowState.WindowMinimized
    assert window.message.text.startswith("Wardlight is already open.")


def test_a_locked_database_is_named_without_its_path(tmp_path: Path) -> None:
    with Store(tmp_path / "one.db"), pytest.raises(StorageError) as refused:
        Store(tmp_path / "one.db")
    assert str(tmp_path) not in str(refused.value)
