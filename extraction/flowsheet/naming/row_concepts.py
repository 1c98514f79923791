"""Which bedside concept a row records, and the words that nurses say for it and for its options.

The concepts are the vocabularies `concepts_*` (docs/vocabulary.md). A row is linked to the concept that has its name
and its options, whatever the hospital calls them, and inherits the words that are said of it (`as_spoken`). A schema
may state the concept of a row, or that it has none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from extraction.flowsheet.naming.row_names import unbracketed, words_of
from extraction.flowsheet.schema import Option, Row, Schema, of_schema
from extraction.language.body_sites import body_words
from extraction.language.vocabulary.loader import of_vocabularies, refusal, vocabulary, vocabulary_names
from extraction.language.vocabulary.words import stems

PREFIX = "concepts_"
_KEYS = frozenset(("rows", "said", "not", "options", "implies"))
# Words of a row's name that do not change what it records.
_IDLE = stems("assessment observation finding status patient current overall general location site 1 2 3 4 5 6")
_LEAST_NAME = 0.5
_SAME_NAME = 0.85
# The share of a row's options that a concept must know: if it has the row's name, and if it has a similar one.
_LEAST_OPTIONS, _MORE_OPTIONS = 0.25, 0.5
_PARTS = re.compile(r"\s*(?:[():;/,]|\s[-–—]\s|=)\s*")


@dataclass(frozen=True)
class Concept:
    """Something that flowsheets have a row for.

    Attributes:
        rows: names of such rows.
        said: words that show that a sentence is about it.
        without: words of a row's name which show that the row records something else.
        options: by the name of an option, its other names and the words said for it.
        implies: by the name of an option, several others that it stands for in a row without it.
    """

    id: str
    rows: tuple[str, ...]
    said: tuple[str, ...]
    without: frozenset[str]
    options: Mapping[str, tuple[str, ...]]
    implies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[frozenset[str], ...]:
        """The stems of the rows' names."""
        return tuple(map(stems, self.rows))

    @cached_property
    def option_of(self) -> Mapping[str, str]:
        """The option that each form means."""
        return {_plain(form): name for name, others in self.options.items() for form in (name, *others)}


@dataclass(frozen=True, slots=True)
class ConceptLink:
    """The concept of a row, and the concept's option for each of the row's options that it knows."""

    concept: Concept
    options: Mapping[str, str]


@of_vocabularies
def concepts() -> Mapping[str, Concept]:
    """All concepts by id; raises InputError if the ward's own file is invalid."""
    return {
        concept: _concept(name, concept, entry)
        for name in vocabulary_names()
        if name.startswith(PREFIX)
        for concept, entry in vocabulary(name).items()
    }


@of_vocabularies
def concept_groups() -> Mapping[str, str]:
    """By concept, the body system or other group in whose vocabulary it stands, such as `neuro`."""
    names = [name for name in vocabulary_names() if name.startswith(PREFIX)]
    return {concept: name.removeprefix(PREFIX) for name in names for concept in vocabulary(name)}


def _concept(name: str, concept: str, entry: Mapping[str, Any]) -> Concept:
    if not isinstance(entry, dict) or entry.keys() - _KEYS or not {"rows", "said"} <= entry.keys():
        raise refusal(name, f"{concept} needs rows and said, and may have: {', '.join(sorted(_KEYS))}")
    options, implies = entry.get("options", {}), entry.get("implies", {})
    lists = [(key, entry.get(key, [])) for key in ("rows", "said", "not")]
    lists += [(f"options.{option}", words) for option, words in options.items()]
    for option in (one for of, others in implies.items() for one in (of, *others)):
        if option not in options:
            raise refusal(name, f"{concept}.implies: “{option}” is not one of its options")
    for key, words in lists:
        for word in words:
            if not isinstance(word, str) or not word.strip():
                raise refusal(name, f"{concept}.{key}: “{word}” is not a word")
    return Concept(
        concept,
        tuple(entry["rows"]),
        tuple(entry["said"]),
        frozenset().union(*map(stems, entry.get("not", ()))),
        {option: tuple(others) for option, others in options.items()},
        {option: tuple(others) for option, others in implies.items()},
    )


@of_schema
def row_concepts(schema: Schema) -> Mapping[str, ConceptLink]:
    """The concept of each row by the row's id, the one that fits best; rows that fit none are left out."""
    return _links(tuple(map(_written_out, schema.rows)))


@of_vocabularies
def _links(rows: tuple[Row, ...]) -> Mapping[str, ConceptLink]:
    by_word = _concepts_by_word()
    return {row.id: link for row in rows if row.unit_of is None and (link := _link(row, by_word))}


@of_vocabularies
def _concepts_by_word() -> Mapping[str, Sequence[Concept]]:
    """The concepts by each stem of their rows' names."""
    found: dict[str, list[Concept]] = {}
    for concept in concepts().values():
        for word in frozenset().union(*concept.names):
            found.setdefault(word, []).append(concept)
    return found


def _link(row: Row, by_word: Mapping[str, Sequence[Concept]]) -> ConceptLink | None:
    """The stated link of a row, or else the best one."""
    if "concept" in row.stated_none:
        return None
    if stated := concepts().get(row.concept or ""):
        return ConceptLink(stated, _same_options([(one.name, _forms(one)) for one in row.options], stated))
    return _best(row, by_word)


def _best(row: Row, by_word: Mapping[str, Sequence[Concept]]) -> ConceptLink | None:
    names, own = list(_names(row)), stems(row.name)
    possible = {one.id: one for name, _ in names for word in name for one in by_word.get(word, ())}
    forms = [(option.name, _forms(option)) for option in row.options]
    found: list[tuple[float, int, ConceptLink]] = []
    for concept in possible.values():
        if concept.without & own or bool(forms) != bool(concept.options):
            continue
        alike = max(weight * _likeness(name, other) for name, weight in names for other in concept.names)
        if alike < (_LEAST_NAME if forms else _SAME_NAME):
            continue
        options = _same_options(forms, concept)
        known = len(options) / len(forms) if forms else 0.0
        if not forms or known >= (_LEAST_OPTIONS if alike >= _SAME_NAME else _MORE_OPTIONS):
            found.append((alike + known, len(options), ConceptLink(concept, options)))
    best = min(found, key=lambda one: (-one[0], -one[1], one[2].concept.id), default=None)
    return best[2] if best else None


def _names(row: Row) -> Iterator[tuple[frozenset[str], float]]:
    """The stems of a row's names without sides, body sites and numbers, and how much each is to be trusted."""
    for text in dict.fromkeys(
        (row.name, " ".join(word.text for word in unbracketed(words_of(row.name))), *row.synonyms)
    ):
        weight = 1.0 if text not in row.synonyms else 0.95
        own = stems(text)
        yield own, weight
        if bare := own - _IDLE - _body():
            yield bare, 0.98 * weight
        if row.category:
            yield own | stems(row.category[-1]), 0.9 * weight


@of_vocabularies
def _body() -> frozenset[str]:
    words = body_words()
    return frozenset().union(*map(stems, (*words.site_of, *words.written)))


def _likeness(own: frozenset[str], name: frozenset[str]) -> float:
    return len(own & name) / len(own | name) if own else 0.0


def _forms(option: Option) -> tuple[list[str], list[str]]:
    """The names of an option, and the parts of its own name, in the form in which concepts are compared."""
    names = [_plain(name) for name in (option.name, *option.synonyms)]
    return names, [_plain(part) for part in _PARTS.split(option.name) if part]


def _same_options(forms: Sequence[tuple[str, tuple[list[str], list[str]]]], concept: Concept) -> dict[str, str]:
    """The concept's option for each of the row's options: the one that it means as a whole, or else in parts."""
    known = concept.option_of
    found = {}
    for option, (names, parts) in forms:
        meant = {known[name] for name in names if name in known} or {known[part] for part in parts if part in known}
        if len(meant) == 1:
            found[option] = meant.pop()
    return found


def _plain(form: str) -> str:
    return " ".join(form.casefold().replace("’", "'").split()).strip(" .")


@of_schema
def as_spoken(schema: Schema) -> Schema:
    """The schema as it is said: its names written out, and with the words that are said for its rows and options.

    A word that another option of the row has, or that two of its options would get, is left out.
    """
    links = row_concepts(schema)
    written = map(_written_out, schema.rows)
    rows = tuple(_as_spoken(row, links[row.id]) if row.id in links else row for row in written)
    spoken = replace(schema, rows=rows)
    for known, value in ((as_spoken, spoken), (row_concepts, links)):  # of the schema as it was read
        vars(spoken)[f"{known.__module__}.{known.__qualname__}"] = value
    return spoken


def _written_out(row: Row) -> Row:
    """The row under its written-out name, the hospital's own name among its synonyms."""
    if not row.written_out:
        return row
    others = (row.name, *(name for name in row.synonyms if _plain(name) != _plain(row.written_out)))
    return replace(row, name=row.written_out, synonyms=others, written_out="")


def _as_spoken(row: Row, link: ConceptLink) -> Row:
    own = {_plain(name) for option in row.options for name in (option.name, *option.synonyms)}
    given = {name: (of, *link.concept.options[of]) for name, of in link.options.items()}
    count = Counter(form for forms in given.values() for form in {*map(_plain, forms)})
    shared = {form for form in count if count[form] > 1}
    implied = _implied(link)
    options = tuple(
        replace(
            option,
            spoken=(*_others(given.get(option.name, ()), own | shared), *_others(implied.get(option.name, ()), own)),
        )
        for option in row.options
    )
    names = {_plain(name) for name in (row.name, *row.synonyms)}
    return replace(row, options=options, spoken=_others(link.concept.rows, names), cues=link.concept.said)


def _implied(link: ConceptLink) -> dict[str, list[str]]:
    """By the row's option, words of an option that the row lacks but that implies several of its own."""
    found: dict[str, list[str]] = {}
    for option, others in link.concept.implies.items():
        if option not in link.options.values():
            for own, meant in link.options.items():
                if meant in others:
                    found.setdefault(own, []).extend((option, *link.concept.options[option]))
    return found


def _others(forms: Sequence[str], known: Set[str]) -> tuple[str, ...]:
    return tuple(form for form in forms if _plain(form) not in known)
