"""The values of a dictation as a tree: first those to check, then categories in the schema's order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.chart.cells import column_of
from app.chart.computed_rows import Score, state
from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet, concerns
from app.chart.trends import Charted, direction, number_in
from extraction.flowsheet.ranges import is_impossible
from extraction.flowsheet.schema import Row
from ui.flowsheet.range_words import confirmed_text, is_abnormal, judged_text, marked
from ui.flowsheet.score_words import is_abnormal_score, score_result, score_unit, spoken_score, status_words_of_score
from ui.kit.words import (
    LOOK_FIRST,
    by_hand,
    category_text,
    column_text,
    local_minute,
    plural,
    section_text,
    status_words,
    time_text,
    value_text,
    value_unit,
)

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
VALUE_ROLE = Qt.ItemDataRole.UserRole
NOTES_ROLE = Qt.ItemDataRole.UserRole + 1
LIT_ROLE = Qt.ItemDataRole.UserRole + 2
TREND_ROLE = Qt.ItemDataRole.UserRole + 3
ABNORMAL_ROLE = Qt.ItemDataRole.UserRole + 4
BEHIND_ROLE = Qt.ItemDataRole.UserRole + 5  # what stands small behind a value: unit and time
SCORE_ROLE = Qt.ItemDataRole.UserRole + 6
BELOW_ROLE = Qt.ItemDataRole.UserRole + 7  # whether another reading of the same row stands right above
HEADINGS = ("Row", "Value", "Status", "Check")
PAST_SHOWN, DRAWN = 4, 8  # maximum numbers of earlier columns and of points of a trend


class Column(IntEnum):
    NAME = 0
    VALUE = 1
    STATUS = 2
    CHECK = 3
    TREND = 4
    PAST = 5  # the first of the earlier columns, oldest first


@dataclass(frozen=True, slots=True)
class Notes:
    """What a nurse should know about a value before a decision.

    Attributes:
        problems: what looks wrong with the value.
        reasons: why it is lit.
        waiting: whether the value still waits for a decision.
        conflict: the other value charted in its cell; empty if there is none.
        confirmed: that a person confirmed it despite its ranges; empty otherwise.
    """

    problems: tuple[str, ...]
    reasons: tuple[str, ...]
    waiting: bool
    conflict: str = ""
    confirmed: str = ""

    @property
    def first(self) -> str:
        """The note that matters most; empty if there is none. What lights a value matters more than a problem."""
        return next(filter(None, (self.conflict, self.confirmed, *self.reasons, *self.problems)), "")


Line = ReviewedValue | Score
# Identifies a line as long as the sheet is shown: the id of a value, the row and time of a score.
Key = int | tuple[str, str | None]


def key_of(line: Line) -> Key:
    return line.id if isinstance(line, ReviewedValue) else (line.row.id, line.observed_at)


@dataclass(frozen=True, slots=True)
class _Group:
    title: str
    lines: list[Line]
    lit: bool = False

    @property
    def values(self) -> list[ReviewedValue]:
        return [line for line in self.lines if isinstance(line, ReviewedValue)]


_HEADING = Qt.ItemFlag.ItemIsEnabled
_LINE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


class FlowsheetModel(QAbstractItemModel):
    """Read-only model of a sheet; `show` keeps the tree if only contents changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet: Sheet | None = None
        self._first: tuple[int, ...] = ()
        self._groups: list[_Group] = []
        self._notes: dict[int, Notes] = {}
        self._several: frozenset[str] = frozenset()  # ids of the rows that have several readings
        self.past: tuple[str, ...] = ()
        self._earlier = Charted()

    def load(self, sheet: Sheet | None) -> None:
        """Shows a newly read sheet; proposals that are lit or in conflict are gathered at the top."""
        self._first = _look_first(sheet) if sheet else ()
        self.show(sheet)

    def show(self, sheet: Sheet | None) -> None:
        """Shows a sheet after a step of review; values gathered at the top stay there, decided or not."""
        groups = _grouped(sheet, self._first) if sheet else []
        if sheet and self.is_of(sheet) and _shape(groups) == _shape(self._groups):
            self._take(sheet, groups)
            last = self.columnCount() - 1
            for position, group in enumerate(groups):
                heading = self.index(position, 0)
                self.dataChanged.emit(heading, heading)
                self.dataChanged.emit(self.index(0, 0, heading), self.index(len(group.lines) - 1, last, heading))
        else:
            self.beginResetModel()
            self._take(sheet, groups)
            self.endResetModel()

    def _take(self, sheet: Sheet | None, groups: list[_Group]) -> None:
        self._sheet, self._groups = sheet, groups
        reasons = sheet.reasons if sheet else {}
        self._notes = {value.id: self._note(sheet, value, reasons) for value in sheet.values} if sheet else {}
        said = {value.row_id for value in sheet.values} if sheet else set()
        self._several = sheet.read_several_times if sheet else frozenset()
        self._earlier = sheet.earlier if sheet else Charted()
        columns = {column_of(one) for row_id in said for one in self._earlier.of(row_id)}
        former, self.past = self.past, tuple(sorted(columns)[-PAST_SHOWN:])
        if former != self.past:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, Column.PAST, Column.PAST + PAST_SHOWN - 1)

    def _note(self, sheet: Sheet, value: ReviewedValue, why: Mapping[int, tuple[str, ...]]) -> Notes:
        waiting = value.status is ReviewStatus.PROPOSED
        shown = waiting or value.id in self._first
        reasons = why.get(value.id, ()) if shown else ()
        row, against = sheet.schema.row(value.row_id), () if sheet.filing else sheet.conflicts.get(value.id, ())
        conflict = ""
        if against:
            there = against[-1].value
            own = there.dictation_id == value.dictation_id
            charted = "already in this dictation:" if own else "already charted at this time:"
            words = "replaced by" if value.replaced_by else charted
            conflict = f"{words} {marked(row, there.value, value_unit(row, there))}"
        return Notes(concerns(row, value), reasons, waiting, conflict, confirmed_text(row, value))

    def is_of(self, sheet: Sheet | None) -> bool:
        """Whether the dictation of a sheet is shown."""
        return sheet is not None and self._sheet is not None and sheet.dictation.id == self._sheet.dictation.id

    def row_of(self, value: ReviewedValue) -> Row:
        assert self._sheet
        return self._sheet.schema.row(value.row_id)

    def ordered(self) -> list[ReviewedValue]:
        """All values, from top to bottom."""
        return [value for group in self._groups for value in group.values]

    def is_lit(self, value: ReviewedValue) -> bool:
        """Whether a value is lit and waits for a decision."""
        notes = self._notes[value.id]
        return notes.waiting and bool(notes.reasons)

    def calls(self, value: ReviewedValue) -> bool:
        """Whether a value waits for a decision and is lit or in conflict, so that it needs to be looked at."""
        notes = self._notes[value.id]
        return notes.waiting and bool(notes.reasons or notes.conflict)

    def lines(self) -> list[Line]:
        """All values and scores, from top to bottom."""
        return [line for group in self._groups for line in group.lines]

    def index_of(self, key: Key) -> QModelIndex:
        """The index of the first cell of a line; invalid if the sheet has no such line."""
        for position, group in enumerate(self._groups):
            for place, line in enumerate(group.lines):
                if key_of(line) == key:
                    return self.index(place, 0, self.index(position, 0))
        return QModelIndex()

    def line_at(self, index: Index) -> Line | None:
        """The value or score at an index; None for a heading."""
        if not index.isValid() or index.internalId() == 0:
            return None
        return self._groups[index.internalId() - 1].lines[index.row()]

    def value_at(self, index: Index) -> ReviewedValue | None:
        """The value at an index; None for a heading or a score."""
        line = self.line_at(index)
        return line if isinstance(line, ReviewedValue) else None

    # QAbstractItemModel: the internal id of a value's index is the position of its group plus one, of a heading 0

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < self.columnCount(parent)):
            return QModelIndex()  # as hasIndex(), in half the time: Qt calls this a thousand times per sheet
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = ROOT) -> QModelIndex:  # type: ignore[override]  # QObject.parent() is another thing
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = ROOT) -> int:
        if not parent.isValid():
            return len(self._groups)
        is_heading = parent.internalId() == 0 and parent.column() == 0
        return len(self._groups[parent.row()].lines) if is_heading else 0

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(HEADINGS) + 1 + PAST_SHOWN

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _HEADING if self.line_at(index) is None else _LINE

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if section < len(HEADINGS):
            return HEADINGS[section]
        return "Trend" if section == Column.TREND else self._past_heading(section)

    def _past_heading(self, section: int) -> str:
        place = section - Column.PAST
        if self._sheet is None or place >= len(self.past):
            return ""
        return column_text(self.past[place], self._sheet.column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line_at(index)
        if line is None:
            return self._heading_data(index, role)
        if isinstance(line, ReviewedValue):
            return self._value_data(line, index, role)
        return self._score_data(line, index, role)

    def _score_data(self, score: Score, index: Index, role: int) -> Any:
        assert self._sheet
        if role == SCORE_ROLE:
            return score
        if role == ABNORMAL_ROLE:
            return index.column() == Column.VALUE and is_abnormal_score(score)
        if role == BEHIND_ROLE:
            return self._behind(score_unit(score), score.observed_at)
        if role == Qt.ItemDataRole.DisplayRole:
            shown = {
                Column.NAME: score.row.name,
                Column.VALUE: score_result(score),
                Column.STATUS: status_words_of_score(score),
                Column.CHECK: state(score),
            }
            return shown.get(Column(min(index.column(), Column.PAST)), "")
        if role == Qt.ItemDataRole.ToolTipRole or (
            role == Qt.ItemDataRole.AccessibleTextRole and index.column() == Column.NAME
        ):
            return spoken_score(score, self._sheet.schema, self._sheet.dictation.created_at)
        return None

    def _value_data(self, value: ReviewedValue, index: Index, role: int) -> Any:
        notes = self._notes[value.id]
        if role == VALUE_ROLE:
            return value
        if role == NOTES_ROLE:
            return notes
        if role == LIT_ROLE:
            return self.calls(value)
        if role == TREND_ROLE:
            return self.numbers(value)
        if role == BELOW_ROLE:
            above = self.value_at(index.sibling(index.row() - 1, 0)) if index.row() else None
            return above is not None and above.row_id == value.row_id
        if role == ABNORMAL_ROLE:
            return self._is_abnormal(value, index.column())
        if role == BEHIND_ROLE:
            return self._behind(value_unit(self.row_of(value), value), self._time_of(value))
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(value, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            row = self.row_of(value)
            text = self._whole(value) if index.column() == Column.VALUE else self._text(value, index.column())
            said = (text, category_text(row), judged_text(row, value.value))
            more = (*said, notes.confirmed, notes.conflict)
            return "\n".join((*filter(None, more), *notes.reasons, *notes.problems))
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == Column.NAME:
            return self._spoken(value)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == Column.TREND:
            return self.trend_words(value)
        return None

    def numbers(self, value: ReviewedValue) -> tuple[float, ...]:
        """The numbers of a row from earlier assessments to this one; empty if there is nothing to draw."""
        assert self._sheet
        now, column = number_in(value.value), column_of(ChartEntry.of(value, self._sheet.dictation))
        earlier = (one for one in self._earlier.of(value.row_id) if column_of(one) < column)
        before = [number_in(one.value.value) for one in earlier]
        numbers = [number for number in before if number is not None]
        if now is None or not numbers or value.status is ReviewStatus.REJECTED:
            return ()
        return (*numbers[1 - DRAWN :], now)

    def trend_words(self, value: ReviewedValue) -> str:
        """The trend of a row in words: `88, 92, 96, rising`; empty without one."""
        numbers = self.numbers(value)
        return ", ".join([*(f"{number:g}" for number in numbers), direction(numbers)]) if numbers else ""

    def _heading_data(self, index: Index, role: int) -> Any:
        if not index.isValid() or index.column() != Column.NAME:
            return None
        group = self._groups[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{LOOK_FIRST} ({len(group.values)})" if group.lit else group.title
        if role == Qt.ItemDataRole.StatusTipRole:
            left = sum(value.status is ReviewStatus.PROPOSED for value in group.values)
            if group.lit:
                return f"{left} left" if left else "all checked"
            return f"{left} to review" if left else "all reviewed"
        return group.lit if role == LIT_ROLE else None

    def _text(self, value: ReviewedValue, column: int) -> str:
        row = self.row_of(value)
        match column:
            case Column.NAME:
                return row.name
            case Column.VALUE:
                return marked(row, value.value)
            case Column.STATUS:
                return status_words(value)
            case Column.CHECK:
                return self._notes[value.id].first
            case Column.TREND:
                return self.trend_words(value)
            case _:
                return self._past_text(value, column - Column.PAST)

    def _past_text(self, value: ReviewedValue, place: int) -> str:
        return ", ".join(marked(self.row_of(value), one.value.value) for one in self._past(value, place))

    def _past(self, value: ReviewedValue, place: int) -> tuple[ChartEntry, ...]:
        """The charted values of the same row in an earlier column."""
        return self._earlier.at(value.row_id, self.past[place]) if 0 <= place < len(self.past) else ()

    def _is_abnormal(self, value: ReviewedValue, column: int) -> bool:
        """Whether the value shown in a column is abnormal."""
        earlier = self._past(value, column - Column.PAST) if column >= Column.PAST else ()
        shown = [value] if column == Column.VALUE else [one.value for one in earlier]
        return any(is_abnormal(self.row_of(value), one.value) for one in shown)

    def _whole(self, value: ReviewedValue) -> str:
        """A value with its unit and its observation time, if that is not the time of the dictation."""
        row = self.row_of(value)
        return f"{value_text(row, value.value)} {self._behind(value_unit(row, value), self._time_of(value))}".rstrip()

    def _time_of(self, value: ReviewedValue) -> str | None:
        """The time to show with a value: its own, or among several readings of a row that of the dictation."""
        assert self._sheet
        if value.observed_at or value.row_id not in self._several:
            return value.observed_at
        return local_minute(self._sheet.dictation.created_at)

    def _behind(self, unit: str, observed_at: str | None) -> str:
        """What stands small behind a value: its unit, and its time if that is not the time of the dictation."""
        assert self._sheet
        at = f"· {time_text(observed_at, self._sheet.dictation.created_at)}" if observed_at else ""
        return f"{unit} {at}".strip()

    def _spoken(self, value: ReviewedValue) -> str:
        """The whole line for a screen reader."""
        notes, row = self._notes[value.id], self.row_of(value)
        words = [
            row.name,
            value_text(row, value.value),
            self._behind(value_unit(row, value), self._time_of(value)),
            judged_text(row, value.value).lower(),
            "by hand" if by_hand(value) else "",
            status_words(value),
        ]
        if notes.confirmed:
            words.append(notes.confirmed)
        if notes.conflict:
            words.append(f"conflict: {notes.conflict}")
        if notes.reasons:
            words.append(f"{'to check' if notes.waiting else 'checked'}: {'; '.join(notes.reasons)}")
        if notes.problems:
            words.append(f"{plural(len(notes.problems), 'problem')}: {'; '.join(notes.problems)}")
        trend = self.trend_words(value)
        words.append(f"trend: {trend}" if trend else "")
        return ", ".join(word for word in (*words, category_text(row)) if word)


def _look_first(sheet: Sheet) -> tuple[int, ...]:
    """Ids of the proposals that are in conflict or lit: first conflicts, then impossible values, then by increasing
    confidence."""
    reasons = sheet.reasons
    calling = [
        (
            value.id not in sheet.conflicts,
            not is_impossible(sheet.schema.row(value.row_id), value.value),
            value.filled.confidence,
            value.id,
        )
        for value in sheet.values
        if (value.id in reasons or value.id in sheet.conflicts)
        and value.filled
        and value.status is ReviewStatus.PROPOSED
    ]
    return tuple(value_id for *_, value_id in sorted(calling))


def _grouped(sheet: Sheet, first: tuple[int, ...]) -> list[_Group]:
    place = {row.id: (not row.pinned, position) for position, row in enumerate(sheet.schema.rows)}
    by_id = {value.id: value for value in sheet.values}
    lit: list[Line] = [by_id[value_id] for value_id in first if value_id in by_id]
    lit = _stacked(sheet, lit)
    others: list[Line] = [value for value in sheet.values if value.id not in first]
    others += [score for score in sheet.scores if not score.charted]  # a person decides about a charted one
    groups: dict[str, list[Line]] = {}
    for line in sorted(others, key=lambda line: place[_row_id(line)]):
        groups.setdefault(section_text(sheet.schema.row(_row_id(line))), []).append(line)
    at_the_top = [_Group(LOOK_FIRST, lit, lit=True)] if lit else []
    return at_the_top + [_Group(title, _stacked(sheet, lines)) for title, lines in groups.items()]


def _stacked(sheet: Sheet, lines: list[Line]) -> list[Line]:
    """The lines with the readings of a row one below the other where its first one stands, the latest first."""
    readings: dict[str, list[Line]] = {}
    for line in lines:
        readings.setdefault(_row_id(line), []).append(line)
    return [line for of_row in readings.values() for line in _latest_first(sheet, of_row)]


def _latest_first(sheet: Sheet, lines: list[Line]) -> list[Line]:
    """The lines of one row, the latest observed first."""
    now = local_minute(sheet.dictation.created_at)
    return sorted(lines, key=lambda line: line.observed_at or now, reverse=True) if len(lines) > 1 else lines


def _row_id(line: Line) -> str:
    return line.row_id if isinstance(line, ReviewedValue) else line.row.id


def _shape(groups: list[_Group]) -> list[tuple[str, list[Key]]]:
    return [(group.title, [key_of(line) for line in group.lines]) for group in groups]
