"""What was charted in a row, counted in one pass over the dumps of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from extraction.contract.catalogue import Table, ignore_count
from extraction.contract.records import FieldRole
from extraction.contract.row_history import LEAST_PATIENTS
from extraction.contract.rows.entries import Entries
from extraction.contract.rows.role_places import places_of
from extraction.contract.value_shapes import folded, is_nothing, tidied, words_in

# A row with more different values is no choice of options.
_MOST_DIFFERENT = 400
_LONGEST = 120
_MOST_ACTS = 200
_OF_INSTANCES = frozenset("occurrence instance occurence repeat device lda".split())


@dataclass
class ChartedValues:
    """The values of one row in the dumps.

    Attributes:
        count: of all values that are not nothing.
        values: how often each different one occurs, without regard to case; the first few hundred.
        spelled: the commonest spelling of each.
        units: units that stand beside the values.
        types: value types that stand beside them.
        names: names of the row that stand beside them.
        acts: how often something was charted; fewer than values where several lines belong together.
        acts_of_several: of these, with several different values.
    """

    count: int = 0
    values: Counter[str] = field(default_factory=Counter)
    spelled: dict[str, Counter[str]] = field(default_factory=dict)
    units: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    categories: Counter[tuple[str, ...]] = field(default_factory=Counter)
    first_line: int = 0
    source: str = ""
    acts: int = 0
    acts_of_several: int = 0
    _patients: dict[str, set[int]] = field(default_factory=dict)
    _acts: dict[int, set[str]] = field(default_factory=dict)

    def add(self, value: str, patient: str) -> None:
        self.count += 1
        if len(value) > _LONGEST:
            value = value[:_LONGEST]
        key = folded(value) or value.strip()
        if key not in self.values and len(self.values) >= _MOST_DIFFERENT:
            return
        self.values[key] += 1
        self.spelled.setdefault(key, Counter())[tidied(value)] += 1
        whose = self._patients.setdefault(key, set())
        if len(whose) < LEAST_PATIENTS:
            whose.add(hash(patient))

    def add_act(self, whose: int, value: str) -> None:
        """Counts a value of one act of charting: the same row, patient, time and whatever else tells acts apart."""
        values = self._acts.get(whose)
        if values is None:
            if len(self._acts) >= _MOST_ACTS:
                self._acts.clear()  # lines of one act stand near to one another
            self.acts += 1
            self._acts[whose] = {value}
        elif value not in values:
            values.add(value)
            self.acts_of_several += len(values) == 2

    @property
    def overflowed(self) -> bool:
        """Whether there were more different values than are kept."""
        return len(self.values) >= _MOST_DIFFERENT

    def shared(self, *values: str, patients: int) -> bool:
        """Whether so many patients have one of the values: what one alone has may be words about that patient."""
        return len(set().union(*(self._patients.get(value, ()) for value in values))) >= patients

    def patients_of(self, value: str) -> Set[int]:
        """Hashes of the first patients that have a value, as many as must have it for a figure to be kept."""
        return self._patients.get(value, frozenset())

    def spelling(self, value: str) -> str:
        return max(self.spelled[value].items(), key=lambda item: (item[1], item[0]))[0]


# what acts of charting differ in; a value that was corrected was entered at another time
_TELLS_ACTS = (FieldRole.PATIENT, FieldRole.ENCOUNTER, FieldRole.OBSERVED_AT, FieldRole.RECORDED_AT)


def count_charted(
    tables: Iterable[Table],
    roles: Mapping[tuple[str, str], FieldRole],
    renamed: Mapping[str, str],
    meanings: Mapping[tuple[str, str], Mapping[str, str]],
    entries: Entries,
    clocks: Set[tuple[str, str]] = frozenset(),
    counted: Callable[[int], None] = ignore_count,
) -> dict[str, ChartedValues]:
    """Counts what was charted, by the id of the row.

    Args:
        roles: by source and field.
        renamed: today's id by an id of before.
        meanings: by source and field, what its codes mean.
        entries: gets each value with its patient, stay and time.
        clocks: fields that hold times of day, by source and field; one behind a date belongs to it.
        counted: is told now and then how many values were read.
    """
    charted: dict[str, ChartedValues] = {}
    for table in tables:
        place = places_of(table, roles)
        if not place[FieldRole.ROW_ID] or not place[FieldRole.VALUE]:
            continue
        row = place[FieldRole.ROW_ID][0]
        whose = next(iter(place[FieldRole.PATIENT] or place[FieldRole.ENCOUNTER]), None)
        act_at = [at for role in _TELLS_ACTS for at in place[role]]
        act_at += [
            at for at, path in enumerate(table.fields) if at not in act_at and set(words_in(path)) & _OF_INSTANCES
        ]
        timed = bool(place[FieldRole.OBSERVED_AT] or place[FieldRole.RECORDED_AT])
        beside = [
            (at, kind) for kind in (FieldRole.UNIT, FieldRole.VALUE_TYPE, FieldRole.ROW_NAME) for at in place[kind]
        ]
        stay = next(iter(place[FieldRole.ENCOUNTER]), whose)
        when = place[FieldRole.OBSERVED_AT] or place[FieldRole.RECORDED_AT]
        behind = range(when[0] + 1, len(table.fields)) if when else ()
        clock = next((at for at in behind if (table.source.name, table.fields[at]) in clocks), None)
        unit = next(iter(place[FieldRole.UNIT]), None)
        texts = {at: meanings.get((table.source.name, table.fields[at]), {}) for at, _ in beside}
        for number, record in enumerate(table.records(), 1):
            cells = record.values
            if number % 20_000 == 0:
                counted(number)
            row_id = cells[row].strip()
            if is_nothing(row_id):
                continue
            known = renamed.get(row_id, row_id)
            values = charted.setdefault(known, ChartedValues())
            if not values.source:
                values.source, values.first_line = table.source.name, record.line
            for at, kind in beside:
                if text := cells[at].strip():
                    _counter(values, kind)[texts[at].get(text, text)] += 1
            if place[FieldRole.CATEGORY]:
                values.categories[
                    tuple(tidied(cells[at]) for at in place[FieldRole.CATEGORY] if cells[at].strip())
                ] += 1
            said = next((cells[at] for at in place[FieldRole.VALUE] if not is_nothing(cells[at])), "")
            if said:
                patient = _cell(cells, whose)
                values.add(said, patient)
                beside_it = _cell(cells, unit)
                entries.add(
                    table.source.name,
                    known,
                    patient,
                    _cell(cells, stay),
                    _cell(cells, when[0] if when else None),
                    _cell(cells, clock),
                    said,
                    texts[unit].get(beside_it, beside_it) if unit is not None else "",
                )
                if timed and whose is not None and len(said) <= _LONGEST:
                    values.add_act(hash(tuple(cells[at] for at in act_at)), folded(said))
    return charted


def _cell(cells: Sequence[str], place: int | None) -> str:
    return "" if place is None else cells[place].strip()


def _counter(values: ChartedValues, kind: FieldRole) -> Counter[str]:
    if kind is FieldRole.UNIT:
        return values.units
    return values.types if kind is FieldRole.VALUE_TYPE else values.names
