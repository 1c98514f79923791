"""The schema page of the first-run assistant: the demonstration schema or a hospital's file, checked and summarised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QRadioButton, QVBoxLayout, QWidget

from app.services.settings.jobs import SchemaFacts
from extraction.flowsheet.schema import ValueType
from models.base.errors import WardlightError
from resources import DEMONSTRATION_SCHEMA
from ui.dialogs.file_choice import TEMPLATE, TEMPLATES, choose_file
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, clearable, label, restyle
from ui.kit.words import KIND_WORDS, language_text, plural
from ui.setup.assistant_page import AssistantPage

SHOWN = 8
_LISTENS = "en"


class SchemaPage(AssistantPage):
    """The choice of the schema.

    Signals:
        check_asked: check a schema file (its path).
    """

    name, title = "Template", "Choose your flowsheet template"
    about = (
        "Wardlight fills only the rows of its flowsheet template. The demonstration ward is for trying it out. "
        "Your hospital's template is a file, or is made from exports of the record system: for that, finish here "
        "and choose “Import from your record system” in the menu File."
    )
    without = "Until you choose one, the template in use stays."
    check_asked = Signal(object)

    def __init__(self, theme: Theme, schema: str) -> None:
        super().__init__()
        self._theme, self._former = theme, schema
        self._facts: dict[Path, SchemaFacts] = {}
        self._asked: Path | None = None
        self._refused = False
        self.demonstration = QRadioButton("&Demonstration ward (medical-surgical and intensive care)")
        self.own = QRadioButton("Hospital template &file")
        self.path = QLineEdit(schema)
        self.path.setPlaceholderText("Path of the template's JSON file")
        self.path.setAccessibleName("Hospital template file")
        clearable(self.path)
        self.choose = button("&Choose…", theme.icon("folder"), tip="Choose a template file", clicked=self._choose)
        (self.own if schema else self.demonstration).setChecked(True)
        where = QHBoxLayout()
        where.setContentsMargins(26, 0, 0, 0)
        where.addWidget(self.path, 1)
        where.addWidget(self.choose)
        for radio in (self.demonstration, self.own):
            self.body.addWidget(radio)
        self.body.addLayout(where)
        self._card = QFrame()
        self._card.setObjectName("message")
        self._icon = IconLabel(theme.icon("waiting", "muted"), 22)
        self._what, self._more = label(role="heading", wrap=True), label(wrap=True)
        for words in (self._what, self._more):
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self._what)
        column.addWidget(self._more)
        inside = QHBoxLayout(self._card)
        inside.setContentsMargins(14, 10, 14, 10)
        inside.setSpacing(12)
        inside.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(column, 1)
        self.body.addSpacing(6)
        self.body.addWidget(self._card)
        self.body.addStretch(1)
        self.own.toggled.connect(self._switch)
        self.path.editingFinished.connect(self._examine)
        self._switch()

    @property
    def wanted(self) -> Path | None:
        """The chosen file; None if no path is given."""
        if self.demonstration.isChecked():
            return DEMONSTRATION_SCHEMA
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    @property
    def facts(self) -> SchemaFacts | None:
        """Facts about the chosen schema; None unless it passed the check."""
        return self._facts.get(self.wanted) if self.wanted else None

    @property
    def text(self) -> str:
        """The text shown about the chosen schema."""
        return f"{self._what.text()} {self._more.text()}".strip()

    @property
    def ready(self) -> bool:
        return self.facts is not None

    @property
    def state(self) -> str:
        if facts := self.facts:
            return plural(facts.rows, "row")
        return "Cannot be used" if self._refused else "None chosen" if self.wanted is None else ""

    @property
    def summary(self) -> str:
        return f"{facts.name}, {plural(facts.rows, 'row')}" if (facts := self.facts) else self.state

    @property
    def first(self) -> QWidget:
        return self.own if self.own.isChecked() else self.demonstration

    def enter(self) -> None:
        self._examine()

    def show_facts(self, path: Path, facts: SchemaFacts) -> None:
        """Shows facts about a schema file; ignores all but the one requested last."""
        if path == self._asked:
            self._asked = None
            self._facts[path] = facts
            self._show()

    def refuse(self, path: Path, error: WardlightError) -> None:
        """Says why a schema file cannot be used; ignores all but the one requested last."""
        if path == self._asked:
            self._asked, self._refused = None, True
            self._tell("error", error.what, f"{error.next_step}\nThe previous template stays in use.")
            self._show()

    def chosen(self) -> dict[str, Any]:
        if self._refused or self.wanted is None:
            return {"schema": self._former}
        return {"schema": "" if self.demonstration.isChecked() else str(self.wanted)}

    def _switch(self) -> None:
        for each in (self.path, self.choose):
            each.setEnabled(self.own.isChecked())
        self._examine()

    def _choose(self) -> None:
        if path := choose_file(self, TEMPLATE, TEMPLATES, self.path.text()):
            self.path.setText(str(path))
            self._examine()

    def _examine(self) -> None:
        """Requests a check of the chosen file, also if it was checked before, since it may have changed."""
        wanted = self.wanted
        self._refused = False
        if wanted and self.isVisible():
            self._facts.pop(wanted, None)
            self._asked = wanted
            self._tell("info", "Checking the file…", "")
            self.check_asked.emit(wanted)
        self._show()

    def _show(self) -> None:
        if facts := self.facts:
            self._tell("done", f"{facts.name}, version {facts.version}", facts_text(facts))
        elif self.wanted is None:
            self._tell("info", "No file chosen yet.", "Choose a hospital template, or use the demonstration ward.")
        self.changed.emit()

    def _tell(self, level: str, what: str, more: str) -> None:
        icon, colour = {"info": ("info", "accent"), "done": ("confirmed", "confirmed"), "error": ("error", "error")}[
            level
        ]
        self._icon.show_icon(self._theme.icon(icon, colour))
        restyle(self._card, "level", level)
        self._what.setText(what)
        self._more.setText(more)
        self._more.setVisible(bool(more))


def facts_text(facts: SchemaFacts) -> str:
    """A summary of a schema in lines of words."""
    named = [f"{name} ({rows})" for name, rows in facts.outermost[:SHOWN]]
    left = len(facts.outermost) - SHOWN
    kinds = [f"{KIND_WORDS[ValueType(kind)]} ({count})" for kind, count in list(facts.kinds.items())[:4]]
    categories = f"{facts.categories} categories" if facts.categories != 1 else "1 category"
    language = language_text(facts.language) if facts.language else "not stated in the file"
    lines = [
        f"{plural(facts.rows, 'row')} in {categories}. Language: {language}.",
        f"Categories: {', '.join(named)}{f' and {left} more' if left > 0 else ''}.",
        f"Most rows: {', '.join(kinds)}.",
    ]
    if facts.language and facts.language.split("-")[0].casefold() != _LISTENS:
        lines.append("Wardlight understands English dictation only; these rows are in another language.")
    return "\n".join(lines)
