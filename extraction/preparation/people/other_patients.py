"""Detects which patients a dictation names and where it moves on to another patient.

"Bed 12 ... moving on to bed 14 ...", "next is Mrs. Okafor": the transcript is split into parts, each about one patient.
Statements about others are never charted for the patient of the dictation; they are set aside and shown. If another
person is named but the text about them cannot be isolated, one finding for the whole dictation asks a person to confirm
whose it is.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, replace

from extraction.language.analysis import analyse
from extraction.language.numbers import numbers
from extraction.language.sentences import Segment
from extraction.preparation.people.named_patients import (
    Introduction,
    described,
    introduced,
    is_ward_patient,
    left,
    named_patients,
    several_named,
)
from extraction.preparation.people.patient_names import NOBODY, Named, Person, fits
from extraction.preparation.people.patient_names import shared as shared_room

__all__ = [
    "NAMES_NOBODY",
    "NOBODY",
    "Named",
    "NamedPatients",
    "PatientPart",
    "Person",
    "fits",
    "of_others",
    "parts_by_patient",
]


@dataclass(frozen=True, slots=True)
class PatientPart:
    """Characters [start, end) of a transcript about one patient; `called` is empty before anyone was named."""

    start: int
    end: int
    called: str


@dataclass(frozen=True, slots=True)
class NamedPatients:
    """The patients a dictation names.

    Attributes:
        named: everyone named, at the first mention.
        strangers: those who are not, or not certainly, the patient of the dictation and whose statements could not be
            set aside. While there are any, it is uncertain whose values these are.
        places: every place where one of them is named, in order.
        mixed: whether one sentence mentions several patients.
        other: whether the patient of the dictation is none of those named.
        others: the parts about other people, which are set aside.
    """

    named: tuple[Named, ...] = ()
    strangers: tuple[Named, ...] = ()
    places: tuple[Named, ...] = ()
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


NAMES_NOBODY = NamedPatients()


def parts_by_patient(text: str) -> tuple[PatientPart, ...]:
    """The parts of a text, split between sentences; a single part if fewer than two patients are named."""
    sentences = analyse(text).sentences
    return _parts(text, sentences, _introductions(sentences))


def _introductions(sentences: tuple[Segment, ...]) -> dict[int, Introduction]:
    """By the start of a sentence, the patient whom it introduces."""
    found = ((one.start, introduced(one.text)) for one in sentences)
    return {start: one for start, one in found if one}


def _parts(
    text: str, sentences: tuple[Segment, ...], introductions: Mapping[int, Introduction]
) -> tuple[PatientPart, ...]:
    found: list[PatientPart] = []
    whole: dict[str, str] = {}  # someone once named with a bed may later be named by either
    start, called = 0, ""
    for sentence in sentences:
        one = introductions.get(sentence.start)
        if one is None or (one.states and not called and sentence.index > 0):
            continue
        named = one.named.called
        whole |= dict.fromkeys(named.split(" in "), named) if " in " in named else {}
        named = whole.get(named, named)
        if named != called:
            if called or (one.leaves and sentence.index > 0):
                found.append(PatientPart(start, sentence.start, called))
                start = sentence.start
            called = named
    found.append(PatientPart(start, len(text), called))
    return tuple(found) if len({part.called for part in found}) > 1 else (PatientPart(0, len(text), called),)


def of_others(
    text: str, person: Person, ward: Collection[Person] = ()
) -> tuple[tuple[PatientPart, ...], NamedPatients]:
    """The parts of a text about other patients, and whom the text names.

    What is said of another patient in passing ends with its sentence. Unless the dictation leads back to its patient
    at once, nobody knows whose the sentences behind it are: they stay, and the other one is among the strangers.

    Args:
        ward: the other patients present, used to recognise last names without a title.
    """
    sentences = analyse(text).sentences
    introductions = _introductions(sentences)
    found = _parts(text, sentences, introductions)
    own = _own_parts(found, person, introductions)
    others: list[PatientPart] = []
    unclear: set[int] = set()  # starts of what was said in passing where the sentences behind it are unclear
    for part in (part for part in found if own and part not in own):
        is_aside = part.called and any(one.start < part.start for one in own)
        spans = list(_in_passing(part, sentences, introductions)) if is_aside else [part]
        others += spans
        if _states_more(part, spans, sentences):
            unclear.update(one.start for one in spans)
    return tuple(others), _naming(sentences, person, ward, others, unclear, is_lost=not own)


def _own_parts(
    parts: tuple[PatientPart, ...], person: Person, introductions: Mapping[int, Introduction]
) -> tuple[PatientPart, ...]:
    """The parts about the patient of the dictation.

    The text before anyone was named is theirs unless it leads over to them.
    """
    if len(parts) == 1 or person == NOBODY:
        return tuple(part for part in parts if len(parts) == 1 or fits(person, part.called))
    own = [part for part in parts if fits(person, part.called)]
    if not parts[0].called:
        first = introductions[parts[1].start]
        if not own or parts[1] not in own or first.returns:
            own.insert(0, parts[0])
    return tuple(own)


def _in_passing(
    part: PatientPart, sentences: tuple[Segment, ...], introductions: Mapping[int, Introduction]
) -> Iterator[PatientPart]:
    """What of a part is about its patient: the sentences that name them, and everything once one leads over to them."""
    for sentence in (one for one in sentences if part.start <= one.start < part.end):
        one = introductions.get(sentence.start)
        if one and not one.states:
            yield replace(part, start=sentence.start)
            return
        if one:
            yield replace(part, start=sentence.start, end=sentence.start + one.end)


def _states_more(part: PatientPart, spans: list[PatientPart], sentences: tuple[Segment, ...]) -> bool:
    """Whether a part has statements behind those that are about its patient."""
    return any(
        part.start <= one.start < part.end
        and not any(span.start <= one.start and one.end <= span.end for span in spans)
        for one in sentences
    )


def _naming(
    sentences: tuple[Segment, ...],
    person: Person,
    ward: Collection[Person],
    others: Collection[PatientPart],
    unclear: Container[int],
    *,
    is_lost: bool,
) -> NamedPatients:
    """Whom the sentences name.

    Args:
        unclear: where what was said in passing begins, of which the end is unknown.
        is_lost: whether none of several parts is about this patient.
    """
    named: dict[str, Named] = {}
    doubted: set[str] = set()
    places: list[Named] = []
    mixed = is_own = False
    for sentence in sentences:
        passing = sentence.start in unclear
        aside = not passing and any(part.start <= sentence.start < part.end for part in others)
        several = several_named(sentence.text)
        mixed |= bool(several) and not aside
        leaves = left(sentence.text, person)
        if leaves and not any(numbers(later.text) for later in sentences[sentence.index + 1 :]):
            leaves = []  # nothing is charted after it
        elsewhere = (*several, *described(sentence.text), *leaves)
        for one in sorted({*named_patients(sentence.text, ward), *elsewhere}, key=lambda one: (one.start, -one.end)):
            placed = one.moved(sentence.start)
            named.setdefault(one.called, placed)
            verdict = one.kind != "described" and fits(person, one.called)
            is_own |= bool(verdict)
            doubtful = (
                verdict is False
                or (verdict is None and (one in several or is_lost or passing or is_ward_patient(ward, one.called)))
                or shared_room(person, one.called, ward)
            )
            if not aside:
                places.append(placed)
                if doubtful and (person != NOBODY or one in several or is_lost):
                    doubted.add(one.called)
    places = [one for one in places if one.called in doubted]
    strangers = {one.called: one for one in reversed(places)}
    firsts = tuple(sorted(strangers.values(), key=lambda one: (one.start, -one.end)))
    other = bool(strangers) and not is_own
    return NamedPatients(tuple(named.values()), firsts, tuple(places), mixed, other, tuple(others))
