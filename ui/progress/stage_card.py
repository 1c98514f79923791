"""Progress while the models work: the current stage, how far it is, and how to stop."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.services.engine.job_lanes import AnyJob
from models.base.progress import Progress
from ui.kit.responsive_layout import QWIDGETSIZE_MAX, MinimumTextHeight
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, button, clear, label, restyle
from ui.kit.words import STAGE_WORDS

AUDIO_STAGES = ("transcribe", "reduce", "fill")
TEXT_STAGES = ("reduce", "fill")
# short steps, shown as part of a later stage
_PART_OF = {"index": "reduce"}


_SHORT_BAR = 60


class StageCard(MinimumTextHeight):
    """The stages of the dictation being processed, one below the other."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._stages: tuple[str, ...] = ()
        self._at = -1
        self._job: AnyJob | None = None
        self._rows: dict[str, tuple[QLabel, QLabel, ElidedLabel, QProgressBar]] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 26, 28, 26)
        layout.setSpacing(18)
        self._title = label(role="display")
        self._note = label("", "muted", wrap=True)
        layout.addWidget(self._title)
        layout.addWidget(self._note)
        layout.addSpacing(6)
        self._list = QVBoxLayout()
        self._list.setSpacing(16)
        layout.addLayout(self._list)
        layout.addStretch(1)
        theme.changed.connect(self._paint)

    def start(self, job: AnyJob, stages: tuple[str, ...], kept: str, *, waiting: bool) -> None:
        """Shows the stages of a job, `waiting` if it is queued, and what is `kept` meanwhile.

        Keeps the progress of a job that is already shown.
        """
        self._title.setText("Queued behind another dictation" if waiting else "Processing this dictation")
        self._note.setText(f"The {kept} is saved. Review other dictations meanwhile, or stop and resume later.")
        if job is self._job:
            return
        self._job = job
        clear(self._list)
        self._rows, self._stages, self._at = {}, stages, -1
        for stage in stages:
            icon, state, detail, bar = QLabel(), label(STAGE_WORDS[stage]), ElidedLabel("small"), QProgressBar()
            icon.setFixedSize(22, 22)
            detail.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            bar.setTextVisible(False)
            bar.setRange(0, 100)
            bar.setAccessibleName(STAGE_WORDS[stage])
            line = QWidget()
            grid = QHBoxLayout(line)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setSpacing(12)
            words = QVBoxLayout()
            words.setSpacing(5)
            head = QHBoxLayout()
            head.addWidget(state, 1)
            head.addWidget(detail)
            words.addLayout(head)
            words.addWidget(bar)
            grid.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(words, 1)
            self._list.addWidget(line)
            self._rows[stage] = (icon, state, detail, bar)
        self._paint()

    def show_progress(self, progress: Progress) -> None:
        """Shows a progress report; ignores reports of earlier stages."""
        if not self._stages:
            return  # a report of a job that ended before it was shown
        stage = _PART_OF.get(progress.stage, progress.stage)
        if stage == "load":
            stage = self._stages[min(self._at + 1, len(self._stages) - 1)] if self._at < 0 else self._stages[self._at]
        if stage not in self._rows or self._stages.index(stage) < self._at:
            return
        if self._stages.index(stage) > self._at:
            self._at = self._stages.index(stage)
            self._paint()
        _, _, detail, bar = self._rows[stage]
        spoken = progress.message if progress.stage != "transcribe" else ""
        if progress.fraction is None:
            bar.setRange(0, 0)
            detail.setText(spoken)
        else:
            bar.setRange(0, 100)
            bar.setValue(round(progress.fraction * 100))
            detail.setText(spoken or f"{progress.fraction:.0%}")

    def _paint(self) -> None:
        for position, stage in enumerate(self._stages):
            icon, state, detail, bar = self._rows[stage]
            done, running = position < self._at, position == self._at
            name, colour = (
                ("confirmed", "confirmed") if done else ("running", "accent") if running else ("waiting", "disabled")
            )
            icon.setPixmap(self._theme.icon(name, colour).pixmap(22, 22))
            restyle(state, "role", "heading" if running else "" if done else "muted")
            if done:
                bar.setRange(0, 100)
                bar.setValue(100)
                detail.setText("done")


class WorkStrip(QFrame):
    """The progress of a job in one line at the bottom of the window, whatever page is shown.

    Signals:
        cancel_asked: stop the running job.
    """

    cancel_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 0, 0)
        layout.setSpacing(14)
        self._words = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self.cancel = button(
            "Cancel",
            theme.icon("stop", "rejected"),
            tip="Stop processing; it can be resumed later (Ctrl+.)",
            clicked=self._ask,
        )
        layout.addWidget(self._words)
        layout.addWidget(self._bar, 1)
        layout.addWidget(self.cancel)
        self.job: AnyJob | None = None
        self._what = ""
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def start(self, job: AnyJob, what: str) -> None:
        """Shows a job that has started or is about to."""
        self.job, self._what = job, what
        self._words.setText(f"{what}: starting…")
        self._bar.setRange(0, 0)
        self.cancel.setEnabled(True)
        self.show()

    def rename(self, what: str) -> None:
        """Changes the description of the job, once its patient is known."""
        self._words.setText(self._words.text().replace(self._what, what, 1))
        self._what = what

    def stop(self) -> None:
        """Hides the line, since no job is running."""
        self.job = None
        self.hide()

    def set_short(self, *, short: bool) -> None:
        """Leaves most of the width to what is beside the line, or takes its own again."""
        self._words.setHidden(short)
        self._bar.setMaximumWidth(_SHORT_BAR if short else QWIDGETSIZE_MAX)

    def show_progress(self, progress: Progress) -> None:
        if not self.cancel.isEnabled():
            return
        self._words.setText(f"{self._what}: {STAGE_WORDS.get(progress.stage, progress.stage).lower()}")
        if progress.fraction is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, 100)
            self._bar.setValue(round(progress.fraction * 100))

    def _ask(self) -> None:
        self._words.setText(f"{self._what}: stopping…")
        self._bar.setRange(0, 0)
        self.cancel.setEnabled(False)
        self.cancel_asked.emit()
