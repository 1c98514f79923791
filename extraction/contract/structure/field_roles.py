"""What each field says: the role of every column.

Rules over the words of headers, the forms of values, keys and links. Where the two best roles are nearly as likely, the
field is uncertain and a person is asked (`extraction.contract.questions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.contract.catalogue import Column, Profile
from extraction.contract.people import is_encounter, is_patient, is_staff
from extraction.contract.records import IDS, NUMBERS, TIMES, DecidedBy, FieldRole, FieldRoleOf, FieldType, SourceKind
from extraction.contract.rows.options import MARKS
from extraction.contract.rows.units import is_unit
from extraction.contract.rows.value_types import is_value_type
from extraction.contract.structure.code_tables import Meanings
from extraction.contract.structure.header_words import WORDS, heard_in, loinc_share, unit_share, value_type_share
from extraction.contract.structure.source_kinds import (
    Structure,
    decides,
    find_dictionaries,
    kind_of,
    listed_in_values,
)
from extraction.contract.value_shapes import folded, is_boolean, number_of, type_of, words_in

_TIME_ENDINGS = ("time", "date", "dttm", "dtm", "dt")
_ACTIVE_VALUES = frozenset(
    "active inactive retired deleted y n yes no true false 1 0 current obsolete hidden enabled disabled a i d"
    " live x".split()
)
_LONGEST_CODE = 6
_LEAST_JOINED, _LEAST_NAMED = 0.6, 0.3  # share of values that join several options
_PARTLY = 0.2
_LEAST_RIVAL = 0.2
_NEARLY_ALL = 0.9  # the others are not taken
_REMARKS = frozenset("note notes comment comments remark remarks".split())
_OTHER_TIMES = frozenset(
    "admit admitted admission discharge discharged birth end stop due expiry expires valid".split()
)
_EDITED = frozenset("edit edited modified change changed last updated update".split())


@dataclass(frozen=True)
class Roles:
    """What all fields say.

    Attributes:
        of_fields: the role of every field.
        kinds: the kind of every source, by its name.
        rivals: by source and field, the roles that it may have instead, the likeliest first.
    """

    of_fields: Sequence[FieldRoleOf]
    kinds: Mapping[str, SourceKind]
    rivals: Mapping[tuple[str, str], tuple[FieldRole, ...]]


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
    dictionaries = find_dictionaries(profiles, structure) or listed_in_values(profiles)
    kinds: dict[str, SourceKind] = {}
    roles: list[FieldRoleOf] = []
    rivals: dict[tuple[str, str], tuple[FieldRole, ...]] = {}
    for profile in profiles:
        name = profile.source.name
        kinds[name] = kind = kind_of(profile, structure, dictionaries)
        weighed = {
            path: _weights(column, profile, kind, structure, dictionaries) for path, column in profile.columns.items()
        }
        own = {path: role for (source, path), role in decided.items() if source == name and path in profile.columns}
        found = _roles_of(profile, kind, weighed, own)
        roles += found
        rivals |= {(name, role.field): _rivals(role, weighed[role.field]) for role in found}
    return Roles(roles, kinds, rivals)


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
) -> list[FieldRoleOf]:
    chosen: dict[str, tuple[FieldRole, float]] = {path: (role, 1.0) for path, role in decided.items()}
    taken = set(decided.values())
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
        if path in chosen or (role in _ONCE and role in taken and not again):
            continue
        rivals = sorted(weighed[path].values(), reverse=True)
        margin = rivals[0] - rivals[1] if len(rivals) > 1 else 1.0
        chosen[path] = (role, round(min(1.0, 0.5 + max(margin, 0.0)), 3))
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


_ONCE = frozenset((FieldRole.ROW_ID, FieldRole.ROW_NAME, FieldRole.VALUE_TYPE, FieldRole.UNIT, FieldRole.LOINC,
                   FieldRole.OPTION_LIST,
                   FieldRole.OPTION_CODE, FieldRole.OPTION_NAME, FieldRole.MINIMUM, FieldRole.MAXIMUM, FieldRole.VALUE,
                   FieldRole.OBSERVED_AT, FieldRole.RECORDED_AT, FieldRole.ACTIVE))  # fmt: skip


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
    if dictionaries.get(name) == path or (parent and dictionaries.get(parent[0]) == parent[1]):
        return {FieldRole.ROW_ID: 1.0}
    if kept.type in TIMES and kept.type is not FieldType.TIME:
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
        return _dictionary_weights(column, words, said, parent, structure)
    if kind is SourceKind.OPTIONS:
        return _option_weights(column, profile, words, said, parent, structure)
    if kind is SourceKind.GROUPS:
        return _group_weights(column, words, said)
    if kind is SourceKind.MAPPING:
        if kept.type in IDS and column.unique:
            return {FieldRole.ROW_ALIAS: 0.9}
        return {FieldRole.OTHER: 0.8}
    if kind is SourceKind.VALUES:
        weights = _value_weights(column, words, said)
        links = (link for link in structure.links if link.child[0] == name)
        linked = next((link.child[1] for link in links if dictionaries.get(link.parent[0]) == link.parent[1]), None)
        own = dictionaries.get(name) or linked
        if own and kept.type is FieldType.TEXT and decides(profile.columns[own], column):
            weights[FieldRole.ROW_NAME] = 0.7 + 0.3 * bool(said[FieldRole.ROW_NAME])
        return weights
    return {FieldRole.OTHER: 0.8}


def _dictionary_weights(
    column: Column,
    words: set[str],
    said: Mapping[FieldRole, float],
    parent: tuple[str, str] | None,
    structure: Structure,
) -> dict[FieldRole, float]:
    kept = column.field
    weights = {FieldRole.OTHER: 0.35}
    if parent in structure.lists:
        return {FieldRole.OPTION_LIST: 1.0}
    if parent:
        weights[FieldRole.VALUE_TYPE] = 1.2 * _share_of_meanings(column, is_value_type)
        weights[FieldRole.UNIT] = 1.1 * _share_of_meanings(column, is_unit)
        weights[FieldRole.CATEGORY] = 0.8 * bool(said[FieldRole.CATEGORY])
        weights[FieldRole.OPTION_LIST] = 0.7 + 0.3 * bool(said[FieldRole.OPTION_LIST])
        return weights
    if (
        kept.type in NUMBERS
        or (kept.type is FieldType.CODE and number_of(kept.minimum or "x") is not None)
        or kept.type is FieldType.EMPTY
    ):
        weights[FieldRole.MINIMUM] = said[FieldRole.MINIMUM]
        weights[FieldRole.MAXIMUM] = said[FieldRole.MAXIMUM]
        weights[FieldRole.ORDER] = said[FieldRole.ORDER] * 0.6
        if kept.type is FieldType.EMPTY:
            weights[FieldRole.UNIT] = said[FieldRole.UNIT]
        return weights
    if (types := value_type_share(column)) > 0.3:
        weights[FieldRole.VALUE_TYPE] = types * (0.8 + 0.4 * bool(said[FieldRole.VALUE_TYPE]))
    if (units := unit_share(column)) > 0.3:
        weights[FieldRole.UNIT] = units * (0.6 + 0.5 * bool(said[FieldRole.UNIT]))
    elif said[FieldRole.UNIT]:
        weights[FieldRole.UNIT] = 0.5
    if _is_active(column):
        weights[FieldRole.ACTIVE] = 0.7 + 0.3 * bool(said[FieldRole.ACTIVE])
    if kept.type in (FieldType.TEXT, FieldType.CODE):
        unlike = kept.distinct / max(1, kept.count)
        if unlike > 0.6:
            weights[FieldRole.ROW_NAME] = (
                0.45 * unlike
                + 0.35 * said[FieldRole.ROW_NAME]
                + 0.15 * _spelled_well(column)
                + 0.15 * bool(words & {"display", "disp", "label", "english"})
                - 0.3 * bool(words & {"internal", "abbreviation", "abbr", "short", "comment", "note", "notes"})
            )
            weights[FieldRole.ROW_ALIAS] = 0.45 * unlike + 0.4 * bool(said[FieldRole.ROW_ALIAS])
        else:
            weights[FieldRole.CATEGORY] = (
                0.3 + 0.5 * bool(said[FieldRole.CATEGORY]) + (0.15 if kept.distinct >= 3 else 0.0)
            )
        if _joined_options(column, _LEAST_NAMED if words & WORDS[FieldRole.OPTION_LIST] else _LEAST_JOINED):
            weights[FieldRole.OPTION_NAME] = 1.1
    return weights


def _share_of_meanings(column: Column, holds: Callable[[str], bool]) -> float:
    """The share of a linked field's meanings, numbers aside, for which something holds."""
    texts = [text for text in column.sample if number_of(text) is None]
    return sum(map(holds, texts)) / len(texts) if len(texts) >= 2 else 0.0


def _is_active(column: Column) -> bool:
    """Whether the values say whether something is in use; a bare yes or no does so only under such a header."""
    values = {folded(value) for value in column.sample}
    named = bool(heard_in(set(words_in(column.field.path)), FieldRole.ACTIVE))
    return 1 <= len(values) <= 5 and values <= _ACTIVE_VALUES and (named or not is_boolean(values))


def _joined_options(column: Column, least: float) -> bool:
    """Whether the values are lists of options: '1=Yes|2=No' or 'Yes; No; Unknown'."""
    parts = [value for value in column.sample if MARKS.search(value)]
    return len(parts) >= least * max(1, len(column.sample)) and len(parts) >= 3


def _spelled_well(column: Column) -> float:
    """Share of values that are not all in capitals or with underscores: names for people rather than for programs."""
    values = column.sample
    return sum(value != value.upper() and "_" not in value for value in values) / len(values) if values else 0.0


def _option_weights(
    column: Column, profile: Profile, words: set[str], said: Mapping[FieldRole, float],
    parent: tuple[str, str] | None, structure: Structure,
) -> dict[FieldRole, float]:  # fmt: skip
    kept, name = column.field, profile.source.name
    key = structure.key(name)
    weights = {FieldRole.OTHER: 0.4}
    owned = any(structure.parent(name, path) for path in profile.columns)
    is_list = len(key) == 1 and bool(structure.children(name, key[0])) and not owned
    refers = bool(structure.children(name, kept.path)) and (is_list or not column.unique)
    if refers or (parent and bool(said[FieldRole.OPTION_LIST] or not said[FieldRole.ORDER])):
        return {FieldRole.OPTION_LIST: 1.0}
    if is_list:
        return weights
    if _is_active(column) and said[FieldRole.ACTIVE]:
        weights[FieldRole.ACTIVE] = 1.0
    if kept.type in IDS or (kept.mean_length <= _LONGEST_CODE and said[FieldRole.OPTION_CODE]):
        weights[FieldRole.OPTION_CODE] = max(0.9 * said[FieldRole.OPTION_CODE], 0.45)
        weights[FieldRole.ORDER] = 1.1 * said[FieldRole.ORDER]
    if kept.type in (FieldType.TEXT, FieldType.CODE, FieldType.BOOLEAN):
        weights[FieldRole.OPTION_NAME] = (
            0.4
            + 0.5 * said[FieldRole.OPTION_NAME]
            - 0.4 * bool(words & {"list", "set", "comment", "note"})
            + 0.1 * _spelled_well(column)
        )
    return weights


def _group_weights(column: Column, words: set[str], said: Mapping[FieldRole, float]) -> dict[FieldRole, float]:
    kept = column.field
    weights = {FieldRole.OTHER: 0.4}
    if kept.type is FieldType.TEXT:
        repeated = (kept.is_sparse or kept.distinct < 0.7 * kept.count) and not words & _REMARKS
        weights[FieldRole.CATEGORY] = 0.2 + 0.6 * said[FieldRole.CATEGORY] + 0.25 * repeated
    if said[FieldRole.ORDER] and kept.type is FieldType.INTEGER and not _names_an_id(words):
        weights[FieldRole.ORDER] = 0.9
    if kept.type in IDS and "template" in words:
        weights[FieldRole.TEMPLATE] = 0.9
    return weights


def _names_an_id(words: set[str]) -> bool:
    return bool(words & {"id", "key", "uuid"})


def _value_weights(column: Column, words: set[str], said: Mapping[FieldRole, float]) -> dict[FieldRole, float]:
    kept = column.field
    weights = {FieldRole.OTHER: 0.4}
    if (units := unit_share(column)) > 0.5:
        weights[FieldRole.UNIT] = 0.4 * units + 0.6 * bool(said[FieldRole.UNIT])
    if said[FieldRole.VALUE] and kept.type is not FieldType.BOOLEAN:
        weights[FieldRole.VALUE] = said[FieldRole.VALUE] - 0.5 * bool(
            words
            & {"unit", "uom", "units", "unitname", "valueuom", "type", "original", "warning", "seq", "id", "line", "no"}
        )
    if said[FieldRole.ORDER] and kept.type is FieldType.INTEGER and not _names_an_id(words):
        weights[FieldRole.ORDER] = 0.8
    if value_type_share(column) > 0.8 and said[FieldRole.VALUE_TYPE]:
        weights[FieldRole.VALUE_TYPE] = 0.8
    if kept.type is FieldType.TEXT and said[FieldRole.CATEGORY]:
        weights[FieldRole.CATEGORY] = 0.6
    return weights
