"""Questions of the window about the ward."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.asking.answer import Citation
from app.services.asking.jobs import ANSWER_TREE, ASK, CITE, EXPORT_ANSWER, Asked
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import AnyJob, Job
from extraction.questions.query import Query

if TYPE_CHECKING:
    from app.services.asking.answering import Asking


class AskingService:
    """Each call is a job on a lane of its own, so that asking waits for no dictation. Who signs has asked."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def ask(self, question: str) -> Job[str, Asked]:
        """Reads a question and answers it. Raises NotSigned if nobody signs."""
        asked_by = self._workspace.reviewer
        return self._workspace.questions.submit(ASK, question, lambda _: self._asking().ask(question, asked_by))

    def answer(self, query: Query, question: str = "") -> Job[Query, Asked]:
        """Answers a tree, such as that of `question` after a part of it was changed. Raises NotSigned as `ask`."""
        asked_by = self._workspace.reviewer

        def work(_: AnyJob) -> Asked:
            return self._asking().answer(query, asked_by, question)

        return self._workspace.questions.submit(ANSWER_TREE, query, work)

    def cite(self, value_ids: tuple[int, ...]) -> Job[tuple[int, ...], dict[int, Citation]]:
        """Where values come from, for an answer from so many that it does not say so itself."""

        def work(_: AnyJob) -> dict[int, Citation]:
            from app.services.asking.citations import citations_of, with_seconds

            questions = self._workspace.store.questions
            return with_seconds(citations_of(value_ids, questions, self._workspace.schema), questions)

        return self._workspace.questions.submit(CITE, value_ids, work)

    def export(self, asked: Asked, path: Path) -> Job[Path, None]:
        """Writes an answer with its sources into a file: a page to print as `.pdf`, else CSV.

        The job raises ResourceError if the file cannot be written.
        """

        def work(_: AnyJob) -> None:
            from app.services.asking.exports import save_answer

            save_answer(asked, path, self._workspace.store.questions, self._workspace.schema)

        return self._workspace.files.submit(EXPORT_ANSWER, path, work)

    def _asking(self) -> Asking:
        from app.services.asking.answering import Asking

        workspace = self._workspace
        return Asking(workspace.store, workspace.schema, workspace.settings, workspace.schema_of_version)
