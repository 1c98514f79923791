"""The hierarchy of errors.

Every error that a person may see is a `WardlightError`: it says what happened, to what, and what to do next. Any other
exception that escapes is a bug in Wardlight and is shown as one, never as the user's mistake. Errors that one room
alone raises are in an `errors.py` of its own: `models`, `speech`, `extraction.flowsheet`, `app.record`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any, Self, cast


class WardlightError(Exception):
    """An expected failure, worded for the person who sees it.

    Args:
        what: what happened and to what, one sentence.
        next_step: what to do about it, one sentence.
        retryable: whether the same action, repeated unchanged, may succeed.
    """

    code = "error"

    def __init__(self, what: str, next_step: str = "", *, retryable: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step
        self.retryable = retryable

    def __str__(self) -> str:
        return f"{self.what} {self.next_step}".strip()

    def __reduce__(self) -> tuple[Callable[..., WardlightError], tuple[type[WardlightError], dict[str, Any]]]:
        return _rebuild, (type(self), vars(self))  # pickles completely, to cross the process boundary

    def reworded(self, what: str, next_step: str) -> Self:
        """The same error in other words."""
        return cast(Self, _rebuild(type(self), {**vars(self), "what": what, "next_step": next_step}))


def _rebuild(kind: type[WardlightError], attributes: dict[str, Any]) -> WardlightError:
    error = kind.__new__(kind, attributes["what"])
    vars(error).update(attributes)
    return error


class InputError(WardlightError):
    """The user's input (a file, a text, an argument) cannot be used."""

    code = "input"


class ResourceError(WardlightError):
    """The machine lacks disk space, memory, a permission or a device."""

    code = "resource"


class Cancelled(WardlightError):
    """The user stopped the job."""

    code = "cancelled"

    def __init__(self, what: str = "Stopped.", next_step: str = "", *, retryable: bool = True) -> None:
        super().__init__(what, next_step, retryable=retryable)


class Bug(WardlightError):
    """A defect in Wardlight itself.

    Attributes:
        details: where it happened, for a developer. It holds no messages of exceptions: these can quote a dictation.
    """

    code = "bug"

    def __init__(self, what: str, next_step: str = "", *, retryable: bool = False, details: str = "") -> None:
        super().__init__(what, next_step, retryable=retryable)
        self.details = details


def as_bug(error: BaseException) -> WardlightError:
    """The error itself if it is written for a person, otherwise the `Bug` that it is."""
    if isinstance(error, WardlightError):
        return error
    return Bug(
        f"Wardlight had an internal error ({type(error).__name__}).",
        "Nothing you entered is lost. Send the report to whoever supports Wardlight.",
        details="\n".join(_stack(traceback.TracebackException.from_exception(error))),
    )


def _stack(error: traceback.TracebackException) -> Iterator[str]:
    """The lines of code that led to an error, what it came from first, without the messages."""
    came_from = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if came_from:
        yield from _stack(came_from)
        yield ""
    yield "Traceback (most recent call last):"
    yield from (line.rstrip("\n") for line in error.stack.format())
    yield error.exc_type.__qualname__ if error.exc_type else ""
