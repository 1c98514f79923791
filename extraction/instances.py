"""Rule step: which of several lines or wounds a sentence speaks of, by site and side.

A schema numbers what exists more than once ("Peripheral IV 1 site", "Peripheral IV 2 site"), and nurses name it by its
place ("the right forearm IV"). Rows whose names differ in the number alone are one family; its instances are told apart
by the site and side that stand confirmed for the same stay, and by those that the dictation says. Each sentence about a
family is given to one instance before the rows are asked, and what is read from it is charted there:

- a number that was said decides ("wound 2");
- else the one instance whose site and side do not contradict what was said;
- else, for a place that is not known yet, the first instance without one;
- a sentence that goes on about it ("Its dressing is stained") stays with the last one;
- a sentence without a place belongs to the only instance that is known.

Left and right are never taken for one. What stays in doubt is charted with the doubt in words. Sentences about nothing
of this kind are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from extraction.reduce import Candidate, Hit, ReducedSchema
from extraction.schema import Row, Schema, ValueType
from extraction.segment import Segment
from extraction.values import Evidence, FilledValue, Neighbour, Value

if TYPE_CHECKING:
    from extraction.fill import Reading
    from extraction.propose import Proposals

_NUMBERED = re.compile(r"(?P<family>\D*\b[A-Za-z]\w*) (?P<number>\d+) (?P<rest>\D+)")
_LEAST_SHARED = 3  # rows that two numbers must have in common to be instances of one family
_LONGEST_PLACE = 4  # words
_PLACE_ROWS = frozenset({"site", "side", "location"})
_NUMBER_WORDS = {word: place for place, word in enumerate("one two three four five six".split(), 1)}
_SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)
# other words for a site, and the site's own
_SITES = {
    "sacral": "sacrum", "coccyx": "sacrum", "tailbone": "sacrum", "abdominal": "abdomen", "belly": "abdomen",
    "ac": "antecubital", "antecub": "antecubital", "elbow": "antecubital", "ej": "jugular", "thoracic": "chest",
    "buttocks": "buttock", "gluteal": "buttock", "inguinal": "groin", "calf": "leg", "shin": "leg", "thigh": "leg",
} | {
    site: site
    for site in (
        "heel sacrum hip knee ankle foot toe leg forearm hand wrist arm antecubital shoulder back buttock abdomen "
        "chest neck groin flank head scalp ear nose face jugular ischium trochanter finger breast axilla"
    ).split()
}  # fmt: skip
_SITE = re.compile(rf"\b({'|'.join(_SITES)})s?\b", re.IGNORECASE)
# 'IV antibiotics' is no line
_OTHER = r"(?!\s+(?:fluids?|antibiotics?|push|bolus|meds?|medications?|drips?|pole|pump|contrast|care|nurse)\b)"
_GOES_ON = re.compile(r"\s*(?:it|its|the\s+(?:site|dressing|bed|edges|drainage|skin\s+around\s+it))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is: its side, and its sites in one word each; empty where it was not said."""

    side: str = ""
    sites: frozenset[str] = frozenset()

    def contradicts(self, other: Place) -> bool:
        sides = self.side and other.side and self.side != other.side
        return bool(sides or (self.sites and other.sites and not self.sites & other.sites))

    def __bool__(self) -> bool:
        return bool(self.side or self.sites)


NO_PLACE = Place()


@dataclass(frozen=True, slots=True)
class Family:
    """Rows that differ in a number alone: `rows` by number and by what follows it."""

    name: str
    rows: Mapping[int, Mapping[str, str]]

    @property
    def word(self) -> str:
        """What one instance is called: 'iv' of 'Peripheral IV'."""
        return self.name.split()[-1].lower()


@dataclass(frozen=True, slots=True)
class Assigned:
    """The instance that a sentence speaks of, and why that is doubtful.

    Attributes:
        number: None where none can be told.
        place: where it is, said here for the first time; empty where that is known already, or was not said.
    """

    number: int | None
    doubt: str = ""
    place: Place = NO_PLACE


@dataclass(frozen=True, slots=True)
class Plan:
    """Which instance of each family each sentence speaks of, by index of the sentence and name of the family."""

    families: tuple[Family, ...] = ()
    assigned: Mapping[tuple[int, str], Assigned] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.assigned)


NO_PLAN = Plan()


def families_of(schema: Schema) -> tuple[Family, ...]:
    """The families of the schema that have at least two instances."""
    return _families(schema.rows)


@lru_cache(maxsize=8)
def _families(rows: tuple[Row, ...]) -> tuple[Family, ...]:
    found: dict[str, dict[int, dict[str, str]]] = {}
    for row in rows:
        if match := _NUMBERED.fullmatch(row.name):
            found.setdefault(match["family"], {}).setdefault(int(match["number"]), {})[match["rest"]] = row.id
    families = []
    for name, numbers in found.items():
        shared = frozenset.intersection(*(frozenset(rests) for rests in numbers.values()))
        if len(numbers) > 1 and len(shared) >= _LEAST_SHARED and shared & _PLACE_ROWS:
            families.append(Family(name, dict(sorted(numbers.items()))))
    return tuple(families)


def place_rows(schema: Schema) -> frozenset[str]:
    """Ids of the rows that say where an instance is."""
    return frozenset(
        row_id
        for family in families_of(schema)
        for rows in family.rows.values()
        for rest, row_id in rows.items()
        if rest in _PLACE_ROWS
    )


def plan_of(schema: Schema, segments: Sequence[Segment], known: Mapping[str, Value]) -> Plan:
    """The instance that each sentence speaks of; `known` are the confirmed values of the stay, by row id."""
    families = families_of(schema)
    assigned: dict[tuple[int, str], Assigned] = {}
    for family in families:
        places = _known_places(family, known)
        last: tuple[int, Assigned] | None = None
        for segment in segments:
            one = _assign(family, segment, places, last)
            if one is not None:
                assigned[segment.index, family.name] = one
                last = (segment.index, one)
    return Plan(families, assigned)


def _assign(
    family: Family, segment: Segment, places: dict[int, Place], last: tuple[int, Assigned] | None
) -> Assigned | None:
    """The instance of one sentence; `places` learns the places that are said for the first time."""
    mention = re.search(rf"\b{re.escape(family.word)}s?\b{_OTHER}", segment.text, re.IGNORECASE)
    if mention is None:
        goes_on = last is not None and last[0] == segment.index - 1 and _GOES_ON.match(segment.text)
        return replace(last[1], place=NO_PLACE) if last and goes_on else None
    said = place_in(segment.text)
    numbers = [number for number in _numbers_said(family, segment.text) if number in family.rows]
    if numbers:
        if len(numbers) > 1:
            return Assigned(None, "several of them were named")
        new = said if not places.get(numbers[0]) else NO_PLACE
        if new:
            places[numbers[0]] = new
        return Assigned(numbers[0], place=new)
    sides = {match.group(1).lower() for match in _SIDE.finditer(segment.text)}
    if len(sides) > 1:
        return Assigned(None, "left and right were both said")
    if said:
        return _by_place(family, said, places)
    return _without_place(family, places, last)


def _by_place(family: Family, said: Place, places: dict[int, Place]) -> Assigned:
    fitting = [number for number, place in places.items() if place and not place.contradicts(said)]
    free = [number for number in family.rows if not places.get(number)]
    if len(fitting) == 1:
        return Assigned(fitting[0])
    if fitting:
        return Assigned(fitting[0], f"may be any of {_listed(family, fitting)}")
    if free:
        places[free[0]] = said
        return Assigned(free[0], place=said)
    return Assigned(None, f"its place is that of none of {_listed(family, list(family.rows))}")


def _without_place(family: Family, places: Mapping[int, Place], last: tuple[int, Assigned] | None) -> Assigned | None:
    if last is not None:
        return replace(last[1], place=NO_PLACE)
    known = [number for number, place in places.items() if place]
    if len(known) < 2:
        return Assigned(known[0]) if known else None
    return Assigned(known[0], f"may be any of {_listed(family, known)}")


def _listed(family: Family, numbers: Sequence[int]) -> str:
    return ", ".join(f"{family.name} {number}" for number in numbers)


def _known_places(family: Family, known: Mapping[str, Value]) -> dict[int, Place]:
    places = {}
    for number, rows in family.rows.items():
        words = " ".join(str(known[row_id]) for rest, row_id in rows.items() if rest in _PLACE_ROWS and row_id in known)
        places[number] = place_in(words)
    return places


def place_in(text: str) -> Place:
    """Side and sites that a text says; no side where it says both."""
    sides = {match.group(1).lower() for match in _SIDE.finditer(text)}
    sites = frozenset(_SITES[match.group(1).lower()] for match in _SITE.finditer(text))
    return Place(sides.pop() if len(sides) == 1 else "", sites)


def _numbers_said(family: Family, text: str) -> list[int]:
    words = "|".join(_NUMBER_WORDS)
    found = re.findall(rf"\b{re.escape(family.word)}\s+(?:number\s+)?(\d|{words})\b", text, re.IGNORECASE)
    return sorted({int(word) if word.isdigit() else _NUMBER_WORDS[word.lower()] for word in found})


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
    siblings = [by_id[rows[rest]] for rows in family.rows.values() if rows.get(rest) in by_id]
    hits: dict[int, list[Hit]] = {}
    for hit in (hit for one in (best, *siblings) for hit in one.hits):
        hits.setdefault(hit.segment, []).append(hit)
    numbers: dict[int, list[Hit]] = {}
    for segment, found in hits.items():
        one = plan.assigned.get((segment, family.name))
        if one and one.number is not None:
            numbers.setdefault(one.number, []).append(found[0])
    for number, found in numbers.items():
        if row_id := family.rows[number].get(rest):
            asked = by_id.get(row_id, best)
            yield replace(asked, hits=tuple(sorted(found, key=lambda hit: -hit.fit)))
    settled = {hit.segment for found in numbers.values() for hit in found}
    for sibling in siblings:
        if left := tuple(hit for hit in sibling.hits if hit.segment not in settled):
            yield replace(sibling, hits=left)


def charted(schema: Schema, plan: Plan, reading: Reading) -> Reading:
    """A reading with the row of the instance that its sentence speaks of."""
    return replace(reading, row=_row_for(schema, plan, reading.row, reading.segment.index))


def _row_for(schema: Schema, plan: Plan, row: Row, segment: int) -> Row:
    home = _homes(plan.families).get(row.id)
    if home is None:
        return row
    family, rest = home
    one = plan.assigned.get((segment, family.name))
    if one is None or one.number is None or rest not in family.rows[one.number]:
        return row
    return schema.row(family.rows[one.number][rest])


def settled(schema: Schema, plan: Plan, segments: Sequence[Segment], proposals: Proposals) -> Proposals:
    """The proposals with what is doubtful about their instances, and with the place of each one that is new."""
    if not plan:
        return proposals
    homes = _homes(plan.families)

    def with_doubt(value: FilledValue) -> FilledValue:
        one = _assigned_of(plan, homes, segments, value)
        return replace(value, problems=(*value.problems, one.doubt)) if one and one.doubt else value

    values, unlikely = (tuple(map(with_doubt, part)) for part in (proposals.values, proposals.unlikely))
    values = (*values, *_new_places(schema, plan, homes, segments, values))
    return replace(proposals, values=tuple(sorted(values, key=lambda value: -value.confidence)), unlikely=unlikely)


def _assigned_of(
    plan: Plan, homes: Mapping[str, tuple[Family, str]], segments: Sequence[Segment], value: FilledValue
) -> Assigned | None:
    home = homes.get(value.row_id)
    place = next((one for one in segments if one.start <= value.evidence.start < one.end), None)
    return plan.assigned.get((place.index, home[0].name)) if home and place else None


def _new_places(
    schema: Schema,
    plan: Plan,
    homes: Mapping[str, tuple[Family, str]],
    segments: Sequence[Segment],
    values: Sequence[FilledValue],
) -> Iterator[FilledValue]:
    """Site and side of each new instance, as they were said beside what was read of it, and as sure as that is."""
    filled = {value.row_id for value in values}
    families = {family.name: family for family in plan.families}
    texts = {segment.index: segment for segment in segments}
    for (index, name), one in plan.assigned.items():
        if not one.place or one.number is None:
            continue
        rows = families[name].rows[one.number]
        read = [value for value in values if _assigned_of(plan, homes, segments, value) is one]
        read = [value for value in read if value.row_id in rows.values()]
        if not read:
            continue
        best = max(read, key=lambda value: value.confidence)
        for rest in sorted(rows.keys() & _PLACE_ROWS):
            said = None if rows[rest] in filled else _place_value(schema.row(rows[rest]), texts[index], one.place)
            if said is not None:
                value, evidence = said
                yield replace(
                    best,
                    row_id=rows[rest],
                    value=value,
                    unit=None,
                    evidence=evidence,
                    neighbour=Neighbour("place", name, index),
                    problems=(),
                    alternatives=(),
                )


def _place_value(row: Row, segment: Segment, place: Place) -> tuple[Value, Evidence] | None:
    """What a row that says where something is takes from a sentence: its words, or the one option that fits them."""
    found = [match for pattern in (_SIDE, _SITE) for match in pattern.finditer(segment.text)]
    start, end = min(match.start() for match in found), max(match.end() for match in found)
    words = segment.text[start:end]
    if row.value_type is not ValueType.TEXT:
        fitting = [name for name in row.option_names if _is_place(place_in(name), place)]
        if len(fitting) != 1:
            return None
        value = fitting[0]
    elif len(words.split()) > _LONGEST_PLACE:
        return None
    else:
        value = words
    return value, Evidence(segment.start + start, segment.start + end, words, segment.start, segment.end)


def _is_place(option: Place, said: Place) -> bool:
    """Whether an option names what was said of side and site, and nothing else."""
    return bool(option) and option.side in ("", said.side) and option.sites <= said.sites


def _homes(families: Sequence[Family]) -> dict[str, tuple[Family, str]]:
    """Family of each row, and what follows the number in its name."""
    return {
        row_id: (family, rest) for family in families for rows in family.rows.values() for rest, row_id in rows.items()
    }
