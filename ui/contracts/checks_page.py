"""The step of the import with the checks; a failed required one forbids the use."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QTreeWidgetItem, QWidget

from app.services.contracts.jobs import ReadExport
from app.services.contracts.report import gate_state, gate_value, why_not
from ui.contracts.import_page import ImportPage
from ui.contracts.sources_page import choose, fit_columns, table
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, card, label, only
from ui.kit.words import plural

_LOOKS = {"passed": ("confirmed", "confirmed"), "failed": ("error", "error"), "for information": ("info", "muted")}


FAILED = "failed"


class ChecksPage(ImportPage):
    """Signals: `report_asked`: save the checks as a report."""

    name, title = "Checks", "Checks"
    about = (
        "Every check that is marked failed must pass before this flowsheet can be used. The others are for information."
    )
    report_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._read: ReadExport | None = None
        self.checks = table("Checks", ("Check", "Result", "Value", "What was found"))
        self._icon, self.verdict = IconLabel(theme.icon("confirmed", "confirmed"), 22), label(role="heading", wrap=True)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self._icon)
        line.addWidget(self.verdict, 1)
        self.save = button(
            "&Save report…",
            theme.icon("export"),
            tip="Save these checks as a page to print (PDF), or as a text",
            clicked=self.report_asked.emit,
        )
        below = QHBoxLayout()
        below.addWidget(self.save)
        below.addStretch(1)
        self._open = label(wrap=True)
        self.body.addLayout(line)
        self.body.addWidget(self._open)
        self.body.addWidget(card(only(self.checks)), 1)
        self.body.addLayout(below)

    @property
    def state(self) -> str:
        if self._read is None:
            return ""
        return "passed" if self._read.usable else FAILED

    @property
    def first(self) -> QWidget:
        return self.checks

    def show_read(self, read: ReadExport) -> None:
        self._read = read
        self.checks.clear()
        for gate in read.contract.gates:
            state = gate_state(gate)
            item = QTreeWidgetItem([gate.name, state, gate_value(gate), gate.says])
            icon, colour = _LOOKS[state]
            item.setIcon(1, self._theme.icon(icon, colour))
            item.setForeground(1, self._theme.colour(colour))
            item.setToolTip(3, gate.says)
            self.checks.addTopLevelItem(item)
        choose(self.checks, "")
        fit_columns(self.checks, 520)
        usable = read.usable
        self._icon.show_icon(self._theme.icon(*_LOOKS["passed" if usable else "failed"]))
        self.verdict.setText(
            "All required checks passed." if usable else f"This flowsheet cannot be used. {why_not(read)}."
        )
        asked = len(read.questions)
        self._open.setText(f"{plural(asked, 'question')} not answered; the suggested answers were taken.")
        self._open.setVisible(bool(asked))
