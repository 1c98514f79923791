"""A patient's chart as a grid: rows down, times across, with a column of its own for the dictation under review."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from app.chart.computed_rows import Score, scores_of
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.chart.trends import Charted
from extraction.flowsheet.schema import Row
from ui.flowsheet.range_words import is_abnormal, judged_text, marked
from ui.flowsheet.score_words import is_abnormal_score, score_text, spoken_score, status_of_score
from ui.kit.words import (
    category_text,
    column_text,
    row_unit,
    section_text,
    status_name,
    status_words,
    time_text,
    unit_text,
    value_unit,
)

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
STATUS_ROLE = Qt.ItemDataRole.UserRole  # name of the icon of a value of this dictation: `lit` or its status
ABNORMAL_ROLE = Qt.ItemDataRole.UserRole + 1
NOW_ROLE = Qt.ItemDataRole.UserRole + 2  # whether a cell is in the column of this dictation
NOW = "This dictation"


@dataclass(frozen=True, slots=True)
class _Line:
    """A row with its values of this dictation, or the heading of a category (no row).

    Attributes:
        calculated: whether all of its cells have calculated scores.
    """

    title: str
    row: Row | None = None
    now: tuple[ReviewedValue, ...] = ()
    calculated: bool = False


class ChartModel(QAbstractTableModel):
    """Read-only. Shows the rows that are charted or have a value in this dictation that is not rejected.

    The dictation stands in the order of time, behind what others charted in its minute. The cell of a score that nobody
    charted has the one calculated from the values of its column.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet: Sheet | None = None
        self._lines: tuple[_Line, ...] = ()
        self._charted = Charted()
        self.now = 0  # the column of this dictation
        self._flagged: Container[int] = ()
        self._scores: Mapping[tuple[str, int], Score] = {}

    def show(self, sheet: Sheet | None) -> None:
        """Shows the chart of the patient of a sheet."""
        self.beginResetModel()
        self._sheet = sheet
        self._charted = sheet.charted if sheet else Charted()
        self.now = sum(column <= sheet.column for column in self._charted.columns) if sheet else 0
        self._scores = self._calculated(sheet) if sheet else {}
        self._lines = _lines(sheet, self._charted, {row_id for row_id, _ in self._scores}) if sheet else ()
        self._flagged = sheet.reasons if sheet else ()
        self.endResetModel()

    @property
    def others(self) -> int:
        """Number of columns of other dictations."""
        return len(self._charted.columns)

    def heading_lines(self) -> list[int]:
        """The places of the headings."""
        return [place for place, line in enumerate(self._lines) if line.row is None]

    def value_at(self, index: Index) -> ReviewedValue | None:
        """The first value of this dictation in the line of an index; None if it has none."""
        now = self._lines[index.row()].now if index.isValid() else ()
        return now[0] if now else None

    # QAbstractTableModel

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() or self._sheet is None else self.others + 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self._lines[index.row()].row is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        assert self._sheet
        if orientation == Qt.Orientation.Horizontal:
            if role != Qt.ItemDataRole.DisplayRole:
                return None
            return NOW if section == self.now else column_text(self._column(section), self._sheet.column)
        line = self._lines[section]
        if role == Qt.ItemDataRole.FontRole and line.row is None:
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        if role == Qt.ItemDataRole.DisplayRole:
            unit, calculated = row_unit(line.row) if line.row else "", "calculated" if line.calculated else ""
            about = ", ".join(filter(None, (unit, calculated)))
            return f"{line.title} ({about})" if about else line.title
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self._lines[index.row()]
        if line.row is None or self._sheet is None:
            return None
        if role == NOW_ROLE:
            return index.column() == self.now
        values = self._values(line, index.column())
        if not values:
            score = self._scores.get((line.row.id, index.column()))
            return self._score_data(score, role, is_now=index.column() == self.now) if score else None
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(self._text(line.row, value) for value in values)
        if role == ABNORMAL_ROLE:
            return any(is_abnormal(line.row, value.value) for value in values)
        if role == STATUS_ROLE:
            if index.column() != self.now:
                return None
            flagged = values[0].status is ReviewStatus.PROPOSED and values[0].id in self._flagged
            return "lit" if flagged else status_name(values[0])
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return "\n".join(self._told(line.row, value) for value in values)
        return None

    def _score_data(self, score: Score, role: int, *, is_now: bool) -> Any:
        assert self._sheet
        if role == Qt.ItemDataRole.DisplayRole:
            return score_text(score, self._sheet.dictation.created_at)
        if role == ABNORMAL_ROLE:
            return is_abnormal_score(score)
        if role == STATUS_ROLE:
            return status_of_score(score) if is_now else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return spoken_score(score, self._sheet.schema, self._sheet.dictation.created_at)
        return None

    def _values(self, line: _Line, column: int) -> tuple[ReviewedValue, ...]:
        assert line.row
        if column == self.now:
            return line.now
        return tuple(one.value for one in self._charted.at(line.row.id, self._column(column)))

    def _column(self, section: int) -> str:
        """The time of a column of other dictations."""
        return self._charted.columns[section - (section > self.now)]

    def _calculated(self, sheet: Sheet) -> dict[tuple[str, int], Score]:
        """The scores with a result, by row id and number of the column."""
        columns = [scores_of([one.value for one in of], sheet.schema) for of in self._charted.by_column().values()]
        columns.insert(self.now, sheet.scores)
        return {(one.row.id, number): one for number, of in enumerate(columns) for one in of if one.value is not None}

    def _text(self, row: Row, value: ReviewedValue) -> str:
        """The value with its arrow, its unit if that is not the row's, and its time within this dictation."""
        assert self._sheet
        other_unit = unit_text(value.unit) if unit_text(value.unit) != row_unit(row) else ""
        text = marked(row, value.value, other_unit)
        if value.observed_at is None or value.dictation_id != self._sheet.dictation.id:
            return text
        return f"{text} · {time_text(value.observed_at, self._sheet.dictation.created_at)}"

    def _told(self, row: Row, value: ReviewedValue) -> str:
        said = (f"{row.name}: {marked(row, value.value, value_unit(row, value))}", category_text(row))
        by = f"{status_words(value)} by {value.reviewer}" if value.reviewer else status_words(value)
        return ", ".join(filter(None, (*said, judged_text(row, value.value).lower(), by)))


def _lines(sheet: Sheet, beside: Charted, calculated: Container[str]) -> tuple[_Line, ...]:
    now: dict[str, list[ReviewedValue]] = {}
    for value in sheet.values:
        if value.status is not ReviewStatus.REJECTED and value.replaced_by is None:
            now.setdefault(value.row_id, []).append(value)
    lines: list[_Line] = []
    former = None
    for row in sorted(sheet.schema.rows, key=lambda row: not row.pinned):
        charted = row.id in now or bool(beside.of(row.id))
        if not charted and row.id not in calculated:
            continue
        if section_text(row) != former:
            former = section_text(row)
            lines.append(_Line(former))
        lines.append(_Line(row.name, row, tuple(now.get(row.id, ())), not charted))
    return tuple(lines)
