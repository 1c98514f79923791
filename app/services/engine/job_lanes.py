"""Runs work off the window's thread: a lane does one job at a time, in the order submitted. Qt-free.

A job is stopped in two steps: first its `is_cancelled` callback returns true; if it has not ended after a grace period,
the lane's `interrupt` is called on a timer's thread (for inference, it kills the worker process).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from models.base.errors import Cancelled, WardlightError, as_bug
from models.base.progress import Progress
from models.errors import WorkerDied

GRACE_SECONDS = 3.0
REPORT_SECONDS = 0.04


Subject = TypeVar("Subject")
Result = TypeVar("Result")


@dataclass(frozen=True)
class JobKind(Generic[Subject, Result]):
    """A kind of job. Its type parameters are the types of the subject (an id, a path) and the result.

    A `passing` one leaves nothing behind, so that nobody need wait for it when the window closes.
    """

    name: str
    passing: bool = False


class Job(Generic[Subject, Result]):
    """One piece of work on a lane.

    Attributes:
        kind: what the job does.
        subject: what it does it to.
    """

    def __init__(
        self,
        lane: Lane,
        kind: JobKind[Subject, Result],
        subject: Subject,
        work: Callable[[Job[Subject, Result]], Result],
    ) -> None:
        self.kind = kind
        self.subject = subject
        self._lane = lane
        self._work = work
        self._announced = False
        self._cancelled = threading.Event()
        self._ended = threading.Event()
        self._last_report: tuple[float, str] = (0.0, "")

    def cancel(self) -> None:
        """Asks the job to stop and returns at once."""
        self._lane._cancel(self)

    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits at most `seconds` for the end; returns whether it has ended. Its last event is emitted before that."""
        return self._ended.wait(seconds)

    def report(self, progress: Progress) -> None:
        """A progress callback: forwards at most one report per `REPORT_SECONDS`, and any that carries news.

        Stages may report each token, which is faster than the eye can follow.
        """
        now = time.monotonic()
        then, stage = self._last_report
        carries_words = progress.stage == "transcribe" and progress.message
        if stage == progress.stage and now - then < REPORT_SECONDS and progress.fraction != 1.0 and not carries_words:
            return
        self._last_report = (now, progress.stage)
        self._lane._emit(JobProgress(self, progress))


AnyJob = Job[Any, Any]


@dataclass(frozen=True, slots=True)
class JobEvent:
    """Something that happened to a job; emitted on the lane's thread."""

    job: AnyJob


@dataclass(frozen=True, slots=True)
class JobQueued(JobEvent):
    """The job waits for its turn (emitted on the submitting thread)."""


@dataclass(frozen=True, slots=True)
class JobStarted(JobEvent):
    """The job's turn has come."""


@dataclass(frozen=True, slots=True)
class JobProgress(JobEvent):
    """The running stage reports."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class JobFinished(JobEvent, Generic[Result]):
    """The job is done and has saved what it had to save."""

    result: Result


@dataclass(frozen=True, slots=True)
class JobFailed(JobEvent):
    """The job ended with an error; a `Bug` is a defect of Wardlight."""

    error: WardlightError


@dataclass(frozen=True, slots=True)
class JobStopped(JobEvent):
    """The job ended because it was asked to."""


Listener = Callable[[JobEvent], None]


class LaneClosed(RuntimeError):
    """A job was submitted to a lane that was closed."""


class Lane:
    """One thread that does jobs one after the other.

    Args:
        listener: called with each event, on the lane's thread (on the caller's for `JobQueued` and for jobs
            cancelled before their turn).
        interrupt: ends a job that does not respond; called on a timer's thread, or by `close`.
        grace_seconds: how long a cancelled job may take before `interrupt` is called.
    """

    def __init__(
        self,
        name: str,
        listener: Listener,
        *,
        interrupt: Callable[[], None] | None = None,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._name = name
        self._emit = listener
        self._interrupt = interrupt
        self._grace_seconds = grace_seconds
        self._changed = threading.Condition()
        self._waiting: deque[AnyJob] = deque()
        self._current: AnyJob | None = None
        self._closed = False
        self._thread: threading.Thread | None = None
        self._graces: list[threading.Timer] = []
        # held while interrupting, so that an interrupt meant for one job cannot hit the next
        self._interrupting = threading.Lock()

    @property
    def jobs(self) -> tuple[AnyJob, ...]:
        """The running job, if any, and the waiting ones in order."""
        with self._changed:
            return (*((self._current,) if self._current else ()), *self._waiting)

    def submit(
        self,
        kind: JobKind[Subject, Result],
        subject: Subject,
        work: Callable[[Job[Subject, Result]], Result],
        *,
        first: bool = False,
    ) -> Job[Subject, Result]:
        """Queues `work`, which is called with its job, for `report` and `is_cancelled`.

        Args:
            first: before the jobs that wait, since a person waits for it.
        """
        job = Job(self, kind, subject, work)
        with self._changed:
            if self._closed:
                raise LaneClosed(f"lane {self._name} is closed")
            if first:
                self._waiting.appendleft(job)
            else:
                self._waiting.append(job)
        # emitted without the lock, because listeners may read `jobs`, and before the job can start
        self._emit(JobQueued(job))
        with self._changed:
            job._announced = True
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._loop, name=f"wardlight-{self._name}", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job

    def close(self) -> None:
        """Stops everything without a grace period and waits for the thread."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = list(self._waiting), deque()
            current = self._current
            if current:
                current._cancelled.set()
            self._changed.notify()
        for job in waiting:
            self._drop(job)
        if current:
            self._end_by_force(current)
        if self._thread:
            self._thread.join()
        for grace in self._graces:
            grace.cancel()
            grace.join()

    def _cancel(self, job: AnyJob) -> None:
        with self._changed:
            if job in self._waiting:
                self._waiting.remove(job)
                waiting = True
            elif job is self._current and not job.is_cancelled():
                job._cancelled.set()
                grace = threading.Timer(self._grace_seconds, self._end_by_force, [job])
                grace.name, grace.daemon = f"wardlight-{self._name}-grace", True
                self._graces = [timer for timer in self._graces if timer.is_alive()] + [grace]
                grace.start()
                waiting = False
            else:
                return
        if waiting:
            self._drop(job)

    def _drop(self, job: AnyJob) -> None:
        job._cancelled.set()
        self._emit(JobStopped(job))
        job._ended.set()

    def _end_by_force(self, job: AnyJob) -> None:
        with self._interrupting:
            if self._current is job and self._interrupt:
                self._interrupt()

    def _loop(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or (self._waiting and self._waiting[0]._announced))
                if not self._waiting:
                    return
                job = self._current = self._waiting.popleft()
            self._emit(JobStarted(job))
            event = self._perform(job)
            with self._interrupting, self._changed:
                self._current = None
                for grace in self._graces:
                    grace.cancel()
            self._emit(event)
            job._ended.set()

    def _perform(self, job: AnyJob) -> JobEvent:
        try:
            return JobFinished(job, job._work(job))
        except Cancelled:
            return JobStopped(job)
        except WorkerDied as error:
            # after a cancel, we killed the worker ourselves
            return JobStopped(job) if job.is_cancelled() else JobFailed(job, error)
        except WardlightError as error:
            return JobFailed(job, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the window must hear of it
            return JobFailed(job, as_bug(error))
