"""All charted values of the dumps as columns of numbers: who, when, which row, how much; no text is kept."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from extraction.contract.rows.moments import clock_of, day_numbers, split_moment
from extraction.contract.value_shapes import folded, number_of, number_with_unit

Known = TypeVar("Known")

# Of so many values 30 bytes each are kept; further ones are not counted in the history.
MOST_ENTRIES = 5_000_000
_PRESSURE = re.compile(r"\s*(\d{2,3})\s*/\s*(\d{2,3})\s*")
_LONGEST = 40
_MOST_REMEMBERED = 50_000  # texts whose number is known
_NO_UNIT = 0
_NOT_A_NUMBER = float("nan")


class Measured(NamedTuple):
    """The number in a value, the second one of a blood pressure, and the unit after it."""

    number: float = _NOT_A_NUMBER
    second: float = _NOT_A_NUMBER
    unit: str = ""


@dataclass(frozen=True)
class EntryColumns:
    """The entries as arrays of equal length.

    Attributes:
        row: place in `Entries.rows`; patient, stay: numbers that tell them apart.
        day: the number of the day, 0 if it is not known; minute: of that day, -1 if it is not known.
        number, second: to seven digits, NaN where there is none; unit: place in `Entries.units`.
    """

    row: Any
    patient: Any
    stay: Any
    day: Any
    minute: Any
    number: Any
    second: Any
    unit: Any

    def chosen(self, which: Any) -> EntryColumns:
        """These entries, chosen by a mask or by places."""
        return EntryColumns(**{name: getattr(self, name)[which] for name in self.__dataclass_fields__})


class Entries:
    """Collects charted values in one pass.

    Attributes:
        rows, units: place by id of the row, and by folded unit.
    """

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.units: dict[str, int] = {"": _NO_UNIT}
        self._days: dict[tuple[str, str], int] = {}
        self._patients: dict[int, int] = {}
        self._stays: dict[int, int] = {}
        self._measured: dict[str, Measured] = {}
        self._row, self._patient, self._stay = array("i"), array("i"), array("i")
        self._day, self._minute = array("i"), array("h")
        self._number, self._second, self._unit = array("f"), array("f"), array("i")

    def __len__(self) -> int:
        return len(self._row)

    def add(
        self, source: str, row_id: str, patient: str, stay: str, at: str, clock: str, value: str, unit: str
    ) -> None:
        """Adds one value.

        Args:
            at: when it was charted, as the source writes it; `clock`: the time of day where it stands apart.
            unit: as it stands beside the value; one after the number counts first.
        """
        if len(self._row) >= MOST_ENTRIES:
            return
        day, minute = split_moment(at) if at else ("", -1)
        if minute < 0 and clock:
            minute = clock_of(clock)
        measured = self._measure(value)
        written = folded(measured.unit or unit) if measured.number == measured.number else ""
        self._row.append(_place(self.rows, row_id))
        self._patient.append(_place(self._patients, hash(patient)))
        self._stay.append(_place(self._stays, hash(stay or patient)))
        self._day.append(_place(self._days, (source, day)))
        self._minute.append(minute)
        self._number.append(measured.number)
        self._second.append(measured.second)
        self._unit.append(_place(self.units, written))

    def columns(self) -> EntryColumns:
        """All entries, each day as its number."""
        numbers = np.zeros(max(1, len(self._days)), np.int32)
        of_source: dict[str, list[tuple[str, int]]] = {}
        for (source, day), place in self._days.items():
            of_source.setdefault(source, []).append((day, place))
        for days in of_source.values():
            numbers[[place for _, place in days]] = day_numbers([day for day, _ in days])
        return EntryColumns(
            _array(self._row),
            _array(self._patient),
            _array(self._stay),
            numbers[_array(self._day)],
            _array(self._minute),
            _array(self._number),
            _array(self._second),
            _array(self._unit),
        )

    def usual_unit(self, units: Any) -> int:
        """The place of the commonest unit among these places; of those equally common the first in the alphabet."""
        names = {place: name for name, place in self.units.items()}
        counts = Counter(place for place in units.tolist() if place != _NO_UNIT)
        return min(counts, key=lambda place: (-counts[place], names[place]), default=_NO_UNIT)

    def _measure(self, value: str) -> Measured:
        if len(value) > _LONGEST:  # words about somebody, which are not remembered either
            return Measured()
        known = self._measured.get(value)
        if known is None:
            known = _measured(value)
            if len(self._measured) < _MOST_REMEMBERED:
                self._measured[value] = known
        return known


def _measured(value: str) -> Measured:
    if pressure := _PRESSURE.fullmatch(value):
        return Measured(float(pressure[1]), float(pressure[2]))
    number = number_of(value)
    if number is not None:
        return Measured(number)
    found = number_with_unit(value)
    return Measured(found[0], unit=found[1]) if found else Measured()


def _place(places: dict[Known, int], one: Known) -> int:
    """The place of one that is known, or of a new one."""
    return places.setdefault(one, len(places))


def _array(column: array[Any]) -> Any:
    return np.frombuffer(column, np.dtype(column.typecode)) if column else np.empty(0, np.dtype(column.typecode))
