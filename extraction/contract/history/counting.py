"""The history of each row from the entries of the dumps. What fewer values or patients have than may be kept is left
out, see `extraction.contract.row_history`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from extraction.contract.history.together import ChartingMoments
from extraction.contract.records import ContractRow
from extraction.contract.row_history import (
    LEAST_PATIENTS,
    LEAST_VALUES,
    ChartedTotals,
    NumberHistory,
    OptionHistory,
    RowHistory,
)
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.entries import Entries, EntryColumns
from extraction.contract.rows.moments import month_of
from extraction.contract.rows.option_text import options_of
from extraction.contract.rows.units import ucum_of
from extraction.contract.value_shapes import folded
from extraction.flowsheet.schema import NUMBER_TYPES, PRESSURES, ValueType

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_LONG = 0.9  # of the intervals do not exceed the long one
_MINUTES = 24 * 60
_SHIFT, _SHIFTS_BEGIN = 12 * 60, 7 * 60
_FORMS = {form: name for name, forms in (("yes", "yes y true t 1"), ("no", "no n false f 0")) for form in forms.split()}


def with_history(
    rows: Sequence[ContractRow], entries: Entries, charted: Mapping[str, ChartedValues]
) -> tuple[tuple[ContractRow, ...], ChartedTotals | None]:
    """The rows with how they were charted, and what was charted in all; None if that is too little to be kept.

    Args:
        charted: what was counted of the values, by the id of the row.
    """
    if not len(entries):
        return tuple(rows), None
    columns = entries.columns()
    if not _is_enough(columns.patient):
        return tuple(rows), None
    order = np.argsort(columns.row, kind="stable")
    ends = np.searchsorted(columns.row, np.arange(len(entries.rows) + 1), sorter=order)
    moments = ChartingMoments(columns, list(entries.rows))
    totals = _totals(columns)
    counted = []
    for row in rows:
        place = entries.rows.get(row.id)
        history = None
        if place is not None:
            own = columns.chosen(order[ends[place] : ends[place + 1]])
            history = _history(row, own, totals, entries, charted.get(row.id, ChartedValues()), moments)
        counted.append(replace(row, history=history))
    return tuple(counted), totals


def _is_enough(patients: Any) -> bool:
    return len(patients) >= LEAST_VALUES and len(np.unique(patients)) >= LEAST_PATIENTS


def _totals(columns: EntryColumns) -> ChartedTotals:
    return ChartedTotals(
        len(columns.row),
        len(np.unique(columns.patient)),
        *_periods(columns),
        first=_outermost_month(columns, latest=False),
        last=_outermost_month(columns, latest=True),
    )


def _periods(columns: EntryColumns) -> tuple[int, int, int]:
    """How many stays, days of stays and shifts of stays have an entry."""
    timed = columns.day > 0
    clocked = timed & (columns.minute >= 0)
    shift = (_at(columns.day[clocked], columns.minute[clocked]) - _SHIFTS_BEGIN) // _SHIFT
    days = _pairs(columns.stay[timed], columns.day[timed])
    return len(np.unique(columns.stay)), days, _pairs(columns.stay[clocked], shift)


def _pairs(stay: Any, period: Any) -> int:
    return len(np.unique(stay.astype(np.int64) << 32 | period))


def _at(day: Any, minute: Any) -> Any:
    return day.astype(np.int64) * _MINUTES + np.maximum(minute, 0)


def _history(
    row: ContractRow,
    own: EntryColumns,
    totals: ChartedTotals,
    entries: Entries,
    charted: ChartedValues,
    moments: ChartingMoments,
) -> RowHistory | None:
    if not _is_enough(own.patient):
        return None
    stays, days, shifts = _periods(own)
    interval, long_interval = _intervals(own)
    return RowHistory(
        len(own.row),
        len(np.unique(own.patient)),
        _share(stays, totals.stays),
        _share(days, totals.days),
        _share(shifts, totals.shifts),
        interval,
        long_interval,
        _outermost_month(own, latest=True),
        _options(row, charted),
        _numbers(row, own, entries),
        moments.charted_with(row.id),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _outermost_month(columns: EntryColumns, *, latest: bool) -> str:
    """The month in which the last, or the first, entries lie that may be kept; empty if the days are not known."""
    sign, known = -1 if latest else 1, columns.day > 0
    outermost = _extreme(sign * columns.day[known], columns.patient[known])
    return "" if outermost is None else month_of(int(sign * outermost))


def _extreme(numbers: Any, patients: Any) -> Any:
    """The lowest number at or below which enough values of enough patients lie; None if there is none."""
    order = np.argsort(numbers, kind="stable")
    first_of_patients = np.sort(np.unique(patients[order], return_index=True)[1])
    if len(numbers) < LEAST_VALUES or len(first_of_patients) < LEAST_PATIENTS:
        return None
    return numbers[order[max(LEAST_VALUES - 1, first_of_patients[LEAST_PATIENTS - 1])]]


def _intervals(own: EntryColumns) -> tuple[int | None, int | None]:
    """Minutes between two times of a stay: the median, and the long one."""
    timed = own.chosen(own.day > 0)
    at = _at(timed.day, timed.minute)
    _, first = np.unique(timed.stay.astype(np.int64) << 32 | at, return_index=True)  # sorted by stay, then by time
    stay, at, patients = timed.stay[first], at[first], timed.patient[first]
    same = stay[1:] == stay[:-1]
    between = np.diff(at)[same]
    if not _is_enough(patients[1:][same]):
        return None, None
    median, long = np.quantile(between, (0.5, _LONG), method="inverted_cdf")
    return int(median), int(long)


def _numbers(row: ContractRow, own: EntryColumns, entries: Entries) -> tuple[NumberHistory, ...]:
    if row.value_type not in NUMBER_TYPES:
        return ()
    if row.value_type == ValueType.BLOOD_PRESSURE:
        pressures = own.chosen(np.isfinite(own.number) & np.isfinite(own.second))
        parts = [_spread(numbers, pressures.patient) for numbers in (pressures.number, pressures.second)]
        return tuple(part for part in parts if part) if len(list(filter(None, parts))) == len(PRESSURES) else ()
    own = own.chosen(np.isfinite(own.number) & np.isnan(own.second))
    own = own.chosen(np.isin(own.unit, _units_of(row, own, entries)))
    spread = _spread(own.number, own.patient)
    return (spread,) if spread else ()


def _units_of(row: ContractRow, own: EntryColumns, entries: Entries) -> list[int]:
    """The places of the units in which the row is kept; what is charted in another one is not counted."""
    if not row.unit:
        return [entries.units[""], entries.usual_unit(own.unit)]
    code = row.ucum or ucum_of(row.unit)
    return [
        place
        for name, place in entries.units.items()
        if not name or name == folded(row.unit) or (code and ucum_of(name) == code)
    ]


def _spread(numbers: Any, patients: Any) -> NumberHistory | None:
    lowest, highest = _extreme(numbers, patients), _extreme(-numbers, patients)
    if lowest is None or highest is None or lowest > -highest:
        return None
    low, high = _plain(lowest), _plain(-highest)
    shares = zip(_QUANTILES, np.quantile(numbers, _QUANTILES, method="inverted_cdf"), strict=True)
    kept = tuple((share, _plain(number)) for share, number in shares if low <= _plain(number) <= high)
    return NumberHistory(len(numbers), len(np.unique(patients)), low, high, kept)


def _plain(number: Any) -> float:
    return float(f"{number:.6g}")


def _options(row: ContractRow, charted: ChartedValues) -> tuple[OptionHistory, ...]:
    """The options as far as they may be kept, the most frequent first."""
    named = {folded(form): option.name for option in row.options for form in (option.name, *option.synonyms)}
    coded = {folded(option.code): option.name for option in row.options if option.code}
    known = coded | named
    if row.value_type == ValueType.YES_NO and not known:
        known = _FORMS
    if not known:
        return ()
    counts: Counter[str] = Counter()
    patients: dict[str, set[int]] = {}
    for value, count in charted.values.items():
        whole = known.get(value)
        parts = [whole] if whole else [known.get(folded(part)) for _, part in options_of(charted.spelling(value))]
        for name in {part for part in parts if part}:
            counts[name] += count
            patients.setdefault(name, set()).update(charted.patients_of(value))
    kept = [
        OptionHistory(name, count)
        for name, count in counts.items()
        if count >= LEAST_VALUES and len(patients[name]) >= LEAST_PATIENTS
    ]
    return tuple(sorted(kept, key=lambda one: (-one.count, one.name)))
