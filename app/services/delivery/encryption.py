"""The encryption of a connection to the receiver: whose certificates are believed, and which one is shown."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path

from app.services.delivery.channel import NotAccepted, SignInRefused
from app.system.record_system import DeliverySettings
from app.system.secrets import Secret


@dataclass(frozen=True, slots=True)
class Encryption:
    """What TLS needs.

    Attributes:
        authorities: a PEM file with the authorities that may have certified the receiver; None for those of the system.
        certificate: a PEM file with the certificate that is shown to the receiver, and its key; None to show none.
        key_secret: the password of that key.
    """

    authorities: Path | None = None
    certificate: Path | None = None
    key_secret: Secret = field(default_factory=lambda: Secret("", ""))

    def context(self) -> ssl.SSLContext:
        """Raises NotAccepted if a file cannot be used, SignInRefused if the password of the key is wrong."""
        try:
            context = ssl.create_default_context(cafile=self.authorities)
        except OSError as error:
            raise NotAccepted(
                f"The certificates {self.authorities} cannot be read: {error.strerror or error}.",
                "Name a PEM file with the hospital's certificate authority in the settings.",
            ) from error
        if self.certificate:
            self._show(context, self.certificate)
        return context

    def _show(self, context: ssl.SSLContext, certificate: Path) -> None:
        # without a password OpenSSL would ask for one on the terminal
        password = self.key_secret.read() or ""
        try:
            context.load_cert_chain(certificate, password=lambda: password)
        except FileNotFoundError as error:
            raise NotAccepted(
                f"There is no certificate {certificate}.", "Name the file in the settings, or empty the field."
            ) from error
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError; it does not name the password
            why = "the password is wrong, or it is damaged" if password else "it has no key, or no password is stored"
            raise SignInRefused(
                f"The certificate {certificate} cannot be used: {why}.",
                "Check the file and the password of its key under Settings, Filing, then send this message again.",
            ) from error


def encryption_in(settings: DeliverySettings) -> Encryption:
    """The encryption that the settings describe."""

    def path(text: str) -> Path | None:
        return Path(text).expanduser() if text else None

    return Encryption(path(settings.certificates), path(settings.client_certificate), settings.key_secret)
