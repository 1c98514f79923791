"""The table of LOINC codes that are proposed; resources/codes/loinc.toml, with LOINC's notice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from extraction.flowsheet.schema import Laterality


class CodedKind(StrEnum):
    """What a row with the code holds."""

    NUMBER = "number"
    PRESSURE = "pressure"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class LoincCode:
    """A code of the table.

    Attributes:
        name: as LOINC calls it, short.
        of: ids of measurements and bedside concepts that it codes.
        names: further names of rows.
        units: UCUM; empty for a choice.
        side: None for both sides, or none.
        within: words of an instrument, of which a name or group of the row has one; empty if it is none's.
    """

    code: str
    name: str
    kind: CodedKind
    of: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    side: Laterality | None = None
    within: frozenset[str] = frozenset()


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files("resources") / "codes" / "loinc.toml").read_text(encoding="utf-8"))


@cache
def words_otherwise() -> frozenset[str]:
    """Words of a row's name that make it another thing than a code whose names lack them."""
    return frozenset(_table()["otherwise"])


@cache
def loinc_codes() -> Mapping[str, LoincCode]:
    """The codes that are proposed, by code."""
    return {
        code: LoincCode(
            code,
            entry["name"],
            CodedKind(entry.get("kind", CodedKind.NUMBER)),
            tuple(entry.get("of", ())),
            tuple(entry.get("names", ())),
            tuple(entry.get("units", ())),
            Laterality(entry["side"]) if "side" in entry else None,
            frozenset(entry.get("within", ())),
        )
        for code, entry in _table()["codes"].items()
    }
