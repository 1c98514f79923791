"""A FHIR server, to which each message is posted as one transaction and which answers at once.

Only the addresses of the settings are ever called: no redirect is followed, and no proxy taken from the environment.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.exchange.fhir.answers import read_transaction_answer
from app.exchange.message_formats import Answer
from app.services.delivery.channel import NotAccepted, OutcomeUnknown
from app.services.delivery.encryption import encryption_in
from app.services.delivery.sign_in import SignIn
from app.system.record_system import DeliverySettings

if TYPE_CHECKING:
    import httpx2

_CONNECT_SECONDS, _ANSWER_SECONDS = 10.0, 30.0
_LONGEST_ANSWER = 1 << 24
_MEDIA_TYPE = "application/fhir+json"
_AGAIN = "It is tried again by itself; show this to whoever looks after the interface if it stays so."
# a server says these about the content of a bundle: sending it again changes nothing
_ABOUT_CONTENT = frozenset({400, 409, 412, 413, 415, 422})
_SIGN_IN_FIRST = 401


class FhirServer:
    """The channel. Entries are stored under their own ids, so that a bundle sent again changes nothing."""

    def __init__(
        self,
        settings: DeliverySettings,
        *,
        connect_seconds: float = _CONNECT_SECONDS,
        answer_seconds: float = _ANSWER_SECONDS,
    ) -> None:
        self._address, self._encryption = settings.address.strip(), encryption_in(settings)
        self._sign_in = SignIn(settings)
        self._connect_seconds, self._answer_seconds = connect_seconds, answer_seconds

    def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> Answer | None:
        import httpx2

        verify = self._encryption.context()
        times = httpx2.Timeout(self._answer_seconds, connect=self._connect_seconds)
        with httpx2.Client(verify=verify, trust_env=False, follow_redirects=False, timeout=times) as client:
            head = self._sign_in.head(client)
            leaving()
            status, body = self._post(client, data, head)
            if status == _SIGN_IN_FIRST:  # a token may have expired
                status, body = self._post(client, data, self._sign_in.renewed(client, head))
        if status == _SIGN_IN_FIRST:
            raise self._sign_in.refused()
        return self._answer(status, body)

    def _post(self, client: httpx2.Client, data: bytes, sign_in: dict[str, str]) -> tuple[int, bytes]:
        """Posts a bundle once; returns status and body of the answer."""
        import httpx2

        heads = {"Content-Type": f"{_MEDIA_TYPE}; charset=utf-8", "Accept": _MEDIA_TYPE, **sign_in}
        try:
            with client.stream("POST", self._address, content=data, headers=heads) as response:
                return response.status_code, self._body(response)
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

    def left(self, message_id: str) -> bool | None:
        return None

    def answer(self, message_id: str) -> Answer | None:
        return None

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
