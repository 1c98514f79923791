"""What kind of source each table is, and which lists the rows of the flowsheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from extraction.contract.catalogue import Column, Profile
from extraction.contract.people import is_encounter, is_patient, is_staff
from extraction.contract.records import IDS, NUMBERS, TIMES, FieldRole, FieldType, Key, Link, SourceKind
from extraction.contract.structure.header_words import WORDS, unit_share, value_type_share
from extraction.contract.structure.keys import named_as_id, nearly_keys, single_keys
from extraction.contract.value_shapes import words_in

_OF_OPTIONS = frozenset(("option", "choice", "answer", "list"))
_ANSWERS = frozenset("response responses answers value values code".split())
_OF_GROUPS = frozenset("group groups grp section template panel sheet page tab subsection heading folder chapter"
                       " screen topic chart parent part".split())  # fmt: skip
_ABOVE = frozenset(("parent", "part", "upper", "belongs"))
_SUCCESSORS = frozenset("superseded successor replaced merged".split())  # a row that stands for one of before
_PLACES = frozenset("order seq sequence position sort rank ordinal lineno".split())
_LEAST_SCORE, _SURE_SCORE = 0.5, 1.5
_LEAST_REPEATED, _LEAST_ROWS = 4, 3
_NEVER_ROWS = frozenset("unit units uom category reason type status location payer organization cost line seq".split())
_SYNONYMS = frozenset("synonym synonyms syn syns alias aliases aka known term terms alternative alternate".split())
_ABOUT_NAMES = frozenset("id key code cd source type kind of language origin".split())  # of a synonym
_MOSTLY_NAMES = 0.5
_WHERE = frozenset("ward room bed department dept facility loc clinic floor building place campus".split())
_MANY_OTHERS = 1.2
_ABOUT_PEOPLE = 2  # fields that identify persons make a source one about persons


@dataclass(frozen=True)
class Structure:
    """What was found of keys and links.

    Attributes:
        lists: the fields among the links' parents of which several lines have the same value, such as the options of
            a list.
    """

    keys: tuple[Key, ...]
    links: tuple[Link, ...]
    lists: frozenset[tuple[str, str]] = frozenset()

    def parent(self, source: str, field: str) -> tuple[str, str] | None:
        return next((link.parent for link in self.links if link.child == (source, field)), None)

    def children(self, source: str, field: str) -> list[tuple[str, str]]:
        return [link.child for link in self.links if link.parent == (source, field)]

    def key(self, source: str) -> tuple[str, ...]:
        return next((key.fields for key in self.keys if key.source == source), ())


def find_dictionaries(
    profiles: Sequence[Profile], structure: Structure, decided: Set[tuple[str, str]] = frozenset()
) -> dict[str, str]:
    """The sources that list rows of the flowsheet, each with the field of the row's id.

    Args:
        decided: the fields that persons called ids of rows.
    """
    scores: dict[tuple[str, str], float] = {}
    for profile in profiles:
        name = profile.source.name
        keys = [field for key in single_keys(profile) for field in key.fields] or nearly_keys(profile)
        if not keys or has_people(profile) or _lists_people(profile):
            continue
        said = [field for field in profile.columns if (name, field) in decided]
        key = max(said or keys, key=lambda field: row_id_rank(name, field, structure, profiles))
        values = _columns_with(profile, value_type_share, 0.5)
        children = [child for child in structure.children(name, key) if not _tells_where(child, profiles)]
        charted = [child for child in children if _charts(_named(profiles, child[0]))]
        # what tells the charted values themselves apart refers to notes about them, and not to their rows
        of_notes = [child for child in charted if structure.key(child[0]) == (child[1],)]
        children, charted = ([child for child in some if child not in of_notes] for some in (children, charted))
        named = [
            column
            for path, column in profile.columns.items()
            if path != key and _names(column) and not structure.parent(name, path)
        ]
        if not named:
            continue
        units = _columns_with(profile, unit_share, 0.5)
        bounds = sum(
            bool(set(words_in(path)) & (WORDS[FieldRole.MINIMUM] | WORDS[FieldRole.MAXIMUM]))
            for path in profile.columns
        )
        labelled = any(set(words_in(path)) & WORDS[FieldRole.ROW_NAME] for path in profile.columns)
        joined = min(2, len(children) - len(charted)) + 0.5 * labelled
        score = 2.0 * bool(values) + 3.0 * bool(charted) + bool(units) + 0.5 * min(bounds, 2) + joined
        of_options = any(set(words_in(path)) & _OF_OPTIONS for path in profile.columns)
        if score >= (_SURE_SCORE if of_options or not named_as_id(key) else _LEAST_SCORE):
            scores[name, key] = score
    # first the tables of codes: a dictionary may have its ids from one
    typed = {profile.source.name for profile in profiles if _columns_with(profile, value_type_share, 0.3)}
    scores = {found: score for found, score in scores.items() if not _explains(found, scores, structure, typed)}
    scores = {found: score for found, score in scores.items() if not _lists_rows_of_another(found, scores, structure)}
    best = max(scores.values(), default=0.0)
    if best < _SURE_SCORE:  # a list of ids and names alone: only if nothing else could be one
        return {source: field for (source, field), score in scores.items() if score == best and len(scores) == 1}
    headers = [words_in(field) for (_, field), score in scores.items() if score == best]
    return {
        source: field
        for (source, field), score in scores.items()
        # rows that were taken out of use may be listed apart, under the same header
        if score >= (_SURE_SCORE if words_in(field) in headers else max(_SURE_SCORE, best - 2.0))
    }


def row_id_rank(source: str, field: str, structure: Structure, profiles: Sequence[Profile]) -> tuple[bool, int, bool]:
    """How much speaks for a key of a dictionary as the id of its rows.

    First that charted values refer to it, unless it is a code of a larger table; only then how many fields do, since
    other sources often name rows by another of their names.
    """
    children = structure.children(source, field)
    charted = any(_charts(_named(profiles, child[0])) and not _tells_where(child, profiles) for child in children)
    own = charted and not _is_code_of_more(source, field, structure, profiles)
    return own, len(children), field in structure.key(source)


def rival_ids(
    profiles: Sequence[Profile], structure: Structure, dictionaries: Mapping[str, str]
) -> list[tuple[str, str]]:
    """The keys of dictionaries to which charted values refer, or as much as to the id that was chosen.

    A person may know better which of them the record system takes values under.
    """
    found = []
    for profile in profiles:
        name = profile.source.name
        chosen = dictionaries.get(name)
        if chosen is None:
            continue
        children = len(structure.children(name, chosen))
        for key in single_keys(profile):
            others = structure.children(name, key.fields[0])
            of_values = any(_charts(_named(profiles, child[0])) for child in others)
            if key.fields[0] != chosen and others and (of_values or len(others) >= children):
                found.append((name, key.fields[0]))
    return found


def _is_code_of_more(source: str, field: str, structure: Structure, profiles: Sequence[Profile]) -> bool:
    """Whether a field leads to a table of codes that has many others, too."""
    parent = structure.parent(source, field)
    if parent is None or parent[0] == source:
        return False
    codes = _named(profiles, parent[0]).columns[parent[1]].field.distinct
    return codes > _MANY_OTHERS * _named(profiles, source).columns[field].field.distinct


def _lists_people(profile: Profile) -> bool:
    """Whether each record is about a person of its own, such as in a list of staff."""
    return any(column.field.excluded and column.unique and column.complete for column in profile.columns.values())


def _explains(
    found: tuple[str, str], scores: Mapping[tuple[str, str], float], structure: Structure, typed: Set[str]
) -> bool:
    """Whether a source says what codes of another one mean, or holds a tree of groups.

    Args:
        typed: sources that name types of values: a tree of groups and rows in one.
    """
    sources = {source for source, _ in scores} - {found[0]}
    return any(
        link.parent == found
        and (
            (link.child[0] == found[0] and bool(set(words_in(link.child[1])) & _ABOVE) and found[0] not in typed)
            or (
                link.child[0] in sources and link.child not in scores and not set(words_in(link.child[1])) & _SUCCESSORS
            )
        )
        for link in structure.links
    )


def _lists_rows_of_another(
    found: tuple[str, str], scores: Mapping[tuple[str, str], float], structure: Structure
) -> bool:
    """Whether the key of a source is that of another one, whose rows it lists."""
    return any(link.child == found and link.parent in scores and link.parent[0] != found[0] for link in structure.links)


def listed_in_values(profiles: Sequence[Profile]) -> dict[str, str]:
    """Where no source lists the rows: sources of values that name the row of each value, with the field of its id."""
    found = {}
    for profile in profiles:
        if not (_charts(profile) and _has_value(profile)):
            continue
        ids = [path for path, column in profile.columns.items() if _may_name_rows(column)]
        ids.sort(
            key=lambda path: (
                not set(words_in(path)) & {"id", "code", "cd"},
                profile.columns[path].field.type is FieldType.TEXT,
            )
        )
        for path in ids:
            column = profile.columns[path]
            name = next((other for other in ids if other != path and decides(column, profile.columns[other])), None)
            if name or column.field.type is FieldType.TEXT or set(words_in(path)) & {"id", "code", "cd"}:
                found[profile.source.name] = path
                break
    return found


def _may_name_rows(column: Column) -> bool:
    kept = column.field
    repeated = kept.distinct * _LEAST_REPEATED <= kept.count and kept.distinct >= _LEAST_ROWS
    kinds = (FieldType.INTEGER, FieldType.CODE, FieldType.TEXT)
    words = set(words_in(kept.path))
    return (
        repeated
        and kept.type in kinds
        and not kept.excluded
        and not words & WORDS[FieldRole.VALUE]
        and not words & _NEVER_ROWS
    )


def decides(one: Column, other: Column) -> bool:
    """Whether each value of one field goes with a single value of the other, and other values with others."""
    if other.field.type is not FieldType.TEXT or other.field.distinct < 0.5 * one.field.distinct:
        return False
    return is_same_for_each(one, other)


def is_same_for_each(one: Column, other: Column) -> bool:
    """Whether each value of one field goes with a single value of the other."""
    pairs = np.unique(np.stack([one.hashes, other.hashes]), axis=1).shape[1]
    return bool(pairs <= 1.05 * one.field.distinct)


def _tells_where(child: tuple[str, str], profiles: Sequence[Profile]) -> bool:
    """Whether a field of a source about people says where, why or in what state somebody was, and names no row."""
    return has_people(_named(profiles, child[0])) and bool(set(words_in(child[1])) & (_NEVER_ROWS | _WHERE))


def _named(profiles: Sequence[Profile], name: str) -> Profile:
    return next(profile for profile in profiles if profile.source.name == name)


def has_people(profile: Profile) -> bool:
    """Whether a source is about persons."""
    stem = PurePosixPath(profile.source.name).name.split(".")[0].removesuffix("s")
    about = sum(bool(column.field.excluded) and not is_staff(path) for path, column in profile.columns.items())
    return (
        about >= _ABOUT_PEOPLE
        or is_patient(stem)
        or any(is_patient(path) or is_encounter(path) for path in profile.columns)
    )


def _charts(profile: Profile) -> bool:
    """Whether a source holds what was charted: people and times."""
    timed = any(column.field.type in TIMES for column in profile.columns.values())
    return timed and has_people(profile)


def _names(column: Column) -> bool:
    return (
        column.field.type is FieldType.TEXT
        and column.field.distinct > 0.5 * max(1, column.field.count)
        and column.field.mean_length <= 100
    )


def _columns_with(profile: Profile, share: Callable[[Column], float], least: float) -> list[str]:
    return [path for path, column in profile.columns.items() if share(column) >= least]


def kind_of(profile: Profile, structure: Structure, dictionaries: Mapping[str, str]) -> SourceKind:
    """The kind of a source.

    Args:
        dictionaries: the sources that list rows, each with the field of the row's id.
    """
    name = profile.source.name
    if name in dictionaries:
        return SourceKind.VALUES if has_people(profile) else SourceKind.DICTIONARY
    links = [link for link in structure.links if link.child[0] == name]
    to_rows = [
        link for link in links if link.parent[0] in dictionaries and link.parent[1] == dictionaries[link.parent[0]]
    ]
    if _charts(profile):
        return SourceKind.VALUES if to_rows or _has_value(profile) else SourceKind.OTHER
    if has_people(profile):
        return SourceKind.OTHER
    if to_rows and _has_limits(profile):
        return SourceKind.LIMITS
    if _is_option_list(profile, structure, dictionaries):
        return SourceKind.OPTIONS
    if to_rows and (_maps(profile, structure, to_rows) or names_beside(profile, structure)):
        return SourceKind.MAPPING
    if any(link.many for link in to_rows) and _has_option_texts(profile, structure):
        return SourceKind.OPTIONS
    to_groups = [link for link in links if _is_group_key(link.parent, structure, dictionaries)]
    return SourceKind.GROUPS if (to_rows or to_groups) and _has_groups(profile) else SourceKind.OTHER


def _has_limits(profile: Profile) -> bool:
    """Whether a source has numbers for the smallest and the largest value of a row."""
    numbers = [set(words_in(path)) for path, column in profile.columns.items() if column.field.type in NUMBERS]
    return all(any(words & WORDS[role] for words in numbers) for role in (FieldRole.MINIMUM, FieldRole.MAXIMUM))


def _is_group_key(key: tuple[str, str], structure: Structure, dictionaries: Mapping[str, str]) -> bool:
    """Whether sources that lead to rows, or dictionaries, lead to this key as to groups."""
    leading = {link.child[0] for link in structure.links if dictionaries.get(link.parent[0]) == link.parent[1]}
    return any(
        link.parent == key and link.child[0] in leading | set(dictionaries) and _leads_to_groups(link)
        for link in structure.links
    )


def _has_groups(profile: Profile) -> bool:
    return any(
        set(words_in(path)) & WORDS[FieldRole.CATEGORY] and column.field.type is FieldType.TEXT
        for path, column in profile.columns.items()
    )


def _has_value(profile: Profile) -> bool:
    return any(set(words_in(path)) & WORDS[FieldRole.VALUE] for path in profile.columns)


def _is_option_list(profile: Profile, structure: Structure, dictionaries: Mapping[str, str]) -> bool:
    """Whether a source lists options, or the lists to which they belong: a field of a dictionary leads to it."""
    name = profile.source.name
    to_rows = {path for path in profile.columns if _leads_to_rows(structure.parent(name, path), dictionaries)}
    to_others = [
        link
        for link in structure.links
        if link.child[0] in dictionaries
        and dictionaries.get(link.parent[0]) != link.parent[1]
        and not is_staff(link.child[1])
        and not (link.parent[0] == name and link.parent[1] in to_rows)  # which names a row here, too
    ]
    linked = {link.parent for link in to_others if not _leads_to_groups(link)}
    if not to_rows:  # several lines for each id, none of which leads to a row: what is called a group is one of answers
        linked |= {link.parent for link in to_others if link.parent in structure.lists}
    if any(parent[0] == name and not profile.columns[parent[1]].unique for parent in linked):
        return True
    key = structure.key(name)
    if any(parent == (name, path) for parent in linked for path in key):
        return True
    return any(structure.parent(name, path) in linked for path in profile.columns)


def _leads_to_rows(parent: tuple[str, str] | None, dictionaries: Mapping[str, str]) -> bool:
    return parent is not None and dictionaries.get(parent[0]) == parent[1]


def _leads_to_groups(link: Link) -> bool:
    words = set(words_in(link.child[1])) | set(words_in(link.parent[1]))
    return bool(words & _OF_GROUPS) and not words & (WORDS[FieldRole.OPTION_LIST] | _OF_OPTIONS | _ANSWERS)


def _has_option_texts(profile: Profile, structure: Structure) -> bool:
    """Whether the headers speak of options; less certain words need an id and a number or code as the key."""
    words = {word for path in profile.columns for word in words_in(path)} | set(words_in(profile.source.sheet))
    called = words | set(words_in(PurePosixPath(profile.source.name).name.split(".")[0]))
    if called & {"option", "options", "choice", "choices"}:
        return True
    if words & {"group", "template"}:
        return False
    paired = len(structure.key(profile.source.name)) == 2
    return bool(called & {"answer", "answers"}) or (paired and bool(words & {"value", "response", "responses", "item"}))


def names_beside(profile: Profile, structure: Structure) -> str | None:
    """The field with other names of rows, in a source that its headers or its own name call one of synonyms."""
    name = profile.source.name
    called = {*words_in(profile.source.sheet), *words_in(PurePosixPath(name.partition("#")[0]).stem)}
    found = [
        (bool(words & _SYNONYMS), column.field.distinct, path)
        for path, column in profile.columns.items()
        if column.field.type in (FieldType.TEXT, FieldType.CODE)
        and not column.field.excluded
        and not structure.parent(name, path)
        and not (words := set(words_in(path))) & _ABOUT_NAMES
        and words & (_SYNONYMS | WORDS[FieldRole.ROW_NAME])
        and (words & _SYNONYMS or called & _SYNONYMS)
        and column.field.distinct > _MOSTLY_NAMES * column.field.count
    ]
    return max(found)[-1] if found else None


def _maps(profile: Profile, structure: Structure, to_rows: Sequence[Link]) -> bool:
    """Whether a source translates other ids into the rows' ids."""
    theirs = {link.child[1] for link in to_rows}
    others = [
        path
        for path, column in profile.columns.items()
        if path not in theirs
        and column.field.type in IDS
        and column.unique
        and not structure.parent(profile.source.name, path)  # the id of something else
        and not set(words_in(path)) & _PLACES
    ]
    return (
        bool(others) and len(profile.columns) <= 5 and (len(theirs) == 1 or any(_old(path) for path in profile.columns))
    )


def _old(path: str) -> bool:
    return bool(set(words_in(path)) & {"old", "legacy", "former", "previous", "source", "from"})
