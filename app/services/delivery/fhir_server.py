"""A FHIR server, to which each message is posted as one transaction and which answers at once.

Only the address of the settings is ever called: no redirect is followed, and no proxy taken from the environment.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.exchange.fhir.answers import read_transaction_answer
from app.exchange.message_formats import Answer
from app.services.delivery.channel import NotAccepted, OutcomeUnknown

if TYPE_CHECKING:
    import httpx2

_CONNECT_SECONDS, _ANSWER_SECONDS = 10.0, 30.0
_LONGEST_ANSWER = 1 << 24
_MEDIA_TYPE = "application/fhir+json"
_AGAIN = "It is tried again by itself; show this to whoever looks after the interface if it stays so."
# a server says these about the content of a bundle: sending it again changes nothing
_ABOUT_CONTENT = frozenset({400, 409, 412, 413, 415, 422})


class FhirServer:
    """The channel. Entries are stored under their own ids, so that a bundle sent again changes nothing.

    Args:
        certificates: a PEM file with the authorities that may have certified the server; None for those of the system.
    """

    def __init__(
        self,
        address: str,
        certificates: Path | None = None,
        *,
        connect_seconds: float = _CONNECT_SECONDS,
        answer_seconds: float = _ANSWER_SECONDS,
    ) -> None:
        self._address, self._certificates = address.strip(), certificates
        self._connect_seconds, self._answer_seconds = connect_seconds, answer_seconds

    def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> Answer | None:
        import httpx2

        verify = self._trusted()
        times = httpx2.Timeout(self._answer_seconds, connect=self._connect_seconds)
        heads = {"Content-Type": f"{_MEDIA_TYPE}; charset=utf-8", "Accept": _MEDIA_TYPE}
        leaving()
        try:
            with (
                httpx2.Client(verify=verify, trust_env=False, follow_redirects=False, timeout=times) as client,
                client.stream("POST", self._address, content=data, headers=heads) as response,
            ):
                status, body = response.status_code, self._body(response)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
            raise NotAccepted(
                f"There is no connection to {self._address} ({error or type(error).__name__}).",
                f"Check that the server is running and that its address is right. {_AGAIN}",
            ) from error
        except httpx2.HTTPError as error:
            raise OutcomeUnknown(
                f"The message was sent to {self._address}, and no whole answer came ({error or type(error).__name__}).",
                _AGAIN,
            ) from error
        return self._answer(status, body)

    def left(self, message_id: str) -> bool | None:
        return None

    def answer(self, message_id: str) -> Answer | None:
        return None

    def _trusted(self) -> ssl.SSLContext | bool:
        """Which certificates the server may have. Raises NotAccepted if their file cannot be read."""
        if self._certificates is None:
            return True
        try:
            return ssl.create_default_context(cafile=self._certificates)
        except OSError as error:
            raise NotAccepted(
                f"The certificates {self._certificates} cannot be read: {error.strerror or error}.",
                "Name a PEM file with the hospital's certificate authority in the settings.",
            ) from error

    def _body(self, response: httpx2.Response) -> bytes:
        """The answer, within its time and size. Raises OutcomeUnknown if it is larger or takes longer."""
        deadline = time.monotonic() + self._answer_seconds
        body = b""
        for piece in response.iter_bytes():
            body += piece
            if len(body) > _LONGEST_ANSWER or time.monotonic() > deadline:
                raise OutcomeUnknown(f"The answer of {self._address} is too large or too slow to be read.", _AGAIN)
        return body

    def _answer(self, status: int, body: bytes) -> Answer:
        answer = read_transaction_answer(body)
        if 200 <= status < 300:
            if answer is None:
                raise OutcomeUnknown(
                    f"{self._address} answered {status}, but not with what became of the transaction.",
                    f"Check that this is the base address of a FHIR server. {_AGAIN}",
                )
            return Answer(answer.accepted, str(answer))
        said = f": {answer}" if answer and answer.problems else ""
        if answer and status in _ABOUT_CONTENT:
            return Answer(accepted=False, reason=f"{status}{said or ': no reason was given'}.")
        what = f"{self._address} answered {status}{said}."
        if status >= 500:
            raise OutcomeUnknown(what, _AGAIN)
        raise NotAccepted(what, _AGAIN)
