"""What exports mean by their gold, and how much of it a contract has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from extraction.contract.records import Contract, ContractRow
from extraction.contract.value_shapes import folded
from models.base.errors import InputError

Place = tuple[str, str]  # source and field


@dataclass(frozen=True)
class Gold:
    """What is true of exports.

    Attributes:
        keys, links: those that are to be found; `true_keys` and `true_links` are true, too, and count neither way.
        rows: by id, the facts of rows; empty where the gold has none.
        tables: those that it is about, others count neither way; empty if it is about all.
    """

    keys: frozenset[tuple[str, frozenset[str]]]
    links: frozenset[tuple[Place, Place]]
    true_keys: frozenset[tuple[str, frozenset[str]]] = frozenset()
    true_links: frozenset[tuple[Place, Place]] = frozenset()
    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Share:
    """How many of those found are right, and how many of the gold's were found."""

    right: int
    found: int
    gold: int

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.gold if self.gold else None


def read_gold(path: Path) -> Gold:
    """Reads a gold file, with rows (`rows`, `keys`, `links`) or with declared keys alone (`tables`, `foreign_keys`)."""
    try:
        data = json.loads(path.read_bytes())
        return _of_tables(data) if "tables" in data else _of_rows(data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no gold of exports: {error}.", "See docs/evaluation.md for its form.") from error


def _of_rows(data: Mapping[str, Any]) -> Gold:
    def keys(entries: Iterable[Mapping[str, Any]]) -> frozenset[tuple[str, frozenset[str]]]:
        return frozenset((one["source"], frozenset(one["fields"])) for one in entries)

    def links(entries: Iterable[Mapping[str, Any]]) -> frozenset[tuple[Place, Place]]:
        return frozenset((_place(one["child"]), _place(one["parent"])) for one in entries)

    return Gold(
        keys(data["keys"]),
        links(data["links"]),
        keys(data.get("also_unique", ())),
        links(data.get("links_partial", ())),
        {str(row["id"]): row for row in data["rows"]},
    )


def _of_tables(data: Mapping[str, Any]) -> Gold:
    beside = data.get("true_but_not_declared", {})
    files = {one["table"]: one["file"] for one in (*data["tables"], *beside.get("keys", ())) if "file" in one}

    def keys(entries: Iterable[Mapping[str, Any]]) -> frozenset[tuple[str, frozenset[str]]]:
        return frozenset((one["file"], frozenset(one["primary_key"])) for one in entries)

    def links(entries: Iterable[Mapping[str, Any]]) -> frozenset[tuple[Place, Place]]:
        return frozenset(
            ((_file(one["child"], files), one["columns"][0]), (_file(one["parent"], files), one["parent_columns"][0]))
            for one in entries
        )

    true_links = links((*data["foreign_keys"], *beside.get("foreign_keys", ())))
    tables = {*files.values(), *(place[0] for link in true_links for place in link)}
    return Gold(
        keys(data["tables"]),
        links(data["foreign_keys"]),
        keys(beside.get("keys", ())),
        true_links,
        tables=frozenset(map(_stem, tables)),
    )


def _file(table: str, files: Mapping[str, str]) -> str:
    return files.get(table, table)


def _place(pair: Iterable[str]) -> Place:
    source, path = pair
    return source, path


def compare(contract: Contract, gold: Gold) -> dict[str, Share]:
    """Keys and links, and if the gold has rows, their types, units and options, each with what is right of it."""
    names = {_stem(source.name): source.name for source in contract.sources}

    def named(source: str) -> str:
        return names.get(_stem(source), source)

    def keys(entries: Iterable[tuple[str, Iterable[str]]]) -> set[tuple[str, frozenset[str]]]:
        return {(named(source), frozenset(fields)) for source, fields in entries}

    def links(entries: Iterable[tuple[Place, Place]]) -> set[tuple[Place, Place]]:
        return {((named(child[0]), child[1]), (named(parent[0]), parent[1])) for child, parent in entries}

    def counts(source: str) -> bool:
        return not gold.tables or _stem(source) in gold.tables

    found_keys = keys((key.source, key.fields) for key in contract.keys if counts(key.source)) - keys(gold.true_keys)
    found_links = links((link.child, link.parent) for link in contract.links if counts(link.child[0]))
    found_links -= links(gold.true_links) - links(gold.links)
    true_keys, true_links = keys(gold.keys), links(gold.links)
    keyed = {source for source, _ in true_keys}
    right = found_keys & true_keys
    shares = {
        # a source may have several keys by its gold, of which one is enough
        "keys": Share(len({source for source, _ in right}), len({source for source, _ in found_keys}), len(keyed)),
        "links": _share(found_links, true_links),
    }
    if gold.rows:
        rows = [row for row in contract.rows if row.id in gold.rows]
        shares |= {
            "types": _share({(row.id, _type(row)) for row in rows}, _gold_types(gold)),
            "units": _share(
                {(row.id, folded(row.unit)) for row in rows if row.unit},
                {(row_id, folded(row["unit"])) for row_id, row in gold.rows.items() if row.get("unit")},
            ),
            "options": _share(
                {(row.id, folded(one.name)) for row in rows for one in row.options if not one.retired},
                {(row_id, folded(name)) for row_id, row in gold.rows.items() for name in _option_names(row)},
            ),
        }
    return shares


def _share(found: Set[Any], gold: Set[Any]) -> Share:
    return Share(len(found & gold), len(found), len(gold))


def _stem(source: str) -> str:
    """A source's name without the folder and the endings that gold may leave out."""
    return source.rpartition("/")[2].removesuffix(".gz").removesuffix(".csv")


def _type(row: ContractRow) -> str:
    names = {folded(option.name) for option in row.options if not option.retired}
    return "yes_no" if row.value_type == "single_select" and names == {"yes", "no"} else row.value_type


def _gold_types(gold: Gold) -> set[tuple[str, str]]:
    found = set()
    for row_id, row in gold.rows.items():
        value_type = {"string": "text"}.get(row["type"].lower(), row["type"].lower())
        yes_no = {folded(name) for name in _option_names(row)} == {"yes", "no"}
        found.add((row_id, "yes_no" if value_type == "single_select" and yes_no else value_type))
    return found


def _option_names(row: Mapping[str, Any]) -> list[str]:
    return [one["name"] for one in row.get("options") or ()] or list(row.get("options_from_dump") or ())
