"""Denials, found by their cues; resources/language/<language>/negation.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.clauses import phrase_around
from extraction.language.spans import Span
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.language.vocabulary.words import stems

SHORTEST_NEGATED = 4  # letters of a word that a prefix turns round


@dataclass(frozen=True, slots=True)
class NegationCues:
    """Patterns of denial; the data file explains each.

    Attributes:
        finding: denies the findings that follow it.
        absent: the same, only of what denies that something is there at all: "no wound", not "does not bleed".
        finding_before: denies the findings that precede it.
        end: where a denial ends; a comma ends it too, unless one of `either` follows.
        course: denies a change rather than the finding itself.
        heard: a single word that reverses a value.
        limits: denies that a category is within its limits.
        below_zero: a minus before a number, anchored at the end.
        options: names of options that mean "nothing", in lower case.
        topic: stems of words that deny and say nothing about the topic of a statement.
        prefix: turns the word behind it round.
        prefixed: a word that one turns round, with what is between the two: `joined` or `apart`.
        behind_prefix: a prefix that stands apart, anchored at the end.
        not_negated: words that begin with one and are not turned round.
        unrestricting: stems of words beside a denied finding that deny no less than all of it: "no further pain".
        no_noun: a word that is none of a thing, by its ending: "no wound seen", not "no wound care".
        of_part: behind a denied finding, what it is denied of: "no pain in the hip".
    """

    finding: re.Pattern[str]
    absent: re.Pattern[str]
    finding_before: re.Pattern[str]
    end: re.Pattern[str]
    either: re.Pattern[str]
    course: re.Pattern[str]
    heard: re.Pattern[str]
    limits: re.Pattern[str]
    below_zero: re.Pattern[str]
    options: frozenset[str]
    topic: frozenset[str]
    prefix: re.Pattern[str]
    prefixed: re.Pattern[str]
    behind_prefix: re.Pattern[str]
    not_negated: frozenset[str]
    unrestricting: frozenset[str]
    no_noun: re.Pattern[str]
    of_part: re.Pattern[str]


@of_vocabularies
def negation_cues() -> NegationCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("negation")
    joined, apart = any_of(of["prefixes"]), any_of(of["prefixes_apart"])
    prefix = rf"(?:{apart}[\s-]*|{joined}-?)"
    behind_comma = rf",\s*(?:{any_of(of['joints'])},?\s*)?{any_of(of['after_comma'])}\b"
    return NegationCues(
        finding=whole_words([*of["any"], *of["forward"]]),
        absent=whole_words(of["forward"]),
        finding_before=whole_words(of["backward"]),
        end=compiled(rf"[.;:!?\n]|{behind_comma}|\b{any_of(of['ends'])}\b"),
        either=whole_words(of["or"]),
        course=whole_words(of["course"]),
        heard=whole_words([*of["any"], *of["heard"]]),
        limits=whole_words([*of["any"], *of["limits"]]),
        below_zero=compiled(rf"(?:\b{any_of(of['below_zero'])}\s+|(?<![\w)])[-−])\Z"),
        options=frozenset(of["option_words"]),
        topic=stems(" ".join(of["topic_words"])),
        prefix=compiled(prefix),
        prefixed=compiled(rf"\b(?:{joined}(?P<joined>-?)|{apart}(?P<apart>[\s-]*))[^\W\d_]{{{SHORTEST_NEGATED},}}"),
        behind_prefix=compiled(rf"\b(?:{joined}-|{apart}[\s-]+)$"),
        not_negated=frozenset(of["not_negated_words"]),
        unrestricting=stems(" ".join(of["unrestricting_words"])),
        no_noun=compiled(rf"\w{any_of(of['no_noun_endings'])}\b"),
        of_part=whole_words(of["of_part"]),
    )


def denials(text: str) -> list[Span]:
    """Spans of a text in which findings are denied, in text order."""
    return _denied_by(negation_cues().finding, text)


def absences(text: str) -> list[Span]:
    """Spans of a text in which something is said not to be there at all, in text order."""
    return _denied_by(negation_cues().absent, text)


def parts_of_denial(text: str, denial: Span) -> list[Span]:
    """Spans of what is denied together: "chest pain", "nausea" and "fever" of "no chest pain, nausea or fever"."""
    joints = [match.span() for match in negation_cues().either.finditer(text, *denial)]
    joints += [match.span() for match in re.finditer(r"[,/]|\band\b", text[: denial[1]]) if match.start() >= denial[0]]
    starts, stops = [denial[0]], list[int]()
    for start, end in sorted(joints):
        stops.append(start)
        starts.append(end)
    return [(start, stop) for start, stop in zip(starts, [*stops, denial[1]], strict=True) if text[start:stop].strip()]


def _denied_by(cue_pattern: re.Pattern[str], text: str) -> list[Span]:
    """Denials by these cues and by those that follow what they deny."""
    cues = negation_cues()
    found = []
    for cue in cue_pattern.finditer(text):
        mark = cues.end.search(text, cue.end())
        end = mark.start() if mark else len(text)
        comma = text.find(",", cue.end(), end)
        if comma >= 0 and not cues.either.search(text, comma, end):
            end = comma
        found.append((cue.end(), end))
    for after in cues.finding_before.finditer(text):
        start, _ = phrase_around(text, after.span())
        found.append((start, after.start()))
    return sorted(span for span in found if span[0] < span[1])
