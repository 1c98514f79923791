"""Review of a sheet: each call is a job and one step of undo; entered values are checked before it is queued.

Accepted values are checked: impossible ones are refused, and those outside the plausible or critical range, or observed
at a time still to come, need a second confirmation, given as `confirmed` (see `app.services.review.cautions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.chart.cells import beside
from app.chart.lights import of_same_words
from app.chart.quotes import CONTEXT_CHARACTERS, MORE, around
from app.chart.records import UNCHANGED, Dictation, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet, check
from app.record.errors import Conflict
from app.record.values import ProposedValue
from app.services.context.workspace import Workspace
from app.services.review.cautions import refuse_unconfirmed, time_to_come
from app.services.review.jobs import REVIEW, Decision, ReviewJob, ReviewResult
from app.services.review.sheets import SheetService
from app.services.review.uncharted_values import time_said
from extraction.flowsheet.ranges import Caution, Outside, is_alarming
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment

MOST_TOGETHER = 6  # values that are judged at a glance


class ReviewService:
    """Submits a person's decisions about values."""

    def __init__(self, workspace: Workspace, sheets: SheetService) -> None:
        self._workspace, self._sheets = workspace, sheets

    def decide(
        self, sheet: Sheet, value_ids: Iterable[int], action: Decision, *, confirmed: Caution | None = None
    ) -> ReviewJob:
        """Records the same decision about values of a sheet; fails if the cell of one already holds another value.

        Raises InputError for accepting an impossible value, OutOfRange for one that needs a second confirmation; so
        does the job if the value has changed meanwhile.
        """
        ids = list(value_ids)
        self._outside(sheet, sheet.values, ids, action, confirmed)
        signed = self._workspace.sign()

        def write() -> None:
            outside = self._outside_now(sheet, ids, action, confirmed)
            self._workspace.store.reviews.decide_all(
                ids, action, signed, collect=self._workspace.collect, outside=outside
            )

        return self._step(sheet, write)

    def accept_rest(self, sheet: Sheet, value_ids: Iterable[int]) -> ReviewJob:
        """Confirms those of the values that can still be accepted together when the job runs (see `confident`).

        Values decided meanwhile are left alone.
        """
        seen, dictation_id = set(value_ids), sheet.dictation.id
        signed = self._workspace.sign()

        def accept() -> None:
            ids = [value_id for value_id in self.confident(self._sheets.read(dictation_id)) if value_id in seen]
            self._workspace.store.reviews.decide_all(ids, "confirm", signed, collect=self._workspace.collect)

        return self._step(sheet, accept)

    def put_in_place(self, sheet: Sheet, value_id: int, *, confirmed: Caution | None = None) -> ReviewJob:
        """Confirms a value of a sheet and replaces what else its cell holds; both stay on record.

        A filed dictation that it replaces a value of is reopened.

        Raises as `decide` does.
        """
        self._outside(sheet, sheet.values, [value_id], "confirm", confirmed)
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
        observed_at: str | None = UNCHANGED,
        *,
        replacing: bool = False,
        confirmed: Caution | None = None,
    ) -> ReviewJob:
        """Replaces a value and, unless KEPT, its time of observation by what a person entered.

        With `replacing`, it also replaces what else its cell holds. Raises InputError if it is not a valid value of the
        row, Conflict without `replacing` if the cell holds another value, OutOfRange if it needs a second confirmation.
        """
        former = next(item for item in sheet.values if item.id == value_id)
        row = sheet.schema.row(former.row_id)
        kept, kept_unit, _ = check(row, value, unit)
        moved = observed_at not in (UNCHANGED, former.observed_at)  # then the store checks the new cell
        others = [] if moved else [other.value for other in sheet.conflicts.get(value_id, ())]
        if not replacing and any((other.value, other.unit) != (kept, kept_unit) for other in others):
            raise Conflict(f"{row.name} is already charted with another value at this time.", "Keep it, or replace it.")

        entered_at = former.observed_at if observed_at == UNCHANGED else observed_at
        outside = self._refuse(row, kept, sheet.dictation, entered_at, confirmed, former)
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
        self,
        sheet: Sheet,
        row: Row,
        value: Value,
        unit: str | None,
        *,
        line: Segment | None = None,
        confirmed: Caution | None = None,
    ) -> ReviewJob:
        """Adds a value for a row by hand; if a `line` that is not charted says it, with its words and stated time.

        Raises InputError if it is not a valid value of the row, OutOfRange if it needs a second confirmation.
        """
        kept, kept_unit, _ = check(row, value, unit)
        quote, observed_at = (sheet.quote_of(line), time_said(sheet, line, row)) if line else (None, None)
        outside = self._refuse(row, kept, sheet.dictation, observed_at, confirmed)
        dictation_id = sheet.dictation.id
        signed = self._workspace.sign()
        return self._step(
            sheet,
            lambda: self._workspace.store.reviews.add(
                dictation_id,
                row.id,
                kept,
                kept_unit,
                signed,
                collect=self._workspace.collect,
                outside=outside,
                quote=quote,
                observed_at=observed_at,
            ),
        )

    def take(self, sheet: Sheet, held_back: ProposedValue, *, confirmed: Caution | None = None) -> ReviewJob:
        """Adds a value of `sheet.maybe` to the flowsheet, confirmed.

        Raises InputError if it is not a valid value of the row, OutOfRange if it needs a second confirmation.
        """
        row = sheet.schema.row(held_back.row_id)
        kept, kept_unit, _ = check(row, held_back.value, None)  # it is already in the row's unit
        filled, dictation_id = replace(held_back, value=kept, unit=kept_unit), sheet.dictation.id
        outside = self._refuse(row, kept, sheet.dictation, filled.observed_at, confirmed)
        signed = self._workspace.sign()
        return self._step(
            sheet,
            lambda: self._workspace.store.reviews.take(
                dictation_id, filled, signed, collect=self._workspace.collect, outside=outside
            ),
        )

    def reject_held_back(self, sheet: Sheet, held_back: ProposedValue) -> ReviewJob:
        """Adds a value of `sheet.maybe` to the flowsheet, rejected."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._step(
            sheet,
            lambda: self._workspace.store.reviews.take(
                dictation_id, held_back, signed, status=ReviewStatus.REJECTED, collect=self._workspace.collect
            ),
        )

    def undo(self, sheet: Sheet) -> ReviewJob:
        """Undoes the last step."""
        signed = self._workspace.sign()

        def take_back() -> tuple[int, ...]:
            return tuple(value.id for value in self._workspace.store.reviews.undo(sheet.dictation.id, signed))

        return self._step(sheet, take_back, undoing=True)

    def _step(self, sheet: Sheet, step: Callable[[], Any], *, undoing: bool = False) -> ReviewJob:
        """Submits a step of review; the result of one that is `undoing` has the ids of the restored values."""
        dictation_id = sheet.dictation.id

        def work(job: ReviewJob) -> ReviewResult:
            store = self._workspace.store
            filings_before = store.filings.last_change()
            done = step()
            with store.read_snapshot():
                return ReviewResult(
                    dictation_id,
                    tuple(store.values.of(dictation_id)),
                    store.reviews.can_undo(dictation_id),
                    store.values.conflicts(dictation_id),
                    done if undoing else None,
                    tuple(map(store.dictations.one, store.filings.reopened_since(filings_before))),
                )

        return self._workspace.sheets.submit(REVIEW, dictation_id, work)

    def confident(self, sheet: Sheet) -> list[int]:
        """Ids of the proposals that can be accepted together: not lit, alarming or still to come, no findings, alone in
        their cell, and not read from the words of one that is lit and undecided, since its lamp is theirs, too."""
        reasons = sheet.reasons
        lit = [value for value in sheet.values if value.id in reasons and value.status is ReviewStatus.PROPOSED]
        return [
            value.id
            for value, filled in self._free(sheet)
            if value.id not in reasons and not filled.findings and not of_same_words(value, lit)
        ]

    def of_sentence(self, sheet: Sheet, value: ReviewedValue) -> tuple[ReviewedValue, ...]:
        """The proposals that a person can judge together with a value, which comes first; empty without others.

        At most MOST_TOGETHER, else none; none with a value to check, which is looked at for itself. They were read from
        the words that are quoted with it (see `app.chart.quotes`) and have no findings; those that the models doubt are
        among them. None needs a decision of its own.
        """
        free = {one.id: one for one, _ in self._free(sheet)}
        said = sheet.evidence_of(value)
        if value.id not in free or value.id in sheet.reasons or said is None or sheet.transcript is None:
            return ()
        sentence = (said.sentence_start, said.sentence_end)
        before, after = around(sheet.transcript.text, said.start, said.end, sentence, CONTEXT_CHARACTERS)
        first, last = said.start - len(before.removeprefix(MORE)), said.end + len(after.removesuffix(MORE))
        others = [
            one
            for one in free.values()
            if one.id != value.id
            and not (one.filled and one.filled.findings)
            and (other := sheet.evidence_of(one))
            and (other.sentence_start, other.sentence_end) == sentence
            and first <= other.start
            and other.end <= last
        ]
        return (value, *others) if 0 < len(others) < MOST_TOGETHER else ()

    def of_row(self, sheet: Sheet, value: ReviewedValue) -> tuple[list[int], list[ReviewedValue]]:
        """The proposals of the row of a value, and those of them that keep all from being accepted together: to check,
        or in need of a decision of their own.
        """
        waiting = sheet.waiting(value.row_id)
        free = {one.id for one, _ in self._free(sheet)} - sheet.reasons.keys()
        return [one.id for one in waiting], [one for one in waiting if one.id not in free]

    def _outside_now(
        self, sheet: Sheet, ids: Sequence[int], action: Decision, confirmed: Caution | None
    ) -> dict[int, Outside]:
        """As `_outside`, for the values as they are stored now."""
        return self._outside(sheet, self._workspace.store.values.of(sheet.dictation.id), ids, action, confirmed)

    def _outside(
        self,
        sheet: Sheet,
        values: Iterable[ReviewedValue],
        ids: Sequence[int],
        action: Decision,
        confirmed: Caution | None,
    ) -> dict[int, Outside]:
        """The range that each accepted value lies outside of, by id, if any. Raises as `decide` does."""
        wanted = set(ids)
        chosen = {value.id: value for value in values if value.id in wanted and _accepts(action, value)}
        found = {
            key: self._refuse(sheet.schema.row(one.row_id), one.value, sheet.dictation, one.observed_at, confirmed, one)
            for key, one in chosen.items()
        }
        return {key: outside for key, outside in found.items() if outside}

    def _refuse(
        self,
        row: Row,
        value: Value,
        dictation: Dictation,
        observed_at: str | None,
        confirmed: Caution | None,
        former: ReviewedValue | None = None,
    ) -> Outside | None:
        """As `refuse_unconfirmed`, by the clock of the store."""
        return refuse_unconfirmed(row, value, dictation, observed_at, self._workspace.store.now(), confirmed, former)

    def _free(self, sheet: Sheet) -> Iterator[tuple[ReviewedValue, ProposedValue]]:
        """The proposals that need no decision of their own: alone in their cell, not alarming or still to come."""
        several, now = beside(sheet.placed), self._workspace.store.now()
        for value in sheet.values:
            if (
                value.status is ReviewStatus.PROPOSED
                and value.filled
                and value.id not in sheet.conflicts
                and value.id not in several
                and not is_alarming(sheet.schema.row(value.row_id), value.value)
                and not time_to_come(sheet.dictation, value.observed_at, now)
            ):
                yield value, value.filled


def _accepts(action: Decision, value: ReviewedValue) -> bool:
    """Whether an action accepts a value, which includes reopening a rejected one that was added by hand."""
    return action == "confirm" or (action == "reopen" and value.filled is None)
