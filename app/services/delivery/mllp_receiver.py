"""A receiver of HL7 v2 messages on a connection (MLLP), which answers each message at once."""

from __future__ import annotations

from collections.abc import Callable

from app.exchange.hl7 import mllp
from app.exchange.hl7.errors import DeliveryUnknown, InvalidMessage, NotDelivered
from app.exchange.message_formats import Answer
from app.services.delivery.channel import NotAccepted, OutcomeUnknown
from app.services.delivery.encryption import encryption_in
from app.system.record_system import DeliverySettings, host_and_port

TIMEOUT_SECONDS = 15.0


class MllpReceiver:
    """The channel. A message is known by its id (MSH-10), under which it is sent again if no answer came."""

    def __init__(self, settings: DeliverySettings, timeout: float = TIMEOUT_SECONDS) -> None:
        self._host, self._port = host_and_port(settings.address)
        self._encryption = encryption_in(settings) if settings.tls else None
        self._timeout = timeout

    def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> Answer | None:
        context = self._encryption.context() if self._encryption else None
        leaving()
        try:
            answer = mllp.send(data, self._host, self._port, self._timeout, context)
        except InvalidMessage as error:
            return Answer(accepted=False, reason=str(error))
        except NotDelivered as error:
            raise NotAccepted(error.what, error.next_step) from error
        except DeliveryUnknown as error:
            raise OutcomeUnknown(error.what, error.next_step) from error
        return Answer(answer.is_accepted, str(answer))

    def left(self, message_id: str) -> bool | None:
        return None

    def answer(self, message_id: str) -> Answer | None:
        return None
