"""What each field says: the role of every column.

Rules over the words of headers, the forms of values, keys and links. Where the two best roles are nearly as likely, the
field is uncertain and a person is asked (`extraction.contract.questions`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.contract.catalogue import Column, Profile
from extraction.contract.people import is_encounter, is_patient, is_staff
from extraction.contract.records import IDS, TIMES, DecidedBy, FieldRole, FieldRoleOf, FieldType, SourceKind
from extraction.contract.rows.activity import ends_use
from extraction.contract.rows.groups import innermost
from extraction.contract.rows.option_cells import OptionColumn, option_columns
from extraction.contract.structure.alternate_keys import alternate_keys, keys_between, led_to_ids
from extraction.contract.structure.code_tables import Meanings
from extraction.contract.structure.header_words import WORDS, heard_in, loinc_share
from extraction.contract.structure.named_lists import NamedLists, find_named_lists
from extraction.contract.structure.role_weights import dictionary_weights, group_weights, option_weights, value_weights
from extraction.contract.structure.source_kinds import (
    Structure,
    decides,
    find_dictionaries,
    kind_of,
    listed_in_values,
    names_beside,
    rival_ids,
)
from extraction.contract.value_shapes import type_of, words_in

_TIME_ENDINGS = ("time", "date", "dttm", "dtm", "dt")
_PARTLY = 0.2
_LEAST_RIVAL = 0.2
_DOUBTFUL = 0.5  # a person is asked
_NEARLY_ALL = 0.9  # the others are not taken
_CLOCK_DIGITS = re.compile(r"(?:[01]?\d|2[0-3])[0-5]\d(?:[0-5]\d)?")
_OTHER_TIMES = frozenset(
    "admit admitted admission discharge discharged birth end stop due expiry expires valid".split()
)
_OF_LIMITS = (FieldRole.MINIMUM, FieldRole.MAXIMUM, FieldRole.UNIT, FieldRole.ACTIVE, FieldRole.OTHER)
_EDITED = frozenset("edit edited modified change changed last updated update".split())


@dataclass(frozen=True)
class Roles:
    """What all fields say.

    Attributes:
        of_fields: the role of every field.
        kinds: the kind of every source, by its name.
        rivals: by source and field, the roles that it may have instead, the likeliest first.
        dictionaries: the sources that list rows, each with the field of the row's id.
        alternates: the fields that name rows otherwise than by their id, with the unique field of a dictionary.
        between: the fields that lead to a line about a row, with the key of that line; and the field of the row in the
            sources of such lines.
    """

    of_fields: Sequence[FieldRoleOf]
    kinds: Mapping[str, SourceKind]
    rivals: Mapping[tuple[str, str], tuple[FieldRole, ...]]
    dictionaries: Mapping[str, str]
    alternates: Mapping[tuple[str, str], tuple[str, str]]
    between: tuple[Mapping[tuple[str, str], tuple[str, str]], Mapping[str, str]]


def find_roles(
    profiles: Sequence[Profile],
    structure: Structure,
    meanings: Meanings,
    decided: Mapping[tuple[str, str], FieldRole],
) -> Roles:
    """The role of every field, and the kind of every source.

    Args:
        meanings: what codes of linked fields mean, see `extraction.contract.structure.code_tables`.
        decided: roles that persons gave, by source and field; another field does not keep such a role beside it.
    """
    profiles = [_decoded(profile, meanings) for profile in profiles]
    ids_said = {place for place, role in decided.items() if role is FieldRole.ROW_ID}
    dictionaries = find_dictionaries(profiles, structure, ids_said) or listed_in_values(profiles)
    doubtful = [place for place in rival_ids(profiles, structure, dictionaries) if place not in decided]
    alternates = alternate_keys(profiles, structure.links, dictionaries)
    ids = {source: (source, path) for source, path in dictionaries.items()}
    structure = replace(structure, links=led_to_ids(structure.links, alternates, ids))
    between = keys_between(profiles, structure.links, dictionaries)
    rows = {link.child: link.parent for link in structure.links}
    ids = {source: rows[source, path] for source, path in between[1].items()}
    structure = replace(structure, links=led_to_ids(structure.links, between[0], ids))
    named = find_named_lists(profiles, dictionaries)
    apart = [link for link in structure.links if not {link.child[0], link.parent[0]} & named.sources]
    structure = replace(structure, links=tuple(apart))
    kinds: dict[str, SourceKind] = {}
    roles: list[FieldRoleOf] = []
    rivals: dict[tuple[str, str], tuple[FieldRole, ...]] = {}
    for profile in profiles:
        name = profile.source.name
        listed = name in named.sources or name in named.in_columns
        kinds[name] = kind = SourceKind.OPTIONS if listed else kind_of(profile, structure, dictionaries)
        weighed = {
            path: _weights(column, profile, kind, structure, dictionaries) for path, column in profile.columns.items()
        }
        own = {path: role for (source, path), role in decided.items() if source == name and path in profile.columns}
        found = _roles_of(profile, kind, weighed, own, _certain(profile, kind, named))
        asked = [
            replace(role, confidence=min(role.confidence, _DOUBTFUL)) if (name, role.field) in doubtful else role
            for role in found
        ]
        roles += asked
        rivals |= {(name, role.field): _rivals(role, weighed[role.field]) for role in found}
    rivals |= {place: (FieldRole.ROW_ID, *rivals[place]) for place in doubtful}
    return Roles(roles, kinds, rivals, dictionaries, alternates, between)


def _certain(profile: Profile, kind: SourceKind, named: NamedLists) -> dict[str, tuple[FieldRole, float]]:
    """The roles of fields that stand without weighing: columns of options, and fields that name lists."""
    name = profile.source.name
    if name in named.in_columns:
        return dict.fromkeys(profile.columns, (FieldRole.OPTION_NAME, 1.0))
    lists_options = option_columns(tuple(profile.columns)) if kind is SourceKind.DICTIONARY else {}
    certain = {path: (_role_of_option(column), 0.9) for path, column in lists_options.items()}
    names_lists = [path for source, path in named.fields if source == name and not _is_name(profile.columns[path])]
    return certain | dict.fromkeys(names_lists, (FieldRole.OPTION_LIST, 1.0))


def _rivals(role: FieldRoleOf, weights: Mapping[FieldRole, float]) -> tuple[FieldRole, ...]:
    likely = sorted((-weight, other) for other, weight in weights.items() if weight >= _LEAST_RIVAL)
    return tuple(other for _, other in likely if other not in (role.role, FieldRole.OTHER))


def _decoded(profile: Profile, meanings: Meanings) -> Profile:
    """A source with the meanings of its codes in place of the codes in its samples."""
    columns = dict(profile.columns)
    for path, column in profile.columns.items():
        texts = meanings.get((profile.source.name, path))
        if texts and not column.unique:
            sample = tuple(texts.get(value.strip(), value) for value in column.sample if value.strip() != "0")
            columns[path] = replace(column, field=replace(column.field, type=type_of(sample)), sample=sample)
    return Profile(profile.source, columns)


def _roles_of(
    profile: Profile,
    kind: SourceKind,
    weighed: Mapping[str, Mapping[FieldRole, float]],
    decided: Mapping[str, FieldRole],
    certain: Mapping[str, tuple[FieldRole, float]],
) -> list[FieldRoleOf]:
    elsewhere = {role for path, role in decided.items() if path not in certain} & _ONCE
    chosen: dict[str, tuple[FieldRole, float]] = {path: (role, 1.0) for path, role in decided.items()}
    chosen |= {path: one for path, one in certain.items() if path not in decided and one[0] not in elsewhere}
    taken = {role for role, _ in chosen.values()}
    order = sorted(
        (
            (weight, -place, path, role)
            for place, (path, roles) in enumerate(weighed.items())
            for role, weight in roles.items()
        ),
        reverse=True,
        key=lambda item: (item[0], item[1]),
    )
    for _, _, path, role in order:
        again = role is FieldRole.VALUE and profile.columns[path].field.null_rate > _PARTLY  # one column for each form
        beside = role in _MOMENTS and weighed[path] == {role: 1.0}  # the time of day beside a date
        again = again or beside
        if path in chosen or (role in _ONCE and role in taken and not again):
            continue
        rivals = sorted(weighed[path].values(), reverse=True)
        margin = rivals[0] - rivals[1] if len(rivals) > 1 else 1.0
        chosen[path] = (role, round(min(1.0, 0.5 + max(margin, 0.0)), 3))
        if not beside:
            taken.add(role)
    if kind is SourceKind.DICTIONARY and FieldRole.ROW_NAME not in taken:
        aliases = (path for path in profile.columns if chosen.get(path, ("",))[0] is FieldRole.ROW_ALIAS)
        alias = next((path for path in aliases if path not in decided), None)
        if alias:
            chosen[alias] = (FieldRole.ROW_NAME, 0.7)
    return [
        FieldRoleOf(
            profile.source.name,
            path,
            *(chosen.get(path) or (FieldRole.OTHER, 0.9)),
            DecidedBy.PERSON if path in decided else DecidedBy.RULE,
        )
        for path in profile.columns
    ]


_MOMENTS = (FieldRole.OBSERVED_AT, FieldRole.RECORDED_AT)


def _is_name(column: Column) -> bool:
    """Whether a field gives each record its own name: the name of its list, too, where lists are named as rows are."""
    return column.unique and column.complete


def _role_of_option(column: OptionColumn) -> FieldRole:
    return FieldRole.OPTION_CODE if column.holds_code else FieldRole.OPTION_NAME


_ONCE = frozenset((FieldRole.ROW_ID, FieldRole.ROW_NAME, FieldRole.VALUE_TYPE, FieldRole.UNIT, FieldRole.LOINC,
                   FieldRole.OPTION_LIST,
                   FieldRole.OPTION_CODE, FieldRole.OPTION_NAME, FieldRole.MINIMUM, FieldRole.MAXIMUM, FieldRole.VALUE,
                   FieldRole.OBSERVED_AT, FieldRole.RECORDED_AT))  # fmt: skip


def _weights(
    column: Column, profile: Profile, kind: SourceKind, structure: Structure, dictionaries: Mapping[str, str]
) -> dict[FieldRole, float]:
    kept = column.field
    path, name, words = kept.path, profile.source.name, set(words_in(kept.path))
    if kept.excluded or is_staff(path):
        return {FieldRole.PERSON: 1.0}
    if "loinc" in words and loinc_share(column) >= _NEARLY_ALL:
        return {FieldRole.LOINC: 1.0}
    if is_encounter(path) and kind is not SourceKind.DICTIONARY:
        return {FieldRole.ENCOUNTER: 1.0}
    if is_patient(path) and kind is not SourceKind.DICTIONARY:
        return {FieldRole.PATIENT: 1.0}
    if kept.type in TIMES:
        words |= {
            part
            for word in words
            for ending in _TIME_ENDINGS
            if word.endswith(ending)
            for part in (word[: -len(ending)], ending)
        }
    said = {role: heard_in(words, role) for role in WORDS}
    weights: dict[FieldRole, float] = {}
    parent = structure.parent(name, path)
    if dictionaries.get(name) == path:
        return {FieldRole.ROW_ID: 1.0}
    if parent and dictionaries.get(parent[0]) == parent[1]:
        return {FieldRole.ROW_ID: 1.0} if _is_innermost(column, profile, structure, parent) else {FieldRole.OTHER: 1.0}
    if kind is SourceKind.VALUES and _is_clock(column, words):
        beside = _date_beside(profile, path)
        if beside is not None:
            heard = set(words_in(beside)) & WORDS[FieldRole.RECORDED_AT]
            return {FieldRole.RECORDED_AT if heard else FieldRole.OBSERVED_AT: 1.0}
    if kept.type in TIMES and kept.type is not FieldType.TIME:
        if kind in (SourceKind.DICTIONARY, SourceKind.OPTIONS, SourceKind.LIMITS) and ends_use(path):
            return {FieldRole.ACTIVE: 1.0}
        if kind is not SourceKind.VALUES or words & _EDITED:
            return {FieldRole.OTHER: 0.8}
        recorded = said[FieldRole.RECORDED_AT]
        weights[FieldRole.OTHER] = 0.3
        weights[FieldRole.RECORDED_AT] = recorded
        observed = max(said[FieldRole.OBSERVED_AT], 0.0 if words & _OTHER_TIMES or recorded else 0.35)
        weights[FieldRole.OBSERVED_AT] = observed - (0.0 if recorded == 0 else 0.1)
        weights[FieldRole.VALUE] = 0.4 * said[FieldRole.VALUE] + 0.6 * bool(words <= {"value", "result"})
        return weights
    if kind is SourceKind.DICTIONARY:
        return dictionary_weights(column, words, said, parent, structure)
    if kind is SourceKind.LIMITS:
        weights = dictionary_weights(column, words, said, parent, structure)
        return {role: weight for role, weight in weights.items() if role in _OF_LIMITS}
    if kind is SourceKind.OPTIONS:
        return option_weights(column, profile, words, said, parent, structure)
    if kind is SourceKind.GROUPS:
        leads = any((to := structure.parent(name, one)) and dictionaries.get(to[0]) == to[1] for one in profile.columns)
        return group_weights(column, words, said, leads_to_rows=leads)
    if kind is SourceKind.MAPPING:
        if named := names_beside(profile, structure):
            return {FieldRole.ROW_ALIAS if path == named else FieldRole.OTHER: 0.9}
        if kept.type in IDS and column.unique:
            return {FieldRole.ROW_ALIAS: 0.9}
        return {FieldRole.OTHER: 0.8}
    if kind is SourceKind.VALUES:
        weights = value_weights(column, words, said)
        links = (link for link in structure.links if link.child[0] == name)
        linked = next((link.child[1] for link in links if dictionaries.get(link.parent[0]) == link.parent[1]), None)
        own = dictionaries.get(name) or linked
        if own and kept.type is FieldType.TEXT and decides(profile.columns[own], column):
            weights[FieldRole.ROW_NAME] = 0.7 + 0.3 * bool(said[FieldRole.ROW_NAME])
        return weights
    return {FieldRole.OTHER: 0.8}


def _is_clock(column: Column, words: set[str]) -> bool:
    """Whether a field holds times of day: 08:15, or 0815 under a header that says so."""
    digits = all(_CLOCK_DIGITS.fullmatch(value.strip()) for value in column.sample) and "time" in words
    return column.field.type is FieldType.TIME or (digits and column.field.type in IDS)


def _date_beside(profile: Profile, path: str) -> str | None:
    """The field of dates nearest before or behind a field of times of day."""
    paths = list(profile.columns)
    place = paths.index(path)
    near = [paths[at] for at in (place - 1, place + 1, place - 2) if 0 <= at < len(paths)]
    return next((one for one in near if profile.columns[one].field.type is FieldType.DATE), None)


def _is_innermost(column: Column, profile: Profile, structure: Structure, parent: tuple[str, str]) -> bool:
    """Whether of several fields that lead to rows, some of which may be groups, this one names the row."""
    name = profile.source.name
    rivals = [path for path in profile.columns if structure.parent(name, path) == parent]
    return column.field.path == innermost({path: profile.columns[path].field.distinct for path in rivals})
