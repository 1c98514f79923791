"""Retries work after the inference process dies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from models.errors import WorkerDied

Result = TypeVar("Result")


def retry_once(work: Callable[[], Result], died: Callable[[WorkerDied], object] | None = None) -> Result:
    """Does the work and, if the inference process dies, does it once more in a new process.

    `died` is called with the first WorkerDied, and may raise to prevent the retry. Raises the second WorkerDied, and
    whatever else `work` raises.
    """
    try:
        return work()
    except WorkerDied as error:
        if died:
            died(error)
        return work()
