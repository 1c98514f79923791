"""Contracts as JSON documents: written byte by byte the same, read back with every reference checked.

`resources/schemas/contract.schema.json` describes the form. Seeds: "Executable Schema Contracts", section 3.2, Eq. 1.
"""

from __future__ import annotations

import hashlib
import json
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from extraction.contract.errors import ContractError
from extraction.contract.records import Cell, Contract

FORMAT = "wardlight-contract/2"
_READ = (FORMAT, "wardlight-contract/1")  # the first has no history of rows
_NEXT = "Build the contract again from its exports, or restore the file from a backup."
# names in the document where they differ from the attribute's
_WRITTEN = {"aliases": "synonyms", "former_ids": "aliases"}
_SHA256 = re.compile("[0-9a-f]{64}")
_PARENT = re.compile(rb'"parent": "([0-9a-f]{64})"')
_HEAD = 8192  # bytes; id, version and parent stand at the beginning
_LARGEST = 256 * 1024 * 1024


def contract_bytes(contract: Contract) -> bytes:
    """The document of a contract, in UTF-8; equal contracts give equal bytes."""
    document = {"contract": FORMAT, **_plain(contract)}
    return (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def contract_hash(data: bytes) -> str:
    """The SHA-256 of a document, by which the next version names it as its parent."""
    return hashlib.sha256(data).hexdigest()


def read_contract(data: bytes, source: str) -> Contract:
    """Reads the document of a contract.

    Args:
        source: the file's name in messages.

    Raises:
        ContractError: it is no contract, of a newer version, incomplete, or it refers to a field that it does not list.
    """
    if len(data) > _LARGEST:
        raise ContractError(f"{source} is too large to be a contract ({len(data) / 1e6:.0f} MB).", _NEXT)
    try:
        document = json.loads(data)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ContractError(f"{source} is not a contract: it is no JSON.", _NEXT) from error
    written = document.get("contract") if isinstance(document, dict) else None
    if written not in _READ:
        if isinstance(written, str) and written.startswith("wardlight-contract/"):
            raise ContractError(f"{source} is a contract of another version ({written}).", "Update Wardlight.")
        raise ContractError(f"{source} is not a contract: it lacks {FORMAT!r}.", _NEXT)
    contract: Contract = _read(
        Contract, {key: value for key, value in document.items() if key != "contract"}, source, ""
    )
    if (contract.version > 1) != bool(_SHA256.fullmatch(contract.parent)):
        raise ContractError(
            f"In {source}, version {contract.version} does not name the version before it as it should.", _NEXT
        )
    check_references(contract, source)
    _check_relations(contract, source)
    return contract


def parent_of(data: bytes) -> str:
    """The SHA-256 of the version before that a document names, without reading all of it; empty for the first."""
    found = _PARENT.search(data[:_HEAD])
    return found[1].decode() if found else ""


def references(contract: Contract) -> Iterator[tuple[str, str, str]]:
    """Every reference to a field: what refers, the source, and the field's path."""
    for role in contract.roles:
        yield "a role", role.source, role.field
    for key in contract.keys:
        for path in key.fields:
            yield "a key", key.source, path
    for link in contract.links:
        yield "a link", *link.child
        yield "a link", *link.parent
    for row in (*contract.rows, *(conflict.found for conflict in contract.conflicts)):
        for cell in _cells_of(row):
            yield f"row {row.id}", cell.source, cell.field


def _cells_of(row: Any) -> Iterator[Cell]:
    yield from row.cells
    for option in row.options:
        yield from option.cells


def validity(contract: Contract) -> float:
    """The share of references that lead to a field of the catalogue (Eq. 1); 1 for a valid contract."""
    known = _known(contract)
    given = [(source, path) for _, source, path in references(contract)]
    return sum(reference in known for reference in given) / len(given) if given else 1.0


def check_references(contract: Contract, source: str) -> None:
    """Raises ContractError for a reference that leads to no field, with the nearest field that there is."""
    known = _known(contract)
    for what, named, path in references(contract):
        if (named, path) not in known:
            nearest = get_close_matches(
                f"{named} {path}", [f"{one} {other}" for one, other in known if other], n=1, cutoff=0.0
            )
            hint = f" The nearest is {nearest[0]}." if nearest else ""
            raise ContractError(
                f"In {source}, {what} refers to the field {path!r} of {named}, which is not in the catalogue.{hint}",
                _NEXT,
            )


def _check_relations(contract: Contract, source: str) -> None:
    rows = {row.id for row in contract.rows}
    for relation in contract.relations:
        if unknown := [row_id for row_id in relation.rows if row_id not in rows]:
            raise ContractError(
                f"In {source}, the relation {relation.name!r} refers to the row {unknown[0]!r}, which is not there.",
                _NEXT,
            )


def _known(contract: Contract) -> frozenset[tuple[str, str]]:
    sources = {(source.name, "") for source in contract.sources}  # a whole line of a source
    return frozenset(sources | {(field.source, field.path) for field in contract.fields})


# the form of JSON


def _plain(value: Any) -> Any:
    if isinstance(value, Cell):
        return [value.source, value.line, value.field]
    if is_dataclass(value):
        return {_WRITTEN.get(item.name, item.name): _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any, source: str, path: str) -> Any:
    """A value of a type from its JSON; raises ContractError that names the path."""
    origin = get_origin(kind)
    if kind is Cell:
        if isinstance(value, list) and [type(item) for item in value] == [str, int, str]:
            return Cell(*value)
        raise _wrong(source, path, "a cell: source, line and field")
    if is_dataclass(kind) and isinstance(kind, type):
        return _read_object(kind, value, source, path)
    if origin is tuple:
        return _read_tuple(get_args(kind), value, source, path)
    if origin in (types.UnionType, Union):
        if value is None:
            return None
        return _read(next(item for item in get_args(kind) if item is not type(None)), value, source, path)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError:
            raise _wrong(source, path, "one of " + ", ".join(item.value for item in kind)) from None
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise _wrong(
            source, path, {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}[kind]
        )
    return value


def _read_object(kind: type, value: Any, source: str, path: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(source, path or "the contract", "an object")
    names = {_WRITTEN.get(item.name, item.name): item.name for item in fields(kind)}
    if unknown := [name for name in value if name not in names]:
        raise ContractError(f"In {source}, {path or 'the contract'} has the unknown field {unknown[0]!r}.", _NEXT)
    required = [item for item in fields(kind) if _is_required(item)]
    for item in required:
        if _WRITTEN.get(item.name, item.name) not in value:
            raise ContractError(f"In {source}, {path or 'the contract'} lacks the field {item.name!r}.", _NEXT)
    hints = _hints(kind)
    return kind(
        **{names[name]: _read(hints[names[name]], item, source, f"{path}/{name}") for name, item in value.items()}
    )


def _is_required(item: Any) -> bool:
    return item.default is MISSING and item.default_factory is MISSING


def _read_tuple(parts: tuple[Any, ...], value: Any, source: str, path: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _wrong(source, path, "a list")
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(_read(parts[0], item, source, f"{path}/{number}") for number, item in enumerate(value))
    if len(value) != len(parts):
        raise _wrong(source, path, f"a list of {len(parts)}")
    return tuple(_read(kind, item, source, path) for kind, item in zip(parts, value, strict=True))


def _wrong(source: str, path: str, expected: str) -> ContractError:
    return ContractError(f"In {source}, {path} must be {expected}.", _NEXT)
