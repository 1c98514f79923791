"""Imports the ward list: asks for the file, shows the changes, and makes them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.chart.records import Patient
from app.services.engine.job_lanes import Job
from app.services.patients.jobs import WARD_IMPORT, WARD_PLAN, WardPlan
from app.services.workbench import Workbench
from models.base.errors import WardlightError
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.file_choice import choose_file
from ui.dialogs.ward_list import WardListDialog
from ui.kit.job_answers import JobAnswers
from ui.kit.message_bar import MessageBar
from ui.kit.responsive_layout import accepted
from ui.kit.theme import Theme
from ui.kit.words import plural
from ui.recording.recorder import Recorder

LIST_SUFFIXES = (".csv", ".tsv")


def is_list(path: Path) -> bool:
    """Whether a file is a ward list by its name."""
    return path.suffix.casefold() in LIST_SUFFIXES


class WardListController(QObject):
    """Plans and runs the import; each choice in the dialog starts a new planning job, and only the latest counts."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        workbench: Workbench,
        answers: JobAnswers,
        recorder: Recorder,
        message: MessageBar,
    ) -> None:
        super().__init__(parent)
        self._parent, self._theme, self._workbench = parent, theme, workbench
        self._recorder, self._message = recorder, message
        self._dialog: WardListDialog | None = None
        self._asked: Job[Path, WardPlan] | None = None
        answers.on(WARD_PLAN, done=self._planned, failed=self._not_planned)
        answers.on(WARD_IMPORT, done=self._imported, failed=lambda _, error: message.show_error(error))

    def ask_file(self) -> None:
        """Lets the user choose the file."""
        names = f"Lists ({' '.join(f'*{suffix}' for suffix in (*LIST_SUFFIXES, '.txt'))});;All files (*)"
        if path := choose_file(self._parent, "Import the ward list", names):
            self.show_file(path)

    def show_file(self, path: Path) -> None:
        """Shows what a list would change, and imports it if the user agrees."""
        if not self._workbench.ready or self._dialog:
            return

        def compare(day_first: bool | None, discharging: frozenset[int]) -> None:
            recording = self._recorder.recording
            self._asked = self._workbench.patients.plan_import(
                path,
                day_first=day_first,
                discharging=discharging,
                recorded=recording.patient.id if recording else None,
            )

        self._dialog = dialog = WardListDialog(self._theme, path, compare, self._parent)
        compare(None, frozenset())
        yes = accepted(dialog)
        self._dialog, plan = None, dialog.plan
        if yes and plan:
            unless_unsigned(lambda: self._workbench.patients.import_list(plan))

    def _planned(self, job: Job[Path, WardPlan], plan: WardPlan) -> None:
        """Shows a plan, if it is the latest one requested."""
        if self._dialog and job is self._asked:
            self._dialog.show_plan(plan)

    def _not_planned(self, job: Job[Path, WardPlan], error: WardlightError) -> None:
        """Shows in the dialog why there is no plan."""
        if self._dialog and job is self._asked:
            self._dialog.show_error(error)

    def _imported(self, job: Job[WardPlan, list[Patient]], _: object) -> None:
        """Reports how many patients were added, changed and discharged."""
        plan = job.subject
        counts = {"added": len(plan.new), "changed": len(plan.changed), "discharged": len(plan.discharging)}
        done = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        left = len(plan.conflicts) + len(plan.refused)
        self._message.show_message(
            "done", f"Ward list imported: {done}.", f"{plural(left, 'line')} left out." if left else ""
        )
        self._workbench.dictations.load_overview()
