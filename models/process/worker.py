"""The inference process: native code runs here, so that a crash never closes the window.

The parent calls `WorkerProcess.run` from a background thread; the child runs one task at a time on its main thread,
while a second thread listens for `Cancel`. Each side notices immediately if the other end of the pipe closes: the
parent raises `WorkerDied`, the child exits.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar, cast

from models.base.errors import Cancelled, WardlightError, as_bug
from models.base.offline import remove_traces
from models.base.progress import NOT_MONITORED, ProgressMonitor
from models.errors import GpuError, WorkerDied
from models.process.messages import Cancel, Channel, Done, Failed, Input, Output, Reported, Run, Shutdown
from models.runtimes.loaded import Loaded, RuntimeConfig, Runtimes

_POLL_SECONDS = 0.05
_CANCEL_GRACE_SECONDS = 5.0
_SHUTDOWN_GRACE_SECONDS = 3.0
_UNREADABLE, _GPU_FAILED = 70, 71  # exit codes

Result = TypeVar("Result")


class WorkerProcess:
    """A child process that holds the models; started on first use, and again after it died.

    It runs one job at a time: `run` may be called from any thread, but calls wait for each other.

    Args:
        prepare: runs in each child before its first task. It is pickled by name, like tasks, and must not raise.

    Attributes:
        loaded: the models that the child holds, by role; after its death, those that it held.
    """

    def __init__(self, config: RuntimeConfig, prepare: Callable[[], None] | None = None) -> None:
        self.config = config
        self._prepare = prepare
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._serial = threading.Lock()
        self._job = 0
        self.loaded: dict[str, Loaded] = {}

    @property
    def pid(self) -> int | None:
        """Process id of the running child; None if there is none."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def start(self) -> None:
        """Starts the child unless it is running; models are loaded only when a task needs them."""
        if self.pid is not None:
            return
        self._discard()
        self.loaded = {}
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_main, args=(theirs, self.config, self._prepare), name="wardlight-inference", daemon=True
        )
        with _WithoutMainModule():
            process.start()
        theirs.close()
        self._process, self._pipe = process, ours

    def run(
        self,
        function: Callable[..., Result],
        *,
        monitor: ProgressMonitor = NOT_MONITORED,
        channel: Channel | None = None,
        **arguments: Any,
    ) -> Result:
        """Runs `function(runtimes, watch=..., **arguments)` in the child and returns its result.

        The function must be module-level, because it is pickled by name. With `channel`, it receives the other end.

        Raises:
            Cancelled: `cancelled` returned true; a child that does not stop within the grace period is killed.
            WorkerDied: the child ended during the task, as it also does if the GPU fails; the call can be repeated.
            WardlightError: raised by the task.
        """
        with self._serial:
            self.start()
            pipe = self._pipe
            assert pipe is not None
            self._job += 1
            try:
                pipe.send(Run(self._job, function, arguments, talks=channel is not None))
                return cast(Result, self._wait(pipe, self._job, monitor, channel))
            except (EOFError, BrokenPipeError, ConnectionResetError) as error:
                code = self._end()
                if monitor.cancelled():
                    raise Cancelled from error
                raise WorkerDied(
                    f"The inference process ended unexpectedly{code}.", "Nothing was lost; try again.", retryable=True
                ) from error

    def _wait(
        self,
        pipe: Connection,
        job: int,
        monitor: ProgressMonitor,
        channel: Channel | None,
    ) -> Any:
        deadline: float | None = None
        while True:
            while channel and not channel.inputs.empty():
                pipe.send(Input(job, channel.inputs.get()))
            if deadline is None and monitor.cancelled():
                pipe.send(Cancel(job))
                deadline = time.monotonic() + _CANCEL_GRACE_SECONDS
            if deadline is not None and time.monotonic() > deadline:
                self._end()
                raise Cancelled
            if not pipe.poll(_POLL_SECONDS):
                continue
            match pipe.recv():
                case Loaded(role=role) as model:
                    self.loaded[role] = model
                case Reported(job=number, progress=report) if number == job:
                    monitor.report(report)
                case Output(job=number, item=item) if number == job and channel:
                    try:
                        channel.emit(item)
                    except BaseException:
                        pipe.send(Cancel(job))  # nobody waits for its result any more
                        raise
                case Done(job=number, result=result) if number == job:
                    return result
                case Failed(job=number, error=error) if number == job:
                    raise error

    def close(self) -> None:
        """Ends the child: politely if it is idle, otherwise by force. Safe from any thread, even during `run`."""
        if self._serial.acquire(blocking=False):
            try:
                if self._pipe is not None and self.pid is not None:
                    with suppress(OSError):  # it may already be gone
                        self._pipe.send(Shutdown())
                    assert self._process is not None
                    self._process.join(_SHUTDOWN_GRACE_SECONDS)
                self._end()
            finally:
                self._serial.release()
        elif (process := self._process) is not None:
            process.kill()  # the waiting `run` sees the pipe close and cleans up

    def _end(self) -> str:
        """Makes sure that the child is gone; returns how it ended, in words."""
        process = self._process
        if process is None:
            return ""
        process.join(0.5)
        if process.is_alive():
            process.kill()
            process.join()
        code = process.exitcode
        self._discard()
        if code is not None and code < 0:
            return f" ({signal.Signals(-code).name})"
        return f" (exit code {code})" if code else ""

    def _discard(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            if self._process.exitcode is None:
                self._process.join(0)
            if self._process.exitcode is not None:
                self._process.close()
            self._process = None


class _WithoutMainModule:
    """Keeps the child from importing the parent's main script, which it does not need.

    Spawning imports `__main__` again; for a window or a test runner that would load Qt or pytest into the child.
    """

    def __enter__(self) -> None:
        import sys

        main = sys.modules["__main__"]
        self._main = main
        self._kept = {name: getattr(main, name) for name in ("__file__", "__spec__") if hasattr(main, name)}
        for name in self._kept:
            setattr(main, name, None)

    def __exit__(self, *_: object) -> None:
        for name, value in self._kept.items():
            setattr(self._main, name, value)


def _main(pipe: Connection, config: RuntimeConfig, prepare: Callable[[], None] | None) -> None:
    """The child's main loop: runs tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and sends Cancel
    remove_traces()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    os.environ["TQDM_DISABLE"] = "1"  # libraries draw progress bars on stderr; ours are sent as messages
    os.environ["OMP_NUM_THREADS"] = str(config.threads)
    if config.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"  # a GPU that failed must not be touched again by any library
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # idle pools must not spin on cores that another one needs
    if prepare:
        prepare()
    runtimes = Runtimes(config)
    jobs: queue.SimpleQueue[Run | None] = queue.SimpleQueue()
    stopped: set[int] = set()
    given: dict[int, queue.SimpleQueue[Any]] = {}
    threading.Thread(target=_listen, args=(pipe, jobs, stopped, given), name="listener", daemon=True).start()
    sending = threading.Lock()  # a task may send from several threads

    def send(message: Any) -> None:
        with sending:
            pipe.send(message)

    runtimes.placed = send
    while (run := jobs.get()) is not None:
        _run_one(send, runtimes, run, stopped, given)
        given.pop(run.job, None)


def _listen(
    pipe: Connection,
    jobs: queue.SimpleQueue[Run | None],
    stopped: set[int],
    given: dict[int, queue.SimpleQueue[Any]],
) -> None:
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)  # the parent is gone, so nobody needs the result
        except BaseException:  # noqa: BLE001 - unreadable message: exit, so that the parent does not hang
            traceback.print_exc()
            os._exit(_UNREADABLE)
        match message:
            case Run():
                if message.talks:
                    given[message.job] = queue.SimpleQueue()
                jobs.put(message)
            case Input(job=job, item=item):
                if waiting := given.get(job):  # the job may have ended before the message arrived
                    waiting.put(item)
            case Cancel(job=job):
                stopped.add(job)
            case Shutdown():
                jobs.put(None)


def _run_one(
    send: Callable[[Any], None],
    runtimes: Runtimes,
    run: Run,
    stopped: set[int],
    given: dict[int, queue.SimpleQueue[Any]],
) -> None:
    def progress(report: Any) -> None:
        send(Reported(run.job, report))

    runtimes.progress = progress
    arguments = run.arguments
    if run.talks:
        arguments |= {"channel": Channel(given[run.job], lambda item: send(Output(run.job, item)))}
    try:
        result = run.function(runtimes, monitor=ProgressMonitor(progress, lambda: run.job in stopped), **arguments)
        send(Done(run.job, result))
    except GpuError:
        # Nothing that CUDA holds can be trusted after an error: only a new process can go on.
        traceback.print_exc()
        os._exit(_GPU_FAILED)
    except WardlightError as error:
        send(Failed(run.job, error))
    except MemoryError:
        from models.base.errors import ResourceError

        send(
            Failed(
                run.job, ResourceError("There is not enough memory for this job.", "Close other programs, then retry.")
            )
        )
    except Exception as error:  # noqa: BLE001 - a defect must reach the parent as one, whatever it is
        send(Failed(run.job, as_bug(error)))
