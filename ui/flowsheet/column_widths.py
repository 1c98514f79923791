"""Widths of the flowsheet's columns: the usual ones, or those that a person has dragged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHeaderView, QTreeView

from ui.flowsheet.flowsheet_model import PAST_SHOWN, Column

NAME_WIDTH, PAST_WIDTH = 150, 78  # the name shares the remaining width with what is to be checked, at least this
WIDTHS = {Column.VALUE: 150, Column.STATUS: 112, Column.CHECK: 150, Column.TREND: 92}
ICONS = 62  # width of the status where it is an icon
_NARROWEST = {Column.NAME: NAME_WIDTH, Column.VALUE: 100, Column.PAST: 56}
_WIDEST_PAST = 160
_PAST = range(Column.PAST, Column.PAST + PAST_SHOWN)


class ColumnWidths:
    """The boundaries behind name, value and earlier columns can be dragged; a double click undoes that.

    Args:
        rearrange: called when a person changed a width.
    """

    def __init__(self, view: QTreeView, rearrange: Callable[[], None]) -> None:
        self._view, self._rearrange = view, rearrange
        self._dragged: dict[Column, int] = {}
        self._setting = False
        header = view.header()
        header.setMinimumSectionSize(min(_NARROWEST.values()))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for section in (Column.VALUE, *_PAST):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Interactive)
        header.sectionResized.connect(self._drag)
        header.sectionHandleDoubleClicked.connect(self._forget)

    @property
    def dragged(self) -> list[int]:
        """The dragged widths of name, value and earlier columns; 0 for a usual one."""
        return [self._dragged.get(column, 0) for column in _NARROWEST]

    def drag(self, widths: Sequence[int]) -> None:
        """Sets what `dragged` gives."""
        self._dragged = {column: width for column, width in zip(_NARROWEST, widths, strict=True) if width > 0}
        self._rearrange()

    def value(self, whole: int) -> int:
        """The width of the value, of which as much as possible is kept in a view that is `whole` pixels wide."""
        most = whole - NAME_WIDTH - WIDTHS[Column.STATUS] - WIDTHS[Column.CHECK]
        return self._between(Column.VALUE, WIDTHS[Column.VALUE], max(most, WIDTHS[Column.VALUE]))

    @property
    def past(self) -> int:
        """The width of an earlier column."""
        return self._between(Column.PAST, PAST_WIDTH, _WIDEST_PAST)

    def apply(self, whole: int, status: int) -> None:
        """Gives the columns that are shown their widths in a view that is `whole` pixels wide.

        Name and what is to be checked share what the others leave, the name alone if that column is hidden.
        """
        header = self._view.header()
        self._setting = True
        for section, width in (
            (Column.VALUE, self.value(whole)),
            (Column.STATUS, status),
            (Column.TREND, WIDTHS[Column.TREND]),
            *((section, self.past) for section in _PAST),
        ):
            header.resizeSection(section, width)
        checked = not header.isSectionHidden(Column.CHECK)
        others = (Column.VALUE, Column.STATUS, Column.TREND, *_PAST)
        rest = whole - sum(header.sectionSize(section) for section in others)  # 0 for a hidden one
        mode = QHeaderView.ResizeMode.Interactive if checked else QHeaderView.ResizeMode.Fixed
        if header.sectionResizeMode(Column.NAME) != mode:  # to set it lays out everything again
            header.setSectionResizeMode(Column.NAME, mode)
        name = self._between(Column.NAME, rest // 2, rest - WIDTHS[Column.CHECK]) if checked else rest
        header.resizeSection(Column.NAME, name)
        if checked:
            header.resizeSection(Column.CHECK, rest - name)
        self._setting = False

    def _between(self, column: Column, usual: int, most: int) -> int:
        wanted = self._dragged.get(column)
        return usual if wanted is None else max(min(wanted, most), _NARROWEST[column])

    def _drag(self, section: int, former: int, width: int) -> None:
        if self._setting or 0 in (former, width):  # shown or hidden
            return
        self._dragged[_column_of(section)] = width
        self._rearrange()

    def _forget(self, section: int) -> None:
        self._dragged.pop(_column_of(section), None)
        self._rearrange()


def _column_of(section: int) -> Column:
    """All earlier columns have one width, kept as that of the first."""
    return Column.PAST if section in _PAST else Column(section)
