"""The lines of an answer as they are shown, copied and read aloud: each cell with time, source and flag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.asking.answer import Answer, Cell, Citation, Column, Line, NotCharted, Quoted
from extraction.questions.wording import in_words
from ui.kit.words import plural

NOT_CHARTED = "Not charted"
FLAGGED = "flagged"
_NAMED = ("Bed", "Patient")


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as it is shown.

    Attributes:
        note: time and source, below the text.
        value_ids: the charted values that it is made of.
        quote: the sentence that it is; None for values.
        strong: whether it is what was asked for, such as a value that meets the condition.
    """

    text: str = ""
    note: str = ""
    flagged: bool = False
    value_ids: tuple[int, ...] = ()
    quote: Quoted | None = None
    strong: bool = False

    @property
    def read_out(self) -> str:
        """Everything that it says, on one line."""
        return ", ".join(part for part in (self.text, FLAGGED if self.flagged else "", self.note) if part)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the table; one with a `heading` has no cells."""

    cells: tuple[Shown, ...] = ()
    heading: str = ""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """An answer as a table."""

    titles: tuple[str, ...] = ()
    lines: tuple[ShownLine, ...] = ()


def table_of(answer: Answer) -> ShownTable:
    """What an answer says, as a table; without lines if it has none."""
    if answer.quotes:
        return ShownTable(
            (*_NAMED, "Said, not confirmed"), tuple(_quote(one, answer.asked_at) for one in answer.quotes)
        )
    titles, lines = _lines_of(answer, answer.citations)
    if answer.not_charted:
        patients = len({one.patient_id for one in answer.not_charted})
        lines.append(ShownLine(heading=f"{NOT_CHARTED} – {plural(patients, 'patient')}"))
        several = len({one.measure for one in answer.not_charted}) > 1
        lines += [_missing(one, answer.asked_at, named=several) for one in answer.not_charted]
    width = max((len(line.cells) for line in lines), default=0)
    titles = (*titles, *[""] * (width - len(titles)))
    return ShownTable(titles, tuple(lines))


def as_text(head: str, table: ShownTable) -> str:
    """An answer for the clipboard: its sentence, and the table with tabs between its cells."""
    lines = [head, "\t".join(table.titles)] if table.lines else [head]
    lines += [line.heading or "\t".join(cell.read_out for cell in line.cells) for line in table.lines]
    return "\n".join(lines)


def clock_text(at: datetime, now: datetime) -> str:
    """A time by the ward's clock: "22:10" on the same day, else "20 Nov, 22:10"."""
    if at.date() == now.date():
        return f"{at:%H:%M}"
    year = "" if at.year == now.year else f" {at.year}"
    return f"{at.day} {at:%b}{year}, {at:%H:%M}"


def _lines_of(answer: Answer, citations: Mapping[int, Citation]) -> tuple[tuple[str, ...], list[ShownLine]]:
    if answer.lines or not answer.parts:
        named = any(line.patient_id is not None for line in answer.lines) or bool(answer.not_charted)
        titles = (*(_NAMED if named else ()), *map(_title, answer.columns))
        return (titles if answer.lines or named else ()), [
            _line(line, answer.asked_at, citations, named=named) for line in answer.lines
        ]
    lines: list[ShownLine] = []
    widest: tuple[str, ...] = ()
    for part in answer.parts:
        titles, own = _lines_of(part, citations)
        words = in_words(part.query) if part.query else part.head
        lines += [ShownLine(heading=words), *own]
        widest = max(widest, titles, key=len)
    return (*widest[:2], *(() if len(widest) < 3 else ("Value", *widest[3:]))), lines


def _title(column: Column) -> str:
    return f"{column.title} ({column.unit})" if column.unit else column.title


def _line(line: Line, now: datetime, citations: Mapping[int, Citation], *, named: bool) -> ShownLine:
    who = (Shown(line.bed), Shown(line.patient, strong=True)) if named else ()
    return ShownLine((*who, *(_cell(cell, now, citations) for cell in line.cells)))


def _cell(cell: Cell, now: datetime, citations: Mapping[int, Citation]) -> Shown:
    text = cell.text
    if cell.low is not None and cell.high is not None and cell.low != cell.high:
        text = f"{text} ({cell.low:g} to {cell.high:g} if flagged values are wrong)"
    strong = bool(cell.value_ids) and cell.met is not False
    parts = [clock_text(cell.at, now)] if cell.at else []
    return Shown(text, " · ".join((*parts, *_sources(cell, citations))), cell.flagged, cell.value_ids, strong=strong)


def _sources(cell: Cell, citations: Mapping[int, Citation]) -> Iterator[str]:
    if cell.arithmetic:
        yield cell.arithmetic
    names = dict.fromkeys(citations[one].dictation for one in cell.value_ids if one in citations)
    if len(names) == 1:
        yield next(iter(names))
    elif names:
        yield f"{len(names)} dictations"


def _missing(one: NotCharted, now: datetime, *, named: bool) -> ShownLine:
    text = f"{one.measure}: not charted" if named else "not charted"
    if one.tried:
        text = f"{text} ({one.tried})"
    note = f"last {one.last_text} · {clock_text(one.last, now)}" if one.last else "never charted"
    ids = (one.value_id,) if one.value_id is not None else ()
    return ShownLine((Shown(one.bed), Shown(one.patient, strong=True), Shown(text, note, value_ids=ids)))


def _quote(one: Quoted, now: datetime) -> ShownLine:
    said = Shown(f"“{one.text}”", f"{clock_text(one.at, now)} · {one.dictation}", quote=one)
    return ShownLine((Shown(one.bed), Shown(one.patient, strong=True), said))
