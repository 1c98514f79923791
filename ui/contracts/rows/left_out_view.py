"""What the exports list and the flowsheet lacks, with the reason; a person can take rows in all the same."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QTreeWidgetItem, QVBoxLayout, QWidget

from app.services.contracts.jobs import ReadExport
from app.services.contracts.report import in_and_out, place_words, reason_words
from extraction.contract.left_out.finding import counted
from extraction.contract.left_out.records import REASON_WORDS, LeftOut
from ui.contracts.sources_page import DATA, choose, fit_columns, table
from ui.kit.theme import Theme
from ui.kit.widgets import button, card, label, only

_MOST_SHOWN = 2000
_TAKEN = "in use: a person took it in"


class LeftOutView(QWidget):
    """Signals: `decided`: a person took rows in or left them out (answer by question)."""

    decided = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._taken: set[str] = set()
        self._decides = True
        self._before: list[tuple[str, str]] = []  # each decided question with its answer before
        self.summary = label(role="heading", wrap=True)
        self.counts = label(wrap=True)
        self.lines = table("Left out", ("Row", "Id", "Where", "Why"))
        self.take = button(
            "&Take this row in",
            theme.icon("add"),
            tip="Use this row although the exports leave it out",
        )
        self.leave = button("Lea&ve it out", theme.icon("reject"), tip="Do what the exports say about this row again")
        self.undo = button("&Undo", theme.icon("undo"), tip="Take the last decision back (Ctrl+Z)", clicked=self._undo)
        self.take.clicked.connect(lambda: self._decide(taken=True))
        self.leave.clicked.connect(lambda: self._decide(taken=False))
        QShortcut(
            QKeySequence.StandardKey.Undo, self, self._undo, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        line = QHBoxLayout()
        for one in (self.take, self.leave, self.undo):
            line.addWidget(one)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.summary)
        layout.addWidget(self.counts)
        layout.addWidget(card(only(self.lines)), 1)
        layout.addLayout(line)
        self.lines.currentItemChanged.connect(self._show_line)

    def show_read(self, read: ReadExport) -> None:
        """Shows what was left out, after the rows that a person took in."""
        from extraction.contract.left_out.taking_in import rows_taken_in

        self._decides = read.snapshot is None
        chosen = self.lines.currentItem()
        before = chosen.text(0) if chosen else ""
        self.summary.setText(in_and_out(read))
        counts = counted(read.left_out).items()
        self.counts.setText("\n".join(f"{count:,}  {REASON_WORDS[reason]}" for reason, count in counts))
        self.counts.setVisible(bool(counts))
        wanted = rows_taken_in({one.question: one.answer for one in read.contract.decisions})
        rows = [row for row in read.contract.rows if row.id in wanted and not row.retired]
        self._taken = {row.id for row in rows}
        self.lines.clear()
        for row in rows:
            self._add([row.name, row.id, "", _TAKEN], row.id if self._decides else "")
        for one in read.left_out[:_MOST_SHOWN]:
            self._add([one.name or "-", one.row, place_words(one), reason_words(one)], self._id(one))
        if (more := len(read.left_out) - _MOST_SHOWN) > 0:
            self._add(["", "", "", f"and {more:,} more, see the report"], "")
        choose(self.lines, before)
        fit_columns(self.lines, 520)
        self._show_line()

    def _id(self, one: LeftOut) -> str:
        return one.row if one.can_be_used and self._decides else ""

    def _add(self, texts: list[str], row_id: str) -> None:
        item = QTreeWidgetItem(texts)
        item.setData(0, DATA, row_id)
        item.setToolTip(3, texts[3])
        if row_id in self._taken:
            item.setForeground(3, self._theme.colour("confirmed"))
        self.lines.addTopLevelItem(item)

    def _show_line(self) -> None:
        row_id = self._row
        self.take.setEnabled(bool(row_id) and row_id not in self._taken)
        self.leave.setEnabled(row_id in self._taken)
        self.undo.setEnabled(bool(self._before))

    @property
    def _row(self) -> str:
        """The id of the chosen row; empty if nothing can be decided about it."""
        item = self.lines.currentItem()
        return str(item.data(0, DATA)) if item else ""

    def _decide(self, *, taken: bool) -> None:
        from extraction.contract.left_out.taking_in import LEAVE, YES, use_question

        if row_id := self._row:
            question = use_question(row_id)
            self._before.append((question, YES if row_id in self._taken else LEAVE))
            self.decided.emit({question: YES if taken else LEAVE})

    def _undo(self) -> None:
        if self._before:
            question, answer = self._before.pop()
            self.decided.emit({question: answer})
