"""What may go wrong with a message: it is not as it must be, it did not arrive, or nobody knows whether it did."""

from models.base.errors import InputError, ResourceError

_NEXT_STEP = "Nothing was sent. Show this to whoever looks after the interface."


class InvalidMessage(InputError):
    """A message may not be sent as it is.

    Attributes:
        message_id: of the message (MSH-10).
        segment: such as `OBX 3`, the third OBX of the message; empty if it is about the whole message.
        field: its number in the segment; None if it is about the whole segment.
    """

    code = "hl7-invalid"

    def __init__(
        self, message_id: str, segment: str, field: int | None, problem: str, next_step: str = _NEXT_STEP
    ) -> None:
        place = ", ".join(part for part in (segment, f"field {field}" if field else "") if part)
        super().__init__(f"Message {message_id}{f', {place}' if place else ''}: {problem}", next_step)
        self.message_id = message_id
        self.segment = segment
        self.field = field


class NotDelivered(ResourceError):
    """Nothing of the message was sent: the receiver surely does not have it."""

    code = "hl7-not-delivered"


class DeliveryUnknown(ResourceError):
    """The message was sent, wholly or in part, and no answer says what became of it: the receiver may have it."""

    code = "hl7-delivery-unknown"


class UnreadableAnswer(DeliveryUnknown):
    """The answer is no acknowledgement of the message."""

    code = "hl7-unreadable-answer"
