"""The page of the settings about recording: microphone, its test, the key, and how long sound is kept."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QSpinBox, QWidget

from app.levels import Verdict, judge, level_of, room_of
from app.settings import CHOICES, Settings
from models.errors import ResourceError
from speech.audio import SAMPLE_RATE
from ui.level_meter import LevelMeter
from ui.microphone import Capture, Microphones
from ui.parts import IconLabel, button, label, restyle, rule
from ui.theme import Theme

TEST_SECONDS = 10
KEEP = {"never": "Only until the values are there", "review": "Until the review is complete", "days": "For"}
_ABOUT_KEY = "One press begins and one finishes, unless the key is to be held. With Shift it pauses and goes on."
_ABOUT_KEEPING = "Then Wardlight's copy of the sound is removed for good. Transcript, values and reviews stay."


class RecordSettings(QWidget):
    """What `settings` say, and what is chosen instead (`changed`)."""

    def __init__(
        self, theme: Theme, settings: Settings, microphones: Microphones, *, busy: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._microphones = theme, microphones
        self._wanted = settings.microphone
        self._capture: Capture | None = None
        self._heard = bytearray()
        self.microphone = QComboBox()
        # names of devices can be long
        self.microphone.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.microphone.setMinimumContentsLength(20)
        self.refresh = button("", theme.icon("retry"), tip="Look again which microphones there are", clicked=self.fill)
        self.test = button("&Test microphone", theme.icon("recording"), clicked=self._test_or_stop)
        self.meter, self._verdict_icon = LevelMeter(theme), IconLabel(theme.icon("info", "muted"))
        self.verdict = label(role="small", wrap=True)
        self.verdict.setAccessibleName("What the test found")
        self._timer = QTimer(self)
        self._timer.setInterval(250)
        self._timer.timeout.connect(self._tick)

        self.key = QComboBox()
        for name in CHOICES["record_key"]:
            self.key.addItem(name, name)
        self.key.setCurrentIndex(self.key.findData(settings.record_key))
        self.hold = QCheckBox("Hold th&e key to talk")
        self.hold.setChecked(settings.hold_to_talk)
        self.hold.setToolTip("The recording lasts as long as the key is held")
        self.hold.setAccessibleDescription(self.hold.toolTip())
        self.keep = QComboBox()
        for choice in CHOICES["keep_audio"]:
            self.keep.addItem(KEEP[choice], choice)
        self.keep.setCurrentIndex(self.keep.findData(settings.keep_audio))
        self.days = QSpinBox()
        self.days.setRange(1, 3650)
        self.days.setSuffix(" days")
        self.days.setAccessibleName("Days to keep sound")
        self.days.setValue(settings.keep_audio_days)
        self.keep.currentIndexChanged.connect(self._show_days)

        self._lay_out()
        self._show_days()
        self._tell("", "info")
        self.fill()
        self._rest()
        if busy:
            self.test.setEnabled(False)
            self._tell("A recording is running; finish it to test the microphone.", "info")
        microphones.changed.connect(self.fill)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        found = _side_by_side(self.meter, self._verdict_icon, self.verdict)
        microphone = _side_by_side(self.microphone, self.refresh, self.test)
        microphone.setStretchFactor(self.microphone, 1)
        key, keep = _side_by_side(self.key, self.hold), _side_by_side(self.keep, self.days)
        for layout in (key, keep):
            layout.addStretch(1)
        found.setStretchFactor(self.verdict, 1)
        for row, words, field, part in (
            (0, "&Microphone", self.microphone, microphone),
            (3, "Key that &records", self.key, key),
            (6, "&Keep sound", self.keep, keep),
        ):
            name = QLabel(words)
            name.setBuddy(field)
            field.setAccessibleName(words.replace("&", ""))
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignRight)
            grid.addLayout(part, row, 1)
        grid.addLayout(found, 1, 1)
        grid.addWidget(rule(), 2, 0, 1, 2)
        grid.addWidget(label(_ABOUT_KEY, "small", wrap=True), 4, 1)
        grid.addWidget(rule(), 5, 0, 1, 2)
        grid.addWidget(label(_ABOUT_KEEPING, "small", wrap=True), 7, 1)
        grid.setRowStretch(8, 1)

    def changed(self) -> dict[str, Any]:
        """What is chosen, by the names of the settings."""
        return {
            "microphone": self.microphone.currentData() or "",
            "record_key": self.key.currentData(),
            "hold_to_talk": self.hold.isChecked(),
            "keep_audio": self.keep.currentData(),
            "keep_audio_days": self.days.value(),
        }

    def fill(self) -> None:
        """Lists the microphones that there are now; one that was chosen and is gone stays chosen."""
        wanted = self.microphone.currentData() if self.microphone.count() else self._wanted
        self.microphone.clear()
        try:
            devices = self._microphones.devices()
        except ResourceError as error:
            devices = []
            self._tell(str(error), "warning")
        first = f" ({devices[0].name})" if devices else ""
        self.microphone.addItem(f"Default{first}", "")
        for device in devices:
            self.microphone.addItem(device.name, device.id)
        if wanted and self.microphone.findData(wanted) < 0:
            self.microphone.addItem("The one chosen before (not connected)", wanted)
        self.microphone.setCurrentIndex(max(0, self.microphone.findData(wanted)))

    def stop(self) -> None:
        """Ends a test that is running."""
        self._timer.stop()
        capture, self._capture = self._capture, None
        if capture:
            capture.stop()
            capture.heard.disconnect(self._take)
            capture.failed.disconnect(self._fail)
        self._rest()

    # the test

    def _test_or_stop(self) -> None:
        if self._capture:
            self.stop()
            self._tell("", "info")
            return
        try:
            capture = self._microphones.open(self.microphone.currentData() or "")
        except ResourceError as error:
            self._tell(str(error), "error")
            return
        self._capture = capture
        self._heard.clear()
        capture.heard.connect(self._take)
        capture.failed.connect(self._fail)
        self.test.setText("S&top")
        self.test.setIcon(self._theme.icon("stop"))
        self.test.setToolTip("End the test")
        self._tick()
        self._timer.start()

    def _take(self, pcm: bytes) -> None:
        self._heard += pcm
        self.meter.show_level(level_of(pcm))
        if self._seconds >= TEST_SECONDS:
            self.stop()
            verdict = judge(room_of(bytes(self._heard)))
            self._tell(verdict, "confirmed" if verdict is Verdict.GOOD else "warning")

    @property
    def _seconds(self) -> float:
        return len(self._heard) / 2 / SAMPLE_RATE

    def _tick(self) -> None:
        left = max(1, round(TEST_SECONDS - self._seconds))
        self._tell(f"Speak as you dictate, with a pause now and then: {left} s", "info")

    def _fail(self, error: ResourceError) -> None:
        self.stop()
        self._tell(str(error), "error")

    def _rest(self) -> None:
        self.meter.rest()
        self.test.setText("&Test microphone")
        self.test.setIcon(self._theme.icon("recording"))
        self.test.setToolTip(f"Listen for {TEST_SECONDS} seconds and say whether it will do; nothing is kept")
        self.test.setAccessibleDescription(self.test.toolTip())

    def _tell(self, words: str, icon: str) -> None:
        self.verdict.setText(words)
        colour = {"info": "muted", "confirmed": "confirmed", "warning": "warning", "error": "error"}[icon]
        self._verdict_icon.show_icon(self._theme.icon(icon, colour))
        self._verdict_icon.setVisible(bool(words))
        restyle(self.verdict, "role", {"warning": "small-warning", "error": "error"}.get(icon, "small"))

    def _show_days(self) -> None:
        self.days.setVisible(self.keep.currentData() == "days")


def _side_by_side(*widgets: QWidget) -> QHBoxLayout:
    layout = QHBoxLayout()
    layout.setSpacing(10)
    for widget in widgets:
        layout.addWidget(widget)
    return layout
