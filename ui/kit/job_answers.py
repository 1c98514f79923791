"""Dispatches the results of jobs to the handlers of their kinds, with the types that the kinds declare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from app.services.engine.job_lanes import AnyJob, Job, JobEvent, JobFailed, JobFinished, JobKind, JobStopped
from models.base.errors import WardlightError

Subject = TypeVar("Subject")
Result = TypeVar("Result")
Event = TypeVar("Event", bound=JobEvent)

Failed = Callable[[AnyJob, WardlightError], object]
Stopped = Callable[[AnyJob], object]


def nothing(*_: object) -> None:
    """Handler that does nothing."""


@dataclass(frozen=True, slots=True)
class _Answer:
    done: Callable[[Any, Any], object] = nothing
    failed: Failed | None = None
    stopped: Stopped | None = None


class JobAnswers:
    """Handlers for the end of jobs by kind, no matter who started the job and on which thread."""

    def __init__(self) -> None:
        self._answers: dict[JobKind[Any, Any], _Answer] = {}
        self._followers: list[tuple[type[JobEvent], Callable[[Any], object]]] = []
        self._failed: Failed = nothing
        self._stopped: Stopped = nothing

    def on(
        self,
        kind: JobKind[Subject, Result],
        *,
        done: Callable[[Job[Subject, Result], Result], object] = nothing,
        failed: Callable[[Job[Subject, Result], WardlightError], object] | None = None,
        stopped: Callable[[Job[Subject, Result]], object] | None = None,
    ) -> None:
        """Sets the handlers for all jobs of a kind, replacing earlier ones."""
        self._answers[kind] = _Answer(done, failed, stopped)

    def otherwise(self, *, failed: Failed, stopped: Stopped) -> None:
        """Sets the default handlers for failed and stopped jobs, for kinds without their own."""
        self._failed, self._stopped = failed, stopped

    def follow(self, kind: type[Event], hear: Callable[[Event], object]) -> None:
        """Calls `hear` with each event of a type, before the handlers of the job's kind."""
        self._followers.append((kind, hear))

    def take(self, event: JobEvent) -> None:
        """Dispatches an event of a job. Must be called on the window's thread, in order."""
        for kind, hear in self._followers:
            if isinstance(event, kind):
                hear(event)
        answer = self._answers.get(event.job.kind, _Answer())
        match event:
            case JobFinished():
                answer.done(event.job, event.result)
            case JobFailed():
                (answer.failed or self._failed)(event.job, event.error)
            case JobStopped():
                (answer.stopped or self._stopped)(event.job)
