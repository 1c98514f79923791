"""What was charted in a row, counted over many patients. No value, text or time of a single patient is kept."""

from __future__ import annotations

from dataclasses import dataclass

# A figure of fewer values, or of fewer patients, could be traced to somebody who is known to have been there; with
# two patients, either one knows what the other one's values are.
LEAST_VALUES = 5
LEAST_PATIENTS = 3


@dataclass(frozen=True, slots=True)
class NumberHistory:
    """How the numbers of a row are spread, in its unit.

    Attributes:
        lowest, highest: the most extreme numbers at or beyond which enough values lie that one may be kept; a patient
            may have had a more extreme one.
        quantiles: pairs of a share, 0 to 1, and the number that this share of the values does not exceed.
    """

    count: int
    patients: int
    lowest: float
    highest: float
    quantiles: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class OptionHistory:
    """How often an option was charted; `yes` and `no` where the row has no options."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Companion:
    """A row that is charted at the same time, and in what share of the times of the row that has it."""

    row: str
    share: float


@dataclass(frozen=True, slots=True)
class RowHistory:
    """How a row was charted in the dumps.

    Attributes:
        count, patients: its values, and the patients who have one.
        stays, days, shifts: in what share of all stays, days of stays and shifts of stays with any charted value the
            row has one; None where the dumps do not say. Shifts begin at 7:00 and 19:00.
        interval, long_interval: minutes between two values of a stay: the median, and what nine of ten do not exceed.
        last: the month, as YYYY-MM, since which enough values were charted that one may be kept.
        numbers: one, or two for a blood pressure, systolic first.
        together: rows charted at the same time, the most frequent first.
    """

    count: int
    patients: int
    stays: float | None = None
    days: float | None = None
    shifts: float | None = None
    interval: int | None = None
    long_interval: int | None = None
    last: str = ""
    options: tuple[OptionHistory, ...] = ()
    numbers: tuple[NumberHistory, ...] = ()
    together: tuple[Companion, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartedTotals:
    """All charted values of the dumps. `first` and `last` are months, as YYYY-MM; empty if they do not say."""

    values: int
    patients: int
    stays: int
    days: int
    shifts: int
    first: str = ""
    last: str = ""
