"""The progress of a job in one line: its stage, how far it is, since when, and how to stop it."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget

from app.services.engine.job_lanes import AnyJob
from models.base.progress import Progress
from ui.kit.responsive_layout import QWIDGETSIZE_MAX
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, button
from ui.kit.words import STAGE_WORDS, clock

_SHORT_BAR = 60
_SECOND = 1000  # ms


class WorkStrip(QFrame):
    """Counts the seconds from `start` on.

    Args:
        stop, tip: the words of the button that stops the job, and its tip.

    Signals:
        cancel_asked: stop the running job.
    """

    cancel_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        stop: str = "Cancel",
        tip: str = "Stop processing; it can be resumed later (Ctrl+.)",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 0, 0)
        layout.setSpacing(14)
        self._words = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._far = ElidedLabel("small")
        self.cancel = button(stop, theme.icon("stop", "rejected"), tip=tip, clicked=self._ask)
        layout.addWidget(self._words)
        layout.addWidget(self._bar, 1)
        layout.addWidget(self._far)
        layout.addWidget(self.cancel)
        self.job: AnyJob | None = None
        self._what = ""
        self._latest: Progress | None = None
        self._begun = 0.0
        self._tick = QTimer(self)
        self._tick.setInterval(_SECOND)
        self._tick.timeout.connect(self._show_far)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    @property
    def far(self) -> str:
        """How far the job is, and since when it runs."""
        return self._far.text()

    @property
    def seconds(self) -> float:
        """Since the job was shown."""
        return time.monotonic() - self._begun

    def start(self, job: AnyJob | None, what: str) -> None:
        """Shows a job that has started or is about to."""
        self.job, self._what, self._latest, self._begun = job, what, None, time.monotonic()
        self._words.setText(f"{what}: starting…")
        self._bar.setRange(0, 0)
        self.cancel.setEnabled(True)
        self._show_far()
        self._tick.start()
        self.show()

    def rename(self, what: str) -> None:
        """Changes the description of the job, once its patient is known."""
        self._words.setText(self._words.text().replace(self._what, what, 1))
        self._what = what

    def stop(self) -> None:
        """Hides the line, since no job is running."""
        self.job = None
        self._tick.stop()
        self.hide()

    def set_short(self, *, short: bool) -> None:
        """Leaves most of the width to what is beside the line, or takes its own again."""
        for words in (self._words, self._far):
            words.setHidden(short)
        self._bar.setMaximumWidth(_SHORT_BAR if short else QWIDGETSIZE_MAX)

    def show_progress(self, progress: Progress) -> None:
        if not self.cancel.isEnabled():
            return
        self._latest = progress
        self._words.setText(f"{self._what}: {STAGE_WORDS.get(progress.stage, progress.stage).lower()}")
        if progress.fraction is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 100)
            self._bar.setValue(round(progress.fraction * 100))
        self._show_far()

    def _show_far(self) -> None:
        latest, far = self._latest, [clock(self.seconds)]
        if latest and latest.fraction is not None:
            counts = latest.message if latest.stage == "fill" else ""
            far = [f"{latest.fraction:.0%}", *filter(None, [counts]), *far]
        self._far.setText("  ·  ".join(far))

    def _ask(self) -> None:
        self._words.setText(f"{self._what}: stopping…")
        self._bar.setRange(0, 0)
        self._latest = None
        self._show_far()
        self.cancel.setEnabled(False)
        self.cancel_asked.emit()
