"""Typed messages between the program and its inference process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from models.base.errors import WardlightError
from models.base.progress import Progress


@dataclass(frozen=True, slots=True)
class Run:
    """Run `function(runtimes, watch=..., **arguments)`.

    The function must be module-level, because it is pickled by name.
    """

    job: int
    function: Callable[..., Any]
    arguments: dict[str, Any]
    talks: bool = False  # whether it also gets `channel`, see `Channel`


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop the job at its next check of `cancelled`."""

    job: int


@dataclass(frozen=True, slots=True)
class Input:
    """Further input for a running job."""

    job: int
    item: Any


@dataclass(frozen=True, slots=True)
class Output:
    """Output of a running job, other than its progress."""

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
    """The job's error; a defect arrives as a `Bug`."""

    job: int
    error: WardlightError


@dataclass(frozen=True, slots=True)
class Channel:
    """Two-way communication with a running task; each side holds one.

    Attributes:
        inputs: input for the task, in order; any thread may add to it.
        emit: called with each output of the task.
    """

    inputs: SimpleQueue[Any]
    emit: Callable[[Any], None]
