"""Shared state of the services: lanes, settings, store, schema, models and signers.

Seven lanes keep the window responsive, because even a small step is synced to disk: `sound` writes microphone input;
`files` copies recordings, exports and loads schemas; `messages` hands messages over, which a slow receiver can hold up;
`sheets` reads dictations and records reviews; `filling` runs the pipeline, one dictation after the other; `contracts`
reads the exports of a record system, which may take minutes; `questions` answers questions about the ward.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app.chart.records import Dictation
from app.services.context.proposals_to_check import ProposalsToCheck
from app.services.context.signing import Signing, nobody_signs
from app.services.engine.engine import Engine, LocalEngine, ModelState
from app.services.engine.job_lanes import GRACE_SECONDS, AnyJob, JobKind, Lane, LaneClosed, Listener
from app.system import paths
from app.system.settings import Settings, load_settings
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.unit_conversion import convert
from extraction.language.vocabulary.loader import use_ward_folder
from models.base.errors import InputError
from models.base.text_caches import forget_texts
from resources import DEMONSTRATION_SCHEMA

if TYPE_CHECKING:
    from app.adaptation.review_monitor import RecentReviews
    from app.store import Store

FORGET = JobKind[None, None]("forget", passing=True)  # words of dictations, in the inference process


class Workspace:
    """The shared state of all services.

    Args:
        listener: gets each job's events on the job's thread (see `Workbench`).
        engine: runs the models; the real one by default.
        grace_seconds: how long a stopped job may take before its worker process is killed.

    Attributes:
        to_check: which proposals are to check, as far as known.
        schema_version: the store's id of the current schema.
        recent_reviews: what the latest reviews show; None if not known.
    """

    def __init__(
        self, listener: Listener, *, engine: Engine | None = None, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        self.listener = listener
        self.engine = engine or LocalEngine()
        self.sound = Lane("sound", listener)
        self.files = Lane("files", listener)
        self.messages = Lane("messages", listener)
        self.sheets = Lane("sheets", listener)
        self.filling = Lane("models", listener, interrupt=self.engine.interrupt, grace_seconds=grace_seconds)
        self.contracts = Lane("contracts", listener)
        self.questions = Lane("questions", listener)
        self.to_check = ProposalsToCheck()
        self.schema_version = 0
        self.recent_reviews: RecentReviews | None = None
        self.settings = Settings()
        self.models: tuple[ModelState, ...] = ()
        self.device = ""
        self.signing = Signing()
        self._store: Store | None = None
        self._schemas: dict[int, Schema] = {}
        self._schema: Schema | None = None

    def load(self) -> None:
        """Loads settings, the ward's vocabularies, store, schema and manifest; may be called again after a failure."""
        from app.store import Store
        from extraction.ward_vocabulary import check_vocabularies

        self.settings = load_settings(paths.config_file())
        use_ward_folder(paths.language_dir())
        check_vocabularies()
        if self._store is None:
            self._store = Store(paths.database_file())  # it locks the data folder
            shutil.rmtree(paths.scratch_dir(), ignore_errors=True)
        self.refresh_models()
        self.use_schema(*read_schema(self.settings))
        self.refresh_signers()
        _warm_up()

    def refresh_signers(self) -> None:
        """Reads the signers; if there are none, adds the reviewer named in the settings of earlier versions."""
        signers = self.store.signers
        if self.settings.reviewer.strip() and not signers.all():
            signers.choose(signers.add(self.settings.reviewer).id)
        self.signing.known = signers.all()
        self.signing.minutes = self.settings.confirm_signer_minutes
        if self.signing.signer is None:
            self.signing.propose(signers.last())

    def refresh_models(self) -> None:
        self.models, self.device = self.engine.models(self.settings)

    def use_schema(self, schema: Schema, data: bytes) -> None:
        """Makes a schema, read from these bytes, the current one."""
        self.schema_version = self.store.schemas.save(schema, data)
        self._schemas[self.schema_version] = schema
        self._schema = schema

    def close(self) -> None:
        """Stops running jobs and closes everything; blocks until it is done. Nothing saved is lost."""
        self.sound.close()
        self.contracts.close()
        self.questions.close()
        self.filling.close()
        self.engine.interrupt()
        self.sheets.close()
        self.files.close()
        self.messages.close()
        if self._store is not None:
            self._store.close()
            self._store = None

    def forget_texts(self) -> None:
        """Empties the caches that hold words of dictations, in the inference process after what it is doing."""
        forget_texts()
        with suppress(LaneClosed):  # then the inference process ends, too
            self.filling.submit(FORGET, None, lambda _: self.engine.forget_texts())

    @property
    def ready(self) -> bool:
        """Whether dictations can be opened and filled."""
        return self._store is not None and self._schema is not None

    @property
    def store(self) -> Store:
        assert self._store is not None, "open first"
        return self._store

    @property
    def schema(self) -> Schema:
        assert self._schema is not None, "open first"
        return self._schema

    @property
    def reviewer(self) -> str:
        """The current signature. Raises NotSigned if nobody signs; for a person's decision, use `sign`."""
        if self.signing.signer is None:
            raise nobody_signs()
        return self.signing.name

    def sign(self) -> str:
        """The signature for a decision made now, see `Signing.sign`; call it on the window's thread."""
        return self.signing.sign()

    @property
    def collect(self) -> bool:
        return self.settings.collect_examples

    def chosen_model(self, role: str) -> ModelState | None:
        """The model that the settings choose for a role; None until the manifest is read."""
        wanted = getattr(self.settings, f"{role}_model")
        fitting = [model for model in self.models if model.role == role]
        return next((model for model in fitting if model.id == wanted or (not wanted and model.default)), None)

    def model_ids(self) -> dict[str, str]:
        """By role, the ids of the models that decide how values are weighed."""
        return {role: model.id for role in ("filler", "embedder") if (model := self.chosen_model(role))}

    @property
    def jobs(self) -> tuple[AnyJob, ...]:
        """The jobs of the models that leave something behind, the running one first."""
        return tuple(job for job in self.filling.jobs if not job.kind.passing)

    @property
    def can_follow(self) -> bool:
        """Whether recordings can be filled while they are made."""
        chosen = [self.chosen_model(role) for role in ("speech", "filler", "embedder")]
        wanted = self.settings.while_recording != "nothing"
        return wanted and all(model and model.status == "installed" for model in chosen)

    def schema_of(self, dictation: Dictation) -> Schema:
        """The schema version that the dictation is filled with, which a later change of schema does not affect."""
        return self.schema_of_version(dictation.schema_version_id)

    def schema_of_version(self, version: int) -> Schema:
        """A version of a schema in the store."""
        if version not in self._schemas:
            from extraction.schema_files.native_format import parse_schema

            self._schemas[version] = parse_schema(self.store.schemas.content(version), f"schema version {version}")
        return self._schemas[version]


def read_schema(settings: Settings) -> tuple[Schema, bytes]:
    """The schema that the settings name, and its bytes. Raises InputError if it is not valid."""
    from extraction.schema_files.native_format import parse_schema

    path = Path(settings.schema) if settings.schema else DEMONSTRATION_SCHEMA
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The flowsheet template {path} cannot be read: {error.strerror}.",
            "Choose another template file in the settings.",
        ) from error
    return parse_schema(data, str(path)), data


def _warm_up() -> None:
    """Loads what the first review would otherwise load on the window's thread."""
    import jsonschema  # noqa: F401

    convert(1.0, "kg", "[lb_av]")
