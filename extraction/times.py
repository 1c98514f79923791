"""Rule step: each value gets the time of observation that its own sentence says (`extraction.moments`).

A value of a sentence with one time has that time. Where a sentence says several, a value has the one of its own clause,
else the last one before it, else the next one. Rows that record a time themselves have it as their value and get none.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from extraction.moments import Moment, moment_of, named_time
from extraction.propose import Proposals
from extraction.reduce import Candidate, Hit, ReducedSchema
from extraction.schema import TIME_TYPES, Row, Schema, ValueType
from extraction.segment import Segment
from extraction.values import FilledValue, Timing

_NAMED = 0.99  # share of the words of a name that must be said for another question about the row
MINUTE = "%Y-%m-%dT%H:%M"


def timed(text: str, schema: Schema, proposals: Proposals, moments: Sequence[Moment]) -> Proposals:
    """The proposals with their times of observation; untouched where the text says none.

    A time that was held back is proposed after all where its own clause names its row (`named_time`).
    """
    if not moments:
        return proposals
    values, unlikely = (
        [_timed(text, schema.row(one.row_id), one, moments) for one in part]
        for part in (proposals.values, proposals.unlikely)
    )
    taken = {one.row_id for one in values}
    named: dict[str, FilledValue] = {}
    for one in unlikely:
        if one.row_id not in taken and _is_named(text, schema.row(one.row_id), one, moments):
            named.setdefault(one.row_id, one)
    return replace(
        proposals,
        values=tuple(sorted((*values, *named.values()), key=lambda one: -one.confidence)),
        unlikely=tuple(one for one in unlikely if one not in named.values()),
    )


def at_each_time(reduced: ReducedSchema, segments: Sequence[Segment], moments: Sequence[Moment]) -> ReducedSchema:
    """The reduced schema with each row asked once for each time at which sentences name it."""
    if not any(one.at for one in moments):
        return reduced
    times = {segment.index: _time_of(segment, moments) for segment in segments}
    candidates: list[Candidate] = []
    for candidate in reduced.candidates:
        columns: dict[dt.datetime | None, list[Hit]] = {}
        for hit in candidate.hits:
            columns.setdefault(times[hit.segment], []).append(hit)
        own = times[candidate.segment]
        named = [hits for at, hits in columns.items() if at == own or max(hit.name_said for hit in hits) >= _NAMED]
        candidates += [replace(candidate, hits=tuple(hits)) for hits in named] if len(named) > 1 else [candidate]
    return ReducedSchema(tuple(candidates))


def _time_of(segment: Segment, moments: Sequence[Moment]) -> dt.datetime | None:
    """The one time that a sentence says; None where it says none or several."""
    at = {one.at for one in moments if not one.planned and segment.start <= one.start < segment.end}
    return at.pop() if len(at) == 1 else None


def _is_named(text: str, row: Row, value: FilledValue, moments: Sequence[Moment]) -> bool:
    """Whether a held back time was said in the clause that names its row, as something that has happened."""
    said = next((one for one in moments if one.start < value.evidence.end and value.evidence.start < one.end), None)
    if said is None or said.planned:
        return False
    shift, end = said.sentence
    place = named_time(row, text[shift:end])
    return place is not None and place[0] + shift < said.end and said.start < place[1] + shift


def _timed(text: str, row: Row, value: FilledValue, moments: Sequence[Moment]) -> FilledValue:
    if row.value_type in TIME_TYPES:
        return _doubted(row, value, moments)
    moment = moment_of(text, value.evidence.start, moments)
    if moment is None:
        return value
    timing = Timing(
        at=f"{moment.at:{MINUTE}}" if moment.at else None,
        since=f"{moment.since:{MINUTE}}" if moment.since else None,
        start=moment.start,
        end=moment.end,
        text=text[moment.start : moment.end],
    )
    named = timing if moment.at or moment.since or moment.problem else None  # 'now' is the time of the dictation
    return replace(value, timing=named, problems=(*value.problems, *filter(None, [moment.problem])))


def _doubted(row: Row, value: FilledValue, moments: Sequence[Moment]) -> FilledValue:
    """A row that records a time, with what is doubtful about the words it was read from."""
    said = value.evidence
    doubts = [one.problem for one in moments if one.problem and one.start < said.end and said.start < one.end]
    return replace(value, problems=(*value.problems, *doubts)) if row.value_type is not ValueType.DATE else value
