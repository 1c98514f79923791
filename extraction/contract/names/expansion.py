"""Writes out the names of all rows of an export (`expand_names`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from extraction.contract.names.ambiguous import decided
from extraction.contract.names.concept_fit import concept_fit
from extraction.contract.names.concept_names import Word, concept_names
from extraction.contract.names.export_words import (
    ExportWords,
    meanings_beside,
    shortened_in,
    shortened_known,
    words_of_export,
)
from extraction.contract.names.name_text import fixed_places, tokens_of, written_out
from extraction.contract.names.records import Evidence, Expansion, Meaning, NamedRow, NameToken
from extraction.contract.names.word_forms import known_words, one_word, shortens, words_in
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.words import stems

_MARK_SHARE, _MARK_ROWS = 0.3, 20  # of the names begin with one letter, which is then a mark and no word
_LEAST_SHORT, _MOST_SHORT = 3, 6  # letters of a shortened word that no list has
_LEAST_ALONE = 4  # letters of one that nothing around it confirms
_SURE, _LIKELY, _FITTING, _GUESSED = 0.95, 0.9, 0.8, 0.7
_SHOWN = frozenset((Evidence.LABEL, Evidence.ROW, Evidence.TEXT))


@dataclass
class _Name:
    """A row's name while it is written out: a meaning for each of its words, None where there is none yet.

    Attributes:
        fixed: places of words that stay.
        beside: by the place of a word, what it stands for by another name of the row.
        of_label: the words of these names.
    """

    row: NamedRow
    tokens: list[str]
    fixed: frozenset[int]
    beside: Mapping[int, str]
    of_label: frozenset[str]
    meanings: list[Meaning | None] = field(default_factory=list)
    possible: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def texts(self) -> list[str]:
        """The words as they are written by now."""
        return [meaning.text if meaning else text for text, meaning in zip(self.tokens, self.meanings, strict=True)]


def expand_names(rows: Sequence[NamedRow], texts: Sequence[str] = ()) -> list[Expansion]:
    """The names of the rows written out, in their order; `texts` are further texts of the export.

    Every word of a name keeps its place. The result does not depend on the order of rows and texts, and a name that was
    written out stays as it is.
    """
    words = words_of_export(rows, texts)
    marks = _marks(rows)
    names = [_name(row, marks) for row in rows]
    others = _meanings_of_rows(names)
    while True:
        alike = _Alike(names)
        found = [_next_meanings(name, words, others, alike) for name in names]
        for name, (meanings, possible) in zip(names, found, strict=True):
            name.possible = possible
            name.meanings = [known or meanings.get(place) for place, known in enumerate(name.meanings)]
        if not any(meanings for meanings, _ in found):
            return _without_doubles([_expansion(name, _fit_concept(name, alike)) for name in names])


def _marks(rows: Sequence[NamedRow]) -> frozenset[str]:
    """Letters that mark rows instead of meaning a word."""
    firsts = Counter(tokens[0] for row in rows if len(tokens := tokens_of(row.name)) > 1 and len(tokens[0]) == 1)
    return frozenset(one for one, count in firsts.items() if count >= max(_MARK_ROWS, _MARK_SHARE * len(rows)))


def _name(row: NamedRow, marks: frozenset[str]) -> _Name:
    tokens = tokens_of(row.name)
    beside: dict[int, str] = {}
    for label in sorted(row.labels):
        beside = meanings_beside(row.name, label) | beside
    of_label = frozenset(word for label in row.labels for word in words_in(label))
    mark = {0} if tokens and tokens[0] in marks else set()
    return _Name(row, tokens, fixed_places(row.name) | mark, beside, of_label, [None] * len(tokens))


def _meanings_of_rows(names: Sequence[_Name]) -> Mapping[str, frozenset[str]]:
    """By abbreviation, what it stands for in the rows that have another name."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for place, meaning in name.beside.items():
            found[name.tokens[place].casefold()].add(meaning)
    return {one: frozenset(meanings) for one, meanings in found.items()}


class _Alike:
    """Names that differ in nothing but one word."""

    def __init__(self, names: Sequence[_Name]) -> None:
        self._found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for name in names:
            texts = [text.casefold() for text in name.texts]
            for place, text in enumerate(texts):
                if len(text) == 1 or any(_sides_of(text)):
                    self._found[_without(texts, place)].add(text)

    def side(self, name: _Name, place: int) -> str | None:
        """The side that a word means, if another name has the opposite one in its place."""
        own, others = self._others(name, place)
        opposites = abbreviations().opposites
        if own in opposites:
            return None
        sides = {side for other in others for side in _sides_of(other)}
        return next((side for side in _sides_of(own) if opposites[side] in sides), None)

    def is_counted(self, name: _Name, place: int) -> bool:
        """Whether a letter stands for one of several things: "Newborn A", "Newborn B"."""
        own, others = self._others(name, place)
        return len(own) == 1 and any(len(other) == 1 for other in others)

    def _others(self, name: _Name, place: int) -> tuple[str, set[str]]:
        texts = [text.casefold() for text in name.texts]
        return texts[place], self._found.get(_without(texts, place), set()) - {texts[place]}


def _sides_of(text: str) -> Iterator[str]:
    lists = abbreviations()
    yield from (one for one in (text, *lists.meanings.get(text, ())) if one in lists.opposites)


def _without(texts: Sequence[str], place: int) -> tuple[str, ...]:
    return (*texts[:place], "", *texts[place + 1 :])


_Possible = dict[int, tuple[str, ...]]


def _next_meanings(
    name: _Name, words: ExportWords, others: Mapping[str, frozenset[str]], alike: _Alike
) -> tuple[dict[int, Meaning], _Possible]:
    """What can be told of the words that have no meaning yet, and what those may mean of which nothing can be told."""
    found: dict[int, Meaning] = {}
    guessed: dict[int, Meaning] = {}
    several: dict[int, Mapping[str, tuple[str, ...]]] = {}
    has_small = any(map(str.islower, name.row.name))
    for place, token in enumerate(name.tokens):
        if name.meanings[place] or place in name.fixed:
            continue
        short = token.casefold()
        meanings = _listed(token, has_small)
        shown = others.get(short, frozenset())
        defined = words.defined.get(short, frozenset())
        beside = name.beside.get(place)
        if any(
            _stands_beside(one, name, place) for one in (*meanings, *shown, *defined, *([beside] if beside else []))
        ):
            continue
        if beside:
            found[place] = Meaning(beside, Evidence.LABEL, _SURE)
        elif len(defined) == 1:
            found[place] = Meaning(next(iter(defined)), Evidence.TEXT, _SURE)
        elif len(shown) == 1 and len(meanings) < 2:
            found[place] = Meaning(next(iter(shown)), Evidence.ROW, _LIKELY)
        elif side := alike.side(name, place):
            found[place] = Meaning(side, Evidence.ROW, _SURE)
        elif alike.is_counted(name, place):
            continue
        elif len(meanings) == 1 and not any(meanings.values()):
            found[place] = Meaning(next(iter(meanings)), Evidence.LEXICON, _LIKELY)
        elif meanings:
            several[place] = {**dict.fromkeys(sorted(shown), ()), **meanings}
        elif shortened := _shortened(name, place, words, has_small):
            is_clear = shortened.evidence is not Evidence.WORD or _helps(name, place, shortened.text)
            (found if is_clear else guessed)[place] = shortened
    chosen = decided(name.row, name.texts, several) if several else {}
    asked = (place for place in several if place not in chosen and _is_asked(name.tokens[place]))
    possible = {place: tuple(sorted(several[place])) for place in asked}
    possible |= {place: (meaning.text,) for place, meaning in guessed.items()}
    stays = {place for place, meaning in chosen.items() if meaning.text.casefold() == name.tokens[place].casefold()}
    return found | {place: meaning for place, meaning in chosen.items() if place not in stays}, possible


def _listed(token: str, has_small: bool) -> Mapping[str, tuple[str, ...]]:
    """The meanings of an abbreviation by the list, as it is written in a name that has small letters or none.

    Capitals beside small letters are initials, and never the beginning of a word: an "ABD pad" is not the abdomen's.
    """
    short = token.casefold()
    meanings = abbreviations().meanings.get(short, {})
    if short in abbreviations().capitals and not (token.isupper() and has_small):
        return {}
    if token.isupper() and has_small and len(token) >= _LEAST_SHORT:
        return {meaning: beside for meaning, beside in meanings.items() if not meaning.startswith(short)}
    return meanings


def _stands_beside(meaning: str, name: _Name, place: int) -> bool:
    """Whether the name has the meaning of a word already: "Mean arterial pressure (MAP)"."""
    own = words_in(meaning)
    others = words_in(" ".join((*name.texts[:place], *name.texts[place + 1 :])))
    return any(others[at : at + len(own)] == own for at in range(len(others)))


def _is_asked(token: str) -> bool:
    """Whether a person is asked what a word means; a letter may count things, but not if it can be a side."""
    return len(token) > 1 or any(_sides_of(token.casefold()))


def _helps(name: _Name, place: int, meaning: str) -> bool:
    """Whether a name is that of a bedside concept with the meaning of a word, and less so without."""
    texts, group = name.texts, name.row.categories[-1] if name.row.categories else ""
    options = frozenset(name.row.options)
    fits = [
        concept_fit(" ".join((*texts[:place], text, *texts[place + 1 :])), group, options)
        for text in (meaning, texts[place])
    ]
    return len(texts) > 1 and fits[0] > fits[1]


def _shortened(name: _Name, place: int, words: ExportWords, has_small: bool) -> Meaning | None:
    """What a word of no list is the beginning or the consonants of; None if nothing or several things."""
    token = name.tokens[place]
    short = token.casefold()
    if not token.isalpha() or not _LEAST_SHORT <= len(short) <= _MOST_SHORT or short in known_words():
        return None
    if short in abbreviations().meanings or short in words.whole or short in name.of_label:
        return None
    if token.isupper() and has_small:  # initials
        return None
    row = name.row
    for evidence, texts in ((Evidence.GROUP, row.categories), (Evidence.OPTION, row.options)):
        if word := shortened_in(short, (word for text in texts for word in words_in(text))):
            return Meaning(word, evidence, _LIKELY)
    if len(short) < _LEAST_ALONE:
        return None
    of_export = (word for word in words.whole if shortens(short, word))
    word = one_word((*shortened_known(short), *of_export))
    return Meaning(word, Evidence.WORD, _GUESSED) if word else None


def _fit_concept(name: _Name, alike: _Alike) -> str:
    """Gives the words the meanings that make the name that of a bedside concept; the concept's name with its group's.

    What the export itself shows of a word stands, and so does what only one thing could mean.
    """
    has_small = any(map(str.islower, name.row.name))
    words = []
    for place, token in enumerate(name.tokens):
        meaning, listed = name.meanings[place], tuple(_listed(token, has_small))
        is_clear = (
            place in name.fixed
            or alike.is_counted(name, place)
            or bool(meaning and (meaning.evidence in _SHOWN or len(listed) == 1))
        )
        words.append(Word(token, (meaning.text,) if meaning and is_clear else listed, is_clear))
    found = concept_names(name.row, words)
    if not found:
        return ""
    for place, word in enumerate(words):
        if word.is_clear or word.text.casefold() in found[0].words.values():
            continue
        meant = sorted({one.words[place] for one in found if place in one.words})
        own = name.meanings[place]
        if len(meant) > 1 and not own:
            name.possible[place] = tuple(meant)
        elif len(meant) == 1 and _is_new(meant[0], word.text) and not (own and stems(own.text) == stems(meant[0])):
            name.meanings[place] = Meaning(meant[0], Evidence.CONCEPT, _FITTING)
    best = found[0]
    if len(found) > 1 or not best.of_group or not best.is_whole:
        return ""
    return best.concept_name[:1].upper() + best.concept_name[1:]


def _is_new(meaning: str, text: str) -> bool:
    return stems(meaning) != stems(text)


def _without_doubles(expansions: Sequence[Expansion]) -> list[Expansion]:
    """No two rows get the same name from their groups, nor one that another row has."""
    names = Counter(text.casefold() for one in expansions for text in {one.name, one.grouped} if text)
    return [replace(one, grouped="") if names[one.grouped.casefold()] > 1 else one for one in expansions]


def _expansion(name: _Name, grouped: str) -> Expansion:
    texts = [meaning.text if meaning else None for meaning in name.meanings]
    tokens = (
        NameToken(text, meaning, () if meaning else name.possible.get(place, ()))
        for place, (text, meaning) in enumerate(zip(name.tokens, name.meanings, strict=True))
    )
    own = written_out(name.row.name, texts)
    return Expansion(name.row.id, own, tuple(tokens), grouped if grouped.casefold() != own.casefold() else "")
