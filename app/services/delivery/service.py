"""The outbox for a person: what is in it, handed over, tried again or cancelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.record.outbox import MessageState, OutboxMessage
from app.services.context.workspace import Workspace
from app.services.delivery.channel import Channel
from app.services.delivery.jobs import OUTBOX, OutboxLine, OutboxState
from app.services.engine.job_lanes import AnyJob, Job
from app.system.record_system import DeliverySettings
from app.system.settings import Settings
from models.base.errors import InputError

if TYPE_CHECKING:
    from app.exchange.message_formats import MessageFormat
    from app.services.delivery.courier import Courier
    from app.store import Store

LINES_SHOWN = 100


class DeliveryService:
    """Each call is a job, whose result is what is in the outbox then."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def on(self) -> bool:
        """Whether messages are handed over."""
        return self._workspace.settings.delivery.on

    def read(self) -> Job[None, OutboxState]:
        """Only reads what is in the outbox."""
        return self._submit(lambda _: None)

    def deliver(self) -> Job[None, OutboxState]:
        """Takes the answers that have come and hands over what can be handed over now, if this is turned on."""
        return self._submit(self._run)

    def retry(self, number: int) -> Job[None, OutboxState]:
        """Hands a message over again, under the same id. Fails with InputError if it is accepted or cancelled."""
        signed = self._workspace.sign()

        def work(job: AnyJob) -> None:
            retry(self._workspace.store, self._workspace.settings, number, signed)
            self._run(job)

        return self._submit(work)

    def cancel(self, number: int) -> Job[None, OutboxState]:
        """Takes a message out of the outbox, so that the receiver is not told. Fails with InputError as `retry`."""
        signed = self._workspace.sign()

        def work(job: AnyJob) -> None:
            self._workspace.store.outbox.cancel(number, signed)
            self._run(job)

        return self._submit(work)

    def _run(self, job: AnyJob) -> None:
        if courier := courier_of(self._workspace.store, self._workspace.settings):
            courier.run(job.is_cancelled)

    def _submit(self, act: Callable[[AnyJob], None]) -> Job[None, OutboxState]:
        def work(job: AnyJob) -> OutboxState:
            act(job)
            return outbox_state(self._workspace.store, self._workspace.settings)

        return self._workspace.messages.submit(OUTBOX, None, work)


def courier_of(store: Store, settings: Settings) -> Courier | None:
    """What hands messages over by these settings; None if that is turned off."""
    from app.exchange.message_formats import message_format
    from app.services.delivery.courier import Courier

    written = message_format(settings, store)
    channel = _channel(settings.delivery, written)
    return Courier(store, channel, written) if channel else None


def _channel(settings: DeliverySettings, written: MessageFormat) -> Channel | None:
    from app.services.delivery.drop_folder import DropFolder
    from app.services.delivery.fhir_server import FhirServer
    from app.services.delivery.mllp_receiver import MllpReceiver

    match settings.channel:
        case "folder":
            return DropFolder(Path(settings.folder).expanduser(), written)
        case "mllp":
            return MllpReceiver(settings)
        case "fhir":
            return FhirServer(settings)
    return None


def retry(store: Store, settings: Settings, number: int, signed: str) -> None:
    """Lets a message be handed over again, unless its answer has come meanwhile. Raises InputError if it is settled."""
    if courier := courier_of(store, settings):
        courier.take_answers()
    message = store.outbox.one(number)
    if message.state is MessageState.QUEUED:
        raise InputError(f"Message {number} has not been tried yet.", "It goes out in its turn.")
    store.outbox.retry(number, signed)


def outbox_state(store: Store, settings: Settings) -> OutboxState:
    """What is in the outbox, newest first."""
    lines = tuple(_line(store, message) for message in store.outbox.newest(LINES_SHOWN))
    return OutboxState(settings.delivery.on, lines)


def _line(store: Store, message: OutboxMessage) -> OutboxLine:
    told = Counter(one.state for one in store.outbox.observations(message.number))
    try:
        name = store.dictations.one(message.dictation_id).name
    except InputError:  # it was deleted
        name = ""
    return OutboxLine(
        message, store.patients.one(message.patient_id), name, told["final"], told["amended"], told["withdrawn"]
    )
