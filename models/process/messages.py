"""The typed messages between the program and its inference process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from models.errors import WardlightError
from models.progress import Progress


@dataclass(frozen=True, slots=True)
class Run:
    """Run `function(runtimes, progress=..., cancelled=..., **arguments)`; it is module-level and travels by name."""

    job: int
    function: Callable[..., Any]
    arguments: dict[str, Any]
    talks: bool = False  # whether it is also given `talk`, see `Talk`


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop the job at its next look at `cancelled`."""

    job: int


@dataclass(frozen=True, slots=True)
class Given:
    """Something more for a job that runs."""

    job: int
    item: Any


@dataclass(frozen=True, slots=True)
class Told:
    """What a job has to say before it is done, beside its progress."""

    job: int
    item: Any


@dataclass(frozen=True, slots=True)
class Shutdown:
    """End the process once it is idle."""


@dataclass(frozen=True, slots=True)
class Reported:
    """The job's progress."""

    job: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class Done:
    """The job's result."""

    job: int
    result: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """The job's error; a defect arrives as `Bug` with its traceback."""

    job: int
    error: WardlightError


@dataclass(frozen=True, slots=True)
class Talk:
    """What goes to a task and comes from it while it runs; both ends hold one.

    Attributes:
        given: what the task is to be given, in order; may be filled by any thread.
        told: called with each thing that the task says.
    """

    given: SimpleQueue[Any]
    told: Callable[[Any], None]
