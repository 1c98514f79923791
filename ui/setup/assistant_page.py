"""The base of all pages of the first-run assistant, its microphone page and its last page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from speech.levels import Verdict
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, clear, label
from ui.recording.microphone import Microphones
from ui.recording.microphone_choice import MicrophoneChoice

_TESTED = {
    Verdict.GOOD: "good",
    Verdict.LOUD: "too loud",
    Verdict.NOISY: "noisy",
    Verdict.QUIET: "too quiet",
    Verdict.SILENT: "no sound",
}


class AssistantPage(QWidget):
    """One step.

    Attributes:
        name: the name of the step.
        without: what does not work while the step is skipped.

    Signals:
        changed: `ready`, `under_way` or `state` may have changed.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    without = ""
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(10)
        self.body.addWidget(label(self.title, "display"))
        self.body.addWidget(label(self.about, "muted", wrap=True))
        self.body.addSpacing(4)

    @property
    def ready(self) -> bool:
        """Whether nothing is left to do here."""
        raise NotImplementedError

    @property
    def under_way(self) -> bool:
        """Whether the rest is being done without the person."""
        return False

    @property
    def state(self) -> str:
        """The state of this step in a few words."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """What the last page says about this step."""
        return self.state

    @property
    def first(self) -> QWidget | None:
        """The widget that gets the keyboard focus when the page is shown; None for the button to the next step."""
        return None

    def enter(self) -> None:
        """Called when the page is shown."""

    def chosen(self) -> dict[str, Any]:
        """The choices made here by name of the setting, without any that cannot be applied."""
        return {}


class MicrophonePage(AssistantPage):
    """The choice and test of the microphone."""

    name, title = "Microphone", "Choose your microphone"
    about = (
        "The test listens for ten seconds and rates the noise in the room and your voice. "
        "Nothing is saved, and Wardlight listens only during the test."
    )
    without = "Without a microphone you cannot record here. You can still open recordings and texts from elsewhere."

    def __init__(self, theme: Theme, microphones: Microphones, wanted: str, *, busy: bool) -> None:
        super().__init__()
        self.input = MicrophoneChoice(theme, microphones, wanted, busy=busy)
        words = label("&Microphone", "heading")
        words.setBuddy(self.input.box)
        self.body.addWidget(words)
        self.body.addWidget(self.input)
        self.body.addSpacing(6)
        self.body.addWidget(
            label("Speak normally: the bar should reach the upper half and stay out of the red.", "small", wrap=True)
        )
        self.body.addStretch(1)
        self.input.changed.connect(self.changed)

    @property
    def ready(self) -> bool:
        return bool(self.input.found)

    @property
    def state(self) -> str:
        if not self.input.found:
            return "None found" if self.input.found is False else ""
        if self.input.judged is None:
            return "Found, not tested"
        return f"Tested: {_TESTED[self.input.judged]}"

    @property
    def first(self) -> QWidget:
        return self.input.test if self.input.test.isEnabled() else self.input.box

    def chosen(self) -> dict[str, Any]:
        return {"microphone": self.input.chosen}


class DonePage(AssistantPage):
    """A summary of the setup, and a sample dictation to try it with.

    Signals:
        sample_asked: open the sample dictation.
    """

    name, title = "Ready", "Ready"
    about = "You can change all of this later in Settings, or repeat these steps: Help, Set up Wardlight."
    sample_asked = Signal()

    def __init__(self, theme: Theme, pages: Sequence[AssistantPage]) -> None:
        super().__init__()
        self._theme, self._pages = theme, pages
        self._lines = QVBoxLayout()
        self._lines.setSpacing(8)
        self.body.addLayout(self._lines)
        self.body.addSpacing(10)
        self.sample = button("&Try it with the sample dictation", theme.icon("play"), clicked=self.sample_asked.emit)
        self._about_sample = label(role="small", wrap=True)
        self.body.addWidget(self.sample, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self._about_sample)
        self.body.addStretch(1)
        self.usable = True

    @property
    def ready(self) -> bool:
        return True

    @property
    def state(self) -> str:
        return ""

    @property
    def text(self) -> str:
        """The summary as one text."""
        return "\n".join(f"{page.name}: {self._words(page)}" for page in self._pages)

    def enter(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Updates the summary of the other pages."""
        clear(self._lines)
        for page in self._pages:
            line = QWidget()
            inside = QHBoxLayout(line)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(10)
            name = "confirmed" if page.ready else "warning"
            inside.addWidget(IconLabel(self._theme.icon(name, name), 20), 0, Qt.AlignmentFlag.AlignTop)
            heading = label(page.name, "heading")
            heading.setMinimumWidth(96)
            inside.addWidget(heading, 0, Qt.AlignmentFlag.AlignTop)
            inside.addWidget(label(self._words(page), wrap=True), 1)
            self._lines.addWidget(line)
        models = self._pages[0]
        self.sample.setEnabled(models.ready and self.usable)
        self._about_sample.setText(
            "100 seconds about a fictional patient, spoken by a computer. Review it like any other dictation."
            if models.ready
            else "The sample dictation needs the models. Everything else works without them."
        )
        self.sample.setToolTip(self._about_sample.text())
        self.sample.setAccessibleDescription(self._about_sample.text())

    @staticmethod
    def _words(page: AssistantPage) -> str:
        summary = f"{page.summary}." if page.summary else ""
        return f"{summary} {'' if page.ready else page.without}".strip()
