"""Assertion status: statements that are not about a current finding of this patient.

Follows ConText (Harkema, Dowling, Thornblade and Chapman 2009): a cue gives its status to everything in its scope. Cues
and scope ends are data in resources/language/<language>/assertion.toml. Denials are in `extraction.language.negation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from extraction.language.sentences import segment
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.language.vocabulary.words import stems

_STOP = r"[.;:!?\n](?!\d)"
_CLAUSE_START = r"(?:(?<=[.;,:!?–—]\s)|(?<=\n)|(?<=\band\s)|(?<=\bthen\s)|(?<![\w\s.;,:!?–—'’)\"]))"
_LONGEST_ORDER = 40  # characters between an order and its time
_MAX_WORDS_AFTER = 2  # words of the clause that may follow a backward cue


class Status(StrEnum):
    """Defined in the data file."""

    HISTORICAL = "historical"
    OTHER = "other"
    HYPOTHETICAL = "hypothetical"
    PLANNED = "planned"
    ORDERED = "ordered"
    NAMED = "named"
    UNCERTAIN = "uncertain"

    @property
    def is_doubt(self) -> bool:
        """Whether what has it may be a current finding all the same."""
        return self in (Status.UNCERTAIN, Status.ORDERED)


@dataclass(frozen=True, slots=True)
class Scope:
    """A span [start, end) that includes its cue, its status, and the text of the cue."""

    status: Status
    start: int
    end: int
    cue: str


@dataclass(frozen=True, slots=True)
class AssertionCues:
    """The patterns of one status.

    Attributes:
        forward, backward: cues whose scope follows or precedes them.
        pseudo: phrases that look like a cue but are not.
        ends: where a scope ends.
        rows: stems of words in the names of rows that record this very status.
    """

    forward: re.Pattern[str]
    backward: re.Pattern[str]
    pseudo: re.Pattern[str]
    ends: re.Pattern[str]
    rows: frozenset[str]


@of_vocabularies
def assertion_cues() -> Mapping[Status, AssertionCues]:
    """Raises InputError if the ward's own file cannot be read."""
    data = cues("assertion")
    after_comma = rf",\s+(?:{any_of(data['joints'])}\s+)?(?<!\w){any_of(data['after_comma'])}(?!\w)"
    found = {}
    for status in Status:
        of = data[status]
        comma = r",\s" if of["comma"] else after_comma
        found[status] = AssertionCues(
            forward=whole_words([*of["forward"], *(_plans(of) if status is Status.PLANNED else ())]),
            backward=whole_words([*of["backward"], *([_to_be_done(of)] if status is Status.PLANNED else ())]),
            pseudo=whole_words(of["not"]),
            ends=compiled(rf"{_STOP}|(?<!\w){any_of(data['ends'])}(?!\w)|{comma}"),
            rows=stems(" ".join(of["row_words"])),
        )
    return found


def _plans(of: Mapping[str, Sequence[str]]) -> list[str]:
    """Phrases for what is to come, built of the words for what is done on a ward."""
    whats = any_of([*of["actions"], *of["done"]])
    order = rf"{_CLAUSE_START}(?:{any_of(of['please'])} )*{any_of(of['orders'])}"
    end = rf"(?= ?(?:{any_of(of['please'])} ?)?(?:[.;,!?\n]|$))"
    return [
        rf"{any_of(of['ahead'])} (?:(?:be|then|also|just|have) ){{0,2}}(?:re-?)?{whats}",
        _to_be_done(of),
        rf"{_CLAUSE_START}(?:(?!{any_of(of['done'])}\b)\w+ ){{0,2}}{any_of(of['actors'])} to (?:be )?{whats}",
        rf"{order}\b[^.;,:!?\n]{{0,{_LONGEST_ORDER}}}?\b{any_of(of['order_times'])}{end}",
    ]


def _to_be_done(of: Mapping[str, Sequence[str]]) -> str:
    return rf"(?:due )?to be {any_of(of['done'])}"


def scopes(text: str) -> list[Scope]:
    """Every scope in a text, in text order."""
    found: list[Scope] = []
    for sentence in segment(text):
        for status, of in assertion_cues().items():
            found += _scopes_in(text, sentence.start, sentence.end, status, of)
    return sorted(found, key=lambda one: (one.start, one.end))


def _scopes_in(text: str, start: int, end: int, status: Status, of: AssertionCues) -> Iterator[Scope]:
    looks = [match.span() for match in of.pseudo.finditer(text, start, end)]

    def meant(match: re.Match[str]) -> bool:
        return not any(first < match.end() and match.start() < last for first, last in looks)

    taken = set[int]()  # "a pressure of 90 last week": the cue applies to what precedes it only
    ahead = [cue.span() for cue in filter(meant, of.forward.finditer(text, start, end))]
    for cue in filter(meant, of.backward.finditer(text, start, end)):
        if any(first < cue.start() and cue.end() <= last for first, last in ahead):
            continue  # "Foley for removal tomorrow": there is a Foley
        first = max((match.end() for match in of.ends.finditer(text, start, cue.start())), default=start)
        stop = of.ends.search(text, cue.end(), end)
        behind = text[cue.end() : stop.start() if stop else end].split()
        if text[first : cue.start()].strip() and len(behind) <= _MAX_WORDS_AFTER:
            taken.add(cue.start())
            yield Scope(status, first, cue.end(), cue.group())
    for cue in filter(meant, of.forward.finditer(text, start, end)):
        if cue.start() not in taken:
            stop = of.ends.search(text, cue.end(), end)
            yield Scope(status, cue.start(), stop.start() if stop else end, cue.group())
