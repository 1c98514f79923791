"""What comes of a job reaches whoever answers for its kind; all others have one answer to what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Queue
from typing import Any

import pytest

from app.services.engine.job_lanes import Job, JobEvent, JobFinished, JobKind, JobQueued, Lane
from models.base.errors import InputError
from tests.kit.patience import PATIENCE_SECONDS
from ui.kit.job_answers import JobAnswers

LENGTH = JobKind[str, int]("length")
OTHER = JobKind[None, None]("other")


class Desk:
    """Takes the events of a lane in turn, on its own thread, as the window does."""

    def __init__(self) -> None:
        self._events = Queue[JobEvent]()
        self.lane = Lane("answered", self._events.put)
        self.answers, self.told = JobAnswers(), list[tuple[Any, ...]]()
        self.answers.otherwise(
            failed=lambda job, error: self.told.append(("failed", job.kind, error.what)),
            stopped=lambda job: self.told.append(("stopped", job.kind)),
        )

    def take_all(self, job: Job[Any, Any]) -> None:
        assert job.wait(PATIENCE_SECONDS)
        while not self._events.empty():
            self.answers.take(self._events.get())


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.lane.close()


def refuse(_: object) -> int:
    raise InputError("It is too long.")


def test_what_is_done_is_answered_by_its_kind(desk: Desk) -> None:
    desk.answers.on(LENGTH, done=lambda job, length: desk.told.append((job.subject, length)))
    desk.take_all(desk.lane.submit(LENGTH, "four", lambda job: len(job.subject)))
    desk.take_all(desk.lane.submit(OTHER, None, lambda _: None))
    assert desk.told == [("four", 4)]


def test_a_failure_has_its_own_answer_or_the_one_for_all(desk: Desk) -> None:
    desk.take_all(desk.lane.submit(LENGTH, "four", refuse))
    desk.answers.on(LENGTH, failed=lambda job, error: desk.told.append((job.subject, error.what)))
    desk.take_all(desk.lane.submit(LENGTH, "four", refuse))
    assert desk.told == [("failed", LENGTH, "It is too long."), ("four", "It is too long.")]


def test_a_stop_has_its_own_answer_or_the_one_for_all(desk: Desk) -> None:
    def stop() -> None:
        first = desk.lane.submit(OTHER, None, lambda job: waits(job))
        second = desk.lane.submit(LENGTH, "four", lambda job: len(job.subject))
        second.cancel()
        first.cancel()
        desk.take_all(first)

    def waits(job: Job[None, None]) -> None:
        while not job.is_cancelled():
            pass

    stop()
    assert ("stopped", LENGTH) in desk.told
    desk.answers.on(LENGTH, stopped=lambda job: desk.told.append(("left", job.subject)))
    stop()
    assert ("left", "four") in desk.told


def test_who_follows_hears_each_event_of_a_type_before_the_answer(desk: Desk) -> None:
    desk.answers.on(LENGTH, done=lambda _, length: desk.told.append(("answer", length)))
    desk.answers.follow(JobQueued, lambda event: desk.told.append(("waits", event.job.subject)))
    desk.answers.follow(JobFinished, lambda event: desk.told.append(("ended", event.job.subject)))
    desk.take_all(desk.lane.submit(LENGTH, "four", lambda job: len(job.subject)))
    assert desk.told == [("waits", "four"), ("ended", "four"), ("answer", 4)]
