"""From a question to its answer with citations, as the window and the commands ask it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime, time, timedelta
from typing import Any

from app.asking.answer import Answer
from app.asking.evaluation import Chart, answer, refused
from app.asking.quotes import Similarity
from app.chart.cells import local_of
from app.chart.records import Patient
from app.services.asking.citations import cited
from app.services.asking.flags import ConfirmedFlags, SchemaOf
from app.services.asking.jobs import Asked
from app.store import Store
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.questions.query import Query, Reason, Refusal, Understood
from extraction.questions.reading import read_question
from extraction.questions.ward import WardFacts, WardPatient

_WITHOUT_WORDS = ("words", "topic")  # what a person wrote, which may hold names


class Asking:
    """Answers questions about the ward of a store.

    Args:
        schema: the rows that questions can name.
        schema_of: the schema of a version in the store, for values that were read with another one.
        similarity: compares a topic with sentences, for quotes; None to compare words.
    """

    def __init__(
        self,
        store: Store,
        schema: Schema,
        settings: Settings,
        schema_of: SchemaOf,
        similarity: Similarity | None = None,
    ) -> None:
        self._store = store
        self._schema = schema
        self._settings = settings
        self._flags = ConfirmedFlags(store, settings, schema_of)
        self._similarity = similarity

    def ask(self, question: str, asked_by: str, now: datetime | None = None) -> Asked:
        """Reads a question and answers it; it is logged. `now` is the ward's clock, by default that of the computer."""
        facts = ward_facts(self._store, now or clock(), self._settings.shifts)
        return self._answered(read_question(question, self._schema, facts), asked_by, facts)

    def answer(self, query: Query, asked_by: str, question: str = "", now: datetime | None = None) -> Asked:
        """Answers a tree, such as that of a question after a person changed it; it is logged."""
        facts = ward_facts(self._store, now or clock(), self._settings.shifts)
        return self._answered(Understood(question, query), asked_by, facts)

    def _answered(self, understood: Understood, asked_by: str, ward: WardFacts) -> Asked:
        if understood.query is None:
            found = refused(understood.refusal or Refusal(Reason.NOT_UNDERSTOOD), ward.now)
        else:
            with self._store.read_snapshot():
                found = self._of(understood.query, ward)
        self._log(understood, found, asked_by)
        return Asked(understood, found)

    def _of(self, query: Query, ward: WardFacts) -> Answer:
        here = {one.id for one in ward.patients}
        gone = tuple(_patient(one) for one in self._store.patients.all() if one.id not in here)
        flagged: dict[int, tuple[Value, ...]] = {}

        def flags(value_ids: Sequence[int]) -> Mapping[int, tuple[Value, ...]]:
            found = self._flags(value_ids)
            flagged.update(found)
            return found

        chart = Chart(self._store.questions, self._schema, ward.patients, ward.now, flags, gone, self._similarity)
        return cited(answer(query, chart), self._store, self._schema, flagged)

    def _log(self, understood: Understood, found: Answer, asked_by: str) -> None:
        keep = self._settings.keep_questions
        tree = written(understood.query, words=keep) if understood.query else ""
        refusal = found.refusal.reason.value if found.refusal else ""
        kept = understood.question if keep else ""
        self._store.questions.record(asked_by, tree, found.value_ids, question=kept, refusal=refusal)


def clock() -> datetime:
    """The minute by the clock of the ward."""
    return local_of(datetime.now().astimezone().isoformat()).replace(second=0, microsecond=0)


def ward_facts(store: Store, now: datetime, shifts: tuple[time, ...]) -> WardFacts:
    """What the reading of questions knows of the ward: who is present, and since when values are charted."""
    first = store.questions.first_charted()
    patients = sorted(map(_patient, store.patients.present()), key=_by_bed)
    return WardFacts(tuple(patients), now, local_of(first) if first else None, shifts)


def _patient(one: Patient) -> WardPatient:
    return WardPatient(one.id, one.name, one.bed or None, one.mrn or None)


def _by_bed(one: WardPatient) -> tuple[int, str, str]:
    digits = "".join(filter(str.isdecimal, one.bed or ""))
    return int(digits or 10**9), one.bed or "", one.name


def written(query: Query, *, words: bool) -> str:
    """A query tree as JSON; without `words`, nothing in it is what a person wrote."""
    return json.dumps(_written(query, words=words), ensure_ascii=False)


def _written(node: Any, *, words: bool) -> Any:
    if is_dataclass(node) and not isinstance(node, type):
        kept = {one.name: getattr(node, one.name) for one in fields(node) if words or one.name not in _WITHOUT_WORDS}
        return {"node": type(node).__name__} | {name: _written(value, words=words) for name, value in kept.items()}
    if isinstance(node, tuple):
        return [_written(one, words=words) for one in node]
    if isinstance(node, datetime):
        return node.isoformat(timespec="minutes")
    return node / timedelta(minutes=1) if isinstance(node, timedelta) else node
