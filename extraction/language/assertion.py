"""What is said with another status than that of a current finding of this patient.

After ConText (Harkema, Dowling, Thornblade and Chapman 2009): a cue gives what stands in its scope a status. Cues and
where their scopes end are data, resources/language/<language>/assertion.toml. What is denied is in
`extraction.language.negation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from extraction.language.sentences import segment
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.language.vocabulary.words import stems

_STOP = r"[.;:!?\n](?!\d)"
_BEHIND = 2  # so many words of a clause may follow a cue that speaks of what comes before it


class Status(StrEnum):
    """See the data file."""

    HISTORICAL = "historical"
    OTHER = "other"
    HYPOTHETICAL = "hypothetical"
    PLANNED = "planned"
    NAMED = "named"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Scope:
    """Characters [start, end) of a text, the words of the cue among them, what they say, and those words."""

    status: Status
    start: int
    end: int
    cue: str


@dataclass(frozen=True, slots=True)
class AssertionCues:
    """Patterns of one status.

    Attributes:
        forward, backward: cues of what stands behind and before them.
        pseudo: what only looks like one.
        ends: where a scope ends.
        rows: stems of words of rows that record just that.
    """

    forward: re.Pattern[str]
    backward: re.Pattern[str]
    pseudo: re.Pattern[str]
    ends: re.Pattern[str]
    rows: frozenset[str]


@of_vocabularies
def assertion_cues() -> Mapping[Status, AssertionCues]:
    """Raises InputError for a ward's file that cannot be read."""
    data = cues("assertion")
    after_comma = rf",\s+(?:{any_of(data['joints'])}\s+)?(?<!\w){any_of(data['after_comma'])}(?!\w)"
    found = {}
    for status in Status:
        of = data[status]
        comma = r",\s" if of["comma"] else after_comma
        found[status] = AssertionCues(
            forward=whole_words(of["forward"]),
            backward=whole_words(of["backward"]),
            pseudo=whole_words(of["not"]),
            ends=compiled(rf"{_STOP}|(?<!\w){any_of(data['ends'])}(?!\w)|{comma}"),
            rows=stems(" ".join(of["row_words"])),
        )
    return found


def scopes(text: str) -> list[Scope]:
    """What is said with a status that is not that of a current finding, in the order of the text."""
    found: list[Scope] = []
    for sentence in segment(text):
        for status, of in assertion_cues().items():
            found += _scopes_in(text, sentence.start, sentence.end, status, of)
    return sorted(found, key=lambda one: (one.start, one.end))


def _scopes_in(text: str, start: int, end: int, status: Status, of: AssertionCues) -> Iterator[Scope]:
    looks = [match.span() for match in of.pseudo.finditer(text, start, end)]

    def meant(match: re.Match[str]) -> bool:
        return not any(first < match.end() and match.start() < last for first, last in looks)

    taken = set[int]()  # "a pressure of 90 last week": what comes before, and not what comes behind
    for cue in filter(meant, of.backward.finditer(text, start, end)):
        first = max((match.end() for match in of.ends.finditer(text, start, cue.start())), default=start)
        stop = of.ends.search(text, cue.end(), end)
        behind = text[cue.end() : stop.start() if stop else end].split()
        if text[first : cue.start()].strip() and len(behind) <= _BEHIND:
            taken.add(cue.start())
            yield Scope(status, first, cue.end(), cue.group())
    for cue in filter(meant, of.forward.finditer(text, start, end)):
        if cue.start() not in taken:
            stop = of.ends.search(text, cue.end(), end)
            yield Scope(status, cue.start(), stop.start() if stop else end, cue.group())
