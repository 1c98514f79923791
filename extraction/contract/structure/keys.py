"""Keys: the fields that tell the records of a source apart.

Seeds: "Executable Schema Contracts", appendix A.7.1, Eq. 4 and 5. Its pairs of any two fields find keys that are none,
such as time and item on few patients; here a pair needs a line number, and a triple a person, a time and an item.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from extraction.contract.catalogue import Column, Profile
from extraction.contract.people import is_encounter, is_patient
from extraction.contract.records import IDS, TIMES, FieldRole, FieldType, Key, Link
from extraction.contract.structure.header_words import WORDS
from extraction.contract.value_shapes import words_in

_LEAST_RECORDS, _FEWEST_OF_IDS = 5, 2
_LONGEST = 500
_NEARLY_UNIQUE, _FEWEST_NEARLY = 0.95, 20  # share of records with an id of their own; records
_MOST_REPEATED, _LARGEST_REPEATED = 3, 0.01  # lines, or share of them, whose id stands there twice or is missing
_ID_WORDS = frozenset("id ids key uuid guid mrn csn cd code num number no nr itemid identifier".split())
_ENDINGS = ("id", "uuid", "csn", "key")
_LINES = frozenset("line lineno order seq sequence ordinal position pos rank index sort nr num number".split())
_CODES = frozenset("code cd value val option".split())
_MEASURES = frozenset("value val amount cost total price max min maximum minimum rate weight volume age".split())


def named_as_id(path: str) -> bool:
    """Whether a header says that the field identifies something (Eq. 4)."""
    words = words_in(path)
    return bool(set(words) & _ID_WORDS) or bool(words and words[-1].endswith(_ENDINGS) and len(words[-1]) > 2)


def is_single_key(column: Column) -> bool:
    """Whether a field by itself tells all records apart: unique, in each record, short, and no measurement or time."""
    kept = column.field
    return (
        column.unique
        and column.complete
        and kept.count >= (_FEWEST_OF_IDS if named_as_id(kept.path) else _LEAST_RECORDS)
        and kept.mean_length <= _LONGEST
        and not kept.excluded
        and kept.type not in TIMES
        and kept.type is not FieldType.NUMBER
        and (named_as_id(kept.path) or not set(words_in(kept.path)) & _MEASURES)
    )


def single_keys(profile: Profile) -> list[Key]:
    """The fields that could be the key by themselves, the likeliest first: those named as ids, from the left."""
    found = [path for path, column in profile.columns.items() if is_single_key(column)]
    found.sort(key=lambda path: not named_as_id(path))
    return [Key(profile.source.name, (path,), 1.0, 1.0 if named_as_id(path) else 0.6) for path in found]


def nearly_keys(profile: Profile) -> list[str]:
    """The first field that would be the key but for a line or two: one that stands there twice, or lacks it."""
    for path, column in profile.columns.items():
        kept, words = column.field, set(words_in(path))
        single_words = kept.type is FieldType.TEXT and not any(" " in value.strip() for value in column.sample)
        if (
            (kept.type in IDS or single_words)
            and not kept.excluded
            and profile.source.rows >= _FEWEST_NEARLY
            and kept.distinct >= _NEARLY_UNIQUE * profile.source.rows
            and not words & (WORDS[FieldRole.MINIMUM] | WORDS[FieldRole.MAXIMUM])
            and not words <= WORDS[FieldRole.ORDER]
        ):
            return [path]
    return []


def almost_keys(profile: Profile) -> list[str]:
    """The field that a line or two keep from being the key, where a source has no key: links may lead to it."""
    if single_keys(profile):
        return []
    lines = profile.source.rows
    most = max(_MOST_REPEATED, _LARGEST_REPEATED * lines)
    return [path for path in nearly_keys(profile) if lines - profile.columns[path].field.distinct <= most]


def keys_of(profile: Profile, links: Sequence[Link]) -> list[Key]:
    """The key of a source: one field named as an id, else a pair or a triple, else one without such a name.

    A source without any has no key; that is common for events.

    Args:
        links: of all sources.
    """
    linked = {link.child[1]: link for link in links if link.child[0] == profile.source.name}
    single = single_keys(profile)
    named = [key for key in single if key.confidence == 1.0]
    if named:
        own = [key for key in named if key.fields[0] not in linked]
        return [(own or named)[0]]
    if pair := _pair(profile, linked):
        return [pair]
    unnamed = [key for key in single if _like_an_id(profile.columns[key.fields[0]])]
    first = [key for key in unnamed if key.fields[0] == next(iter(profile.columns))]
    if triple := None if first else _triple(profile, linked):
        return [triple]
    return first or unnamed[:1]


def _like_an_id(column: Column) -> bool:
    return column.field.type in (FieldType.CODE, FieldType.INTEGER)


def _pair(profile: Profile, linked: dict[str, Link]) -> Key | None:
    """An id that several records share, with the number of the line or, where nothing has a time, with a code."""
    name = profile.source.name
    timeless = not any(column.field.type in TIMES for column in profile.columns.values())
    groups = [path for path, column in profile.columns.items() if _groups(path, column, linked)]
    for words in (_LINES, _CODES) if timeless else (_LINES,):
        for group in groups:
            for path, column in profile.columns.items():
                numbered = column.complete and path not in groups and set(words_in(path)) & words
                if numbered and _unique([profile.columns[group], column]):
                    return Key(name, (group, path))
    if timeless:
        for group in groups:
            for other in groups:
                if other != group and other in linked and _unique([profile.columns[group], profile.columns[other]]):
                    return Key(name, (group, other))
    return None


def _groups(path: str, column: Column, linked: dict[str, Link]) -> bool:
    kept = column.field
    return (
        column.complete
        and not kept.excluded
        and kept.distinct < kept.count
        and kept.distinct > 1
        and kept.type in (FieldType.CODE, FieldType.INTEGER)
        and not set(words_in(path)) & _LINES
        and (path in linked or named_as_id(path))
    )


def _triple(profile: Profile, linked: dict[str, Link]) -> Key | None:
    """A person or stay, the time of an event, and the link to a dictionary.

    Where the number of a stay counts those of one patient only, both tell the person; where a date and a time of day
    stand apart, both tell the time.
    """
    columns = profile.columns
    people = [path for path in columns if (is_patient(path) or is_encounter(path)) and columns[path].complete]
    items = [path for path in linked if path not in people and columns[path].complete]
    days = (FieldType.DATE, FieldType.DATE_TIME)
    times = [path for path, column in columns.items() if column.field.type in days and column.complete]
    clocks = [path for path, column in columns.items() if column.field.type is FieldType.TIME and column.complete]
    people.sort(key=lambda path: (path not in linked, -columns[path].field.distinct))
    if not people or people[0] not in linked:
        return None
    persons = [people[:1], people[:2]] if len(people) > 1 else [people]
    moments = [(path,) for path in times] + [(time, clock) for time in times for clock in clocks]
    for person in persons:
        for moment in moments:
            for item in items:
                fields = (*person, *moment, item)
                if _unique([columns[path] for path in fields]):
                    return Key(profile.source.name, fields)
    return None


def _unique(columns: Iterable[Column]) -> bool:
    """Whether no two records agree in all of these fields."""
    combined = None
    for column in columns:
        combined = column.hashes if combined is None else combined * np.uint64(0x9E3779B97F4A7C15) + column.hashes
    return combined is not None and len(combined) > 0 and len(np.unique(combined)) == len(combined)
