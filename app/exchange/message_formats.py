"""The formats in which messages are handed to a receiver. A new one is a `MessageFormat`, and in `MESSAGE_FORMATS`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from app.exchange.observations import Message

FORMAT = "wardlight-message/1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a receiver says to a message: whether it has it, or why it does not take it."""

    accepted: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """A format.

    Attributes:
        suffix: of a file with a message.
        render: writes a message; raises a WardlightError if it cannot be written in this format.
        read_answer: reads an answer in this format; None if the bytes are none.
    """

    name: str
    label: str
    suffix: str
    render: Callable[[Message], bytes]
    read_answer: Callable[[bytes], Answer | None]


def _json_message(message: Message) -> bytes:
    """The fields of the message and, in each observation, those of an export."""
    content = {"format": FORMAT, **asdict(message)}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8", "replace") + b"\n"


def _json_answer(data: bytes) -> Answer | None:
    """`{"accepted": true}` or `{"accepted": false, "reason": "..."}`."""
    try:
        content = json.loads(data)
    except ValueError:
        return None
    if not isinstance(content, dict) or not isinstance(content.get("accepted"), bool):
        return None
    return Answer(content["accepted"], str(content.get("reason", "")))


MESSAGE_FORMATS: dict[str, MessageFormat] = {
    known.name: known for known in (MessageFormat("json", "JSON", ".json", _json_message, _json_answer),)
}
