"""Rule step: each value gets the time of observation that its own sentence says
(`extraction.preparation.observation_times`).

A value of a sentence with one time has that time. Where a sentence says several, a value has the one of its own clause,
else the last one before it, else the next one. Rows that record a time themselves have it as their value and get none.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import TIME_TYPES, Row, Schema, ValueType
from extraction.flowsheet.values import FilledValue, Proposals, Timing
from extraction.language.sentences import Segment
from extraction.preparation.observation_times import Moment, moment_of, named_time
from extraction.retrieval.reduction import Candidate, Hit, ReducedSchema
from extraction.rules.changes import Change, flagged, promoted

_NAMED = 0.99  # share of the words of a name that must be said for another question about the row
RULE = "time"  # its id, see `extraction.rules.engine`
MINUTE = "%Y-%m-%dT%H:%M"


def timed(text: str, schema: Schema, proposals: Proposals, moments: Sequence[Moment]) -> Iterator[Change]:
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


def observed(text: str, row: Row, value: FilledValue, moments: Sequence[Moment]) -> FilledValue:
    """The value with the time of observation that its sentence says, and what is doubtful about it."""
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
    named = timing if moment.at or moment.since or moment.finding else None  # 'now' is the time of the dictation
    return replace(value, timing=named, findings=(*value.findings, *_doubts(moment)))


def _doubts(*moments: Moment) -> list[Finding]:
    return [replace(one.finding, rule=RULE) for one in moments if one.finding]


def _doubted(row: Row, value: FilledValue, moments: Sequence[Moment]) -> FilledValue:
    """A row that records a time, with what is doubtful about the words it was read from."""
    said = value.evidence
    doubts = _doubts(*(one for one in moments if one.start < said.end and said.start < one.end))
    if not doubts or row.value_type is ValueType.DATE:
        return value
    return replace(value, findings=(*value.findings, *doubts))
