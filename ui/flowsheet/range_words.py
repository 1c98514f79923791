"""How a value compares with the ranges of its row, in arrows, words and colour."""

from __future__ import annotations

from app.chart.records import ReviewedValue
from extraction.flowsheet.ranges import (
    Outside,
    RangeCheck,
    RangeLevel,
    accepted_text,
    is_reversed,
    judge_ranges,
    judged_words,
    level,
    normal_text,
    usual_text,
)
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import NotObtained, Value
from ui.kit.words import row_unit, value_text

ABNORMAL = "abnormal"  # the colour of the theme


def is_abnormal(row: Row, value: Value) -> bool:
    """Whether a value is shown in the colour of abnormal ones."""
    return level(row, value) >= RangeLevel.ABNORMAL or is_reversed(row, value)


def is_unfit(row: Row, value: Value) -> bool:
    """Whether no button may offer a value first: impossible, implausible, or a reversed blood pressure."""
    return level(row, value) >= RangeLevel.IMPLAUSIBLE or is_reversed(row, value)


def marked(row: Row, value: Value, unit: str = "") -> str:
    """A value with an arrow if it is abnormal, doubled if critical or worse: `59 % ↓↓`, `88↓/46↓ mmHg`."""
    judged = judge_ranges(row, value)
    text = value_text(row, value)
    if isinstance(value, NotObtained):
        return text
    if not any(one.abnormal for one in judged):
        return f"{text} {unit}".strip()
    if len(judged) == 1:
        return f"{text} {unit}".strip() + f" {_arrow(judged[0])}"
    numbers = zip(text.split("/"), judged, strict=True)
    return f"{'/'.join(number + _arrow(one) for number, one in numbers)} {unit}".strip()


def judged_text(row: Row, value: Value) -> str:
    """The judgement of an abnormal value, such as `Critically low · normal 94 or more`; empty for other values."""
    if not is_abnormal(row, value):
        return ""
    words = judged_words(row, value)
    normal = normal_text(row)
    return f"{words[:1].upper()}{words[1:]}" + (f" · normal {normal}" if normal else "")


def confirmed_text(row: Row, value: ReviewedValue) -> str:
    """That a person confirmed a value despite its ranges; empty if no second confirmation was needed."""
    if value.confirmed_outside is None or not value.reviewer:
        return ""
    where = judged_words(row, value.value) or f"outside the {_RANGES[value.confirmed_outside]} range"
    return f"confirmed despite being {where}"


def limits_hint(row: Row) -> str:
    """The normal, usual and accepted numbers of a row, for its editor; empty if the schema gives none."""
    unit = f" {row_unit(row)}" if row.value_type is ValueType.QUANTITY else ""
    said = (("normal", normal_text(row)), ("usual", usual_text(row)), ("possible", accepted_text(row)))
    return " · ".join(f"{words} {numbers}{unit}" for words, numbers in said if numbers)


_RANGES = {Outside.CRITICAL: "critical", Outside.PLAUSIBLE: "plausible"}


def _arrow(one: RangeCheck) -> str:
    if not one.abnormal:
        return ""
    return ("↑" if one.high else "↓") * (2 if one.doubled else 1)
