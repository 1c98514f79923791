"""The settings page for recording: microphone and its test, key, live preview, how long sound is kept."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QSpinBox, QWidget

from app.system.settings import CHOICES, Settings
from ui.kit.theme import Theme
from ui.kit.widgets import inset, label, rule
from ui.recording.microphone import Microphones
from ui.recording.microphone_choice import MicrophoneChoice

KEEP = {"never": "Only until values are filled", "review": "Until the dictation is filed", "days": "For"}
WHILE = {
    "show": "Show words and values, refine when finished",
    "keep": "Show words and values, keep them",
    "nothing": "Show nothing",
}
_ABOUT_MICROPHONE = "Used for recordings. If it is not connected, the computer's default is used."
_ABOUT_KEY = "Press to start, press to finish. Shift+key pauses and resumes."
_ABOUT_COMMANDS = "Said while V is held on a value. Anything else is taken as its new value."
_ABOUT_WHILE = "Live values are faster, slightly less accurate."
_ABOUT_KEEPING = (
    "After that, Wardlight's copy of the sound is deleted permanently: a value questioned later cannot be heard "
    "again, not even after reopening. Transcript, values and reviews are kept."
)


class RecordSettings(QWidget):
    """Fields that show `settings`; `changed` returns what is chosen."""

    def __init__(
        self, theme: Theme, settings: Settings, microphones: Microphones, *, busy: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.input = MicrophoneChoice(theme, microphones, settings.microphone, busy=busy)
        self.key = QComboBox()
        for name in CHOICES["record_key"]:
            self.key.addItem(name, name)
        self.hold = QCheckBox("Hold th&e key to talk")
        self.hold.setToolTip("Records as long as the key is held")
        self.hold.setAccessibleDescription(self.hold.toolTip())
        self.commands = QCheckBox("Respond to “accept”, “ne&xt” and “play”")
        self.meanwhile = QComboBox()
        for choice in CHOICES["while_recording"]:
            self.meanwhile.addItem(WHILE[choice], choice)
        self.keep = QComboBox()
        for choice in CHOICES["keep_audio"]:
            self.keep.addItem(KEEP[choice], choice)
        self.days = QSpinBox()
        inset(self.days)
        self.days.setRange(1, 3650)
        self.days.setSuffix(" days")
        self.days.setAccessibleName("Days to keep sound")
        self.days.setAccessibleDescription("Counted from the day the dictation was recorded or opened")
        self.days.setToolTip(self.days.accessibleDescription())
        self.keep.currentIndexChanged.connect(self._show_days)
        self._lay_out()
        self.show_settings(settings)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        for number, (words, field, part, about) in enumerate(
            (
                ("&Microphone", self.input.box, self.input, _ABOUT_MICROPHONE),
                ("&Record key", self.key, _side_by_side(self.key, self.hold), _ABOUT_KEY),
                ("Sa&ying values", self.commands, self.commands, _ABOUT_COMMANDS),
                ("&While you speak", self.meanwhile, self.meanwhile, _ABOUT_WHILE),
                ("&Keep sound", self.keep, _side_by_side(self.keep, self.days), _ABOUT_KEEPING),
            )
        ):
            row = 3 * number
            name = QLabel(words)
            name.setBuddy(field)
            name.setContentsMargins(0, 7, 0, 0)  # aligns with the first line of the field
            field.setAccessibleName(words.replace("&", ""))
            field.setAccessibleDescription(about)
            name.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(name, row, 0)
            grid.addWidget(part, row, 1)
            grid.addWidget(label(about, "small", wrap=True), row + 1, 1)
            grid.addWidget(rule(), row + 2, 0, 1, 2)
        grid.setRowStretch(grid.rowCount(), 1)

    def show_settings(self, settings: Settings) -> None:
        """Shows settings in the fields."""
        self.input.choose(settings.microphone)
        self.key.setCurrentIndex(self.key.findData(settings.record_key))
        self.hold.setChecked(settings.hold_to_talk)
        self.commands.setChecked(settings.spoken_commands)
        self.meanwhile.setCurrentIndex(self.meanwhile.findData(settings.while_recording))
        self.keep.setCurrentIndex(self.keep.findData(settings.keep_audio))
        self.days.setValue(settings.keep_audio_days)
        self._show_days()

    def changed(self) -> dict[str, Any]:
        """The chosen values by name of the setting."""
        return {
            "microphone": self.input.chosen,
            "record_key": self.key.currentData(),
            "hold_to_talk": self.hold.isChecked(),
            "spoken_commands": self.commands.isChecked(),
            "while_recording": self.meanwhile.currentData(),
            "keep_audio": self.keep.currentData(),
            "keep_audio_days": self.days.value(),
        }

    def _show_days(self) -> None:
        self.days.setVisible(self.keep.currentData() == "days")


def _side_by_side(*widgets: QWidget) -> QWidget:
    both = QWidget()
    layout = QHBoxLayout(both)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(10)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return both
