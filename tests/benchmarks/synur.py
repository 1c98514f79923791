"""Annotated cases in SYNUR's form, and the task's way of comparing values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from extraction.values import Value

_TEMPERATURE = {"fahrenheit": "F", "celsius": "C"}


@dataclass(frozen=True, slots=True)
class Case:
    """A transcript with its gold items: (row id, value), multi selects unrolled."""

    id: str
    text: str
    gold: frozenset[tuple[str, str]]


def read_cases(path: Path) -> list[Case]:
    """The cases of a JSONL file of {"id", "transcript", "observations"}."""
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        gold: set[tuple[str, str]] = set()
        for observation in json.loads(data["observations"]):
            values = observation["value"] if isinstance(observation["value"], list) else [observation["value"]]
            gold |= {(str(int(observation["id"])), comparable(value)) for value in values}
        cases.append(Case(str(data["id"]), data["transcript"], frozenset(gold)))
    return cases


def items(row_id: str, value: Value) -> set[tuple[str, str]]:
    """A filled value as the items it counts for."""
    return {(row_id, comparable(part)) for part in (value if isinstance(value, tuple) else (value,))}


def comparable(value: object) -> str:
    """Numbers as floats, yes and no as words, everything else as it stands."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    try:
        return repr(float(str(value)))
    except ValueError:
        text = str(value)
        return _TEMPERATURE.get(text.casefold(), text)
