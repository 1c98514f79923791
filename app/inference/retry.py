"""What is worth a second attempt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from models.errors import WorkerDied

Result = TypeVar("Result")


def retry_once(work: Callable[[], Result], died: Callable[[WorkerDied], object] | None = None) -> Result:
    """Does the work; when the inference process dies in it, once more in a new one.

    `died` hears of the first death, and may raise instead. Raises WorkerDied for the second one, and as `work` does.
    """
    try:
        return work()
    except WorkerDied as error:
        if died:
            died(error)
        return work()
