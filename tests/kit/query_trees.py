"""Query trees as one line of text, for expected trees in tests; and a ward of which the questions are asked.

`select @7 latest(vs.heart_rate)`: subject by bed, values by row ids (`a|b` count alike, `a+b` add up), windows from
`;` on as day and time from and to, and `where` with conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from extraction.questions.query import (
    ALWAYS,
    AllOf,
    AnyOf,
    Balance,
    Compare,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Measure,
    Missing,
    Not,
    Order,
    OverPatients,
    Query,
    Quote,
    Select,
    Sequence,
    Subject,
    Understood,
    Value,
    Where,
    Window,
)
from extraction.questions.ward import WardFacts, WardPatient

ASKED = Path(__file__).parents[1] / "data" / "questions" / "asked.tsv"
_NAMES = {
    1: "Rosa Delgado", 2: "Tom Whitaker", 3: "Ida Brandt", 4: "Grace Okafor", 5: "Leon Brandt", 6: "Maria Santos",
    7: "Henry Liu", 8: "Ana Kowalski", 9: "Peter Marsh", 10: "June Ashby", 12: "Walter Finch", 14: "Maria Lopez",
}  # fmt: skip
WARD = WardFacts(
    tuple(WardPatient(bed, name, str(bed), f"MR4{bed:04}") for bed, name in _NAMES.items()),
    datetime.fromisoformat("2026-03-12T15:30"),  # a Thursday
    datetime.fromisoformat("2026-03-09T08:00"),
)
_SIGNS = {
    Comparison.EQUAL: "=",
    Comparison.NOT_EQUAL: "!=",
    Comparison.BELOW: "<",
    Comparison.AT_MOST: "<=",
    Comparison.ABOVE: ">",
    Comparison.AT_LEAST: ">=",
}
_ORDERS = {
    Order.HIGHEST_FIRST: "highest",
    Order.LOWEST_FIRST: "lowest",
    Order.NEWEST_FIRST: "newest",
    Order.OLDEST_FIRST: "oldest",
}


def cases() -> Iterator[tuple[str, str, str]]:
    """The schema, the question and the expected tree of each case in the file."""
    schema = ""
    for line in ASKED.read_text(encoding="utf-8").splitlines():
        if line.startswith("# schema: "):
            schema = line.removeprefix("# schema: ")
        elif line and not line.startswith("#"):
            question, tree = line.split("\t")
            yield schema, question, tree


def written(understood: Understood) -> str:
    if understood.query is not None:
        return tree(understood.query)
    return f"refuse {understood.refusal.reason}" if understood.refusal else "nothing"


def tree(query: Query) -> str:
    match query:
        case Select():
            parts = ["select", _subject(query.subject), ", ".join(map(_value, query.values))]
            if query.where is not None:
                parts.append(f"where {_where(query.where)}")
            if query.order is not None:
                parts.append(_ORDERS[query.order])
            if query.limit is not None:
                parts.append(f"top {query.limit}")
            return _joined(*parts)
        case CountPatients():
            return f"count {tree(query.of)}"
        case OverPatients():
            return f"{query.aggregate} over {tree(query.of)}"
        case Group():
            return f"group {tree(query.of)}"
        case Compare():
            return f"compare {tree(query.left)} with {tree(query.right)}"
        case Sequence():
            around = f"around {query.around:%dT%H:%M}" if query.around else ""
            return _joined("sequence", _subject(query.subject), _rows(query.measures), _window(query.window), around)
        case Missing():
            longer = f"longer {query.longer_than.total_seconds() / 3600:g}h" if query.longer_than else ""
            return _joined("missing", _subject(query.subject), _rows(query.measures), _window(query.window), longer)
        case Quote():
            return _joined("quote", _subject(query.subject), f'"{query.topic}"', _window(query.window))


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _subject(subject: Subject) -> str:
    return "" if subject.patient_ids is None else "@" + ",".join(map(str, subject.patient_ids))


def _rows(measures: tuple[Measure, ...]) -> str:
    return ", ".join(map(_measure, measures))


def _measure(measure: Measure) -> str:
    if measure.name in ("Intake", "Output"):
        return measure.name.upper()
    return ("|" if measure.same else "+").join(measure.row_ids) + (f":{measure.part}" if measure.part else "")


def _window(window: Window) -> str:
    if window == ALWAYS or (window.since is None and window.until is None):
        return ""
    return "-".join(f"{at:%dT%H:%M}" if at else "" for at in (window.since, window.until))


def _value(value: Value | Balance) -> str:
    if isinstance(value, Balance):
        return f"balance({_window(value.window)})"
    inside = [_measure(value.measure)]
    if window := _window(value.window):
        inside.append(window)
    if value.baseline is not None:
        inside.append(f"from {_window(value.baseline)}")
    rate = {"per hour": "/h", "per kilogram and hour": "/kgh", "per day": "/d"}[value.rate] if value.rate else ""
    return f"{value.aggregate}({'; '.join(inside)}){rate}"


def _where(where: Where) -> str:
    match where:
        case AllOf():
            return f"({' and '.join(map(_where, where.conditions))})"
        case AnyOf():
            return f"({' or '.join(map(_where, where.conditions))})"
        case Not():
            return f"not {_where(where.condition)}"
        case Condition():
            left, numbers = _value(where.value), " ".join(f"{one:g}" for one in where.numbers)
            if where.comparison is Comparison.BETWEEN:
                return f"{left} between {numbers}"
            if where.comparison not in _SIGNS:
                return f"{left} {where.comparison}"
            right = "|".join(where.options) or _joined(numbers, where.unit or "")
            return f"{left} {_SIGNS[where.comparison]} {right}"
