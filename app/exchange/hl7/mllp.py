"""Sends one message over MLLP, the minimal lower layer protocol of HL7: a connection, a frame, its answer.

Nothing is ever sent a second time: whether to do so depends on what became of the first, which the errors tell.
"""

from __future__ import annotations

import socket
import ssl
import time

from app.exchange.hl7.acknowledgements import Acknowledgement, read_acknowledgement
from app.exchange.hl7.errors import DeliveryUnknown, InvalidMessage, NotDelivered, UnreadableAnswer

_START = b"\x0b"
_END = b"\x1c"
_FRAME_END = _END + b"\r"
_LONGEST_ANSWER = 1 << 20
_CHUNK = 1 << 16
# how the receiver says in TLS that it wants another certificate, or one at all
_DISTRUST = (
    "ALERT_CERTIFICATE_REQUIRED",
    "ALERT_BAD_CERTIFICATE",
    "ALERT_UNSUPPORTED_CERTIFICATE",
    "ALERT_CERTIFICATE_REVOKED",
    "ALERT_CERTIFICATE_EXPIRED",
    "ALERT_CERTIFICATE_UNKNOWN",
    "ALERT_UNKNOWN_CA",
    "ALERT_ACCESS_DENIED",
)
_ASK = "The receiver may have the values: ask before you send them again."


def send(
    message: bytes, host: str, port: int, timeout: float = 30.0, encryption: ssl.SSLContext | None = None
) -> Acknowledgement:
    """Sends a message to this one address and returns the first answer, be it that it was accepted or refused.

    Args:
        message: what `app.exchange.hl7.oru.oru_message` returned.
        timeout: seconds in which to connect, and then again in which to send and be answered.
        encryption: whose certificates the receiver may have; None for a connection that is not encrypted.

    Raises:
        NotDelivered: no connection, or one of the two does not believe the other's certificate; nothing was sent.
        DeliveryUnknown: something was sent, and no answer came that says what became of it.
    """
    message_id = _message_id(message)
    where = f"{host}, port {port}"
    try:
        connection = _connected(host, port, timeout, encryption)
    except (OSError, OverflowError, ValueError) as error:
        raise NotDelivered(
            f"Message {message_id} was not sent: there is no connection to {where} ({_reason(error)}).",
            "Check that the receiver is running and that its address is right, then send it again.",
            retryable=True,
        ) from error
    with connection:
        deadline = time.monotonic() + timeout
        try:
            connection.sendall(_START + message + _FRAME_END)
            answer = _answer(connection, message_id, deadline)
        except TimeoutError as error:
            what = f"Message {message_id} was sent to {where}, and no answer came within {timeout:g} seconds."
            raise DeliveryUnknown(what, _ASK) from error
        except OSError as error:
            if isinstance(error, ssl.SSLError) and (error.reason or "").endswith(_DISTRUST):
                # from TLS 1.3 on this comes when the message is on its way, and before the receiver may read it
                raise NotDelivered(
                    f"Message {message_id} was not taken: {where} does not believe Wardlight's certificate "
                    f"({_reason(error)}).",
                    "Name a certificate that the receiver knows in the settings.",
                ) from error
            what = f"The connection to {where} broke before message {message_id} was answered ({_reason(error)})."
            raise DeliveryUnknown(what, _ASK) from error
    return read_acknowledgement(answer, message_id)


def _connected(host: str, port: int, timeout: float, encryption: ssl.SSLContext | None) -> socket.socket:
    connection = socket.create_connection((host, port), timeout)
    if encryption is None:
        return connection
    try:
        return encryption.wrap_socket(connection, server_hostname=host)
    except BaseException:
        connection.close()
        raise


def _message_id(message: bytes) -> str:
    """MSH-10."""
    header = message.partition(b"\r")[0].split(b"|")
    name = header[9].decode("ascii", "replace") if len(header) > 9 and header[0] == b"MSH" else ""
    if not name:
        raise InvalidMessage("without an id", "MSH", 10, "it has no id that an answer could name.")
    if _START in message or _END in message:
        raise InvalidMessage(name, "", None, "it contains a character that begins or ends a message in MLLP.")
    return name


def _answer(connection: socket.socket, message_id: str, deadline: float) -> bytes:
    """The content of the first frame that arrives, in however many pieces.

    A frame counts as whole with its end character; some receivers leave out the carriage return after it.
    """
    received = b""
    while _END not in received:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        piece = connection.recv(_CHUNK)
        if not piece:
            how = "in the middle of its answer" if received else "without an answer"
            raise DeliveryUnknown(f"The receiver closed the connection {how} to message {message_id}.", _ASK)
        received = (received + piece).lstrip(b"\r\n")
        if (received and not received.startswith(_START)) or len(received) > _LONGEST_ANSWER:
            raise UnreadableAnswer(f"The receiver's answer to message {message_id} is not an MLLP frame.", _ASK)
    return received[1:].partition(_END)[0]


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
