"""Dialogs that ask what is made of something without a row: a row of its own, or another name of a row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from extraction.discovery.decisions import TYPES
from extraction.discovery.discover import Unplaced
from extraction.flowsheet.schema import SELECT_TYPES, Schema, ValueType
from ui.kit.theme import Theme
from ui.kit.widgets import label, show_as_search

_ROLE = Qt.ItemDataRole.UserRole
_MOST_ROWS = 60
_MOSTLY = 0.5
_WORDS = {
    ValueType.NUMERIC: "Number",
    ValueType.YES_NO: "Yes or no",
    ValueType.SINGLE_SELECT: "One option",
    ValueType.MULTI_SELECT: "Several options",
    ValueType.TEXT: "Text",
}


class RowForm(QDialog):
    """Asks for name, type, and unit or options of a proposed row."""

    def __init__(self, one: Unplaced, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Make a row")
        self.setMinimumWidth(460)
        self.name = QLineEdit(one.name[:1].upper() + one.name[1:])
        self.kind = QComboBox()
        for each in TYPES:
            self.kind.addItem(_WORDS[each], each)
        self.kind.setCurrentIndex(TYPES.index(ValueType.NUMERIC if one.numbers > _MOSTLY else ValueType.TEXT))
        self.unit, self.options = QLineEdit(one.unit), QLineEdit()
        self.options.setPlaceholderText("Separated by commas")
        form = QFormLayout()
        for words, field in (
            ("&Name", self.name), ("&Type", self.kind), ("&Unit", self.unit), ("&Options", self.options)
        ):  # fmt: skip
            form.addRow(words, field)
            field.setAccessibleName(words.replace("&", ""))
        self.buttons = _buttons("Propose row", self)
        layout = QVBoxLayout(self)
        layout.addWidget(label("It gets its own id. No sentence of a dictation is kept with it.", "muted", wrap=True))
        layout.addLayout(form)
        layout.addWidget(self.buttons)
        self.kind.currentIndexChanged.connect(self._update)
        self.name.textChanged.connect(self._update)
        self._update()

    @property
    def type(self) -> ValueType:
        return ValueType(self.kind.currentData())

    @property
    def option_names(self) -> list[str]:
        return [text for one in self.options.text().split(",") if (text := one.strip())]

    def _update(self) -> None:
        self.unit.setEnabled(self.type is ValueType.NUMERIC)
        self.options.setEnabled(self.type in SELECT_TYPES)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self.name.text().strip()))


class AliasForm(QDialog):
    """Asks of which row something is another name; the rows nearest to it come first."""

    def __init__(self, theme: Theme, one: Unplaced, schema: Schema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"“{one.name}” is another name of")
        self.setMinimumSize(460, 420)
        near = [row_id for row_id, _ in one.near if row_id in schema.by_id]
        rest = (row.id for row in schema.rows if row.formula is None and row.unit_of is None)
        self._rows = [schema.row(row_id) for row_id in dict.fromkeys((*near, *rest))]
        self.search, self.list = QLineEdit(), QListWidget()
        self.search.setPlaceholderText("Search rows by name or synonym")
        self.search.setAccessibleName("Search rows")
        self.list.setAccessibleName("Rows")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._find)
        self.list.itemActivated.connect(self.accept)
        self.buttons = _buttons("Propose alias", self)
        layout = QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        self._find()
        self.search.setFocus()

    @property
    def row_id(self) -> str:
        item = self.list.currentItem()
        return str(item.data(_ROLE)) if item else ""

    def _find(self) -> None:
        wanted = self.search.text().casefold().split()
        self.list.clear()
        for row in self._rows:
            names = " ".join((row.name, *row.synonyms)).casefold()
            if all(word in names for word in wanted) and self.list.count() < _MOST_ROWS:
                item = QListWidgetItem(" › ".join((*row.category, row.name)))
                item.setData(_ROLE, row.id)
                self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self.row_id))


def _buttons(words: str, dialog: QDialog) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    box.button(QDialogButtonBox.StandardButton.Ok).setText(words)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box
