"""Reads a folder of exports, or a snapshot, into what the import shows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.services.contracts.jobs import ReadExport
from app.system import paths
from extraction.contract.records import Contract, Decision
from extraction.flowsheet.schema import Schema
from models.base.errors import InputError
from models.base.progress import ProgressMonitor

if TYPE_CHECKING:
    from app.contracts import StoredContract
    from extraction.contract.questions import Question

CONTRACT_FILE, SCHEMA_FILE = "contract.json", "schema.json"
SNAPSHOTS = "snapshots"
_OF_ONES_OWN = ("role:", "conflict:", "loinc:", "use:", "alike:")  # what a person decides without being asked


def read_exports(
    folder: Path, former: Path | None, decisions: tuple[Decision, ...], monitor: ProgressMonitor
) -> ReadExport:
    from app.contracts import build_from_folder, extend_from_folder, left_out_of, load_contract
    from extraction.contract.extension import standing

    if former is None:
        built = build_from_folder(folder, decisions, monitor)
        known = contract_folder(built.contract.id) / CONTRACT_FILE
        if not known.is_file():
            questions = _still_asked(built.questions, decisions)
            first = ReadExport(folder, built.contract, built.contract, None, questions=questions, seconds=built.seconds)
            return _with_schema(replace(first, left_out=left_out_of(built.contract, built)))
        former = known
    stored: StoredContract = load_contract(former)
    later = extend_from_folder(stored, folder, decisions, monitor)
    told = {change.question for change in later.changes}
    return _with_schema(
        ReadExport(
            folder,
            later.contract,
            later.built.contract,
            None,
            questions=_still_asked(later.built.questions, decisions),
            former=stored.contract.version,
            changes=(*later.changes, *(one for one in standing(later.contract) if one.question not in told)),
            seconds=later.built.seconds,
            left_out=left_out_of(later.contract, later.built),
        )
    )


def is_snapshot(path: Path) -> bool:
    return path.parent.name == SNAPSHOTS and path.is_file()


def read_snapshot(file: Path) -> ReadExport:
    """A snapshot as its exports were read; nothing of it can be decided otherwise without them."""
    from app.contracts import left_out_of, load_contract
    from extraction.contract.build import Built
    from extraction.contract.row_extension import Change

    contract = load_contract(file).contract
    log = (entry.split(": ", 2) for entry in contract.log if entry.startswith(f"{contract.version}: "))
    changes = tuple(Change(parts[1], "", parts[2]) for parts in log if len(parts) == 3)
    left_out = left_out_of(contract, Built(contract))
    read = ReadExport(file, contract, contract, None, former=contract.version - 1, changes=changes, left_out=left_out)
    return _with_schema(replace(read, snapshot=file))


def _still_asked(questions: Sequence[Question], answers: Sequence[Decision]) -> tuple[Question, ...]:
    """The questions of an import that are left: where there are more, answering them makes room for no others."""
    from extraction.contract.questions import MOST_QUESTIONS

    answered = sum(not one.question.startswith(_OF_ONES_OWN) for one in answers)
    return tuple(questions[: max(0, MOST_QUESTIONS - answered)])


def contract_folder(contract_id: str) -> Path:
    """The folder of a contract; an id that is no plain name gets one with its hash."""
    plain = re.sub(r"[^\w-]+", "-", contract_id).strip("-")
    if plain != contract_id:
        plain += f"-{hashlib.sha256(contract_id.encode()).hexdigest()[:8]}"
    return paths.contracts_dir() / plain


def _with_schema(read: ReadExport) -> ReadExport:
    """What was read with the schema that comes of it, and with the codes that are proposed for its rows."""
    from extraction.contract.codes.proposals import propose_codes

    read = replace(read, proposed=propose_codes(read.contract.rows))
    try:
        return replace(read, schema=schema_of(read.contract))
    except InputError as error:
        return replace(read, refused=error.what)


def schema_of(contract: Contract) -> Schema:
    from extraction.contract.compile import flowsheet_schema
    from extraction.schema_files.native_format import parse_schema

    return parse_schema(flowsheet_schema(contract), "The flowsheet of this import")
