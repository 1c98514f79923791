"""Whether a file can become a dictation at all: asked before anything of it is kept.

A hostile file may crash its decoder, so it is decoded in a process of its own that lasts only as long. The crash is an
answer, too, and touches neither the window nor the process that holds the models.
"""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from models.errors import AudioError, Cancelled, WorkerDied
from models.process.worker import WorkerProcess
from models.progress import Watch
from models.runtimes.loaded import RuntimeConfig, Runtimes

LONGEST_SECONDS = 60.0  # a healthy file takes less than one
_NO_MODELS = RuntimeConfig(None, None, None, "", "", "", threads=1)


def refuse_no_recording(path: Path) -> datetime | None:
    """Raises AudioError for a file in which no sound can be decoded; else when it was made, where the file says so."""
    process, until = WorkerProcess(_NO_MODELS), time.monotonic() + LONGEST_SECONDS
    try:
        return process.run(verify_recording, watch=Watch(cancelled=lambda: time.monotonic() > until), path=path)
    except WorkerDied as error:
        raise AudioError(f"{path.name} cannot be read: it is badly damaged.", "Choose another copy.") from error
    except Cancelled as error:
        raise AudioError(
            f"{path.name} could not be read within {LONGEST_SECONDS:.0f} seconds.",
            "Copy it to this computer, then open it there.",
        ) from error
    finally:
        process.close()


def verify_recording(runtimes: Runtimes, *, path: Path, watch: Watch) -> datetime | None:
    """Runs in the process of its own."""
    from speech.audio import made_at, verify

    verify(path)
    return made_at(path)
