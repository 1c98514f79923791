"""Rule step: a dictation that goes on to another patient.

"Bed 12 ... moving on to bed 14 ...", "next is Mrs. Okafor": the transcript falls into parts, each about one patient.
What is said of others is never charted for the patient whose dictation it is; it is set aside and shown. Where the open
patient is none of those who were named, nothing is taken for theirs without a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from extraction.segment import segment

Span = tuple[int, int]  # characters [start, end)

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_NUMBERS = {word: place for place, word in enumerate(_ONES, 1)} | {
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
}  # fmt: skip
_TENS = ("twenty", "thirty", "forty")
_WORDS = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_NUMBER = rf"(?P<number>\d+\s?[A-Da-d]?|(?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_ONES[:9])})|{_WORDS})"
_BED = re.compile(rf"\b(?P<kind>bed|room)\s+(?:number\s+)?{_NUMBER}\b", re.IGNORECASE)
_NAME = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Mister|Missus)\b\.?\s+(?P<name>[A-Z][\w'’-]+)")
# what leads over to a patient; a bed may also begin its sentence
_LEAD = re.compile(
    r"\b(?:next\s+door(?:\s+in)?|moving\s+on\s+to|on\s+to|going\s+to|switching\s+to|over\s+to|next\s+(?:is|up|one\s+is|patient(?:\s+is)?)"
    r"|now\s+(?:for|to)|this\s+is|(?:assessment|report|note|charting|update)\s+(?:is\s+)?(?:for|on|of)|back\s+to)[\s,:]+"
    r"(?:(?:the\s+)?(?:patient\s+in|my\s+patient\s+in|patient)\s+)?$",
    re.IGNORECASE,
)
_LEAVES = re.compile(r"\b(?:moving|switching|going|on|over|next|now|back)\b", re.IGNORECASE)
_FIRST = re.compile(
    r"^(?:okay|ok|so|now|next|then|and|in|for|all\s+right|alright)?[\s,:]*(?:in|for)?\s*$", re.IGNORECASE
)
# a visitor, or somebody who works there, is no patient
_NO_PATIENT = re.compile(
    r"\b(?:husband|wife|son|daughter|mother|father|sister|brother|family|visit(?:s|ed|or|ing)?|call(?:s|ed)|phoned"
    r"|at\s+(?:the\s+)?bedside|nurse|doctor|pharmacist|chaplain|interpreter|from)\b",
    re.IGNORECASE,
)
_IN_BED = re.compile(rf"\s*,?\s*(?:is\s+)?(?:in|from)\s+{_BED.pattern}", re.IGNORECASE)
_MOVED = re.compile(r"\b(?:transferr?(?:ed|ing)?|mov(?:ed|ing)|from|borrowed|family|visitor)\b[^.]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """Characters [start, end) of a transcript that are about one patient, `called` as they were named; empty before
    anybody was."""

    start: int
    end: int
    called: str


@dataclass(frozen=True, slots=True)
class Person:
    """The patient whose dictation it is; either may be empty."""

    name: str = ""
    bed: str = ""


NOBODY = Person()


def parts(text: str) -> tuple[Part, ...]:
    """The parts of a text in their order, sentence by sentence; one part where fewer than two patients are named."""
    found: list[Part] = []
    whole: dict[str, str] = {}  # who was named with a bed once, may be called by either later
    start, called = 0, ""
    for sentence in segment(text):
        named, goes_on = _introduced(sentence.text)
        whole |= dict.fromkeys(named.split(" in "), named) if " in " in named else {}
        named = whole.get(named, named)
        if named and named != called:
            if called or (goes_on and sentence.index > 0):
                found.append(Part(start, sentence.start, called))
                start = sentence.start
            called = named
    found.append(Part(start, len(text), called))
    return tuple(found) if len({part.called for part in found}) > 1 else (Part(0, len(text), called),)


def of_others(text: str, person: Person) -> tuple[tuple[Part, ...], str]:
    """The parts of a text that are about others than this patient; and in words, where it cannot be told what is about
    them: with no part, or where one sentence speaks of several."""
    found = parts(text)
    mixed = next(filter(None, (_several(sentence.text) for sentence in segment(text))), "")
    if len(found) < 2:
        return (), mixed or _other(found[0].called, person)
    own = [part for part in found if _is(person, part.called)]
    if not own and person != NOBODY:  # what was said before anybody was named
        own = [part for part in found if not part.called]
    if not own:
        named = ", ".join(dict.fromkeys(part.called for part in found if part.called))
        return (), f"the dictation speaks of several patients ({named}), and this one is not named"
    return tuple(part for part in found if part not in own), mixed


def _several(sentence: str) -> str:
    """The doubt about a sentence that names several beds or patients; empty where it does not."""
    beds = [match for match in _BED.finditer(sentence) if not _MOVED.search(sentence[: match.start()])]
    names = [] if _NO_PATIENT.search(sentence) else _NAME.findall(sentence)
    called = list(dict.fromkeys(_bed(match) for match in beds))
    if len(called) < 2:
        called = list(dict.fromkeys(names))
    return f"one sentence speaks of several patients ({', '.join(called)})" if len(called) > 1 else ""


def _other(called: str, person: Person) -> str:
    """The doubt about a dictation that names one patient alone; empty where that is this one, or cannot be compared."""
    is_own = _is(person, called)
    return f"the dictation speaks of {called}, and this is another patient" if is_own is False else ""


def _introduced(sentence: str) -> tuple[str, bool]:
    """The patient that a sentence is about from here on, as 'bed 14' or by name, empty where it names none; and whether
    it says that it leaves another one."""
    for match in _BED.finditer(sentence):
        before = sentence[: match.start()]
        leads = _LEAD.search(before) or _FIRST.match(before)
        if leads and not _MOVED.search(_without_lead(before)):
            return _bed(match), bool(_LEAVES.search(before))
    for match in _NAME.finditer(sentence):
        before = sentence[: match.start()]
        if _LEAD.search(before) or (_FIRST.match(before) and not _NO_PATIENT.search(sentence)):
            bed = _IN_BED.match(sentence, match.end())
            called = f"{match.group()} in {_bed(bed)}" if bed else match.group()
            return called, bool(_LEAVES.search(before))
    return "", False


def _without_lead(before: str) -> str:
    lead = _LEAD.search(before)
    return before[: lead.start()] if lead else before


def _bed(match: re.Match[str]) -> str:
    return f"{match['kind'].lower()} {_number(match['number'])}"


def _number(said: str) -> str:
    if said[0].isdigit():
        return re.sub(r"\s", "", said).upper()
    return str(sum(_NUMBERS[word] for word in re.split(r"[\s-]", said.lower())))


def _is(person: Person, called: str) -> bool | None:
    """Whether a patient is called so, by the number of the bed or else by the last name; None where nothing is known of
    them that could be compared."""
    bed, name = _BED.search(called), _NAME.match(called)
    if bed and (numbers := _beds(person.bed, bed["kind"])):
        return _number(bed["number"]) in numbers
    if name and person.name:
        return name["name"].casefold() in re.findall(r"[\w'’-]+", person.name.casefold())
    return None


def _beds(bed: str, kind: str) -> Sequence[str]:
    """The numbers by which a bed of the patient list may be called."""
    numbers = [number.upper() for number in re.findall(r"\d+[A-Da-d]?\b", bed)]
    if len(numbers) > 1:  # 'room 302 bed 2'
        stated = re.findall(rf"{kind}\s*(\d+[A-Da-d]?)\b", bed, re.IGNORECASE)
        return [number.upper() for number in stated]
    return numbers
