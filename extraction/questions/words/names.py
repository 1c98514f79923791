"""What the rows of a flowsheet and their options are called in questions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.naming.row_meaning import is_total, meaning_of
from extraction.flowsheet.naming.row_names import key_of, unbracketed, words_of
from extraction.flowsheet.schema import NUMBER_TYPES, Fluid, Row, Schema, ValueType, is_yes_no, of_schema
from extraction.language.body_sites import written_sides
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.words import stems
from extraction.questions.query import Measure
from extraction.questions.words.vocabulary import question_words

Stems = frozenset[str]
_SIDES = stems("left right l r")
_KIND = re.compile(
    r"\s+(?:type|present)$", re.IGNORECASE
)  # in the names of rows that record that there is such a thing
_LEAST_PART = 2  # words that name a row by a part of its name
_LOBES = stems("upper middle lower lobe throughout all fields")
_DENYING = stems("no not none unable other refused declined")


class Rank(IntEnum):
    """How closely words name a row or an option, closest first."""

    NAME = 0
    SYNONYM = 1
    SPOKEN = 2
    SHORTENED = 3


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row that words name."""

    row: Row
    rank: Rank


@dataclass(frozen=True, slots=True)
class NamedOption:
    """An option that words name."""

    row: Row
    option: str
    rank: Rank


@dataclass(frozen=True)
class Names:
    """The rows and options of a schema by the stems of their names.

    Attributes:
        sets: rows that are all asked for by one phrase, such as vital signs.
        alike: by row id, the rows whose values count alike, with itself, likeliest first.
        siblings: by row id, what rows that differ only in their side or instance have in common; its own id otherwise.
        intake, output: ids of the rows whose volumes add up to the total.
        by_word: rows by each stem of their own names.
    """

    rows: Mapping[Stems, tuple[NamedRow, ...]]
    options: Mapping[Stems, tuple[NamedOption, ...]]
    sets: Mapping[Stems, tuple[Row, ...]]
    alike: Mapping[str, tuple[Row, ...]]
    siblings: Mapping[str, str]
    intake: tuple[str, ...]
    output: tuple[str, ...]
    by_word: Mapping[str, tuple[Row, ...]]

    def partly_named(self, key: Stems) -> tuple[NamedRow, ...]:
        """The rows whose name has all of several words, if they differ only in their side or instance."""
        if len(key) < _LEAST_PART:
            return ()
        rows = [{row.id: row for row in self.by_word.get(word, ())} for word in key]
        found = [row for row_id, row in rows[0].items() if all(row_id in of for of in rows[1:]) and not is_total(row)]
        kinds = {self.siblings[row.id] for row in found}
        return tuple(NamedRow(row, Rank.SHORTENED) for row in found) if len(kinds) == 1 else ()

    def measure(self, row: Row, words: str = "") -> Measure:
        """A row as a measure, with those that count alike."""
        of = self.alike.get(row.id, (row,))
        return Measure(of[0].name, tuple(one.id for one in of), words)

    def named(self, names: Iterable[str]) -> list[Row]:
        """The rows that have one of these names, likeliest first."""
        found = (one.row for name in names for one in self.rows.get(stems(name), ()) if one.rank <= Rank.SYNONYM)
        return list({row.id: row for row in found}.values())


@of_schema
def names_of(schema: Schema) -> Names:
    """The names of a schema's rows and options."""
    spoken = as_spoken(schema)
    rows: dict[Stems, dict[str, NamedRow]] = defaultdict(dict)
    options: dict[Stems, dict[tuple[str, str], NamedOption]] = defaultdict(dict)
    asked = [row for row in spoken.rows if row.unit_of is None]
    for row in asked:
        for name, rank in _names(row):
            if key := stems(name):
                known = rows[key].get(row.id)
                if known is None or rank < known.rank:
                    rows[key][row.id] = NamedRow(row, rank)
        for key, option, rank in _options(row):
            known_option = options[key].get((row.id, option))
            if known_option is None or rank < known_option.rank:
                options[key][row.id, option] = NamedOption(row, option, rank)
    exact = {key: [one.row for one in of.values() if one.rank <= Rank.SYNONYM] for key, of in rows.items()}
    own = {key: [one.row for one in of.values() if one.rank is Rank.NAME] for key, of in rows.items()}
    words = question_words()
    for phrase, names in words.means.items():
        meant = next((of for name in names if (of := own.get(stems(name)) or exact.get(stems(name)))), [])
        if meant and (key := stems(phrase)):
            others = {of: replace(one, rank=max(one.rank, Rank.SPOKEN)) for of, one in rows[key].items()}
            rows[key] = others | {row.id: NamedRow(row, Rank.NAME) for row in meant}
    sets = {}
    for phrase, names in words.sets.items():
        found = [rows.get(stems(name), {}) for name in names]
        of = [min(one.values(), key=lambda named: named.rank).row for one in found if one]
        if len(of) > 1:
            sets[stems(phrase)] = tuple(of)
    return Names(
        {key: tuple(sorted(of.values(), key=lambda one: one.rank)) for key, of in rows.items()},
        {key: tuple(sorted(of.values(), key=lambda one: one.rank)) for key, of in options.items()},
        sets,
        _alike(own, words.alike),
        _siblings(spoken, asked),
        _of_fluid(asked, Fluid.INTAKE),
        _of_fluid(asked, Fluid.OUTPUT),
        {
            word: tuple(row for row in asked if word in stems(row.name))
            for word in {w for row in asked for w in stems(row.name)}
        },
    )


def _names(row: Row) -> Iterator[tuple[str, Rank]]:
    yield row.name, Rank.NAME
    if bare := " ".join(word.text for word in unbracketed(words_of(row.name))):
        yield bare, Rank.NAME
    for bracket in re.findall(r"\(([^)]{2,40})\)", row.name):
        yield bracket, Rank.SYNONYM
    yield from ((name, Rank.SYNONYM) for name in row.synonyms if not _holds_value(row, name))
    yield from ((name, Rank.SPOKEN) for name in row.spoken)
    if (kind := _KIND.sub("", row.name)) != row.name:
        yield kind, Rank.SYNONYM
    short = _shortened(row)
    if short and not (len(short) == 1 and short <= question_words().generic):
        yield " ".join(short), Rank.SHORTENED


def _holds_value(row: Row, name: str) -> bool:
    """Whether a synonym says a value, too: "two person assist"."""
    digits = {word for word in stems(name) if word.isdigit()}
    return bool(digits) and row.value_type in NUMBER_TYPES and not digits <= stems(row.name)


def _shortened(row: Row) -> Stems:
    """The stems of a name without what nurses leave out: number, side and words such as "score"."""
    words = stems(" ".join(word.text for word in unbracketed(words_of(row.name))))
    return frozenset(word for word in words if not word.isdigit()) - question_words().idle - _SIDES


def _options(row: Row) -> Iterator[tuple[Stems, str, Rank]]:
    kinds = defaultdict(list)
    for option in row.options:
        if " " in option.name.strip():
            kinds[stems(option.name.split()[-1])].append(option.name)
    for option in row.options:
        forms = [(option.name, Rank.NAME), *((one, Rank.SYNONYM) for one in option.synonyms)]
        forms += [(one, Rank.SPOKEN) for one in option.spoken]
        for form, rank in forms:
            key = stems(form)
            if key and len(key) <= 8:
                yield key, option.name, rank
            if rank is not Rank.NAME and option.name in kinds[key]:  # "crackles" are fine ones, too
                yield from ((key, kind, rank) for kind in kinds[key])
            # "1 Completely limited", "3 - Confused" and "4 out of 10": the words without the number
            bare = frozenset(word for word in key if not word.isdigit())
            if bare and bare != key and rank is Rank.NAME and not bare <= stems("out of"):
                yield bare, option.name, Rank.SYNONYM


def _alike(own: Mapping[Stems, Sequence[Row]], groups: Iterable[tuple[str, ...]]) -> dict[str, tuple[Row, ...]]:
    found: dict[str, tuple[Row, ...]] = {}
    for names in groups:
        of = {row.id: row for name in names for row in own.get(stems(name), ()) if row.value_type is not ValueType.TEXT}
        rows = tuple(row for row in of.values() if not row.options)
        found |= dict.fromkeys((row.id for row in rows), rows)
    return found


def _siblings(schema: Schema, rows: Sequence[Row]) -> dict[str, str]:
    meaning = meaning_of(schema)
    found = {}
    for row in rows:
        of = meaning.of(row.id)
        if of.instance:
            found[row.id] = f"{of.instance.group}: {of.records}"
        elif of.laterality or written_sides(row.name) or stems(row.name) & _LOBES:
            key = sorted(stems(" ".join(key_of(words_of(row.name)))) - _SIDES - _LOBES)
            found[row.id] = f"{row.category[-1]}: {' '.join(key)}"
        else:
            found[row.id] = row.id
    return found


def _of_fluid(rows: Sequence[Row], side: Fluid) -> tuple[str, ...]:
    return tuple(row.id for row in rows if row.fluid is side and not is_total(row))


def is_generic_option(key: Stems) -> bool:
    """Whether these stems name an option only beside its row."""
    words = question_words()
    if len(key) > 1 and not key & _DENYING:
        return all(map(str.isdigit, key))
    return all(word.isdigit() or word in words.generic_options | words.generic for word in key)


def presence(row: Row) -> tuple[str, ...] | None:
    """The only option of a row that says that there is such a thing; None if there is none."""
    if is_yes_no(row):
        return ("Yes",)
    found = [option.name for option in row.options if any(form.casefold() in _PRESENT for form in option.forms)]
    return tuple(found) if len(found) == 1 else None


def absence(row: Row) -> tuple[str, ...]:
    """The options of a row that say that there is no such thing."""
    if is_yes_no(row):
        return ("No",)
    return tuple(option.name for option in row.options if _denies(option.name))


def undecided(row: Row) -> tuple[str, ...]:
    """The options of a row that say neither: "Unable to assess"."""
    unknown = question_words().patterns["unknown"]
    return tuple(option.name for option in row.options if unknown.match(option.name))


_PRESENT = frozenset("present on yes positive activated inserted using completed available".split())


def _denies(name: str) -> bool:
    words = name.casefold().replace("-", " ").split()
    denying = {*cues("negation")["option_words"], "not", "denies"}
    return bool(words) and words[0] in denying and not question_words().patterns["unknown"].match(name)
