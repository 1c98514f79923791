"""The fields of the settings page for filing that say how Wardlight signs in at the record system."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QCheckBox, QLineEdit

from app.system.record_system import DeliverySettings
from app.system.secrets import has_keyring
from ui.dialogs.file_choice import choose_file
from ui.kit.theme import Theme
from ui.kit.widgets import button, clearable
from ui.settings.form import Form, choices

SIGN_INS = {
    "": "No sign-in",
    "bearer": "Token",
    "basic": "User name and password",
    "client": "Client id and secret (OAuth 2)",
}
_KEPT = "stored; leave empty to keep it"
_UNKNOWN = "not stored yet"
_IN_KEYRING = "Kept in this computer's keyring, never in the settings."
_NO_KEYRING = (
    "This computer has no keyring: kept until Wardlight closes. The environment variable {} can give it instead."
)
_PEM_FILES = "Certificates (*.pem *.crt);;All files (*)"


class SignInFields:
    """Fields in a form; `changed` returns what is chosen but for the secrets, which `keep_secrets` stores."""

    def __init__(self, theme: Theme, form: Form) -> None:
        self._form, self._shown, self._channel = form, DeliverySettings(), ""
        self.tls = QCheckBox("Encrypt the MLLP connection (&TLS)")
        form.add("", self.tls, "The receiver must expect it. FHIR is encrypted if its address begins with https.")
        self.certificate = QLineEdit()
        self.certificate.setPlaceholderText("None is shown")
        clearable(self.certificate)
        self._choose = button(
            "Choose…", theme.icon("folder"), tip="Choose Wardlight's own certificate", clicked=self._choose_certificate
        )
        about = "If the receiver asks for one: a PEM file with certificate and key."
        form.add("Own certificate", self.certificate, about, beside=self._choose)
        self.key_password = _secret_field()
        form.add("Key password", self.key_password, "Of the key in that file, if it has one.")
        self.kind = choices(SIGN_INS)
        self.kind.currentIndexChanged.connect(self._enable)
        form.add("Sign-in", self.kind, "At a FHIR server, over https only.")
        self.user = QLineEdit()
        clearable(self.user)
        form.add("User or client id", self.user, "As the record system knows Wardlight.")
        self.secret = _secret_field()
        form.add("Password or token", self.secret, _IN_KEYRING)
        self.token_address = QLineEdit()
        self.token_address.setPlaceholderText("such as https://id.hospital/token")
        clearable(self.token_address)
        form.add("Token service", self.token_address, "OAuth 2: where id and secret are exchanged for a token.")
        self.scope = QLineEdit()
        clearable(self.scope)
        form.add("Scope", self.scope, "OAuth 2: what to ask for, such as system/Observation.write.")

    def show_settings(self, delivery: DeliverySettings) -> None:
        """Shows settings in the fields; of a secret only whether it is stored."""
        self._shown = delivery
        self.tls.setChecked(delivery.tls)
        self.kind.setCurrentIndex(self.kind.findData(delivery.sign_in))
        for field, text in (
            (self.certificate, delivery.client_certificate),
            (self.user, delivery.user),
            (self.token_address, delivery.token_address),
            (self.scope, delivery.scope),
        ):
            field.setText(text)
        for field, wanted, secret in (
            (self.secret, delivery.sign_in, delivery.sign_in_secret),
            (self.key_password, delivery.client_certificate, delivery.key_secret),
        ):
            field.clear()
            field.setPlaceholderText((_KEPT if secret.read() else _UNKNOWN) if wanted else "")
        self._enable()

    def changed(self) -> dict[str, Any]:
        """The chosen values by name of the setting."""
        return {
            "tls": self.tls.isChecked(),
            "client_certificate": self.certificate.text().strip(),
            "sign_in": self.kind.currentData(),
            "user": self.user.text().strip(),
            "token_address": self.token_address.text().strip(),
            "scope": self.scope.text().strip(),
        }

    def keep_secrets(self, delivery: DeliverySettings) -> None:
        """Stores the secrets that were entered, for these settings."""
        if self.secret.text() and delivery.sign_in:
            delivery.sign_in_secret.keep(self.secret.text())
        if self.key_password.text() and delivery.client_certificate:
            delivery.key_secret.keep(self.key_password.text())

    def enable_for(self, channel: str) -> None:
        """Leaves those fields to be filled in that a way to the record system needs."""
        self._channel = channel
        self._enable()

    def _enable(self) -> None:
        kind = self.kind.currentData() if self._channel == "fhir" else ""
        self.tls.setEnabled(self._channel == "mllp")
        for field in (self.certificate, self._choose, self.key_password):
            field.setEnabled(self._channel in ("mllp", "fhir"))
        self.kind.setEnabled(self._channel == "fhir")
        self.secret.setEnabled(bool(kind))
        self.user.setEnabled(kind in ("basic", "client"))
        for field in (self.token_address, self.scope):
            field.setEnabled(kind == "client")
        if kind:
            about = _IN_KEYRING if has_keyring() else _NO_KEYRING.format(self._shown.sign_in_secret.variable)
            self._form.explain(self.secret, about)

    def _choose_certificate(self) -> None:
        if path := choose_file(self._form, "Own certificate", _PEM_FILES, self.certificate.text()):
            self.certificate.setText(str(path))


def _secret_field() -> QLineEdit:
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    return field
