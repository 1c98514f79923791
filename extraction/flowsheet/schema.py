"""The hospital's flowsheet schema: categories of typed rows, read from JSON and checked."""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property, lru_cache, wraps
from typing import TypeVar, cast

from extraction.flowsheet.values import Value

Result = TypeVar("Result")


class ValueType(StrEnum):
    SINGLE_SELECT = "single_select"
    MULTI_SELECT = "multi_select"
    NUMERIC = "numeric"
    TEXT = "text"
    YES_NO = "yes_no"
    DATE = "date"
    TIME = "time"
    DATE_TIME = "date_time"
    BLOOD_PRESSURE = "blood_pressure"
    QUANTITY = "quantity"


class Role(StrEnum):
    """What a row records of the one of several that it belongs to: where it is, on which side, of what kind."""

    SITE = "site"
    SIDE = "side"
    TYPE = "type"


class Laterality(StrEnum):
    LEFT = "left"
    RIGHT = "right"


PRESSURES = ("systolic", "diastolic")  # the two numbers of a blood pressure, in order
TIME_TYPES = frozenset({ValueType.DATE, ValueType.TIME, ValueType.DATE_TIME})
NUMBER_TYPES = frozenset({ValueType.NUMERIC, ValueType.QUANTITY, ValueType.BLOOD_PRESSURE})
# Types whose values are the very words or numbers that were said.
SAID_TYPES = TIME_TYPES | NUMBER_TYPES


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select row, with other ways of saying it."""

    name: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Band:
    """Numbers up to `maximum`, inclusive, that earlier bands leave; all of them where it is None."""

    maximum: float | None
    points: float


@dataclass(frozen=True, slots=True)
class FormulaPart:
    """What a formula takes of a row: its number, or the points of its option or of the band that its number lies in.

    Attributes:
        take: of a blood pressure, which of its numbers: `systolic` or `diastolic`.
    """

    row_id: str
    points: tuple[tuple[str, float], ...] = ()
    bands: tuple[Band, ...] = ()
    take: str | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """How a row is worked out from others: an expression over named parts, see `extraction.flowsheet.formulas`."""

    expression: str
    parts: tuple[tuple[str, FormulaPart], ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `minimum` to `maximum`, both inclusive; where one is None, there is no bound on that side."""

    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """Which one of several alike a row belongs to: number 2 of the group 'Peripheral IV'."""

    group: str
    number: int


# Fields of a row that may be stated to be none, since they are inferred from names where nothing is stated.
INFERRED_FIELDS = ("instance", "role", "laterality", "measured_with")


@dataclass(frozen=True, slots=True)
class Row:
    """One flowsheet row.

    `instance`, `role`, `laterality` and `measured_with` are what the file states. What a row means, with what is
    inferred from names where nothing is stated, is told by `extraction.flowsheet.naming.row_meaning`.

    Attributes:
        category: names from the outermost category inward.
        unit: the unit the chart keeps (UCUM where `ucum` is set); for quantity rows other units are converted into it.
        minimum, maximum: plausible range in `unit`, inclusive; for blood pressure, of either number.
        absolute, critical, reference: the possible, the not alarming and the normal numbers in `unit`, see
            `extraction.flowsheet.ranges`: one interval, or for a blood pressure two, the systolic one first; empty
            where the schema does not give them.
        instance: the line, drain or wound that the row belongs to.
        role: what it records of that.
        laterality: the side of the body that the row is about.
        measured_with: of a single select, id of the row whose number it qualifies ('Temperature site').
        stated_none: those of `INFERRED_FIELDS` that the file states to be none, in this order.
        also_in: further category paths, each from the outermost category inward.
        dimension: of quantity rows: temperature, weight, height or volume.
        unit_of: id of the numeric row whose unit this select row records, None for ordinary rows.
        formula: how the row is worked out from others; None where it is not.
    """

    id: str
    name: str
    value_type: ValueType
    category: tuple[str, ...]
    options: tuple[Option, ...] = ()
    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    dimension: str | None = None
    synonyms: tuple[str, ...] = ()
    loinc: str | None = None
    ucum: str | None = None
    unit_of: str | None = None
    formula: Formula | None = None
    absolute: tuple[Interval, ...] = ()
    critical: tuple[Interval, ...] = ()
    reference: tuple[Interval, ...] = ()
    instance: Instance | None = None
    role: Role | None = None
    laterality: Laterality | None = None
    measured_with: str | None = None
    stated_none: tuple[str, ...] = ()
    also_in: tuple[tuple[str, ...], ...] = ()

    @property
    def option_names(self) -> tuple[str, ...]:
        return tuple(option.name for option in self.options)

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """All category paths, that of its place in the file first."""
        return (self.category, *self.also_in)


@dataclass(frozen=True, slots=True)
class Definition:
    """What "within defined limits" means for a category: the rows that it charts, with their values.

    Attributes:
        category: names from the outermost category inward.
        synonyms: other ways of naming the category in such a statement.
        values: by row id, as the rows keep them.
    """

    category: tuple[str, ...]
    synonyms: tuple[str, ...]
    values: tuple[tuple[str, Value], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.category[-1], *self.synonyms)


@dataclass(frozen=True)
class Schema:
    """A checked flowsheet schema.

    Attributes:
        sha256: of the file's bytes.
        language: the language tag of its names, such as `en`; empty where the file does not say it.
    """

    id: str
    name: str
    version: str
    rows: tuple[Row, ...]
    sha256: str
    source: str
    definitions: tuple[Definition, ...] = ()
    language: str = ""

    def __reduce__(self) -> tuple[Callable[[str, bytes], Schema], tuple[str, bytes]]:
        """Another process that was sent the same schema before takes that one, with all that it worked out of it."""
        return _received, self._sent

    @cached_property
    def _sent(self) -> tuple[str, bytes]:
        """The schema for another process, made once: hash and content."""
        content = pickle.dumps([getattr(self, one.name) for one in fields(self)])
        return hashlib.sha256(content).hexdigest(), content

    @cached_property
    def by_id(self) -> dict[str, Row]:
        return {row.id: row for row in self.rows}

    def row(self, row_id: str) -> Row:
        """The row with this id; KeyError where the schema has none."""
        return self.by_id[row_id]


_RECEIVED: OrderedDict[str, Schema] = OrderedDict()
_MOST_RECEIVED = 2  # that of the ward and another one


def _received(digest: str, content: bytes) -> Schema:
    """The schema that was sent; the one that is here already where it was sent before."""
    if digest not in _RECEIVED:
        _RECEIVED[digest] = Schema(*pickle.loads(content))  # noqa: S301  # our own process sent it, through its pipe
        while len(_RECEIVED) > _MOST_RECEIVED:
            _RECEIVED.popitem(last=False)
    _RECEIVED.move_to_end(digest)
    return _RECEIVED[digest]


def of_rows(function: Callable[[tuple[Row, ...]], Result]) -> Callable[[Schema], Result]:
    """Decorates a function of a schema's rows, which is then called with the schema: it works once for the same rows,
    and whether they are the same is found out once for each schema."""
    once = lru_cache(maxsize=4)(function)

    @of_schema
    @wraps(function)
    def of(schema: Schema) -> Result:
        return once(schema.rows)

    return of


def of_schema(function: Callable[[Schema], Result]) -> Callable[[Schema], Result]:
    """Decorates a function of a schema that takes what others have worked out of it: it works once for each schema."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def kept(schema: Schema) -> Result:
        known = vars(schema)
        if name not in known:
            known[name] = function(schema)
        return cast("Result", known[name])

    return kept


def file_sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def is_yes_no(row: Row) -> bool:
    """Whether the row is answered with yes or no, however the schema puts it."""
    return row.value_type is ValueType.YES_NO or {name.casefold() for name in row.option_names} == {"yes", "no"}
