"""The second step of the import: which tables were found, and what their columns hold."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.services.contracts.jobs import ReadExport
from extraction.contract.records import FieldRole, FieldRoleOf, Source, SourceKind
from ui.contracts.column_words import (
    KINDS,
    example_words,
    header_words,
    role_colour,
    role_words,
    roles_of,
    structure_words,
    sure_words,
)
from ui.contracts.import_page import ImportPage
from ui.kit.theme import Theme
from ui.kit.widgets import card, label, only
from ui.kit.words import plural

DATA = Qt.ItemDataRole.UserRole


class SourcesPage(ImportPage):
    """Changing the role of a column answers a question, and the exports are read again."""

    name, title = "Contents", "What was found"
    about = "Choose a table to see its columns. If a column holds something else, say so below the list."

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._read: ReadExport | None = None
        self._roles: dict[tuple[str, str], FieldRoleOf] = {}
        self.sources = table("Tables", ("Table", "Holds", "Records", "Encoding", "Column names in"))
        self.columns = table("Columns of the table", ("Column", "Holds", "Examples", "How sure"))
        self._structure = label(wrap=True)
        self._structure.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._which = label("C&olumn holds:", "heading")
        self.role = QComboBox()
        self.role.setAccessibleName("What the chosen column holds")
        self._which.setBuddy(self.role)
        line = QHBoxLayout()
        line.addWidget(self._which)
        line.addWidget(self.role, 1)
        self.body.addWidget(card(only(self.sources)), 2)
        self.body.addWidget(self._structure)
        self.body.addWidget(card(only(self.columns)), 3)
        self.body.addLayout(line)
        self.sources.currentItemChanged.connect(self._show_source)
        self.columns.currentItemChanged.connect(self._show_column)
        self.role.activated.connect(self._decide)

    @property
    def state(self) -> str:
        return plural(len(self._read.found.sources), "table") if self._read else ""

    @property
    def first(self) -> QWidget:
        return self.sources

    def show_read(self, read: ReadExport) -> None:
        source, column = self._source, self._column
        self._read, self._roles = read, roles_of(read)
        if not self.role.count():
            for role, words in role_words().items():
                self.role.addItem(words, role)
        with QSignalBlocker(self.sources):
            self.sources.clear()
            for one in read.found.sources:
                item = QTreeWidgetItem(
                    [one.name, KINDS[one.kind], f"{one.rows:,}", one.encoding or "-", header_words(one)]
                )
                item.setData(0, DATA, one)
                if one.kind is SourceKind.OTHER:
                    item.setForeground(1, self._theme.colour("muted"))
                self.sources.addTopLevelItem(item)
        choose(self.sources, source.name if source else "")
        self._show_source()
        choose(self.columns, column)
        fit_columns(self.sources)

    @property
    def _source(self) -> Source | None:
        item = self.sources.currentItem()
        return item.data(0, DATA) if item else None

    @property
    def _column(self) -> str:
        item = self.columns.currentItem()
        return item.text(0) if item else ""

    def _show_source(self) -> None:
        source, read = self._source, self._read
        if source is None or read is None:
            return
        with QSignalBlocker(self.columns):
            self.columns.clear()
            for field in read.found.fields:
                if field.source != source.name:
                    continue
                role = self._roles.get((field.source, field.path))
                means = role.role if role else FieldRole.OTHER
                item = QTreeWidgetItem(
                    [field.path, role_words()[means], example_words(field, means), sure_words(role) if role else ""]
                )
                item.setForeground(1, self._theme.colour(role_colour(means)))
                for place in range(item.columnCount()):
                    item.setToolTip(place, item.text(place))
                self.columns.addTopLevelItem(item)
        self._structure.setText(structure_words(read.found, source))
        choose(self.columns, "")
        self._show_column()
        fit_columns(self.columns)

    def _show_column(self) -> None:
        source, column = self._source, self._column
        known = self._roles.get((source.name, column)) if source else None
        self.role.setEnabled(known is not None)
        self._which.setText(f"{column.replace('&', '&&')} h&olds:" if column else "C&olumn holds:")
        if known:
            self.role.setCurrentIndex(self.role.findData(known.role))

    def _decide(self) -> None:
        source, column, role = self._source, self._column, self.role.currentData()
        if source and column and role is not self._roles[source.name, column].role:
            from extraction.contract.questions import role_question_id

            self.decided.emit({role_question_id(source.name, column): FieldRole(role).value})


def table(name: str, heads: Sequence[str]) -> QTreeWidget:
    """A list with columns, without levels."""
    tree = QTreeWidget()
    tree.setObjectName("lines")
    tree.setAccessibleName(name)
    tree.setHeaderLabels(list(heads))
    tree.setRootIsDecorated(False)
    tree.setUniformRowHeights(True)
    tree.setAllColumnsShowFocus(True)
    tree.setMinimumHeight(96)
    tree.header().setStretchLastSection(True)
    tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    return tree


def choose(tree: QTreeWidget, text: str) -> None:
    """Chooses the line that begins with this text, or else the first one."""
    found = tree.findItems(text, Qt.MatchFlag.MatchExactly, 0) if text else []
    if line := found[0] if found else tree.topLevelItem(0):
        tree.setCurrentItem(line)


def fit_columns(tree: QTreeWidget, widest: int = 330) -> None:
    """Makes columns as wide as their texts, up to a limit."""
    for column in range(tree.columnCount()):
        tree.resizeColumnToContents(column)
        tree.setColumnWidth(column, min(widest, tree.columnWidth(column) + 8))
