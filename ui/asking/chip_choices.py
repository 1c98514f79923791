"""What each label of a query tree can be changed to: closed sets, each choice a whole tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time
from enum import Enum, auto

from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.questions.query import (
    WARD,
    Aggregate,
    AllOf,
    AnyOf,
    Condition,
    CountPatients,
    Measure,
    Not,
    Order,
    Query,
    Rate,
    Select,
    Subject,
    Value,
    Window,
)
from extraction.questions.query import Part as Number
from extraction.questions.ward import WardPatient
from extraction.questions.wording import ChipKind, chips
from extraction.questions.words.names import names_of
from ui.asking.periods import periods
from ui.asking.tree_places import ANY_TIME, ANY_VALUE, LATEST, Part, Place, is_rate, part_at, parts_of, with_part

_NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)
_OF_ALL_TYPES = (
    Aggregate.LATEST, Aggregate.FIRST, Aggregate.ANY, Aggregate.COUNT, Aggregate.WHEN_FIRST, Aggregate.WHEN_LAST,
    Aggregate.TIME_SINCE,
)  # fmt: skip
_OF_PRESSURES = (*_OF_ALL_TYPES, Aggregate.LOWEST, Aggregate.HIGHEST, Aggregate.CHANGE, Aggregate.TREND, Aggregate.MEAN)
_ONLY_VOLUMES = (Aggregate.SUM,)
_RATES = {None: "not divided", Rate.HOUR: "per hour", Rate.DAY: "per day"}
_NEAR = 12  # rows
_LIMITS = (1, 3, 5, 10)


class Editor(Enum):
    """What needs more than a choice."""

    ROW = auto()  # another row of the flowsheet
    CONDITION = auto()


@dataclass(frozen=True, slots=True)
class Choice:
    """Another tree; `label` is what differs in it. `chosen` is the one that is asked now."""

    label: str
    query: Query
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Changeable:
    """A label with what it can be changed to. `place` is where an editor puts what was entered."""

    label: str
    kind: ChipKind
    place: Place
    choices: tuple[Choice, ...] = ()
    editor: Editor | None = None


@dataclass(frozen=True, slots=True)
class Ward:
    """What choices are made of.

    Attributes:
        rivals: other readings of the question.
        shifts: times of day at which shifts begin, earliest first.
    """

    schema: Schema
    patients: tuple[WardPatient, ...]
    now: datetime
    shifts: tuple[time, ...]
    rivals: tuple[Query, ...] = ()


def changeable(query: Query, ward: Ward) -> tuple[Changeable, ...]:
    """The labels of a tree, in the order in which they are shown."""
    found = tuple(_changeable(query, part, ward) for part in parts_of(query))
    if not isinstance(query, Select) or query.order is not None or len(query.subject.patient_ids or "all") == 1:
        return found
    return (*found, Changeable("by bed", ChipKind.ORDER, ("order",), tuple(_orders(query))))


def measure_of(row: Row, schema: Schema) -> Measure:
    """A row as a measure that a person chose, with the rows that mean the same."""
    return names_of(schema).measure(row)


def rows_near(measure: Measure, schema: Schema) -> list[Row]:
    """The other rows of the same group, whose values are of the same kind."""
    own = next((row for row in schema.rows if row.id in measure.row_ids), None)
    if own is None:
        return []
    return [
        row
        for row in schema.rows
        if row.id not in measure.row_ids
        and (row.category, row.value_type, row.dimension) == (own.category, own.value_type, own.dimension)
    ]


def without_condition(query: Query, place: Place) -> Query | None:
    """The tree without the condition in a place; None if nothing would be left of it."""
    if place and isinstance(place[-1], int):
        joint = part_at(query, place[:-2])
        left = tuple(one for number, one in enumerate(joint.conditions) if number != place[-1])
        return with_part(query, place[:-2], replace(joint, conditions=left) if len(left) > 1 else left[0])  # type: ignore[no-any-return]
    if place[-1:] != ("where",):
        return None
    select = part_at(query, place[:-1])
    condition = select.where
    if not isinstance(condition, Condition):
        return None
    shown = select.values or (condition.value,)
    return with_part(query, place[:-1], replace(select, where=None, values=shown))  # type: ignore[no-any-return]


def _changeable(query: Query, part: Part, ward: Ward) -> Changeable:
    kind, place, editor = part.chip.kind, part.place, None
    choices: list[Choice] = []
    match part.chip.part:
        case Subject() as subject:
            choices = [
                replace(_put(query, place, one, label), chosen=one.patient_ids == subject.patient_ids)
                for label, one in _subjects(ward)
            ]
        case Measure() as measure:
            choices = _measures(query, place, measure, ward)
            editor = Editor.ROW
        case Window() as window:
            choices = [
                replace(_put(query, place, one, one.words or ANY_TIME), chosen=_bounds(one) == _bounds(window))
                for one in periods(ward.now, ward.shifts)
            ]
        case Value() as value if is_rate(part.chip):
            choices = [_put(query, place, replace(value, rate=rate), label) for rate, label in _RATES.items()]
        case Value() as value if kind is ChipKind.AGGREGATE:
            choices = list(_aggregates(query, place, value, ward.schema))
        case Condition():
            editor = Editor.CONDITION
        case AllOf() | AnyOf() as joint:
            both = {"and": AllOf(joint.conditions), "or": AnyOf(joint.conditions)}
            choices = [_put(query, place, one, label) for label, one in both.items()]
        case Not() as denied:
            choices = [_put(query, place, denied, "not"), _put(query, place, denied.condition, "without “not”")]
        case Order():
            choices = list(_orders(query, place))
        case int():
            choices = list(_limits(query, place))
        case CountPatients(of):
            choices = [_put(query, place, of, "List the patients")]
    return Changeable(part.chip.label, kind, place, tuple(choices), editor)


def _put(query: Query, place: Place, part: object, label: str) -> Choice:
    return Choice(label, with_part(query, place, part), part == part_at(query, place))


def _bounds(window: Window) -> tuple[datetime | None, datetime | None]:
    return window.since, window.until


def _subjects(ward: Ward) -> Iterator[tuple[str, Subject]]:
    yield "all patients", WARD
    for one in ward.patients:
        words = f"bed {one.bed}" if one.bed else one.name
        yield f"{words} · {one.name}" if one.bed else one.name, Subject((one.id,), words)


def _measures(query: Query, place: Place, measure: Measure, ward: Ward) -> list[Choice]:
    """What the words of the question may mean besides, then the rows near to it, and the numbers of a pressure."""
    rivals = [part for one in ward.rivals if isinstance(part := part_at(one, place), Measure)]
    near = [measure_of(row, ward.schema) for row in rows_near(measure, ward.schema)[:_NEAR]]
    own = _row_of(measure, ward.schema)
    numbers = []
    if own and own.value_type is ValueType.BLOOD_PRESSURE:
        numbers = [replace(measure, part=part) for part in (None, *Number)]
    known = dict.fromkeys(replace(one, words="") for one in (measure, *numbers, *rivals, *near))
    taken = replace(measure, words="")
    return [Choice(_measure_label(one), with_part(query, place, one), one == taken) for one in known]


def _measure_label(measure: Measure) -> str:
    return next(one.label for one in chips(Select(values=(Value(measure),))))


def _row_of(measure: Measure, schema: Schema) -> Row | None:
    return schema.by_id.get(measure.row_ids[0]) if measure.row_ids else None


def _aggregates(query: Query, place: Place, value: Value, schema: Schema) -> Iterator[Choice]:
    row = _row_of(value.measure, schema)
    volume = row is not None and (row.fluid is not None or row.dimension == "volume")
    if row is not None and row.value_type in _NUMBERS:
        fitting = [one for one in Aggregate if one not in _ONLY_VOLUMES or volume]
    else:
        fitting = [*(_OF_PRESSURES if row and row.value_type is ValueType.BLOOD_PRESSURE else _OF_ALL_TYPES)]
    if value.aggregate not in fitting:
        fitting.append(value.aggregate)
    for one in fitting:
        changed = replace(value, aggregate=one, rate=value.rate if one is Aggregate.SUM else None)
        yield Choice(_aggregate_label(one), with_part(query, place, changed), value.aggregate is one)
    if volume and value.aggregate is Aggregate.SUM and value.rate is None:
        for rate in (Rate.HOUR, Rate.DAY):
            yield Choice(_RATES[rate], with_part(query, place, replace(value, rate=rate)))


def _aggregate_label(aggregate: Aggregate) -> str:
    if aggregate is Aggregate.ANY:
        return ANY_VALUE
    found = chips(Select(values=(Value(Measure("", ()), aggregate),)))
    return next((one.label for one in found if one.kind is ChipKind.AGGREGATE), LATEST)


def _orders(query: Query, place: Place = ()) -> Iterator[Choice]:
    """Orders of the selection that a place is in, and how many lines of it are listed as long as all of them are."""
    owner = place[:-1]
    select = part_at(query, owner)
    if not isinstance(select, Select):
        return
    for order, label in ((None, "by bed"), *((one, str(one)) for one in Order)):
        changed = replace(select, order=order, limit=select.limit if order else None)
        yield Choice(label, with_part(query, owner, changed), select.order is order)
    if select.order is not None and select.limit is None:
        yield from (one for one in _limits(query, place) if not one.chosen)


def _limits(query: Query, place: Place) -> Iterator[Choice]:
    """How many lines are listed of the selection that a place is in."""
    limit = part_at(query, (*place[:-1], "limit"))
    for one in (None, *_LIMITS):
        label = "all of them" if one is None else f"first {one}"
        yield Choice(label, with_part(query, (*place[:-1], "limit"), one), one == limit)
