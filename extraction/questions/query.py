"""The query tree: what a question asks of charted values, as data that a person can read and change.

A question is read into one node. Nodes hold other nodes; the leaves name measures, patients and windows. Nothing here
reads words or a store: `extraction/questions/reading.py` makes the tree, `app/asking` answers it. After Adaptive
SchemaRAG, section 3 (query tree) and the query half of Executable Schema Contracts, section 3.5 (gates).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class Part(StrEnum):
    """One of the two numbers of a blood pressure."""

    SYSTOLIC = "systolic"
    DIASTOLIC = "diastolic"


@dataclass(frozen=True, slots=True)
class Measure:
    """What is asked about: one row, or rows that mean the same, such as heart rate and pulse.

    Attributes:
        name: as it is shown; the name of the first row.
        row_ids: rows of the flowsheet whose values count alike, likeliest first.
        words: the words of the question that named it; empty if a person chose it.
        part: which number of a blood pressure is meant; None for both, or for anything else. Comparisons with one
            number take the systolic one.
        same: whether the rows mean the same. Otherwise they are summands, such as all rows of urine output.
    """

    name: str
    row_ids: tuple[str, ...]
    words: str = ""
    part: Part | None = None
    same: bool = True


@dataclass(frozen=True, slots=True)
class Window:
    """A period by the ward's clock, from the minute of `since` up to that of `until`, which is left out.

    Attributes:
        since, until: None for no bound.
        words: such as "since midnight"; empty for no window.
    """

    since: datetime | None = None
    until: datetime | None = None
    words: str = ""


ALWAYS = Window()


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a question is about.

    Attributes:
        patient_ids: None for all patients of the ward.
        words: such as "bed 4"; empty for the ward.
    """

    patient_ids: tuple[int, ...] | None = None
    words: str = ""


WARD = Subject()


class Aggregate(StrEnum):
    """What is made of the values of one measure, one patient and one window."""

    LATEST = "latest"
    FIRST = "first"
    LOWEST = "lowest"
    HIGHEST = "highest"
    MEAN = "mean"
    SUM = "sum"
    COUNT = "count"  # of values
    CHANGE = "change"  # latest minus first
    TREND = "trend"  # direction and change
    ANY = "any"  # each value of the window
    WHEN_FIRST = "when first"  # the time of the first value
    WHEN_LAST = "when last"  # the time of the latest value
    TIME_SINCE = "time since"  # from the latest value to the clock


class Comparison(StrEnum):
    """How a value is compared."""

    EQUAL = "is"
    NOT_EQUAL = "is not"
    BELOW = "below"
    AT_MOST = "at most"
    ABOVE = "above"
    AT_LEAST = "at least"
    BETWEEN = "between"  # both bounds included
    CHARTED = "charted"
    NOT_CHARTED = "not charted"


class Rate(StrEnum):
    """What an amount is divided by."""

    HOUR = "per hour"
    DAY = "per day"
    KILOGRAM_HOUR = "per kilogram and hour"


@dataclass(frozen=True, slots=True)
class Value:
    """A measure of each patient of the subject: its value, or that it is not charted.

    Attributes:
        rate: divides an amount by the hours of the window, and by the latest weight.
        weight: the measure of the weight; only for `Rate.KILOGRAM_HOUR`.
        baseline: another window that changes are measured from: `CHANGE` is then the latest value of `window`
            minus the latest one of `baseline`, as in "weight change since Monday".
    """

    measure: Measure
    aggregate: Aggregate = Aggregate.LATEST
    window: Window = ALWAYS
    rate: Rate | None = None
    weight: Measure | None = None
    baseline: Window | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """Intake minus output in a window, of the rows that the schema counts as fluids."""

    window: Window = ALWAYS


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether a value compares so. A patient without the value is neither in nor out, but listed as not charted.

    Attributes:
        options: names of options, any of which may be charted; for `EQUAL` and `NOT_EQUAL`. "Yes" or "No" for yes/no.
        numbers: one number, or two for `BETWEEN`, in `unit`.
        unit: UCUM; None for the unit of the row.
        value: whose aggregate `ANY` means "was it ever".
    """

    value: Value | Balance
    comparison: Comparison
    options: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class AllOf:
    """Patients who meet every condition."""

    conditions: tuple[Where, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Patients who meet at least one condition."""

    conditions: tuple[Where, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Patients who are charted and do not meet the condition."""

    condition: Where


Where = Condition | AllOf | AnyOf | Not


class Order(StrEnum):
    """In which order patients or values are listed."""

    HIGHEST_FIRST = "highest first"
    LOWEST_FIRST = "lowest first"
    NEWEST_FIRST = "newest first"
    OLDEST_FIRST = "oldest first"


@dataclass(frozen=True, slots=True)
class Select:
    """A table: a line a patient (or a value, with `Aggregate.ANY`), the values as columns.

    Attributes:
        values: empty if only the patients are asked for; then the values of the conditions are shown.
        where: which patients; None for all of the subject.
        limit: how many lines; ties with the last one are listed, too.
    """

    subject: Subject = WARD
    values: tuple[Value | Balance, ...] = ()
    where: Where | None = None
    order: Order | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class CountPatients:
    """How many patients a selection has."""

    of: Select


@dataclass(frozen=True, slots=True)
class OverPatients:
    """One number over the patients of a selection, such as the mean of their latest temperatures."""

    aggregate: Aggregate
    of: Select


@dataclass(frozen=True, slots=True)
class Group:
    """How many patients have each value.

    Attributes:
        bins: bounds of numbers that belong together; empty for each value by itself.
    """

    of: Select
    bins: tuple[float, ...] = ()
    list_patients: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """Two answers side by side, and their difference where both are numbers."""

    left: Query
    right: Query


@dataclass(frozen=True, slots=True)
class Sequence:
    """All values of some measures in order of time, such as pain before and after a dose.

    Attributes:
        measures: empty for everything that is charted.
        around: only the last value before and the first one after this time of day, if given.
    """

    subject: Subject
    measures: tuple[Measure, ...] = ()
    window: Window = ALWAYS
    around: datetime | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """Patients of whom a measure is not charted in a window, each with the time of the last value before.

    Attributes:
        longer_than: only where the last value is older than that.
    """

    subject: Subject
    measures: tuple[Measure, ...]
    window: Window = ALWAYS
    longer_than: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences of dictations about a topic, for what the flowsheet has no row for."""

    topic: str
    subject: Subject = WARD
    window: Window = ALWAYS


Query = Select | CountPatients | OverPatients | Group | Compare | Sequence | Missing | Quote


class Reason(StrEnum):
    """Why a question is not answered."""

    NO_QUESTION = "no question"
    TOO_LONG = "too long"
    NOT_ENGLISH = "not English"
    ADVICE = "advice"
    PREDICTION = "prediction"
    NOT_IN_THE_NOTES = "not in the notes"
    UNKNOWN_PATIENT = "unknown patient"
    SEVERAL_PATIENTS = "several patients of that name"
    NO_SUCH_WINDOW = "before the first note"
    UNIT = "unit does not fit"
    NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True)
class Refusal:
    """That a question is not answered.

    Attributes:
        words: the words of the question that are the reason; may be empty.
        near: names of rows that come near to what was asked, nearest first.
        patients: ids of the patients between whom the question does not tell.
    """

    reason: Reason
    words: str = ""
    near: tuple[str, ...] = ()
    patients: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as it was read.

    Attributes:
        query: None if it is refused.
        refusal: why; None if it is answered.
        rivals: other readings that are as likely, to choose from; the first is the one taken.
        ignored: content words of the question that the tree does not use; shown to the person.
    """

    question: str
    query: Query | None
    refusal: Refusal | None = None
    rivals: tuple[Query, ...] = ()
    ignored: tuple[str, ...] = ()
