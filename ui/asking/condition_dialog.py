"""Dialog to change a condition of a question: how a value is compared, and with what."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from extraction.flowsheet.schema import Row, ValueType, is_yes_no
from extraction.flowsheet.unit_conversion import unit_words
from extraction.questions.query import Aggregate, Comparison, Condition, Value
from ui.kit.widgets import button, label

_OF_NUMBERS = (
    Comparison.BELOW, Comparison.AT_MOST, Comparison.ABOVE, Comparison.AT_LEAST, Comparison.EQUAL,
    Comparison.NOT_EQUAL, Comparison.BETWEEN,
)  # fmt: skip
_OF_OPTIONS = (Comparison.EQUAL, Comparison.NOT_EQUAL)
_WHETHER = (Comparison.CHARTED, Comparison.NOT_CHARTED)
_NUMBER_TYPES = (ValueType.NUMERIC, ValueType.QUANTITY, ValueType.BLOOD_PRESSURE)
_AS_CHARTED = (Aggregate.LATEST, Aggregate.FIRST, Aggregate.ANY)  # whose options can be compared


class ConditionDialog(QDialog):
    """Edits a condition about the values of `row`, which is None for what is computed of several rows.

    Attributes:
        condition: what was entered, once the dialog is accepted; None if the condition is to go.
    """

    def __init__(
        self, condition: Condition, row: Row | None, *, removable: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Condition")
        self.setMinimumWidth(420)
        self.condition: Condition | None = condition
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label(row.name if row else "Condition", "title", wrap=True))
        self._options_known = _options_of(condition, row)
        self.comparison = QComboBox()
        self.comparison.setAccessibleName("Comparison")
        for one in _fitting(condition, row, self._options_known):
            self.comparison.addItem(str(one), one)
        self.comparison.setCurrentIndex(max(self.comparison.findData(condition.comparison), 0))
        self.comparison.currentIndexChanged.connect(self._show)
        line = QHBoxLayout()
        line.addWidget(self.comparison)
        self.numbers = (QLineEdit(), QLineEdit())
        names = ("Number", "Upper number")
        self._and = label("and")
        for number, (field, name) in enumerate(zip(self.numbers, names, strict=True)):
            field.setAccessibleName(name)
            field.setMaximumWidth(90)
            if number < len(condition.numbers):
                field.setText(f"{condition.numbers[number]:g}")
            field.returnPressed.connect(self._take)
        line.addWidget(self.numbers[0])
        line.addWidget(self._and)
        line.addWidget(self.numbers[1])
        self._unit = label(unit_words(condition.unit or (row.unit if row else None)))
        line.addWidget(self._unit)
        line.addStretch(1)
        layout.addLayout(line)
        self.options = QListWidget()
        self.options.setAccessibleName("Options, any of which may be charted")
        for name in self._options_known:
            item = QListWidgetItem(name, self.options)
            item.setCheckState(Qt.CheckState.Checked if name in condition.options else Qt.CheckState.Unchecked)
        layout.addWidget(self.options)
        self.error = label(role="error", wrap=True)
        layout.addWidget(self.error)
        self.remove = button("&Remove", tip="Ask without this condition", clicked=self._remove)
        self.remove.setVisible(removable)
        self.take = button("&Ask again", kind="primary", tip="Answer with this condition (Enter)", clicked=self._take)
        buttons = QHBoxLayout()
        buttons.addWidget(self.remove)
        buttons.addStretch(1)
        buttons.addWidget(button("Cancel", tip="Leave the condition as it is (Esc)", clicked=self.reject))
        buttons.addWidget(self.take)
        layout.addLayout(buttons)
        self.take.setDefault(True)
        self._show()
        (self.numbers[0] if self.numbers[0].isVisibleTo(self) else self.comparison).setFocus()
        self.numbers[0].selectAll()

    @property
    def _chosen(self) -> Comparison:
        return Comparison(self.comparison.currentData())

    def _show(self) -> None:
        """Shows the fields that the comparison needs."""
        whether, several = self._chosen in _WHETHER, self._chosen is Comparison.BETWEEN
        numbers = not whether and not self._options_known
        for widget in (self.numbers[0], self._unit):
            widget.setVisible(numbers)
        for widget in (self.numbers[1], self._and):
            widget.setVisible(numbers and several)
        self.options.setVisible(not whether and bool(self._options_known))
        self.error.hide()

    def _take(self) -> None:
        assert self.condition
        wanted = 2 if self._chosen is Comparison.BETWEEN else 1
        options = tuple(name for number, name in enumerate(self._options_known) if self._checked(number))
        numbers = tuple(map(_number, (field.text() for field in self.numbers[:wanted])))
        if self._chosen in _WHETHER:
            self._accept(replace(self.condition, comparison=self._chosen, options=(), numbers=()))
        elif self._options_known:
            if options:
                self._accept(replace(self.condition, comparison=self._chosen, options=options))
            else:
                self._refuse("Choose at least one option.")
        elif None in numbers:
            self._refuse("Enter a number." if wanted == 1 else "Enter both numbers.")
        else:
            self._accept(
                replace(
                    self.condition,
                    comparison=self._chosen,
                    numbers=tuple(sorted(one for one in numbers if one is not None)),
                )
            )

    def _checked(self, number: int) -> bool:
        return self.options.item(number).checkState() is Qt.CheckState.Checked

    def _accept(self, condition: Condition) -> None:
        self.condition = condition
        self.accept()

    def _refuse(self, words: str) -> None:
        self.error.setText(words)
        self.error.show()

    def _remove(self) -> None:
        self.condition = None
        self.accept()


def _options_of(condition: Condition, row: Row | None) -> tuple[str, ...]:
    """The options that can be compared; none for numbers."""
    if row is None or not isinstance(condition.value, Value) or condition.value.aggregate not in _AS_CHARTED:
        return ()
    own = row.option_names or (("Yes", "No") if is_yes_no(row) else ())
    return tuple(dict.fromkeys((*own, *condition.options))) if row.value_type not in _NUMBER_TYPES else ()


def _fitting(condition: Condition, row: Row | None, options: tuple[str, ...]) -> tuple[Comparison, ...]:
    computed = row is None or not isinstance(condition.value, Value) or condition.value.aggregate not in _AS_CHARTED
    if options:
        return (*_OF_OPTIONS, *_WHETHER)
    if computed or (row and row.value_type in _NUMBER_TYPES):
        return (*_OF_NUMBERS, *_WHETHER)
    return _WHETHER  # texts and times are charted or not


def _number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
