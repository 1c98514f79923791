"""The step of an update: what a later export changes; conflicts come first, and each is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QRadioButton, QTreeWidgetItem, QWidget

from app.services.contracts.jobs import ReadExport
from ui.contracts.import_page import ImportPage
from ui.contracts.sources_page import DATA, choose, fit_columns, table
from ui.kit.theme import Theme
from ui.kit.widgets import card, label, only
from ui.kit.words import plural

if TYPE_CHECKING:
    from extraction.contract.row_extension import Change

_DECISION, _SAYS = 1, 2  # columns
_KEEPS, _TAKES = "keep as it is", "take the new one"


class ChangesPage(ImportPage):
    """Where nothing is chosen, what is in use stands."""

    name, title = "Changes", "What these exports change"
    about = (
        "Rows, options and names that are in use are never lost: what the exports no longer have is retired. "
        "Where a name, type or unit differs, choose which one counts from now on; what is kept stays listed here."
    )

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._changes: tuple[Change, ...] = ()
        self._answers: dict[str, str] = {}
        self.changes = table("Changes", ("Change", "Decision", "What differs"))
        self.summary = label(role="heading", wrap=True)
        self.keep, self.take = QRadioButton("&Keep what is in use"), QRadioButton("&Take what the exports say")
        self._differs = label(wrap=True)
        line = QHBoxLayout()
        line.addWidget(self.keep)
        line.addWidget(self.take)
        line.addStretch(1)
        self.body.addWidget(self.summary)
        self.body.addWidget(card(only(self.changes)), 1)
        self.body.addWidget(self._differs)
        self.body.addLayout(line)
        self.changes.currentItemChanged.connect(self._show_change)
        self.keep.clicked.connect(lambda: self._decide("old"))
        self.take.clicked.connect(lambda: self._decide("new"))

    @property
    def state(self) -> str:
        conflicts = sum(bool(one.question) for one in self._changes)
        return plural(conflicts, "conflict") if conflicts else plural(len(self._changes), "change")

    @property
    def first(self) -> QWidget:
        return self.changes

    def show_read(self, read: ReadExport) -> None:
        self._changes = tuple(sorted(read.changes, key=lambda change: not change.question))
        self._answers = {}
        chosen = self.changes.currentItem()
        before = chosen.text(_SAYS) if chosen else ""
        with QSignalBlocker(self.changes):
            self.changes.clear()
            for change in self._changes:
                item = QTreeWidgetItem([change.kind, "", change.says])
                item.setData(0, DATA, change)
                item.setToolTip(_SAYS, change.says)
                if change.question:
                    item.setIcon(0, self._theme.icon("conflict", "conflict"))
                    item.setText(_DECISION, _TAKES if change.kind == "changed" else _KEEPS)
                self.changes.addTopLevelItem(item)
        conflicts = sum(bool(one.question) for one in self._changes)
        counts = [plural(conflicts, "conflict") + " to decide"] if conflicts else []
        if others := len(self._changes) - conflicts:
            counts.append(plural(others, "other change" if conflicts else "change"))
        self.summary.setText(", ".join(counts) or "These exports change nothing.")
        found = self.changes.findItems(before, Qt.MatchFlag.MatchExactly, _SAYS) if before else []
        if found:
            self.changes.setCurrentItem(found[0])
        else:
            choose(self.changes, "")
        self._show_change()
        fit_columns(self.changes, 520)

    def _show_change(self) -> None:
        change, item = self._change, self.changes.currentItem()
        self._differs.setText(change.says if change else "")
        for radio in (self.keep, self.take):
            radio.setVisible(any(one.question for one in self._changes))
            radio.setEnabled(bool(change and change.question))
        if item and change and change.question:
            (self.take if item.text(_DECISION) == _TAKES else self.keep).setChecked(True)

    @property
    def _change(self) -> Change | None:
        item = self.changes.currentItem()
        return item.data(0, DATA) if item else None

    def _decide(self, answer: str) -> None:
        change, item = self._change, self.changes.currentItem()
        if item and change and change.question:
            item.setText(_DECISION, _TAKES if answer == "new" else _KEEPS)
            self.answered.emit({change.question: answer})
