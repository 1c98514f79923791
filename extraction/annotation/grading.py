"""Compares proposals with graded cases: what is required, what may be charted too, and what must not be charted.

An item is one value of one row; a multi-select counts once per option. Numbers may differ by rounding, texts of text
rows by their extent.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from extraction.annotation.case_files import Case
from extraction.annotation.scoring import equal_values
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value

Item = tuple[str, str | float | bool]

_ROUNDING = 0.06  # gold is rounded to one decimal after conversion
_SAME_TEXT = 0.5  # least F1 of the words of two texts that say the same
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\b\d+\b")


@dataclass(frozen=True, slots=True)
class Grade:
    """The proposals for a graded case, compared with it.

    Attributes:
        found, missed: required items.
        right: proposed items that are required; `acceptable` and `wrong` are the others.
        traps: how many values must not be charted.
        hit: proposed items that must not be charted, each with the reason.
    """

    case_id: str
    found: tuple[Item, ...]
    missed: tuple[Item, ...]
    right: tuple[Item, ...]
    acceptable: tuple[Item, ...]
    wrong: tuple[Item, ...]
    traps: int
    hit: tuple[tuple[Item, str], ...]


class Grader:
    """Grades the cases of one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        siblings: dict[tuple[tuple[str, ...], str], list[str]] = defaultdict(list)
        for row in schema.rows:
            siblings[_instance_free(row)].append(row.id)
        self._siblings = {row.id: frozenset(siblings[_instance_free(row)]) for row in schema.rows}

    def grade(self, case: Case, proposed: Iterable[tuple[str, Value]]) -> Grade:
        """Compares proposals, each a row id with its value, with a graded case."""
        assert case.acceptable is not None
        assert case.forbidden is not None
        shown = list(dict.fromkeys(item for row_id, value in proposed for item in graded_items(row_id, value)))
        required = [
            (item, one.any_instance) for one in case.observations for item in graded_items(one.row_id, one.value)
        ]
        required = list(dict.fromkeys(required))
        found = [item for item, anywhere in required if any(self.fits(item, one, anywhere) for one in shown)]
        may = [(item, one.any_instance) for one in case.acceptable for item in graded_items(one.row_id, one.value)]
        right = [one for one in shown if any(self.fits(item, one, anywhere) for item, anywhere in required)]
        left = [one for one in shown if one not in right]
        acceptable = [one for one in left if any(self.fits(item, one, anywhere) for item, anywhere in may)]
        wrong = [one for one in left if one not in acceptable]
        hit = [
            (one, trap.why)
            for trap in case.forbidden
            for one in wrong
            if one[0] == trap.row_id
            and (trap.value is None or any(self.fits(item, one) for item in graded_items(trap.row_id, trap.value)))
        ]
        return Grade(
            case.id,
            found=tuple(found),
            missed=tuple(item for item, _ in required if item not in found),
            right=tuple(right),
            acceptable=tuple(acceptable),
            wrong=tuple(wrong),
            traps=len(case.forbidden),
            hit=tuple(dict.fromkeys(hit)),
        )

    def fits(self, gold: Item, proposed: Item, anywhere: bool = False) -> bool:
        """Whether a proposed item is an annotated one; with `anywhere`, of another line, drain or wound too."""
        if proposed[0] != gold[0] and not (anywhere and proposed[0] in self._siblings[gold[0]]):
            return False
        is_text = self._schema.row(gold[0]).value_type is ValueType.TEXT
        return equal_values(gold[1], proposed[1], _ROUNDING) or (is_text and _same_text(gold[1], proposed[1]))


def summary(grades: Sequence[Grade], schema: Schema) -> dict[str, Any]:
    """Recall of what is required, precision (required or acceptable), and traps hit, over all cases."""
    required = sum(len(one.found) + len(one.missed) for one in grades)
    proposed = sum(len(one.right) + len(one.acceptable) + len(one.wrong) for one in grades)
    wrong = sum(len(one.wrong) for one in grades)
    found = sum(len(one.found) for one in grades)
    return {
        "cases": len(grades),
        "required": required,
        "found": found,
        "recall": _share(found, required),
        "proposed": proposed,
        "wrong": wrong,
        "precision": _share(proposed - wrong, proposed),
        "traps": sum(one.traps for one in grades),
        "traps_hit": sum(len(one.hit) for one in grades),
        "traps_hit_by_reason": dict(sorted(Counter(why for one in grades for _, why in one.hit).items())),
        "recall_by_value_type": _recalls(grades, lambda row_id: schema.row(row_id).value_type.value),
        "recall_by_category": _recalls(grades, lambda row_id: " / ".join(schema.row(row_id).category)),
    }


def _recalls(grades: Sequence[Grade], group_of: Callable[[str], str]) -> dict[str, dict[str, float]]:
    found: Counter[str] = Counter(group_of(item[0]) for one in grades for item in one.found)
    missed: Counter[str] = Counter(group_of(item[0]) for one in grades for item in one.missed)
    return {
        name: {"required": found[name] + missed[name], "recall": _share(found[name], found[name] + missed[name])}
        for name in sorted(found.keys() | missed.keys())
    }


def _share(part: int, of: int) -> float:
    return round(part / of, 4) if of else 1.0


def graded_items(row_id: str, value: Value) -> list[Item]:
    """One item for the value, or for each option of a multi-select."""
    return [(row_id, part) for part in (value if isinstance(value, tuple) else (value,))]


def _same_text(one: object, other: object) -> bool:
    a, b = (Counter(_WORD.findall(str(text).casefold())) for text in (one, other))
    shared = (a & b).total()
    return bool(shared) and 2 * shared / (a.total() + b.total()) >= _SAME_TEXT


def _instance_free(row: Row) -> tuple[tuple[str, ...], str]:
    return tuple(_NUMBER.sub("#", name) for name in row.category), _NUMBER.sub("#", row.name)
