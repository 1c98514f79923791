"""A backlog read by real Dask workers with a reader that does as its text says; run as a program, so that no thread of
Dask stays in the tests.

    python -m tests.kit.backlogs FOLDER OUT WORKERS [stop after so many results]
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class ScriptedReader:
    """Upper case; `kill N` ends its worker N times, `fail` raises. Notes each call in a folder."""

    notes: Path

    def __call__(self, text: str, threads: int) -> dict[str, Any]:
        word, _, count = text.partition(" ")
        tried = self.notes / f"{text.replace(' ', '-')}.tries"
        times = int(tried.read_text()) + 1 if tried.exists() else 1
        tried.write_text(str(times))
        if word == "kill" and times <= int(count):
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "fail":
            raise ValueError("this text cannot be read")
        return {"values": text.upper(), "threads": threads, "pid": os.getpid(), "omp": os.environ["OMP_NUM_THREADS"]}


def listening() -> list[str]:
    """The addresses at which this process and its children listen."""
    import psutil

    own = psutil.Process()
    found = set()
    for process in (own, *own.children(recursive=True)):
        found |= {one.laddr.ip for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN}
    return sorted(found)


def main() -> None:
    from app.batch.backlog import Results, items_of
    from app.batch.run import read_backlog, workers_here
    from models.base.errors import Cancelled
    from models.base.progress import ProgressMonitor

    folder, out, workers, *most = sys.argv[1:]
    items, _ = items_of(Path(folder), "conditions")
    results = Results(Path(out))
    notes = Path(out) / "notes"
    notes.mkdir(parents=True, exist_ok=True)

    def cancelled() -> bool:
        return bool(most) and len(list(results.keys())) >= int(most[0])

    with workers_here(int(workers)) as client:
        told: dict[str, Any] = {"listening": listening()}
        try:
            outcome = read_backlog(
                items, results, ScriptedReader(notes), client, 1, ProgressMonitor(cancelled=cancelled)
            )
            told |= {"known": outcome.known, "read": outcome.read, "failed": outcome.failed}
        except Cancelled:
            told["stopped"] = True
    print(json.dumps(told))


if __name__ == "__main__":
    main()
