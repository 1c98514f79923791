"""Passwords and tokens for the record system: in the keyring of the computer, never in settings, database or log.

Where there is no keyring, what a person enters is kept until the program ends, and an environment variable can give it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_Said = TypeVar("_Said")

SERVICE = "Wardlight"
_ENCRYPTED = 1  # keyring's own priority of a store that is worth trusting; files in plain text are below
_entered: dict[str, str] = {}  # in this run of the program, where no keyring takes it


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret is kept: the account in the keyring, and the environment variable that can give it instead."""

    account: str
    variable: str

    def read(self) -> str | None:
        """The secret; None if nobody has entered it."""
        entered = _entered.get(self.account) or os.environ.get(self.variable)
        return entered or _ask(lambda keyring: keyring.get_password(SERVICE, self.account)) or None

    def keep(self, text: str) -> bool:
        """Keeps a secret in place of the former one; returns whether it outlives this run of the program."""

        def store(keyring: Any) -> bool:
            keyring.set_password(SERVICE, self.account, text)
            return True

        _entered.pop(self.account, None)
        if _ask(store):
            return True
        _entered[self.account] = text
        return False


def has_keyring() -> bool:
    """Whether this computer keeps secrets beyond the end of the program."""
    return bool(_ask(lambda _: True))


def _ask(what: Callable[[Any], _Said]) -> _Said | None:
    """What the keyring answers; None if there is none that works and encrypts what it keeps."""
    try:
        import keyring
    except ImportError:
        return None
    try:
        return what(keyring) if keyring.get_keyring().priority >= _ENCRYPTED else None
    except Exception:  # noqa: BLE001 - those of the system's own libraries: it is locked, or its service does not run
        return None
