"""The step of the import with codes of LOINC: each is a proposal until a person accepts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QTreeWidgetItem, QWidget

from app.services.contracts.jobs import ReadExport
from ui.contracts.import_page import ImportPage
from ui.contracts.sources_page import DATA, choose, fit_columns, table
from ui.kit.theme import Theme
from ui.kit.widgets import button, card, label, only
from ui.kit.words import plural, unit_text

if TYPE_CHECKING:  # they load what the window does not need to start
    from extraction.contract.codes.proposals import CodeProposal
    from extraction.contract.records import ContractRow

_DECISION = 2  # column
_OPEN, _ACCEPTED, _REJECTED, _EXPORTED = "not decided", "accepted", "no code", "from the exports"


class CodesPage(ImportPage):
    """A row that is not decided goes back under the hospital's own id alone."""

    name, title = "Codes", "Codes that other systems understand"
    about = (
        "Wardlight proposes LOINC codes for rows whose name, unit and options it knows. None is used before you accept "
        "it; a row without one goes back under your own id alone. LOINC is copyright Regenstrief Institute."
    )

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._read: ReadExport | None = None
        self._answers: dict[str, str] = {}  # by row, since the exports were read
        self.codes = table("Proposed codes", ("Row", "Unit", "Decision", "Code", "What it stands for", "How sure"))
        self.which = label("C&ode:", "heading")
        self.code = QComboBox()
        self.code.setAccessibleName("Code of the chosen row")
        self.which.setBuddy(self.code)
        self.accept = button("&Accept", theme.icon("accept"), tip="Use this code", clicked=self._accept)
        self.reject = button("No co&de", theme.icon("reject"), tip="Use no code for this row", clicked=self._reject)
        self.exact = button(
            "",
            theme.icon("accept-all"),
            tip="Accept every code that is not decided and whose name and unit, or options, are the row's own",
            clicked=self._accept_exact,
        )
        line = QHBoxLayout()
        line.addWidget(self.which)
        line.addWidget(self.code, 1)
        line.addWidget(self.accept)
        line.addWidget(self.reject)
        below = QHBoxLayout()
        below.addWidget(self.exact)
        below.addStretch(1)
        self.body.addWidget(card(only(self.codes)), 1)
        self.body.addLayout(line)
        self.body.addLayout(below)
        self.codes.currentItemChanged.connect(self._show_row)

    @property
    def any(self) -> bool:
        """Whether a row has a code, or one is proposed."""
        return self.codes.topLevelItemCount() > 0

    @property
    def state(self) -> str:
        accepted = sum(bool(self._code_of(row)) for row in self._rows)
        return f"{accepted} of {plural(len(self._rows), 'row')}"

    @property
    def first(self) -> QWidget:
        return self.codes

    def show_read(self, read: ReadExport) -> None:
        self._read, self._answers = read, {}
        chosen = self._row
        with QSignalBlocker(self.codes):
            self.codes.clear()
            for row in read.contract.rows:
                if not row.retired and (row.loinc or row.id in read.proposed):
                    item = QTreeWidgetItem([row.name, unit_text(row.unit)])
                    item.setData(0, DATA, row)
                    self.codes.addTopLevelItem(item)
                    self._fill(item)
        choose(self.codes, chosen.name if chosen else "")
        self._show_row()
        fit_columns(self.codes, 440)

    @property
    def _rows(self) -> list[ContractRow]:
        items = (self.codes.topLevelItem(place) for place in range(self.codes.topLevelItemCount()))
        return [item.data(0, DATA) for item in items if item]

    @property
    def _row(self) -> ContractRow | None:
        item = self.codes.currentItem()
        return item.data(0, DATA) if item else None

    def _proposed(self, row: ContractRow) -> tuple[CodeProposal, ...]:
        return self._read.proposed.get(row.id, ()) if self._read else ()

    def _code_of(self, row: ContractRow) -> str:
        """The code that the row will have; empty for none."""
        from extraction.contract.codes.proposals import NO_CODE

        answer = self._answers.get(row.id, row.loinc)
        return "" if answer == NO_CODE else answer

    def _is_decided(self, row: ContractRow) -> bool:
        from extraction.contract.codes.proposals import is_decided

        return row.id in self._answers or is_decided(row)

    def _fill(self, item: QTreeWidgetItem) -> None:
        """Shows the decision about a row, and its code or the likeliest proposal."""
        from extraction.contract.codes.loinc_table import loinc_codes
        from extraction.contract.lineage import how_sure

        row: ContractRow = item.data(0, DATA)
        code, proposed = self._code_of(row), self._proposed(row)
        decided = (_ACCEPTED if code else _REJECTED) if self._is_decided(row) else _EXPORTED if code else _OPEN
        likeliest = next(iter(proposed), None) if decided == _OPEN else None
        shown = next((one for one in proposed if one.code == code), likeliest)
        named = loinc_codes().get(code)
        texts = [decided, code, named.name if named else "", ""]
        if shown:
            texts = [decided, shown.code, shown.name, how_sure(shown)]
        for column, text in enumerate(texts, _DECISION):
            item.setText(column, text)
            item.setToolTip(column, text)
        colours = {_OPEN: "muted", _REJECTED: "rejected"}
        item.setForeground(_DECISION, self._theme.colour(colours.get(decided, "confirmed")))

    def _show_row(self) -> None:
        row = self._row
        self.code.clear()
        for widget in (self.code, self.accept, self.reject):
            widget.setEnabled(row is not None)
        exact = self._exact()
        self.exact.setText(f"Accept all e&xact ones ({len(exact)})")
        self.exact.setEnabled(bool(exact))
        if row is None:
            return
        self.which.setText(f"C&ode of {row.name.replace('&', '&&')}:")
        present = self._code_of(row)
        codes = {one.code: f"{one.code}  {one.name}" for one in self._proposed(row)}
        if present:
            codes.setdefault(present, present)
        for code, words in codes.items():
            self.code.addItem(words, code)
        self.code.setCurrentIndex(max(0, self.code.findData(present)))
        self.accept.setEnabled(bool(codes))

    def _exact(self) -> dict[str, str]:
        """What agrees exactly, of rows that are not decided."""
        from extraction.contract.codes.proposals import exact_codes

        if self._read is None:
            return {}
        found = exact_codes(self._read.contract.rows, self._read.proposed)
        return {row_id: code for row_id, code in found.items() if row_id not in self._answers}

    def _accept(self) -> None:
        if row := self._row:
            self._decide({row.id: self.code.currentData()})

    def _reject(self) -> None:
        from extraction.contract.codes.proposals import NO_CODE

        if row := self._row:
            self._decide({row.id: NO_CODE})

    def _accept_exact(self) -> None:
        self._decide(self._exact())

    def _decide(self, codes: dict[str, str]) -> None:
        from extraction.contract.codes.proposals import code_question

        self._answers |= codes
        for place in range(self.codes.topLevelItemCount()):
            if item := self.codes.topLevelItem(place):
                self._fill(item)
        current = self.codes.currentItem()
        if current and len(codes) == 1 and (below := self.codes.itemBelow(current)):
            self.codes.setCurrentItem(below)
        self._show_row()
        self.codes.setFocus()  # Enter goes on
        self.answered.emit({code_question(row_id): code for row_id, code in codes.items()})
        self.changed.emit()
