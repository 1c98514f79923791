"""Looks for what the stored dictations say that has no row, and keeps what a person decides about it."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from app.services.context.workspace import Workspace, read_schema
from app.services.discovery.decisions_file import Decisions, read_decisions, save_decisions
from app.services.discovery.jobs import DECIDE, DISCOVER, SAVE_PROPOSED_SCHEMA, UNDO_DECISION, Found
from app.services.engine.job_lanes import AnyJob, Job
from app.system import paths
from app.system.clock import utc_now
from extraction.discovery.decisions import Decided, extended_schema, proposed_row
from extraction.flowsheet.schema import Schema, ValueType
from models.base.errors import InputError
from models.base.progress import ProgressMonitor


class DiscoveryService:
    """Each method submits a job. A proposed row is in no flowsheet until a person saves the template that has it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def can_look(self) -> bool:
        """Whether the model is installed that it takes."""
        model = self._workspace.chosen_model("embedder")
        return model is not None and model.status == "installed"

    def look(self) -> Job[None, Found]:
        """Looks through all dictations that have a transcript; new dictations are filled before or after it.

        The job raises InputError if there is no dictation, and what the inference process raises.
        """
        settings = self._workspace.settings

        def work(job: AnyJob) -> Found:
            from app.services.discovery.notes import notes_of_store

            monitor = ProgressMonitor(job.report, job.is_cancelled)
            schema = self._workspace.schema
            notes = tuple(notes_of_store(self._workspace.store))
            if not notes:
                raise InputError("No dictation has been transcribed yet.", "Look again when there are some.")
            try:
                found = self._workspace.engine.discover(notes, schema, settings=settings, monitor=monitor)
            finally:
                self._workspace.forget_texts()
            return Found(found, read_decisions(paths.data_dir()), schema)

        return self._workspace.filling.submit(DISCOVER, None, work)

    def make_row(
        self, about: str, name: str, kind: ValueType, unit: str = "", options: Sequence[str] = ()
    ) -> Job[str, Decisions]:
        """Proposes a row under a new id. The job raises InputError if it cannot be one."""

        def decided(known: Decisions) -> Decided:
            others = [one for one in known.decided if one.about != about]
            return Decided(about, row=proposed_row(self._workspace.schema, others, name, kind, unit, options))

        return self._decide(about, decided)

    def make_alias(self, about: str, row_id: str) -> Job[str, Decisions]:
        """Proposes another name of a row."""
        return self._decide(about, lambda _: Decided(about, alias_of=self._workspace.schema.row(row_id).id))

    def ignore(self, about: str) -> Job[str, Decisions]:
        """Keeps it off the list."""
        return self._decide(about, lambda _: Decided(about))

    def undo(self) -> Job[None, Decisions]:
        """Takes the last decision back. The job raises InputError if there is none."""

        def work(job: AnyJob) -> Decisions:
            return _saved(read_decisions(paths.data_dir()).without_last())

        return self._workspace.files.submit(UNDO_DECISION, None, work)

    def save_schema(self, path: Path) -> Job[Path, Path]:
        """Writes the template in use with all proposals into a file, for somebody to check and use.

        The job raises InputError if nothing is proposed, or it would replace the template in use.
        """

        def work(job: AnyJob) -> Path:
            from app.contracts import save_bytes

            settings = self._workspace.settings
            schema, data = read_schema(settings)
            decisions = read_decisions(paths.data_dir())
            if settings.schema and path.absolute() == Path(settings.schema).absolute():
                raise InputError("This is the template in use.", "Choose another file name.")
            save_bytes(schema_with(decisions, schema_data=data, schema=schema), path)
            return path

        return self._workspace.files.submit(SAVE_PROPOSED_SCHEMA, path, work)

    def _decide(self, about: str, decided: Callable[[Decisions], Decided]) -> Job[str, Decisions]:
        by, at = self._workspace.signing.sure_name or getpass.getuser(), utc_now()

        def work(job: AnyJob) -> Decisions:
            known = read_decisions(paths.data_dir())
            return _saved(known.with_one(replace(decided(known), by=by, at=at)))

        return self._workspace.files.submit(DECIDE, about, work)


def schema_with(decisions: Decisions, *, schema_data: bytes, schema: Schema) -> bytes:
    """The file of a schema with all that was decided. Raises InputError if no row and no name was."""
    if all(one.ignored for one in decisions.decided):
        raise InputError("No row and no name is proposed yet.", "Make a row or an alias of something first.")
    return extended_schema(schema_data, schema, decisions.decided, decisions.version)


def _saved(decisions: Decisions) -> Decisions:
    save_decisions(paths.data_dir(), decisions)
    return decisions
