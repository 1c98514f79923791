"""A dead inference process costs a second attempt, and not a third."""

from __future__ import annotations

import pytest

from app.inference.retry import retry_once
from models.base.errors import Cancelled, InputError
from models.errors import WorkerDied

DIED = WorkerDied("The inference process ended.", "Try again.", retryable=True)


class Work:
    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.done = 0

    def __call__(self) -> int:
        self.done += 1
        if self.failures:
            raise self.failures.pop(0)
        return self.done


def test_work_runs_once_if_no_process_dies() -> None:
    assert retry_once(Work()) == 1


def test_a_second_time_where_the_process_died() -> None:
    heard: list[WorkerDied] = []
    assert retry_once(Work(DIED), heard.append) == 2
    assert heard == [DIED]


def test_not_a_third_time() -> None:
    work = Work(DIED, DIED)
    with pytest.raises(WorkerDied):
        retry_once(work)
    assert work.done == 2


def test_anything_else_is_not_tried_again() -> None:
    work = Work(InputError("No.", "Stop."))
    with pytest.raises(InputError):
        retry_once(work)
    assert work.done == 1


def test_the_restart_callback_may_cancel() -> None:
    def stop(_: WorkerDied) -> None:
        raise Cancelled

    work = Work(DIED)
    with pytest.raises(Cancelled):
        retry_once(work, stop)
    assert work.done == 1
