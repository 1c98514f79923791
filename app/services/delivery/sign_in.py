"""How Wardlight signs in at a FHIR server: a token, name and password, or tokens for an id and a secret (OAuth 2).

A secret stands in the heads of requests alone; no error quotes it, nor what a token service says but for its code.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.services.delivery.channel import NotAccepted, SignInRefused
from app.system.record_system import DeliverySettings

if TYPE_CHECKING:
    import httpx2

ENTER_AGAIN = "Enter it again under Settings, Filing, then send this message again."
_ASK_FOR_ONE = "Choose how to sign in under Settings, Filing, then send this message again."
_AGAIN = "It is tried again by itself; show this to whoever looks after the interface if it stays so."
_CODE = re.compile(r"[a-z_]{1,40}")  # of an error in OAuth
_TOKEN = re.compile(r"[\x21-\x7e]+")
_WORDS = {"bearer": "token", "basic": "password", "client": "client secret"}


@dataclass(slots=True)
class SignIn:
    """The sign-in of a channel; a token that a service gave out is kept as long as the channel."""

    settings: DeliverySettings
    _token: str = field(default="", repr=False)

    def head(self, client: httpx2.Client) -> dict[str, str]:
        """The head that signs a request in; none without a sign-in.

        Raises SignInRefused if the secret is missing or the token service refuses it, NotAccepted if that service
        cannot be reached.
        """
        match self.settings.sign_in:
            case "bearer":
                return {"Authorization": f"Bearer {self._secret()}"}
            case "basic":
                return {"Authorization": _basic(self.settings.user, self._secret())}
            case "client":
                self._token = self._token or self._fetched(client)
                return {"Authorization": f"Bearer {self._token}"}
        return {}

    def renewed(self, client: httpx2.Client, used: dict[str, str]) -> dict[str, str]:
        """The head in place of one that was `used` and refused: with a new token, or what was entered meanwhile.

        Raises as `head` does, and SignInRefused if there is nothing else to try.
        """
        self._token = ""
        head = self.head(client)
        if head == used:
            raise self.refused()
        return head

    def refused(self) -> SignInRefused:
        """The error for a request that the server refused for its sign-in (401)."""
        where = self.settings.address.strip()
        if not self.settings.sign_in:
            return SignInRefused(f"{where} answered 401: it asks for a sign-in.", _ASK_FOR_ONE)
        return SignInRefused(f"{where} answered 401: it does not take the {self._words}.", ENTER_AGAIN)

    @property
    def _words(self) -> str:
        return _WORDS[self.settings.sign_in]

    def _secret(self) -> str:
        secret = self.settings.sign_in_secret.read()
        if not secret:
            raise SignInRefused(f"No {self._words} is stored for {self.settings.address.strip()}.", ENTER_AGAIN)
        if self.settings.sign_in == "bearer" and not _TOKEN.fullmatch(secret):
            raise SignInRefused("The stored token has characters that no token has.", ENTER_AGAIN)
        return secret

    def _fetched(self, client: httpx2.Client) -> str:
        """A token for id and secret (RFC 6749, 4.4)."""
        import httpx2

        where = self.settings.token_address.strip()
        fields = {"grant_type": "client_credentials"} | ({"scope": self.settings.scope} if self.settings.scope else {})
        # RFC 6749, 2.3.1: both are encoded as in a form before they are joined
        head = {"Authorization": _basic(quote(self.settings.user, safe=""), quote(self._secret(), safe=""))}
        try:
            answer = client.post(where, data=fields, headers=head | {"Accept": "application/json"})
        except httpx2.HTTPError as error:
            raise NotAccepted(
                f"There is no connection to the token service {where} ({error or type(error).__name__}).", _AGAIN
            ) from error
        content = _object(answer.content)
        token = content.get("access_token")
        if answer.status_code == 200 and isinstance(token, str) and _TOKEN.fullmatch(token):
            return token
        code = str(content.get("error", ""))
        said = f" ({code})" if _CODE.fullmatch(code) else ""
        what = f"The token service {where} answered {answer.status_code}{said} and gave no token."
        if answer.status_code in (400, 401, 403):
            raise SignInRefused(what, f"Check id, scope and client secret under Settings, Filing. {ENTER_AGAIN}")
        raise NotAccepted(what, _AGAIN)


def _basic(user: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"


def _object(data: bytes) -> dict[str, object]:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
