"""Passes a person's decisions on the values of the sheet shown to the workbench."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.chart.dictation_identity import refusal
from app.chart.records import UNCHANGED, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.record.errors import NotSigned
from app.record.values import ProposedValue
from app.services.review.jobs import Decision, ReviewJob
from app.services.workbench import Workbench
from extraction.flowsheet.ranges import Caution, OutOfRangeValue
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import NotObtained, Value
from extraction.language.sentences import Segment
from models.base.errors import InputError
from ui.flowsheet.detail.detail_pane import DetailPane
from ui.flowsheet.flowsheet_view import FlowsheetView
from ui.flowsheet.leftovers import LeftoversPanel
from ui.flowsheet.range_words import marked
from ui.kit.key_presses import DecisionPace
from ui.kit.words import local_minute, time_text, value_unit
from ui.patients.identity_bar import IdentityBar


class Decisions(QObject):
    """Makes decisions, asks for a second confirmation if one is needed, and shows errors.

    Args:
        sheet: returns the sheet shown.
        pace: says which key presses count.

    Signals:
        failed: an error for the message bar.
        submitted: a decision is on its way to the chart (its `ReviewJob`).
    """

    failed = Signal(object)
    submitted = Signal(object)

    def __init__(
        self,
        workbench: Workbench,
        sheet: Callable[[], Sheet | None],
        pace: DecisionPace,
        flowsheet: FlowsheetView,
        detail: DetailPane,
        leftovers: LeftoversPanel,
        identity: IdentityBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workbench, self._sheet, self._pace = workbench, sheet, pace
        self._flowsheet, self._detail, self._leftovers, self._identity = flowsheet, detail, leftovers, identity
        self._together: set[int] = set()  # ids of the values that were last accepted together
        self._deciding: set[int] = set()  # ids of values with a decision that is not saved yet
        detail.accept_asked.connect(lambda value: self.decide(value, "confirm"))
        detail.reject_asked.connect(lambda value: self.decide(value, "reject"))
        detail.reopen_asked.connect(lambda value: self.decide(value, "reopen"))
        detail.edit_asked.connect(self._edit)
        detail.replace_asked.connect(self._replace)
        leftovers.take_asked.connect(self._take)
        leftovers.reject_asked.connect(self._reject_held_back)

    def decide(self, value_id: int, action: Decision) -> None:
        """Accepts or rejects a value and goes to the next one, or takes its decision back."""
        sheet = self._sheet()
        if sheet and not (action == "confirm" and self.asks_whose()):
            reopening = action == "reopen"
            self._accept(
                value_id,
                "the button" if reopening else "Enter",
                lambda told: self._workbench.review.decide(sheet, [value_id], action, confirmed=told),
                go_on=not reopening,
            )

    def accept_confident(self, unsaved: set[int]) -> None:
        """Accepts the proposals that can be accepted together (see `ReviewService.confident`), except `unsaved`."""
        sheet = self._sheet()
        if self.asks_whose() or not sheet:
            return
        ids = set(self._workbench.review.confident(sheet)) - unsaved
        if ids and self._signed(lambda: self._workbench.review.accept_rest(sheet, ids)):
            self._together = ids

    def accepted_together(self, values: Sequence[ReviewedValue]) -> int:
        """How many of these values were accepted by the last `accept_confident`; counts them once."""
        together, self._together = self._together, set()
        return sum(value.id in together and value.status is ReviewStatus.CONFIRMED for value in values)

    def accept_sentence(self, unsaved: set[int]) -> None:
        """Accepts the value shown and the others of its sentence that stand beside it.

        If they are out of sight, they are shown instead; if one of them has an `unsaved` change, it says so.
        """
        sheet, together = self._sheet(), self._detail.together
        if not sheet or self.asks_whose() or len(together.ids) < 2:
            return
        if unsaved & {*together.ids}:
            self._detail.show_error(
                InputError("A value of this sentence has an unsaved change.", "Save or discard it.")
            )
            return
        doubtful = any(map(self._flowsheet.wants_a_look, together.ids)) or bool(self._deciding & {*together.ids})
        if not self._detail.sentence_on_screen:
            if not self._detail.show_sentence():
                self._detail.show_error(
                    InputError("The whole sentence is not visible.", "Accept its values one at a time.")
                )
        elif self._pace.allows(doubtful=doubtful) and self._signed(
            lambda: self._workbench.review.decide(sheet, together.ids, "confirm")
        ):
            self._pace.decided(doubtful=doubtful)
            self._deciding.update(together.ids)
            self._leave(go_on=True)

    def accept_readings(self, value: ReviewedValue, unsaved: set[int]) -> None:
        """Accepts all readings of the row of a value, or says which of them must be looked at first."""
        sheet = self._sheet()
        if not sheet or self.asks_whose():
            return
        ids, first = self._workbench.review.of_row(sheet, value)
        if first or unsaved & {*ids}:
            self._detail.show_error(self._not_together(sheet, first))
        elif (
            ids
            and self._pace.allows(doubtful=bool(self._deciding & {*ids}))
            and self._signed(lambda: self._workbench.review.decide(sheet, ids, "confirm"))
        ):
            self._pace.decided(doubtful=False)
            self._deciding.update(ids)
            self._leave(go_on=True)

    def _not_together(self, sheet: Sheet, first: Sequence[ReviewedValue]) -> InputError:
        """Why the readings of a row cannot be accepted together."""
        if not first:
            return InputError("A value of this row has an unsaved change.", "Save or discard it.")
        row, made = sheet.schema.row(first[0].row_id), sheet.dictation.created_at
        times = ((one, time_text(one.observed_at or local_minute(made), made)) for one in first)
        named = ", ".join(f"{marked(row, one.value, value_unit(row, one))} at {time}" for one, time in times)
        return InputError(
            f"{row.name} {named}: to check first.", "Decide about it alone, then accept the others together."
        )

    def undo(self) -> None:
        """Takes back the last step."""
        sheet = self._sheet()
        if sheet and sheet.can_undo:
            self._signed(lambda: self._workbench.review.undo(sheet))

    def add_value(
        self,
        row: Row,
        value: Value,
        unit: str | None,
        *,
        line: Segment | None = None,
        confirmed: Caution | None = None,
    ) -> None:
        """Adds a value by hand, such as one that a `line` says.

        Raises what `ReviewService.add` raises, and UnsureIdentity.
        """
        sheet = self._sheet()
        if sheet and (question := sheet.identity_question):
            raise refusal(question.naming, question.patient)
        if sheet:
            self.submitted.emit(self._workbench.review.add(sheet, row, value, unit, line=line, confirmed=confirmed))

    def chart_not_obtained(self, value_id: int, why: NotObtained) -> None:
        """Charts that a value was not obtained, at the time that it has."""
        self._edit(value_id, why, None, UNCHANGED)

    def asks_whose(self) -> bool:
        """Whether it is still open whose dictation this is; if so, moves the keyboard focus to that question."""
        sheet = self._sheet()
        if sheet is None or sheet.identity_question is None:
            return False
        self._identity.call()
        return True

    def is_deciding(self, value_id: int) -> bool:
        """Whether a decision on a value is being saved."""
        return value_id in self._deciding

    def forget_pending(self) -> None:
        """Forgets the decisions being saved, once the sheet shows them."""
        self._deciding.clear()

    def _signed(self, decide: Callable[[], ReviewJob]) -> bool:
        """Makes a decision and returns True; if nobody signs it, emits `failed`."""
        try:
            self.submitted.emit(decide())
        except NotSigned as error:
            self.failed.emit(error)
            return False
        return True

    def _take(self, held_back: ProposedValue) -> None:
        sheet, again = self._sheet(), self._leftovers.maybe.again
        if not sheet or self.asks_whose() or not self._pace.allows(doubtful=True):
            return
        try:
            self.submitted.emit(self._workbench.review.take(sheet, held_back, confirmed=again.caution))
        except OutOfRangeValue as error:
            self._pace.decided(doubtful=True)
            again.ask(error, "Enter")
        except InputError as error:
            self.failed.emit(error)
        else:
            self._pace.decided(doubtful=True)
            self._leftovers.drop(lambda other: other.row_id == held_back.row_id)

    def _reject_held_back(self, held_back: ProposedValue) -> None:
        sheet = self._sheet()
        if not sheet or not self._pace.allows(doubtful=True):
            return
        if self._signed(lambda: self._workbench.review.reject_held_back(sheet, held_back)):
            self._pace.decided(doubtful=True)
            rejected = (held_back.row_id, held_back.value)
            self._leftovers.drop(lambda other: (other.row_id, other.value) == rejected)

    def _replace(self, value_id: int, value: Value | None, unit: str | None, observed_at: str | None) -> None:
        sheet = self._sheet()
        if not sheet or self.asks_whose():
            return
        if value is None:
            self._accept(
                value_id, "P", lambda told: self._workbench.review.put_in_place(sheet, value_id, confirmed=told)
            )
        else:
            self._edit(value_id, value, unit, observed_at, replacing=True)

    def _edit(
        self, value_id: int, value: Value, unit: str | None, observed_at: str | None, *, replacing: bool = False
    ) -> None:
        sheet = self._sheet()
        if not sheet or self.asks_whose():
            return
        self._accept(
            value_id,
            "P" if replacing else "Enter",
            lambda told: self._workbench.review.edit(
                sheet, value_id, value, unit, observed_at, replacing=replacing, confirmed=told
            ),
        )

    def _accept(
        self, value_id: int, key: str, decide: Callable[[Caution | None], ReviewJob], *, go_on: bool = True
    ) -> None:
        """Makes a decision on the value shown, confirming the visible question if any; asks if one is needed.

        Does nothing if the key press came too soon to be meant for this value: see `DecisionPace`.

        Args:
            key: the key to press again, in words.
            decide: makes the decision with what was confirmed.
            go_on: go to the next value afterwards.
        """
        doubtful = value_id in self._deciding or self._flowsheet.wants_a_look(value_id)
        if not self._pace.allows(doubtful=doubtful):
            return
        try:
            self.submitted.emit(decide(self._detail.again.caution))
        except OutOfRangeValue as error:
            self._pace.decided(doubtful=True)  # gives time to read the question
            self._detail.ask_again(error, key)
        except InputError as error:
            self._detail.show_error(error)
        else:
            self._pace.decided(doubtful=doubtful)
            self._deciding.add(value_id)
            self._leave(go_on=go_on)

    def _leave(self, *, go_on: bool) -> None:
        self._detail.forget()
        if go_on:
            self._flowsheet.choose_next(decided=self._deciding)
        self._flowsheet.setFocus()
