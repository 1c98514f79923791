"""How much a field of each kind of source speaks for each role: by the words of its header and by its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from extraction.contract.catalogue import Column, Profile
from extraction.contract.records import IDS, NUMBERS, FieldRole, FieldType
from extraction.contract.rows.activity import tells_use
from extraction.contract.rows.groups import are_kinds
from extraction.contract.rows.option_text import joins, options_of
from extraction.contract.rows.units import is_unit
from extraction.contract.rows.value_types import is_value_type
from extraction.contract.structure.header_words import WORDS, unit_share, value_type_share
from extraction.contract.structure.source_kinds import Structure, is_same_for_each
from extraction.contract.value_shapes import number_of

_LONGEST_CODE = 6
_LEAST_JOINED, _LEAST_NAMED = 0.6, 0.3  # share of values that join several options
_LEAST_LOOSE, _FEWEST_JOINED = 0.8, 3
_OPTIONS = WORDS[FieldRole.OPTION_LIST] | frozenset(
    "option choice answer answers response responses value values allowed permitted possible valid domain legend codes"
    " selection selections select items dropdown".split()
)
_NO_OPTIONS = frozenset("synonym synonyms alias aliases keyword keywords note notes comment comments remark remarks"
                        " description help instruction instructions tags".split())  # fmt: skip
_LONGEST_MARK = 2
_FEW, _MOSTLY_OWN = 8, 0.9
_MOSTLY_TYPES = 0.3
_ROW_AND_OPTION = 2
_OF_VALUES = 0.7  # a column of values, though the word number is in its name
# what is beyond such limits is unusual or dangerous, and still right; other limits are those of a row
_USUAL = frozenset("normal reference alert warning critical panic alarm expected therapeutic".split())
_OF_PEOPLE = frozenset("age ages gestation".split())  # for whom limits hold
_EDITS = frozenset("edit edited modified change changed update updated updt upd created entered by".split())
_REMARKS = frozenset("note notes comment comments remark remarks".split())


def dictionary_weights(
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
    if not parent and are_kinds(column.sample) and value_type_share(column) < _MOSTLY_TYPES:
        return {FieldRole.OTHER: 1.0}
    if parent:
        weights[FieldRole.VALUE_TYPE] = 1.2 * _share_of_meanings(column, is_value_type)
        weights[FieldRole.UNIT] = 1.1 * _share_of_meanings(column, is_unit)
        weights[FieldRole.CATEGORY] = 0.8 * bool(said[FieldRole.CATEGORY])
        weights[FieldRole.OPTION_LIST] = 0.7 + 0.3 * bool(said[FieldRole.OPTION_LIST])
        return weights
    if tells_use(kept.path, column.sample):
        weights[FieldRole.ACTIVE] = 0.7 + 0.3 * bool(said[FieldRole.ACTIVE])
    if (
        kept.type in NUMBERS
        or (kept.type is FieldType.CODE and number_of(kept.minimum or "x") is not None)
        or kept.type is FieldType.EMPTY
    ):
        usual = 0.3 * bool(words & _USUAL) + bool(words & _OF_PEOPLE)
        weights[FieldRole.MINIMUM] = said[FieldRole.MINIMUM] - usual
        weights[FieldRole.MAXIMUM] = said[FieldRole.MAXIMUM] - usual
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
    if kept.type in (FieldType.TEXT, FieldType.CODE):
        unlike = kept.distinct / max(1, kept.count)
        if words & _REMARKS:
            return weights
        if unlike > 0.6:
            weights[FieldRole.ROW_NAME] = (
                0.45 * unlike
                + 0.35 * said[FieldRole.ROW_NAME]
                + 0.15 * _spelled_well(column)
                + 0.15 * bool(words & {"display", "disp", "label", "english"})
                - 0.3 * bool(words & {"internal", "abbreviation", "abbr", "short", "comment", "note", "notes"})
                - 0.3 * bool(words & {"old", "former", "legacy", "previous"})
                - 0.5 * kept.null_rate
            )
            weights[FieldRole.ROW_ALIAS] = 0.45 * unlike + 0.4 * bool(said[FieldRole.ROW_ALIAS])
        elif said[FieldRole.CATEGORY] or not words & _EDITS:
            weights[FieldRole.CATEGORY] = (
                0.3 + 0.5 * bool(said[FieldRole.CATEGORY]) + (0.15 if kept.distinct >= 3 else 0.0)
            )
        if _joined_options(column, words):
            weights[FieldRole.OPTION_NAME] = 1.1
    return weights


def _share_of_meanings(column: Column, holds: Callable[[str], bool]) -> float:
    """The share of a linked field's meanings, numbers aside, for which something holds."""
    texts = [text for text in column.sample if number_of(text) is None]
    return sum(map(holds, texts)) / len(texts) if len(texts) >= 2 else 0.0


def _joined_options(column: Column, words: set[str]) -> bool:
    """Whether the values are lists of options: '1=Yes|2=No' or 'Yes; No', or 'Yes, No' under a header that says so."""
    values = column.sample
    if words & _NO_OPTIONS or (words & WORDS[FieldRole.CATEGORY] and not words & _OPTIONS):
        return False
    named = bool(words & _OPTIONS)
    sure = sum(joins(value, loosely=False) for value in values)
    if named and column.field.is_sparse and 0 < sure == len(values):
        return True  # only some of few rows are choices
    if sure >= _FEWEST_JOINED and sure >= (_LEAST_NAMED if named else _LEAST_JOINED) * len(values):
        return True
    loose = [len(options_of(value)) for value in values]
    if named:
        return sum(count > 1 for count in loose) >= max(_FEWEST_JOINED, _LEAST_NAMED * len(values))
    return sum(count > 2 for count in loose) >= max(_FEWEST_JOINED, _LEAST_LOOSE * len(values))


def _spelled_well(column: Column) -> float:
    """Share of values that are not all in capitals or with underscores: names for people rather than for programs."""
    values = column.sample
    return sum(value != value.upper() and "_" not in value for value in values) / len(values) if values else 0.0


def option_weights(
    column: Column, profile: Profile, words: set[str], said: Mapping[FieldRole, float],
    parent: tuple[str, str] | None, structure: Structure,
) -> dict[FieldRole, float]:  # fmt: skip
    kept, name = column.field, profile.source.name
    key = structure.key(name)
    weights = {FieldRole.OTHER: 0.4}
    owners = [path for path, one in profile.columns.items() if structure.parent(name, path) and not one.unique]
    owned = any(structure.parent(name, path) for path in profile.columns)
    is_list = len(key) == 1 and bool(structure.children(name, key[0])) and not owned
    if parent and parent not in structure.lists and _are_options_by_code(profile, structure):
        return {FieldRole.OPTION_CODE: 1.0}
    refers = bool(structure.children(name, kept.path)) and (is_list or not column.unique)
    if refers or (parent and bool(said[FieldRole.OPTION_LIST] or not said[FieldRole.ORDER])):
        return {FieldRole.OPTION_LIST: 1.0}
    if is_list:
        return weights
    if tells_use(kept.path, column.sample) and said[FieldRole.ACTIVE]:
        weights[FieldRole.ACTIVE] = 1.0
    if kept.type in IDS or (kept.mean_length <= _LONGEST_CODE and said[FieldRole.OPTION_CODE]):
        weights[FieldRole.OPTION_CODE] = max(0.9 * said[FieldRole.OPTION_CODE], 0.45) - 0.5 * kept.null_rate
        weights[FieldRole.ORDER] = 1.1 * said[FieldRole.ORDER]
    owners += [path for path, one in profile.columns.items() if structure.children(name, path) and not one.unique]
    if any(is_same_for_each(profile.columns[owner], column) for owner in owners if owner != kept.path):
        return weights  # the same in all lines of a row or of a list: its name
    if kept.type in (FieldType.TEXT, FieldType.CODE, FieldType.BOOLEAN):
        weights[FieldRole.OPTION_NAME] = (
            0.4
            + 0.5 * said[FieldRole.OPTION_NAME]
            - 0.4 * bool(words & {"list", "set", "comment", "note"})
            + 0.1 * _spelled_well(column)
        )
    return weights


def _are_options_by_code(profile: Profile, structure: Structure) -> bool:
    """Whether the lines of a source lead to a row and to the text of an option, and have no words of their own."""
    name = profile.source.name
    linked = [path for path in profile.columns if structure.parent(name, path)]
    words = any(column.field.type is FieldType.TEXT and path not in linked for path, column in profile.columns.items())
    return len(linked) == _ROW_AND_OPTION and not words


def group_weights(
    column: Column, words: set[str], said: Mapping[FieldRole, float], *, leads_to_rows: bool
) -> dict[FieldRole, float]:
    kept = column.field
    weights = {FieldRole.OTHER: 0.4}
    own = kept.count >= _FEW and kept.distinct > _MOSTLY_OWN * kept.count and not kept.is_sparse
    names_rows = leads_to_rows and own
    if kept.type is FieldType.TEXT and kept.mean_length > _LONGEST_MARK and not names_rows:
        repeated = (kept.is_sparse or kept.distinct < 0.7 * kept.count) and not words & _REMARKS
        weights[FieldRole.CATEGORY] = 0.2 + 0.6 * said[FieldRole.CATEGORY] + 0.25 * repeated
    if said[FieldRole.ORDER] and kept.type is FieldType.INTEGER and not _names_an_id(words):
        weights[FieldRole.ORDER] = 0.9
    if kept.type in IDS and "template" in words:
        weights[FieldRole.TEMPLATE] = 0.9
    return weights


def _names_an_id(words: set[str]) -> bool:
    return bool(words & {"id", "key", "uuid"})


def value_weights(column: Column, words: set[str], said: Mapping[FieldRole, float]) -> dict[FieldRole, float]:
    kept = column.field
    weights = {FieldRole.OTHER: 0.4}
    if (units := unit_share(column)) > 0.5:
        weights[FieldRole.UNIT] = 0.4 * units + 0.6 * bool(said[FieldRole.UNIT])
    if said[FieldRole.VALUE] and kept.type is not FieldType.BOOLEAN:
        weights[FieldRole.VALUE] = said[FieldRole.VALUE] - 0.5 * bool(
            words
            & {"unit", "uom", "units", "unitname", "valueuom", "type", "original", "warning", "seq", "id", "line", "no"}
        )
        weights[FieldRole.VALUE] -= 0.09 * kept.null_rate  # of a code, a number and a text, the one that each value has
    if said[FieldRole.ORDER] and kept.type is FieldType.INTEGER and not _names_an_id(words):
        weights[FieldRole.ORDER] = 0.7 if weights.get(FieldRole.VALUE, 0.0) > _OF_VALUES else 0.8
    if value_type_share(column) > 0.8 and said[FieldRole.VALUE_TYPE]:
        weights[FieldRole.VALUE_TYPE] = 0.8
    if kept.type is FieldType.TEXT and said[FieldRole.CATEGORY]:
        weights[FieldRole.CATEGORY] = 0.6
    return weights
