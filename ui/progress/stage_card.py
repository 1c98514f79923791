"""The stages of a dictation while the models work."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.services.engine.job_lanes import AnyJob
from models.base.progress import Progress
from ui.kit.responsive_layout import MinimumTextHeight
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, clear, label, restyle
from ui.kit.words import STAGE_WORDS

AUDIO_STAGES = ("transcribe", "reduce", "fill")
TEXT_STAGES = ("reduce", "fill")
# short steps, shown as part of a later stage
_PART_OF = {"index": "reduce"}


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
