"""How a message reaches the receiver, and the two ways in which that can fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from app.exchange.message_formats import Answer
from models.base.errors import ResourceError


class NotAccepted(ResourceError):
    """The receiver surely does not have the message; it can be handed over again."""

    code = "not-accepted"


class SignInRefused(NotAccepted):
    """The receiver does not know who sends the message: a person has to enter a password or token before it is sent."""

    code = "sign-in-refused"


class OutcomeUnknown(ResourceError):
    """The receiver may have the message; it is handed over again under the same id, by which the receiver knows it."""

    code = "outcome-unknown"


class Channel(Protocol):
    """A way to the receiver. Every method may raise NotAccepted if the receiver cannot be reached."""

    def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> Answer | None:
        """Hands a message over; returns the answer, None if it comes later.

        `leaving` is called once the next step may bring the message to the receiver. Whatever this raises passes.

        Raises NotAccepted or OutcomeUnknown, no other error.
        """

    def left(self, message_id: str) -> bool | None:
        """Whether a message for which `leaving` was called has left; None if nobody can know."""

    def answer(self, message_id: str) -> Answer | None:
        """The answer to a message that left; None if there is none yet.

        Raises OutcomeUnknown if there is one from which nobody can tell what became of the message.
        """
