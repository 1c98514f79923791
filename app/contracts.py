"""Contracts in files: built from a folder of exports, extended by a later one, and written whole or not at all.

Beside `contract.json` lie its former versions, in `contract.versions`: each names the one before by its SHA-256, which
is verified whenever it is read. A snapshot is an extended contract that is not in use until a person promotes it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from app.system.clock import utc_now
from extraction.contract.build import Built, build_contract
from extraction.contract.compile import flowsheet_schema
from extraction.contract.document import contract_bytes, contract_hash, parent_of, read_contract
from extraction.contract.errors import ContractError
from extraction.contract.extension import extend
from extraction.contract.gates import may_be_used
from extraction.contract.left_out.finding import rows_left_out
from extraction.contract.left_out.records import LeftOut
from extraction.contract.questions import with_later
from extraction.contract.records import Contract, Decision
from extraction.contract.row_extension import Change
from extraction.contract.sources.discovery import find_sources
from models.base.atomic_files import replace_file
from models.base.errors import ResourceError
from models.base.progress import NOT_MONITORED, ProgressMonitor

CONTRACT_FILE, SCHEMA_FILE = "contract.json", "schema.json"


@dataclass(frozen=True, slots=True)
class StoredContract:
    """A contract with the SHA-256 of its document."""

    contract: Contract
    sha256: str


def build_from_folder(
    folder: Path, decisions: Sequence[Decision] = (), monitor: ProgressMonitor = NOT_MONITORED, name: str = ""
) -> Built:
    """Builds a contract from the exports in a folder.

    Raises:
        SourceError: an export cannot be read, or none lists rows.
        Cancelled: the monitor asks to stop.
    """
    begun = time.monotonic()
    tables = find_sources(folder, monitor)
    built = build_contract(tables, utc_now(), decisions, monitor, name)
    return replace(built, seconds=time.monotonic() - begun)


def left_out_of(contract: Contract, built: Built) -> tuple[LeftOut, ...]:
    """What the exports of which something was built list and a contract does not use."""
    return rows_left_out(contract, built.contract, built.left_out, built.set_aside, built.orphans)


def load_contract(path: Path) -> StoredContract:
    """Reads a contract, and verifies those of its former versions that are kept beside it.

    Raises ContractError if it cannot be read, is none, or a former version has been changed since.
    """
    data = _read(path)
    contract = read_contract(data, path.name)
    _verify_versions(path, contract.version, contract.parent)
    return StoredContract(contract, contract_hash(data))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ContractError(f"There is no contract {path}.", "Check the name and the folder.") from error
    except OSError as error:
        raise ContractError(
            f"The contract {path} cannot be read: {error.strerror or error}.", "Choose a file that you may read."
        ) from error


def _version_file(path: Path, version: int) -> Path:
    return path.with_suffix(".versions") / f"{version}.json"


def _verify_versions(path: Path, version: int, parent: str) -> None:
    for former in range(version - 1, 0, -1):
        file = _version_file(path, former)
        if not file.is_file():
            return  # kept elsewhere
        data = _read(file)
        if contract_hash(data) != parent:
            raise ContractError(
                f"Version {former} of the contract {path.name} is not the one that version {former + 1} was made of:"
                f" {file} has been changed.",
                f"Restore it from a backup, or move {file.parent} away to go on without former versions.",
            )
        parent = parent_of(data)


def save_contract(contract: Contract, path: Path, former: Path | None = None) -> None:
    """Writes a contract as a whole, after the version that it extends was kept beside it.

    Args:
        former: the file that it extends; by default the one that it replaces.

    Raises:
        ContractError: the file is not the version that this one extends; somebody else has extended it.
        ResourceError: it cannot be written.
    """
    check_next(contract, former or path)
    if contract.version > 1 and (former or path).is_file():
        _keep_versions(contract, former or path, path)
    save_bytes(contract_bytes(contract), path)


def check_next(contract: Contract, path: Path) -> None:
    """Raises ContractError unless a contract is the one in a file or the next version of it."""
    if contract.version == 1 or not path.is_file():
        return
    data = _read(path)
    if contract_hash(data) != contract.parent and data != contract_bytes(contract):
        raise ContractError(
            f"The contract {path} has changed since it was read, and version {contract.version} was made of what it"
            " was before.",
            "Read the exports again.",
        )


def _keep_versions(contract: Contract, former: Path, path: Path) -> None:
    data = _read(former)
    if contract_hash(data) == contract.parent:
        save_bytes(data, _version_file(path, contract.version - 1))
    for version in range(1, contract.version):
        kept, file = _version_file(former, version), _version_file(path, version)
        if kept.is_file() and not file.exists():
            save_bytes(_read(kept), file)


def save_bytes(data: bytes, path: Path) -> None:
    """Writes a file whole or not at all. Raises ResourceError if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data)
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be written: {error.strerror or error}.",
            "Check the free space and the permissions of the folder.",
            retryable=True,
        ) from error


def remove_file(path: Path) -> None:
    """Deletes a file, if it is there. Raises ResourceError if it cannot be deleted."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be deleted: {error.strerror or error}.", "Close what uses it, then retry.", retryable=True
        ) from error


@dataclass(frozen=True)
class LaterExport:
    """What a later export makes of a contract.

    Attributes:
        built: of the later export by itself, with the questions about it.
        contract: the extended contract; the former one if nothing changed.
    """

    built: Built
    contract: Contract
    changes: tuple[Change, ...]


def extend_from_folder(
    stored: StoredContract, folder: Path, decisions: Sequence[Decision] = (), monitor: ProgressMonitor = NOT_MONITORED
) -> LaterExport:
    """Extends a contract by a later export in a folder; what was decided before is not asked again.

    Raises:
        SourceError: an export cannot be read.
        ContractError: it is the export of another record system.
        Cancelled: the monitor asks to stop.
    """
    later = build_from_folder(
        folder, with_later(stored.contract.decisions, decisions), monitor, name=stored.contract.id
    )
    extension = extend(stored.contract, stored.sha256, later)
    return LaterExport(later, extension.contract, extension.changes)


@contextmanager
def for_one_use(contract: Contract) -> Iterator[Path]:
    """A folder with a contract and its schema, as an import leaves them, for one use.

    Nothing in use knows of it, and whatever happens it is gone afterwards.
    """
    with TemporaryDirectory(prefix="wardlight-contract-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        save_bytes(contract_bytes(contract), folder / CONTRACT_FILE)
        save_bytes(flowsheet_schema(contract), folder / SCHEMA_FILE)
        yield folder


def promoted(snapshot: Path, path: Path, by: str) -> Contract:
    """A snapshot as the next version of a contract, with who promotes it in its log; nothing is written yet.

    Raises:
        ContractError: the snapshot was made of another version, or a required check failed.
    """
    stored, found = load_contract(path), load_contract(snapshot).contract
    if (found.id, found.parent) != (stored.contract.id, stored.sha256):
        raise ContractError(
            f"The snapshot {snapshot.name} (version {found.version} of {found.id}) was not made of {path}, which is"
            f" version {stored.contract.version} of {stored.contract.id}.",
            "Read the exports again, and keep another snapshot.",
        )
    if not may_be_used(found):
        failed = next(gate for gate in found.gates if gate.required and not gate.passed)
        raise ContractError(
            f"The snapshot {snapshot.name} may not be used: {failed.name}, {failed.says}.", "Correct the exports."
        )
    return replace(found, log=(*found.log, f"{found.version}: promoted: by {by}, {utc_now()}"))
