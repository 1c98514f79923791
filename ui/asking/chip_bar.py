"""What a question was understood as: a label for each part, each of which can be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from extraction.questions.query import Query
from extraction.questions.wording import ChipKind
from ui.asking.chip_choices import Changeable, Choice, Editor
from ui.kit.flow import Flow
from ui.kit.widgets import button, clear, label

_KINDS = {
    ChipKind.KIND: "Kind of answer",
    ChipKind.SUBJECT: "Patients",
    ChipKind.MEASURE: "Row",
    ChipKind.AGGREGATE: "What of its values",
    ChipKind.WINDOW: "Period",
    ChipKind.CONDITION: "Condition",
    ChipKind.JOINT: "Joined by",
    ChipKind.ORDER: "Order",
}


class ChipBar(QWidget):
    """Signals:
    chosen: another tree is asked for.
    editor_asked: a part is to be edited (a `Changeable` with an editor).
    """

    chosen = Signal(object)
    editor_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = Flow(self)
        self.chips: list[QWidget] = []

    def show_parts(self, parts: Sequence[Changeable]) -> None:
        """Shows the parts of a question in place of the former ones; the one that has the focus keeps it."""
        focused = next((number for number, chip in enumerate(self.chips) if chip.hasFocus()), None)
        clear(self._flow)
        self.chips = [self._chip(one) for one in parts]
        for chip in self.chips:
            self._flow.addWidget(chip)
            chip.show()
        self.setVisible(bool(parts))
        self.updateGeometry()
        if focused is not None and self.chips:
            self.chips[min(focused, len(self.chips) - 1)].setFocus()

    def _chip(self, part: Changeable) -> QWidget:
        if not part.choices and part.editor is None:
            return label(part.label, "muted")
        chip = button(part.label.replace("&", "&&"), kind="chip", tip=f"{_KINDS[part.kind]}: change it")
        chip.setAccessibleName(f"{_KINDS[part.kind]}: {part.label}")
        if part.choices:
            chip.setMenu(self._menu(part, chip))
        else:
            chip.clicked.connect(partial(self._edit, part))
        return chip

    def _menu(self, part: Changeable, chip: QPushButton) -> QMenu:
        menu = QMenu(chip)
        for choice in part.choices:
            _entry(menu, choice.label, partial(self._choose, choice), chosen=choice.chosen)
        if part.editor is Editor.ROW:
            menu.addSeparator()
            _entry(menu, "Another row…", partial(self._edit, part))
        return menu

    def _choose(self, choice: Choice) -> None:
        if not choice.chosen:
            self._ask(choice.query)

    def _ask(self, query: Query) -> None:
        self.chosen.emit(query)

    def _edit(self, part: Changeable) -> None:
        self.editor_asked.emit(part)


def _entry(menu: QMenu, words: str, do: Callable[[], object], *, chosen: bool | None = None) -> None:
    action = QAction(words.replace("&", "&&"), menu)
    if chosen is not None:
        action.setCheckable(True)
        action.setChecked(chosen)
    action.triggered.connect(lambda: do())  # noqa: PLW0108 - `do` takes no `checked`
    menu.addAction(action)
