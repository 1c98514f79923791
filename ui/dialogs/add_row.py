"""Dialog to add a value that was not proposed: search the schema, choose a row, enter the value.

Asked for a sentence, it offers the rows that the sentence may be about, and the value that it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chart.gaps.said_rows import rows_meant
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.services.review.uncharted_values import time_said, value_said
from extraction.flowsheet.ranges import OutOfRangeValue
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment
from models.base.errors import WardlightError
from ui.dialogs.not_obtained import ask_why_not
from ui.flowsheet.detail.range_line import AgainLine
from ui.flowsheet.editors import ValueEditor, make_editor
from ui.flowsheet.range_words import marked
from ui.kit.keys import move_by_arrows
from ui.kit.theme import Theme
from ui.kit.widgets import button, clear, label, rule, show_as_search
from ui.kit.words import STATUS_WORDS, category_text, row_unit, time_text

RESULTS_SHOWN = 60
_LINE = 28  # pixels


class AddRowDialog(QDialog):
    """Signals: `add_asked` (row, value, unit); `existing_asked` (id of the value that the chosen row already has).

    If opened for a sentence, a row that has a value can get a second one.
    """

    add_asked = Signal(object, object, object)
    existing_asked = Signal(int)

    def __init__(
        self, theme: Theme, sheet: Sheet, parent: QWidget | None = None, *, line: Segment | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Add a row")
        self.setMinimumSize(580, 560)
        self._sheet, self._line = sheet, line
        self._meant = rows_meant(sheet, line) if line else ()
        self._editor: ValueEditor | None = None
        self._existing = {v.row_id: v for v in sheet.values if v.status is not ReviewStatus.REJECTED}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("Add a row", "display"))
        if line:
            layout.addWidget(label(f"“{line.text}”", wrap=True))
            if self._meant:
                layout.addWidget(label("Rows that it may be about are listed first.", "small"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(f"Search {len(sheet.schema.rows)} rows by name, synonym, option or category")
        self.search.setAccessibleName("Search flowsheet rows")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._go_on)
        layout.addWidget(self.search)
        self.results = QListWidget()
        move_by_arrows(self.results, self.search)
        self.results.setAccessibleName("Rows found")
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.results.currentItemChanged.connect(self._show_row)
        self.results.itemActivated.connect(self._go_on)
        layout.addWidget(self.results, 1)
        layout.addWidget(rule())
        self._title, self._about = label(role="title"), label(role="small", wrap=True)
        layout.addWidget(self._title)
        layout.addWidget(self._about)
        self._place = QVBoxLayout()
        layout.addLayout(self._place)
        self._error = label(role="error", wrap=True)
        layout.addWidget(self._error)
        self.again = AgainLine(theme)
        layout.addWidget(self.again)
        self.add = button("&Add to flowsheet", theme.icon("add", "on_accent"), kind="primary", clicked=self._go)
        self.not_obtained = button(
            "N&ot obtained…", tip="Chart that it was tried and not obtained, with the reason", clicked=self._ask_why_not
        )
        self._cancel = button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.not_obtained)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self.add)
        layout.addLayout(buttons)
        self._find()

    @property
    def editor(self) -> ValueEditor | None:
        return self._editor

    def choose(self, row: Row, value: Value | None = None) -> None:
        """Selects a row, to enter its value or to check the one that was said."""
        self.search.setText(row.name)
        for place in range(self.results.count()):
            if self.results.item(place).data(Qt.ItemDataRole.UserRole) is row:
                self.results.setCurrentRow(place)
                self._go_on()
        if value is not None and self._editor:
            self._editor.show_value(value)

    def show_error(self, error: WardlightError) -> None:
        """Shows why the value cannot be added; the entry is kept."""
        self.again.forget()
        self._error.setText(str(error))
        self._error.show()

    def ask_again(self, error: OutOfRangeValue) -> None:
        """Asks the user to confirm a value out of range."""
        self._error.hide()
        self.again.ask(error, "Enter")

    def _row(self) -> Row | None:
        item = self.results.currentItem()
        row: Row | None = item.data(Qt.ItemDataRole.UserRole) if item else None
        return row

    def _find(self) -> None:
        with QSignalBlocker(self.results):  # one row is shown, not each that is current meanwhile
            self.results.clear()
            for row in self._found()[:RESULTS_SHOWN]:
                item = QListWidgetItem(f"{row.name}   ·   {category_text(row)}", self.results)
                item.setData(Qt.ItemDataRole.UserRole, row)
                item.setSizeHint(QSize(0, _LINE))  # as wide as the list: a longer text is elided
                item.setToolTip(item.text())
            self.results.setCurrentRow(0)
        self._show_row()

    def _found(self) -> Sequence[Row]:
        """The rows searched for; before a search the ones that may be meant, and then the others."""
        found = search_rows(self._sheet.schema, self.search.text())
        return found if self.search.text().strip() else tuple(dict.fromkeys((*self._meant, *found)))

    def _show_row(self) -> None:
        clear(self._place)
        self._editor = None
        self._error.hide()
        self.again.forget()
        row = self._row()
        self._title.setText(row.name if row else "No row found")
        self._about.setText("" if row else "Try another word or a synonym.")
        self.add.setEnabled(row is not None)
        self.add.setText("&Add to flowsheet")
        self.add.setToolTip("Add this value (Enter)")
        self.not_obtained.setEnabled(False)
        if row is None:
            return
        if (existing := self._existing.get(row.id)) and not self._line:
            self._about.setText(_there(row, existing))
            self.add.setText("&Go to value")
            self.add.setToolTip("Show the value in the flowsheet (Enter)")
            return
        also = f"   ·   also: {', '.join(row.synonyms[:4])}" if row.synonyms else ""
        self._about.setText(f"{category_text(row)}{also}")
        self._editor = make_editor(row)
        if self._line:
            self._show_said(self._editor, row, self._line)
        self._editor.submitted.connect(self._go)
        self._editor.changed.connect(self.again.forget)
        self._place.addWidget(self._editor)
        self._editor.show()  # at once: the next key may be meant for it
        self.not_obtained.setEnabled(True)
        for before, after in pairwise((self.results, *self._editor.stops, self.not_obtained, self._cancel, self.add)):
            QWidget.setTabOrder(before, after)

    def _show_said(self, editor: ValueEditor, row: Row, line: Segment) -> None:
        """Enters the value that the line says, and shows the time at which it says so."""
        value, at = value_said(self._sheet, line, row), time_said(self._sheet, line, row)
        words = [category_text(row)]
        if value is not None:
            editor.show_value(value)
            words.append("Check the value: it was read from the sentence.")
        if existing := self._existing.get(row.id):
            words.append(f"{_there(row, existing)}; this one is added beside it.")
        if at is not None:
            words.append(f"Observed at {time_text(at, self._sheet.dictation.created_at)}, as the sentence says.")
        self._about.setText("   ·   ".join(words))

    def _go_on(self) -> None:
        """Handles Enter in the search: moves to the editor, or goes to the existing value."""
        if self._editor:
            self._editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._row():
            self._go()

    def _ask_why_not(self) -> None:
        row = self._row()
        if row and (why := ask_why_not(self, row)):
            self.add_asked.emit(row, why, None)

    def _go(self) -> None:
        row = self._row()
        if row is None:
            return
        if row.id in self._existing and not self._line:
            self.existing_asked.emit(self._existing[row.id].id)
            self.accept()
            return
        value = self._editor.value() if self._editor else None
        if value is None:
            self._error.setText("Enter a value first.")
            self._error.show()
        elif self._editor:
            self.add_asked.emit(row, value, self._editor.unit())


def _there(row: Row, value: ReviewedValue) -> str:
    return f"Already in the flowsheet: {marked(row, value.value, row_unit(row))} ({STATUS_WORDS[value.status].lower()})"


def search_rows(schema: Schema, text: str) -> Sequence[Row]:
    """Rows that contain every word of `text`; all rows if it is empty.

    Exact names and synonyms come first, then names that start with `text`, then matches in the name, in a synonym, in
    id or category, and in what the row's options are called.
    """
    words = text.casefold().split()
    if not words:
        return schema.rows
    wanted = " ".join(words)
    found: list[tuple[int, int, Row]] = []
    for position, row in enumerate(schema.rows):
        name, others = row.name.casefold(), [synonym.casefold() for synonym in row.synonyms]
        categories = chain.from_iterable(row.categories)
        placed = (name, *others, row.id, *categories)
        options = chain.from_iterable(option.forms for option in row.options)
        places = (name, *(" ".join(texts).casefold() for texts in ((name, *others), placed, (*placed, *options))))
        width = next((i for i, place in enumerate(places) if all(word in place for word in words)), None)
        if width is None:
            continue
        called = wanted == name or wanted in others
        found.append((0 if called else 1 if name.startswith(wanted) else 2 + width, position, row))
    return [row for _, _, row in sorted(found, key=lambda hit: hit[:2])]
