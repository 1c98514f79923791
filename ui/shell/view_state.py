"""Reads what is shown, for the actions that depend on it."""

from __future__ import annotations

from dataclasses import replace

from ui.controllers.controller import WindowContext
from ui.kit.actions import ViewState
from ui.kit.responsive_layout import Pages
from ui.patients.identity_bar import SpokenBar
from ui.progress.work_strip import WorkStrip
from ui.review.live_page import LivePage


def read_view_state(
    context: WindowContext, pages: Pages, live: LivePage, spoken: SpokenBar, strip: WorkStrip
) -> ViewState:
    """What is shown now."""
    page, recorder, ready = context.page, context.recorder, context.workbench.ready
    sheet = page.sheet if pages.currentWidget() is page else None
    patient = context.selection.patient if ready else None
    state = ViewState(
        ready=ready,
        working=not strip.isHidden(),
        recordable=recorder.recording is None or recorder.running,
        recording=recorder.running,
        patient=patient is not None,
        discharged=patient is not None and patient.discharged,
        whose_asked=pages.currentWidget() is live and spoken.asks,
    )
    if sheet is None:
        return state
    value, filed, leftovers = page.current, sheet.filing is not None, page.leftovers
    return replace(
        state,
        sheet=True,
        reviewable=page.reviewable,
        filed=filed,
        charted=page.reviewable or page.looks.shown is page.looks.chart,
        value=value is not None,
        decidable=page.decidable,
        sentence=len(page.detail.together.ids) > 1,
        readings=value is not None and len(sheet.waiting(value.row_id)) > 1,
        conflict=value is not None and value.id in sheet.conflicts and not filed,
        flagged=page.flowsheet.calling > 0,
        possible_mentions=leftovers.maybe.heading.isEnabled(),
        uncharted=leftovers.uncharted.heading.isEnabled(),
        missing=leftovers.missing.heading.isEnabled(),
        confident=page.head.accept_all.isEnabled(),
        undoable=filed or sheet.identity_answer is not None or sheet.can_undo,
        exportable=sheet.exportable > 0,
        whose_asked=sheet.identity_question is not None,
    )
