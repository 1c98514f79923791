"""A small ward whose chart a test fills value by value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from app.asking.answer import Answer
from app.record.run import NO_RUN
from app.services.asking.answering import Asking
from app.services.asking.jobs import Asked
from app.store import Store
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.questions.query import Measure, Query
from extraction.schema_files.native_format import parse_schema
from resources import DEMONSTRATION_SCHEMA
from tests.kit.store import TRANSCRIPT, filled

NOW = datetime.fromisoformat("2026-11-23T07:00")
REVIEWER = "Kim Berg, RN"


class Ward:
    """A store with patients, and what is asked of it at `now`."""

    def __init__(self, folder: Path) -> None:
        data = DEMONSTRATION_SCHEMA.read_bytes()
        self.schema: Schema = parse_schema(data, DEMONSTRATION_SCHEMA.name)
        self.store = Store(folder / "wardlight.db")
        self.now = NOW
        self.settings = Settings()
        self._version = self.store.schemas.save(self.schema, data)
        self._text = folder / "said.txt"
        self._text.write_text(TRANSCRIPT.text, encoding="utf-8")

    def patient(self, name: str = "Ann Lee") -> int:
        number = len(self.store.patients.all()) + 1
        return self.store.patients.add(name, f"{number}", f"9{number:03}", namesake=True).id

    def dictation(self, patient: int, at: str) -> int:
        encounter = self.store.encounters.open(patient).id
        made_at = datetime.fromisoformat(at).astimezone()
        number = self.store.dictations.add(encounter, self._text, "text", self._version, made_at).id
        self.store.transcripts.save(number, TRANSCRIPT)
        return number

    def chart(
        self, patient: int, at: str, row: str, value: Value, *, flagged: bool = False, others: tuple[str, ...] = ()
    ) -> int:
        """Charts a value as read and confirmed; a flagged one was doubtful, with other values in its place."""
        number = self.dictation(patient, at)
        one = self.schema.row(row)
        proposed = filled(row, value, one.ucum or one.unit, confidence=0.4 if flagged else 0.99)
        proposed = replace(proposed, not_mentioned=0.0, alternatives=tuple((text, 0.1) for text in others))
        self.store.runs.save(number, [proposed], NO_RUN)
        (found,) = self.store.values.of(number)
        self.store.reviews.decide(found.id, "confirm", REVIEWER, replacing=True)
        return found.id

    def measure(self, *rows: str, **more: object) -> Measure:
        return Measure(self.schema.row(rows[0]).name, rows, **more)  # type: ignore[arg-type]

    @property
    def asking(self) -> Asking:
        return Asking(self.store, self.schema, self.settings, lambda _: self.schema)

    def asked(self, query: Query, question: str = "") -> Asked:
        return self.asking.answer(query, REVIEWER, question, now=self.now)

    def answer(self, query: Query) -> Answer:
        return self.asked(query).answer


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    made = Ward(tmp_path)
    yield made
    made.store.close()
