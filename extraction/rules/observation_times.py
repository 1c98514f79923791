"""Rule step: each value gets the time of observation that its own sentence says
(`extraction.preparation.observation_times`).

A value of a sentence with one time has that time. Where a sentence says several, a value has the one of its own clause,
else the last one before it, else the next one. Rows that record a time themselves have it as their value and get none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.preparation.observation_times import Moment, named_time, observed
from extraction.rules.changes import Change, flagged, promoted


def observation_times(text: str, schema: Schema, proposals: Proposals, moments: Sequence[Moment]) -> Iterator[Change]:
    """Each value gets its time of observation; nothing changes where the text says none.

    A time that was held back is proposed after all where its own clause names its row (`named_time`).
    """
    if not moments:
        return
    taken = {one.row_id for one in proposals.values}
    for value in (*proposals.values, *proposals.unlikely):
        timed_value = observed(text, schema.row(value.row_id), value, moments)
        if value.row_id not in taken and _is_named(text, schema.row(value.row_id), value, moments):
            taken.add(value.row_id)
            yield promoted(value, timed_value)
        elif timed_value is not value:
            yield flagged(value, value=timed_value)


def _is_named(text: str, row: Row, value: FilledValue, moments: Sequence[Moment]) -> bool:
    """Whether a held back time was said in the clause that names its row, as something that has happened."""
    said = next((one for one in moments if one.start < value.evidence.end and value.evidence.start < one.end), None)
    if said is None or said.planned:
        return False
    shift, end = said.sentence
    place = named_time(row, text[shift:end])
    return place is not None and place[0] + shift < said.end and said.start < place[1] + shift
