"""What comes of a job reaches whoever watches it; what nobody watches has one answer to what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from queue import Queue
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from app.services.engine.job_lanes import Job, JobEvent, JobFinished, JobKind, JobQueued, Lane
from models.base.errors import InputError, WardlightError
from tests.kit.patience import PATIENCE_SECONDS
from ui.kit.jobs import Jobs

LENGTH = JobKind[str, int]("length")
OTHER = JobKind[None, None]("other")


class Desk:
    """Takes the events of a lane in turn, on its own thread, as the window does."""

    def __init__(self) -> None:
        self._events = Queue[JobEvent]()
        self.lane = Lane("watched", self._events.put)
        self.jobs, self.told = Jobs(), list[Any]()
        self.jobs.otherwise(
            failed=lambda error: self.told.append(("failed", error.what)), stopped=lambda: self.told.append("stopped")
        )

    def measure(self, word: str) -> Job[str, int]:
        return self.lane.submit(LENGTH, word, lambda job: len(job.subject))

    def take_all(self, job: Job[Any, Any]) -> None:
        assert job.wait(PATIENCE_SECONDS)
        while not self._events.empty():
            self.jobs.take(self._events.get())


class Shown(QObject):
    """Something of the window, which may be gone before the job has ended."""

    def __init__(self, told: list[Any]) -> None:
        super().__init__()
        self._told = told

    def show(self, length: int) -> None:
        self._told.append(length)

    def show_of(self, word: str, length: int) -> None:
        self._told.append((word, length))

    def refuse(self, error: WardlightError) -> None:
        self._told.append(("refused", error.what))

    def delete(self) -> None:
        self.deleteLater()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.DeferredDelete)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.lane.close()


def refuse(_: object) -> int:
    raise InputError("It is too long.")


def test_the_result_goes_to_whoever_started_the_job(desk: Desk) -> None:
    for word in ("four", "seven"):
        desk.take_all(
            desk.jobs.watch(desk.measure(word), done=lambda length, word=word: desk.told.append((word, length)))
        )
    desk.take_all(desk.measure("nobody"))
    assert desk.told == [("four", 4), ("seven", 5)]


def test_a_failure_has_its_own_answer_or_the_one_for_all(desk: Desk) -> None:
    desk.take_all(desk.jobs.watch(desk.lane.submit(LENGTH, "four", refuse), done=desk.told.append))
    desk.take_all(desk.lane.submit(LENGTH, "four", refuse))
    job = desk.lane.submit(LENGTH, "four", refuse)
    desk.take_all(desk.jobs.watch(job, failed=lambda error: desk.told.append(error.what)))
    assert desk.told == [("failed", "It is too long."), ("failed", "It is too long."), "It is too long."]


@pytest.mark.parametrize("own", [True, False])
def test_a_stop_has_its_own_answer_or_the_one_for_all(desk: Desk, own: bool) -> None:
    def waits(job: Job[None, None]) -> None:
        while not job.is_cancelled():
            pass

    first = desk.jobs.watch(desk.lane.submit(OTHER, None, waits), stopped=lambda: None)
    second = desk.measure("four")
    desk.jobs.watch(second, done=desk.told.append, stopped=(lambda: desk.told.append("left")) if own else None)
    second.cancel()
    first.cancel()
    desk.take_all(first)
    assert desk.told == ["left" if own else "stopped"]


def test_a_job_that_nobody_started_here_is_adopted_once_it_is_queued(desk: Desk) -> None:
    desk.jobs.adopt(
        LENGTH, lambda job: desk.jobs.watch(job, done=lambda length: desk.told.append((job.subject, length)))
    )
    desk.take_all(desk.measure("seven"))
    desk.take_all(desk.jobs.watch(desk.measure("four"), done=desk.told.append))
    assert desk.told == [("seven", 5), 4], "one that is watched already is not adopted"


def test_each_event_of_a_type_is_heard_before_the_result(desk: Desk) -> None:
    desk.jobs.on(JobQueued, lambda event: desk.told.append(("waits", event.job.subject)))
    desk.jobs.on(JobFinished, lambda event: desk.told.append(("ended", event.job.subject)))
    desk.take_all(desk.jobs.watch(desk.measure("four"), done=desk.told.append))
    assert desk.told == [("waits", "four"), ("ended", "four"), 4]


@pytest.mark.parametrize("gone", [False, True])
def test_what_was_deleted_gets_nothing_and_its_error_is_told_all_the_same(desk: Desk, qapp: object, gone: bool) -> None:
    shown, jobs = Shown(desk.told), [desk.measure("four") for _ in range(2)]
    desk.jobs.watch(jobs[0], done=shown.show)
    desk.jobs.watch(jobs[1], done=partial(shown.show_of, "four"))
    failing = desk.jobs.watch(desk.lane.submit(LENGTH, "four", refuse), failed=shown.refuse)
    if gone:
        shown.delete()
    desk.take_all(failing)
    error = "It is too long."
    assert desk.told == ([("failed", error)] if gone else [4, ("four", 4), ("refused", error)])


def test_after_the_window_was_closed_nothing_is_told(desk: Desk) -> None:
    desk.jobs.on(JobFinished, desk.told.append)
    job = desk.jobs.watch(desk.measure("four"), done=desk.told.append)
    desk.jobs.close()
    desk.take_all(job)
    desk.take_all(desk.lane.submit(LENGTH, "four", refuse))
    assert desk.told == []
