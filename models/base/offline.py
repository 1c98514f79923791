"""Keeps the libraries that we load from the network, and from files of their own outside our folders.

Applied when `models` is imported, which every process of Wardlight does before it loads any of them.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

# onnxruntime reports to its maker from 1.29 on, on Linux and macOS; the version that we pin does not yet. The variable
# is its switch for later ones, read once when the library is loaded.
_SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
}
_TRACES = Path("Microsoft", "DeveloperTools", ".onnxruntime")


def stay_offline() -> None:
    """Switches off what libraries send or look up by themselves, in this process and those that it starts."""
    os.environ.update(_SWITCHES)


def remove_traces() -> None:
    """Removes the device id and the events that an earlier onnxruntime kept in the user's cache, if they are there."""
    home = Path.home()
    caches = (
        Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache"),
        home / "Library" / "Caches",
        home / "Library" / "Application Support",
    )
    for cache in caches:
        folder = cache / _TRACES
        if folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
            for parent in (folder.parent, folder.parent.parent):
                with suppress(OSError):  # another program has files there
                    parent.rmdir()
