"""Rule: places of new lines and wounds, statements about several of them, and doubts about the instance of a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from extraction.filling.evidence import evidence_of, located
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import Family, family_by_row
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.body_sites import Place, place_in, place_spans
from extraction.language.sentences import Segment
from extraction.preparation.instance_assignment import Assigned
from extraction.rules.changes import Change, added, flagged

_LONGEST_PLACE = 4  # words


def instance_places(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Flags doubtful instances, charts statements about several for each of them, and adds the places of new ones."""
    plan = task.plan
    if not plan:
        return
    homes = family_by_row(plan.families)
    for value in (*proposals.values, *proposals.held_back):
        one = _assigned_of(task, homes, value)
        if one and one.doubt:
            yield flagged(value, one.doubt)
    others = list(_values_of_other_instances(task, homes, proposals.values))
    yield from others
    known = (*proposals.values, *(one.value for one in others if one.value))
    yield from _new_places(task, homes, known)


def _values_of_other_instances(
    task: Task, homes: Mapping[str, tuple[Family, str]], values: Sequence[FilledValue]
) -> Iterator[Change]:
    """Values stated for several instances at once, for the instances they were not read for."""
    filled = {value.row_id for value in values}
    for value in values:
        one = _assigned_of(task, homes, value)
        family, rest = homes.get(value.row_id, (None, ""))
        for number in one.also if one and family and rest not in family.places else ():
            row = family.rows[number].get(rest) if family else None
            if row and row.id not in filled:
                yield added(replace(value, row_id=row.id), Finding("said_of_several"))


def _assigned_of(task: Task, homes: Mapping[str, tuple[Family, str]], value: FilledValue) -> Assigned | None:
    home = homes.get(value.row_id)
    if home is None:
        return None
    start, _ = task.read(value.evidence.start, value.evidence.end)
    place = next((one for one in task.segments if one.start <= start < one.end), None)
    return task.plan.assigned.get((place.index, home[0].name)) if place else None


def _new_places(task: Task, homes: Mapping[str, tuple[Family, str]], values: Sequence[FilledValue]) -> Iterator[Change]:
    """Site and side of each new instance, from the sentence in which it was mentioned."""
    filled = {value.row_id for value in values}
    families = {family.name: family for family in task.plan.families}
    texts = {segment.index: segment for segment in task.segments}
    for (index, name), one in task.plan.assigned.items():
        if not one.place or one.number is None:
            continue
        family = families[name]
        rows = family.rows[one.number]
        read = [value for value in values if _assigned_of(task, homes, value) is one]
        own = {row.id for row in rows.values()}
        read = [value for value in read if value.row_id in own]
        if not read:
            continue
        best = max(read, key=lambda value: value.confidence)
        for rest in sorted(rows.keys() & family.places):
            row = rows[rest]
            said = None if row.id in filled else _place_value(task, row, texts[index], one.place)
            if said is not None:
                value, evidence = said
                place = replace(
                    best,
                    row_id=row.id,
                    value=value,
                    unit=None,
                    neighbour=Neighbour("place", name, index),
                    findings=(),
                    alternatives=(),
                )
                yield added(located(task, place, evidence), Finding("place_of_instance", (evidence.text,)))


def _place_value(task: Task, row: Row, segment: Segment, place: Place) -> tuple[Value, Evidence] | None:
    """The value of a place row and its evidence: the words themselves, or the only option that matches them."""
    found = place_spans(segment.text)
    start, end = min(start for start, _ in found), max(end for _, end in found)
    words = segment.text[start:end]
    if row.value_type is not ValueType.TEXT:
        fitting = [name for name in row.option_names if _matches_place(place_in(name, written=True), place)]
        if len(fitting) != 1:
            return None
        value: Value = (fitting[0],) if row.value_type is ValueType.MULTI_SELECT else fitting[0]
    elif len(words.split()) > _LONGEST_PLACE:
        return None
    else:
        value = words
    said = segment.start + start, segment.start + end
    return value, evidence_of(task, said, (segment.start, segment.end))


def _matches_place(option: Place, said: Place) -> bool:
    """Whether an option names a place that is fully contained in what was said."""
    return bool(option) and option.side in ("", said.side) and option.sites <= said.sites
