"""Importing the list of the ward: choosing the file, showing what it changes, and having it done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QFileDialog

from app.patients.ward_list_import import WardPlan
from app.system.job_lanes import Job
from models.errors import WardlightError
from ui.dialogs.ward_list import WardListDialog
from ui.kit.responsive_layout import fit_to_screen
from ui.kit.theme import Theme
from ui.kit.words import plural
from ui.shell.signing_controller import unless_unsigned

if TYPE_CHECKING:
    from ui.shell.window import MainWindow

LIST_SUFFIXES = (".csv", ".tsv")


class WardListImport:
    """The plan is made as a job, and anew with every choice; the dialog shows the last one that was asked for."""

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        self._window, self._theme = window, theme
        self._dialog: WardListDialog | None = None
        self._asked: Job | None = None

    def ask_file(self) -> None:
        """Lets the person choose the list."""
        names = f"Lists ({' '.join(f'*{suffix}' for suffix in (*LIST_SUFFIXES, '.txt'))});;All files (*)"
        path, _ = QFileDialog.getOpenFileName(self._window, "Import the ward list", "", names)
        if path:
            self.show_file(Path(path))

    def show_file(self, path: Path) -> None:
        """Shows what a list would change, and has it done if the person wants it."""
        if not self._window.workbench.ready or self._dialog:
            return

        def compare(day_first: bool | None, discharging: frozenset[int]) -> None:
            recording = self._window.recorder.recording
            self._asked = self._window.workbench.ward.plan_import(
                path,
                day_first=day_first,
                discharging=discharging,
                recorded=recording.patient.id if recording else None,
            )

        self._dialog = dialog = WardListDialog(self._theme, path, compare, self._window)
        compare(None, frozenset())
        fit_to_screen(dialog)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        self._dialog, plan = None, dialog.plan
        dialog.deleteLater()
        if accepted and plan:
            unless_unsigned(lambda: self._window.workbench.ward.import_list(plan))

    def planned(self, job: Job, plan: WardPlan) -> None:
        """Shows a plan, if it is the one that was asked for last."""
        if self._dialog and job is self._asked:
            self._dialog.show_plan(plan)

    def not_planned(self, job: Job, error: WardlightError) -> None:
        """Says in the dialog why there is no plan."""
        if self._dialog and job is self._asked:
            self._dialog.show_error(error)

    def imported(self, plan: WardPlan) -> None:
        """Says what was done."""
        counts = {"added": len(plan.new), "changed": len(plan.changed), "discharged": len(plan.discharging)}
        done = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        left = len(plan.conflicts) + len(plan.refused)
        self._window.message.show_message(
            "done", f"Ward list imported: {done}.", f"{plural(left, 'line')} left out." if left else ""
        )
        self._window.workbench.load_overview()
