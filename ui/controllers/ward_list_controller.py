"""Imports the ward list: asks for the file, shows the changes, and makes them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from app.services.engine.job_lanes import Job
from app.services.patients.jobs import WardPlan
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.file_choice import choose_file
from ui.dialogs.ward_list import WardListDialog
from ui.kit.responsive_layout import accepted
from ui.kit.words import plural

LIST_SUFFIXES = (".csv", ".tsv")


def is_list(path: Path) -> bool:
    """Whether a file is a ward list by its name."""
    return path.suffix.casefold() in LIST_SUFFIXES


class WardListController(Controller):
    """Plans and runs the import; each choice in the dialog starts a new planning job, and only the latest counts."""

    def __init__(self, context: WindowContext, navigation: Navigation) -> None:
        super().__init__(context)
        self._navigation = navigation
        self._dialog: WardListDialog | None = None
        self._asked: Job[Path, WardPlan] | None = None

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
            job = self._asked = self._workbench.patients.plan_import(
                path,
                day_first=day_first,
                discharging=discharging,
                recorded=recording.patient.id if recording else None,
            )
            self._jobs.watch(job, done=partial(self._planned, job), failed=partial(self._not_planned, job))

        self._dialog = dialog = WardListDialog(self._theme, path, compare, self._parent)
        compare(None, frozenset())
        yes = accepted(dialog)
        self._dialog, plan = None, dialog.plan
        if yes and plan:
            unless_unsigned(
                lambda: self._jobs.watch(
                    self._workbench.patients.import_list(plan),
                    done=lambda _: self._imported(plan),
                    failed=self._message.show_error,
                )
            )

    def _planned(self, job: Job[Path, WardPlan], plan: WardPlan) -> None:
        """Shows a plan, if it is the latest one requested."""
        if self._dialog and job is self._asked:
            self._dialog.show_plan(plan)

    def _not_planned(self, job: Job[Path, WardPlan], error: WardlightError) -> None:
        """Shows in the dialog why there is no plan."""
        if self._dialog and job is self._asked:
            self._dialog.show_error(error)

    def _imported(self, plan: WardPlan) -> None:
        """Reports how many patients were added, changed and discharged."""
        counts = {"added": len(plan.new), "changed": len(plan.changed), "discharged": len(plan.discharging)}
        done = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        left = len(plan.conflicts) + len(plan.refused)
        self._message.show_message(
            "done", f"Ward list imported: {done}.", f"{plural(left, 'line')} left out." if left else ""
        )
        self._navigation.load_overview()
