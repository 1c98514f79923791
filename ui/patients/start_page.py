"""Page shown while there is no dictation: how to begin."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ui.kit.responsive_layout import ButtonRow
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, label


class StartPage(QWidget):
    """Attributes: `need_store` are the buttons that work once the program is ready.

    Signals: `record_asked`, `open_asked` for the file dialog, `patient_asked` for the patient dialog, `new_asked` for
    its form of a new patient, `import_asked` for the ward list.
    """

    record_asked = Signal()
    open_asked = Signal()
    patient_asked = Signal()
    new_asked = Signal()
    import_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drop = QFrame()
        self._drop.setObjectName("drop")
        self._drop.setMaximumWidth(600)
        inside = QVBoxLayout(self._drop)
        inside.setContentsMargins(28, 40, 28, 40)
        inside.setSpacing(12)
        inside.addWidget(IconLabel(theme.icon("recording", "accent"), 56), 0, Qt.AlignmentFlag.AlignHCenter)
        title = label("Record or open a dictation", "display")
        self._hint = label("", "muted", wrap=True)
        for widget in (title, self._hint):
            widget.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            inside.addWidget(widget)
        inside.addSpacing(8)
        self.record = button(
            "Record", theme.icon("record", "on_accent"), kind="primary", clicked=self.record_asked.emit
        )
        self.open = button(
            "Open &recording or text…",
            theme.icon("open"),
            tip="Choose a recording or text (Ctrl+O)",
            clicked=self.open_asked.emit,
        )
        self.patient = button(
            "&Choose patient…",
            theme.icon("patient", "on_accent"),
            kind="primary",
            tip="Choose or add a patient (Ctrl+P)",
            clicked=self.patient_asked.emit,
        )
        self.new = button(
            "New patient…", theme.icon("add"), tip="Add a patient (Ctrl+Shift+P)", clicked=self.new_asked.emit
        )
        self.ward_list = button(
            "Import ward list…",
            theme.icon("list"),
            tip="Add the patients of a list from another system",
            clicked=self.import_asked.emit,
        )
        self.need_store = (self.open, self.patient, self.new, self.ward_list)
        self._without_patient = (self.patient, self.new, self.ward_list)
        actions = QHBoxLayout()
        actions.addStretch(1)
        actions.addWidget(ButtonRow((*self._without_patient, self.record, self.open)))
        actions.addStretch(1)
        inside.addLayout(actions)
        inside.addSpacing(10)
        steps = label("1  Record or open   ›   2  Check each value   ›   3  File confirmed values", "small", wrap=True)
        steps.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        inside.addWidget(steps)
        outer = QVBoxLayout(self)
        outer.addStretch(1)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(self._drop, 1000)  # up to its maximum width
        across.addStretch(1)
        outer.addLayout(across)
        outer.addStretch(1)
        self.show_patient(None)

    def show_patient(self, name: str | None) -> None:
        """Asks for a recording about the patient, or for a patient if `name` is None."""
        self.record.setVisible(name is not None)
        self.open.setVisible(name is not None)
        for one in self._without_patient:
            one.setVisible(name is None)
        self._hint.setText(
            "Choose or add a patient first, or import the list of your ward."
            if name is None
            else f"Dictate about {name}, or drop a recording or text anywhere in this window. "
            "Wardlight transcribes it and proposes flowsheet values; you check each one."
        )
