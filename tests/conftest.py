"""Settings that every test shares."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from tests.kit.fake_keyring import Keyring
from tests.kit.patience import PATIENCE_SECONDS

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Two processes of tests share two cores: more threads would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The folders of tests lie in memory where there is room: each of hundreds of databases waits for the disk otherwise.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2 * 1024**3:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
# an example may load a library or a vocabulary, on a busy machine: how long it takes is no property
settings.register_profile("wardlight", deadline=None)
settings.load_profile("wardlight")
_HOMES = count()


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's data; the weights, which tests only read, stay where they are installed."""
    place = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))  # made by who writes there
    for name in ("DATA", "CACHE"):
        monkeypatch.setenv(f"WARDLIGHT_{name}", str(place / name.lower()))
    if "WARDLIGHT_MODELS" not in os.environ:
        import platformdirs

        monkeypatch.setenv("WARDLIGHT_MODELS", str(Path(platformdirs.user_data_dir("wardlight")) / "models"))


@pytest.fixture(autouse=True)
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    """Secrets are kept in memory, for one test."""
    library = Keyring()
    monkeypatch.setitem(sys.modules, "keyring", library)
    monkeypatch.setattr("app.system.secrets._entered", {})
    return library


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """A thread that a test started and left running fails it."""
    before = set(threading.enumerate())
    yield
    leaked = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    for thread in leaked:
        thread.join(PATIENCE_SECONDS)
    still = [thread.name for thread in leaked if thread.is_alive()]
    assert not still, f"threads left running: {still}"
