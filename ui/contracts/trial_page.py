"""The step of the import in which one dictation is filled with the new rows; it can be skipped."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QTreeWidgetItem, QWidget

from app.services.contracts.jobs import ReadExport, TriedDictation
from extraction.flowsheet.schema import Schema
from models.base.errors import WardlightError
from models.base.progress import Progress
from ui.contracts.import_page import ImportPage
from ui.contracts.sources_page import choose, table
from ui.kit.theme import Theme
from ui.kit.widgets import button, card, label, only
from ui.kit.words import clock, plural, unit_text, value_text
from ui.progress.work_strip import WorkStrip

SAMPLE = (
    "Heart rate is 84, blood pressure 128 over 76, respirations 16. "
    "Oxygen saturation 97 percent on room air. Temperature 36.9, pain 2 out of 10."
)


class TrialPage(ImportPage):
    """One dictation filled with the new rows; it can be skipped.

    Signals:
        trial_asked: fill a text (schema, text).
        stop_asked: stop filling it.
    """

    name, title = "Try it", "Fill one dictation with these rows"
    about = "Type what somebody might say, and see which rows it fills. Nothing of it is kept."
    trial_asked = Signal(object, str)
    stop_asked = Signal()

    def __init__(self, theme: Theme, *, can_fill: bool) -> None:
        super().__init__()
        self._theme, self._can_fill = theme, can_fill
        self._schema: Schema | None = None
        self._filled: int | None = None
        self.text = QPlainTextEdit(SAMPLE)
        self.text.setAccessibleName("What is dictated")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(84)
        self.fill = button("&Fill", theme.icon("play"), tip="Fill the rows from this text", clicked=self._fill)
        self.said = label(wrap=True)
        self.strip = WorkStrip(theme, stop="S&top", tip="Stop filling this text; nothing of it is kept")
        self.strip.cancel_asked.connect(self.stop_asked)
        line = QHBoxLayout()
        line.addWidget(self.fill)
        line.addWidget(self.said, 1)
        self.values = table("Proposed values", ("Row", "Value", "Words"))
        self.body.addWidget(self.text)
        self.body.addLayout(line)
        self.body.addWidget(self.strip)
        self.body.addWidget(card(only(self.values)), 1)

    @property
    def state(self) -> str:
        return "" if self._filled is None else plural(self._filled, "value")

    @property
    def first(self) -> QWidget | None:
        return self.text if self._can_fill else None

    def show_read(self, read: ReadExport) -> None:
        self._schema, self._filled = read.schema, None
        self.values.clear()
        usable = self._can_fill and read.schema is not None
        self.text.setEnabled(usable)
        self.fill.setEnabled(usable)
        self.said.setText(
            ""
            if usable
            else read.refused
            or "The models are not installed, so nothing can be filled here. You can go on without this step."
        )

    def show_progress(self, progress: Progress) -> None:
        """Shows how far filling is."""
        self.strip.show_progress(progress)

    def show_tried(self, tried: TriedDictation) -> None:
        """Shows the values that would be proposed."""
        found = f"{plural(len(tried.values), 'value')} proposed" if tried.values else "No value was found in this text"
        self._end(f"{found}. It took {clock(self.strip.seconds)}.")
        if tried.schema is not self._schema:
            return
        self._filled = len(tried.values)
        for value in tried.values:
            row = tried.schema.row(value.row_id)
            unit = unit_text(value.unit or row.unit)
            item = QTreeWidgetItem(
                [row.name, f"{value_text(row, value.value)} {unit}".strip(), f"“{value.evidence.text}”"]
            )
            self.values.addTopLevelItem(item)
        if tried.values:
            choose(self.values, "")
            for column, width in enumerate((300, 180)):
                self.values.setColumnWidth(column, width)
        self.changed.emit()

    def show_error(self, error: WardlightError) -> None:
        """Says why the text was not filled."""
        self._end(str(error))

    def show_stopped(self) -> None:
        """Filling was stopped."""
        self._end("Stopped.")

    def _fill(self) -> None:
        if self._schema and (text := self.text.toPlainText().strip()):
            self.values.clear()
            self.fill.setEnabled(False)
            self.said.setText("")
            self.strip.start(None, "Trial")
            self.values.setFocus()  # a second Enter must not stop it
            self.trial_asked.emit(self._schema, text)

    def _end(self, words: str) -> None:
        self.strip.stop()
        self.fill.setEnabled(self._can_fill and self._schema is not None)
        self.said.setText(words)
