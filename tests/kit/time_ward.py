"""A ward over time, made by rule from a seed: patients, shifts, notes, their charts, and the table behind them.

Each patient has a conflict that a person settled; some values were corrected in the note, some were refused, and one in
five of the rows behind it was never said. What is charted has to be what `source` says was said, and nothing else.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from app.record.run import NO_RUN
from app.record.values import ProposedValue, Timing
from app.store import Store
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NotObtained, Value
from extraction.schema_files.native_format import parse_schema
from resources import DEMONSTRATION_SCHEMA
from tests.kit.store import filled

START = datetime.fromisoformat("2026-11-18T07:00")  # of the first shift, by the ward's clock
NOW = START + timedelta(hours=36)
PATIENTS, SHIFTS, HOURS = 20, 3, 12
UNSAID, REFUSED, CORRECTED = 0.2, 0.06, 0.1
REVIEWER = "Kim Berg, RN"
_TABLE = """CREATE TABLE source (
    patient INTEGER, row TEXT, at TEXT, number REAL, second REAL, text TEXT, said INTEGER, refused INTEGER
)"""
NAUSEA = ("none", "mild", "moderate", "severe")
ASSISTANCE = ("Independent", "Supervision", "Minimal assist", "Moderate assist")
# lowest and highest of each row of numbers, and how much one step is
RANGES = {
    "vs.heart_rate": (48, 128, 1),
    "vs.temperature": (35.6, 39.4, 0.1),
    "o2.spo2": (86, 100, 1),
    "pain.score": (0, 10, 1),
    "meas.weight": (52, 110, 0.5),
    "out.urine": (20, 450, 10),
    "out.emesis": (20, 200, 10),
    "in.oral": (60, 400, 20),
    "in.iv_fluid": (100, 500, 50),
}
# how often in a shift each row is measured, as a share of the notes
SHARES = {
    "vs.heart_rate": 0.9, "vs.temperature": 0.6, "o2.spo2": 0.7, "pain.score": 0.6, "meas.weight": 0.25,
    "out.urine": 0.7, "out.emesis": 0.15, "in.oral": 0.5, "in.iv_fluid": 0.5, "vs.bp": 0.7, "gi.nausea": 0.5,
    "mobility.assistance": 0.4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """What was true of a patient at a minute; `said` if a note told it."""

    patient: int
    row: str
    at: datetime
    value: Value
    said: bool

    @property
    def refused(self) -> bool:
        return isinstance(self.value, NotObtained)


@dataclass(frozen=True, slots=True)
class TimeWard:
    """The ward as a store, and the table that it was made from."""

    store: Store
    source: sqlite3.Connection
    schema: Schema


def time_ward(folder: Path, seed: int, *, at: datetime = START) -> TimeWard:
    """Makes a ward; the same one for the same seed."""
    chance = random.Random(seed)
    data = DEMONSTRATION_SCHEMA.read_bytes()
    schema = parse_schema(data, DEMONSTRATION_SCHEMA.name)
    store = Store(folder / "wardlight.db")
    version = store.schemas.save(schema, data)
    source = sqlite3.connect(":memory:")
    source.execute(_TABLE)
    note = folder / "note.txt"
    with store.transaction():
        for patient in range(1, PATIENTS + 1):
            store.patients.add(f"Patient {patient}", f"{patient}", f"7{patient:04}")
            encounter = store.encounters.open(patient).id
            for made_at, facts in _notes(chance, patient, at):
                note.write_text(f"Note of {made_at} about {patient}.", encoding="utf-8")
                dictation = store.dictations.add(encounter, note, "text", version, made_at.astimezone()).id
                _chart(store, dictation, [fact for fact in facts if fact.said], chance, made_at)
                source.executemany("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(_row, facts))
            _conflict(store, source, encounter, note, version, patient)
    return TimeWard(store, source, schema)


def _notes(chance: random.Random, patient: int, start: datetime) -> Iterator[tuple[datetime, list[Fact]]]:
    for shift in range(SHIFTS):
        begun = start + timedelta(hours=shift * HOURS)
        minutes = sorted(chance.sample(range(60, HOURS * 60 - 10, 5), chance.randint(2, 4)))
        for before, minute in zip([0, *minutes], minutes, strict=False):
            made_at = begun + timedelta(minutes=minute)
            facts = []
            for row, share in SHARES.items():
                if chance.random() >= share:
                    continue
                own_time = chance.random() < 0.5
                at = begun + timedelta(minutes=chance.randint(before + 1, minute)) if own_time else made_at
                value: Value = NotObtained.REFUSED if chance.random() < REFUSED else _value(chance, row)
                facts.append(Fact(patient, row, at, value, chance.random() >= UNSAID))
            yield made_at, facts


def _value(chance: random.Random, row: str) -> Value:
    if row == "gi.nausea":
        return chance.choice(NAUSEA)
    if row == "mobility.assistance":
        return chance.choice(ASSISTANCE)
    if row == "vs.bp":
        return f"{chance.randint(84, 178)}/{chance.randint(44, 82)}"
    low, high, step = RANGES[row]
    return float(round(low + step * chance.randint(0, round((high - low) / step)), 1))


def _chart(store: Store, dictation: int, facts: list[Fact], chance: random.Random, made_at: datetime) -> None:
    """Charts a note: what a run read is confirmed, corrected by a person, or entered as not obtained."""
    proposed = [_proposed(store, fact, made_at) for fact in facts if not fact.refused]
    wrong = {place for place, one in enumerate(proposed) if chance.random() < CORRECTED and one.value != "none"}
    read = [replace(one, value=_misread(one.value)) if place in wrong else one for place, one in enumerate(proposed)]
    store.runs.save(dictation, read, NO_RUN)
    values = store.values.of(dictation)
    store.reviews.decide_all([one.id for place, one in enumerate(values) if place not in wrong], "confirm", REVIEWER)
    for place in sorted(wrong):
        right = proposed[place]
        store.reviews.decide(values[place].id, "edit", REVIEWER, right.value, right.unit)
    for fact in facts:
        if fact.refused:
            at = None if fact.at == made_at else fact.at.isoformat(timespec="minutes")
            store.reviews.add(dictation, fact.row, fact.value, None, REVIEWER, observed_at=at)


def _proposed(store: Store, fact: Fact, made_at: datetime) -> ProposedValue:
    one = filled(fact.row, fact.value, _UNITS.get(fact.row), confidence=0.99)
    one = replace(one, alternatives=(), not_mentioned=0.0)
    if fact.at == made_at:
        return one
    return replace(one, timing=Timing(fact.at.isoformat(timespec="minutes"), None, 0, 4, "then"))


_UNITS = {
    "vs.heart_rate": "/min", "vs.temperature": "Cel", "o2.spo2": "%", "meas.weight": "kg", "out.urine": "mL",
    "out.emesis": "mL", "in.oral": "mL", "in.iv_fluid": "mL", "vs.bp": "mm[Hg]", "pain.score": "{score}",
}  # fmt: skip


def _misread(value: Value) -> Value:
    if isinstance(value, float):
        return value + 1
    return "100/50" if isinstance(value, str) and "/" in value else "none" if value in NAUSEA else "Supervision"


def _conflict(store: Store, source: sqlite3.Connection, encounter: int, note: Path, version: int, patient: int) -> None:
    """Two notes say different heart rates of one minute; a person keeps the later one."""
    at = START + timedelta(hours=20, minutes=patient)
    facts = [
        Fact(patient, "vs.heart_rate", at, 60.0 + patient, True),
        Fact(patient, "vs.heart_rate", at, 90.0 + patient, True),
    ]
    for place, fact in enumerate(facts):
        note.write_text(f"Conflict {place} about {patient}.", encoding="utf-8")
        made_at = at + timedelta(minutes=30 * place)
        dictation = store.dictations.add(encounter, note, "text", version, made_at.astimezone()).id
        store.runs.save(dictation, [_proposed(store, fact, made_at)], NO_RUN)
        (value,) = store.values.of(dictation)
        store.reviews.decide(value.id, "confirm", REVIEWER, replacing=True)
    source.execute(
        "DELETE FROM source WHERE patient = ? AND row = ? AND at = ?",
        [patient, "vs.heart_rate", at.isoformat(timespec="minutes")],
    )
    source.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _row(facts[1]))


def _row(fact: Fact) -> tuple[object, ...]:
    number = second = text = None
    if isinstance(fact.value, str) and "/" in fact.value and not fact.refused:
        number, second = map(float, fact.value.split("/"))
        text = fact.value
    elif isinstance(fact.value, float):
        number = fact.value
    else:
        text = str(fact.value)
    return (
        fact.patient, fact.row, fact.at.isoformat(timespec="minutes"), number, second, text, int(fact.said),
        int(fact.refused),
    )  # fmt: skip
