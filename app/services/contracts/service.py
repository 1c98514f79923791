"""Imports from a record system: reads its exports, keeps answers, tries the schema made of them, and puts it to use."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.services.context.workspace import Workspace, read_schema
from app.services.contracts.jobs import (
    CATALOGUE,
    KEEP_ANSWERS,
    KEEP_SNAPSHOT,
    READ_EXPORTS,
    SAVE_ANSWERS,
    SAVE_REPORT,
    TAKE_ANSWERS,
    THROW_AWAY,
    TRY_DICTATION,
    USE_CONTRACT,
    Catalogue,
    ReadExport,
    TriedDictation,
)
from app.services.contracts.reading import (
    CONTRACT_FILE,
    SCHEMA_FILE,
    SNAPSHOTS,
    contract_folder,
    is_snapshot,
    read_exports,
    read_snapshot,
    schema_of,
)
from app.services.engine.job_lanes import AnyJob, Job
from app.system.clock import utc_now
from extraction.contract.records import Contract, Decision
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import NO_CONTEXT
from models.base.errors import InputError
from models.base.progress import ProgressMonitor
from speech.transcript import Transcript

if TYPE_CHECKING:
    from app.pipeline import PipelineResult


class ContractService:
    """Contracts, each in a folder of its own with the schema that is made of it, and snapshots that nobody uses yet."""

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

        A snapshot is read in the same way; answers do not change it. The job raises SourceError and ContractError with
        the place of what cannot be read.
        """
        given = self._signed(answers or {})

        def work(job: AnyJob) -> ReadExport:
            from app.services.contracts.answers import keep_answers, kept_answers
            from extraction.contract.questions import with_later

            monitor = ProgressMonitor(job.report, job.is_cancelled)
            if is_snapshot(folder):
                return read_snapshot(folder)
            read = read_exports(folder, former, with_later(kept_answers(folder), given), monitor)
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

    def take_answers(self, folder: Path, file: Path) -> Job[Path, None]:
        """Keeps the answers of a file as answers about a folder; the next `read` goes by them.

        The job raises InputError if the file holds none.
        """

        def work(job: AnyJob) -> None:
            from app.services.contracts.answers import keep_answers, read_answers

            keep_answers(folder, read_answers(file))

        return self._workspace.contracts.submit(TAKE_ANSWERS, folder, work)

    def save_answers(self, read: ReadExport, file: Path) -> Job[Path, None]:
        """Writes what persons have answered about an import into a file, for another import."""

        def work(job: AnyJob) -> None:
            from app.contracts import save_bytes
            from app.services.contracts.answers import answers_bytes, kept_answers
            from extraction.contract.questions import with_later

            answers = with_later(read.contract.decisions, kept_answers(read.folder))
            save_bytes(answers_bytes(answers, f"{read.contract.id}, version {read.contract.version}"), file)

        return self._workspace.contracts.submit(SAVE_ANSWERS, file, work)

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

        A snapshot is promoted in the name of who signs. The job raises InputError if a required check failed or
        somebody else has changed the contract meanwhile, and ResourceError if the disk refuses.
        """
        by = self._signer

        def work(job: AnyJob) -> Path:
            from app.contracts import promoted
            from app.services.contracts.answers import forget_answers
            from app.services.contracts.report import why_not

            if not read.usable:
                raise InputError(f"This import may not be used. {why_not(read)}.", "Correct the exports, then retry.")
            if read.snapshot:
                contract = promoted(read.snapshot, read.snapshot.parent.parent / CONTRACT_FILE, by)
                schema = self._put_to_use(contract, title)
                read.snapshot.unlink(missing_ok=True)
                return schema
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
            file = contract_folder(read.contract.id) / SNAPSHOTS / name
            save_bytes(data, file)
            return file

        return self._workspace.contracts.submit(KEEP_SNAPSHOT, read.contract.id, work)

    def snapshots(self) -> list[Path]:
        """The snapshots of the contract in use, in the order of their versions."""
        kept = self.in_use.parent / SNAPSHOTS if self.in_use else None
        return sorted(kept.glob("*.json")) if kept else []

    def throw_away(self, snapshot: Path) -> Job[Path, None]:
        """Deletes a snapshot. The job raises ResourceError if the disk refuses."""

        def work(job: AnyJob) -> None:
            from app.contracts import remove_file

            remove_file(snapshot)

        return self._workspace.contracts.submit(THROW_AWAY, snapshot, work)

    def _put_to_use(self, contract: Contract, title: str) -> Path:
        """Writes schema and contract; the contract last: interrupted before it, the import is the same one again."""
        from app.contracts import check_next, save_bytes, save_contract
        from extraction.contract.compile import flowsheet_schema

        folder = contract_folder(contract.id)
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
            return Catalogue(contract, schema_of(contract), propose_codes(contract.rows))

        return self._workspace.contracts.submit(CATALOGUE, file, work)

    def _signed(self, answers: Mapping[str, str]) -> tuple[Decision, ...]:
        """Answers with who gives them now: who signs, or else who is logged in."""
        now, by = utc_now(), self._signer
        return tuple(Decision(question, answer, by, now) for question, answer in answers.items())

    @property
    def _signer(self) -> str:
        return self._workspace.signing.sure_name or getpass.getuser()
