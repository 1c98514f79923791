"""Rows whose names differ by a number, a side or a site of the body alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from extraction.flowsheet.naming.instance_families import families_of
from extraction.flowsheet.naming.row_names import Counted, NameWord, counted, key_of, words_of
from extraction.flowsheet.schema import Row, Schema
from extraction.language.body_sites import body_words, written_sides
from extraction.language.vocabulary.abbreviations import abbreviations

_NUMBERED, _SIDED, _SITED = 0.9, 0.9, 0.6
_HOLE = "\0"


def instances_of(schema: Schema) -> Iterator[tuple[tuple[Row, ...], float]]:
    """Groups of rows that record the same of several things, and how sure that is. A row is in at most one."""
    taken: set[str] = set()
    for family in families_of(schema):
        for siblings in family.siblings:
            if len(siblings) > 1:
                taken |= {row.id for row in siblings}
                yield siblings, _NUMBERED
    for find, confidence in ((_numbered, _NUMBERED), (_sided, _SIDED), (_sited, _SITED)):
        for rows in find([row for row in schema.rows if row.id not in taken]):
            taken |= {row.id for row in rows}
            yield tuple(rows), confidence


def _numbered(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows counted by a number: from one on, or behind "#", or behind one without a number."""
    named = {key_of(words_of(row.name)): row for row in rows}
    found: dict[tuple[str, ...], dict[int, Row]] = defaultdict(dict)
    marked: set[tuple[str, ...]] = set()
    for row in rows:
        for one in counted(row.name):
            if is_size(one):
                continue
            key = (*key_of(one.before), _HOLE, *key_of(one.behind))
            found[key].setdefault(one.number, row)
            if f"#{one.number}" in row.name.replace("# ", "#"):
                marked.add(key)
    for key, by_number in found.items():
        bare = named.get(tuple(word for word in key if word != _HOLE))
        numbers = sorted({*by_number, *([1] if bare else [])})
        runs = numbers[0] == 1 and all(later - earlier == 1 for earlier, later in pairwise(numbers))
        members = [*([bare] if bare else []), *(by_number[number] for number in sorted(by_number))]
        if len(members) > 1 and (runs or key in marked):
            yield members


def is_size(one: Counted) -> bool:
    """Whether a number is that of a unit: "20 gauge", "5 min"."""
    units = abbreviations().units
    return bool(one.behind) and one.behind[0].key in {*units, "gauge", "gram", "point", "hour", "hours", "minute"}


def _sided(rows: Sequence[Row]) -> Iterator[list[Row]]:
    found: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        for side in written_sides(row.name):
            before, behind = row.name[: side.start], row.name[side.end :]
            limb = row.name[side.start : side.end].casefold()[1:] if not side.short else ""
            of_limb = "" if limb in ("eft", "ight") else limb
            found[(*key_of(words_of(before)), _HOLE + of_limb, *key_of(words_of(behind)))].setdefault(side.side, row)
    yield from (list(by_side.values()) for by_side in found.values() if len(by_side) > 1)


def _sited(rows: Sequence[Row]) -> Iterator[list[Row]]:
    found: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    sites = body_words().site_of
    for row in rows:
        words = words_of(row.name)
        for place, word in enumerate(words):
            if site := sites.get(word.key) or sites.get(word.key.removesuffix("s")):
                found[_with_hole(words, place)].setdefault(site, row)
    yield from (list(by_site.values()) for by_site in found.values() if len(by_site) > 1)


def _with_hole(words: Sequence[NameWord], place: int) -> tuple[str, ...]:
    return (*key_of(words[:place]), _HOLE, *key_of(words[place + 1 :]))
