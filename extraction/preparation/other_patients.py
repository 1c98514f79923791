"""Detects which patients a dictation names and where it moves on to another patient.

"Bed 12 ... moving on to bed 14 ...", "next is Mrs. Okafor": the transcript is split into parts, each about one patient.
Statements about others are never charted for the patient of the dictation; they are set aside and shown. If another
person is named but the text about them cannot be isolated, one finding for the whole dictation asks a person to confirm
whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, replace

from extraction.language.analysis import analyse
from extraction.language.numbers import numbers
from extraction.language.sentences import Segment
from extraction.language.spans import overlap
from extraction.language.vocabulary.measurements import mentions
from extraction.language.vocabulary.patient_cues import patient_cues
from extraction.preparation.patient_names import (
    NOBODY,
    Named,
    Person,
    bed_of,
    birth_days,
    family_name,
    first_names,
    fits,
    forms,
    given_names,
    is_addressed,
    is_thing,
    last_names,
    name_of,
    place_of,
    plain,
    records,
)
from extraction.preparation.patient_names import shared as shared_room
from extraction.preparation.ward_facts import births_of, names_of, record_numbers_of

__all__ = [
    "NAMES_NOBODY",
    "NOBODY",
    "Named",
    "Naming",
    "PatientPart",
    "Person",
    "fits",
    "of_others",
    "parts_by_patient",
    "strangers_in",
]

_NEAR = 30  # characters between a name and the word for a visitor or somebody who works there whose name it may be
_NEXT = 12  # characters between somebody at the bedside and what is measured of them


@dataclass(frozen=True, slots=True)
class PatientPart:
    """Characters [start, end) of a transcript about one patient; `called` is empty before anyone was named."""

    start: int
    end: int
    called: str


@dataclass(frozen=True, slots=True)
class Naming:
    """The patients a dictation names.

    Attributes:
        named: everyone named, at the first mention.
        strangers: those who are not, or not certainly, the patient of the dictation and whose statements could not be
            set aside. While there are any, it is uncertain whose values these are.
        mixed: whether one sentence mentions several patients.
        other: whether the patient of the dictation is none of those named.
        others: the parts about other people, which are set aside.
    """

    named: tuple[Named, ...] = ()
    strangers: tuple[Named, ...] = ()
    mixed: bool = False
    other: bool = False
    others: tuple[PatientPart, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether a person must confirm whose dictation it is."""
        return bool(self.strangers) or self.mixed

    @property
    def called(self) -> frozenset[str]:
        """The names of the doubtful patients."""
        return frozenset(one.called for one in self.strangers)


NAMES_NOBODY = Naming()


def parts_by_patient(text: str) -> tuple[PatientPart, ...]:
    """The parts of a text, split between sentences; a single part if fewer than two patients are named."""
    return _parts(text, analyse(text).sentences)


def _parts(text: str, sentences: tuple[Segment, ...]) -> tuple[PatientPart, ...]:
    found: list[PatientPart] = []
    whole: dict[str, str] = {}  # someone once named with a bed may later be named by either
    start, called = 0, ""
    for sentence in sentences:
        introduced, goes_on = _introduced(sentence.text)
        named = introduced.called if introduced else ""
        whole |= dict.fromkeys(named.split(" in "), named) if " in " in named else {}
        named = whole.get(named, named)
        if named and named != called:
            if called or (goes_on and sentence.index > 0):
                found.append(PatientPart(start, sentence.start, called))
                start = sentence.start
            called = named
    found.append(PatientPart(start, len(text), called))
    return tuple(found) if len({part.called for part in found}) > 1 else (PatientPart(0, len(text), called),)


def of_others(text: str, person: Person, ward: Collection[Person] = ()) -> tuple[tuple[PatientPart, ...], Naming]:
    """The parts of a text about other patients, and whom the text names.

    Args:
        ward: the other patients present, used to recognise last names without a title.
    """
    sentences = analyse(text).sentences
    found = _parts(text, sentences)
    own = [part for part in found if fits(person, part.called)] if len(found) > 1 else list(found)
    if not own and person != NOBODY:  # the text before anyone was named
        own = [part for part in found if not part.called]
    others = tuple(part for part in found if part not in own) if own else ()
    # "Bed seven has the drain": an aside, and nobody knows how far it goes unless the next sentence leads back.
    asides = {
        part.start: one.end
        for part in others
        for one in sentences
        if one.start == part.start and part.end > one.end + 1 and _is_aside(one)
    }
    others = tuple(replace(part, end=asides.get(part.start, part.end)) for part in others)
    return others, _naming(sentences, person, ward, others, asides, is_lost=not own)


def _is_aside(sentence: Segment) -> bool:
    """Whether a bed is the subject of a sentence that does not lead over to it."""
    cues = patient_cues()
    return any(
        cues.first.match(sentence.text[: match.start()]) and cues.said_of_bed.match(sentence.text, match.end())
        for match in forms().place.finditer(sentence.text)
    )


def _naming(
    sentences: tuple[Segment, ...],
    person: Person,
    ward: Collection[Person],
    others: tuple[PatientPart, ...],
    asides: Container[int],
    *,
    is_lost: bool,
) -> Naming:
    """Whom the sentences name.

    Args:
        asides: where parts begin of which the end is unknown.
        is_lost: whether none of several parts is about this patient.
    """
    named: dict[str, Named] = {}
    strangers: dict[str, Named] = {}
    mixed = is_own = False
    for sentence in sentences:
        aside = sentence.start not in asides and any(part.start <= sentence.start < part.end for part in others)
        several = _several_named(sentence.text)
        mixed |= bool(several) and not aside
        left = _left(sentence.text, person)
        if left and not any(numbers(later.text) for later in sentences[sentence.index + 1 :]):
            left = []  # nothing is charted after it
        elsewhere = (*several, *_described(sentence.text), *left)
        for one in sorted({*_named(sentence.text, ward), *elsewhere}, key=lambda one: (one.start, -one.end)):
            placed = one.moved(sentence.start)
            named.setdefault(one.called, placed)
            verdict = one.kind != "described" and fits(person, one.called)
            is_own |= bool(verdict)
            doubtful = (
                verdict is False
                or (verdict is None and (one in several or is_lost or _is_ward_patient(ward, one.called)))
                or shared_room(person, one.called, ward)
            )
            if doubtful and not aside and (person != NOBODY or one in several or is_lost):
                strangers.setdefault(one.called, placed)
    other = bool(strangers) and not is_own
    return Naming(tuple(named.values()), tuple(strangers.values()), mixed, other, others)


def strangers_in(text: str, naming: Naming, ward: Collection[Person] = ()) -> tuple[Named, ...]:
    """Every place of a text where it names one of the doubtful patients of its naming, in order."""
    found: list[Named] = []
    for sentence in analyse(text).sentences:
        if any(part.start <= sentence.start < part.end for part in naming.others):
            continue
        named = {*_named(sentence.text, ward), *_several_named(sentence.text)}
        found += (one.moved(sentence.start) for one in named if one.called in naming.called)
    return tuple(sorted(found, key=lambda one: (one.start, -one.end)))


def _is_ward_patient(ward: Collection[Person], called: str) -> bool:
    return any(fits(other, called) for other in ward)


def _several_named(sentence: str) -> list[Named]:
    """The beds or names in a sentence about several patients; empty for other sentences."""
    beds = [
        match
        for match in forms().place.finditer(sentence)
        if not patient_cues().moved.search(sentence[: match.start()])
    ]
    names = [] if patient_cues().no_patient.search(sentence) else list(forms().name.finditer(sentence))
    places = [place_of(match) for match in beds]
    if len({place.called for place in places}) < 2:
        places = [name_of(match) for match in names]
    return places if len({place.called for place in places}) > 1 else []


def _named(sentence: str, ward: Collection[Person]) -> Iterator[Named]:
    """The patients a sentence names: as its subject, as the owner of something, or by a bed, wherever it stands.

    A bed that somebody came from or waits for does not count, nor a room in a sentence about visitors and staff, nor a
    name near them. A patient named together with a bed is returned once.
    """
    introduced, _ = _introduced(sentence)
    found = [introduced] if introduced else []
    found += (*records(sentence), *birth_days(sentence))
    if ward:
        found += (*record_numbers_of(sentence, ward), *births_of(sentence, ward))
    of = forms()
    found += [bed_of(match) for pattern in (of.occupant, of.owner) for match in pattern.finditer(sentence)]
    cues = patient_cues()
    visitors = [match.span() for match in cues.no_patient.finditer(sentence)]
    for match in of.place.finditer(sentence):
        before, place = sentence[: match.start()], place_of(match)
        if cues.moved.search(before) or is_thing(sentence, match):
            continue
        mentioned = not visitors and (place.kind == "bed" or _is_ward_patient(ward, place.called))
        if mentioned or cues.belongs.search(before):
            found.append(place)
    names = [name_of(match) for match in of.name.finditer(sentence) if _is_ward_patient(ward, match.group())]
    if ward:
        names += (*last_names(sentence, ward), *first_names(sentence, ward), *names_of(sentence, ward))
    found += [
        one
        for one in names
        if not any(start - _NEAR < one.end and one.start < end + _NEAR for start, end in visitors)
        or cues.owner.search(sentence[: one.start])
        or is_addressed(sentence, one.start, one.end)
    ]
    for one in dict.fromkeys(found):
        if not any(other != one and other.start <= one.start and one.end <= other.end for other in found):
            yield one


def _described(sentence: str) -> Iterator[Named]:
    """Somebody else who is said without a name: "the gentleman opposite had 38.6", "the daughter's pulse was 58".

    Only where the sentence holds a number that is no bed's, or points back; of people at the bedside, only what is
    measured.
    """
    cues = patient_cues()
    beds = [match.span() for match in forms().place.finditer(sentence)]
    counts = any(not any(overlap((one.start, one.end), bed) for bed in beds) for one in numbers(sentence))
    for match in cues.described.finditer(sentence):
        if counts or cues.points_back.search(sentence, 0, match.start(match.lastgroup or 0)):
            yield _described_in(match, match.lastgroup or 0)
    measured = [mention.start for mention in mentions(sentence) if mention.measurement]
    for match in cues.relative.finditer(sentence):
        if any(match.end() < start <= match.end() + _NEXT for start in measured):
            yield _described_in(match, 0)


def _left(sentence: str, person: Person) -> list[Named]:
    """Words with which the patient of the dictation is left: "moving on from Mrs. Okafor"."""
    own = {plain(name) for name in (family_name(person.name), *given_names(person.name))}
    return [_described_in(match, 0) for match in patient_cues().left.finditer(sentence) if plain(match["name"]) in own]


def _described_in(match: re.Match[str], group: str | int) -> Named:
    return Named("described", match[group], *match.span(group), match[group])


def _introduced(sentence: str) -> tuple[Named | None, bool]:
    """The patient a sentence introduces, or None, and whether it leaves another patient."""
    cues, of = patient_cues(), forms()
    for match in of.place.finditer(sentence):
        before = sentence[: match.start()]
        leads = cues.lead.search(before) or cues.first.match(before)
        if leads and not cues.moved.search(_without_lead(before)) and not is_thing(sentence, match):
            return place_of(match), bool(cues.leaves.search(before))
    for match in of.name.finditer(sentence):
        before = sentence[: match.start()]
        if cues.lead.search(before) or (cues.first.match(before) and not cues.no_patient.search(sentence)):
            return name_of(match), bool(cues.leaves.search(before))
    for match in of.bare.finditer(sentence):
        before = sentence[: match.start()]
        leads = cues.strong_lead.search(before) or cues.lead.search(before) or cues.first.match(before)
        if leads and _is_bed(match["number"], before):
            return place_of(match), bool(cues.leaves.search(before))
    return None, False


def _is_bed(number: str, before: str) -> bool:
    """Whether a number without the word "bed" is one: after "moving on to", or anywhere with a letter, as in 14B."""
    return bool(patient_cues().strong_lead.search(before)) or (number[0].isdigit() and number[-1].isalpha())


def _without_lead(before: str) -> str:
    lead = patient_cues().lead.search(before)
    return before[: lead.start()] if lead else before
