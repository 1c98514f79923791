"""Ways of building a contract that lack a part of the product's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from extraction.contract import build
from extraction.contract.build import Built, build_contract
from extraction.contract.catalogue import Profile, Table, profile
from extraction.contract.records import SourceKind
from extraction.contract.rows.reading import Reading, read_rows
from extraction.contract.sources.discovery import find_sources

_HEAD = 20  # records that are looked at without a catalogue


@dataclass(frozen=True)
class Condition:
    """A way of building.

    Attributes:
        lacks: what it does without, for a person.
        parts: by the name of a step in `extraction.contract.build`, what takes its place.
    """

    name: str
    lacks: str
    parts: dict[str, Callable[..., Any]]


@dataclass(frozen=True)
class _Head:
    """The first records of a table."""

    table: Table

    @property
    def source(self) -> Any:
        return self.table.source

    @property
    def fields(self) -> Sequence[str]:
        return self.table.fields

    def records(self) -> Iterator[Any]:
        return islice(self.table.records(), _HEAD)


def _profile_of_head(table: Table, counted: Callable[[int], None]) -> Profile:
    return profile(_Head(table), counted)


def _no_links(profiles: Sequence[Profile]) -> tuple[list[Any], list[Any]]:
    return [], []


def _no_keys(one: Profile, links: Sequence[Any]) -> list[Any]:
    return []


def _no_meanings(tables: Sequence[Table], profiles: Sequence[Profile], links: Sequence[Any]) -> dict[Any, Any]:
    return {}


def _rows_without_values(tables: Sequence[Table], kinds: dict[str, SourceKind], *rest: Any) -> Reading:
    """What the lists alone say, in their first pass."""
    lists = {name: SourceKind.OTHER if kind is SourceKind.VALUES else kind for name, kind in kinds.items()}
    return read_rows(tables, lists, *rest)


CONDITIONS = (
    Condition("own", "nothing: the product's own way", {}),
    Condition("no-catalogue", f"the catalogue: the first {_HEAD} records of each table", {"profile": _profile_of_head}),
    Condition("no-structure", "keys and links", {"find_links": _no_links, "keys_of": _no_keys}),
    Condition(
        "one-pass",
        "the second pass: what codes mean, and charted values",
        {"code_meanings": _no_meanings, "read_rows": _rows_without_values},
    ),
)


def build_under(condition: Condition, folder: Path) -> Built:
    """Builds a contract in one of these ways. Raises SourceError if no rows are found that way."""
    with _replaced(condition):
        built = build_contract(find_sources(folder), "")
    return replace(built, questions=())


@contextmanager
def _replaced(condition: Condition) -> Iterator[None]:
    with ExitStack() as stack:
        for name, part in condition.parts.items():
            stack.enter_context(patch.object(build, name, part))
        yield
