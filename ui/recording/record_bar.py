"""The bar of a running recording: its patient, its length, and the sound level."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.chart.records import Patient
from app.services.intake.recording import Recording, RecordingState
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, IconLabel, button, label, restyle
from ui.kit.words import clock, identity_text
from ui.recording.level_meter import LevelMeter

_STATES = {RecordingState.RECORDING: "Recording", RecordingState.PAUSED: "Paused", RecordingState.FINISHING: "Saving…"}
_ICONS = {
    RecordingState.RECORDING: ("waiting", "muted"),
    RecordingState.PAUSED: ("pause", "muted"),
    RecordingState.FINISHING: ("stop", "muted"),
}
_WAITS = "Starting the microphone…"


class RecordBar(QFrame):
    """Shows the patient above the controls if the whole name does not fit next to them.

    Signals: `pause_asked` (pause or resume), `finish_asked`, `words_asked` (show the words so far).
    """

    pause_asked = Signal()
    words_asked = Signal()
    finish_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recording")
        self.setAccessibleName("Recording")
        self._theme, self._key = theme, ""
        self._icon = IconLabel(theme.icon("record", "error"), 26)
        self._state, self._who = label(role="heading"), ElidedLabel("title")
        self._time, self.meter = label("0:00", "display"), LevelMeter(theme)
        self._time.setAccessibleName("Length")
        self._hint = label(role="small", wrap=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._hint.ensurePolished()
        self._hint.setMinimumHeight(2 * self._hint.fontMetrics().lineSpacing())  # a warning must not move the page
        self.pause = button("Pause", theme.icon("pause"), clicked=self.pause_asked.emit)
        self.words = button(
            "Sh&ow words", theme.icon("search"), tip="Show the words so far", clicked=self.words_asked.emit
        )
        self.words.hide()
        self.finish = button("Finish", theme.icon("stop", "on_accent"), kind="primary", clicked=self.finish_asked.emit)
        who = QVBoxLayout()
        who.setSpacing(0)
        who.addWidget(self._state)
        who.addWidget(self._who)
        sound = QVBoxLayout()
        sound.setSpacing(6)
        sound.addStretch(1)
        sound.addWidget(self.meter)
        sound.addWidget(self._hint)
        sound.addStretch(1)
        self._time.setMinimumWidth(self._time.fontMetrics().horizontalAdvance("0:00:00"))
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.pause.setMinimumWidth(112)
        self._about, self._rest = QHBoxLayout(), QHBoxLayout()
        for half in (self._about, self._rest):
            half.setSpacing(14)
        self._about.addWidget(self._icon)
        self._about.addLayout(who, 1)
        self._rest.addLayout(sound)
        self._rest.addSpacing(4)
        self._rest.addWidget(self._time, 1)
        self._rest.addSpacing(10)
        for control in (self.words, self.pause, self.finish):
            self._rest.addWidget(control)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(16, 9, 12, 9)
        self._halves.setSpacing(14)
        self._halves.addLayout(self._about, 1)
        self._halves.addLayout(self._rest)
        self.set_key("F9")
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # the name or a button changed
            self._arrange()
        return done

    def minimumSizeHint(self) -> QSize:
        """The size the controls need, with the patient above them."""
        around = self._halves.contentsMargins()
        width = around.left() + self._rest.minimumSize().width() + around.right()
        return QSize(width, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        beside = self._about.sizeHint().width() + self._halves.spacing() + self.minimumSizeHint().width()
        narrow = self.width() < beside
        self._who.setMinimumWidth(
            0 if narrow else self._who.sizeHint().width()
        )  # the name takes precedence over the meter
        self._halves.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    @property
    def text(self) -> str:
        """The words shown; empty while the bar is hidden."""
        parts: tuple[QLabel, ...] = (self._state, self._who, self._time, self._hint)
        return " · ".join(part.text() for part in parts) if not self.isHidden() else ""

    def set_key(self, key: str) -> None:
        """Sets the key named in the tool tips."""
        self._key = key
        self.finish.setToolTip(f"Finish and transcribe the recording ({key})")
        self.finish.setAccessibleDescription(self.finish.toolTip())
        self._name_pause(paused=False)

    def show_recording(
        self, recording: Recording, state: RecordingState, microphone: str, *, waits: bool = False
    ) -> None:
        """Shows a recording; while it `waits`, the microphone has not delivered any sound yet."""
        patient, running = recording.patient, state is RecordingState.RECORDING and not waits
        self._state.setText(_WAITS if state is RecordingState.RECORDING and waits else _STATES[state])
        restyle(self._state, "role", "recording" if running else "heading")
        self.show_patient(patient)
        self._icon.show_icon(self._theme.icon(*(("record", "error") if running else _ICONS[state])))
        self._name_pause(paused=state is RecordingState.PAUSED)
        for control in (self.pause, self.finish):
            control.setEnabled(state is not RecordingState.FINISHING)
        self.meter.setEnabled(running)
        self.show_sound(recording)
        self.show_hint(microphone)
        self.show()

    def show_patient(self, patient: Patient) -> None:
        """Shows the patient of the recording."""
        self._who.setText(identity_text(patient))

    def show_sound(self, recording: Recording) -> None:
        """Shows length and level."""
        self._time.setText(clock(recording.seconds))
        if recording.state is RecordingState.RECORDING:
            self.meter.show_level(recording.level)
        else:
            self.meter.rest()

    def show_hint(self, words: str, *, warning: bool = False) -> None:
        """Shows words below the level: the microphone's name, or what is wrong with the sound."""
        if self._hint.text() != words:
            self._hint.setText(words)
        restyle(self._hint, "role", "small-warning" if warning else "small")

    def _name_pause(self, *, paused: bool) -> None:
        self.pause.setText("Resume" if paused else "Pause")
        self.pause.setIcon(self._theme.icon("record" if paused else "pause"))
        what = "Resume recording" if paused else "Pause; nothing is recorded until you resume"
        self.pause.setToolTip(f"{what} (Shift+{self._key})")
        self.pause.setAccessibleDescription(self.pause.toolTip())
