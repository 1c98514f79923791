"""Assertion status: what is named without being a current finding of this patient.

After ConText (Harkema, Dowling, Thornblade and Chapman 2009): a cue gives what stands in its scope a status. Cues and
where their scopes end are data, resources/language/<language>/assertion.toml. Negation has a rule of its own
(`extraction.denied`).

What is of the past, of somebody else, conditional, planned or named as a risk is not proposed, unless its row records
just that. What the speaker is not sure of is proposed with that doubt.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import chain

from extraction.lexical import stems
from extraction.propose import Proposals
from extraction.schema import TIME_TYPES, Row, Schema
from extraction.segment import segment
from extraction.values import FilledValue

_STOP = r"[.;:!?\n](?!\d)"
_BEHIND = 2  # so many words of a clause may follow a cue that speaks of what comes before it
_MOSTLY = 0.7  # of the characters of a value's words must stand in a scope


class Status(StrEnum):
    """See the data file."""

    HISTORICAL = "historical"
    OTHER = "other"
    HYPOTHETICAL = "hypothetical"
    PLANNED = "planned"
    NAMED = "named"
    UNCERTAIN = "uncertain"


# How the nurse is told, with the words of the cue.
WHY = {
    Status.HISTORICAL: "said of the past",
    Status.OTHER: "said of somebody else",
    Status.HYPOTHETICAL: "said as a condition",
    Status.PLANNED: "said as a plan or goal",
    Status.NAMED: "said as a risk, a reason or something taught",
    Status.UNCERTAIN: "said as uncertain",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Characters [start, end) of a text, the words of the cue among them, what they say, and those words."""

    status: Status
    start: int
    end: int
    cue: str

    @property
    def why(self) -> str:
        return f"{WHY[self.status]} (“{self.cue}”)"


@dataclass(frozen=True, slots=True)
class _Cues:
    """One status: its cues by direction, what only looks like one, where its scopes end, and the words of rows that
    record it."""

    forward: re.Pattern[str]
    backward: re.Pattern[str]
    pseudo: re.Pattern[str]
    ends: re.Pattern[str]
    rows: frozenset[str]


@cache
def _cues(language: str = "en") -> dict[Status, _Cues]:
    """Raises KeyError or re.error for a file that is not as it describes itself."""
    data = tomllib.loads((files("resources") / "language" / language / "assertion.toml").read_text(encoding="utf-8"))
    found = {}
    for status in Status:
        of = data[status]
        forward, backward, pseudo = (_any(of.get(direction, ())) for direction in ("forward", "backward", "not"))
        comma = r",\s" if of.get("comma") else rf",\s+(?:(?:and|so|then)\s+)?{_any(data['after_comma']).pattern}"
        ends = re.compile(f"{_STOP}|{_any(data['ends']).pattern}|{comma}", re.IGNORECASE)
        found[status] = _Cues(forward, backward, pseudo, ends, stems(" ".join(of["rows"])))
    return found


def _any(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern of any of these, the longest first; one that matches nothing where there are none."""
    longest = sorted(words, key=len, reverse=True)
    either = "|".join(f"(?:{one})" for one in longest) or r"(?!)"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def scopes(text: str) -> list[Scope]:
    """What is said with a status that is not that of a current finding, in the order of the text."""
    found: list[Scope] = []
    for sentence in segment(text):
        for status, cues in _cues().items():
            found += _scopes_in(text, sentence.start, sentence.end, status, cues)
    return sorted(found, key=lambda one: (one.start, one.end))


def _scopes_in(text: str, start: int, end: int, status: Status, cues: _Cues) -> Iterator[Scope]:
    looks = [match.span() for match in cues.pseudo.finditer(text, start, end)]

    def meant(match: re.Match[str]) -> bool:
        return not any(first < match.end() and match.start() < last for first, last in looks)

    taken = set[int]()  # "a pressure of 90 last week": what comes before, and not what comes behind
    for cue in filter(meant, cues.backward.finditer(text, start, end)):
        first = max((match.end() for match in cues.ends.finditer(text, start, cue.start())), default=start)
        stop = cues.ends.search(text, cue.end(), end)
        behind = text[cue.end() : stop.start() if stop else end].split()
        if text[first : cue.start()].strip() and len(behind) <= _BEHIND:
            taken.add(cue.start())
            yield Scope(status, first, cue.end(), cue.group())
    for cue in filter(meant, cues.forward.finditer(text, start, end)):
        if cue.start() not in taken:
            stop = cues.ends.search(text, cue.end(), end)
            yield Scope(status, cue.start(), stop.start() if stop else end, cue.group())


def asserted(transcript: str, schema: Schema, proposals: Proposals) -> Proposals:
    """The proposals without what is no current finding, which is held back with the reason; what is uncertain says so.

    The proposals are placed in the transcript.
    """
    found = scopes(transcript)
    if not found:
        return proposals
    kept, held_back = [], []
    for value in proposals.values:
        scope = _scope_of(value, schema.row(value.row_id), found)
        if scope is None:
            kept.append(value)
        elif scope.status is Status.UNCERTAIN:
            kept.append(replace(value, flags=(*value.flags, scope.why)))
        else:
            held_back.append(replace(value, problems=(*value.problems, scope.why)))
    unlikely = [*proposals.unlikely, *held_back]
    return replace(proposals, values=tuple(kept), unlikely=tuple(sorted(unlikely, key=lambda one: -one.confidence)))


def _scope_of(value: FilledValue, row: Row, found: Iterable[Scope]) -> Scope | None:
    """What is said of a value that its row does not record; what it is not, rather than how sure it is."""
    said = value.evidence
    around = [
        scope
        for scope in found
        if min(scope.end, said.end) - max(scope.start, said.start) >= _MOSTLY * max(said.end - said.start, 1)
        and not (scope.status is Status.HISTORICAL and value.observed_at)  # charted at that time
        and scope.cue.casefold() not in str(value.value).casefold()  # "probably inadequate" is an option
    ]
    if any(_records(row, scope.status) for scope in around):  # "taught her to call if it gets worse"
        return None
    return min(around, key=lambda scope: scope.status is Status.UNCERTAIN, default=None)


def _records(row: Row, status: Status) -> bool:
    """Whether a row is there for what has this status: its name or its category says so."""
    if status is Status.HISTORICAL and row.value_type in TIME_TYPES:
        return True
    names = stems(" ".join((row.name, *row.synonyms, *chain.from_iterable(row.categories))))
    return bool(names & _cues()[status].rows)
