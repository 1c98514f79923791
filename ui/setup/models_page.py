"""The models page of the first-run assistant: which are missing, their sizes, and how to install them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.services.engine.engine import ModelState
from app.services.engine.job_lanes import (
    JobEvent,
    JobFailed,
    JobFinished,
    JobProgress,
    JobQueued,
    JobStarted,
    JobStopped,
)
from ui.dialogs.file_choice import MODEL_FILES, choose_folder
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, IconLabel, button, label
from ui.kit.words import ROLE_WORDS, size_text
from ui.setup.assistant_page import AssistantPage

_WITHOUT = {
    "speech": "recordings are not transcribed; texts can be opened",
    "filler": "no values are proposed",
    "embedder": "no values are proposed",
}


class ModelsPage(AssistantPage):
    """The models that the settings choose.

    Signals:
        install_asked: install a model (its id, and the folder to take it from; None for the network).
        cancel_asked: stop the installation.
    """

    name, title = "Models", "Speech and language models"
    about = (
        "They run only on this computer and are installed once. Nothing is downloaded until you press Download; "
        "each file is verified before use."
    )
    install_asked = Signal(str, object)
    cancel_asked = Signal()

    def __init__(self, theme: Theme, models: Sequence[ModelState], folder: Path) -> None:
        super().__init__()
        self._lines = {model.id: _ModelLine(theme, model) for model in models}
        self._under_way: list[str] = []  # ids of models that are being installed
        # models to install afterwards, one by one, so that a failure such as a full disk stops the rest
        self._waiting: list[tuple[str, Path | None]] = []
        box = QFrame()
        box.setObjectName("card")
        inside = QVBoxLayout(box)
        inside.setContentsMargins(14, 10, 14, 10)
        inside.setSpacing(10)
        for line in self._lines.values():
            inside.addWidget(line)
        self.body.addWidget(box)
        self.download = button(
            "&Download", theme.icon("download", "on_accent"), kind="primary", clicked=lambda: self._install(None)
        )
        self.bring = button(
            "&From a folder or USB drive…",
            theme.icon("folder"),
            tip="Install the models from a folder, without a network",
            clicked=self._choose_folder,
        )
        self.cancel = button(
            "C&ancel",
            theme.icon("stop", "rejected"),
            tip="Stop; progress so far is kept",
            clicked=self._cancel,
        )
        buttons = QHBoxLayout()
        for each in (self.download, self.bring, self.cancel):
            buttons.addWidget(each)
        buttons.addStretch(1)
        self.body.addLayout(buttons)
        self.error = label(role="error", wrap=True)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note = label(role="small", wrap=True)
        self.body.addWidget(self.error)
        self.body.addWidget(self.note)
        self.body.addWidget(label(f"Stored in {folder}.", "small", wrap=True))
        self.body.addStretch(1)
        self.error.hide()
        self._show()

    @property
    def missing(self) -> list[ModelState]:
        """The models that are not installed completely and undamaged."""
        return [line.model for line in self._lines.values() if line.model.status != "installed"]

    @property
    def ready(self) -> bool:
        return bool(self._lines) and not self.missing

    @property
    def state(self) -> str:
        if not self._lines:
            return "Not checked yet"
        if self._busy:
            return "Installing"
        return f"{len(self.missing)} of {len(self._lines)} missing" if self.missing else "All installed"

    @property
    def without(self) -> str:  # type: ignore[override]  # it depends on what is missing
        if self._busy:
            return "Installation continues when you leave this page. Until then, recordings are kept and filled later."
        left = {_WITHOUT[model.role]: ROLE_WORDS[model.role] for model in self.missing}
        words = "; ".join(f"without “{role}”, {what}" for what, role in left.items())
        return f"{words[:1].upper()}{words[1:]}. Recordings are kept and filled later." if words else ""

    @property
    def under_way(self) -> bool:
        return self._busy

    @property
    def first(self) -> QWidget | None:
        return self.download if self.missing and not self._busy else None

    @property
    def _busy(self) -> bool:
        return bool(self._under_way or self._waiting)

    def hand_over(self) -> None:
        """Requests all waiting models at once, since the page is closing and cannot request them one by one."""
        waiting, self._waiting = self._waiting, []
        for model_id, folder in waiting:
            self.install_asked.emit(model_id, folder)

    def show_models(self, models: Sequence[ModelState]) -> None:
        """Shows the current states of models."""
        for model in models:
            if model.id in self._lines:
                self._lines[model.id].model = model
        self._show()

    def take(self, event: JobEvent) -> None:
        """Shows an event of a model's installation; ignores other jobs."""
        job = event.job
        if job.subject not in self._lines:
            return
        line = self._lines[job.subject]
        match event:
            case JobQueued():
                self._under_way.append(job.subject)
                line.show_waiting()
            case JobStarted():
                line.show_progress(None, "starting…")
            case JobProgress(progress=progress):
                line.show_progress(progress.fraction, progress.message)
                return
            case JobFinished() | JobStopped() | JobFailed():
                if job.subject in self._under_way:
                    self._under_way.remove(job.subject)
                line.show_resting()
                self._end(event)
        self._show()

    def _end(self, event: JobEvent) -> None:
        if isinstance(event, JobFailed):
            self.error.setText(str(event.error))
            self.error.show()
            self._forget_waiting()
        elif isinstance(event, JobStopped):
            self.note.setText("Stopped. Progress is kept; the next download resumes from there.")
            self._forget_waiting()
        else:
            self._ask_next()

    def _cancel(self) -> None:
        self._forget_waiting()
        self.cancel_asked.emit()

    def _forget_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for model_id, _ in waiting:
            self._lines[model_id].show_resting()

    def _ask_next(self) -> None:
        if self._waiting:
            self.install_asked.emit(*self._waiting.pop(0))

    def _install(self, folder: Path | None) -> None:
        self.error.hide()
        self.note.setText("")
        self._waiting = [(model.id, folder) for model in self.missing]
        for model_id, _ in self._waiting:
            self._lines[model_id].show_waiting()
        self._ask_next()

    def _choose_folder(self) -> None:
        if folder := choose_folder(self, MODEL_FILES):
            self._install(folder)

    def _show(self) -> None:
        for line in self._lines.values():
            line.show_state()
        missing, busy = self.missing, self._busy
        left = sum(model.size - model.brought for model in missing if model.status != "damaged")
        begun = any(model.status == "partial" for model in missing)
        what = "&Resume download" if begun else "&Download"
        self.download.setText(f"{what} ({size_text(left)})" if left else what)
        self.download.setToolTip("Download, verify and install the missing models")
        self.download.setAccessibleDescription(self.download.toolTip())
        left_alone = busy and (self.download.hasFocus() or self.bring.hasFocus())
        for each in (self.download, self.bring):
            each.setVisible(bool(missing) and not busy)
        self.cancel.setVisible(busy)
        if left_alone:
            self.cancel.setFocus()
        self.changed.emit()


class _ModelLine(QWidget):
    """One model: its role, its state, and the progress of its installation."""

    def __init__(self, theme: Theme, model: ModelState) -> None:
        super().__init__()
        self._theme, self.model = theme, model
        self._icon = IconLabel(theme.icon("waiting", "muted"), 20)
        self._state, self._detail, self._bar = label(role="small"), label(role="small"), QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(f"Installing {model.title}")
        self._resting = True
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(ROLE_WORDS[model.role], "heading"))
        named = ElidedLabel("small")
        named.setText(f"{model.title}  ·  {size_text(model.size)}")
        head.addWidget(named, 1)
        head.addWidget(self._state)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addLayout(head)
        words.addWidget(self._bar)
        words.addWidget(self._detail)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        self.show_resting()

    @property
    def text(self) -> str:
        """The text shown about the model's state."""
        parts: tuple[QLabel, ...] = (self._state, self._detail)
        return " ".join(part.text() for part in parts if not part.isHidden())

    def show_state(self) -> None:
        """Shows the model's state, unless it is queued or being installed."""
        if not self._resting:
            return
        model = self.model
        here = f"{size_text(model.brought)} of {size_text(model.size)} downloaded" if model.brought else "incomplete"
        words, icon = {
            "installed": ("installed", "confirmed"),
            "missing": ("not installed", "warning"),
            "partial": (here, "warning"),
            "damaged": ("damaged: install it again", "error"),
        }[model.status]
        self._state.setText(words)
        self._icon.show_icon(self._theme.icon(icon, icon))

    def show_waiting(self) -> None:
        self._resting = False
        self._state.setText("queued")
        self._icon.show_icon(self._theme.icon("waiting", "muted"))

    def show_progress(self, fraction: float | None, words: str) -> None:
        """Shows the progress of the installation; `fraction` is None if unknown."""
        self._resting = False
        self._icon.show_icon(self._theme.icon("running", "accent"))
        self._state.setText("" if fraction is None else f"{fraction:.0%}")
        self._detail.setText(words)
        self._bar.setRange(0, 0 if fraction is None else 1000)
        self._bar.setValue(round(1000 * (fraction or 0.0)))
        self._bar.show()
        self._detail.show()

    def show_resting(self) -> None:
        """Shows the model's state, without progress."""
        self._resting = True
        self._bar.hide()
        self._detail.hide()
        self.show_state()
