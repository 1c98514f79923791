"""The formats in which messages are handed to a receiver, described in docs/storage.md.

A new one is a function that makes a `MessageFormat`, and in `_FORMATS`. The libraries of a format load only when it is
written.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.exchange.file_formats import ExportOptions, options_in
from app.exchange.observations import Message, ObservationState
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema

if TYPE_CHECKING:
    from app.store import Store

FORMAT = "wardlight-message/1"
_HL7_BEGIN = b"MSH"


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
        read_answer: reads an answer in this format to the message with this id; None if the bytes are none.
    """

    name: str
    label: str
    suffix: str
    render: Callable[[Message], bytes]
    read_answer: Callable[[bytes, str], Answer | None]


def message_format(settings: Settings, store: Store) -> MessageFormat:
    """The format of the messages by these settings."""
    return _FORMATS[settings.delivery.message_format](_Writing(settings, store))


class _Writing:
    """What a message is written with: the schema of its values, the identity of the store, and the settings."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._known: dict[str, tuple[Schema, ExportOptions]] = {}

    def of(self, message: Message) -> tuple[Schema, ExportOptions]:
        """The schema that the values of a message were filled with, and how it is to look."""
        from extraction.schema_files.native_format import parse_schema

        standing = [one.record for one in message.observations if one.state is not ObservationState.WITHDRAWN]
        sha256 = (standing or [one.record for one in message.observations])[-1].schema_sha256
        if sha256 not in self._known:
            schema = parse_schema(self._store.schemas.content_of(sha256), "The flowsheet template of the dictation")
            self._known[sha256] = (
                schema,
                options_in(self._settings, schema, (self._settings.delivery.message_format,)),
            )
        return self._known[sha256]

    def fhir(self, message: Message) -> bytes:
        from app.exchange.fhir.bundle import fhir_bundle
        from app.exchange.fhir.participants import Sender

        schema, options = self.of(message)
        sender = Sender(self._store.outbox.installation, options.mrn_system)
        return fhir_bundle(message, options.codes, schema, sender)

    def hl7(self, message: Message) -> bytes:
        from app.exchange.hl7.oru import oru_message

        schema, options = self.of(message)
        return oru_message(message, options.codes, schema, options.receiver)


def _json_message(message: Message) -> bytes:
    """The fields of the message and, in each observation, those of an export."""
    content = {"format": FORMAT, **asdict(message)}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8", "replace") + b"\n"


def _json_answer(data: bytes, message_id: str) -> Answer | None:
    """`{"accepted": true}` or `{"accepted": false, "reason": "..."}`."""
    try:
        content = json.loads(data)
    except ValueError:
        return None
    if not isinstance(content, dict) or not isinstance(content.get("accepted"), bool):
        return None
    return Answer(content["accepted"], str(content.get("reason", "")))


def _fhir_answer(data: bytes, message_id: str) -> Answer | None:
    from app.exchange.fhir.answers import read_transaction_answer

    answer = read_transaction_answer(data)
    return Answer(answer.accepted, str(answer)) if answer else None


def _hl7_answer(data: bytes, message_id: str) -> Answer | None:
    """Raises UnreadableAnswer for an acknowledgement that is damaged, or about another message."""
    from app.exchange.hl7.acknowledgements import read_acknowledgement

    if not data.lstrip().startswith(_HL7_BEGIN):
        return None
    answer = read_acknowledgement(data, message_id)
    return Answer(answer.is_accepted, str(answer))


JSON = MessageFormat("json", "JSON", ".json", _json_message, _json_answer)
_FORMATS: dict[str, Callable[[_Writing], MessageFormat]] = {
    "json": lambda _: JSON,
    "hl7": lambda writing: MessageFormat("hl7", "HL7 v2", ".hl7", writing.hl7, _hl7_answer),
    "fhir": lambda writing: MessageFormat("fhir", "FHIR", ".fhir.json", writing.fhir, _fhir_answer),
}
