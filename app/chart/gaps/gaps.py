"""Rows that a dictation lacks, in the order in which they are worth a look before it is filed.

A row is offered if the template requires it, if words that are in no value seem to say it, if the patient's last
assessment has it, or if the ward charts it regularly. Nothing is offered that a person dismissed for this dictation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from app.chart.gaps.habits import ChartingHabits
from app.chart.gaps.said_rows import charted_rows
from app.chart.records import ChartEntry
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Row

SHOWN_FIRST = 8
# How likely a row must be charted to be offered because the ward does so.
LEAST_EXPECTED = 0.4
# Words that name a row and state a value of it weigh as much as a row that every other assessment has.
_STATED = 0.5
# A reading that was held back is offered from this confidence on.
_LEAST_CONFIDENCE = 0.2


class GapReason(StrEnum):
    """Why a row is offered."""

    REQUIRED = "required"
    SAID = "said, not charted"
    LAST_TIME = "in the last assessment"
    USUAL = "usual on this ward"


@dataclass(frozen=True, slots=True)
class Gap:
    """A row that a dictation lacks.

    Attributes:
        reasons: at least one, in the order of `GapReason`.
        expected: how likely the row is to be charted, 0 to 1; see `ChartingHabits.expected`.
        last: its last value in this stay, before the dictation; None if there is none.
    """

    row: Row
    reasons: tuple[GapReason, ...]
    expected: float
    last: ChartEntry | None = None


def gaps_of(
    sheet: Sheet, habits: ChartingHabits, stated: Collection[str] = (), dismissed: Collection[str] = ()
) -> tuple[Gap, ...]:
    """What a sheet lacks: required rows first, then what is likeliest to be charted; dismissed rows are left out.

    Args:
        habits: what the ward's filed dictations of this flowsheet chart.
        stated: ids of rows that words in no value name and state a value of.
        dismissed: ids of rows that a person does not want to be reminded of.
    """
    there = charted_rows(sheet)
    stay = [one for one in sheet.others if one.encounter_id == sheet.dictation.encounter_id]
    before = [one for one in stay if one.assessed_at < sheet.dictation.created_at]
    charted_in: defaultdict[str, set[int]] = defaultdict(set)
    for one in before:
        charted_in[one.value.row_id].add(one.value.dictation_id)
    assessments = len({one.value.dictation_id for one in before})
    latest = max(before, key=lambda one: (one.assessed_at, one.value.dictation_id), default=None)
    last_assessment = latest.value.dictation_id if latest else None
    said = _said(sheet, stated)
    found = []
    for row in sheet.schema.rows:
        if row.id in there or row.id in dismissed or row.formula is not None or row.unit_of is not None:
            continue
        own = charted_in.get(row.id, set())
        usual = habits.expected(row.id, charted=len(own), assessments=assessments)
        reasons = {
            GapReason.REQUIRED: row.required,
            GapReason.SAID: row.id in said,
            GapReason.LAST_TIME: last_assessment in own,
            GapReason.USUAL: usual >= LEAST_EXPECTED,
        }
        given = tuple(reason for reason, holds in reasons.items() if holds)
        if given:
            found.append(Gap(row, given, max(usual, said.get(row.id, 0.0)), _last(sheet, row)))
    return tuple(sorted(found, key=lambda gap: (not gap.row.required, -gap.expected)))


def _said(sheet: Sheet, stated: Collection[str]) -> dict[str, float]:
    """By id, the rows that words in no value seem to say, and how likely they do."""
    found = {one.row_id: one.confidence for one in reversed(sheet.maybe) if one.confidence >= _LEAST_CONFIDENCE}
    for row_id in stated:
        found[row_id] = max(_STATED, found.get(row_id, 0.0))
    return found


def _last(sheet: Sheet, row: Row) -> ChartEntry | None:
    """The last value of a row in this stay up to the dictation."""
    own = [one for one in sheet.earlier.of(row.id) if one.encounter_id == sheet.dictation.encounter_id]
    return own[-1] if own else None
