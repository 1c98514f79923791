"""Rows that seem to chart the same measurement in another way or place: a person confirms or refuses each group."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QTreeWidgetItem, QVBoxLayout, QWidget

from app.services.contracts.jobs import ReadExport
from extraction.contract.records import ContractRow, RelationKind, RowRelation
from ui.contracts.sources_page import DATA, choose, fit_columns, table
from ui.kit.theme import Theme
from ui.kit.widgets import button, card, label, only
from ui.kit.words import unit_text

_DECISION = 3  # column
_LOOKS = {"confirmed": "confirmed", "refused": "rejected"}
_ROWS_HEIGHT = 150


class AlikeView(QWidget):
    """Signals: `answered`: a person decided (answer by question)."""

    answered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: dict[str, ContractRow] = {}
        self._answers: dict[str, str] = {}
        self._decides = True
        self._before: list[tuple[str, str]] = []  # each decided question with its answer before
        self.groups = table("Rows that may chart the same", ("What", "Rows", "How sure", "Decision"))
        self.members = table("Rows of the chosen group", ("Row", "Id", "Group", "Unit", "Charted"))
        self.members.setMaximumHeight(_ROWS_HEIGHT)
        self.confirm = button(
            "They chart the &same", theme.icon("accept"), tip="Questions about one of them look at all of them"
        )
        self.refuse = button("They &do not", theme.icon("reject"), tip="Keep these rows apart")
        self.undo = button("&Undo", theme.icon("undo"), tip="Take the last decision back (Ctrl+Z)", clicked=self._undo)
        self.confirm.clicked.connect(lambda: self._decide("yes"))
        self.refuse.clicked.connect(lambda: self._decide("no"))
        QShortcut(
            QKeySequence.StandardKey.Undo, self, self._undo, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        line = QHBoxLayout()
        for one in (self.confirm, self.refuse, self.undo):
            line.addWidget(one)
        line.addStretch(1)
        about = label(
            "A question about one of these rows can look at the others, too, once you say that they chart the same. "
            "Nothing is merged, and each value stays in its own row.",
            "muted",
            wrap=True,
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(about)
        layout.addWidget(card(only(self.groups)), 1)
        layout.addWidget(card(only(self.members)))
        layout.addLayout(line)
        self.groups.currentItemChanged.connect(self._show_group)

    @property
    def count(self) -> int:
        """How many groups there are."""
        return self.groups.topLevelItemCount()

    @property
    def open(self) -> int:
        """How many groups nobody has decided about."""
        items = (self.groups.topLevelItem(place) for place in range(self.count))
        return sum(not self._state(item.data(0, DATA)) for item in items if item)

    def show_read(self, read: ReadExport) -> None:
        """Shows the groups, those that nobody has decided about first."""
        chosen = self._group
        self._rows = {row.id: row for row in read.contract.rows}
        self._answers, self._before, self._decides = {}, [], read.snapshot is None
        alike = [one for one in read.contract.relations if one.kind is RelationKind.ALIKE]
        alike.sort(key=lambda one: (bool(self._state(one)), -one.confidence))
        with QSignalBlocker(self.groups):
            self.groups.clear()
            for one in alike:
                item = QTreeWidgetItem([one.name, ", ".join(self._rows[row].name for row in one.rows)])
                item.setData(0, DATA, one)
                item.setToolTip(1, item.text(1))
                self.groups.addTopLevelItem(item)
                self._fill(item)
        choose(self.groups, chosen.name if chosen else "")
        fit_columns(self.groups, 520)
        self._show_group()

    @property
    def _group(self) -> RowRelation | None:
        item = self.groups.currentItem()
        return item.data(0, DATA) if item else None

    def _answer(self, group: RowRelation) -> str:
        """What stands: `yes`, `no`, or nothing."""
        from extraction.contract.relations.decisions import alike_question

        before = "yes" if group.confirmed else "no" if group.refused else ""
        return self._answers.get(alike_question(group.rows), before)

    def _state(self, group: RowRelation) -> str:
        return {"yes": "confirmed", "no": "refused"}.get(self._answer(group), "")

    def _fill(self, item: QTreeWidgetItem) -> None:
        group: RowRelation = item.data(0, DATA)
        state = self._state(group)
        item.setText(_DECISION - 1, "" if state else f"{group.confidence:.0%}")
        item.setText(_DECISION, {"confirmed": "chart the same", "refused": "do not"}.get(state, "not decided"))
        item.setForeground(_DECISION, self._theme.colour(_LOOKS.get(state, "muted")))

    def _show_group(self) -> None:
        group = self._group
        self.members.clear()
        for row in (self._rows[row_id] for row_id in group.rows) if group else ():
            path = " › ".join(row.categories[0]) if row.categories else ""
            name = f"{row.name} (retired)" if row.retired else row.name
            self.members.addTopLevelItem(
                QTreeWidgetItem([name, row.id, path, unit_text(row.unit), f"{row.charted:,} values"])
            )
        fit_columns(self.members)
        answer = self._answer(group) if group else ""
        group = group if self._decides else None
        self.confirm.setEnabled(group is not None and answer != "yes")
        self.refuse.setEnabled(group is not None and answer != "no")
        self.undo.setEnabled(bool(self._before))

    def _decide(self, answer: str) -> None:
        from extraction.contract.relations.decisions import alike_question

        if group := self._group:
            question = alike_question(group.rows)
            self._before.append((question, self._answer(group)))
            self._take(question, answer)
            current = self.groups.currentItem()
            if current and (below := self.groups.itemBelow(current)):
                self.groups.setCurrentItem(below)
            self.groups.setFocus()  # Enter goes on

    def _undo(self) -> None:
        if self._before:
            self._take(*self._before.pop())
            self.groups.setFocus()

    def _take(self, question: str, answer: str) -> None:
        from extraction.contract.relations.decisions import alike_question

        self._answers[question] = answer
        for place in range(self.count):
            if (item := self.groups.topLevelItem(place)) and alike_question(item.data(0, DATA).rows) == question:
                self._fill(item)
                self.groups.setCurrentItem(item)
        self._show_group()
        self.answered.emit({question: answer})
