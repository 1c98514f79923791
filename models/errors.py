"""The one hierarchy of errors.

Every error that a person may meet is a `WardlightError`: it says what happened, to what, and what to do next.
Anything else that escapes is a bug in Wardlight and is shown as one, never as the user's mistake.
"""

from __future__ import annotations

from collections.abc import Callable


class WardlightError(Exception):
    """An expected failure, in words for the person who meets it.

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

    def __reduce__(
        self,
    ) -> tuple[
        Callable[..., WardlightError], tuple[type[WardlightError], str, str, bool]
    ]:  # errors cross the process boundary whole
        return _rebuild, (type(self), self.what, self.next_step, self.retryable)


def _rebuild(kind: type[WardlightError], what: str, next_step: str, retryable: bool) -> WardlightError:
    return kind(what, next_step, retryable=retryable)


class InputError(WardlightError):
    """What the user gave (a file, a text, an argument) cannot be used as it is."""

    code = "input"


class Conflict(InputError):
    """A value cannot stand in the chart beside another one that stands there already."""

    code = "conflict"


class OutOfRange(InputError):
    """A value lies outside its plausible or critical range, and nobody has confirmed it a second time."""

    code = "range"


class UnsureIdentity(InputError):
    """A dictation names somebody else than its patient, and nobody has said yet whose it is."""

    code = "identity"


class NotSigned(InputError):
    """Something was to be decided, and nobody signs it."""

    code = "not_signed"


class AudioError(InputError):
    """A recording cannot be decoded, or holds nothing that can be transcribed."""

    code = "audio"


class SchemaError(InputError):
    """A flowsheet schema is not valid; the message names row and field."""

    code = "schema"


class ModelFileError(WardlightError):
    """A model is not installed, incomplete, or differs from its manifest."""

    code = "model"


class ResourceError(WardlightError):
    """The machine lacks something: disk space, memory, permission, a device."""

    code = "resource"


class StorageError(WardlightError):
    """The database cannot be opened, is in use, or is newer than this program."""

    code = "storage"


class WorkerDied(WardlightError):
    """The inference process ended in the middle of a job. The job can be run again."""

    code = "worker"


class Cancelled(WardlightError):
    """The user stopped the job."""

    code = "cancelled"

    def __init__(self, what: str = "Stopped.", next_step: str = "", *, retryable: bool = True) -> None:
        super().__init__(what, next_step, retryable=retryable)


class Bug(WardlightError):
    """A defect in Wardlight itself, carrying the traceback of where it happened."""

    code = "bug"
