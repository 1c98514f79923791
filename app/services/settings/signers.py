"""The list of signers. A choice takes effect at once, and is stored before anything signed with it."""

from __future__ import annotations

from collections.abc import Callable

from app.chart.records import Signer
from app.services.context.signing import refuse_known
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import AnyJob, Job
from app.services.settings.jobs import SIGNERS


class SignerService:
    """Chooses, adds, renames and retires signers; `Workbench.signing` says who signs now."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def choose(self, signer: Signer) -> Job[None, Signer]:
        """Makes a signer the current one, and adds a new one (id 0). Raises InputError if the name is taken."""
        if not signer.id:
            refuse_known(signer, self._workspace.signing.known)
        self._workspace.signing.take(signer)

        def store() -> Signer:
            signers = self._workspace.store.signers
            stored = signer if signer.id else signers.add(signer.name, signer.role)
            return signers.choose(stored.id)

        return self._submit(store)

    def rename(self, signer: Signer, name: str, role: str) -> Job[None, Signer]:
        """Changes the name for future signatures; what is already signed keeps the former one."""
        return self._submit(lambda: self._workspace.store.signers.rename(signer.id, name, role))

    def retire(self, signer: Signer) -> Job[None, Signer]:
        """Retires a signer, who then no longer signs."""
        return self._submit(lambda: self._workspace.store.signers.retire(signer.id))

    def changed(self, signer: Signer) -> None:
        """Updates the current signer after a change in the store; call it on the window's thread."""
        signing = self._workspace.signing
        current = signing.signer
        if current is None or (current.id or signer.id) != signer.id:
            return
        if signer.retired:
            signing.propose(None)
        elif current.id or current.name == signer.name:
            signing.signer = signer

    def _submit(self, change: Callable[[], Signer]) -> Job[None, Signer]:
        def work(job: AnyJob) -> Signer:
            changed = change()
            self._workspace.signing.known = self._workspace.store.signers.all()
            return changed

        return self._workspace.sheets.submit(SIGNERS, None, work)
