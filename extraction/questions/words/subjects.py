"""Whom a question is about: beds, names and record numbers of the ward's patients."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extraction.language.spans import Span
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.phrases import any_of, compiled
from extraction.questions.query import Reason, Refusal
from extraction.questions.ward import WardFacts, WardPatient

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_LEAST_FUZZY = 5  # letters of a name that may be misspelt by one
_LEAST_OWNED = 3  # letters of a name that may have "s" behind it without an apostrophe
_NUMBER = r"[a-z]?\d{1,4}[a-z]?"


@dataclass(frozen=True, slots=True)
class NamedSubject:
    """Patients named in characters [start, end), or why they cannot be told."""

    start: int
    end: int
    patient_ids: tuple[int, ...]
    words: str
    refusal: Refusal | None = None


@of_vocabularies
def _bed() -> re.Pattern[str]:
    number = rf"(?:{_NUMBER}|{any_of(number_words().numbers)})"
    return compiled(
        rf"(?<!\w){any_of(cues('questions')['beds'])}\s*#?\s*(?P<numbers>{number}"
        rf"(?:(?:\s*,\s*|\s*(?:&|/|\+)\s*|\s+(?:and|or|vs\.?|versus)\s+)(?:(?:and\s+)?beds?\s+)?{number}(?!\s*%|\w|\.\d))*)(?!\w)(?:['’]s)?"
    )


@of_vocabularies
def _bare_bed() -> re.Pattern[str]:
    """A number that is a bed without the word: "sats in 4?", "temp on 7 today", "when did 8 last void", "is 9 NPO"."""
    behind = any_of(cues("questions")["behind_bed"])
    return compiled(
        rf"(?<!\w)(?:(?:(?:in|for|on|of)\s+(?P<bed>{_NUMBER})(?:'s(?!\w)|(?=\s*(?:\?|$)))"
        rf"|(?:in|for|on)\s+(?P<inner>{_NUMBER})(?=,|\s+{behind}(?!\w)))"
        rf"|^(?:(?:when|what time)\s+)?(?:did|does|is|has|was)\s+(?P<subject>{_NUMBER})"
        rf"(?=\s+(?!of\b|or\b|to\b|and\b|more\b|less\b)[a-z]))"
    )


@of_vocabularies
def _record() -> re.Pattern[str]:
    return compiled(
        rf"(?<!\w){any_of(cues('questions')['records'])}\s*(?:is|:|#|number|no\.?)?\s*(?P<number>[a-z]{{0,3}}\d[\d-]{{3,}})(?!\w)(?:['’]s)?"
    )


def named_subjects(text: str, ward: WardFacts) -> list[NamedSubject]:
    """The patients that a question names, in its order; names that are within another span are left out."""
    found: list[NamedSubject] = []
    for named in (_records(text, ward), _beds(text, ward), _names(text, ward)):
        for one in named:
            if not any(one.start < of.end and of.start < one.end for of in found):
                found.append(one)
    return sorted(found, key=lambda one: one.start)


def _records(text: str, ward: WardFacts) -> Iterator[NamedSubject]:
    for match in _record().finditer(text):
        ids = tuple(one.id for one in ward.patients if (one.mrn or "").casefold() == match["number"].casefold())
        yield _subject(match.span(), ids, match.group())
    for one in ward.patients:
        if one.mrn and (at := re.search(rf"(?<!\w){re.escape(one.mrn)}(?!\w)", text, re.IGNORECASE)):
            yield NamedSubject(at.start(), at.end(), (one.id,), at.group())


def _beds(text: str, ward: WardFacts) -> Iterator[NamedSubject]:
    words = number_words().numbers
    for match in _bed().finditer(text):
        said = [one for one in re.findall(r"\w+", match["numbers"].lower()) if one not in _JOINTS]
        beds = [str(words.get(one, one)) for one in said]
        patients = [one for bed in beds for one in ward.patients if (one.bed or "").casefold() == bed]
        known = {(one.bed or "").casefold() for one in patients}
        missing = [bed for bed in beds if bed not in known]
        refusal = Refusal(Reason.UNKNOWN_PATIENT, f"bed {missing[0]}") if missing else None
        yield NamedSubject(*match.span(), tuple(one.id for one in patients), match.group().strip(), refusal)
    for match in _bare_bed().finditer(text):
        group = next(name for name in ("bed", "inner", "subject") if match[name])
        bed = match[group]
        ids = tuple(one.id for one in ward.patients if (one.bed or "").casefold() == bed.casefold())
        if ids:
            yield NamedSubject(match.start(group), match.end(), ids, bed)


_JOINTS = frozenset("and or vs versus bed beds".split())


def _subject(span: Span, ids: tuple[int, ...], words: str) -> NamedSubject:
    if len(ids) > 1:
        return NamedSubject(*span, ids, words, Refusal(Reason.SEVERAL_PATIENTS, words.strip(), patients=ids))
    if not ids:
        return NamedSubject(*span, (), words, Refusal(Reason.UNKNOWN_PATIENT, words.strip()))
    return NamedSubject(*span, ids, words)


def _parts(name: str) -> list[str]:
    """The words of a name in lower case, first name first: "Okafor, Grace" is Grace Okafor."""
    last, comma, first = name.partition(",")
    return [part.casefold() for part in _WORD.findall(f"{first} {last}" if comma else name)]


def _names(text: str, ward: WardFacts) -> Iterator[NamedSubject]:
    """Full names, surnames and first names, with their titles and possessive endings."""
    words = [(match.start(), match.end(), _plain(match.group())) for match in _WORD.finditer(text)]
    place = 0
    while place < len(words):
        start, end, _ = words[place]
        best: tuple[int, list[WardPatient]] = (0, [])
        for patient in ward.patients:
            run = _run([word for _, _, word in words[place:]], _parts(patient.name))
            if run > best[0]:
                best = (run, [patient])
            elif run and run == best[0]:
                best[1].append(patient)
        count, patients = best
        if not count or (count == 1 and _is_word(text[start:end], start, text)):
            place += 1
            continue
        end = words[place + count - 1][1]
        if not count > 1 and _next_is_other_name(text, words, place, patients):
            place += 1
            continue
        if len(words[place + count - 1][2]) == 1 and text[end : end + 1] == ".":
            end += 1
        yield _subject((start, end), tuple(one.id for one in patients), text[start:end])
        place += count


def _plain(word: str) -> str:
    return re.sub(r"['’]s?$", "", word.casefold())


def _run(said: Sequence[str], parts: Sequence[str]) -> int:
    """How many of the words said, from the first on, are parts of a name: "Grace", "Grace Okafor", "Grace O"."""
    count = 0
    for word in said[: len(parts)]:
        if word in parts or (word.endswith("s") and len(word) > _LEAST_OWNED and word[:-1] in parts):
            count += 1
            continue
        initial = len(word) == 1 and count == 1 and said[0] in parts[:1] and parts[-1].startswith(word)
        return count + initial
    return count


@of_vocabularies
def _common() -> frozenset[str]:
    data = cues("patients")
    words = (*data["common_name_words"], *data["common_first_name_words"], *data["month_name_words"])
    return frozenset(words) | frozenset(cues("questions")["harmless_words"])


def _is_word(word: str, start: int, text: str) -> bool:
    """Whether a name is rather an ordinary word: in lower case, and one of those that are both."""
    return _plain(word) in _common() and not word[:1].isupper()


def _next_is_other_name(
    text: str, words: Sequence[tuple[int, int, str]], place: int, of: Sequence[WardPatient]
) -> bool:
    """Whether a first name is followed by a surname that no patient has: somebody else."""
    if place + 1 >= len(words):
        return False
    start, end, word = words[place]
    after, until, other = words[place + 1]
    joined = text[end:after] == " " and text[after].isupper() and text[start].isupper()
    surnames = {_parts(one.name)[-1] for one in of}
    return joined and word not in surnames and other not in _common() and not text[after:until].isupper()


def misspelt(word: str, ward: WardFacts) -> tuple[int, ...]:
    """The only patient whose name is one letter away from this word; empty if there is none, or several."""
    from rapidfuzz.distance import OSA

    plain = _plain(word)
    if len(plain) < _LEAST_FUZZY:
        return ()
    ids = {
        one.id
        for one in ward.patients
        for part in _parts(one.name)
        if len(part) >= _LEAST_FUZZY and OSA.distance(plain, part, score_cutoff=1) <= 1
    }
    return tuple(ids) if len(ids) == 1 else ()
