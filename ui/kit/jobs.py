"""Hands what comes of each job to whoever started it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject
from shiboken6 import isValid

from app.services.engine.job_lanes import AnyJob, Job, JobEvent, JobFailed, JobFinished, JobKind, JobQueued, JobStopped
from models.base.errors import WardlightError

Subject = TypeVar("Subject")
Result = TypeVar("Result")
Event = TypeVar("Event", bound=JobEvent)

Failed = Callable[[WardlightError], object]
Stopped = Callable[[], object]


def nothing(*_: object) -> None:
    """Handler that does nothing."""


@dataclass(frozen=True, slots=True)
class _Watcher:
    done: Callable[[Any], object] = nothing
    failed: Failed | None = None
    stopped: Stopped | None = None


class Jobs:
    """What happens with the results and errors of jobs, on the window's thread. Whoever starts a job watches it:

    jobs.watch(workbench.filing.reopen(sheet), done=self._reopened)

    A handler is not called once the QObject that it is a method of was deleted, and none is called after `close`.
    """

    def __init__(self) -> None:
        self._watchers: dict[AnyJob, list[_Watcher]] = {}
        self._adopters: dict[JobKind[Any, Any], Callable[[Any], object]] = {}
        self._hearers: list[tuple[type[JobEvent], Callable[[Any], object]]] = []
        self._failed: Failed = nothing
        self._stopped: Stopped = nothing
        self._closed = False

    def watch(
        self,
        job: Job[Subject, Result],
        *,
        done: Callable[[Result], object] = nothing,
        failed: Failed | None = None,
        stopped: Stopped | None = None,
    ) -> Job[Subject, Result]:
        """Sets what happens when a job ends, and returns the job. Call it at once after starting the job.

        Args:
            failed, stopped: the defaults, see `otherwise`, if None, or if what they belong to was deleted.
        """
        self._watchers.setdefault(job, []).append(_Watcher(done, failed, stopped))
        return job

    def otherwise(self, *, failed: Failed, stopped: Stopped) -> None:
        """Sets the default handlers of failed and stopped jobs."""
        self._failed, self._stopped = failed, stopped

    def adopt(self, kind: JobKind[Subject, Result], watch: Callable[[Job[Subject, Result]], object]) -> None:
        """Calls `watch` with each job of a kind that nobody watches, because the workbench queued it by itself."""
        self._adopters[kind] = watch

    def on(self, kind: type[Event], hear: Callable[[Event], object]) -> None:
        """Calls `hear` with each event of a type, before the watchers of its job."""
        self._hearers.append((kind, hear))

    def take(self, event: JobEvent) -> None:
        """Takes an event of a job. Must be called on the window's thread, in order."""
        if self._closed:
            return
        job = event.job
        if isinstance(event, JobQueued) and job not in self._watchers and job.kind in self._adopters:
            self._adopters[job.kind](job)
        for kind, hear in self._hearers:
            if isinstance(event, kind):
                hear(event)
        if isinstance(event, JobFinished | JobFailed | JobStopped):
            for watcher in self._watchers.pop(job, [_Watcher()]):
                self._end(event, watcher)

    def close(self) -> None:
        """Ignores all events from now on, and lets go of the handlers, whose objects are about to be deleted."""
        self._closed = True
        self._watchers.clear()
        self._hearers.clear()
        self._adopters.clear()
        self._failed = self._stopped = nothing

    def _end(self, event: JobEvent, watcher: _Watcher) -> None:
        match event:
            case JobFinished() if _is_there(watcher.done):
                watcher.done(event.result)
            case JobFailed():
                (watcher.failed if watcher.failed and _is_there(watcher.failed) else self._failed)(event.error)
            case JobStopped():
                (watcher.stopped if watcher.stopped and _is_there(watcher.stopped) else self._stopped)()


def _is_there(handler: Callable[..., object]) -> bool:
    """False for a method of a QObject that was deleted."""
    while isinstance(handler, partial):
        handler = handler.func
    owner = getattr(handler, "__self__", None)
    return not isinstance(owner, QObject) or isValid(owner)
