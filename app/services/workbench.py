"""The one door to all services, for the window; Qt-free."""

from __future__ import annotations

from app.services.asking.service import AskingService
from app.services.context.signing import Signing
from app.services.context.workspace import Workspace
from app.services.contracts.service import ContractService
from app.services.delivery.service import DeliveryService
from app.services.dictations.identity import IdentityService
from app.services.dictations.service import DictationService
from app.services.discovery.service import DiscoveryService
from app.services.engine.engine import Engine
from app.services.engine.job_lanes import GRACE_SECONDS, AnyJob, Job, Listener
from app.services.handover.gaps import GapService
from app.services.handover.notes import NoteService
from app.services.handover.service import HandoverService
from app.services.intake.service import IntakeService
from app.services.patients.service import PatientService
from app.services.review.filing import FilingService
from app.services.review.service import ReviewService
from app.services.review.sheets import SheetService
from app.services.review.spoken_values import SpokenValueService
from app.services.settings.jobs import OPEN
from app.services.settings.models import ModelService
from app.services.settings.service import SettingsService
from app.services.settings.signers import SignerService


class Workbench:
    """The services, each an attribute.

    `open` comes first; until its `JobFinished`, only `settings.current` and `close` may be used.

    Args:
        listener: gets each job's events on the job's thread (see `app.services.engine.job_lanes` and
            `app.services.intake.jobs`).
        engine: runs the models; the real one by default.
        grace_seconds: how long a stopped job may take before its worker process is killed.
    """

    def __init__(
        self, listener: Listener, *, engine: Engine | None = None, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        workspace = self.workspace = Workspace(listener, engine=engine, grace_seconds=grace_seconds)
        self.settings = SettingsService(workspace)
        self.models = ModelService(workspace)
        self.signers = SignerService(workspace)
        self.contracts = ContractService(workspace)
        self.discovery = DiscoveryService(workspace)
        self.patients = PatientService(workspace)
        self.intake = IntakeService(workspace)
        self.sheets = SheetService(workspace)
        self.review = ReviewService(workspace, self.sheets)
        self.spoken_values = SpokenValueService(workspace)
        self.gaps = GapService(workspace)
        self.notes = NoteService(workspace, self.sheets)
        self.handover = HandoverService(workspace)
        self.filing = FilingService(workspace, self.sheets)
        self.delivery = DeliveryService(workspace)
        self.dictations = DictationService(workspace, self.intake)
        self.identity = IdentityService(workspace, self.intake)
        self.asking = AskingService(workspace)

    @property
    def ready(self) -> bool:
        """Whether dictations can be opened and filled."""
        return self.workspace.ready

    @property
    def signing(self) -> Signing:
        """Who signs."""
        return self.workspace.signing

    @property
    def jobs(self) -> tuple[AnyJob, ...]:
        """The jobs of the models that leave something behind, the running one first."""
        return self.workspace.jobs

    def open(self) -> Job[None, None]:
        """Loads settings, store, schema and manifest. May be called again after a failure."""
        return self.workspace.files.submit(OPEN, None, lambda _: self.workspace.load())

    def close(self) -> None:
        """Stops running jobs and closes everything; blocks until it is done. Nothing saved is lost."""
        self.workspace.close()
