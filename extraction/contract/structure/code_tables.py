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
_TEXTS = ("display", "label", "name", "caption", "title", "meaning", "text", "desc", "description", "explanation")


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
    return {link.child: texts[link.parent] for link in links if link.parent in texts}


def _text_field(profile: Profile, keys: set[str]) -> str | None:
    found = [
        path
        for path, column in profile.columns.items()
        if path not in keys and column.field.type in (FieldType.TEXT, FieldType.CODE) and not column.field.excluded
    ]
    ranked = [(rank, path) for path in found for rank, word in enumerate(_TEXTS) if word in words_in(path)]
    return min(ranked)[1] if ranked else None


def _read(table: Table, key: str, text: str) -> dict[str, str]:
    at, said = table.fields.index(key), table.fields.index(text)
    return {
        record.values[at].strip(): tidied(record.values[said])
        for record in table.records()
        if not is_nothing(record.values[at]) and not is_nothing(record.values[said])
    }
