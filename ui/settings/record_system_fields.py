"""The part of the settings page for filing that says how filed values reach the record system."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.system.record_system import DeliverySettings, RecordSystemSettings
from app.system.settings import Settings
from models.base.errors import InputError
from ui.dialogs.file_choice import choose_file, choose_folder
from ui.kit.theme import Theme
from ui.kit.widgets import button, clearable, label
from ui.settings.form import Form, choices
from ui.settings.sign_in_fields import SignInFields

CHANNELS = {"": "Not sent", "folder": "Drop folder", "mllp": "HL7 v2 connection (MLLP)", "fhir": "FHIR server"}
FORMATS = {"json": "JSON", "hl7": "HL7 v2", "fhir": "FHIR"}
_ADDRESSES = {"mllp": "engine.hospital:2575", "fhir": "https://chart.hospital/fhir"}
# by setting: the label of its field, an example, and the explanation below
_NAMES = {
    "receiving_application": ("Receiving application", "CHART^1.2.3", "HL7 v2: name, with ^ and OID if it has one."),
    "receiving_facility": ("Receiving facility", "Harbour", "HL7 v2: the hospital that receives them."),
    "sending_application": ("Sending application", "WARDLIGHT", "HL7 v2: the name under which values are sent."),
    "sending_facility": ("Sending facility", "Harbour", "HL7 v2: your hospital's name."),
    "assigning_authority": ("Record numbers from", "MRN^1.2.4", "HL7 v2: who gives out the record numbers (MRN)."),
    "mrn_system": ("Record number URI", "urn:oid:1.2.4", "FHIR: which record numbers (MRN) these are."),
    "code_system_name": ("Name of the codes", "L", "HL7 v2: the hospital's own codes; L means local."),
    "code_system": ("URI of the codes", "urn:oid:1.2.5", "FHIR: the same codes."),
}
_LABELS = {f"record_system.{name}": words for name, (words, _, _) in _NAMES.items()} | {
    "delivery.folder": "Drop folder",
    "delivery.address": "Address",
    "delivery.user": "User or client id",
    "delivery.token_address": "Token service",
    "delivery.tls": "Encrypt the MLLP connection",
}


class RecordSystemFields(QWidget):
    """Fields that show `settings`; `changed` returns what is chosen, unless there is a `fault`."""

    def __init__(self, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self._record_system = settings.record_system
        form = Form()
        self.channel = choices(CHANNELS)
        self.channel.currentIndexChanged.connect(self._enable)
        about = "Off until your hospital sets it up. Filed values, with the words said, then leave this computer."
        form.add("Send filed &values", self.channel, about)
        self.folder = QLineEdit()
        clearable(self.folder)
        self._browse = button(
            "Choose…", theme.icon("folder"), tip="Choose the drop folder", clicked=self._choose_folder
        )
        form.add("Drop folder", self.folder, "The record system reads messages here.", beside=self._browse)
        self.format = choices(FORMATS)
        form.add("Messages", self.format, "Format in the drop folder.")
        self.address = QLineEdit()
        clearable(self.address)
        about = "The only place that is called, beside a token service. Encrypted by https, or TLS below."
        form.add("Address", self.address, about)
        self.certificates = QLineEdit()
        self.certificates.setPlaceholderText("Those that this computer trusts")
        clearable(self.certificates)
        self._choose_pem = button(
            "Choose…", theme.icon("folder"), tip="Choose a certificate file", clicked=self._choose_certificates
        )
        about = "For encrypted connections: the hospital's certificate authority, as a PEM file."
        form.add("Certificates", self.certificates, about, beside=self._choose_pem)
        self.sign_in = SignInFields(theme, form)
        self.contract = QLineEdit()
        self.contract.setPlaceholderText("contract.json beside the flowsheet template")
        clearable(self.contract)
        choose = button("Choose…", theme.icon("folder"), tip="Choose a contract", clicked=self._choose_contract)
        about = "The hospital's own ids and codes, from the import of its exports. Also for files."
        form.add("Contract", self.contract, about, beside=choose)
        self.names: dict[str, QLineEdit] = {}
        for name, (words, example, about) in _NAMES.items():
            field = self.names[name] = QLineEdit()
            field.setPlaceholderText(f"such as {example}")
            clearable(field)
            form.add(words, field, about)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label("Record system", "heading"))
        layout.addWidget(form)
        self.show_settings(settings)

    def show_settings(self, settings: Settings) -> None:
        """Shows settings in the fields."""
        self._record_system = settings.record_system
        delivery = settings.delivery
        self.channel.setCurrentIndex(self.channel.findData(delivery.channel))
        self.format.setCurrentIndex(self.format.findData(delivery.format))
        for field, text in (
            (self.folder, delivery.folder),
            (self.address, delivery.address),
            (self.certificates, delivery.certificates),
            (self.contract, settings.contract),
        ):
            field.setText(text)
        self.sign_in.show_settings(delivery)
        for name, field in self.names.items():
            field.setText(getattr(settings.record_system, name))
        self._enable()

    def changed(self) -> dict[str, Any]:
        """The chosen values by name of the setting. Raises InputError for what cannot be saved."""
        given = {name: field.text().strip() for name, field in self.names.items()}
        for name in ("sending_application", "code_system_name"):
            given[name] = given[name] or getattr(RecordSystemSettings(), name)
        return {
            "contract": self.contract.text().strip(),
            "delivery": DeliverySettings(
                self.channel.currentData(),
                self.folder.text().strip(),
                self.format.currentData(),
                self.address.text().strip(),
                self.certificates.text().strip(),
                **self.sign_in.changed(),
            ),
            "record_system": replace(self._record_system, **given),  # type: ignore[arg-type]  # they are texts
        }

    def fault(self) -> InputError | None:
        """What cannot be saved; None if all can."""
        for called, field in (
            ("drop folder", self.folder),
            ("certificate file", self.certificates),
            ("own certificate", self.sign_in.certificate),
            ("contract", self.contract),
        ):
            path = field.text().strip()
            if path and not Path(path).expanduser().is_absolute():
                what = f"The {called} {path} is not a full path."
                return InputError(what, f"Choose the {called}, or leave the field empty.")
        try:
            self.changed()
        except InputError as error:
            return _by_label(error)
        return None

    def keep_secrets(self) -> None:
        """Stores the secrets that were entered, once what they are for is saved."""
        self.sign_in.keep_secrets(self.changed()["delivery"])

    def _enable(self) -> None:
        """Leaves those fields to be filled in that the chosen way needs."""
        channel = self.channel.currentData()
        for field in (self.folder, self._browse, self.format):
            field.setEnabled(channel == "folder")
        self.address.setEnabled(channel in _ADDRESSES)
        self.address.setPlaceholderText(f"such as {_ADDRESSES[channel]}" if channel in _ADDRESSES else "")
        for field in (self.certificates, self._choose_pem):
            field.setEnabled(channel in _ADDRESSES)
        self.sign_in.enable_for(channel)

    def _choose_folder(self) -> None:
        if folder := choose_folder(self, "Drop folder", self.folder.text()):
            self.folder.setText(str(folder))

    def _choose_certificates(self) -> None:
        if path := choose_file(
            self, "Certificates", "Certificates (*.pem *.crt);;All files (*)", self.certificates.text()
        ):
            self.certificates.setText(str(path))

    def _choose_contract(self) -> None:
        if path := choose_file(self, "Contract", "Contracts (*.json);;All files (*)", self.contract.text()):
            self.contract.setText(str(path))


def _by_label(error: InputError) -> InputError:
    """The error with the label of its field instead of the name of the setting."""
    named = re.search(r"The setting ([\w.]+)", error.what)
    words = _LABELS.get(named[1]) if named else None
    return error.reworded(error.what.replace(named[0], f"“{words}”"), error.next_step) if named and words else error
