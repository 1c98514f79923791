"""Brings what came of a job to whoever answers for its kind, as the type that the kind promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from app.system.job_lanes import AnyJob, Job, JobEvent, JobFailed, JobFinished, JobKind, JobStopped
from models.errors import WardlightError

Subject = TypeVar("Subject")
Result = TypeVar("Result")
Event = TypeVar("Event", bound=JobEvent)

Failed = Callable[[AnyJob, WardlightError], object]
Stopped = Callable[[AnyJob], object]


def nothing(*_: object) -> None:
    """The answer to what needs none."""


@dataclass(frozen=True, slots=True)
class _Answer:
    done: Callable[[Any, Any], object] = nothing
    failed: Failed | None = None
    stopped: Stopped | None = None


class JobAnswers:
    """By kind of job what to do with its end, whoever asked for the job and on whichever thread."""

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
        """Answers all jobs of a kind from now on, in place of whoever did so before."""
        self._answers[kind] = _Answer(done, failed, stopped)

    def otherwise(self, *, failed: Failed, stopped: Stopped) -> None:
        """Answers the failure or stop of any job for which nobody does in particular."""
        self._failed, self._stopped = failed, stopped

    def follow(self, kind: type[Event], hear: Callable[[Event], object]) -> None:
        """Tells of each event of a type, before the job is answered."""
        self._followers.append((kind, hear))

    def take(self, event: JobEvent) -> None:
        """Something happened to a job; to be called on the window's thread, in order."""
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
