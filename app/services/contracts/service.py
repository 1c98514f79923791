"""Imports from a record system: reads its exports, keeps answers, tries the schema made of them, and puts it to use."""

from __future__ import annotations

import getpass
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.services.context.workspace import Workspace, read_schema
from app.services.contracts.jobs import (
    CATALOGUE,
    KEEP_ANSWERS,
    KEEP_SNAPSHOT,
    PROMOTE_SNAPSHOT,
    READ_EXPORTS,
    SAVE_REPORT,
    TRY_DICTATION,
    USE_CONTRACT,
    Catalogue,
    ReadExport,
    TriedDictation,
)
from app.services.engine.job_lanes import AnyJob, Job
from app.system import paths
from app.system.clock import utc_now
from extraction.contract.records import Contract, Decision
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import NO_CONTEXT
from models.base.errors import InputError
from models.base.progress import ProgressMonitor
from speech.transcript import Transcript

if TYPE_CHECKING:
    from app.contracts import StoredContract
    from app.pipeline import PipelineResult
    from extraction.contract.questions import Question

CONTRACT_FILE, SCHEMA_FILE = "contract.json", "schema.json"
_SNAPSHOTS = "snapshots"
_OF_ONES_OWN = ("role:", "conflict:", "loinc:", "use:", "alike:")  # what a person decides without being asked


class ContractService:
    """Contracts, each in a folder of its own with the schema that is made of it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def in_use(self) -> Path | None:
        """The contract of which the schema in use was made; None if it was not imported."""
        schema = self._workspace.settings.schema
        contract = Path(schema).parent / CONTRACT_FILE if schema else None
        return contract if contract and contract.is_file() and Path(schema).name == SCHEMA_FILE else None

    @property
    def can_fill(self) -> bool:
        """Whether the models are installed that fill a text."""
        chosen = [self._workspace.chosen_model(role) for role in ("filler", "embedder")]
        return all(model and model.status == "installed" for model in chosen)

    def read(
        self, folder: Path, former: Path | None, answers: Mapping[str, str] | None = None
    ) -> Job[Path, ReadExport]:
        """Reads a folder of exports, with what was answered about it before; nothing is in use of it afterwards.

        Args:
            former: the contract that these exports update; None for the first import. A first import of the same kinds
                of files as before updates what was made of those, so that nothing of it is lost.
            answers: further answers by question, kept once reading has succeeded.

        The job raises SourceError and ContractError with the place of what cannot be read.
        """
        given = self._signed(answers or {})

        def work(job: AnyJob) -> ReadExport:
            from app.services.contracts.answers import keep_answers, kept_answers
            from extraction.contract.questions import with_later

            monitor = ProgressMonitor(job.report, job.is_cancelled)
            read = _read(folder, former, with_later(kept_answers(folder), given), monitor)
            if given:
                keep_answers(folder, given)
            return read

        return self._workspace.contracts.submit(READ_EXPORTS, folder, work)

    def keep(self, folder: Path, answers: Mapping[str, str]) -> Job[Path, None]:
        """Keeps answers about a folder at once; the next `read` goes by them."""
        given = self._signed(answers)

        def work(job: AnyJob) -> None:
            from app.services.contracts.answers import keep_answers

            keep_answers(folder, given)

        return self._workspace.contracts.submit(KEEP_ANSWERS, folder, work)

    def try_dictation(self, schema: Schema, text: str) -> Job[str, TriedDictation]:
        """Fills a text with a schema that is not in use yet; nothing is kept.

        The job raises what filling a dictation raises.
        """
        settings = self._workspace.settings

        def work(job: AnyJob) -> TriedDictation:
            try:
                result: PipelineResult = self._workspace.engine.run(
                    Path("sample.txt"),
                    "text",
                    schema,
                    settings=settings,
                    context=NO_CONTEXT,
                    transcript=Transcript(text),
                    on_transcript=lambda _: None,
                    on_values=None,
                    monitor=ProgressMonitor(job.report, job.is_cancelled),
                )
                return TriedDictation(schema, result.proposed)
            finally:
                self._workspace.forget_texts()

        return self._workspace.filling.submit(TRY_DICTATION, text, work, first=True)

    def save_report(self, read: ReadExport, title: str, path: Path) -> Job[Path, None]:
        """Writes the checks into a file: a page to print as `.pdf`, else a text."""

        def work(job: AnyJob) -> None:
            from app.contracts import save_bytes
            from app.services.contracts.printed_report import report_bytes

            save_bytes(report_bytes(read, title, path.suffix), path)

        return self._workspace.contracts.submit(SAVE_REPORT, path, work)

    def use(self, read: ReadExport, title: str) -> Job[str, Path]:
        """Writes contract and schema into the data folder; the result is the schema's file, for the settings.

        The job raises InputError if a required check failed or somebody else has changed the contract meanwhile, and
        ResourceError if the disk refuses.
        """

        def work(job: AnyJob) -> Path:
            from app.services.contracts.answers import forget_answers
            from app.services.contracts.report import why_not

            if not read.usable:
                raise InputError(f"This import may not be used. {why_not(read)}.", "Correct the exports, then retry.")
            schema = self._put_to_use(read.contract, title)
            forget_answers(read.folder)
            return schema

        return self._workspace.files.submit(USE_CONTRACT, read.contract.id, work)

    def keep_snapshot(self, read: ReadExport) -> Job[str, Path]:
        """Keeps an extended contract beside the one in use, which stays as it is, until a person promotes it.

        The job raises InputError if the exports add nothing, so that there is nothing to promote.
        """

        def work(job: AnyJob) -> Path:
            from app.contracts import save_bytes
            from extraction.contract.document import contract_bytes, contract_hash

            if read.former in (0, read.contract.version):
                raise InputError("These exports add nothing to the contract in use.", "There is nothing to keep.")
            data = contract_bytes(read.contract)
            name = f"{read.contract.version}-{contract_hash(data)[:8]}.json"
            file = _folder(read.contract.id) / _SNAPSHOTS / name
            save_bytes(data, file)
            return file

        return self._workspace.contracts.submit(KEEP_SNAPSHOT, read.contract.id, work)

    def snapshots(self) -> list[Path]:
        """The snapshots of the contract in use, in the order of their versions."""
        kept = self.in_use.parent / _SNAPSHOTS if self.in_use else None
        return sorted(kept.glob("*.json")) if kept else []

    def promote(self, snapshot: Path, title: str) -> Job[Path, Path]:
        """Makes a snapshot the contract in use, in the name of who signs; the result is the schema's file.

        The job raises ContractError if another version is in use than it was made of, or a required check failed.
        """
        by = self._signer

        def work(job: AnyJob) -> Path:
            from app.contracts import promoted

            contract = promoted(snapshot, snapshot.parent.parent / CONTRACT_FILE, by)
            _schema(contract)
            schema = self._put_to_use(contract, title)
            snapshot.unlink(missing_ok=True)
            return schema

        return self._workspace.files.submit(PROMOTE_SNAPSHOT, snapshot, work)

    def _put_to_use(self, contract: Contract, title: str) -> Path:
        """Writes schema and contract; the contract last: interrupted before it, the import is the same one again."""
        from app.contracts import check_next, save_bytes, save_contract
        from extraction.contract.compile import flowsheet_schema

        folder = _folder(contract.id)
        schema = folder / SCHEMA_FILE
        check_next(contract, folder / CONTRACT_FILE)
        save_bytes(flowsheet_schema(contract, title), schema)
        save_contract(contract, folder / CONTRACT_FILE)
        self._workspace.use_schema(*read_schema(replace(self._workspace.settings, schema=str(schema))))
        return schema

    def catalogue(self, file: Path) -> Job[Path, Catalogue]:
        """Reads a contract, to look rows up in it."""

        def work(job: AnyJob) -> Catalogue:
            from app.contracts import load_contract
            from extraction.contract.codes.proposals import propose_codes

            contract = load_contract(file).contract
            return Catalogue(contract, _schema(contract), propose_codes(contract.rows))

        return self._workspace.contracts.submit(CATALOGUE, file, work)

    def _signed(self, answers: Mapping[str, str]) -> tuple[Decision, ...]:
        """Answers with who gives them now: who signs, or else who is logged in."""
        now, by = utc_now(), self._signer
        return tuple(Decision(question, answer, by, now) for question, answer in answers.items())

    @property
    def _signer(self) -> str:
        return self._workspace.signing.sure_name or getpass.getuser()


def _read(folder: Path, former: Path | None, decisions: tuple[Decision, ...], monitor: ProgressMonitor) -> ReadExport:
    from app.contracts import build_from_folder, extend_from_folder, left_out_of, load_contract
    from extraction.contract.extension import standing

    if former is None:
        built = build_from_folder(folder, decisions, monitor)
        known = _folder(built.contract.id) / CONTRACT_FILE
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


def _still_asked(questions: Sequence[Question], answers: Sequence[Decision]) -> tuple[Question, ...]:
    """The questions of an import that are left: where there are more, answering them makes room for no others."""
    from extraction.contract.questions import MOST_QUESTIONS

    answered = sum(not one.question.startswith(_OF_ONES_OWN) for one in answers)
    return tuple(questions[: max(0, MOST_QUESTIONS - answered)])


def _folder(contract_id: str) -> Path:
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
        return replace(read, schema=_schema(read.contract))
    except InputError as error:
        return replace(read, refused=error.what)


def _schema(contract: Contract) -> Schema:
    from extraction.contract.compile import flowsheet_schema
    from extraction.schema_files.native_format import parse_schema

    return parse_schema(flowsheet_schema(contract), "The flowsheet of this import")
