"""Whom a sentence names: as its subject, as the owner of something, by a bed, or by words that describe somebody."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from extraction.language.numbers import numbers
from extraction.language.spans import overlap
from extraction.language.vocabulary.measurements import mentions
from extraction.language.vocabulary.patient_cues import patient_cues
from extraction.preparation.people.patient_names import (
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
from extraction.preparation.people.ward_facts import births_of, names_of, record_numbers_of

_NEAR = 30  # characters between a name and the word for a visitor or somebody who works there whose name it may be
_OWNS = re.compile(r"['’]s?$")
_NEXT = 12  # characters between somebody at the bedside and what is measured of them


@dataclass(frozen=True, slots=True)
class Introduction:
    """The patient at the beginning of a sentence.

    Attributes:
        leaves: whether another patient is left for them: "moving on to bed 7".
        returns: whether the words lead back to them.
        states: whether the sentence says something of them and leads nowhere: "bed 7 has the drain".
        end: where the sentence returns to the patient of the dictation: "bed 7 has the drain, but she is dry".
    """

    named: Named
    leaves: bool
    returns: bool
    states: bool
    end: int


def introduced(sentence: str) -> Introduction | None:
    """The patient whom a sentence introduces."""
    cues, of = patient_cues(), forms()
    for match in of.place.finditer(sentence):
        before = sentence[: match.start()]
        leads = cues.lead.search(before) or cues.first.match(before)
        if leads and not cues.moved.search(_without_lead(before)) and not is_thing(sentence, match):
            return _introduction(sentence, place_of(match))
    for match in of.name.finditer(sentence):
        before = sentence[: match.start()]
        if cues.lead.search(before) or (cues.first.match(before) and not cues.no_patient.search(sentence)):
            return _introduction(sentence, name_of(match))
    for match in of.bare.finditer(sentence):
        before = sentence[: match.start()]
        leads = cues.strong_lead.search(before) or cues.lead.search(before) or cues.first.match(before)
        if leads and _is_bed(match["number"], before):
            return _introduction(sentence, place_of(match))
    return None


def _introduction(sentence: str, one: Named) -> Introduction:
    cues = patient_cues()
    before, back = sentence[: one.start], cues.own_again.search(sentence, one.end)
    leads = cues.lead.search(before) or cues.strong_lead.search(before)
    return Introduction(
        one,
        leaves=bool(cues.leaves.search(before)),
        returns=bool(cues.returns.search(before)),
        states=not leads and not _is_heading(sentence, one),
        end=back.start() if back else len(sentence),
    )


def _is_heading(sentence: str, one: Named) -> bool:
    """Whether the name of a patient heads what follows, as in "bed 7, pulse 80", and is no subject of a sentence."""
    cues = patient_cues()
    if cues.by_the_way.search(sentence) or _OWNS.search(one.text):
        return False
    measured = any(
        not sentence[one.end : it.start].strip() and not cues.verb.search(sentence[: it.end])
        for it in mentions(sentence)
        if it.start > one.end
    )
    return measured or cues.heads.match(sentence, one.end) is not None


def _is_bed(number: str, before: str) -> bool:
    """Whether a number without the word "bed" is one: after "moving on to", or anywhere with a letter, as in 14B."""
    return bool(patient_cues().strong_lead.search(before)) or (number[0].isdigit() and number[-1].isalpha())


def _without_lead(before: str) -> str:
    lead = patient_cues().lead.search(before)
    return before[: lead.start()] if lead else before


def is_ward_patient(ward: Collection[Person], called: str) -> bool:
    return any(fits(other, called) for other in ward)


def several_named(sentence: str) -> list[Named]:
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


def named_patients(sentence: str, ward: Collection[Person]) -> Iterator[Named]:
    """The patients a sentence names: as its subject, as the owner of something, or by a bed, wherever it stands.

    A bed that somebody came from or waits for does not count, nor a room in a sentence about visitors and staff, nor a
    name near them. A patient named together with a bed is returned once.
    """
    first = introduced(sentence)
    found = [first.named] if first else []
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
        mentioned = not visitors and (place.kind == "bed" or is_ward_patient(ward, place.called))
        if mentioned or cues.belongs.search(before):
            found.append(place)
    names = [name_of(match) for match in of.name.finditer(sentence) if is_ward_patient(ward, match.group())]
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


def described(sentence: str) -> Iterator[Named]:
    """Somebody else who is said without a name: "the gentleman opposite had 38.6", "the daughter's pulse was 58".

    Only where the sentence holds a number that is no bed's, or points back; of people at the bedside, only what is
    measured.
    """
    cues = patient_cues()
    beds = [match.span() for match in forms().place.finditer(sentence)]
    counts = any(
        not any(overlap((one.start, one.end), bed) for bed in beds)
        and (one.value != 1 or sentence[one.start].isdigit())  # "brought a new one"
        for one in numbers(sentence)
    )
    for match in cues.described.finditer(sentence):
        if counts or cues.points_back.search(sentence, 0, match.start(match.lastgroup or 0)):
            yield _described_in(match, match.lastgroup or 0)
    measured = [mention.start for mention in mentions(sentence) if mention.measurement]
    for match in cues.relative.finditer(sentence):
        if any(match.end() < start <= match.end() + _NEXT for start in measured):
            yield _described_in(match, 0)


def left(sentence: str, person: Person) -> list[Named]:
    """Words with which the patient of the dictation is left: "moving on from Mrs. Okafor"."""
    own = {plain(name) for name in (family_name(person.name), *given_names(person.name))}
    return [_described_in(match, 0) for match in patient_cues().left.finditer(sentence) if plain(match["name"]) in own]


def _described_in(match: re.Match[str], group: str | int) -> Named:
    return Named("described", match[group], *match.span(group), match[group])
