"""What was so and is no longer: ended things, earlier values and states; resources/language/<language>/former.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from textwrap import shorten

from extraction.language.clauses import clauses
from extraction.language.numbers import numbers
from extraction.language.spans import Span
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words

_PAUSE = r"[\s,;.]*"
_SHOWN = 40  # characters of what is so now


@dataclass(frozen=True, slots=True)
class FormerCues:
    """Patterns; the data file explains each. `earlier` and `left` match the text before a number."""

    ended_after: re.Pattern[str]
    ended_before: re.Pattern[str]
    followed: re.Pattern[str]
    earlier: re.Pattern[str]
    left: re.Pattern[str]
    was: re.Pattern[str]
    before: re.Pattern[str]
    now: re.Pattern[str]
    turn: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Ended:
    """A span [start, end) of what was ended, refused or never begun, and the text of the cue beside it."""

    start: int
    end: int
    cue: str


@dataclass(frozen=True, slots=True)
class Outdated:
    """A span [start, end) of what was so, and the beginning of the part that says how it is now."""

    start: int
    end: int
    now: str


@of_vocabularies
def former_cues() -> FormerCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("former")
    return FormerCues(
        ended_after=whole_words(of["ended_after"]),
        ended_before=whole_words(of["ended_before"]),
        followed=compiled(rf"{_PAUSE}{any_of(of['followed'])}{_PAUSE}"),
        earlier=compiled(rf"(?<!\w){any_of(of['earlier'])}\s+$"),
        left=compiled(rf"(?<!\w){any_of(of['left'])}\s+$"),
        was=whole_words(of["was"]),
        before=whole_words(of["before"]),
        now=whole_words(of["now"]),
        turn=compiled(rf"[,;]\s|\s[-–—]+\s|(?<!\w){any_of(of['turns'])}(?!\w)"),
    )


@of_vocabularies
def former(sentence: str) -> tuple[Span, ...]:
    """Spans of a sentence that say what is no longer so."""
    return (*((one.start, one.end) for one in ended(sentence)), *_earlier_numbers(sentence))


@of_vocabularies
def ended(sentence: str) -> tuple[Ended, ...]:
    """From the start of a clause to a cue behind the thing, and from a cue before it to the end of its clause."""
    found = []
    for start, end in clauses(sentence):
        behind = list(former_cues().ended_after.finditer(sentence, start, end))
        before = list(former_cues().ended_before.finditer(sentence, start, end))
        possible = [(start, cue.start(), cue[0]) for cue in behind[-1:]]
        possible += [(cue.end(), end, cue[0]) for cue in before[:1]]
        found += [Ended(*one) for one in possible if sentence[one[0] : one[1]].strip()]
    return tuple(found)


@of_vocabularies
def outdated(sentence: str) -> tuple[Outdated, ...]:
    """The parts of a sentence that say how it was, before one that says how it is now."""
    of = former_cues()
    turns = [match.span() for match in of.turn.finditer(sentence)]
    starts, ends = [0, *(end for _, end in turns)], [*(start for start, _ in turns), len(sentence)]
    parts = list(zip(starts, ends, strict=True))
    now = [part for part in parts if of.now.search(sentence, *part)]
    found = []
    for start, end in parts if now else ():
        if (start, end) in now or start > now[-1][0]:
            continue
        is_before, was = of.before.search(sentence, start, end), of.was.search(sentence, start, end)
        first = was.end() if was else start  # "the Foley was pink": there still is a Foley
        if (was or is_before) and sentence[first:end].strip():
            found.append(Outdated(first, end, shorten(sentence[now[-1][0] :].rstrip(" .!?"), _SHOWN, placeholder="…")))
    return tuple(found)


def _earlier_numbers(sentence: str) -> list[Span]:
    said = numbers(sentence)
    found = [(one.start, one.end) for one in said if former_cues().left.search(sentence[: one.start])]
    for one, other in pairwise(said):
        between = sentence[one.end : other.start]
        if former_cues().followed.fullmatch(between) or former_cues().earlier.search(sentence[: one.start]):
            found.append((one.start, one.end))
    return found
