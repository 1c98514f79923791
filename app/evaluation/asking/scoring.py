"""How answers agree with the right ones: exactly, row by row, and in what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from app.asking.answer import Answer, Citation
from app.evaluation.asking.gold_form import Form
from extraction.flowsheet.schema import TIME_TYPES, Row, ValueType, is_yes_no
from extraction.language.numbers import numbers
from extraction.language.vocabulary.words import stems


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer beside the right one.

    Attributes:
        kind: of the question.
        covered, width: whether the right answer lies within the bounds of the answer, and how far apart these are.
        cited, exact: how many cited values have words, and in how many of these the words are those of the transcript.
    """

    id: str
    kind: str
    gold: Form
    form: Form
    seconds: float
    covered: bool | None
    width: float | None
    cited: int
    exact: int

    @property
    def right(self) -> bool:
        return is_right(self.form, self.gold)


def is_right(form: Form, gold: Form) -> bool:
    if form["type"] != gold["type"]:
        return False
    if gold["type"] == "refuse":
        return bool(form["reason"] == gold["reason"])
    if gold["type"] == "number":
        return _same_number(form["value"], gold["value"])
    rows, wanted = _rows(form), _rows(gold)
    return rows == wanted if gold.get("ordered") else set(rows) == set(wanted)


def row_f1(form: Form, gold: Form) -> float:
    """F1 over the rows of a table; 0 for an answer of another type."""
    if form["type"] != "table":
        return 0.0
    rows, wanted = set(_rows(form)), set(_rows(gold))
    if not rows and not wanted:
        return 1.0
    return 2 * len(rows & wanted) / (len(rows) + len(wanted))


def _rows(form: Form) -> list[tuple[Any, ...]]:
    return [tuple(map(_comparable, row)) for row in form["rows"]]


def _comparable(value: Any) -> Any:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float):
        return round(float(value), 6)
    return value.strip() if isinstance(value, str) else value


def _same_number(one: Any, other: Any) -> bool:
    return one is not None and other is not None and abs(float(one) - float(other)) < 1e-6


def bounds_of(answer: Answer, gold: Form) -> tuple[bool | None, float | None]:
    """Whether the right answer lies within what the answer says is possible, and the width of that; None if refused."""
    if answer.refusal is not None or gold["type"] == "refuse":
        return None, None
    if gold["type"] == "number" and answer.number is not None:
        low, high = answer.number.low, answer.number.high
        return low - 1e-6 <= float(gold["value"]) <= high + 1e-6, high - low
    if gold["type"] == "number" or gold.get("columns", [""])[0] != "bed" or not answer.possible:
        return None, None
    beds = {one.patient_id: one.bed for one in answer.lines}
    wanted = {str(row[0]) for row in gold["rows"]}
    certain = {beds[one] for one in answer.certain if one in beds}
    possible = {beds[one] for one in answer.possible if one in beds}
    hidden = len(answer.possible) - len(possible)
    return certain <= wanted and len(wanted - possible) <= hidden, float(len(answer.possible - answer.certain))


def is_exact(citation: Citation, text: str, row: Row | None) -> bool:
    """Whether the words of a citation stand at their place and hold its value: its number, or a name of its options."""
    if citation.start is None or citation.end is None or text[citation.start : citation.end] != citation.words:
        return False
    words, shown = citation.words.casefold(), citation.text.casefold()
    if not words:
        return False
    if row is None or is_yes_no(row) or shown in words or row.value_type in (ValueType.TEXT, *TIME_TYPES):
        return True
    if row.options:
        chosen = [option for option in row.options if option.name.casefold() in shown]
        return not chosen or any(stems(form) & stems(words) for option in chosen for form in option.forms)
    said = {spoken.value for spoken in numbers(words)}
    return not said.isdisjoint(spoken.value for spoken in numbers(shown))


def metrics_of(scored: Sequence[Scored]) -> dict[str, float | None]:
    """All figures, then the same for each kind of question."""
    found = _metrics(scored)
    for kind in dict.fromkeys(one.kind for one in scored):
        of_kind = _metrics([one for one in scored if one.kind == kind])
        found |= {f"{kind}.{name}": value for name, value in of_kind.items()}
    return found


def _metrics(scored: Sequence[Scored]) -> dict[str, float | None]:
    tables = [one for one in scored if one.gold["type"] == "table"]
    refused = [one for one in scored if one.form["type"] == "refuse"]
    to_refuse = [one for one in scored if one.gold["type"] == "refuse"]
    rightly = sum(one.gold["type"] == "refuse" for one in refused)
    seconds = sorted(one.seconds for one in scored)
    return {
        "questions": float(len(scored)),
        "execution_accuracy": _mean(one.right for one in scored),
        "row_f1": _mean(row_f1(one.form, one.gold) for one in tables),
        "abstention_precision": rightly / len(refused) if refused else None,
        "abstention_recall": rightly / len(to_refuse) if to_refuse else None,
        "citation_exact": _ratio(sum(one.exact for one in scored), sum(one.cited for one in scored)),
        "interval_coverage": _mean(one.covered for one in scored if one.covered is not None),
        "interval_width": _mean(one.width for one in scored if one.width is not None),
        "seconds_p50": _quantile(seconds, 0.5),
        "seconds_p95": _quantile(seconds, 0.95),
    }


def _mean(values: Iterable[float | bool]) -> float | None:
    found = [float(value) for value in values]
    return round(fmean(found), 4) if found else None


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """The smallest value that is at least as large as a share of all."""
    if not ordered:
        return None
    return round(ordered[min(len(ordered) - 1, max(0, -(-int(len(ordered) * share * 1000) // 1000) - 1))], 4)
