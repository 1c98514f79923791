"""What a stage took: loading apart from work, tokens of the work alone."""

from __future__ import annotations

from typing import cast

from app.inference.tasks import UsageMeter
from models.runtimes.loaded import Runtimes


class CountingRuntimes:
    """Runtimes that only count tokens."""

    def __init__(self, prompt: int, completion: int) -> None:
        self.used = (prompt, completion)

    def tokens(self) -> tuple[int, int]:
        return self.used

    def devices(self) -> dict[str, str]:
        return {}

    def work(self, prompt: int, completion: int) -> None:
        self.used = (self.used[0] + prompt, self.used[1] + completion)


def test_tokens_of_earlier_work_and_of_loading_are_not_counted() -> None:
    runtimes = CountingRuntimes(1_000, 100)
    meter = UsageMeter(cast(Runtimes, runtimes))
    runtimes.work(20, 2)
    with meter.loading():
        runtimes.work(300, 30)
    runtimes.work(5, 1)
    with meter.loading():
        pass
    outcome = meter.outcome("done", {"fill": 2.0})
    assert (outcome.prompt_tokens, outcome.completion_tokens, outcome.seconds) == (25, 3, {"fill": 2.0})


def test_work_that_loads_nothing_counts_its_own_tokens_only() -> None:
    runtimes = CountingRuntimes(1_000, 100)
    meter = UsageMeter(cast(Runtimes, runtimes))
    runtimes.work(7, 3)
    outcome = meter.outcome("done", {"fill": 2.0})
    assert (outcome.prompt_tokens, outcome.completion_tokens, outcome.load_seconds) == (7, 3, 0.0)
