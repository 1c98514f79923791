"""Enables the window's actions that can be used now."""

from __future__ import annotations

from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget

from app.chart.sheet import Sheet
from app.services.workbench import Workbench
from ui.controllers.filing_controller import FilingController
from ui.kit.responsive_layout import Pages
from ui.patients.identity_bar import SpokenBar
from ui.patients.selection import Selection
from ui.review.live_page import LivePage
from ui.review.progress_views import WorkStrip
from ui.review.review_page import ReviewPage
from ui.shell.actions import Actions


class ActionStates:
    """Enables actions by what is shown. On a filed sheet, the keys of disabled actions say that it is filed."""

    def __init__(
        self,
        window: QWidget,
        workbench: Workbench,
        actions: Actions,
        selection: Selection,
        filing: FilingController,
        pages: Pages,
        page: ReviewPage,
        live: LivePage,
        spoken: SpokenBar,
        strip: WorkStrip,
    ) -> None:
        self._workbench, self._actions, self._selection = workbench, actions, selection
        self._filing, self._spoken, self._strip = filing, spoken, strip
        self._pages, self._page, self._live = pages, page, live
        shortcuts = [action.shortcut() for action in actions.changing]
        self._refused_keys = [QShortcut(keys, window) for keys in shortcuts if not keys.isEmpty()]
        for refused in self._refused_keys:
            refused.activated.connect(filing.refuse_change)
        page.asked.connect(self._do_asked)

    def update(self) -> None:
        """Enables the actions that can be used now and disables the others."""
        sheet = self._page.sheet if self._pages.currentWidget() is self._page else None
        self._update_program()
        self._update_values(sheet)
        self._update_sheet(sheet)

    def _do_asked(self, name: str) -> None:
        """Triggers the action of a flowsheet key, or says that the sheet is filed."""
        if self._page.filed_shown and self._actions.changes(name):
            self._filing.refuse_change()
        else:
            self._actions.trigger(name)

    def _update_program(self) -> None:
        ready, actions = self._workbench.ready, self._actions
        for action in (actions.open, actions.patient, actions.signer, actions.patients):
            action.setEnabled(ready)
        for action in (actions.new_patient, actions.import_list):
            action.setEnabled(ready)
        chosen = self._selection.patient if ready else None
        actions.edit_patient.setEnabled(chosen is not None)
        for action in (actions.transfer, actions.discharge):
            action.setEnabled(chosen is not None and not chosen.discharged)
        actions.readmit.setEnabled(chosen is not None and chosen.discharged)
        actions.cancel.setEnabled(not self._strip.isHidden())

    def _update_values(self, sheet: Sheet | None) -> None:
        actions, page = self._actions, self._page
        reviewable = sheet is not None and page.reviewable
        filed = sheet is not None and sheet.filing is not None
        for action in (*actions.of_value, *actions.of_conflict):
            action.setEnabled(sheet is not None and page.decidable)
        actions.sentence.setEnabled(sheet is not None and page.decidable and len(page.detail.together.ids) > 1)
        actions.of_value[-1].setEnabled(sheet is not None and page.current is not None)
        value = page.current if sheet else None
        for action in actions.of_conflict:
            action.setVisible(sheet is not None and value is not None and value.id in sheet.conflicts and not filed)
        actions.next_lit.setEnabled(reviewable and not filed and page.flowsheet.calling > 0)
        for action in (*actions.steps, actions.history):
            action.setEnabled(reviewable)
        for action in (actions.chart, actions.graph):
            action.setEnabled(reviewable or (sheet is not None and page.looks.shown is page.looks.chart))
        actions.add.setEnabled(reviewable and not filed)
        leftovers = page.leftovers
        for action, section in zip(
            (actions.maybe, actions.uncharted, actions.missing), leftovers.sections, strict=True
        ):
            action.setEnabled(reviewable and section.heading.isEnabled())

    def _update_sheet(self, sheet: Sheet | None) -> None:
        actions, page = self._actions, self._page
        filed = sheet is not None and sheet.filing is not None
        for action in (actions.file, actions.file_elsewhere):
            action.setEnabled(sheet is not None and page.reviewable and not filed)
        actions.reopen.setEnabled(filed)
        for action in actions.of_dictation:
            action.setEnabled(sheet is not None)
        for refused in self._refused_keys:
            refused.setEnabled(filed and page.filed_shown)
        actions.export.setEnabled(sheet is not None and sheet.exportable > 0)
        actions.accept_rest.setEnabled(sheet is not None and page.head.accept_all.isEnabled())
        answered = sheet is not None and sheet.identity_answer is not None
        actions.undo.setEnabled(sheet is not None and (filed or answered or sheet.can_undo))
        spoken = self._pages.currentWidget() is self._live
        asks = self._spoken.asks if spoken else sheet is not None and sheet.identity_question is not None
        for action in actions.of_identity:
            action.setEnabled(asks)
