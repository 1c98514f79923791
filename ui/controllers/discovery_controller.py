"""Shows what has no row, and carries out what is decided about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.services.discovery.decisions_file import Decisions
from app.services.discovery.jobs import DISCOVER, Found
from app.services.engine.job_lanes import AnyJob, Job, JobProgress
from extraction.discovery.discover import Unplaced
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.file_choice import choose_new_file
from ui.discovery.no_row_dialog import NoRowDialog
from ui.discovery.row_form import AliasForm, RowForm
from ui.kit.responsive_layout import accepted, fit_to_screen


class DiscoveryController(Controller):
    """Attributes: `dialog`: the open page; None if there is none."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self.dialog: NoRowDialog | None = None
        self._looking: AnyJob | None = None
        self._jobs.on(JobProgress, self._follow)

    def show_page(self) -> None:
        """Opens the page and returns at once; if it is open already, activates it."""
        if self.dialog:
            self.dialog.activateWindow()
            return
        dialog = self.dialog = NoRowDialog(self._theme, self._parent, can_look=self._workbench.discovery.can_look)
        dialog.look_asked.connect(self._look)
        dialog.stop_asked.connect(self._stop)
        dialog.row_asked.connect(self._make_row)
        dialog.alias_asked.connect(self._make_alias)
        dialog.ignore_asked.connect(lambda one: self._decide(lambda: self._workbench.discovery.ignore(one.name)))
        dialog.undo_asked.connect(lambda: self._decide(self._workbench.discovery.undo))
        dialog.save_asked.connect(self._save)
        dialog.finished.connect(self._let_go)
        fit_to_screen(dialog)
        dialog.open()

    def _look(self) -> None:
        assert self.dialog
        self.dialog.show_looking()
        self._looking = self._jobs.watch(
            self._workbench.discovery.look(), done=self._show_found, failed=self._tell, stopped=self._stopped
        )

    def _make_row(self, one: Unplaced) -> None:
        form = RowForm(one, self.dialog)
        if accepted(form):
            name, kind, unit, options = form.name.text(), form.type, form.unit.text(), form.option_names
            self._decide(lambda: self._workbench.discovery.make_row(one.name, name, kind, unit, options))

    def _make_alias(self, one: Unplaced) -> None:
        assert self.dialog
        assert self.dialog.found
        form = AliasForm(self._theme, one, self.dialog.found.schema, self.dialog)
        if accepted(form) and (row_id := form.row_id):
            self._decide(lambda: self._workbench.discovery.make_alias(one.name, row_id))

    def _decide(self, decide: Callable[[], Job[Any, Decisions]]) -> None:
        unless_unsigned(lambda: self._jobs.watch(decide(), done=self._show_decisions, failed=self._tell))

    def _save(self) -> None:
        dialog = self.dialog
        name = "flowsheet-with-proposals.json"
        if dialog and (path := choose_new_file(dialog, "Save the template", "Flowsheet template (*.json)", name)):
            self._jobs.watch(
                self._workbench.discovery.save_schema(path),
                done=lambda saved: self._message.show_message(
                    "done", f"{saved.name} is saved.", "Choose it as the flowsheet template in the settings to use it."
                ),
                failed=self._tell,
            )

    # results

    def _follow(self, event: JobProgress) -> None:
        if self.dialog and event.job is self._looking and event.job.kind == DISCOVER:
            self.dialog.show_progress(event.progress)

    def _show_found(self, found: Found) -> None:
        if self.dialog:
            self.dialog.show_found(found)

    def _show_decisions(self, decisions: Decisions) -> None:
        if self.dialog and self.dialog.found:
            self.dialog.show_decisions(replace(self.dialog.found, decisions=decisions))

    def _tell(self, error: WardlightError) -> None:
        if self.dialog:
            self.dialog.show_error(error)
        else:
            self._message.show_error(error)

    def _stopped(self) -> None:
        if self.dialog:
            self.dialog.show_stopped()

    def _stop(self) -> None:
        if self._looking:
            self._looking.cancel()

    def _let_go(self) -> None:
        self._stop()
        if self.dialog:
            self.dialog.deleteLater()
        self.dialog = None
