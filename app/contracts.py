"""Contracts in files: built from a folder of exports, extended by a later one, and written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.system.clock import utc_now
from extraction.contract.build import Built, build_contract
from extraction.contract.document import contract_bytes, contract_hash, read_contract
from extraction.contract.errors import ContractError
from extraction.contract.extension import extend
from extraction.contract.questions import with_later
from extraction.contract.records import Contract, Decision
from extraction.contract.row_extension import Change
from extraction.contract.sources.discovery import find_sources
from models.base.atomic_files import replace_file
from models.base.errors import ResourceError
from models.base.progress import NOT_MONITORED, ProgressMonitor


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
    tables = find_sources(folder, monitor)
    now = utc_now()
    return build_contract(tables, now, decisions, monitor, name)


def load_contract(path: Path) -> StoredContract:
    """Reads a contract. Raises ContractError if it cannot be read, or is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise ContractError(f"There is no contract {path}.", "Check the name and the folder.") from error
    except OSError as error:
        raise ContractError(
            f"The contract {path} cannot be read: {error.strerror or error}.", "Choose a file that you may read."
        ) from error
    return StoredContract(read_contract(data, path.name), contract_hash(data))


def save_contract(contract: Contract, path: Path) -> None:
    """Writes a contract; an existing file is replaced as a whole. Raises ResourceError if it cannot be written."""
    save_bytes(contract_bytes(contract), path)


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
