"""Assigns each sentence to one of several lines or wounds, by site and side.

Nurses refer to things that exist more than once (see `extraction.flowsheet.naming.instance_families`) by their place
("the right forearm IV"). Instances of a family are told apart by the confirmed site and side of the same stay, and by
those in the dictation. Each sentence about a family is assigned before its rows are asked, and its values are charted
for that instance:

- a spoken number decides ("wound 2", "the second IV");
- else the one instance whose site and side do not contradict the sentence;
- else, for an unknown place, the first instance without one;
- a sentence that continues the topic ("Its dressing is stained") keeps the last instance, as does part of a sentence
  ("and an 18 gauge in the left wrist", see `extraction.preparation.sentence_parts`);
- a sentence without a place belongs to the only existing or only known instance; "both" means the two known ones.

Left and right are never confused. Doubtful assignments are charted with the doubt in words. Sentences about anything
else are unaffected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import Family, families_of, mentioned
from extraction.flowsheet.naming.line_rows import LineRows, line_rows
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.language.body_sites import NO_PLACE, Place, place_in, sides_in
from extraction.language.described_lines import DescribedLine, described_lines
from extraction.language.sentences import Segment
from extraction.preparation.sentence_parts import goes_on

_GOES_ON = re.compile(r"\s*(?:it|its|the\s+(?:site|dressing|bed|edges|drainage|skin\s+around\s+it))\b", re.IGNORECASE)
_SEVERAL_NAMED = Finding("several_named")
_ALL = re.compile(r"\b(both|all)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assigned:
    """The instance of a sentence, and any doubt about it.

    Attributes:
        number: None if it cannot be determined.
        place: its place if first mentioned here; empty if already known or not mentioned.
        also: further instances that the sentence applies to.
    """

    number: int | None
    doubt: Finding | None = None
    place: Place = NO_PLACE
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class InstancePlan:
    """The instance of each family in each sentence, by sentence index and family name.

    Attributes:
        described: by sentence index, the lines that the sentence tells by size and place, in order
            (`extraction.language.described_lines`), each with its instance.
    """

    families: tuple[Family, ...] = ()
    assigned: Mapping[tuple[int, str], Assigned] = field(default_factory=dict)
    described: Mapping[int, tuple[tuple[DescribedLine, Assigned], ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.assigned)


NO_PLAN = InstancePlan()


def names_instances(schema: Schema, text: str) -> bool:
    """Whether a text speaks of anything that exists more than once."""
    lines = line_rows(schema)
    return bool(mentioned(families_of(schema), text) or (lines and described_lines(text, lines.sites)))


def assign_instances(schema: Schema, segments: Sequence[Segment], known: Mapping[str, Value]) -> InstancePlan:
    """Assigns every sentence; `known` holds the confirmed values of the stay, by row id."""
    families = families_of(schema)
    lines = line_rows(schema)
    assigned: dict[tuple[int, str], Assigned] = {}
    described: dict[int, tuple[tuple[DescribedLine, Assigned], ...]] = {}
    for family in families:
        places = _known_places(family, known)
        last: tuple[Segment, Assigned] | None = None
        for segment in segments:
            told = _told(family, lines, segment, places) if lines and lines.family == family.name else ()
            if told:
                described[segment.index] = told
            one = told[0][1] if len(told) == 1 else _assign(family, segment, places, last)
            if one is not None:
                assigned[segment.index, family.name] = one
                last = (segment, one)
    return InstancePlan(families, assigned, described)


def _told(
    family: Family, lines: LineRows, segment: Segment, places: dict[int, Place]
) -> tuple[tuple[DescribedLine, Assigned], ...]:
    """The lines that a sentence tells by size and place, each with its instance."""
    found = []
    for line in described_lines(segment.text, lines.sites):
        site = lines.option_of_site(segment.text[slice(*line.site)]) or ""
        said = Place(line.side, place_in(site, written=True).sites)
        if line.number in family.rows:
            new = NO_PLACE if places.get(line.number) else said
            places[line.number] = places.get(line.number) or said
            found.append((line, Assigned(line.number, place=new)))
        else:
            found.append((line, _by_place(family, said, places)))
    return tuple(found)


def _assign(
    family: Family,
    segment: Segment,
    places: dict[int, Place],
    last: tuple[Segment, Assigned] | None,
) -> Assigned | None:
    """Assigns one sentence.

    Adds newly mentioned places to `places`; `last` is the previous sentence about the family with its instance.
    """
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
