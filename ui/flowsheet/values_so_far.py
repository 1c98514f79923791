"""The values of a dictation that is not read to its end yet, without decisions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.chart.records import Patient
from app.chart.sheet import provisional
from app.record.values import ProposedValue
from extraction.flowsheet.schema import Schema
from ui.flowsheet.flowsheet_view import FlowsheetView
from ui.kit.theme import Theme
from ui.kit.widgets import heading, label, rule
from ui.kit.words import plural


class ValuesSoFar(QWidget):
    """Args: `then` says when they can be reviewed."""

    def __init__(self, theme: Theme, then: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._then = then
        self.count = label(role="small")
        self.flowsheet = FlowsheetView(theme)
        self.flowsheet.setAccessibleName("Values so far")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(heading("Flowsheet", self.count))
        column.addWidget(rule())
        column.addWidget(self.flowsheet, 1)

    def show_values(
        self, patient: Patient, schema: Schema, values: Sequence[ProposedValue], text: str, *, again: bool = False
    ) -> None:
        """Shows the current proposals, or those of before that are read `again`."""
        self.flowsheet.show_sheet(provisional(patient, schema, values, text))
        found = plural(len(values), "value") if values else "No values"
        self.count.setText(f"{found} {'read before, being read again' if again else 'so far'}. {self._then}")
