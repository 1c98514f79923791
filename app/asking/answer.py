"""The answer to a question: a table, a number or quoted sentences, with what each of them rests on.

What is not charted is listed apart and is never zero. Times are by the ward's clock, without a zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from extraction.flowsheet.values import Value
from extraction.questions.query import Query, Refusal


class Kind(StrEnum):
    """What an answer consists of."""

    TABLE = "table"
    NUMBER = "number"
    QUOTES = "quotes"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table after those of the patient.

    Attributes:
        title: name of what is in it, such as "Urine output per hour".
        unit: as nurses write it; empty without one, or if the units of its cells differ.
    """

    title: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of the table.

    Attributes:
        value: a number in `unit`, or as it is charted; None if it is not charted.
        text: the value as it is shown, with its unit; "not charted" without one.
        unit: UCUM; None without one.
        at: when it was observed; of several values, the latest; None if it is not charted.
        value_ids: the charted values that it is made of; their citations are in the answer.
        arithmetic: how it was computed, such as "480 mL / 8 h = 60 mL/h"; empty for a value as it is charted.
        low, high: the bounds of a number if flagged values were wrong or not there; equal to it without flagged ones.
        flagged: whether a value that it is made of was flagged when it was confirmed.
        options: of several options of a value, those that meet the condition; all of them without one.
        met: whether it meets its condition; None of a value that is only shown.
    """

    value: Value | None = None
    text: str = "not charted"
    unit: str | None = None
    at: datetime | None = None
    value_ids: tuple[int, ...] = ()
    arithmetic: str = ""
    low: float | None = None
    high: float | None = None
    flagged: bool = False
    options: tuple[str, ...] = ()
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table; of a group, `patient_id` is None and the first cell is the value that they share.

    Attributes:
        at: the time of the line in a sequence, or of a single value; None for anything else.
        patient_ids: the patients of a group.
    """

    cells: tuple[Cell, ...]
    patient_id: int | None = None
    patient: str = ""
    bed: str = ""
    at: datetime | None = None
    patient_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NotCharted:
    """A patient of whom something that was asked for is not charted in the window.

    Attributes:
        last: when it was charted for the last time before the end of the window; None if never.
        last_text: that value as it is shown.
        value_id: that value.
        tried: that it was tried in the window and not obtained, and why; empty if not.
    """

    patient_id: int
    patient: str
    bed: str
    measure: str
    last: datetime | None = None
    last_text: str = ""
    value_id: int | None = None
    tried: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a charted value comes from.

    Attributes:
        dictation: its name.
        row: name of the row.
        text: the value as it is shown, as charted.
        at: when it was observed; `said` tells whether that time was said, or is the dictation's.
        start, end: characters of the transcript `transcript_id`; None for a value without words.
        words: these words.
        second: of the recording at which they begin; None without a recording, and in an answer from very many
            dictations, see `app.services.asking.citations`.
        signer: who confirmed it, at `signed_at` (UTC in ISO 8601).
        flagged: whether it was flagged when it was confirmed.
    """

    value_id: int
    patient_id: int
    dictation_id: int
    dictation: str
    row_id: str
    row: str
    text: str
    at: datetime
    said: bool
    signer: str
    signed_at: str
    transcript_id: int | None = None
    start: int | None = None
    end: int | None = None
    words: str = ""
    second: float | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """A sentence of a dictation about what was asked; nobody confirmed it."""

    patient_id: int
    patient: str
    bed: str
    text: str
    dictation_id: int
    dictation: str
    at: datetime
    start: int
    end: int
    second: float | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A number that answers the question.

    Attributes:
        unit: UCUM; None for a count.
        text: as it is shown, with its unit.
        low, high: its bounds if flagged values were wrong or not there.
    """

    value: float
    unit: str | None
    text: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query tree.

    Attributes:
        head: one sentence that says what was found, what is not charted and what flagged values could change.
        asked_at: the clock that the answer goes by.
        not_charted: patients about whom the answer says nothing, for want of values.
        number: None unless the answer is one number, even 0; of a comparison, the difference.
        arithmetic: how the number came about, a step each.
        certain, possible: ids of the patients that are selected whatever flagged values really are, and of those that
            could be; both empty for an answer that selects none.
        could_change: flagged values by which the answer could change.
        parts: of a comparison, the answers side by side.
        refusal: why there is no answer; None otherwise.
        citations: by value id, where the values come from; empty for an answer from very many values, which are
            cited when they are asked for.
    """

    kind: Kind
    head: str
    query: Query | None
    asked_at: datetime
    columns: tuple[Column, ...] = ()
    lines: tuple[Line, ...] = ()
    ordered: bool = False
    not_charted: tuple[NotCharted, ...] = ()
    number: Number | None = None
    arithmetic: tuple[str, ...] = ()
    quotes: tuple[Quoted, ...] = ()
    parts: tuple[Answer, ...] = ()
    refusal: Refusal | None = None
    certain: frozenset[int] = frozenset()
    possible: frozenset[int] = frozenset()
    could_change: tuple[int, ...] = ()
    citations: Mapping[int, Citation] = field(default_factory=dict)

    @property
    def value_ids(self) -> tuple[int, ...]:
        """The ids of all values that the answer rests on, in order of id."""
        found = {one for line in self.lines for cell in line.cells for one in cell.value_ids}
        found.update(one for part in self.parts for one in part.value_ids)
        return tuple(sorted(found.union(self.citations)))
