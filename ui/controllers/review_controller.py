"""Review actions on the sheet shown that its page does not handle itself."""

from __future__ import annotations

from functools import partial

from app.services.review.jobs import ReviewJob, ReviewResult
from extraction.flowsheet.ranges import OutOfRangeValue
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment
from models.base.errors import InputError, WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.filing_controller import FilingController
from ui.controllers.identity_controller import IdentityController
from ui.controllers.navigation import Navigation
from ui.controllers.work_controller import WorkController
from ui.dialogs.add_row import AddRowDialog
from ui.dialogs.not_obtained import ask_why_not
from ui.kit.message_bar import Holds
from ui.kit.responsive_layout import accepted
from ui.kit.words import column_text, plural, value_words


class ReviewController(Controller):
    """Adds rows, undoes steps, and handles the results of review jobs."""

    def __init__(
        self,
        context: WindowContext,
        work: WorkController,
        navigation: Navigation,
        filing: FilingController,
        identity: IdentityController,
    ) -> None:
        super().__init__(context)
        self._work, self._navigation, self._filing, self._identity = work, navigation, filing, identity
        page, message, selection = self._page, self._message, self._selection
        page.add_asked.connect(self.add_row)
        page.leftovers.missing_asked.connect(self.add_row)
        page.leftovers.add_asked.connect(lambda line: self.add_row(line=line))
        page.failed.connect(lambda error: message.show_error(error, holds=selection.stays_at(selection.dictation_id)))
        page.undone.connect(lambda what, now: message.show_message("done", what, now))
        page.accepted_together.connect(self._tell_accepted)
        page.left_unsaved.connect(self._tell_unsaved)
        page.disputed.connect(self._tell_disputed)
        page.decisions.submitted.connect(self.watch)

    def add_row(self, row: Row | None = None, value: Value | None = None, line: Segment | None = None) -> None:
        """Lets the user search the schema and add a value by hand.

        Of `row` if it is given, such as a `value` that was said to it; or of what a `line` that is not charted says.
        """
        page = self._page
        if not page.sheet or not page.addable:
            return
        dialog = AddRowDialog(self._theme, page.sheet, self._parent, line=line)
        if row:
            dialog.choose(row, value)

        def add(row: Row, value: Value, unit: str | None) -> None:
            if not page.pace.allows(doubtful=False):
                return
            try:
                page.decisions.add_value(row, value, unit, line=line, confirmed=dialog.again.caution)
            except OutOfRangeValue as error:
                page.pace.decided(doubtful=True)  # gives the user time to read the question
                dialog.ask_again(error)
            except InputError as error:
                dialog.show_error(error)
            else:
                dialog.accept()

        dialog.add_asked.connect(add)
        dialog.existing_asked.connect(page.choose)
        accepted(dialog)

    def chart_not_obtained(self) -> None:
        """Asks why the chosen value was not obtained, and charts that in its place."""
        page, value = self._page, self._page.current
        if page.sheet and value and (why := ask_why_not(self._parent, page.sheet.schema.row(value.row_id))):
            page.decisions.chart_not_obtained(value.id, why)

    def undo(self) -> None:
        """Undoes the last step: the filing, the answer about whose dictation it is, or a decision."""
        if self._page.sheet and self._page.sheet.filing:
            self._filing.reopen()
        elif self._page.sheet and self._page.sheet.answered_last:
            self._identity.withdraw()
        else:
            self._page.decisions.undo()

    def show_history(self, shown: bool) -> None:
        """Shows or hides earlier assessments next to the values."""
        self._page.flowsheet.show_history(shown)
        sheet = self._page.sheet
        if shown and sheet and not self._page.flowsheet.has_past:
            until = column_text(sheet.column, sheet.column)
            self._message.show_message("done", f"Nothing was charted for these rows up to {until}.")

    def _tell_accepted(self, count: int, left: int) -> None:
        rest = f"{plural(left, 'value')} left to review." if left else "Nothing is left to review: file it (F)."
        self._message.show_message("done", f"{plural(count, 'value')} accepted.", f"{rest} U undoes it.")

    def _tell_unsaved(self, value_id: int, row: str) -> None:
        page = self._page
        self._message.show_message(
            "warning",
            f"Your change to {row} is not saved.",
            "It is kept there until you save it, or discard it with Esc.",
            action="&Back to it",
            do=lambda: page.choose(value_id),
            holds=lambda: value_id in page.unsaved,
        )

    def _tell_disputed(self, value_id: int, other_id: int) -> None:
        """Leads to an accepted value that may be wrong for the same reason as one that was corrected or rejected."""
        page, sheet = self._page, self._page.sheet
        assert sheet
        rows = {value.id: sheet.schema.row(value.row_id) for value in sheet.values}
        other = next(value for value in sheet.values if value.id == other_id)
        self._message.show_message(
            "warning",
            f"{rows[other_id].name} {value_words(rows[other_id], other)} was read from the same words "
            f"as {rows[value_id].name}.",
            "It is accepted already: check it.",
            action="&Look at it",
            do=lambda: page.choose(other_id),
            holds=self._selection.stays_at(sheet.dictation.id),
        )

    def watch(self, job: ReviewJob) -> None:
        """Shows what comes of a decision on the sheet shown."""
        self._jobs.watch(job, done=self._reviewed, failed=partial(self._not_reviewed, job.subject))

    def _reviewed(self, reviewed: ReviewResult) -> None:
        self._page.take_review(reviewed)
        if reviewed.reopened:
            self._tell_reopened(reviewed)
        if reviewed.complete:
            self._navigation.analyse_recent_reviews()
        self._navigation.load_overview()

    def _tell_reopened(self, reviewed: ReviewResult) -> None:
        """Names the filed dictation whose value was replaced in the chart, and leads there to file it again."""
        first, *others = reviewed.reopened
        names = f"{first.name} and {plural(len(others), 'other dictation')}" if others else first.name
        self._message.show_message(
            "warning",
            f"{names}: the files no longer match the chart.",
            "Reopened: file again.",
            action="&Open it",
            do=lambda: self._navigation.show_dictation(first.id),
            holds=self._until_the_next_step(reviewed.dictation_id),
        )

    def _not_reviewed(self, dictation_id: int, error: WardlightError) -> None:
        self._work.show_failure(error, self._until_the_next_step(dictation_id))
        if self._selection.dictation_id:
            self._navigation.load_sheet(self._selection.dictation_id)

    def _until_the_next_step(self, dictation_id: int) -> Holds:
        """Returns a condition that holds until another dictation is shown or the next review step succeeds."""
        page, steps = self._page, self._page.steps
        return lambda: self._selection.dictation_id == dictation_id and page.steps == steps
