"""Rule step: which of several lines or wounds a sentence speaks of, by site and side.

Nurses name what exists more than once (see `extraction.flowsheet.naming.instance_families`) by its place ("the right
forearm IV"). The instances of a family are told apart by the site and side that stand confirmed for the same stay, and
by those that the dictation says. Each sentence about a family is given to one instance before the rows are asked, and
what is read from it is charted there:

- a number that was said decides ("wound 2", "the second IV");
- else the one instance whose site and side do not contradict what was said;
- else, for a place that is not known yet, the first instance without one;
- a sentence that goes on about it ("Its dressing is stained") stays with the last one, as does a part of one sentence
  ("and an 18 gauge in the left wrist", see `extraction.preparation.sentence_parts`);
- a sentence without a place belongs to the only instance that there is or that is known, "both" to the two known ones.

Left and right are never taken for one. What stays in doubt is charted with the doubt in words. Sentences about nothing
of this kind are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import Family, families_of
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Value
from extraction.language.body_sites import NO_PLACE, Place, place_in, place_spans, sides_in
from extraction.language.sentences import Segment
from extraction.preparation.sentence_parts import goes_on
from extraction.retrieval.reduction import Candidate, Hit, ReducedSchema
from extraction.rules.changes import Change, added, flagged

if TYPE_CHECKING:
    from extraction.filling.task import Reading
    from extraction.flowsheet.values import Proposals

_LONGEST_PLACE = 4  # words
_GOES_ON = re.compile(r"\s*(?:it|its|the\s+(?:site|dressing|bed|edges|drainage|skin\s+around\s+it))\b", re.IGNORECASE)
_SEVERAL_NAMED = Finding("several_named")
_ALL = re.compile(r"\b(both|all)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assigned:
    """The instance that a sentence speaks of, and why that is doubtful.

    Attributes:
        number: None where none can be told.
        place: where it is, said here for the first time; empty where that is known already, or was not said.
        also: further instances that the same is said of.
    """

    number: int | None
    doubt: Finding | None = None
    place: Place = NO_PLACE
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Which instance of each family each sentence speaks of, by index of the sentence and name of the family."""

    families: tuple[Family, ...] = ()
    assigned: Mapping[tuple[int, str], Assigned] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.assigned)


NO_PLAN = Plan()


def plan_of(schema: Schema, segments: Sequence[Segment], known: Mapping[str, Value]) -> Plan:
    """The instance that each sentence speaks of; `known` are the confirmed values of the stay, by row id."""
    families = families_of(schema)
    assigned: dict[tuple[int, str], Assigned] = {}
    for family in families:
        places = _known_places(family, known)
        last: tuple[Segment, Assigned] | None = None
        for segment in segments:
            one = _assign(family, segment, places, last)
            if one is not None:
                assigned[segment.index, family.name] = one
                last = (segment, one)
    return Plan(families, assigned)


def _assign(
    family: Family,
    segment: Segment,
    places: dict[int, Place],
    last: tuple[Segment, Assigned] | None,
) -> Assigned | None:
    """The instance of one sentence; `places` learns the places that are said for the first time, `last` is the former
    sentence about the family with its instance."""
    if not family.mention(segment.text):
        if last is None or last[0].index != segment.index - 1:
            return None
        if goes_on(family, last[0], segment):
            return _by_place(family, place_in(segment.text), places)
        return replace(last[1], place=NO_PLACE) if _GOES_ON.match(segment.text) else None
    said = place_in(segment.text)
    numbers = [number for number in family.numbers_said(segment.text) if number in family.rows]
    if numbers:
        if len(numbers) > 1:
            return Assigned(None, _SEVERAL_NAMED)
        new = said if not places.get(numbers[0]) else NO_PLACE
        if new:
            places[numbers[0]] = new
        return Assigned(numbers[0], place=new)
    if len(sides_in(segment.text)) > 1:
        return Assigned(None, Finding("both_sides_said"))
    if said:
        return _by_place(family, said, places)
    known = [number for number, place in places.items() if place]
    if (all_said := _ALL.search(segment.text)) and family.several(segment.text):
        if len(known) > 1 and (len(known) == 2 or all_said.group().lower() == "all"):
            return Assigned(known[0], also=tuple(known[1:]))
        return Assigned(None, _SEVERAL_NAMED)
    return _without_place(family, known, last)


def _by_place(family: Family, said: Place, places: dict[int, Place]) -> Assigned:
    fitting = [number for number, place in places.items() if place and not place.contradicts(said)]
    free = [number for number in family.rows if not places.get(number)]
    if len(fitting) == 1:
        return Assigned(fitting[0])
    if fitting:
        return Assigned(fitting[0], Finding("may_be_any", (_listed(family, fitting),)))
    if free:
        places[free[0]] = said
        return Assigned(free[0], place=said)
    return Assigned(None, Finding("unknown_place", (_listed(family, list(family.rows)),)))


def _without_place(family: Family, known: Sequence[int], last: tuple[Segment, Assigned] | None) -> Assigned | None:
    if last is not None:
        return replace(last[1], place=NO_PLACE)
    if len(family.rows) == 1:
        return Assigned(min(family.rows))
    if len(known) < 2:
        return Assigned(known[0]) if known else None
    return Assigned(known[0], Finding("may_be_any", (_listed(family, known),)))


def _listed(family: Family, numbers: Sequence[int]) -> str:
    return ", ".join(f"{family.name} {number}" for number in numbers)


def _known_places(family: Family, known: Mapping[str, Value]) -> dict[int, Place]:
    places = {}
    for number, rows in family.rows.items():
        words = " ".join(str(known[row.id]) for rest, row in rows.items() if rest in family.places and row.id in known)
        places[number] = place_in(words, written=True)
    return places


# what the plan does to the rows that are asked, and to what is read


def placed(reduced: ReducedSchema, plan: Plan) -> ReducedSchema:
    """The reduced schema with each row of a family asked once for each instance that sentences speak of: about what the
    sentences of that instance say, whichever of its siblings they brought."""
    if not plan:
        return reduced
    homes = _homes(plan.families)
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
    return ReducedSchema(tuple(candidates))


def _for_each_instance(
    by_id: Mapping[str, Candidate], best: Candidate, family: Family, rest: str, plan: Plan
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
        if left := tuple(hit for hit in sibling.hits if hit.segment not in settled):
            yield replace(sibling, hits=left)


def placed_readings(plan: Plan, readings: Sequence[Reading]) -> Sequence[Reading]:
    """Each reading with the row of the instance that its sentence speaks of."""
    if not plan:
        return readings
    return [replace(reading, row=_row_for(plan, reading.row, reading.segment.index)) for reading in readings]


def _row_for(plan: Plan, row: Row, segment: int) -> Row:
    home = _homes(plan.families).get(row.id)
    if home is None:
        return row
    family, rest = home
    one = plan.assigned.get((segment, family.name))
    if one is None or one.number is None or rest not in family.rows[one.number]:
        return row
    return family.rows[one.number][rest]


def settled(plan: Plan, segments: Sequence[Segment], proposals: Proposals) -> Iterator[Change]:
    """What is doubtful about the instance of a value; what was said of several is charted for each of them, and the
    place of each one that is new."""
    if not plan:
        return
    homes = _homes(plan.families)
    for value in (*proposals.values, *proposals.unlikely):
        one = _assigned_of(plan, homes, segments, value)
        if one and one.doubt:
            yield flagged(value, one.doubt)
    others = list(_of_the_others(plan, homes, segments, proposals.values))
    yield from others
    known = (*proposals.values, *(one.value for one in others if one.value))
    yield from _new_places(plan, homes, segments, known)


def _of_the_others(
    plan: Plan, homes: Mapping[str, tuple[Family, str]], segments: Sequence[Segment], values: Sequence[FilledValue]
) -> Iterator[Change]:
    """What was said of several instances at once, for those that it was not read for."""
    filled = {value.row_id for value in values}
    for value in values:
        one = _assigned_of(plan, homes, segments, value)
        family, rest = homes.get(value.row_id, (None, ""))
        for number in one.also if one and family and rest not in family.places else ():
            row = family.rows[number].get(rest) if family else None
            if row and row.id not in filled:
                yield added(replace(value, row_id=row.id), Finding("said_of_several"))


def _assigned_of(
    plan: Plan, homes: Mapping[str, tuple[Family, str]], segments: Sequence[Segment], value: FilledValue
) -> Assigned | None:
    home = homes.get(value.row_id)
    place = next((one for one in segments if one.start <= value.evidence.start < one.end), None)
    return plan.assigned.get((place.index, home[0].name)) if home and place else None


def _new_places(
    plan: Plan, homes: Mapping[str, tuple[Family, str]], segments: Sequence[Segment], values: Sequence[FilledValue]
) -> Iterator[Change]:
    """Site and side of each new instance, as they were said beside what was read of it."""
    filled = {value.row_id for value in values}
    families = {family.name: family for family in plan.families}
    texts = {segment.index: segment for segment in segments}
    for (index, name), one in plan.assigned.items():
        if not one.place or one.number is None:
            continue
        family = families[name]
        rows = family.rows[one.number]
        read = [value for value in values if _assigned_of(plan, homes, segments, value) is one]
        own = {row.id for row in rows.values()}
        read = [value for value in read if value.row_id in own]
        if not read:
            continue
        best = max(read, key=lambda value: value.confidence)
        for rest in sorted(rows.keys() & family.places):
            row = rows[rest]
            said = None if row.id in filled else _place_value(row, texts[index], one.place)
            if said is not None:
                value, evidence = said
                place = replace(
                    best,
                    row_id=row.id,
                    value=value,
                    unit=None,
                    evidence=evidence,
                    neighbour=Neighbour("place", name, index),
                    findings=(),
                    alternatives=(),
                )
                yield added(place, Finding("place_of_instance", (evidence.text,)))


def _place_value(row: Row, segment: Segment, place: Place) -> tuple[Value, Evidence] | None:
    """What a row that says where something is takes from a sentence: its words, or the one option that fits them."""
    found = place_spans(segment.text)
    start, end = min(start for start, _ in found), max(end for _, end in found)
    words = segment.text[start:end]
    if row.value_type is not ValueType.TEXT:
        fitting = [name for name in row.option_names if _is_place(place_in(name, written=True), place)]
        if len(fitting) != 1:
            return None
        value: Value = (fitting[0],) if row.value_type is ValueType.MULTI_SELECT else fitting[0]
    elif len(words.split()) > _LONGEST_PLACE:
        return None
    else:
        value = words
    return value, Evidence(segment.start + start, segment.start + end, words, segment.start, segment.end)


def _is_place(option: Place, said: Place) -> bool:
    """Whether an option names what was said of side and site, and nothing else."""
    return bool(option) and option.side in ("", said.side) and option.sites <= said.sites


def _homes(families: Sequence[Family]) -> dict[str, tuple[Family, str]]:
    """Family of each row, and what it records."""
    return {
        row.id: (family, rest) for family in families for rows in family.rows.values() for rest, row in rows.items()
    }
