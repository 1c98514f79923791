"""Review of a sheet: each call is a job and one step of undo; what it entered is checked before it is queued.

What is accepted is checked against the ranges of its row (see `extraction.flowsheet.ranges.refuse`): the impossible is
refused, and what lies outside of the plausible or critical range needs the person's second confirmation, given as
`confirmed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from app.chart.cells import rivals
from app.chart.records import KEPT, Placed, ReviewedValue, ReviewStatus
from app.chart.sheet import ReviewResult, Sheet, check
from app.system.job_lanes import Job, JobKind
from app.workspace.context import Workspace
from extraction.flowsheet.ranges import Caution, Outside, is_alarming, refuse
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.values import FilledValue, Value
from models.errors import Conflict

REVIEW = JobKind[int, ReviewResult]("review")  # of a dictation (its id)
Decision = Literal["confirm", "reject", "reopen"]
ReviewJob = Job[int, ReviewResult]


class ReviewOperations:
    """What a person decides about values; `sheet` reads a dictation as it is now."""

    def __init__(self, workspace: Workspace, sheet: Callable[[int], Sheet]) -> None:
        self._workspace, self._sheet = workspace, sheet

    def review(
        self, sheet: Sheet, value_ids: Iterable[int], action: Decision, *, confirmed: Caution | None = None
    ) -> ReviewJob:
        """Records the same decision about values of a sheet; fails where another value stands in the place of one.

        Raises InputError for accepting an impossible value, OutOfRange for one that was not confirmed a second time; so
        does the job when the value has changed meanwhile.
        """
        ids = list(value_ids)
        _outside(sheet.schema, sheet.values, ids, action, confirmed)
        signed = self._workspace.sign()

        def decide() -> None:
            outside = self._outside_now(sheet, ids, action, confirmed)
            self._workspace.store.reviews.decide_all(
                ids, action, signed, collect=self._workspace.collect, outside=outside
            )

        return self._step(sheet, decide)

    def accept_rest(self, sheet: Sheet, value_ids: Iterable[int]) -> ReviewJob:
        """Confirms those of the values that can still be accepted together when their turn has come (see `confident`).

        What was decided meanwhile is left alone.
        """
        seen, dictation_id = set(value_ids), sheet.dictation.id
        signed = self._workspace.sign()

        def accept() -> None:
            ids = [value_id for value_id in self.confident(self._sheet(dictation_id)) if value_id in seen]
            self._workspace.store.reviews.decide_all(ids, "confirm", signed, collect=self._workspace.collect)

        return self._step(sheet, accept)

    def put_in_place(self, sheet: Sheet, value_id: int, *, confirmed: Caution | None = None) -> ReviewJob:
        """Confirms a value of a sheet, and puts it in the place of what else stands there; both stay on record.

        Raises as `review` does.
        """
        _outside(sheet.schema, sheet.values, [value_id], "confirm", confirmed)
        signed = self._workspace.sign()

        def decide() -> None:
            outside = self._outside_now(sheet, [value_id], "confirm", confirmed).get(value_id)
            self._workspace.store.reviews.decide(
                value_id,
                "confirm",
                signed,
                collect=self._workspace.collect,
                replacing=True,
                outside=outside,
            )

        return self._step(sheet, decide)

    def edit(
        self,
        sheet: Sheet,
        value_id: int,
        value: Value,
        unit: str | None,
        observed_at: str | None = KEPT,
        *,
        replacing: bool = False,
        confirmed: Caution | None = None,
    ) -> ReviewJob:
        """Replaces a value, and unless it is kept the time of observation, by what a person entered; with `replacing`
        also what else stands in its place.

        Raises InputError when it cannot be a value of the row, Conflict without `replacing` when something else stands,
        OutOfRange when it was not confirmed a second time.
        """
        former = next(item for item in sheet.values if item.id == value_id)
        row = sheet.schema.row(former.row_id)
        kept, kept_unit, _ = check(row, value, unit)
        moved = observed_at not in (KEPT, former.observed_at)  # then the store knows what stands there
        others = [] if moved else [other.value for other in sheet.conflicts.get(value_id, ())]
        if not replacing and any((other.value, other.unit) != (kept, kept_unit) for other in others):
            raise Conflict(f"{row.name} is already charted with another value at this time.", "Keep it, or replace it.")

        outside = _refuse(row, kept, confirmed, former)
        signed = self._workspace.sign()

        def decide() -> None:
            self._workspace.store.reviews.decide(
                value_id,
                "edit",
                signed,
                kept,
                kept_unit,
                observed_at=observed_at,
                collect=self._workspace.collect,
                replacing=replacing,
                outside=outside,
            )

        return self._step(sheet, decide)

    def add(
        self, sheet: Sheet, row: Row, value: Value, unit: str | None, *, confirmed: Caution | None = None
    ) -> ReviewJob:
        """Adds a value for a row by hand.

        Raises InputError when it cannot be a value of the row, OutOfRange when it was not confirmed a second time.
        """
        kept, kept_unit, _ = check(row, value, unit)
        outside, dictation_id = _refuse(row, kept, confirmed), sheet.dictation.id
        signed = self._workspace.sign()
        return self._step(
            sheet,
            lambda: self._workspace.store.reviews.add(
                dictation_id, row.id, kept, kept_unit, signed, collect=self._workspace.collect, outside=outside
            ),
        )

    def take(self, sheet: Sheet, held_back: FilledValue, *, confirmed: Caution | None = None) -> ReviewJob:
        """Takes a value of `sheet.maybe` into the flowsheet, confirmed.

        Raises InputError when it cannot be a value of the row, OutOfRange when it was not confirmed a second time.
        """
        row = sheet.schema.row(held_back.row_id)
        kept, kept_unit, _ = check(row, held_back.value, None)  # it is in the row's own unit already
        filled, dictation_id = replace(held_back, value=kept, unit=kept_unit), sheet.dictation.id
        outside = _refuse(row, kept, confirmed)
        signed = self._workspace.sign()
        return self._step(
            sheet,
            lambda: self._workspace.store.reviews.take(
                dictation_id, filled, signed, collect=self._workspace.collect, outside=outside
            ),
        )

    def undo(self, sheet: Sheet) -> ReviewJob:
        """Takes back the last step."""
        signed = self._workspace.sign()

        def take_back() -> tuple[int, ...]:
            return tuple(value.id for value in self._workspace.store.reviews.undo(sheet.dictation.id, signed))

        return self._step(sheet, take_back, undoing=True)

    def _step(self, sheet: Sheet, step: Callable[[], Any], *, undoing: bool = False) -> ReviewJob:
        """Does a step of review; one that is `undoing` returns the ids of the values that it brought back."""
        dictation_id = sheet.dictation.id

        def work(job: ReviewJob) -> ReviewResult:
            done = step()
            with self._workspace.store.read_snapshot():
                values, conflicts = (
                    tuple(self._workspace.store.values.of(dictation_id)),
                    self._workspace.store.values.conflicts(dictation_id),
                )
                can_undo = self._workspace.store.reviews.can_undo(dictation_id)
                return ReviewResult(dictation_id, values, can_undo, conflicts, done if undoing else None)

        return self._workspace.sheets.submit(REVIEW, dictation_id, work)

    def confident(self, sheet: Sheet) -> list[int]:
        """Ids of the proposals that can be accepted together: neither lit, alarming nor with a problem, and alone in
        their place in the chart."""
        reasons = sheet.reasons
        apart = rivals(Placed.of(value, sheet.dictation) for value in sheet.values)
        return [
            value.id
            for value in sheet.values
            if value.status is ReviewStatus.PROPOSED
            and value.filled
            and value.id not in reasons
            and value.id not in sheet.conflicts
            and value.id not in apart
            and not value.filled.findings
            and not is_alarming(sheet.schema.row(value.row_id), value.value)
        ]

    def _outside_now(
        self, sheet: Sheet, ids: Sequence[int], action: Decision, confirmed: Caution | None
    ) -> dict[int, Outside]:
        """Outside of which ranges the values lie as they are kept now, see `_outside`."""
        return _outside(sheet.schema, self._workspace.store.values.of(sheet.dictation.id), ids, action, confirmed)


def _outside(
    schema: Schema, values: Iterable[ReviewedValue], ids: Sequence[int], action: Decision, confirmed: Caution | None
) -> dict[int, Outside]:
    """By id, the range outside of which each accepted value lies. Raises as `ReviewOperations.review` does."""
    wanted = set(ids)
    chosen = {value.id: value for value in values if value.id in wanted and _accepts(action, value)}
    found = {key: _refuse(schema.row(one.row_id), one.value, confirmed, one) for key, one in chosen.items()}
    return {key: outside for key, outside in found.items() if outside}


def _accepts(action: Decision, value: ReviewedValue) -> bool:
    """Whether an action makes a person responsible for a value; taking back the rejection of an added one does, too."""
    return action == "confirm" or (action == "reopen" and value.filled is None)


def _refuse(row: Row, value: Value, confirmed: Caution | None, former: ReviewedValue | None = None) -> Outside | None:
    """As `extraction.flowsheet.ranges.refuse`; a value that stands since a person confirmed it is not asked for
    again."""
    if confirmed is None and former and former.confirmed_outside:
        confirmed = Caution(row.id, former.value, former.confirmed_outside)
    return refuse(row, value, confirmed)
