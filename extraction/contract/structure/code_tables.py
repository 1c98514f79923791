"""Tables of codes: what the codes of a field mean, where a link leads to a table that says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extraction.contract.catalogue import Profile, Table
from extraction.contract.records import FieldType, Link
from extraction.contract.structure.source_kinds import has_people
from extraction.contract.value_shapes import is_nothing, tidied, words_in

Meanings = Mapping[tuple[str, str], Mapping[str, str]]

_MOST_CODES = 5000
# headers of the text that says what a code means, the surest first
_TEXTS = (
    "display",
    "label",
    "name",
    "caption",
    "title",
    "meaning",
    "text",
    "desc",
    "description",
    "explanation",
    "string",
)
_SHORT = frozenset("short abbr abbreviation mnemonic".split())


def code_meanings(tables: Sequence[Table], profiles: Sequence[Profile], links: Sequence[Link]) -> Meanings:
    """What the values of each linked field mean, by source and field: a text for each code."""
    by_name = {table.source.name: table for table in tables}
    texts: dict[tuple[str, str], Mapping[str, str]] = {}
    for profile in profiles:
        parents = {link.parent[1] for link in links if link.parent[0] == profile.source.name}
        keys = {path for path in parents if profile.columns[path].unique}
        if not keys or profile.source.rows > _MOST_CODES or has_people(profile):
            continue
        if (text := _text_field(profile, keys)) is None:
            continue
        for key in keys:
            texts[profile.source.name, key] = _read(by_name[profile.source.name], key, text)
    meant = {link.child: texts[link.parent] for link in links if link.parent in texts}
    return _enumerations(tables, profiles) | meant


def _enumerations(tables: Sequence[Table], profiles: Sequence[Profile]) -> dict[tuple[str, str], Mapping[str, str]]:
    """Meanings from a table of all enumerations: the name of a field, a code and a text in each line."""
    fields = {path.casefold(): (one.source.name, path) for one in profiles for path in one.columns}
    found: dict[tuple[str, str], dict[str, str]] = {}
    for profile, table in zip(profiles, tables, strict=True):
        if profile.source.rows > _MOST_CODES or has_people(profile):
            continue
        columns = profile.columns
        naming = [
            path for path, one in columns.items() if any(value.strip().casefold() in fields for value in one.sample)
        ]
        codes = [path for path, one in columns.items() if one.field.type in (FieldType.INTEGER, FieldType.CODE)]
        told = [path for path, one in columns.items() if one.field.type is FieldType.TEXT and path not in naming]
        text = max(told, key=lambda path: columns[path].field.distinct, default=None)
        if len(naming) != 1 or not codes or text is None:
            continue
        name_at, code_at, text_at = (table.fields.index(path) for path in (naming[0], codes[0], text))
        for record in table.records():
            field = fields.get(record.values[name_at].strip().casefold())
            if field and field[0] != profile.source.name:
                found.setdefault(field, {})[record.values[code_at].strip()] = tidied(record.values[text_at])
    return {field: texts for field, texts in found.items() if len(texts) > 1}


def _text_field(profile: Profile, keys: set[str]) -> str | None:
    found = [
        path
        for path, column in profile.columns.items()
        if path not in keys and column.field.type in (FieldType.TEXT, FieldType.CODE) and not column.field.excluded
    ]
    ranked = [
        (rank, bool(words & _SHORT), -profile.columns[path].field.mean_length, path)
        for path in found
        for rank, word in enumerate(_TEXTS)
        if word in (words := set(words_in(path)))
    ]
    return min(ranked)[-1] if ranked else None


def _read(table: Table, key: str, text: str) -> dict[str, str]:
    at, said = table.fields.index(key), table.fields.index(text)
    return {
        record.values[at].strip(): tidied(record.values[said])
        for record in table.records()
        if not is_nothing(record.values[at]) and not is_nothing(record.values[said])
    }
