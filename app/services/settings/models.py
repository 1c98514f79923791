"""The models: which there are, what they run on, loaded ahead and installed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from app.services.context.workspace import Workspace
from app.services.engine.engine import ModelState
from app.services.engine.job_lanes import AnyJob, Job
from app.services.settings.jobs import INSTALL, PRELOAD
from models.base.errors import Cancelled
from models.base.progress import ProgressMonitor


class ModelService:
    """The models of the manifest; nothing is known of them until the workbench is open."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def all(self) -> tuple[ModelState, ...]:
        """All models of the manifest."""
        return self._workspace.models

    @property
    def device(self) -> str:
        """What the models run on: `GPU`, `CPU`, or empty if not known yet."""
        return self._workspace.device

    @property
    def device_note(self) -> str:
        """Why models are not on the GPU although that was wanted, in sentences; empty otherwise."""
        return self._workspace.engine.device_note

    def chosen(self, role: str) -> ModelState | None:
        """The model that the settings choose for a role; None until the manifest is read."""
        return self._workspace.chosen_model(role)

    def preload(self) -> None:
        """Loads the models while nobody waits for them, if recordings can be followed."""
        workspace = self._workspace
        schema, settings = workspace.schema, workspace.settings

        def work(job: AnyJob) -> None:
            def wanted() -> bool:
                """Whether another job waits for the models, so that preloading must end."""
                return job.is_cancelled() or bool(workspace.jobs)

            with suppress(Cancelled):
                workspace.engine.preload_models(schema, settings=settings, cancelled=wanted)

        if workspace.can_follow:
            workspace.filling.submit(PRELOAD, None, work)

    def install(self, model_id: str, source: Path | None) -> Job[str, None]:
        """Installs a model from a folder or stick, or from the sources in the manifest if `source` is None."""

        def work(job: AnyJob) -> None:
            try:
                self._workspace.engine.install(model_id, source, ProgressMonitor(job.report, job.is_cancelled))
            finally:
                self._workspace.refresh_models()  # also shows a partial installation

        return self._workspace.filling.submit(INSTALL, model_id, work)
