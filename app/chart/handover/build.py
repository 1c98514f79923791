"""Makes the page of a handover of what is charted in a stay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from app.chart.cells import column_at, column_of, local_of
from app.chart.gaps.gaps import LEAST_EXPECTED
from app.chart.gaps.habits import ChartingHabits
from app.chart.handover.entries import SEVERITY, HandoverEntry
from app.chart.handover.layout import HandoverLayout, HandoverSection, SectionKind
from app.chart.handover.page import Handover, HandoverBalance, HandoverCell, HandoverGap, HandoverPart
from app.chart.history.fluid_balance import shift_at
from app.chart.history.observations import numbers_in_unit
from app.chart.records import ChartEntry, Patient
from app.chart.trends import direction
from extraction.flowsheet.schema import NUMBER_TYPES, Fluid, Row, Schema, ValueType
from extraction.flowsheet.validation import chart_unit

_TREND = 5  # values of a direction
_HOUR = timedelta(hours=1)
_TRENDED = NUMBER_TYPES | {ValueType.BLOOD_PRESSURE}


@dataclass(frozen=True, slots=True)
class Stay:
    """What is known of a stay.

    Attributes:
        charted: its charted values.
        schema: the flowsheet of its last dictation; `rows` has those of all its dictations by id.
        flagged: by value id, why it was flagged.
        unreviewed: see `Handover`.
    """

    patient: Patient
    encounter_id: int
    since: str
    charted: Sequence[ChartEntry]
    schema: Schema
    rows: Mapping[str, Row]
    flagged: Mapping[int, tuple[str, ...]]
    habits: ChartingHabits
    entries: Mapping[str, HandoverEntry]
    unreviewed: int = 0


def handover_of(stay: Stay, layout: HandoverLayout, now: datetime, shifts: Sequence[time]) -> Handover:
    """The page as of `now`; `shifts` are the times of day at which shifts begin."""
    by_row: defaultdict[str, list[ChartEntry]] = defaultdict(list)
    for one in sorted(stay.charted, key=column_of):
        by_row[one.value.row_id].append(one)
    places = layout.places(stay.schema)
    rest = next(place for place, one in enumerate(layout.sections) if one.rest)
    oldest = column_at((now.astimezone(UTC) - layout.hours * _HOUR).isoformat())
    cells: defaultdict[int, list[HandoverCell]] = defaultdict(list)
    older = 0
    for row_id, row in stay.rows.items():
        found = by_row.get(row_id, [])
        place = places.get(row_id, rest)
        if found and (layout.sections[place].whole_stay or column_of(found[-1]) >= oldest):
            cells[place] += _latest(row, found, stay)
        elif found:
            older += 1
    parts = [
        _part(section, tuple(cells[place]), stay, layout, by_row, now, shifts)
        for place, section in enumerate(layout.sections)
    ]
    return Handover(
        stay.patient,
        layout.name,
        stay.encounter_id,
        stay.since,
        now.astimezone(UTC).isoformat(),
        tuple(parts),
        older,
        stay.unreviewed,
    )


def _part(
    section: HandoverSection,
    cells: tuple[HandoverCell, ...],
    stay: Stay,
    layout: HandoverLayout,
    by_row: Mapping[str, Sequence[ChartEntry]],
    now: datetime,
    shifts: Sequence[time],
) -> HandoverPart:
    match section.kind:
        case SectionKind.SEVERITY:
            return HandoverPart(section, entry=_written(stay, SEVERITY))
        case SectionKind.TYPED:
            return HandoverPart(section, entry=_written(stay, section.part))
        case SectionKind.BALANCE:
            return HandoverPart(section, cells, balance=_balance(stay, by_row, now, shifts))
        case SectionKind.GAPS:
            return HandoverPart(section, gaps=tuple(_gaps(stay, by_row, layout.gap_hours, now)))
    return HandoverPart(section, cells)


def _written(stay: Stay, part: str) -> HandoverEntry | None:
    entry = stay.entries.get(part)
    return entry if entry and entry.content else None


def _latest(row: Row, found: Sequence[ChartEntry], stay: Stay) -> list[HandoverCell]:
    """The last value of a row, or several of that minute, with the direction of its last numbers; volumes have none."""
    last = column_of(found[-1])
    numbers = [
        number[0]
        for one in found[-_TREND:]
        if row.value_type in _TRENDED and not row.fluid and (number := numbers_in_unit(row, one.value, chart_unit(row)))
    ]
    way = direction(numbers)
    return [
        HandoverCell(
            row,
            one.value,
            last,
            one.source,
            stay.flagged.get(one.value.id, ()),
            way,
            len(numbers) - 1 if way else 0,
        )
        for one in found
        if column_of(one) == last
    ]


def _gaps(stay: Stay, by_row: Mapping[str, Sequence[ChartEntry]], gap_hours: int, now: datetime) -> list[HandoverGap]:
    """Required and usually charted rows without a value for so many hours; required ones and the longest first."""
    if not stay.since:
        return []
    assessments = len({one.value.dictation_id for one in stay.charted})
    found: list[HandoverGap] = []
    for row in stay.schema.rows:
        if row.formula is not None or row.unit_of is not None:
            continue
        own = by_row.get(row.id, ())
        charted_in = len({one.value.dictation_id for one in own})
        usual = stay.habits.expected(row.id, charted=charted_in, assessments=assessments) >= LEAST_EXPECTED
        since = column_of(own[-1]) if own else stay.since
        hours = int((local_of(now.isoformat()) - local_of(since)) / _HOUR)
        if (row.required or usual) and hours >= gap_hours:
            found.append(HandoverGap(row, _latest(row, own, stay)[-1] if own else None, hours))
    return sorted(found, key=lambda gap: (not gap.row.required, -gap.hours))


def _balance(
    stay: Stay, by_row: Mapping[str, Sequence[ChartEntry]], now: datetime, shifts: Sequence[time]
) -> HandoverBalance | None:
    """The volumes of the shift of the last dictation; None if no volume is charted in it."""
    if not stay.charted:
        return None
    last = local_of(max(map(column_of, stay.charted)))
    start, _ = shift_at(min(last, local_of(now.isoformat())), shifts)
    sums: dict[Fluid, float] = {}
    uncounted = 0
    for row_id, row in stay.rows.items():
        for one in by_row.get(row_id, ()) if row.fluid else ():
            if not start <= local_of(column_of(one)) <= last:
                continue
            assert row.fluid
            if milliliters := numbers_in_unit(row, one.value, "mL"):
                sums[row.fluid] = sums.get(row.fluid, 0.0) + sum(milliliters)
            else:
                uncounted += 1
    if not sums and not uncounted:
        return None
    return HandoverBalance(
        f"{start:%Y-%m-%dT%H:%M}", f"{last:%Y-%m-%dT%H:%M}", sums.get(Fluid.INTAKE), sums.get(Fluid.OUTPUT), uncounted
    )
