"""Hands a backlog out to workers, and writes what comes back.

The scheduler and the workers keep nothing: what a worker was doing when it ended is handed out again. Only this process
writes results.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.batch.backlog import Item, Results
from models.base.errors import InputError, ResourceError
from models.base.progress import Progress, ProgressMonitor, stop_if
from models.hardware import detect
from speech.text_file import read_text

_LOOPBACK = "127.0.0.1"
_AHEAD = 2  # texts handed out to each worker: one that it reads, and the next
_KILLED = 3  # workers that may end over a text before it counts as failed
_WAIT_SECONDS = 0.2  # between two looks whether to stop
_START_SECONDS = 60.0
_CONFIG = {
    "distributed.worker.daemon": False,  # a daemon may not have the child that runs the models
    "distributed.scheduler.allowed-failures": _KILLED,
    "distributed.scheduler.work-stealing": False,  # each worker has so few texts that none need be taken from it
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.nanny.http.routes": [],
    "distributed.version-check": False,  # no difference may stop a backlog in the middle; see `check` of the command
}


class Reader(Protocol):
    """Reads a text on a worker with at most so many threads. It is sent there, so it holds no process and no file."""

    def __call__(self, text: str, threads: int) -> dict[str, Any]: ...


@dataclass
class Outcome:
    """What became of a backlog: results that were there before, those read now, and by file why it has none."""

    known: int = 0
    read: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def check_installed() -> None:
    """Raises ResourceError if the libraries for several processes are not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise ResourceError(
            "Reading a backlog takes Dask, which is not installed.",
            "Install it with: pip install 'wardlight[batch]'.",
        ) from error


def threads_for(workers: int) -> int:
    """Threads of each of some workers on this machine, so that all together never exceed its cores.

    Raises InputError if there are more workers than cores.
    """
    cores = detect().cores
    if not 1 <= workers <= cores:
        raise InputError(
            f"There cannot be {workers} workers.", f"Choose from 1 to {cores}, the cores of this computer."
        )
    return cores // workers


@contextmanager
def workers_here(count: int) -> Iterator[Any]:
    """A client of `count` worker processes on this computer, which nothing outside of it can reach."""
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(_CONFIG),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host=_LOOPBACK,
            dashboard_address=f"{_LOOPBACK}:0",
            worker_dashboard_address=f"{_LOOPBACK}:0",
            silence_logs=50,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def workers_at(address: str) -> Iterator[Any]:
    """A client of a scheduler that runs somewhere. Raises ResourceError if it does not answer."""
    import dask
    from distributed import Client

    with dask.config.set(_CONFIG):
        try:
            client = Client(address, timeout=_START_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise ResourceError(f"No scheduler answers at {address}.", "Check the address, and start it.") from error
        with client:
            yield client


def read_backlog(
    items: Sequence[Item], results: Results, reader: Reader, client: Any, threads: int, monitor: ProgressMonitor
) -> Outcome:
    """Reads what has no result yet. A text that cannot be read has none, and is tried again the next time.

    Args:
        client: of Dask.
        threads: of each worker; 0 for those that it was started with.

    Raises Cancelled: what was read is kept. Raises ResourceError if a result cannot be written, or no worker comes.
    """
    outcome = Outcome(known=sum(results.has(one.key) for one in items))
    left = iter([one for one in items if not results.has(one.key)])
    total, done = len(items), outcome.known
    handed: dict[Any, Item] = {}
    _await_workers(client)
    try:
        while True:
            stop_if(monitor.cancelled)
            room = _AHEAD * max(len(client.scheduler_info(n_workers=-1)["workers"]), 1) - len(handed)
            for item in _next(left, room):
                future = client.submit(
                    _read, reader, read_text(item.path).text, threads, key=item.key, pure=False, retries=0
                )
                handed[future] = item
            if not handed:
                return outcome
            for future in _finished(handed):
                item = handed.pop(future)
                if future.status == "finished":
                    results.keep(item.key, {"files": list(item.names)} | future.result())
                    outcome.read += 1
                else:
                    outcome.failed |= dict.fromkeys(item.names, _why(future))
                done += 1
                future.release()
            monitor.report(Progress("batch", done / total, f"{done} of {total} dictations"))
    finally:
        for future in handed:
            future.cancel()


def _read(reader: Reader, text: str, threads: int) -> dict[str, Any]:
    """Runs on a worker."""
    from distributed import get_worker

    own = threads or get_worker().state.nthreads
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(own)  # of the inference process, which is started by the first text
    return reader(text, own)


def _await_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=_START_SECONDS)
    except TimeoutError as error:
        raise ResourceError("No worker has come.", "Start workers for this scheduler, then retry.") from error


def _next(left: Iterator[Item], room: int) -> Iterator[Item]:
    for _ in range(room):
        item = next(left, None)
        if item is None:
            return
        yield item


def _finished(handed: dict[Any, Item]) -> list[Any]:
    """Those that have ended; waits a moment for the first."""
    from distributed import wait

    try:
        return list(wait(list(handed), timeout=_WAIT_SECONDS, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        return []


def _why(future: Any) -> str:
    if future.status == "cancelled":
        return "it was taken back"
    error = future.exception()
    return f"{_KILLED} workers ended over it" if type(error).__name__ == "KilledWorker" else str(error)
