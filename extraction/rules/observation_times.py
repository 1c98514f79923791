"""Rule: gives each value the time of observation stated in its sentence (`extraction.preparation.observation_times`).

If a sentence states several times, a value gets the one in its own clause, else the last one before it, else the next
one. Rows that record a time have it as their value and get none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.preparation.moment import Moment
from extraction.preparation.observation_times import named_time, observed
from extraction.rules.changes import Change, flagged, promoted


def observation_times(text: str, schema: Schema, proposals: Proposals, moments: Sequence[Moment]) -> Iterator[Change]:
    """Adds the stated times of observation to all values.

    A held-back time is proposed after all if its own clause names its row (`named_time`).
    """
    if not moments:
        return
    taken = {one.row_id for one in proposals.values}
    for value in (*proposals.values, *proposals.held_back):
        timed_value = observed(text, schema.row(value.row_id), value, moments)
        if value.row_id not in taken and _names_its_row(text, schema.row(value.row_id), value, moments):
            taken.add(value.row_id)
            yield promoted(value, timed_value)
        elif timed_value is not value:
            yield flagged(value, value=timed_value)


def _names_its_row(text: str, row: Row, value: FilledValue, moments: Sequence[Moment]) -> bool:
    """Whether a held-back time was said in the clause that names its row, and is not planned."""
    said = next((one for one in moments if one.start < value.evidence.end and value.evidence.start < one.end), None)
    if said is None or said.planned:
        return False
    shift, end = said.sentence
    place = named_time(row, text[shift:end])
    return place is not None and place[0] + shift < said.end and said.start < place[1] + shift
