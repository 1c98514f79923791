"""Links: fields whose values are the keys of another source.

Seeds: "Executable Schema Contracts", appendix A.7.2, Eq. 6. Any overlap makes a link there, which finds many that are
none, since small numbers overlap by chance. Here nearly all records must find their key, and the values must look like
ids or the headers alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from statistics import median

import numpy as np

from extraction.contract.catalogue import Column, Profile, hash_of
from extraction.contract.records import IDS, TIMES, Field, FieldType, Link
from extraction.contract.rows.activity import ends_use
from extraction.contract.structure.keys import almost_keys, is_single_key, named_as_id, single_keys
from extraction.contract.structure.parted_lists import joined_keys
from extraction.contract.value_shapes import number_of, words_in

LEAST_CONTAINMENT = 0.95
_LONG_ID, _LEAST_LONG = 5, 0.85
_LEAST_PARTIAL = 0.3
_LEAST_ID_LENGTH, _FEWEST_KEYS = 4, 5
_LEAST_OWN_LENGTH, _LEAST_OWN = 6, 10  # a key that is the key of another source, too
_SHORT_CODE, _LONGEST_LIST_ID = 4, 24
_ONE_MEAN, _ONE_MOST = 1.1, 2
_GENERIC = frozenset("id key code cd num number no nr old new the of row record".split())
_OF_ITSELF = frozenset("parent super upper part belongs superseded replaced successor merged".split())
_LINE_WORDS = frozenset("line lines lineno seq sequence order position pos rank sort ordinal index".split())
_DENSE, _MOSTLY_DIFFERENT = 0.5, 0.7
_ZERO = np.uint64(hash_of("0"))  # in a field of ids it stands for none
_NO_IDS = frozenset(
    (FieldType.DATE, FieldType.DATE_TIME, FieldType.TIME, FieldType.NUMBER, FieldType.BOOLEAN, FieldType.EMPTY)
)


def find_links(profiles: Sequence[Profile]) -> tuple[list[Link], list[Link]]:
    """Links, and partial ones whose parent lacks many of the child's values.

    A parent is unique, or nearly so where its source has no key.

    Returns:
        links, each child to one parent; and those with a containment between 0.3 and 0.95, which nothing relies on.
    """
    parents = [
        profile.columns[path]
        for profile in profiles
        for key in single_keys(profile)
        for path in key.fields
        if _may_be_a_parent(profile.columns[path])
    ]
    parents += [profile.columns[path] for profile in profiles for path in almost_keys(profile)]
    sizes = {(one.field.source, one.field.path): one.field.distinct for one in parents}
    named = {profile.source.name for profile in profiles if _has_names(profile)}
    parted = joined_keys(parents, profiles)
    whole_sizes = sizes | {place: column.field.distinct for place, (column, _) in parted.items()}

    def rank(link: Link, sizes: Mapping[tuple[str, str], int] = sizes) -> tuple[float, int, bool]:
        return link.containment, sizes.get(link.parent, 0), link.parent[0] in named

    whole: list[Link] = []
    partial: list[Link] = []
    for profile in profiles:
        own_key = next((profile.columns[key.fields[0]] for key in single_keys(profile) if key.confidence == 1.0), None)
        for column in profile.columns.values():
            if column.field.type in _NO_IDS or _counts_lines(column):
                continue
            found = [link for parent in parents if (link := _link(column, parent, own_key))]
            full = [link for link in found if link.containment >= _least(column)]
            parts = _to_parts(column, parted, own_key)
            full = full or _to_lists(column, profiles)
            if full or parts:
                alike = [link for link in full if link.confidence == link.containment]
                best = max(alike or full, key=rank) if full else None
                if best is None or (parts and best.parent not in parted and rank(parts[0], whole_sizes) >= rank(best)):
                    whole += parts
                else:
                    whole.append(best)
            else:
                partial += [link for link in found if link.containment >= _LEAST_PARTIAL]
    return _one_way(whole, profiles), partial


def _to_parts(
    child: Column, parted: Mapping[tuple[str, str], tuple[Column, tuple[tuple[str, str], ...]]], own_key: Column | None
) -> list[Link]:
    """Links to all parts of a list that only together hold what a field refers to, see `parted_lists`."""
    best: list[Link] = []
    for place, (column, places) in parted.items():
        if place != places[0] or child.field.source in {source for source, _ in places}:
            continue
        link = _link(child, column, own_key)
        if link and link.containment >= _least(child) and (not best or link.containment > best[0].containment):
            best = [replace(link, parent=part) for part in places]
    return best


def _least(child: Column) -> float:
    """The share of records that must find their key: less for long ids, which do not overlap by chance."""
    return _LEAST_LONG if child.field.mean_length >= _LONG_ID else LEAST_CONTAINMENT


def _to_lists(child: Column, profiles: Sequence[Profile]) -> list[Link]:
    """Links to lists without a line of their own: several records with the same id, such as the options of a list."""
    if is_single_key(child):
        return []
    found = []
    for profile in profiles:
        if profile.source.name == child.field.source or any(
            column.field.type in TIMES and not ends_use(path) for path, column in profile.columns.items()
        ):
            continue
        for column in profile.columns.values():
            kept = column.field
            repeated = column.complete and 1 < kept.distinct < kept.count and not kept.excluded
            if repeated and _is_list_id(child, column) and (link := _link(child, column, None)):
                found.append(link)
    return [link for link in found if link.containment >= LEAST_CONTAINMENT]


def _is_list_id(child: Column, column: Column) -> bool:
    """Whether a field is filled where records have a list, under the same name as in the lists."""
    same = words_in(child.field.path) == words_in(column.field.path)
    ids = child.field.type in IDS and column.field.type in IDS
    ids = ids or (same and _are_mnemonics(child.sample) and _are_mnemonics(column.sample))
    named = named_as_id(column.field.path) or same
    short = child.field.mean_length <= _LONGEST_LIST_ID
    partly = not child.complete or bool(np.isin(_ZERO, child.present))
    return ids and short and named and partly and headers_alike(child.field, column.field)


def _counts_lines(column: Column) -> bool:
    return set(words_in(column.field.path)) <= _LINE_WORDS


def _has_names(profile: Profile) -> bool:
    """Whether each record has a name of its own."""
    return any(
        column.field.type is FieldType.TEXT and column.field.distinct > _MOSTLY_DIFFERENT * max(1, profile.source.rows)
        for column in profile.columns.values()
    )


def _may_be_a_parent(column: Column) -> bool:
    if _counts_lines(column):
        return False
    usual = median(map(len, column.sample)) if column.sample else 0
    short = column.field.type is FieldType.TEXT and (usual <= _SHORT_CODE or _are_mnemonics(column.sample))
    return short or named_as_id(column.field.path) or column.field.type in IDS


def _are_mnemonics(values: Sequence[str]) -> bool:
    """Whether texts are written as codes: single words in capitals."""
    return all(value == value.upper() and len(value) <= _LONGEST_LIST_ID and " " not in value for value in values)


def _link(child: Column, parent: Column, own_key: Column | None) -> Link | None:
    kept, key = child.field, parent.field
    if (kept.source, kept.path) == (key.source, key.path) or kept.count == 0:
        return None
    if kept.source == key.source and not set(words_in(kept.path)) & _OF_ITSELF:
        return None
    if not _alike_in_type(kept, key):
        return None
    alike = headers_alike(kept, key) or kept.source == key.source
    own = child is own_key  # it tells the records of its own source apart
    if key.distinct < _FEWEST_KEYS and not (alike and set(words_in(key.path)) - _GENERIC):
        return None
    if not (alike or (_is_an_id(child) and not _is_dense(parent) and (not own or _never_by_chance(child)))):
        return None
    held = np.isin(child.hashes, parent.present)
    filled = (child.hashes != 0) & ((child.hashes != _ZERO) | np.isin(_ZERO, parent.present))
    records = int(np.count_nonzero(filled))
    found = int(np.count_nonzero(held & filled))
    if not records or not found or (own and not alike and found < records):
        return None
    orphans = int(np.setdiff1d(child.hashes[filled], parent.present).size)
    counts = np.unique(child.hashes[filled], return_counts=True)[1]
    many = not (float(counts.mean()) <= _ONE_MEAN and int(counts.max()) <= _ONE_MOST)
    return Link(
        (kept.source, kept.path),
        (key.source, key.path),
        round(found / records, 4),
        orphans,
        many,
        round(found / records if alike else 0.9 * found / records, 4),
    )


def _alike_in_type(child: Field, parent: Field) -> bool:
    """Whether both may hold the same ids. Ids of an older system may have letters where new ones have none."""
    return child.type is parent.type or (child.type in IDS and parent.type in IDS)


def headers_alike(child: Field, parent: Field) -> bool:
    """Whether two headers say the same: the same words, or the name of the parent's source and its id."""
    ours, theirs = words_in(child.path), words_in(parent.path)
    if ours == theirs or "".join(ours) == "".join(theirs):
        return True
    stem = PurePosixPath(parent.source.partition("#")[2] or parent.source).name.split(".")[0]
    name = {word.removesuffix("s") for word in words_in(stem)} - _GENERIC
    own = {word.removesuffix("s") for word in ours} - _GENERIC
    if own and own & name:
        return True
    common = (set(ours) & set(theirs)) - _GENERIC
    within = bool(common) and (set(ours) <= set(theirs) or set(theirs) <= set(ours))
    return len(common) >= 2 or within


def _is_an_id(column: Column) -> bool:
    long = column.field.mean_length >= _LEAST_ID_LENGTH and column.field.distinct >= 3
    return long or (named_as_id(column.field.path) and column.field.distinct >= 2)


def _never_by_chance(column: Column) -> bool:
    """Whether all its values can be ids of another source only if they are meant."""
    return column.field.mean_length >= _LEAST_OWN_LENGTH and column.field.distinct >= _LEAST_OWN


def _is_dense(column: Column) -> bool:
    """Whether the keys are numbers without gaps, so that any number lies among them."""
    if column.field.type is not FieldType.INTEGER:
        return False
    numbers = [number for number in map(number_of, column.sample) if number is not None]
    if not numbers:
        return False
    return column.field.distinct > _DENSE * (max(numbers) - min(numbers) + 1)


def _one_way(links: Sequence[Link], profiles: Sequence[Profile]) -> list[Link]:
    """Of two keys that link to each other, the parent holds more of the other; else has names; else is shorter."""
    rows = {
        profile.source.name: (_has_names(profile), -profile.source.rows, -place)
        for place, profile in enumerate(profiles)
    }
    given = {(link.child, link.parent): link for link in links}

    def leads(link: Link) -> bool:
        back = given.get((link.parent, link.child))
        rank = (link.containment, rows[link.parent[0]])
        return back is None or rank > (back.containment, rows[back.parent[0]])

    return [link for link in links if leads(link)]
