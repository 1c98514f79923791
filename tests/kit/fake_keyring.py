"""The library `keyring` with a store in memory, so that no test reads or writes the user's."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any


class Keyring(ModuleType):
    """The library `keyring` with a store in memory."""

    def __init__(self, priority: float = 5) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False
        self._backend = SimpleNamespace(priority=priority)

    def get_keyring(self) -> Any:
        return self._backend

    def get_password(self, service: str, account: str) -> str | None:
        if self.locked:
            raise RuntimeError("locked")
        return self.kept.get((service, account))

    def set_password(self, service: str, account: str, text: str) -> None:
        if self.locked:
            raise RuntimeError("locked")
        self.kept[service, account] = text
