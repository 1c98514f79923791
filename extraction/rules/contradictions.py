"""Rule: proposals of one dictation that cannot all be true.

- An option that excludes the others of its row ("Clear" and "Fine crackles") is not proposed with them. What was said
  word for word stays; if both were, the finding does. The value is lit and offers the other one. Likewise an option and
  the one that denies it ("tender" and "non-tender").
- Rows that contradict each other by the schema, at the same time of observation, are both lit, each naming the other:
  room air and a flow of oxygen, no pain and a pain score of 4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from extraction.flowsheet.contradictions import contradict
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.exclusive_options import denied_options, excludes_itself, exclusive_options
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.rules.changes import Change, flagged, replaced


def contradictions(text: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """Takes values apart that exclude themselves, and flags those that contradict another row's."""
    apart = {id(value): _taken_apart(text, schema.row(value.row_id), value) for value in proposals.values}
    now = [(value, apart[id(value)] or value) for value in proposals.values]
    found: dict[int, list[Finding]] = defaultdict(list)
    for value, kept in now:
        row = schema.row(value.row_id)
        for other, its in now if row.contradicts else ():
            if value.observed_at == other.observed_at and contradict(row, kept.value, other.row_id, its.value):
                found[id(value)].append(_unlike(schema.row(other.row_id), its))
                found[id(other)].append(_unlike(row, kept))
    for value, kept in now:
        if kept is not value:
            row = schema.row(value.row_id)
            gone = ", ".join(name for name in _options(value) if name not in _options(kept))
            reason = Finding("excluded_option", (gone, display(row, kept.value)))
            yield replaced(value, kept, reason, *found[id(value)])
        elif found[id(value)]:
            yield flagged(value, *dict.fromkeys(found[id(value)]))


def _taken_apart(text: str, row: Row, value: FilledValue) -> FilledValue | None:
    """A value without the options that its others exclude; None if it has no such options."""
    if not excludes_itself(row, value.value):
        return None
    sentence = text[value.evidence.sentence_start : value.evidence.sentence_end]
    alone = [name for name in _options(value) if name in exclusive_options(row)]
    if not alone:
        return replace(value, value=_without_denied(row, _options(value), sentence))
    said = {name for name, _ in said_options(row, sentence)}
    others = tuple(name for name in _options(value) if name not in alone)
    keeps_alone = not others or (said.intersection(alone) and not said.intersection(others))
    return replace(value, value=tuple(alone[:1]) if keeps_alone else others)


def _without_denied(row: Row, options: tuple[str, ...], sentence: str) -> tuple[str, ...]:
    """The options without those that others deny, or if the denial was not said, without the denial."""
    denied = denied_options(row)
    pairs = [(name, denied[name]) for name in options if denied.get(name) in options]
    said = {name for name, _ in said_options(row, sentence)}
    gone = {other if name in said else name for name, other in pairs}
    return tuple(name for name in options if name not in gone)


def _options(value: FilledValue) -> tuple[str, ...]:
    return value.value if isinstance(value.value, tuple) else ()


def _unlike(row: Row, value: FilledValue) -> Finding:
    return Finding("contradicts_row", (row.name, display(row, value.value)))
