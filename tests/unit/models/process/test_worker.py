"""The inference process: results, errors, cancellation, death and restart."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from models.base.errors import Bug, Cancelled, InputError
from models.base.progress import Progress, ProgressMonitor
from models.errors import WorkerDied
from models.process.messages import Channel
from models.process.worker import WorkerProcess
from models.runtimes.loaded import Loaded, RuntimeConfig
from tests.kit import fake_models
from tests.kit.patience import PATIENCE_SECONDS

CONFIG = RuntimeConfig(None, None, None, "speech", "filler", "embedder", threads=1)


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    process = WorkerProcess(CONFIG)
    yield process
    process.close()


def test_result_and_progress_come_back(worker: WorkerProcess) -> None:
    seen: list[Progress] = []
    assert worker.run(fake_models.add, monitor=ProgressMonitor(seen.append), a=2, b=3) == 5
    assert seen == [Progress("fill", 0.5, "adding")]


def test_one_process_serves_many_jobs(worker: WorkerProcess) -> None:
    worker.run(fake_models.add, a=1, b=1)
    first = worker.pid
    worker.run(fake_models.add, a=1, b=1)
    assert worker.pid == first is not None


def test_a_user_error_keeps_its_message(worker: WorkerProcess) -> None:
    with pytest.raises(InputError) as caught:
        worker.run(fake_models.refuse)
    assert (caught.value.what, caught.value.next_step) == ("The file is not a recording.", "Choose another.")


def test_the_parent_knows_where_the_models_of_a_dead_process_were(worker: WorkerProcess) -> None:
    with pytest.raises(WorkerDied, match="SIGABRT"):
        worker.run(fake_models.die_on_gpu)
    assert worker.loaded == {"filler": Loaded("filler", "gpu", "")}
    assert worker.run(fake_models.add, a=1, b=1) == 2
    assert worker.loaded == {}


def test_a_graphics_card_that_fails_ends_the_process(worker: WorkerProcess, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing that CUDA holds can be used after an error."""
    worker.start()
    pid = worker.pid
    with pytest.raises(WorkerDied, match="exit code 71"):
        worker.run(fake_models.fail_on_gpu)
    assert "illegal memory access" in capfd.readouterr().err
    assert worker.run(fake_models.add, a=1, b=1) == 2
    assert worker.pid != pid


def test_a_defect_arrives_as_a_bug_that_says_where(worker: WorkerProcess) -> None:
    with pytest.raises(Bug) as caught:
        worker.run(fake_models.stumble)
    assert "ZeroDivisionError" in caught.value.what
    assert "stumble" in caught.value.details
    assert "Traceback" not in str(caught.value)


def test_a_cooperative_cancel_keeps_the_process(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.process.worker._CANCEL_GRACE_SECONDS", PATIENCE_SECONDS)
    worker.run(fake_models.add, a=1, b=1)
    pid = worker.pid
    end = time.monotonic() + 0.3
    with pytest.raises(Cancelled):
        worker.run(
            fake_models.wait,
            seconds=PATIENCE_SECONDS,
            monitor=ProgressMonitor(cancelled=lambda: time.monotonic() > end),
        )
    assert worker.pid == pid
    assert worker.run(fake_models.add, a=1, b=1) == 2


def test_a_task_that_ignores_cancel_is_killed(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.process.worker._CANCEL_GRACE_SECONDS", 0.3)
    worker.start()
    pid = worker.pid
    with pytest.raises(Cancelled):
        worker.run(fake_models.hang, monitor=ProgressMonitor(cancelled=lambda: True))
    assert worker.pid != pid
    assert worker.run(fake_models.add, a=1, b=1) == 2


def test_a_killed_worker_raises_and_the_next_call_works(worker: WorkerProcess) -> None:
    worker.start()
    pid = worker.pid
    assert pid is not None
    threading.Timer(0.5, os.kill, (pid, signal.SIGKILL)).start()
    with pytest.raises(WorkerDied) as caught:
        worker.run(fake_models.wait, seconds=30.0)
    assert caught.value.retryable
    assert "SIGKILL" in caught.value.what
    assert worker.run(fake_models.add, a=2, b=2) == 4
    assert worker.pid != pid


def test_close_ends_a_running_job_from_another_thread(worker: WorkerProcess) -> None:
    worker.start()
    closer = threading.Timer(0.5, worker.close)
    closer.start()
    with pytest.raises(WorkerDied):
        worker.run(fake_models.hang)
    closer.join()
    assert worker.pid is None


def test_a_function_that_the_child_cannot_import_does_not_hang(worker: WorkerProcess) -> None:
    def local() -> None: ...

    local.__qualname__ = "no_such_function"
    local.__module__ = "tests.kit.fake_models"
    from tests.kit import fake_models as module

    module.no_such_function = local  # type: ignore[attr-defined]
    try:
        with pytest.raises(WorkerDied):
            worker.run(local)
    finally:
        del module.no_such_function  # type: ignore[attr-defined]
    assert worker.run(fake_models.add, a=1, b=1) == 2


def test_close_leaves_no_process() -> None:
    worker = WorkerProcess(CONFIG)
    worker.start()
    pid = worker.pid
    assert pid is not None
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_process_ends_with_its_parent(tmp_path) -> None:
    """A killed parent leaves no orphan behind."""
    import subprocess
    import sys

    script = (
        "import time\n"
        "from models.process.worker import WorkerProcess\n"
        "from models.runtimes.loaded import RuntimeConfig\n"
        "from tests.kit import fake_models as fakes\n"
        "worker = WorkerProcess(RuntimeConfig(None, None, None, 's', 'f', 'e', threads=1))\n"
        "worker.run(fakes.add, a=1, b=1)\n"
        "print(worker.pid, flush=True)\n"
        "worker.run(fakes.wait, seconds=60.0)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the inference process outlived its parent")


def test_child_loads_no_window_and_no_test_runner(worker: WorkerProcess) -> None:
    loaded = worker.run(fake_models.loaded_modules)
    assert not [name for name in loaded if name.split(".")[0] in ("PySide6", "pytest", "_pytest")]


def test_a_running_task_receives_input_and_sends_output(worker: WorkerProcess) -> None:
    given: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    told: list[str] = []

    def take(item: str) -> None:
        told.append(item)
        given.put("b" if len(told) == 1 else None)

    given.put("a")
    assert worker.run(fake_models.converse, channel=Channel(given, take)) == 2
    assert told == ["aa", "bb"]
    assert worker.run(fake_models.add, a=2, b=3) == 5


def test_late_input_does_not_reach_the_next_task(worker: WorkerProcess) -> None:
    first: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    first.put(None)
    first.put("left over")
    assert worker.run(fake_models.converse, channel=Channel(first, lambda _: None)) == 0
    second: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    second.put(None)
    told: list[str] = []
    assert worker.run(fake_models.converse, channel=Channel(second, told.append)) == 0
    assert told == []


def test_a_dying_process_ends_the_talk(worker: WorkerProcess) -> None:
    given: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    given.put("die")
    with pytest.raises(WorkerDied):
        worker.run(fake_models.converse, channel=Channel(given, lambda _: None))
    assert worker.run(fake_models.add, a=2, b=3) == 5
