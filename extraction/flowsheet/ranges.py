"""Judges a value against the ranges of its row: possible, plausible, alarming, normal.

The ranges are named as in FHIR's ObservationDefinition and nest: `absolute` (values outside are impossible and
refused), the plausible range (`range` in the schema's file), `critical` (values outside are alarming) and `reference`
(values outside are low or high). Without a range in the schema nothing is claimed; see `absolute_of`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from extraction.flowsheet.errors import OutOfRange
from extraction.flowsheet.schema import PRESSURES, Interval, Row, ValueType
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import Value
from models.base.errors import InputError

_ANY = Interval()
_NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)
# UCUM units of amounts, without their denominators, whose values cannot be negative
_AMOUNTS = frozenset(
    "mL L dL uL cL [foz_us] kg g mg ug ng [lb_av] [oz_av] mm cm m [in_i] [ft_i] s min h d mmol mol meq [iU] [USP'U] "
    "{count}".split()
)


class RangeLevel(IntEnum):
    """How a number compares with the ranges of its row, in increasing severity."""

    NOT_JUDGED = 0
    NORMAL = 1
    ABNORMAL = 2
    CRITICAL = 3
    IMPLAUSIBLE = 4
    IMPOSSIBLE = 5


class Outside(StrEnum):
    """The range that a charted value lies outside, as a person confirmed a second time."""

    CRITICAL = "critical"
    PLAUSIBLE = "plausible"


@dataclass(frozen=True, slots=True)
class RangeCheck:
    """One number of a value, judged.

    Attributes:
        part: `systolic` or `diastolic` for a blood pressure, else empty.
        high: whether it lies above the range it is outside of; False if it lies below, or within all ranges.
        code: `N`, `L`, `H`, `LL` or `HH` of HL7's ObservationInterpretation, by critical and reference range only;
            empty if they say nothing.
    """

    part: str
    number: float
    level: RangeLevel
    high: bool = False
    code: str = ""

    @property
    def abnormal(self) -> bool:
        """Whether it lies outside any range."""
        return self.level >= RangeLevel.ABNORMAL

    @property
    def doubled(self) -> bool:
        """Whether it is worse than merely low or high."""
        return self.level >= RangeLevel.CRITICAL


@dataclass(frozen=True, slots=True)
class Caution:
    """What a person must confirm a second time about a value of a row.

    Attributes:
        outside: the range that it lies outside of; None if its ranges do not matter.
        ahead: the time still to come at which it is observed (UTC in ISO 8601), see `app.services.review.cautions`.
    """

    row_id: str
    value: Value
    outside: Outside | None
    ahead: str | None = None


class OutOfRangeValue(OutOfRange):
    """An error whose `caution` must be confirmed."""

    def __init__(self, what: str, next_step: str, caution: Caution) -> None:
        super().__init__(what, next_step)
        self.caution = caution

    def __reduce__(self) -> tuple[type[OutOfRangeValue], tuple[str, str, Caution]]:  # type: ignore[override]
        return type(self), (self.what, self.next_step, self.caution)


def absolute_of(row: Row) -> tuple[Interval, ...]:
    """The possible numbers of a row: as given by the schema, or else what its unit implies.

    A percentage whose plausible maximum is at most 100 is a share of a whole, from 0 to 100. Rates cannot be negative,
    and neither can amounts, volumes, lengths, weights or times if the plausible range starts at or above zero; without
    a plausible minimum, such a row may hold a change or a balance.
    """
    if row.absolute or row.value_type not in _NUMBERS:
        return row.absolute
    unit = row.ucum or row.unit or ""
    counted, _, per = unit.partition("/")
    if row.minimum is not None and row.minimum < 0:
        return ()
    if unit == "%" and row.maximum is not None and row.maximum <= 100:
        return (Interval(0.0, 100.0),)
    if (per in ("min", "h", "d") and counted in ("", "{beats}", "{breaths}", "{count}")) or (
        row.minimum is not None and counted in _AMOUNTS
    ):
        return (Interval(0.0, None),)
    return ()


def numbers_in(row: Row, value: Value) -> tuple[float, ...]:
    """The numbers in a value, in the row's unit: one, two for a blood pressure, none for other types."""
    if row.value_type is ValueType.BLOOD_PRESSURE and isinstance(value, str):
        parts = value.split("/")
        try:
            return tuple(map(float, parts)) if len(parts) == len(PRESSURES) else ()
        except ValueError:
            return ()
    if row.value_type in _NUMBERS and isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value),)
    return ()


def judge_ranges(row: Row, value: Value) -> tuple[RangeCheck, ...]:
    """Judges each number of a value; empty for a value without numbers."""
    numbers = numbers_in(row, value)
    parts = PRESSURES if len(numbers) == len(PRESSURES) else ("",)
    absolute, plausible = absolute_of(row), Interval(row.minimum, row.maximum)
    return tuple(
        _judged(part, number, _at(absolute, place), plausible, _at(row.critical, place), _at(row.reference, place))
        for place, (part, number) in enumerate(zip(parts, numbers, strict=False))
    )


def level(row: Row, value: Value) -> RangeLevel:
    """The most severe level of a value's numbers."""
    return max((one.level for one in judge_ranges(row, value)), default=RangeLevel.NOT_JUDGED)


def is_impossible(row: Row, value: Value) -> bool:
    return level(row, value) is RangeLevel.IMPOSSIBLE


def is_alarming(row: Row, value: Value) -> bool:
    """Whether it needs a decision of its own with a second confirmation, or cannot be accepted at all."""
    return level(row, value) >= RangeLevel.CRITICAL or is_reversed(row, value)


def caution(row: Row, value: Value) -> Caution | None:
    """What must be confirmed a second time; None if one decision is enough, or if the value is impossible."""
    worst = level(row, value)
    if worst is RangeLevel.IMPLAUSIBLE or (worst < RangeLevel.IMPLAUSIBLE and is_reversed(row, value)):
        return Caution(row.id, value, Outside.PLAUSIBLE)
    return Caution(row.id, value, Outside.CRITICAL) if worst is RangeLevel.CRITICAL else None


def refuse(row: Row, value: Value, confirmed: Caution | None = None) -> Outside | None:
    """Refuses a value that cannot be charted; returns the range that a `confirmed` value lies outside of.

    Raises:
        InputError: it is impossible for this row.
        OutOfRangeValue: it lies outside the plausible or critical range and has not been confirmed.
    """
    if is_impossible(row, value):
        raise InputError(f"{impossible_words(row, value)}.", "Correct it, or leave it out.")
    needed = caution(row, value)
    if needed is None:
        return None
    if needed != confirmed:
        next_step = "Confirm it once more if it is right, or correct it."
        raise OutOfRangeValue(caution_words(row, value), next_step, needed)
    return needed.outside


def is_reversed(row: Row, value: Value) -> bool:
    """Whether it is a blood pressure whose systolic number is not above the diastolic one."""
    numbers = numbers_in(row, value)
    return len(numbers) == len(PRESSURES) and numbers[0] <= numbers[1]


def interpretation(row: Row, value: Value) -> str:
    """HL7's code of a value, such as `HH`, or of both numbers of a blood pressure, such as `L/N`.

    Empty if the schema gives no range.
    """
    codes = [one.code for one in judge_ranges(row, value)]
    return "/".join(codes) if any(codes) else ""


# wording


def interval_text(interval: Interval) -> str:
    """Both bounds, `60 or more`, or `up to 100`; empty without bounds."""
    low, high = interval.minimum, interval.maximum
    if low is not None and low == high:
        return f"{low:g}"
    if low is not None and high is not None:
        joint = " to " if low < 0 or high < 0 else "–"
        return f"{low:g}{joint}{high:g}"
    if low is not None:
        return f"{low:g} or more"
    return f"up to {high:g}" if high is not None else ""


def accepted_text(row: Row) -> str:
    """The numbers a row accepts: the possible ones, with plausible bounds where no possible bound is known."""
    absolute = absolute_of(row) or (_ANY,)
    return _parts_text(
        tuple(
            Interval(
                row.minimum if one.minimum is None else one.minimum, row.maximum if one.maximum is None else one.maximum
            )
            for one in absolute
        )
    )


def normal_text(row: Row) -> str:
    """The normal range of a row in words; empty if it has none."""
    return _parts_text(row.reference)


def usual_text(row: Row) -> str:
    """The numbers that are usually charted in a row, in words; empty if they are not known."""
    return _parts_text(row.usual)


def judged_words(row: Row, value: Value) -> str:
    """The judgement in words: `critically low`, `systolic low, diastolic low`; empty within all ranges."""
    found = [f"{one.part} {_level_words(one)}".strip() for one in judge_ranges(row, value) if one.abnormal]
    if is_reversed(row, value):
        found.append("systolic not above diastolic")
    return ", ".join(found)


def impossible_words(row: Row, value: Value) -> str:
    """Why a value is impossible, without a full stop."""
    return f"{_value_text(row, value)} is not possible: {row.name} accepts {accepted_text(row)}{_unit_text(row)}"


def caution_words(row: Row, value: Value) -> str:
    """Why a value needs a second confirmation, such as `Oxygen saturation 59 % is critically low.`"""
    said = f"{row.name} {_value_text(row, value)}"
    if is_reversed(row, value):
        return f"{said}: the systolic pressure is not above the diastolic."
    worst = max(judge_ranges(row, value), key=lambda one: one.level)
    part = f": {worst.part} {worst.number:g}" if worst.part else ""
    if worst.level is RangeLevel.IMPLAUSIBLE:
        usual = interval_text(Interval(row.minimum, row.maximum))
        return f"{said}{part} is outside the plausible range ({usual}{_unit_text(row)})."
    return f"{said}{part} is {_level_words(worst)}."


def _level_words(one: RangeCheck) -> str:
    side = "high" if one.high else "low"
    match one.level:
        case RangeLevel.IMPOSSIBLE:
            return "not possible"
        case RangeLevel.IMPLAUSIBLE:
            return f"implausibly {side}"
        case RangeLevel.CRITICAL:
            return f"critically {side}"
        case _:
            return side


def _value_text(row: Row, value: Value) -> str:
    return f"{display(row, value)}{_unit_text(row)}"


def _unit_text(row: Row) -> str:
    unit = row.unit or ("mm[Hg]" if row.value_type is ValueType.BLOOD_PRESSURE else None)
    words = unit_words(unit)
    return f" {words}" if words and not words.startswith("{") else ""


def _parts_text(intervals: tuple[Interval, ...]) -> str:
    if len(intervals) != len(PRESSURES):
        return interval_text(intervals[0]) if intervals else ""
    texts = [interval_text(interval) for interval in intervals]
    if texts[0] == texts[1]:
        return texts[0]
    if all(texts):
        return " / ".join(texts)
    return ", ".join(f"{name} {text}" for name, text in zip(PRESSURES, texts, strict=True) if text)


def _at(intervals: tuple[Interval, ...], place: int) -> Interval:
    return intervals[place] if place < len(intervals) else _ANY


def _judged(
    part: str, number: float, absolute: Interval, plausible: Interval, critical: Interval, reference: Interval
) -> RangeCheck:
    code = ""
    if side := _side(number, critical):
        code = "HH" if side > 0 else "LL"
    elif side := _side(number, reference):
        code = "H" if side > 0 else "L"
    elif reference != _ANY:
        code = "N"
    for judgement, interval in (
        (RangeLevel.IMPOSSIBLE, absolute),
        (RangeLevel.IMPLAUSIBLE, plausible),
        (RangeLevel.CRITICAL, critical),
        (RangeLevel.ABNORMAL, reference),
    ):
        if side := _side(number, interval):
            return RangeCheck(part, number, judgement, high=side > 0, code=code)
    return RangeCheck(part, number, RangeLevel.NOT_JUDGED if reference == _ANY else RangeLevel.NORMAL, code=code)


def _side(number: float, interval: Interval) -> int:
    """-1 below an interval, 1 above it, 0 within."""
    if interval.minimum is not None and number < interval.minimum:
        return -1
    return 1 if interval.maximum is not None and number > interval.maximum else 0
