"""What a resource breaks, found before it is handed on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule, by a name that documents and messages use, and what is wrong in words."""

    rule: str
    what: str
