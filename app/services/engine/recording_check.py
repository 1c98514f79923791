"""Checks whether a file can be imported as a recording, before anything of it is stored.

A hostile file may crash its decoder, so it is decoded in a separate, short-lived process. A crash there means that the
file is damaged, and affects neither the window nor the process that holds the models.
"""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from models.base.errors import Cancelled
from models.base.progress import ProgressMonitor
from models.errors import WorkerDied
from models.process.worker import WorkerProcess
from models.runtimes.loaded import RuntimeConfig, Runtimes
from speech.errors import AudioError

LONGEST_SECONDS = 60.0  # a healthy file takes less than one
_NO_MODELS = RuntimeConfig(None, None, None, "", "", "", threads=1)


def refuse_no_recording(path: Path) -> datetime | None:
    """When a recording was made, if the file says so. Raises AudioError if no sound can be decoded."""
    process, until = WorkerProcess(_NO_MODELS), time.monotonic() + LONGEST_SECONDS
    try:
        return process.run(
            verify_recording, monitor=ProgressMonitor(cancelled=lambda: time.monotonic() > until), path=path
        )
    except WorkerDied as error:
        raise AudioError(f"{path.name} cannot be read: it is badly damaged.", "Choose another copy.") from error
    except Cancelled as error:
        raise AudioError(
            f"{path.name} could not be read within {LONGEST_SECONDS:.0f} seconds.",
            "Copy it to this computer, then open it there.",
        ) from error
    finally:
        process.close()


def verify_recording(runtimes: Runtimes, *, path: Path, monitor: ProgressMonitor) -> datetime | None:
    """The check itself, which runs in the separate process."""
    from speech.audio import made_at, verify

    verify(path)
    return made_at(path)
