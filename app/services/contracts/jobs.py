"""The jobs of importing from a record system: their subjects and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.record.values import ProposedValue
from app.services.engine.job_lanes import JobKind
from extraction.contract.gates import may_be_used
from extraction.contract.left_out.records import LeftOut
from extraction.contract.records import Contract
from extraction.flowsheet.schema import Schema

if TYPE_CHECKING:  # they import what the window does not need to start
    from extraction.contract.codes.proposals import CodeProposal
    from extraction.contract.questions import Question
    from extraction.contract.row_extension import Change


@dataclass(frozen=True)
class ReadExport:
    """What was read of a folder of exports. Nothing is in use of it yet.

    Attributes:
        contract: as it would be used; in an update, the extended one.
        found: of these exports by themselves.
        schema: what becomes of the contract; None if that is refused.
        refused: why the schema cannot be used, in words; empty if it can.
        questions: those that nobody has answered yet, the most consequential first.
        former: the version that is updated; 0 for the first import.
        changes: what differs from that version, and what earlier exports said otherwise and nobody has taken.
        seconds: how long reading took; 0 if that is not known.
        proposed: codes that the rows may have, by the row's id; none is in use.
        left_out: what the exports list and the rows in use lack.
        snapshot: the file that was kept for review of which this was read; None for exports.
    """

    folder: Path
    contract: Contract
    found: Contract
    schema: Schema | None
    refused: str = ""
    questions: tuple[Question, ...] = ()
    former: int = 0
    changes: tuple[Change, ...] = ()
    seconds: float = 0.0
    proposed: Mapping[str, tuple[CodeProposal, ...]] = field(default_factory=dict, hash=False)
    left_out: tuple[LeftOut, ...] = ()
    snapshot: Path | None = None

    @property
    def usable(self) -> bool:
        """Whether every required check passed and the schema is valid."""
        return may_be_used(self.contract) and self.schema is not None


@dataclass(frozen=True)
class Catalogue:
    """The contract in use, the schema that was made of it, and codes that its rows may have."""

    contract: Contract
    schema: Schema
    proposed: Mapping[str, tuple[CodeProposal, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TriedDictation:
    """What would be proposed for a text with a schema that is not in use yet, the most confident first."""

    schema: Schema
    values: tuple[ProposedValue, ...]


READ_EXPORTS = JobKind[Path, ReadExport]("read exports")  # the subject is the folder
KEEP_ANSWERS = JobKind[Path, None]("keep answers")  # to questions about the folder
SAVE_REPORT = JobKind[Path, None]("save report")  # about the checks, into a file
KEEP_SNAPSHOT = JobKind[str, Path]("keep snapshot")  # of a contract's id; the result is its file
THROW_AWAY = JobKind[Path, None]("throw away")  # a snapshot
TAKE_ANSWERS = JobKind[Path, None]("take answers")  # of a file, about the folder
SAVE_ANSWERS = JobKind[Path, None]("save answers")  # into the file
TRY_DICTATION = JobKind[str, TriedDictation]("try dictation", passing=True)  # a text; nothing is kept
USE_CONTRACT = JobKind[str, Path]("use contract")  # its id; the result is the schema's file
CATALOGUE = JobKind[Path, Catalogue]("catalogue")  # of a contract's file
