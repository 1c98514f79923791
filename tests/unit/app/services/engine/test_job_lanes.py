"""The lane: order, progress, cancellation, failures, and its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import Queue

import pytest

from app.record.errors import StorageError
from app.services.engine.job_lanes import (
    REPORT_SECONDS,
    Job,
    JobEvent,
    JobFailed,
    JobFinished,
    JobKind,
    JobProgress,
    JobQueued,
    JobStarted,
    JobStopped,
    Lane,
)
from models.base.errors import Bug
from models.base.progress import Progress, stop_if
from models.errors import WorkerDied
from speech.errors import AudioError
from tests.kit.patience import PATIENCE_SECONDS

WORK = JobKind[None, object]("work")
ADD = JobKind[str, int]("add")
GRACE = 0.2


class Listener:
    def __init__(self) -> None:
        self.events: list[JobEvent] = []
        self.threads: set[str] = set()

    def __call__(self, event: JobEvent) -> None:
        self.events.append(event)
        self.threads.add(threading.current_thread().name)

    def of(self, job: Job) -> list[type[JobEvent]]:
        return [type(event) for event in self.events if event.job is job]


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def lane(listener: Listener) -> Iterator[Lane]:
    lane = Lane("test", listener)
    yield lane
    lane.close()


def wait_cancelled(job: Job) -> None:
    while not job.is_cancelled():
        time.sleep(0.002)
    stop_if(job.is_cancelled)


def test_jobs_run_one_after_the_other_in_order(lane: Lane, listener: Listener) -> None:
    done: list[int] = []
    jobs = [lane.submit(WORK, None, lambda _, number=number: done.append(number)) for number in range(20)]
    assert jobs[-1].wait(PATIENCE_SECONDS)
    assert done == list(range(20))
    assert listener.of(jobs[0]) == [JobQueued, JobStarted, JobFinished]
    assert lane.jobs == ()


def test_a_job_that_somebody_waits_for_goes_before_the_waiting_ones(lane: Lane) -> None:
    done: list[str] = []
    begun, go = threading.Event(), threading.Event()
    lane.submit(WORK, None, lambda _: (begun.set(), go.wait(PATIENCE_SECONDS), done.append("running")))
    assert begun.wait(PATIENCE_SECONDS)
    last = lane.submit(WORK, None, lambda _: done.append("waiting"))
    lane.submit(WORK, None, lambda _: done.append("spoken"), first=True)
    go.set()
    assert last.wait(PATIENCE_SECONDS)
    assert done == ["running", "spoken", "waiting"]


def test_result_and_subject_reach_the_listener(lane: Lane, listener: Listener) -> None:
    job = lane.submit(ADD, "sum", lambda _: 2 + 3)
    assert job.wait(PATIENCE_SECONDS)
    finished = listener.events[-1]
    assert isinstance(finished, JobFinished)
    assert (finished.result, finished.job.subject, finished.job.kind) == (5, "sum", ADD)


def test_an_expected_error_is_passed_on_as_it_is(lane: Lane, listener: Listener) -> None:
    def work(job: Job) -> None:
        raise AudioError("No sound.", "Record again.")

    assert lane.submit(WORK, None, work).wait(PATIENCE_SECONDS)
    failed = listener.events[-1]
    assert isinstance(failed, JobFailed)
    assert isinstance(failed.error, AudioError)


def test_anything_else_is_a_bug_that_says_where(lane: Lane, listener: Listener) -> None:
    def trip_over(job: Job) -> None:
        raise KeyError("missing")

    job = lane.submit(WORK, None, trip_over)
    assert job.wait(PATIENCE_SECONDS)
    failed = listener.events[-1]
    assert isinstance(failed, JobFailed)
    assert isinstance(failed.error, Bug)
    assert "trip_over" in failed.error.details
    after = lane.submit(WORK, None, lambda _: 1)
    assert after.wait(PATIENCE_SECONDS)
    assert listener.of(after)[-1] is JobFinished


def test_a_listening_job_stops_without_force(listener: Listener) -> None:
    forced: list[str] = []
    lane = Lane("test", listener, interrupt=lambda: forced.append("forced"), grace_seconds=PATIENCE_SECONDS)
    job = lane.submit(WORK, None, wait_cancelled)
    job.cancel()
    assert job.wait(PATIENCE_SECONDS)
    assert listener.of(job)[-1] is JobStopped
    lane.close()
    assert forced == []


def test_who_hears_that_a_job_waits_finds_it_among_the_jobs() -> None:
    found: list[bool] = []

    def listen(event: JobEvent) -> None:
        if isinstance(event, JobQueued):  # on any thread, since listeners of several lanes may ask each other's
            asking = threading.Thread(target=lambda: found.append(event.job in lane.jobs))
            asking.start()
            asking.join(PATIENCE_SECONDS)

    lane = Lane("test", listen)
    assert lane.submit(WORK, None, lambda _: None).wait(PATIENCE_SECONDS)
    lane.close()
    assert found == [True]


def test_a_deaf_job_is_ended_by_force_after_the_grace_period_and_not_on_the_callers_thread(listener: Listener) -> None:
    returned, killed = threading.Event(), threading.Event()
    where: list[str] = []

    def kill() -> None:
        assert returned.wait(PATIENCE_SECONDS), "to cancel is to ask, not to wait for the end"
        where.append(threading.current_thread().name)
        killed.set()

    def deaf(job: Job) -> None:
        assert killed.wait(PATIENCE_SECONDS)
        raise WorkerDied("The process ended.")

    lane = Lane("test", listener, interrupt=kill, grace_seconds=GRACE)
    job = lane.submit(WORK, None, deaf)
    while JobStarted not in listener.of(job):
        time.sleep(0.002)
    start = time.monotonic()
    job.cancel()
    returned.set()
    assert job.wait(PATIENCE_SECONDS)
    assert time.monotonic() - start >= GRACE
    assert listener.of(job)[-1] is JobStopped
    assert where != [threading.current_thread().name]
    lane.close()


def test_the_force_meant_for_one_job_never_hits_the_next(listener: Listener) -> None:
    running = Queue[str]()
    hit: list[str] = []
    now = ["none"]

    def kill() -> None:
        hit.append(now[0])

    def slow_to_stop(job: Job) -> None:
        now[0] = "first"
        running.put("first")
        while not job.is_cancelled():
            time.sleep(0.001)
        time.sleep(0.05)  # ends at about the moment when the grace period does

    def second(job: Job) -> None:
        now[0] = "second"
        time.sleep(0.1)

    for _ in range(5):
        lane = Lane("test", listener, interrupt=kill, grace_seconds=0.05)
        first, next_one = lane.submit(WORK, None, slow_to_stop), lane.submit(WORK, None, second)
        assert running.get(timeout=PATIENCE_SECONDS) == "first"
        first.cancel()
        assert next_one.wait(PATIENCE_SECONDS)
        lane.close()
    assert "second" not in hit


def test_a_waiting_job_is_dropped_at_once(lane: Lane, listener: Listener) -> None:
    go = threading.Event()
    lane.submit(WORK, None, lambda _: go.wait(PATIENCE_SECONDS))
    waiting = lane.submit(WORK, None, lambda _: pytest.fail("it must not run"))
    waiting.cancel()
    assert waiting.ended
    assert listener.of(waiting) == [JobQueued, JobStopped]
    go.set()


def test_another_failure_while_stopping_is_not_hidden(lane: Lane, listener: Listener) -> None:
    def work(job: Job) -> None:
        while not job.is_cancelled():
            time.sleep(0.001)
        raise StorageError("The disk is full.")

    job = lane.submit(WORK, None, work)
    job.cancel()
    assert job.wait(PATIENCE_SECONDS)
    assert listener.of(job)[-1] in (JobFailed, JobStopped)  # stopped where it had not begun
    if JobStarted in listener.of(job):
        assert listener.of(job)[-1] is JobFailed


def test_reports_are_thinned_but_news_always_comes_through(
    lane: Lane, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("app.services.engine.job_lanes.time.monotonic", lambda: now[0])

    def work(job: Job) -> None:
        for number in range(5000):
            now[0] += REPORT_SECONDS / 100
            job.report(Progress("fill", number / 5000))
        job.report(Progress("fill", 1.0))
        for word in ("one", "two", "three"):
            job.report(Progress("transcribe", 0.5, word))

    assert lane.submit(WORK, None, work).wait(PATIENCE_SECONDS)
    reports = [event.progress for event in listener.events if isinstance(event, JobProgress)]
    assert 45 <= len(reports) <= 56
    assert [report.message for report in reports if report.stage == "transcribe"] == ["one", "two", "three"]
    assert any(report.fraction == 1.0 for report in reports)


def test_closing_stops_everything_and_leaves_no_thread(listener: Listener) -> None:
    interrupted = threading.Event()
    lane = Lane("closing", listener, interrupt=interrupted.set, grace_seconds=60)
    running = lane.submit(WORK, None, lambda _: interrupted.wait(PATIENCE_SECONDS))
    waiting = lane.submit(WORK, None, lambda _: None)
    running.cancel()
    lane.close()
    assert running.ended
    assert waiting.ended
    assert not [thread for thread in threading.enumerate() if "closing" in thread.name]
    with pytest.raises(RuntimeError, match="closed"):
        lane.submit(WORK, None, lambda _: None)
