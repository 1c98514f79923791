"""A hospital with a contract: its export, the schema made of it, its settings, and a store with a filled dictation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from app.contracts import build_from_folder, save_bytes, save_contract
from app.exchange.outbox import queue
from app.record.outbox import OutboxMessage
from app.record.run import NO_RUN
from app.store import Store
from app.system.record_system import DeliverySettings, RecordSystemSettings
from app.system.settings import Settings
from extraction.contract.codes.decisions import decide_codes
from extraction.contract.compile import flowsheet_schema
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import parse_schema
from tests.kit.exports import DICTIONARY, OPTIONS, write_exports
from tests.kit.store import TRANSCRIPT, filled

RECORD_SYSTEM = RecordSystemSettings(
    code_system="urn:oid:1.2.5",
    code_system_name="99HBR",
    mrn_system="urn:oid:1.2.4",
    sending_facility="Harbour",
    receiving_application="CHART^1.2.3",
    receiving_facility="Harbour",
    assigning_authority="MRN^1.2.4",
)
NO_CODES: Mapping[str, str] = MappingProxyType({})
BELL = ("70011", "CALLED", "Bell within reach", "Pick list", "L13", "", "", "", "active", "N017")
ANSWERS = (("L13", "1", "11", "Yes", "Y"), ("L13", "2", "12", "No", "Y"))
# by row, what was said: value and unit
SAID: dict[str, tuple[Value, str | None]] = {
    "70001": (88.0, "bpm"),
    "70002": (36.5, "°C"),
    "70003": ("Pale", None),
    "70004": (("Wheezes", "Crackles"), None),
    "70005": ("Slept | well & long", None),
    "70011": (True, None),
}
# the same as the hospital has it: codes of options, and units in UCUM
CODED = {
    "70001": ("88", "/min"),
    "70002": ("36.5", "Cel"),
    "70003": ("W", ""),
    "70004": ("WH~CR", ""),
    "70005": ("Slept | well & long", ""),
    "70011": ("11", ""),
}


class Hospital:
    """Everything lies in one folder; the contract beside the schema, as an import leaves it.

    Args:
        codes: LOINC codes that a person accepted, by row.
    """

    def __init__(self, home: Path, codes: Mapping[str, str] = NO_CODES) -> None:
        self.home, folder = home, home / "contracts"
        dictionary = tuple(BELL if line[0] == BELL[0] else line for line in DICTIONARY)
        exports = write_exports(home / "exports", dictionary=dictionary, options=(*OPTIONS, *ANSWERS))
        self.contract = build_from_folder(exports).contract
        if codes:
            self.contract = decide_codes(self.contract, "0" * 64, codes, "Kim", "2026-03-01T10:00:00Z")
        self.contract_file, schema_file = folder / "contract.json", folder / "schema.json"
        save_contract(self.contract, self.contract_file)
        data = flowsheet_schema(self.contract, "Harbour")
        save_bytes(data, schema_file)
        self.schema = parse_schema(data, "schema.json")
        self.settings = Settings(schema=str(schema_file), record_system=RECORD_SYSTEM)
        self.store = Store(home / "wardlight.db")
        source = home / "said.wav"
        source.write_bytes(b"RIFF of a recording")
        encounter = self.store.encounters.open(self.store.patients.add("Okafor, Nandi", "12A", "00417").id)
        schema = self.store.schemas.save(self.schema, data)
        self.dictation = self.store.dictations.add(encounter.id, source, "audio", schema).id
        self.store.transcripts.save(self.dictation, TRANSCRIPT)
        self.store.runs.save(self.dictation, [filled(row, *said) for row, said in SAID.items()], NO_RUN)
        values = [one.id for one in self.store.values.of(self.dictation)]
        self.store.reviews.decide_all(values, "confirm", "Kim", collect=False)

    def open_again(self) -> None:
        """As after a crash."""
        self.store.close()
        self.store = Store(self.home / "wardlight.db")

    def delivering(self, *delivery: str, **named: str) -> Settings:
        """The settings with a channel."""
        return replace(self.settings, delivery=DeliverySettings(*delivery, **named))

    def file(self) -> list[OutboxMessage]:
        with self.store.transaction():
            self.store.filings.file(self.dictation, "Kim", [])
            return queue(self.store, self.dictation, self.schema, "Kim", new=True)

    def decide(self, row_id: str, action: str, value: Value | None = None, unit: str | None = None) -> None:
        """Reopens the dictation, decides about the value of a row, and files it again."""
        if self.store.filings.of(self.dictation):
            self.store.filings.reopen(self.dictation, "Kim")
        (one,) = (one.id for one in self.store.values.of(self.dictation) if one.row_id == row_id)
        self.store.reviews.decide(one, action, "Lou", value, unit)
        self.file()

    def undo(self) -> None:
        self.store.filings.reopen(self.dictation, "Kim")
        self.store.reviews.undo(self.dictation, "Lou")
        self.file()
