"""Finds the bedside concept that a terse name abbreviates: "Stl Cons", answered with "Formed" and "Loose".

The names of concepts are what terse names are shortened from, so each is tried: every word of the row's name must be
one of its words, or short for one, and the words that are left must stand in the row's groups. What the row can be
answered with must be what the concept is answered with. A name is taken only if no other one fits about as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extraction.contract.names.name_text import SMALL_WORDS, tokens_of
from extraction.contract.names.records import NamedRow
from extraction.contract.names.word_forms import abridges, known_words, shortens, words_in
from extraction.flowsheet.naming.row_concepts import Concept, concepts
from extraction.language.body_sites import body_words
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.tables import plain
from extraction.language.vocabulary.words import stem, stems

_SAME, _LISTED, _BEGINNING, _LETTERS, _INITIAL = 1.0, 0.95, 0.85, 0.75, 0.6  # how sure a word is
_OF_GROUP, _OF_OPTIONS = 0.9, 0.4  # what a word of the group counts, and what the known options
_LEAST_NAME, _WHOLE_NAME = 0.6, 0.85  # how much of a name must be alike, with known options and without
_LEAST_OPTIONS, _MOST_OPTIONS = 0.25, 0.5  # the share of options that are known, of a whole name and of a part
_MOST_KNOWING = 0.05  # of the concepts have an option that tells which one is meant
_APART = 0.05  # by how much the best name must be better
_LEAST_SHORT, _LEAST_WORD = 3, 4  # letters of a shortened word, and of a word that is none


@dataclass(frozen=True, slots=True)
class ConceptName:
    """What a terse name abbreviates.

    Attributes:
        words: by the place of a word, what it stands for.
        of_group: further words of the concept's name, which stand in the row's groups.
        concept_name: the name that was matched.
        is_whole: whether the name has no other words than the concept's.
    """

    concept: str
    words: Mapping[int, str]
    of_group: tuple[str, ...]
    concept_name: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a terse name: the meanings that it has or could have; none if no list has it."""

    text: str
    meanings: tuple[str, ...] = ()
    is_clear: bool = False


def concept_names(row: NamedRow, words: Sequence[Word]) -> list[ConceptName]:
    """The names that a row's name may abbreviate: one that fits best, or several that fit about equally; or none."""
    group = _group_words(row)
    found: dict[str, tuple[float, ConceptName]] = {}
    own = frozenset().union(*(stems(one.text) for one in words), *(stems(of) for one in words for of in one.meanings))
    for concept, known in _answered_alike(row):
        if concept.without & own:
            continue
        for name in concept.rows:
            fitting = _fitting(concept.id, name, words, group, known, bool(row.unit) and not row.options)
            if fitting and fitting[0] > found.get(concept.id, fitting)[0] - (concept.id not in found):
                found[concept.id] = fitting
    ranked = sorted(found.values(), key=lambda one: (-one[0], one[1].concept))
    return [name for weight, name in ranked if weight > ranked[0][0] - _APART]


def _answered_alike(row: NamedRow) -> list[tuple[Concept, float]]:
    """The concepts whose options the row has, with the share of its options; without options, those without."""
    if not row.options:
        return [(concept, 0.0) for concept in concepts().values() if not concept.options]
    options = {plain(option) for option in row.options}
    telling = {option for option in options if _knowing().get(option, 0) <= _MOST_KNOWING * len(concepts())}
    found = []
    for concept in concepts().values():
        if sum(option in concept.option_of for option in options) >= _LEAST_OPTIONS * len(options) > 0:
            known = sum(option in concept.option_of for option in telling)
            if concept.options:
                found.append((concept, known / len(telling) if telling else 0.0))
    return found


@of_vocabularies
def _knowing() -> Mapping[str, int]:
    """How many concepts have an option: "Yes" and "None" tell nothing of what is asked."""
    return Counter(option for concept in concepts().values() for option in concept.option_of)


def _fitting(
    concept: str, name: str, words: Sequence[Word], group: Sequence[Group], known: float, is_measured: bool
) -> tuple[float, ConceptName] | None:
    """How well the words abbreviate a name, and what each is; None if they do not."""
    left = list(_words_of_names()[name])
    size, weights, others = len(left), list[float](), 0
    meant: dict[int, str] = {}
    for place, word in enumerate(words):
        is_last = is_measured and place == len(words) - 1 and len(words[0].text) > 1
        initials = left if is_last else [one for one in left if _of_group(one, group, left)] if place == 0 else []
        if match := _match(word, left, group, initials if len(words) > 1 else []):
            weight, stands_for = match
            for part in words_in(stands_for):
                left.remove(next(one for one in left if stem(one) == stem(part)))
            weights.append(weight)
            meant[place] = stands_for
        elif _is_beside(word):
            continue
        elif word.is_clear or word.text.casefold() in known_words():
            others += 1
        else:
            return None
    of_group = tuple(word for word in left if _of_group(word, group, left))
    if not weights:
        return None
    alike = (size - len(left) + _OF_GROUP * len(of_group)) / (size + others)
    least = _WHOLE_NAME if not known or known < _MOST_OPTIONS else _LEAST_NAME
    is_whole = len(meant) == len(words)
    if alike < least:
        return None
    sure = alike * sum(weights) / len(weights)
    return (1 - _OF_OPTIONS) * sure + _OF_OPTIONS * known, ConceptName(concept, meant, of_group, name, is_whole)


def _match(
    word: Word, left: Sequence[str], group: Sequence[Group], may_be_initials: Sequence[str]
) -> tuple[float, str] | None:
    """The words of a concept's name that a word stands for, and how sure that is."""
    short = word.text.casefold()
    by_stem = {stem(one): one for one in left}
    if stem(short) in by_stem:
        return _SAME, by_stem[stem(short)]
    for meaning in word.meanings:
        parts = [stem(part) for part in words_in(meaning) if part not in SMALL_WORDS]
        if parts and all(part in by_stem for part in parts) and len(set(parts)) == len(parts):
            return _LISTED, " ".join(by_stem[part] for part in parts)
    if word.is_clear or not short.isalpha():
        return None
    if len(short) == 1:
        initials = [one for one in may_be_initials if one[0] == short]
        return (_INITIAL, initials[0]) if len(initials) == 1 else None
    if (len(short) >= _LEAST_WORD and short in known_words()) or short in _whole_names():
        return None
    found = [
        (_BEGINNING if one.startswith(short) else _LETTERS, one)
        for one in left
        if len(short) >= _LEAST_SHORT - _of_group(one, group, left) and (shortens(short, one) or abridges(short, one))
    ]
    return max(found, default=None)


@of_vocabularies
def _beside() -> frozenset[str]:
    """Words that say where something is, and not what."""
    body = body_words()
    return frozenset((*body.written, *body.site_of, *abbreviations().opposites))


def _is_beside(word: Word) -> bool:
    """Whether a word is a number, a side or a site of the body."""
    texts = (word.text.casefold(), *(meaning.casefold() for meaning in word.meanings))
    return word.text.isdigit() or any(text in _beside() for text in texts) or _is_limb(texts)


def _is_limb(texts: Sequence[str]) -> bool:
    return any("extremity" in text or "extremities" in text for text in texts)


@of_vocabularies
def _words_of_names() -> Mapping[str, Sequence[str]]:
    names = (name for concept in concepts().values() for name in concept.rows)
    return {name: [word for word in words_in(name) if word not in SMALL_WORDS] for name in names}


@of_vocabularies
def _whole_names() -> frozenset[str]:
    """Words that name a concept by themselves."""
    return frozenset(name.casefold() for concept in concepts().values() for name in concept.rows)


Group = tuple[str, tuple[str, ...]]  # a word of a group, and what it may stand for


def _group_words(row: NamedRow) -> list[Group]:
    texts = dict.fromkeys(token.casefold() for category in row.categories for token in tokens_of(category))
    return [(text, tuple(abbreviations().meanings.get(text, ()))) for text in texts]


def _of_group(word: str, group: Sequence[Group], left: Sequence[str]) -> bool:
    """Whether a word stands in a group; of an abbreviation with several meanings, one must be whole in it."""
    for text, meanings in group:
        if stem(text) == stem(word):
            return True
        for meaning in meanings:
            parts = [part for part in words_in(meaning) if part not in SMALL_WORDS]
            if word in parts and (len(meanings) == 1 or set(parts) <= set(left)):
                return True
        if not meanings and text not in known_words() and len(text) >= _LEAST_SHORT and shortens(text, word):
            return True
    return False
