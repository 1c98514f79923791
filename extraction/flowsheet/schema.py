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
    """What a row records of its instance: the site, the side or the type."""

    SITE = "site"
    SIDE = "side"
    TYPE = "type"


class Laterality(StrEnum):
    LEFT = "left"
    RIGHT = "right"


class Fluid(StrEnum):
    INTAKE = "intake"
    OUTPUT = "output"


PRESSURES = ("systolic", "diastolic")  # the two numbers of a blood pressure, in order
TIME_TYPES = frozenset({ValueType.DATE, ValueType.TIME, ValueType.DATE_TIME})
NUMBER_TYPES = frozenset({ValueType.NUMERIC, ValueType.QUANTITY, ValueType.BLOOD_PRESSURE})
SELECT_TYPES = frozenset({ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT})
# Types whose values are the spoken words or numbers themselves.
SAID_TYPES = TIME_TYPES | NUMBER_TYPES


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select row, with its synonyms.

    Attributes:
        spoken: what is said for it, see `extraction.flowsheet.naming.row_concepts`; empty in a schema as it was read.
        exclusive: whether it excludes all other options of a multi select; None if the file does not say, see
            `extraction.flowsheet.naming.exclusive_options`.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    exclusive: bool | None = None

    @property
    def forms(self) -> tuple[str, ...]:
        """Everything that means this option."""
        return (self.name, *self.synonyms, *self.spoken)


@dataclass(frozen=True, slots=True)
class Band:
    """Numbers up to and including `maximum` that no earlier band covers; without a maximum, all that remain."""

    maximum: float | None
    points: float


@dataclass(frozen=True, slots=True)
class FormulaPart:
    """What a formula uses of a row: its number, or the points for its option or for the band that contains its number.

    Attributes:
        take: which number of a blood pressure: `systolic` or `diastolic`.
        otherwise: what is used instead if the row has no value.
    """

    row_id: str
    points: tuple[tuple[str, float], ...] = ()
    bands: tuple[Band, ...] = ()
    take: str | None = None
    otherwise: FormulaPart | None = None

    @property
    def choices(self) -> tuple[FormulaPart, ...]:
        """This part, and what is used instead of it, the first choice first."""
        return (self, *(self.otherwise.choices if self.otherwise else ()))


@dataclass(frozen=True, slots=True)
class Formula:
    """How a row is computed from others: an expression over named parts, see `extraction.flowsheet.formulas`."""

    expression: str
    parts: tuple[tuple[str, FormulaPart], ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What cannot be so in other rows while a row has this value, or this option among others.

    Attributes:
        row_ids: the other rows.
        other_than: the values of theirs that do fit; empty if none does.
        above: their numbers up to and including this one do fit; None for rows without numbers.
    """

    value: str | bool
    row_ids: tuple[str, ...]
    other_than: tuple[str, ...] = ()
    above: float | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `minimum` to `maximum`, both inclusive; None means unbounded."""

    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """One of several similar things: number 2 of the group 'Peripheral IV'."""

    group: str
    number: int


# Row fields that the file may state as none, because they are otherwise inferred from names.
INFERRED_FIELDS = ("instance", "role", "laterality", "measured_with", "concept")


@dataclass(frozen=True, slots=True)
class Row:
    """One flowsheet row.

    The `INFERRED_FIELDS` hold what the file states. The meaning of a row, including what is inferred from its name, is
    in `extraction.flowsheet.naming.row_meaning` and `extraction.flowsheet.naming.row_concepts`.

    Attributes:
        category: names from the outermost category inward.
        unit: the unit the chart keeps (UCUM if `ucum` is set); for quantity rows other units are converted into it.
        minimum, maximum: plausible range in `unit`, inclusive; for blood pressure, of either number.
        absolute, critical, reference: the possible, the unalarming and the normal numbers in `unit`, see
            `extraction.flowsheet.ranges`: one interval, or two for a blood pressure, systolic first; empty if the
            schema does not give them.
        written_out: the name with all words written out; models read it instead of the name, and people see the name.
            Empty for a name without abbreviations.
        usual: the numbers that the hospital has charted in it so far, in the same form; a number outside is doubted.
        instance: the line, drain or wound that the row belongs to.
        role: what it records of that instance.
        laterality: the side of the body that the row is about.
        measured_with: for a single select, id of the row whose number it qualifies ('Temperature site').
        concept: id of the bedside concept that it records.
        required: whether each assessment is expected to have a value of it.
        pinned: whether its values are shown above all others.
        contradicts: what cannot be so in other rows at the same time.
        fluid: the side of the fluid balance to which its volumes are added; None if they are not.
        stated_none: the `INFERRED_FIELDS` that the file states as none, in that order.
        also_in: further category paths, each from the outermost category inward.
        dimension: for quantity rows: temperature, weight, height or volume.
        unit_of: id of the numeric row whose unit this select row records; None for ordinary rows.
        formula: how the row is computed from others; None if it is not.
        spoken, cues: what other flowsheets call the row, and words that show that a sentence is about it, see
            `extraction.flowsheet.naming.row_concepts`; empty in a schema as it was read.
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
    concept: str | None = None
    required: bool = False
    pinned: bool = False
    fluid: Fluid | None = None
    contradicts: tuple[Contradiction, ...] = ()
    spoken: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    usual: tuple[Interval, ...] = ()
    written_out: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that the row is called."""
        return (self.name, *self.synonyms, *self.spoken)

    @property
    def option_names(self) -> tuple[str, ...]:
        return tuple(option.name for option in self.options)

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """All category paths, starting with the row's place in the file."""
        return (self.category, *self.also_in)


@dataclass(frozen=True, slots=True)
class Definition:
    """What "within defined limits" means for a category: the rows it charts, with their values.

    Attributes:
        category: names from the outermost category inward.
        synonyms: other names for the category in such a statement.
        values: by row id, in the form the rows keep.
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
        language: the language tag of its names, such as `en`; empty if the file does not give one.
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
        """Pickles to a hash and content, so that a process that already has this schema reuses it with its caches."""
        return _received, self._sent

    @cached_property
    def _sent(self) -> tuple[str, bytes]:
        """Hash and pickled fields, computed once.

        Excludes cached derived values, so they are not sent to other processes.
        """
        content = pickle.dumps([getattr(self, one.name) for one in fields(self)])
        return hashlib.sha256(content).hexdigest(), content

    @cached_property
    def by_id(self) -> dict[str, Row]:
        return {row.id: row for row in self.rows}

    def row(self, row_id: str) -> Row:
        """The row with this id. Raises KeyError."""
        return self.by_id[row_id]


_RECEIVED: OrderedDict[str, Schema] = OrderedDict()
_MOST_RECEIVED = 2  # the ward's own and one other


def _received(digest: str, content: bytes) -> Schema:
    """Unpickles a schema, or returns the one already received."""
    if digest not in _RECEIVED:
        _RECEIVED[digest] = Schema(*pickle.loads(content))  # noqa: S301  # our own process sent it, through its pipe
        while len(_RECEIVED) > _MOST_RECEIVED:
            _RECEIVED.popitem(last=False)
    _RECEIVED.move_to_end(digest)
    return _RECEIVED[digest]


def of_rows(function: Callable[[tuple[Row, ...]], Result]) -> Callable[[Schema], Result]:
    """Caches a function of a schema's rows, which is then called with the schema.

    The result is shared by schemas with equal rows, which are compared once per schema.
    """
    once = lru_cache(maxsize=4)(function)

    @of_schema
    @wraps(function)
    def of(schema: Schema) -> Result:
        return once(schema.rows)

    return of


def of_schema(function: Callable[[Schema], Result]) -> Callable[[Schema], Result]:
    """Caches a function of a schema in the schema itself."""
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
    """Whether the row is answered with yes or no, whatever its type."""
    return row.value_type is ValueType.YES_NO or {name.casefold() for name in row.option_names} == {"yes", "no"}
