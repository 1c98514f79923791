"""Rule step: a value of something that the dictation does not name is lit.

"Skin intact" is an option of the tracheostomy site too, and "surgical incision" one of every wound. A select row whose
option other rows share is told from them by what it is about, and that has to be said somewhere in the dictation: by a
word of the row's name, of a synonym or of its group, as a longer or shorter word of the same beginning, too. Words that
all of these rows have in common tell nothing apart, nor do words that say what is asked of a thing ("site", "type",
"status"): those end the names of rows of several groups, and hardly ever begin one.

Of two lines or wounds that were filled from the same words, those of the second are lit as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from extraction.changes import Change, flagged
from extraction.exception import STRATEGY as BY_DEFINITION
from extraction.families import Family, families_of, family_of
from extraction.findings import Finding
from extraction.lexical import stems
from extraction.schema import Row, Schema, ValueType, of_rows
from extraction.values import FilledValue, Proposals

_WORD = re.compile(r"[A-Za-z0-9]+")
_SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT)
# A word that says what is asked ends so many names, begins so few, and stands in the names of so many groups.
_LAST, _FIRST, _GROUPS = 0.3, 0.15, 4
# Those of them that a small schema may not show.
_ASKED = stems(
    "site type status assessment description location condition appearance time date score level amount color"
)
_SIDES = stems("left right")
_SHORTEST = 4  # letters of a word that a longer one may begin with
_ALIKE = 5  # letters that two words begin with alike


@dataclass(frozen=True, slots=True)
class _Objects:
    """What the rows of a schema are about.

    Attributes:
        words: by row, what it can be named by, in stems.
        sharing: by option, in lower case, the rows that have it.
    """

    words: dict[str, frozenset[str]]
    sharing: dict[str, tuple[str, ...]]


def not_named(transcript: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """A flag on each value of something that was not named, or that the words of another one of its kind were read
    for."""
    said = stems(transcript)
    objects, families = _objects(schema), families_of(schema)
    for value in proposals.values:
        family = family_of(schema, value.row_id)
        called = family is not None and family.mention(transcript)  # an incision is a wound, a JP a drain
        doubts = [] if called else [*_unnamed(schema.row(value.row_id), value, objects, said)]
        if not value.flags:  # what was said of several at once says so already
            doubts += _of_another(transcript, value, proposals.values, families)
        if doubts:
            yield flagged(value, *doubts)


def _unnamed(row: Row, value: FilledValue, objects: _Objects, said: frozenset[str]) -> Iterator[Finding]:
    if row.value_type not in _SELECTS or row.unit_of or value.strategy == BY_DEFINITION:
        return
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    for option in chosen:
        sharing = objects.sharing.get(str(option).casefold(), ())
        if len(sharing) < 2:
            continue
        common = frozenset.intersection(*(objects.words[row_id] for row_id in sharing))
        own = objects.words[row.id] - common
        if own and not (any(_alike(word, other) for word in own for other in said) or _is_called(row, objects, said)):
            yield Finding("not_named", (_called(row, own),))
            return


def _is_called(row: Row, objects: _Objects, said: frozenset[str]) -> bool:
    """Whether one of a row's names is said as a whole, and has a word for a thing."""
    names = (stems(name) for name in (row.name, *row.synonyms))
    return any(name <= said and name & objects.words[row.id] for name in names)


def _alike(word: str, other: str) -> bool:
    """Whether two stems are one word or have the same beginning: 'urin' and 'urinary', 'abdomen' and 'abdominal'."""
    short, long = sorted((word, other), key=len)
    if word == other or (len(short) >= _SHORTEST and long.startswith(short)):
        return True
    return len(short) >= _ALIKE and short[:_ALIKE] == long[:_ALIKE]


def _called(row: Row, own: frozenset[str]) -> str:
    """The words of a row's name, else of its group or synonyms, that name what it is about."""
    for name in (row.name, *row.category[-1:], *row.synonyms):
        words = [match.group() for match in _WORD.finditer(name)]
        places = [place for place, word in enumerate(words) if stems(word) & own]
        if places:
            first = last = places[0]
            while last + 1 in places:
                last += 1
            found = " ".join(words[first : last + 1])
            return found if found.isupper() else found.lower()
    return row.name


@of_rows
def _objects(rows: tuple[Row, ...]) -> _Objects:
    asked = _asked(rows)
    words = {
        row.id: frozenset(
            word
            for name in (row.name, *row.synonyms, *row.category[-1:])
            for word in stems(name) - asked - _SIDES
            if not word.isdigit()
        )
        for row in rows
    }
    sharing: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name in dict.fromkeys(option.name.casefold() for option in row.options):
            sharing[name].append(row.id)
    return _Objects(words, {name: tuple(ids) for name, ids in sharing.items()})


def _asked(rows: Iterable[Row]) -> frozenset[str]:
    """The words that say what is asked of a thing."""
    groups: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    places: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        words = [word for match in _WORD.finditer(row.name) for word in stems(match.group())]
        for place, word in enumerate(words):
            groups[word].add(row.category)
            places[word].append((place == 0, place == len(words) - 1))
    return _ASKED | frozenset(
        word
        for word, found in places.items()
        if len(groups[word]) >= _GROUPS
        and sum(first for first, _ in found) <= _FIRST * len(found)
        and sum(last for _, last in found) >= _LAST * len(found)
    )


# lines and wounds


def _of_another(
    transcript: str, value: FilledValue, values: Sequence[FilledValue], families: Sequence[Family]
) -> Iterator[Finding]:
    """Why a value of one instance may be another's: the same words were read for that one."""
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
