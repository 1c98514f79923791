"""An editor for each value type of the flowsheet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from PySide6.QtCore import QDate, QDateTime, QEvent, QLocale, QObject, QSignalBlocker, Qt, QTime, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QButtonGroup,
    QComboBox,
    QDateEdit,
    QDateTimeEdit,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QTimeEdit,
    QWidget,
)

from extraction.flowsheet.naming.exclusive_options import with_options
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import Value
from ui.flowsheet.range_words import limits_hint
from ui.kit.widgets import ElidedLabel, button, inset
from ui.kit.words import row_unit, unit_text, units_of

DATE, TIME, DATE_TIME = "yyyy-MM-dd", "HH:mm", "yyyy-MM-ddTHH:mm"


class ValueEditor(QWidget):
    """Edits one value of a row. `fields` are the widgets that take the cursor, in order.

    Signals:
        changed: the person changed the content.
        submitted: the person pressed Enter.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self.fields: list[QWidget] = []
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)

    def value(self) -> Value | None:
        """The entered value, in the row's type if it can be parsed, as text otherwise; None if empty."""
        raise NotImplementedError

    def unit(self) -> str | None:
        """The unit of the value; None if the row has none."""
        return self.row.unit

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        """Shows a value; its unit is the row's own by default."""
        raise NotImplementedError

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The widgets at which Tab stops, in order."""
        return tuple(self.fields)

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Moves the cursor into the first field. A focus proxy instead would make Tab return to it every time."""
        self.fields[0].setFocus(reason)

    def _take(self, widget: QWidget, name: str, *, stretch: int = 0) -> None:
        widget.setAccessibleName(f"{self.row.name}: {name}" if name else self.row.name)
        widget.installEventFilter(self)
        self._layout.addWidget(widget, stretch)
        self.fields.append(widget)

    def _show_limits(self) -> None:
        """Adds the accepted and normal ranges of the row; nothing is shown where they do not fit."""
        limits = ElidedLabel("small", whole=True)
        limits.setText(limits_hint(self.row))
        self._layout.addWidget(limits, 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not cast(QWidget, watched).hasFocus():
            event.ignore()  # scrolling past an editor must not change a value
            return True
        if event.type() == QEvent.Type.KeyPress:
            key = cast(QKeyEvent, event)
            newline = isinstance(watched, QPlainTextEdit) and key.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if key.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not newline:
                self.submitted.emit()
                return True
        return super().eventFilter(watched, event)


class TextEditor(ValueEditor):
    """Free text; Enter submits, Shift+Enter inserts a line break."""

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._text = QPlainTextEdit()
        self._text.setFixedHeight(66)
        self._text.setTabChangesFocus(True)
        self._text.textChanged.connect(self.changed)
        self._take(self._text, "", stretch=1)

    def value(self) -> Value | None:
        return self._text.toPlainText().strip() or None

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        self._text.setPlainText("" if value is None else str(value))


class NumberEditor(ValueEditor):
    """A number and its unit; a quantity's unit can be chosen, and is converted on saving."""

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._line = QLineEdit()
        self._line.setMaximumWidth(130)
        self._line.textEdited.connect(self.changed)
        self._take(self._line, "")
        self._units: QComboBox | None = None
        if row.value_type is ValueType.QUANTITY:
            self._units = QComboBox()
            for unit in units_of(row):
                self._units.addItem(unit_text(unit), unit)
            self._units.activated.connect(self.changed)
            self._take(self._units, "unit")
        elif row.unit:
            self._layout.addWidget(QLabel(row_unit(row)))
        self._show_limits()

    def value(self) -> Value | None:
        text = self._line.text().strip()
        try:
            return float(text.replace(",", ".")) if text else None
        except ValueError:
            return text

    def unit(self) -> str | None:
        return self._units.currentData() if self._units else self.row.unit

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        self._line.setText("" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value))
        if self._units:
            self._units.setCurrentIndex(max(0, self._units.findData(unit)))


class PressureEditor(ValueEditor):
    """A blood pressure: systolic over diastolic."""

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._systolic, self._diastolic = QLineEdit(), QLineEdit()
        for line, name in ((self._systolic, "systolic"), (self._diastolic, "diastolic")):
            line.setMaximumWidth(86)
            line.setPlaceholderText(name)
            line.textEdited.connect(self.changed)
            if line is self._diastolic:
                self._layout.addWidget(QLabel("/"))
            self._take(line, name)
        self._layout.addWidget(QLabel(row_unit(row)))
        self._show_limits()

    def value(self) -> Value | None:
        pair = (self._systolic.text().strip(), self._diastolic.text().strip())
        return "/".join(pair) if any(pair) else None

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        systolic, _, diastolic = str(value or "").partition("/")
        self._systolic.setText(systolic)
        self._diastolic.setText(diastolic)


class ChoiceEditor(ValueEditor):
    """One of the row's options."""

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._box = QComboBox()
        self._box.setPlaceholderText("Choose…")
        self._box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._box.setMaxVisibleItems(14)
        self._box.addItems(row.option_names)
        self._box.setCurrentIndex(-1)
        self._box.activated.connect(self.changed)
        self._take(self._box, "", stretch=1)

    def value(self) -> Value | None:
        return self._box.currentText() or None

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        self._box.setCurrentIndex(-1 if value is None else self._box.findText(str(value)))


class ManyEditor(ValueEditor):
    """Any number of the row's options, ticked in a list; one that excludes the others unticks them."""

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._list = QListWidget()
        for name in row.option_names:
            item = QListWidgetItem(name, self._list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
        self._list.setCurrentRow(0)
        line = self._list.sizeHintForRow(0) if row.options else 28
        self._list.setFixedHeight(min(len(row.options), 4) * line + 8)
        self._list.itemChanged.connect(self._untick_excluded)
        self._list.itemChanged.connect(self.changed)
        self._take(self._list, "", stretch=1)

    def _untick_excluded(self, ticked: QListWidgetItem) -> None:
        if ticked.checkState() == Qt.CheckState.Checked:
            kept = with_options(self.row, self._ticked(), (ticked.text(),))
            with QSignalBlocker(self._list):
                self._tick(kept)

    def _ticked(self) -> tuple[str, ...]:
        items = [self._list.item(i) for i in range(self._list.count())]
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def _tick(self, names: Collection[str]) -> None:
        for i in range(self._list.count()):
            item = self._list.item(i)
            item.setCheckState(Qt.CheckState.Checked if item.text() in names else Qt.CheckState.Unchecked)

    def value(self) -> Value | None:
        return self._ticked() or None

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        ticked = set(value) if isinstance(value, tuple) else set()
        with QSignalBlocker(self._list):  # an earlier value is shown as it is
            self._tick(ticked)
        self.changed.emit()
        first = next((i for i in range(self._list.count()) if self._list.item(i).text() in ticked), 0)
        self._list.setCurrentRow(first)


class YesNoEditor(ValueEditor):
    """Two buttons, also operated with the keys Y and N."""

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._group = QButtonGroup(self)
        self._buttons = {True: QPushButton("Yes"), False: QPushButton("No")}
        for choice in self._buttons.values():
            choice.setCheckable(True)
            choice.setAutoDefault(False)
            choice.setProperty("kind", "choice")
            self._group.addButton(choice)
            self._take(choice, choice.text())
        self._group.buttonClicked.connect(self.changed)
        self._layout.addStretch(1)

    def value(self) -> Value | None:
        return next((answer for answer, choice in self._buttons.items() if choice.isChecked()), None)

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        self._group.setExclusive(False)
        for answer, choice in self._buttons.items():
            choice.setChecked(value is answer)
        self._group.setExclusive(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            answers = {Qt.Key.Key_Y: True, Qt.Key.Key_N: False}
            answer = answers.get(cast(Qt.Key, cast(QKeyEvent, event).key()))
            if answer is not None:
                self._buttons[answer].setChecked(True)
                self._buttons[answer].setFocus()
                self.changed.emit()
                return True
        return super().eventFilter(watched, event)


class MomentEditor(ValueEditor):
    """A date, a time of day, or both.

    Shows a valid value in a picker, otherwise a text line to type one into.
    """

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self._picker: QDateTimeEdit
        match row.value_type:
            case ValueType.DATE:
                self._picker, self._format = QDateEdit(), DATE
            case ValueType.TIME:
                self._picker, self._format = QTimeEdit(), TIME
            case _:
                self._picker, self._format = QDateTimeEdit(), DATE_TIME
        self._picker.setDisplayFormat({DATE: "d MMM yyyy", TIME: "HH:mm", DATE_TIME: "d MMM yyyy  HH:mm"}[self._format])
        if row.value_type is ValueType.TIME:
            inset(self._picker)
        else:
            self._picker.setCalendarPopup(True)
            self._picker.setMinimumDate(QDate(1900, 1, 1))
        self._picker.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        self._picker.dateTimeChanged.connect(self.changed)
        # a picker cannot be empty: it would show a date and time that was not entered
        self._line = QLineEdit()
        self._line.setPlaceholderText(_PLACEHOLDERS[self._format])
        self._line.textEdited.connect(self.changed)
        self._now = button("Today" if row.value_type is ValueType.DATE else "Now", kind="chip", clicked=self._take_now)
        for field in (self._line, self._picker):
            field.setMinimumWidth(190)
            self._take(field, "")
        self._layout.addWidget(self._now)
        self._layout.addStretch(1)
        self._picker.hide()

    def value(self) -> Value | None:
        if not self._picker.isHidden():
            return self._picker.dateTime().toString(self._format)
        text = " ".join(self._line.text().split())
        moment = next((moment for moment in _read(text, self._format) if moment.isValid()), None)
        return moment.toString(self._format) if moment else text or None

    def show_value(self, value: Value | None, unit: str | None = None) -> None:
        moment = _moment(str(value), self._format) if value is not None else QDateTime()
        self._line.setText("" if value is None else str(value))
        self._show(moment if moment.isValid() else None)

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        (self._line if self._picker.isHidden() else self._picker).setFocus(reason)

    @property
    def stops(self) -> tuple[QWidget, ...]:
        return (*self.fields, self._now)

    def _show(self, moment: QDateTime | None) -> None:
        """Shows a date and time in the picker, or the text line for None."""
        shown, other = (self._line, self._picker) if moment is None else (self._picker, self._line)
        if moment is not None:
            self._picker.blockSignals(True)
            self._picker.setDateTime(moment)
            self._picker.blockSignals(False)
        shown.show()
        if other.hasFocus():
            shown.setFocus()
        other.hide()

    def _take_now(self) -> None:
        self._show(QDateTime.currentDateTime())
        self.changed.emit()


_PLACEHOLDERS = {DATE: "Day Month Year", TIME: "HH:MM", DATE_TIME: "Day Month Year HH:MM"}
_DATES, _TIMES = ("d MMM yyyy", "d MMMM yyyy", DATE), ("H:mm", "HHmm")


def _read(text: str, pattern: str) -> Iterator[QDateTime]:
    """Possible meanings of a typed text, which must be complete, in formats that cannot confuse day and month."""
    english = QLocale(QLocale.Language.English)
    match pattern:
        case "yyyy-MM-dd":
            yield from (QDateTime(english.toDate(text, shape), QTime(0, 0)) for shape in _DATES)
        case "HH:mm":
            times = (english.toTime(text, shape) for shape in _TIMES)
            yield from (QDateTime(QDate.currentDate(), time) for time in times if time.isValid())
        case _:
            yield from (english.toDateTime(text, f"{date} {time}") for date in _DATES for time in _TIMES)
            yield QDateTime.fromString(text, DATE_TIME)


def _moment(text: str, pattern: str) -> QDateTime:
    match pattern:
        case "yyyy-MM-dd":
            return QDateTime(QDate.fromString(text, DATE), QTime(0, 0))
        case "HH:mm":
            time = QTime.fromString(text, TIME)
            return QDateTime(QDate.currentDate(), time) if time.isValid() else QDateTime()
        case _:
            return QDateTime.fromString(text, DATE_TIME)


_EDITORS: dict[ValueType, type[ValueEditor]] = {
    ValueType.SINGLE_SELECT: ChoiceEditor,
    ValueType.MULTI_SELECT: ManyEditor,
    ValueType.NUMERIC: NumberEditor,
    ValueType.QUANTITY: NumberEditor,
    ValueType.TEXT: TextEditor,
    ValueType.YES_NO: YesNoEditor,
    ValueType.BLOOD_PRESSURE: PressureEditor,
    ValueType.DATE: MomentEditor,
    ValueType.TIME: MomentEditor,
    ValueType.DATE_TIME: MomentEditor,
}


def make_editor(row: Row, parent: QWidget | None = None) -> ValueEditor:
    """An empty editor for the row's value type."""
    return _EDITORS[row.value_type](row, parent)
