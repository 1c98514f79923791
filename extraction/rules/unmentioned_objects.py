"""Rule: lights a value about something that the dictation does not name.

"Skin intact" is also an option of the tracheostomy site, and "surgical incision" one of every wound. If other rows
share an option, a select row is identified by its object, which the dictation must name: by a word of the row's name, a
synonym or its group, possibly in a longer or shorter form. Words common to all these rows identify nothing, nor do
question words ("site", "type", "status"): those end the names of rows in several groups and rarely begin one.

So is a dressing, a site or drainage where another thing was named last (`extraction.rules.nearest_things`), and an
option of which no word was said in its sentence.

Of several such values from the same words the least sure one is lit and names the rows of all.

A number of a row whose name says more than another's ("Oxygen saturation on room air") needs one of the further words;
on room air, before it or in its sentence and with no oxygen named nearer. Without them it is held back where the same
number was read for the other row, and lit where not.

If two lines or wounds were filled from the same words, values of the second are lit as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from extraction.flowsheet.findings import Finding, quote
from extraction.flowsheet.naming.instance_families import Family, families_of, family_of
from extraction.flowsheet.naming.row_meaning import newborn_rows
from extraction.flowsheet.naming.row_words import object_words
from extraction.flowsheet.schema import NUMBER_TYPES, SELECT_TYPES, Row, Schema, of_schema
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.negation import negation_cues
from extraction.language.vocabulary.measurements import measurement_cues
from extraction.language.vocabulary.words import stems
from extraction.preparation.exception_statements import STRATEGY as BY_DEFINITION
from extraction.rules.changes import Change, flagged, hold_back
from extraction.rules.nearest_things import clauses_by_distance, is_of_another_thing

_SHORTEST = 4  # letters of a word that may begin a longer one
_BRACKETS = re.compile(r"\s*\([^)]*\)")
_ALIKE = 5  # letters of a common beginning


@dataclass(frozen=True, slots=True)
class _Objects:
    """The objects of a schema's rows.

    Attributes:
        words: by row, the stems that name its object.
        sharing: by option in lower case, the rows that have it.
    """

    words: Mapping[str, frozenset[str]]
    sharing: dict[str, tuple[str, ...]]


def unmentioned_objects(transcript: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """Flags values about unnamed objects, and values read from words that were used for a similar object."""
    said = stems(transcript)
    objects, families = _objects(schema), families_of(schema)
    unnamed: dict[tuple[int, int], list[FilledValue]] = defaultdict(list)
    for value in proposals.values:
        family = family_of(schema, value.row_id)
        called = family is not None and family.mention(transcript)  # an incision is a wound, a JP a drain
        is_unnamed = not called and _is_unnamed(schema.row(value.row_id), value, objects, said)
        if is_unnamed or (value.strategy != BY_DEFINITION and is_of_another_thing(transcript, schema, value)):
            unnamed[value.evidence.start, value.evidence.end].append(value)
    taken = {(one.row_id, one.evidence.start): one for one in proposals.values}
    for value in proposals.values:
        wider = _wider(schema).get(value.row_id, ())
        if wider and not _is_narrower_said(schema.row(value.row_id), schema.row(wider[0]), transcript, value):
            if other := next((one for one in wider if (one, value.evidence.start) in taken), None):
                yield hold_back(value, Finding("number_of_row", (value.evidence.text, schema.row(other).name)))
                continue
            unnamed[value.evidence.start, value.evidence.end].append(value)
        same = unnamed[value.evidence.start, value.evidence.end]
        doubts = [_by_meaning(schema, same)] if same and value is same[-1] else []
        doubts += _unsaid_options(schema.row(value.row_id), value, transcript)
        if not value.flags:  # already lit, for example as said of several at once
            doubts += _same_words_as_another(transcript, value, proposals.values, families)
        if doubts:
            yield flagged(value, *doubts)


@of_schema
def _wider(schema: Schema) -> Mapping[str, tuple[str, ...]]:
    """By row of a number, the rows of the same unit with only some of the words of its name.

    None for rows of a newborn, of a line or of a wound.
    """
    apart = newborn_rows(schema)
    words = {
        row.id: stems(_BRACKETS.sub("", row.name))
        for row in schema.rows
        if row.value_type in NUMBER_TYPES and row.id not in apart and not family_of(schema, row.id)
    }
    found = {
        row_id: tuple(
            other
            for other, fewer in words.items()
            if fewer and fewer < said and schema.row(other).unit == schema.row(row_id).unit
        )
        for row_id, said in words.items()
    }
    return {row_id: others for row_id, others in found.items() if others}


def _is_narrower_said(row: Row, wider: Row, transcript: str, value: FilledValue) -> bool:
    """Whether one of the words that a row's names have and the other's has not, or their initials, is said of a value.

    Of what is measured on room air, the nearest counts of all that is said of oxygen.
    """
    if not measurement_cues().not_supplied.search(row.name):
        return _says_further_word(row, wider, stems(transcript))
    for clause in clauses_by_distance(transcript, value.evidence):
        if _says_further_word(row, wider, stems(clause)):
            return True
        if measurement_cues().supplied.search(clause):
            return False
    return False


def _says_further_word(row: Row, wider: Row, said: frozenset[str]) -> bool:
    known = stems(" ".join((wider.name, *wider.synonyms)))
    for name in (row.name, *row.synonyms):
        further = [word for word in name.split() if stems(word) - known]
        if (stems(name) - known) & said or "".join(word[0] for word in further).lower() in said:
            return True
    return False


def _by_meaning(schema: Schema, values: Sequence[FilledValue]) -> Finding:
    """Why the last of the values that were read from the same words is lit: it stands for all of them."""
    heard, names = quote(values[-1].evidence.text), [schema.row(one.row_id).name for one in values]
    if len(names) > 1:
        return Finding("rows_by_meaning", (heard, ", ".join(names)))
    return Finding("chosen_by_meaning", (heard,))


def _unsaid_options(row: Row, value: FilledValue, transcript: str) -> Iterator[Finding]:
    """The options of a value of which no word was said in its sentence: "Spouse" of "her visitors were here"."""
    if value.rule or row.value_type not in SELECT_TYPES or row.unit_of or value.strategy == BY_DEFINITION:
        return
    said = stems(transcript[value.evidence.sentence_start : value.evidence.sentence_end])
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    for option in row.options:
        is_denial = option.name.casefold() in negation_cues().options
        if option.name in chosen and not is_denial and not stems(" ".join(option.forms)) & said:
            yield Finding("may_not_mean", (quote(value.evidence.text), option.name))
            return


def _is_unnamed(row: Row, value: FilledValue, objects: _Objects, said: frozenset[str]) -> bool:
    """Whether nothing was said that tells the row from others with the same option."""
    if row.value_type not in SELECT_TYPES or row.unit_of or value.strategy == BY_DEFINITION:
        return False
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    for option in chosen:
        sharing = objects.sharing.get(str(option).casefold(), ())
        if len(sharing) < 2:
            continue
        common = frozenset.intersection(*(objects.words[row_id] for row_id in sharing))
        own = objects.words[row.id] - common
        if own and not (
            any(_begin_alike(word, other) for word in own for other in said) or _is_named(row, objects, said)
        ):
            return True
    return False


def _is_named(row: Row, objects: _Objects, said: frozenset[str]) -> bool:
    """Whether one of a row's names is said completely and includes a word for its object."""
    names = (stems(name) for name in (row.name, *row.synonyms))
    return any(name <= said and name & objects.words[row.id] for name in names)


def _begin_alike(word: str, other: str) -> bool:
    """Whether two stems are equal or begin alike: 'urin' and 'urinary', 'abdomen' and 'abdominal'."""
    short, long = sorted((word, other), key=len)
    if word == other or (len(short) >= _SHORTEST and long.startswith(short)):
        return True
    return len(short) >= _ALIKE and short[:_ALIKE] == long[:_ALIKE]


@of_schema
def _objects(schema: Schema) -> _Objects:
    sharing: dict[str, list[str]] = defaultdict(list)
    for row in schema.rows:
        for name in dict.fromkeys(option.name.casefold() for option in row.options):
            sharing[name].append(row.id)
    return _Objects(object_words(schema), {name: tuple(ids) for name, ids in sharing.items()})


# lines and wounds


def _same_words_as_another(
    transcript: str, value: FilledValue, values: Sequence[FilledValue], families: Sequence[Family]
) -> Iterator[Finding]:
    """Why a value of one instance may belong to another: the same sentence was used for that one."""
    for family in families:
        numbers = {row.id: number for number, rows in family.rows.items() for row in rows.values()}
        number = numbers.get(value.row_id)
        if number is None:
            continue
        sentence = (value.evidence.sentence_start, value.evidence.sentence_end)
        named = family.numbers_said(transcript[slice(*sentence)])
        others = {
            numbers[one.row_id]
            for one in values
            if numbers.get(one.row_id, number) != number
            and (one.evidence.sentence_start, one.evidence.sentence_end) == sentence
        }
        if others and number not in named and (number > min(others) or others & set(named)):
            yield Finding("same_words", (f"{family.name} {min(others)}",))
