"""Reads from the chart what the leaves of a query tree need, before anything is reckoned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from app.asking.figures.amounts import minute
from app.asking.figures.figure import obtained
from app.store.questions import Dictated, Fact
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value as ChartValue
from extraction.questions.query import (
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Compare,
    Condition,
    CountPatients,
    Group,
    Missing,
    Not,
    OverPatients,
    Query,
    Quote,
    Rate,
    Select,
    Subject,
    Value,
    Where,
)
from extraction.questions.query import (
    Sequence as Course,
)

# By id of a flagged value, what the models considered instead of it.
Flags = Callable[[Sequence[int]], Mapping[int, tuple[ChartValue, ...]]]
_LAST = 2  # values of a row that are read at first for the latest one; more if these do not decide
_OF_LATEST = {Aggregate.LATEST, Aggregate.WHEN_LAST, Aggregate.TIME_SINCE}


class Source(Protocol):
    """The chart; see `app.store.questions.Questions`."""

    def facts(
        self,
        patient_ids: Sequence[int],
        row_ids: Sequence[str] | None,
        since: str | None = None,
        until: str | None = None,
        last: int | None = None,
    ) -> list[Fact]: ...

    def dictated(
        self, patient_ids: Sequence[int], since: str | None = None, until: str | None = None
    ) -> Iterator[Dictated]: ...


class Reach(NamedTuple):
    """Which values of a patient a leaf needs; `row_ids` None for all, `latest` for the last of each row."""

    row_ids: tuple[str, ...] | None
    since: str | None = None
    until: str | None = None
    latest: bool = False


def reach_of(value: Value | Balance, schema: Schema) -> Reach:
    """The values of a leaf in its window."""
    since, until = minute(value.window.since), minute(value.window.until)
    if isinstance(value, Balance):
        return Reach(tuple(row.id for row in schema.rows if row.fluid), since, until)
    latest = value.aggregate in _OF_LATEST and value.rate is None
    return Reach(value.measure.row_ids, since, until, latest)


def baseline_of(value: Value) -> Reach | None:
    if value.baseline is None:
        return None
    return Reach(value.measure.row_ids, minute(value.baseline.since), minute(value.baseline.until), latest=True)


def weight_of(value: Value) -> Reach | None:
    if value.rate is not Rate.KILOGRAM_HOUR or value.weight is None:
        return None
    return Reach(value.weight.row_ids, None, minute(value.window.until), latest=True)


def values_of(where: Where | None) -> list[Value | Balance]:
    """The leaves of a condition in their order, each once."""
    match where:
        case Condition():
            return [where.value]
        case AllOf() | AnyOf():
            return list(dict.fromkeys(value for one in where.conditions for value in values_of(one)))
        case Not():
            return values_of(where.condition)
    return []


def needs(query: Query, schema: Schema) -> Iterator[tuple[Subject, Reach]]:
    """What a query reads, and of whom."""
    match query:
        case Select():
            for value in dict.fromkeys((*query.values, *values_of(query.where))):
                yield query.subject, reach_of(value, schema)
                if isinstance(value, Value):
                    for further in (baseline_of(value), weight_of(value)):
                        if further:
                            yield query.subject, further
        case CountPatients() | OverPatients() | Group():
            yield from needs(query.of, schema)
        case Compare():
            yield from needs(query.left, schema)
            yield from needs(query.right, schema)
        case Course():
            rows = tuple(row for measure in query.measures for row in measure.row_ids) or None
            yield query.subject, Reach(rows, minute(query.window.since), minute(query.window.until))
        case Missing():
            for measure in query.measures:
                yield (
                    query.subject,
                    Reach(measure.row_ids, minute(query.window.since), minute(query.window.until), latest=True),
                )
        case Quote():
            return


class Facts:
    """The values that the leaves need, by leaf and patient; flagged ones are marked."""

    def __init__(self, source: Source, flags: Flags, now: datetime) -> None:
        self._source = source
        self._flags = flags
        self.now = now
        self._read: dict[Reach, dict[int, list[Fact]]] = {}
        self._swaps: Mapping[int, Fact | None] = {}

    def read(self, needed: Iterable[tuple[Reach, Sequence[int]]]) -> None:
        """Reads the values of patients for each leaf."""
        fresh: list[dict[int, list[Fact]]] = []
        for reach, patient_ids in needed:
            known = self._read.setdefault(reach, {})
            wanted = [one for one in patient_ids if one not in known]
            found = self._found(reach, wanted, _LAST if reach.latest else None)
            known.update(found)
            fresh.append(found)
        self._mark(fresh)
        for reach, by_patient in self._read.items():
            if reach.latest:
                self._read_further(reach, by_patient)

    def _found(self, reach: Reach, patient_ids: Sequence[int], last: int | None) -> dict[int, list[Fact]]:
        found: dict[int, list[Fact]] = {one: [] for one in patient_ids}
        for fact in self._source.facts(patient_ids, reach.row_ids, reach.since, reach.until, last):
            found[fact.patient_id].append(fact)
        return found

    def _read_further(self, reach: Reach, by_patient: dict[int, list[Fact]]) -> None:
        """Reads all values of patients of whom those read so far do not decide what the latest one is."""
        again = [patient_id for patient_id, facts in by_patient.items() if not _decided(facts)]
        if again:
            found = self._found(reach, again, None)
            self._mark([found])
            by_patient.update(found)

    def _mark(self, several: Iterable[dict[int, list[Fact]]]) -> None:
        lists = [facts for by_patient in several for facts in by_patient.values()]
        flagged = self._flags(sorted({fact.value_id for facts in lists for fact in facts}))
        if flagged:
            for facts in lists:
                facts[:] = [
                    fact._replace(flagged=True, others=flagged[fact.value_id]) if fact.value_id in flagged else fact
                    for fact in facts
                ]

    def of(self, reach: Reach, patient_id: int) -> list[Fact]:
        """The values of a patient for a leaf, in order of time."""
        facts = self._read[reach].get(patient_id, [])
        if not self._swaps:
            return facts
        swapped = (self._swaps.get(fact.value_id, fact) for fact in facts)
        return [fact for fact in swapped if fact is not None]

    def flagged(self) -> dict[int, Fact]:
        """The flagged values by id."""
        return {
            fact.value_id: fact
            for those in self._read.values()
            for facts in those.values()
            for fact in facts
            if fact.flagged
        }

    def swapped(self, value_id: int, other: Fact | None) -> Facts:
        """The same with another value in the place of one, or none."""
        changed = Facts(self._source, self._flags, self.now)
        changed._read, changed._swaps = self._read, {value_id: other}
        return changed

    def last_before(self, patient_id: int, row_ids: Sequence[str], until: str | None) -> Fact | None:
        """The last value of rows before a minute (UTC)."""
        for last in (_LAST, None):
            found = self._source.facts([patient_id], row_ids, None, until, last)
            if said := obtained(found):
                return max(said, key=lambda one: (one.at, one.value_id))
        return None


def _decided(facts: Sequence[Fact]) -> bool:
    """Whether the last values of each row hold all of the latest minute at which one is not flagged."""
    rows = Counter(fact.row_id for fact in facts)
    cut = [next(fact.at for fact in facts if fact.row_id == row_id) for row_id, many in rows.items() if many >= _LAST]
    if not cut:
        return True
    sure = max((fact.at for fact in obtained(facts) if not fact.flagged), default="")
    return sure > max(cut)
