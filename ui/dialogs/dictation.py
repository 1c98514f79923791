"""Dialogs to rename, move or delete a dictation, to change its time, and to show its details."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import (
    QDateTimeEdit,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.chart.dictation_titles import LONGEST, has_name
from app.chart.recording_time import SOURCES
from app.chart.records import DELETE_REASONS, Patient
from app.chart.sheet import DictationSummary
from app.services.intake.jobs import DELETED_DAYS
from ui.kit.theme import Theme
from ui.kit.widgets import button, label, rule, show_as_search
from ui.kit.words import identity_text, plural
from ui.patients.patient_search import search_patients

OTHER = "Other reason:"


class _Asking(QDialog):
    """A dialog with a heading, a line on its subject, and at the end Cancel and the button for the action."""

    def __init__(self, title: str, heading: str, about: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(500)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(20, 18, 20, 18)
        self._column.setSpacing(10)
        self._column.addWidget(label(heading, "display", wrap=True))
        self._column.addWidget(label(about, "muted", wrap=True))

    def _end_with(self, does: QPushButton) -> None:
        self.cancel = button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(does)
        self._column.addLayout(buttons)


class RenameDialog(_Asking):
    """After acceptance, `title` is the new title; empty to restore the original name."""

    def __init__(self, theme: Theme, entry: DictationSummary, parent: QWidget | None = None) -> None:
        super().__init__(
            "Rename", "Rename this dictation", f"{entry.dictation.name} · {identity_text(entry.patient)}", parent
        )
        original = entry.dictation.original_name
        self.field = QLineEdit(entry.dictation.title)
        self.field.setMaxLength(LONGEST)
        self.field.setAccessibleName("Title")
        self.field.setPlaceholderText(original if has_name(original) else "For example, Admission")
        self.field.selectAll()
        self.field.returnPressed.connect(self.accept)
        self._column.addWidget(self.field)
        self._column.addWidget(label("Leave empty to restore the original name.", "small", wrap=True))
        self.rename = button("&Rename", kind="primary", tip="Save this title (Enter)", clicked=self.accept)
        self._end_with(self.rename)

    @property
    def title(self) -> str:
        return self.field.text()


class TimeDialog(_Asking):
    """After acceptance, `made_at` is when the dictation was recorded."""

    def __init__(self, theme: Theme, entry: DictationSummary, parent: QWidget | None = None) -> None:
        dictation = entry.dictation
        about = f"{dictation.name} · {identity_text(entry.patient)}"
        super().__init__("Time of the dictation", "When was this recorded?", about, parent)
        self.picker = QDateTimeEdit(_local(dictation.created_at))
        self.picker.setDisplayFormat("d MMM yyyy  HH:mm")
        self.picker.setCalendarPopup(True)
        self.picker.setMaximumDateTime(QDateTime.currentDateTime())
        self.picker.setAccessibleName("Date and time of the recording")
        note = "Values without a spoken time are charted at this time. Spoken times are counted from it."
        self.picker.setAccessibleDescription(note)
        self._column.addWidget(self.picker)
        self._column.addWidget(label(note, "small", wrap=True))
        if source := SOURCES.get(dictation.time_source):
            self._column.addWidget(label(f"Current time: {source}.", "small", wrap=True))
        self.change = button("&Change", kind="primary", tip="Chart at this time (Enter)", clicked=self.accept)
        self.change.setDefault(True)
        self._end_with(self.change)
        self.picker.setFocus()

    @property
    def made_at(self) -> datetime:
        """Time chosen, in the time zone of this computer; to the minute, unless it was not changed."""
        return datetime.fromtimestamp(self.picker.dateTime().toMSecsSinceEpoch() / 1000).astimezone()


def _local(created_at: str) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(round(datetime.fromisoformat(created_at).timestamp() * 1000))


class MoveDialog(_Asking):
    """After acceptance, `chosen` is the patient to move the dictation to."""

    def __init__(
        self, theme: Theme, entry: DictationSummary, patients: Sequence[Patient], parent: QWidget | None = None
    ) -> None:
        super().__init__("Move", "Move to another patient", f"{entry.dictation.name} now belongs to:", parent)
        self.setMinimumHeight(460)
        self._patients = [patient for patient in patients if patient.id != entry.patient.id]
        self._entry = entry
        self.now = label(identity_text(entry.patient), "heading", wrap=True)
        self._column.addWidget(self.now)
        self._column.addWidget(rule())
        self._column.addWidget(label("Move to which patient?", "title"))
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search by name, bed or MRN")
        self.search.setAccessibleName("Search patients")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._fill)
        self.search.returnPressed.connect(self._go_on)
        self._column.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName("Patients")
        self.list.setMinimumHeight(96)
        self.list.setWordWrap(True)
        self.list.itemSelectionChanged.connect(self._update)
        self.list.itemActivated.connect(self._go_on)
        self._column.addWidget(self.list, 1)
        self.consequences = label(wrap=True)
        self._column.addWidget(self.consequences)
        self.move_button = button("&Move", theme.icon("patient", "on_accent"), kind="primary", clicked=self.accept)
        self._end_with(self.move_button)
        self._fill()
        self.search.setFocus()

    @property
    def chosen(self) -> Patient | None:
        items = self.list.selectedItems()
        patient: Patient | None = items[0].data(Qt.ItemDataRole.UserRole) if items else None
        return patient

    def _fill(self) -> None:
        self.list.clear()
        for patient in search_patients(self._patients, self.search.text()):
            QListWidgetItem(identity_text(patient), self.list).setData(Qt.ItemDataRole.UserRole, patient)
        self._update()

    def _go_on(self) -> None:
        """Handles Enter: moves the focus one step toward the button, so that an extra Enter does not move anything."""
        if self.chosen:
            self.move_button.setFocus()
        elif self.list.count() == 1:
            self.list.setCurrentRow(0)
            self.move_button.setFocus()
        elif self.list.count():
            self.list.setFocus()

    def _update(self) -> None:
        chosen, decided = self.chosen, self._entry.decided
        who = chosen.name if chosen else "the patient you choose"
        taken = f"{plural(decided, 'decision')} {'is' if decided == 1 else 'are'} undone; " if decided else ""
        left = f"nothing stays in the chart of {self._entry.patient.name}"
        words = f"{taken}the values are filled again for {who}, and {left}."
        self.consequences.setText(words[0].upper() + words[1:])
        self.move_button.setText(f"&Move to {chosen.name.replace('&', '&&')}" if chosen else "&Move")
        self.move_button.setEnabled(chosen is not None)
        if not self._patients:
            self.consequences.setText("No other patient yet. Add the patient first (Ctrl+P), then move the dictation.")


class DeleteDialog(_Asking):
    """After acceptance, `reason` is why the dictation is deleted."""

    def __init__(self, theme: Theme, entry: DictationSummary, parent: QWidget | None = None) -> None:
        about = f"{entry.dictation.name} · {identity_text(entry.patient)}"
        super().__init__("Delete", "Delete this dictation?", about, parent)
        kind = "recording" if entry.dictation.kind == "audio" else "text"
        charted = f", including {plural(entry.decided, 'decision')}" if entry.decided else ""
        self.consequences = label(
            f"The {kind}, its transcript and its values are removed from the chart, lists and exports{charted}. "
            f"You can restore it for {DELETED_DAYS} days. Files already written are kept.",
            wrap=True,
        )
        self._column.addWidget(self.consequences)
        self._column.addWidget(label("Reason for deleting", "title"))
        self.reasons = [QRadioButton(f"&{place} {words}") for place, words in enumerate((*DELETE_REASONS, OTHER), 1)]
        for choice in self.reasons:
            choice.toggled.connect(self._update)
            self._column.addWidget(choice)
        self.other = QLineEdit()
        self.other.setAccessibleName("Other reason")
        self.other.setPlaceholderText("In your own words")
        self.other.setMaxLength(200)
        self.other.textChanged.connect(self._update)
        self.reasons[-1].toggled.connect(lambda on: self.other.setFocus() if on else None)
        self._column.addWidget(self.other)
        self.delete = button("&Delete", theme.icon("reject", "on_accent"), kind="primary", clicked=self.accept)
        self._end_with(self.delete)
        self._update()
        self.reasons[0].setFocus()

    @property
    def reason(self) -> str:
        """Reason chosen or entered; empty if there is none."""
        for words, choice in zip(DELETE_REASONS, self.reasons, strict=False):
            if choice.isChecked():
                return words
        return self.other.text().strip() if self.reasons[-1].isChecked() else ""

    def _update(self) -> None:
        self.other.setEnabled(self.reasons[-1].isChecked())
        self.delete.setEnabled(bool(self.reason))
        tip = "Delete this dictation" if self.reason else "Choose a reason first"
        self.delete.setToolTip(tip)
        self.delete.setAccessibleDescription(tip)


class DetailsDialog(QDialog):
    """Details of a dictation, one fact per line; each can be copied."""

    def __init__(self, name: str, facts: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Details")
        self.setMinimumWidth(560)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 18)
        column.setSpacing(12)
        column.addWidget(label(name, "display", wrap=True))
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        form.setHorizontalSpacing(14)
        for what, words in facts:
            shown = label(words, wrap=True)
            flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            shown.setTextInteractionFlags(flags)
            shown.setAccessibleName(f"{what}: {words}")
            form.addRow(label(what, "muted"), shown)
        column.addLayout(form)
        column.addStretch(1)
        self.close_button = button("Close", tip="Close (Esc)", clicked=self.reject)
        column.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignRight)
        self.close_button.setFocus()
