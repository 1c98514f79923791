"""The settings and the schema that they choose: read, previewed and applied. Each call is a job."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.exchange.file_formats import columns_file_in
from app.exchange.sheets.hospital_columns import read_hospital_columns
from app.lighting import lighting
from app.services.context.workspace import Workspace, read_schema
from app.services.engine.job_lanes import AnyJob, Job
from app.services.settings.jobs import CHECK_SCHEMA, LIGHTS_PREVIEW, SETTINGS, LightsPreview, SchemaFacts
from app.services.settings.schema_summary import schema_facts
from app.system import paths
from app.system.settings import Settings, save_settings


class SettingsService:
    """The settings in force, and changes of them."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def current(self) -> Settings:
        """The settings in force."""
        return self._workspace.settings

    def apply(self, settings: Settings) -> Job[Settings, None]:
        """Applies settings to everything done from now on and saves them, unless a file that they name is not valid."""

        def work(job: AnyJob) -> None:
            workspace = self._workspace
            if settings.hospital_columns != workspace.settings.hospital_columns:
                read_hospital_columns(columns_file_in(settings))
            schemas = (settings.schema, settings.contract)
            if not workspace.ready or schemas != (workspace.settings.schema, workspace.settings.contract):
                from app.exchange.contract_codes import check_contract

                schema, data = read_schema(settings)
                check_contract(settings, schema)
                workspace.use_schema(schema, data)
            save_settings(settings, paths.config_file())
            workspace.settings = settings
            workspace.signing.minutes = settings.confirm_signer_minutes
            workspace.recent_reviews = None
            workspace.to_check.forget_all()
            workspace.refresh_models()

        return self._workspace.files.submit(SETTINGS, settings, work)

    def preview_lights(self, alphas: Sequence[float], weights: Sequence[float]) -> Job[None, LightsPreview]:
        """Computes what to expect from each choice of alpha and weight."""
        choices = [(alpha, weight) for weight in weights for alpha in alphas]

        def work(job: AnyJob) -> LightsPreview:
            workspace = self._workspace
            chosen = lighting(workspace.settings, workspace.schema, workspace.model_ids())
            outlooks = {choice: outlook for choice in choices if (outlook := chosen.outlook(*choice))}
            return LightsPreview(chosen.decides(chosen.weighed_by), outlooks)

        return self._workspace.files.submit(LIGHTS_PREVIEW, None, work)

    def check_schema_file(self, path: Path) -> Job[Path, SchemaFacts]:
        """Checks a schema file and summarises it, without making it the current schema."""

        def work(job: AnyJob) -> SchemaFacts:
            from extraction.schema_files.native_format import load_schema

            return schema_facts(load_schema(path))

        return self._workspace.files.submit(CHECK_SCHEMA, path, work)
