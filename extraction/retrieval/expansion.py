"""Which sentences a row is asked about: those of each line or wound, those of each time, none about somebody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from extraction.flowsheet.naming.instance_families import Family, family_by_row
from extraction.language.sentences import Segment
from extraction.preparation.instance_assignment import InstancePlan
from extraction.preparation.moment import Moment
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema


def for_each_instance(reduced: ReducedSchema, plan: InstancePlan) -> ReducedSchema:
    """Asks each row of a family once for each instance in the text.

    Each question uses the sentences about that instance, whichever sibling row they retrieved. A sentence about none is
    asked about only if it names the row, or if the text tells of no instance that has it.
    """
    if not plan:
        return reduced
    homes = family_by_row(plan.families)
    by_id = {candidate.row_id: candidate for candidate in reduced.candidates}
    candidates: list[Candidate] = []
    done: set[tuple[str, str]] = set()
    for candidate in reduced.candidates:
        home = homes.get(candidate.row_id)
        if home is None:
            candidates.append(candidate)
        elif (home[0].name, home[1]) not in done:
            done.add((home[0].name, home[1]))
            candidates += _for_each_instance(by_id, candidate, *home, plan)
    return replace(reduced, candidates=tuple(candidates))


def _for_each_instance(
    by_id: Mapping[str, Candidate], best: Candidate, family: Family, rest: str, plan: InstancePlan
) -> Iterator[Candidate]:
    siblings = [by_id[rows[rest].id] for rows in family.rows.values() if rest in rows and rows[rest].id in by_id]
    hits: dict[int, list[Hit]] = {}
    for hit in (hit for one in (best, *siblings) for hit in one.hits):
        hits.setdefault(hit.segment, []).append(hit)
    numbers: dict[int, list[Hit]] = {}
    for segment, found in hits.items():
        one = plan.assigned.get((segment, family.name))
        if one and one.number is not None:
            numbers.setdefault(one.number, []).append(found[0])
    for number, found in numbers.items():
        if row := family.rows[number].get(rest):
            asked = by_id.get(row.id, best)
            yield replace(asked, hits=tuple(sorted(found, key=lambda hit: -hit.fit)))
    settled = {hit.segment for found in numbers.values() for hit in found}
    for sibling in siblings:
        left = tuple(hit for hit in sibling.hits if hit.segment not in settled)
        if left and (not settled or any(hit.names_row for hit in left)):
            yield replace(sibling, hits=left)


def for_each_time(reduced: ReducedSchema, segments: Sequence[Segment], moments: Sequence[Moment]) -> ReducedSchema:
    """Asks each row once for each time at which sentences name it."""
    if not any(one.at for one in moments):
        return reduced
    times = {segment.index: _time_of(segment, moments) for segment in segments}
    candidates: list[Candidate] = []
    for candidate in reduced.candidates:
        columns: dict[dt.datetime | None, list[Hit]] = {}
        for hit in candidate.hits:
            columns.setdefault(times[hit.segment], []).append(hit)
        own = times[candidate.segment]
        named = [hits for at, hits in columns.items() if at == own or any(hit.names_row for hit in hits)]
        candidates += [replace(candidate, hits=tuple(hits)) for hits in named] if len(named) > 1 else [candidate]
    return replace(reduced, candidates=tuple(candidates))


def without_sentences(reduced: ReducedSchema, sentences: Collection[int], rows: Collection[str]) -> ReducedSchema:
    """Asks about these sentences the given rows alone."""
    candidates = (
        candidate
        if candidate.row_id in rows
        else replace(candidate, hits=tuple(hit for hit in candidate.hits if hit.segment not in sentences))
        for candidate in reduced.candidates
    )
    return replace(reduced, candidates=tuple(candidate for candidate in candidates if candidate.hits))


def _time_of(segment: Segment, moments: Sequence[Moment]) -> dt.datetime | None:
    """The only time in a sentence; None if there is none or more than one."""
    at = {one.at for one in moments if not one.planned and segment.start <= one.start < segment.end}
    return at.pop() if len(at) == 1 else None
