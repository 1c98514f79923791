"""A ward with patients of whom something was charted the day before, for what shows the chart."""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from app.chart.recording_time import FROM_DATE, FileTime
from app.extraction_records import proposed
from app.record.run import RunRecord
from app.store import Store
from app.system import paths
from extraction.flowsheet.values import FilledValue, Proposals, Value
from extraction.schema_files.native_format import parse_schema
from speech.transcript import Transcript
from tests.kit import fake_app
from tests.kit.fake_app import TEXT, WEIGHED_BY, values_of, weighed, write_schema
from tests.kit.rules import as_proposed, task_of

DAY = "2026-11-20"
# what was charted of Hawthorne, Ada on the day before: hour, and what differs from today
EARLIER: tuple[tuple[str, dict[str, Value]], ...] = (
    ("04:10", {"hr": 84.0, "bp": "128/70", "temp": 37.1, "rr": 16.0, "spo2": 97.0, "pain": 2.0, "device": "Room air"}),
    ("08:05", {"hr": 92.0, "bp": "131/72", "temp": 37.6, "rr": 18.0, "spo2": 96.0, "pain": 4.0, "device": "Room air"}),
    ("12:20", {"hr": 97.0, "bp": "138/76", "temp": 38.0, "rr": 20.0, "spo2": 96.0, "pain": 5.0}),
    ("16:00", {"hr": 104.0, "bp": "140/72", "temp": 38.2, "rr": 21.0, "spo2": 95.0, "pain": 3.0}),
)
ADA, OKAFOR, LINDQVIST, MORALES = (
    ("Hawthorne, Ada", "12", "004711"),
    ("Okafor, Ben", "3", "77"),
    ("Lindqvist, Maja", "7", "8812"),
    ("Morales, Teo", "9", "4410"),
)
MEAN = {
    "id": "map",
    "name": "Mean arterial pressure",
    "type": "numeric",
    "unit": "mm[Hg]",
    "formula": {
        "expression": "round((systolic + 2 * diastolic) / 3)",
        "parts": {"systolic": {"row": "bp", "take": "systolic"}, "diastolic": {"row": "bp", "take": "diastolic"}},
    },
}
NOON = dt.datetime.fromisoformat("2026-11-21T12:30")


class Days:
    """Charts dictations at chosen times, as if they had been reviewed then.

    Args:
        replace: puts another function in the place of the one of this name, until the end.
    """

    def __init__(self, replace: Callable[[str, Callable[..., object]], object], folder: Path) -> None:
        self._replace, self._folder = replace, folder
        file = write_schema(folder)
        self._schema = (parse_schema(file.read_bytes(), str(file)), file.read_bytes())

    def at(self, moment: str) -> None:
        self._replace("app.store.sqlite.clock.now", lambda: f"{moment}:00.000+00:00")
        self._replace("app.services.intake.service.file_time", lambda path, said, now: FileTime(now, FROM_DATE))

    def chart(
        self, store: Store, moment: str, changes: dict[str, Value], who: tuple[str, str, str], *, name: str = "",
        review: bool = True,
    ) -> int:  # fmt: skip
        self.at(moment)
        patient = store.patients.find(*who) or store.patients.add(*who)
        source = self._folder / (name or f"round-{moment[11:13]}.txt")
        source.write_text(TEXT, encoding="utf-8")
        version = store.schemas.save(*self._schema)
        number = store.dictations.add(store.encounters.open(patient.id).id, source, "text", version).id
        store.transcripts.save(number, Transcript(TEXT))
        store.runs.save(number, proposed(weighed(values_of())), RunRecord(weighed_by=WEIGHED_BY))
        for value in store.values.of(number) if review else ():
            if value.row_id in changes:
                store.reviews.decide(value.id, "edit", "T. Early", changes[value.row_id], value.unit)
            elif value.row_id in ("skin", "foley", "bm", "turned", "alarm", "orientation", "painsite", "breath"):
                store.reviews.decide(value.id, "confirm", "T. Early")
            else:
                store.reviews.decide(value.id, "reject", "T. Early")
        return number

    def fill_ward(self) -> None:
        """Four patients: one to review, one filed, one reviewed, one without a dictation."""
        with Store(paths.database_file()) as store:
            for hour, values in EARLIER:
                number = self.chart(store, f"{DAY}T{hour}", values, ADA)
                store.filings.file(number, "T. Early", [])
            self.chart(store, f"{DAY}T16:30", {}, OKAFOR, name="evening.txt")
            store.filings.file(self.chart(store, f"{DAY}T17:00", {}, LINDQVIST, name="bed 7.txt"), "T. Early", [])
            store.patients.add(*MORALES)
            self.chart(store, f"{DAY}T20:15", {}, ADA, name="evening round.txt", review=False)


def hearing_98(former: Callable[..., tuple[FilledValue, ...]]) -> Callable[..., tuple[FilledValue, ...]]:
    """Reads like `former`, but of a dictation that says so, 98 as the heart rate."""

    def read(text: str = TEXT) -> tuple[FilledValue, ...]:
        if "Heart rate is 98" not in text:
            return former(text)
        said = former(text.replace("98", "112", 1))
        start = text.index("98")

        def moved(value: FilledValue) -> FilledValue:
            if value.row_id == "hr":
                evidence = replace(
                    value.evidence, end=start + 2, text="98", sentence_end=value.evidence.sentence_end - 1
                )
                return replace(value, value=98.0, evidence=evidence, alternatives=())
            place = value.evidence
            return replace(
                value,
                evidence=replace(
                    place,
                    start=place.start - 1,
                    end=place.end - 1,
                    sentence_start=place.sentence_start - (place.sentence_start > start),
                    sentence_end=place.sentence_end - 1,
                ),
            )

        return tuple(moved(value) for value in said)

    return read


@contextmanager
def worked_out() -> Iterator[None]:
    """Wards have a schema that works out the mean pressure, and dictations say when something was observed."""
    schema: dict[str, Any] = copy.deepcopy(fake_app.SCHEMA)
    schema["categories"][0]["rows"].append(MEAN)
    checked, plain = parse_schema(json.dumps(schema).encode(), "ward.json"), fake_app.values_of

    def read(text: str = TEXT) -> tuple[FilledValue, ...]:
        return as_proposed(task_of(text, checked, now=NOON), Proposals(plain(text), ())).values

    with patch("tests.kit.fake_app.SCHEMA", schema), patch("tests.kit.fake_app.values_of", read):
        yield
