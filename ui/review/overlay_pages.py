"""The pages that take the flowsheet's place to be looked at: the patient's chart, and the last look before filing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget

from app.chart.sheet import Sheet
from ui.flowsheet.chart.chart_view import ChartView
from ui.flowsheet.last_look import LastLook
from ui.kit.theme import Theme


class OverlayPages(QObject):
    """Adds both pages to the stack in which the flowsheet is.

    Signals:
        left: the person goes back to the flowsheet.
        value_asked: the person goes to a value of the dictation (its id).
        gaps_asked: the last look is shown, so that it has to be known what the sheet lacks (the Sheet).
        file_asked: the person files after the last look.
    """

    left = Signal()
    value_asked = Signal(int)
    gaps_asked = Signal(object)
    file_asked = Signal()

    def __init__(self, theme: Theme, stack: QStackedWidget) -> None:
        super().__init__(stack)
        self._stack, self._signer = stack, ""
        self._shifts: Sequence[time] = ()
        self.chart, self.last_look = ChartView(theme), LastLook(theme)
        for page in (self.chart, self.last_look):
            stack.addWidget(page)
            page.left.connect(self.left)
        self.chart.value_asked.connect(self.value_asked)
        self.last_look.confirmed.connect(self.file_asked)

    @property
    def shown(self) -> ChartView | LastLook | None:
        """The page that is shown; None if the flowsheet or another one is."""
        page = self._stack.currentWidget()
        return page if isinstance(page, ChartView | LastLook) else None

    def show_chart(self, sheet: Sheet, shifts: Sequence[time], *, graph: bool) -> None:
        """Shows the chart, or its `graph`; `shifts` are the times of day when shifts begin."""
        self._shifts = shifts
        self._show(self.chart, sheet)
        self.chart.show_graph(shown=graph)

    def show_last_look(self, sheet: Sheet, signer: str) -> None:
        self._signer = signer
        self.last_look.gaps.forget()
        self._show(self.last_look, sheet)

    def refresh(self, sheet: Sheet) -> None:
        """Shows the sheet as it is now on the page that is shown."""
        match self.shown:
            case ChartView():
                self.chart.show_sheet(sheet, self._shifts)
            case LastLook():
                self.last_look.show_sheet(sheet, self._signer)
                self.gaps_asked.emit(sheet)

    def _show(self, page: ChartView | LastLook, sheet: Sheet) -> None:
        self._stack.setCurrentWidget(page)
        self.refresh(sheet)
        (page.grid if isinstance(page, ChartView) else page.values).setFocus()
