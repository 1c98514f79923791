"""Settings of the hospital's record system: how it is reached, and how it names itself, its codes and its patients."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from app.system.secrets import Secret
from models.base.errors import InputError

DELIVERY_CHOICES = {
    "channel": ("", "folder", "mllp", "fhir"),
    "format": ("json", "hl7", "fhir"),
    "sign_in": ("", "bearer", "basic", "client"),
}
_FORMAT_OF_CHANNEL = {"mllp": "hl7", "fhir": "fhir"}
_RECORD_SYSTEM_CHOICES = {
    "processing_id": ("P", "T", "D"),
    "withdrawn": ("D", "W", "X"),
    "coded_type": ("CE", "CWE"),
    "several_options": ("repeated", "separate"),
}
_URIS = ("code_system", "mrn_system")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_NAMED = (
    "sending_application",
    "sending_facility",
    "receiving_application",
    "receiving_facility",
    "assigning_authority",
)
_NAME = re.compile(r"[^|^~\\&]*(\^\d+(\.\d+)*)?")  # a name, and after ^ its OID
_STATUSES = re.compile(r"[A-Z]*F[A-Z]*")
_HIGHEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class DeliverySettings:
    """How filed values reach the record system: the table `[delivery]`.

    Attributes:
        channel: `folder` for a drop folder, `mllp` for HL7 v2 over a connection, `fhir` for a FHIR server; empty if
            nothing is handed over.
        folder: the drop folder; it is never created.
        format: the form of the messages in a drop folder; on the other channels it follows from the channel.
        address: for `mllp` host and port, such as `engine.hospital:2575`; for `fhir` the base URL of the server.
        certificates: path of a PEM file with the authorities whose certificates the receiver may have; empty for
            those that the system trusts.
        tls: whether the connection of `mllp` is encrypted; that of `fhir` is with `https`.
        client_certificate: path of a PEM file with the certificate that Wardlight shows the receiver, and its key.
        sign_in: at a FHIR server: `bearer` for a token, `basic` for name and password, `client` for an id and a secret
            that are exchanged for tokens (client credentials of OAuth 2); empty for none. The secret is not here, see
            `sign_in_secret`.
        user: the name of `basic`, the id of `client`.
        token_address: where `client` gets its tokens.
        scope: what `client` asks a token for; empty for what the server gives by itself.

    Raises InputError, naming the setting, for an invalid value.
    """

    channel: str = ""
    folder: str = ""
    format: str = "json"
    address: str = ""
    certificates: str = ""
    tls: bool = False
    client_certificate: str = ""
    sign_in: str = ""
    user: str = ""
    token_address: str = ""
    scope: str = ""

    def __post_init__(self) -> None:
        _refuse_wrong_types(self, "delivery", DELIVERY_CHOICES)
        if self.channel == "folder" and not self.folder:
            raise InputError("The setting delivery.folder is missing.", "Name the folder that the receiver reads.")
        if self.channel == "mllp":
            host_and_port(self.address)
            self._refuse_readable("tls", encrypted=self.tls)
        if self.channel == "fhir":
            _refuse_other_urls("address", self.address, "a FHIR server, such as https://chart.hospital/fhir")
            self._refuse_readable("address", encrypted=_is_encrypted(self.address))
            self._refuse_incomplete_sign_in()

    def _refuse_readable(self, name: str, *, encrypted: bool) -> None:
        """A secret never goes over a connection that others can read."""
        if encrypted or not (self.client_certificate or (self.sign_in and self.channel == "fhir")):
            return
        what = f"The setting delivery.{name} does not encrypt the connection, so nobody can sign in over it."
        raise InputError(what, "Turn TLS on." if name == "tls" else "Use an address that begins with https.")

    def _refuse_incomplete_sign_in(self) -> None:
        if self.sign_in in ("basic", "client") and not self.user:
            raise InputError("The setting delivery.user is missing.", "Give the name or id to sign in with.")
        if self.sign_in == "client":
            _refuse_other_urls(
                "token_address", self.token_address, "the token service, such as https://id.hospital/token"
            )
            if not _is_encrypted(self.token_address):
                raise _invalid("delivery.token_address", self.token_address, "It must begin with https.")

    @property
    def sign_in_secret(self) -> Secret:
        """The token, password or client secret; of this address alone, so that no other receiver is ever given it."""
        return Secret(f"{self.sign_in} {self.user} {self.token_address or self.address}", "WARDLIGHT_SIGN_IN_SECRET")

    @property
    def key_secret(self) -> Secret:
        """The password of the key in `client_certificate`, if it has one."""
        return Secret(f"key {self.client_certificate}", "WARDLIGHT_KEY_PASSWORD")

    @property
    def on(self) -> bool:
        """Whether filed values are handed over."""
        return bool(self.channel)

    @property
    def message_format(self) -> str:
        """The name of the format of the messages."""
        return _FORMAT_OF_CHANNEL.get(self.channel, self.format)


@dataclass(frozen=True, slots=True)
class RecordSystemSettings:
    """How the record system names things: the table `[record_system]`, for files and messages in HL7 v2 and FHIR.

    Applications, facilities and authorities are names, followed by `^` and their OID if they have one.

    Attributes:
        code_system: URI of the hospital's own codes in FHIR, such as `urn:oid:1.2.3`; empty if it has none.
        code_system_name: the name of the same codes in HL7 v2; `L` means local.
        mrn_system: URI of the record numbers in FHIR; empty if it has none.
        assigning_authority: who gives out the record numbers, in HL7 v2.

    The others are those of `app.exchange.hl7.receiver.Receiver`; `statuses` is written without anything between.

    Raises InputError, naming the setting, for an invalid value.
    """

    code_system: str = ""
    code_system_name: str = "L"
    mrn_system: str = ""
    sending_application: str = "WARDLIGHT"
    sending_facility: str = ""
    receiving_application: str = ""
    receiving_facility: str = ""
    assigning_authority: str = ""
    processing_id: str = "P"
    character_set: str = "UNICODE UTF-8"
    patient_class: str = "I"
    point_of_care: str = ""
    statuses: str = "FCDX"
    withdrawn: str = "D"
    coded_type: str = "CE"
    several_options: str = "repeated"
    words_said: bool = True

    def __post_init__(self) -> None:
        _refuse_wrong_types(self, "record_system", _RECORD_SYSTEM_CHOICES)
        for name in _URIS:
            if (value := getattr(self, name)) and not _URI.fullmatch(value):
                raise _invalid(f"record_system.{name}", value, "It must be a URI, such as urn:oid:1.2.3.")
        for name in _NAMED:
            if not _NAME.fullmatch(value := getattr(self, name)):
                raise _invalid(f"record_system.{name}", value, "It must be a name, or a name and its OID: CHART^1.2.3.")
        for name in ("sending_application", "code_system_name", "patient_class"):
            if not getattr(self, name).strip():
                raise InputError(f"The setting record_system.{name} is empty.", "Give it a value.")
        if not _STATUSES.fullmatch(self.statuses):
            raise _invalid("record_system.statuses", self.statuses, "It must be codes such as FCDX, among them F.")


def host_and_port(address: str) -> tuple[str, int]:
    """The address of an MLLP receiver. Raises InputError, naming the setting, for anything but `HOST:PORT`."""
    host, colon, port = address.strip().rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and 0 < int(port) <= _HIGHEST_PORT) or "/" in host:
        raise _invalid("delivery.address", address, "It must be host and port, such as engine.hospital:2575.")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _is_encrypted(address: str) -> bool:
    return address.strip().casefold().startswith("https:")


def _refuse_other_urls(name: str, address: str, what: str) -> None:
    try:
        url = urlsplit(address.strip())
        usable = url.scheme in ("http", "https") and url.hostname and url.port != 0
    except ValueError:
        usable = False
    if not usable or url.username or url.password or url.query or url.fragment or " " in address.strip():
        raise _invalid(f"delivery.{name}", address, f"It must be the URL of {what}.")


def _refuse_wrong_types(
    settings: DeliverySettings | RecordSystemSettings, table: str, choices: dict[str, tuple[str, ...]]
) -> None:
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        known = choices.get(setting.name)
        if isinstance(setting.default, bool):
            if not isinstance(value, bool):
                raise _invalid(f"{table}.{setting.name}", value, "It must be true or false.")
        elif not isinstance(value, str) or (known and value not in known):
            fault = f"It must be one of: {', '.join(filter(None, known))}." if known else "It must be text."
            raise _invalid(f"{table}.{setting.name}", value, fault)


def _invalid(name: str, value: object, fault: str) -> InputError:
    return InputError(f"The setting {name} cannot be {value!r}.", fault)
