"""The window's Qt-free interface to everything else: intake and filling of dictations (`intake`), review (`reviews`),
export and filing, settings, models and schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.chart.records import Filing, Patient, Signer
from app.chart.reviewer_tendencies import NO_TENDENCIES
from app.chart.sheet import Overview, Sheet
from app.intake.service import Intake
from app.lighting import lighting, lighting_of, lights_of
from app.operations.dictations import DictationOperations, Moved
from app.operations.identity_answers import IdentityOperations
from app.operations.overview import read_overview
from app.operations.patients import PatientOperations
from app.operations.review import ReviewOperations
from app.operations.sheet_loader import read_sheet
from app.operations.spoken_values import hear_value
from app.system import paths
from app.system.job_lanes import GRACE_SECONDS, AnyJob, Job, Listener
from app.system.settings import Settings, save_settings
from app.workspace.context import Workspace
from app.workspace.engine import Engine, ModelState
from app.workspace.jobs import (
    CHECK_SCHEMA,
    EXPORT,
    FILE,
    INSTALL,
    LIGHTS_PREVIEW,
    OPEN,
    OVERVIEW,
    PRELOAD,
    REOPEN,
    REVIEW_MONITOR,
    SETTINGS,
    SHEET,
    SIGNERS,
    LightsPreview,
    SpokenValue,
)
from app.workspace.schema_summary import SchemaFacts, schema_facts
from app.workspace.signing import Signing, refuse_known
from extraction.flowsheet.schema import Row
from models.base.errors import Cancelled
from models.base.progress import Watch

if TYPE_CHECKING:
    from app.adaptation.review_monitor import RecentReviews


class Workbench:
    """Everything the window can ask for.

    `open` comes first; until its `JobFinished`, only `settings` and `close` may be used.
    """

    def __init__(
        self, listener: Listener, *, engine: Engine | None = None, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        workspace = self.workspace = Workspace(listener, engine=engine, grace_seconds=grace_seconds)
        self.intake = Intake(workspace)
        self.reviews = ReviewOperations(workspace, self.sheet)
        self.ward = PatientOperations(workspace)
        self.dictations = DictationOperations(workspace, self.intake)
        self.identities = IdentityOperations(workspace, self.intake)
        self._recent_reviews: RecentReviews | None = None

    @property
    def ready(self) -> bool:
        """Whether dictations can be opened and filled."""
        return self.workspace.ready

    @property
    def now(self) -> datetime:
        """The time by the clock of the store."""
        return self.workspace.store.now()

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.workspace.settings

    @property
    def signing(self) -> Signing:
        """Who signs."""
        return self.workspace.signing

    @property
    def models(self) -> tuple[ModelState, ...]:
        """All models of the manifest."""
        return self.workspace.models

    @property
    def device(self) -> str:
        """What the models run on: `GPU`, `CPU`, or empty if not known yet."""
        return self.workspace.device

    @property
    def device_note(self) -> str:
        """Why models are not on the GPU although that was wanted, in sentences; empty otherwise."""
        return self.workspace.engine.device_note

    def chosen_model(self, role: str) -> ModelState | None:
        """The model that the settings choose for a role; None until the manifest is read."""
        return self.workspace.chosen_model(role)

    @property
    def jobs(self) -> tuple[AnyJob, ...]:
        """The jobs of the models that leave something behind, the running one first."""
        return self.workspace.jobs

    def close(self) -> None:
        """Stops running jobs and closes everything; blocks until it is done. Nothing saved is lost."""
        self.workspace.close()

    def open(self) -> Job[None, None]:
        """Loads settings, store, schema and manifest. May be called again after a failure."""
        return self.workspace.files.submit(OPEN, None, lambda _: self.workspace.load())

    def load_overview(self) -> Job[None, Overview]:
        """Reads the list of all patients and dictations."""
        return self.workspace.sheets.submit(OVERVIEW, None, lambda _: read_overview(self.workspace))

    def preload_models(self) -> None:
        """Loads the models while nobody waits for them, if recordings can be followed."""
        schema, settings = self.workspace.schema, self.workspace.settings

        def work(job: AnyJob) -> None:
            def wanted() -> bool:
                """Whether another job waits for the models, so that preloading must end."""
                return job.is_cancelled() or bool(self.workspace.jobs)

            with suppress(Cancelled):
                self.workspace.engine.preload_models(schema, settings=settings, cancelled=wanted)

        if self.intake.can_follow:
            self.workspace.filling.submit(PRELOAD, None, work)

    def move(self, dictation_id: int, patient: Patient) -> Job[int, Moved]:
        """Moves a dictation that was recorded for the wrong patient, see `app.operations.dictations`."""
        return self.dictations.move(dictation_id, patient)

    def load_sheet(self, dictation_id: int) -> Job[int, Sheet]:
        """Reads a dictation with its transcript and values, as a job."""

        def work(_: AnyJob) -> Sheet:
            import extraction.filling.spoken_value  # noqa: F401 - else the window waits for it at the first line

            return self.sheet(dictation_id)

        return self.workspace.sheets.submit(SHEET, dictation_id, work)

    def sheet(self, dictation_id: int) -> Sheet:
        sheet = read_sheet(self.workspace.store, dictation_id, self.workspace.schema_of)
        run, recent_reviews = sheet.run, self._recent_reviews_of(sheet)
        chosen = lighting_of(self.workspace.settings, sheet.schema, run.models)
        tendencies = recent_reviews.tendencies if recent_reviews else NO_TENDENCIES
        lights = lights_of(sheet.values, sheet.schema, chosen, run.weighed_by, tendencies)
        return replace(sheet, lighting=chosen.basis(run.weighed_by), lights=lights)

    def hear_value(self, sheet: Sheet, row: Row, sound: bytes) -> Job[str, SpokenValue]:
        """Reads the value that was said to a row, see `app.operations.spoken_values`."""
        return hear_value(self.workspace, sheet, row, sound)

    # what the latest reviews show; computed ahead, so that no sheet has to wait for it

    def analyse_recent_reviews(self) -> Job[None, None]:
        """Analyses the latest reviews, if examples are collected."""
        return self.workspace.sheets.submit(REVIEW_MONITOR, None, lambda _: self._read_recent_reviews())

    def _read_recent_reviews(self) -> None:
        if not (self.workspace.ready and self.workspace.collect):
            self._recent_reviews = None
            return
        from app.adaptation.review_monitor import analyse_recent_reviews

        chosen = lighting_of(self.workspace.settings, self.workspace.schema, self.workspace.model_ids())
        self._recent_reviews = analyse_recent_reviews(self.workspace.store, self.workspace.schema, chosen)

    def _recent_reviews_of(self, sheet: Sheet) -> RecentReviews | None:
        """What the latest reviews show about values with this sheet's signature; None if not known."""
        known = self._recent_reviews
        return known if known and known.weighed_by == sheet.run.weighed_by else None

    def drifted(self, sheet: Sheet) -> bool:
        """Whether the latest reviews contradict the promise for a sheet."""
        recent_reviews = self._recent_reviews_of(sheet)
        return recent_reviews is not None and recent_reviews.drifted

    # export, settings, models

    def export(self, sheet: Sheet, folder: Path, formats: Sequence[str]) -> Job[int, list[Path]]:
        """Writes the confirmed, edited and added values to files in `folder`."""

        def work(job: AnyJob) -> list[Path]:
            from app.exchange.export import export

            return export(self.workspace.store, sheet.dictation.id, sheet.schema, folder, formats=tuple(formats))

        return self.workspace.files.submit(EXPORT, sheet.dictation.id, work)

    def file(
        self, sheet: Sheet, folder: Path | None, formats: Sequence[str] = (), *, without_values: bool = False
    ) -> Job[int, Filing | None]:
        """Files a sheet after the review steps that are already queued, see `app.operations.filing`.

        Without a folder it only fails if the sheet cannot be filed yet. A sheet without values fails with
        NothingToChart unless it is to be filed `without_values`.
        """

        signed = self.workspace.sign()

        def work(job: AnyJob) -> Filing | None:
            from app.operations.filing import file_dictation, refuse_unreviewed

            now = self.sheet(sheet.dictation.id)
            if folder is None:
                refuse_unreviewed(now, without_values=without_values)
                return None
            return file_dictation(self.workspace.store, now, signed, folder, formats, without_values=without_values)

        return self.workspace.sheets.submit(FILE, sheet.dictation.id, work)

    def reopen(self, sheet: Sheet) -> Job[int, None]:
        """Reopens a filed sheet for review; its files stay."""
        dictation_id, signed = sheet.dictation.id, self.workspace.sign()
        return self.workspace.sheets.submit(
            REOPEN, dictation_id, lambda _: self.workspace.store.filings.reopen(dictation_id, signed)
        )

    # signers: a choice takes effect at once, and is stored before anything signed with it

    def choose_signer(self, signer: Signer) -> Job[None, Signer]:
        """Makes a signer the current one, and adds a new one (id 0). Raises InputError if the name is taken."""
        if not signer.id:
            refuse_known(signer, self.workspace.signing.known)
        self.workspace.signing.take(signer)

        def store() -> Signer:
            stored = signer if signer.id else self.workspace.store.signers.add(signer.name, signer.role)
            return self.workspace.store.signers.choose(stored.id)

        return self._of_signers(store)

    def rename_signer(self, signer: Signer, name: str, role: str) -> Job[None, Signer]:
        """Changes the name for future signatures; what is already signed keeps the former one."""
        return self._of_signers(lambda: self.workspace.store.signers.rename(signer.id, name, role))

    def retire_signer(self, signer: Signer) -> Job[None, Signer]:
        """Retires a signer, who then no longer signs."""
        return self._of_signers(lambda: self.workspace.store.signers.retire(signer.id))

    def _of_signers(self, change: Callable[[], Signer]) -> Job[None, Signer]:
        def work(job: AnyJob) -> Signer:
            changed = change()
            self.workspace.signing.known = self.workspace.store.signers.all()
            return changed

        return self.workspace.sheets.submit(SIGNERS, None, work)

    def signer_changed(self, signer: Signer) -> None:
        """Updates the current signer after a change in the store; call it on the window's thread."""
        current = self.workspace.signing.signer
        if current is None or (current.id or signer.id) != signer.id:
            return
        if signer.retired:
            self.workspace.signing.propose(None)
        elif current.id or current.name == signer.name:
            self.workspace.signing.signer = signer

    def apply(self, settings: Settings) -> Job[Settings, None]:
        """Applies settings to everything done from now on and saves them, unless their schema is not valid."""

        def work(job: AnyJob) -> None:
            if not self.workspace.ready or settings.schema != self.workspace.settings.schema:
                self.workspace.use_schema(settings)
            save_settings(settings, paths.config_file())
            self.workspace.settings = settings
            self.workspace.signing.minutes = settings.confirm_signer_minutes
            self._recent_reviews = None
            self.workspace.to_check.forget_all()
            self.workspace.refresh_models()

        return self.workspace.files.submit(SETTINGS, settings, work)

    def preview_lights(self, alphas: Sequence[float], weights: Sequence[float]) -> Job[None, LightsPreview]:
        """Computes what to expect from each choice of alpha and weight."""
        choices = [(alpha, weight) for weight in weights for alpha in alphas]

        def work(job: AnyJob) -> LightsPreview:
            chosen = lighting(self.workspace.settings, self.workspace.schema, self.workspace.model_ids())
            outlooks = {choice: outlook for choice in choices if (outlook := chosen.outlook(*choice))}
            return LightsPreview(chosen.decides(chosen.weighed_by), outlooks)

        return self.workspace.files.submit(LIGHTS_PREVIEW, None, work)

    def install(self, model_id: str, source: Path | None) -> Job[str, None]:
        """Installs a model from a folder or stick, or from the sources in the manifest if `source` is None."""

        def work(job: AnyJob) -> None:
            try:
                self.workspace.engine.install(model_id, source, Watch(job.report, job.is_cancelled))
            finally:
                self.workspace.refresh_models()  # also shows a partial installation

        return self.workspace.filling.submit(INSTALL, model_id, work)

    def check_schema_file(self, path: Path) -> Job[Path, SchemaFacts]:
        """Checks a schema file and summarises it, without making it the current schema."""

        def work(job: AnyJob) -> SchemaFacts:
            from extraction.contract.native_format import load_schema

            return schema_facts(load_schema(path))

        return self.workspace.files.submit(CHECK_SCHEMA, path, work)
