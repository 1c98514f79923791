"""The file of decisions about what has no row, beside the store. It holds no sentence of a dictation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from extraction.discovery.decisions import Decided, ProposedRow
from extraction.flowsheet.schema import ValueType
from models.base.atomic_files import replace_file
from models.base.errors import InputError, ResourceError

FILE = "discovery.json"
_FORMAT = "wardlight-discovery/1"


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions in order; `version` grows with every change, also with one that takes the last one back."""

    version: int = 0
    decided: tuple[Decided, ...] = ()

    def with_one(self, one: Decided) -> Decisions:
        """With a decision, which replaces an earlier one about the same thing."""
        others = tuple(other for other in self.decided if other.about != one.about)
        return Decisions(self.version + 1, (*others, one))

    def without_last(self) -> Decisions:
        """Without the last decision. Raises InputError if there is none."""
        if not self.decided:
            raise InputError("There is no decision to undo.", "Make a row, an alias, or ignore something first.")
        return Decisions(self.version + 1, self.decided[:-1])


def read_decisions(folder: Path) -> Decisions:
    """The decisions in a data folder; none if there is no file. Raises InputError if it cannot be read."""
    path = folder / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != _FORMAT:
            raise ValueError(data["format"])
        return Decisions(int(data["version"]), tuple(map(_decided, data["decisions"])))
    except FileNotFoundError:
        return Decisions()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} cannot be read as decisions about what has no row.", "Restore it from a backup, or move it away."
        ) from error


def save_decisions(folder: Path, decisions: Decisions) -> None:
    """Writes the file whole. Raises ResourceError."""
    document = {
        "format": _FORMAT,
        "version": decisions.version,
        "decisions": [asdict(one) for one in decisions.decided],
    }
    try:
        replace_file(folder / FILE, (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        raise ResourceError(
            f"{folder / FILE} cannot be written: {error.strerror}.", "Check the free space and the permissions."
        ) from error


def _decided(data: dict[str, Any]) -> Decided:
    row = data["row"]
    return Decided(
        str(data["about"]),
        ProposedRow(row["id"], row["name"], ValueType(row["type"]), row["unit"], _texts(row["options"]))
        if row
        else None,
        str(data["alias_of"]),
        str(data["by"]),
        str(data["at"]),
    )


def _texts(given: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(str, given))
