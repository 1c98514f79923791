"""The parts of a mother's dictation that are about her newborn.

"Fundus firm. Baby boy, heart rate 140. ... Mom's pain is 2": from such an opening until the mother is named again, what
is said is the child's. What mother and child do together ("baby at breast") opens no part, and what is said of a child
that is not born holds for its sentence alone.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from extraction.language.analysis import analyse
from extraction.language.assertion import Status
from extraction.language.clauses import clause_of
from extraction.language.spans import Span
from extraction.language.vocabulary.measurements import mentions
from extraction.language.vocabulary.patient_cues import newborn_cues
from extraction.preparation.people.patient_names import Person, first_names, last_names

_OLDEST_CHILD = 10  # years; a patient who is younger is the child, one who is older is not
_A_YEAR = 365.25  # days
_NAME = re.compile(r"\s+[A-Z][a-z][\w'’-]+(?=[\s,:.;'’])")
_MARKS = " \t\n.,;:!?–—"


@dataclass(frozen=True, slots=True)
class NewbornPart:
    """Characters [start, end) of a transcript about a newborn, and the words that turn to it.

    `sure`: whether the newborn is certainly not the patient of the dictation.
    """

    start: int
    end: int
    called: str
    sure: bool


@dataclass(frozen=True, slots=True)
class _Turn:
    """Where a dictation turns to the newborn, by the words `called`, or to the mother if there are none.

    Attributes:
        lasts: whether it holds beyond its sentence.
        is_boy: whether the words say so.
        sure: whether it is certainly a newborn.
    """

    start: int
    called: str = ""
    lasts: bool = True
    is_boy: bool = False
    sure: bool = True


def newborn_parts(text: str, person: Person, today: dt.date | None) -> tuple[NewbornPart, ...]:
    """The parts of a text about a newborn; none if the patient is the child.

    A patient of unknown age may be the child in a dictation that charts nothing of a mother.
    """
    is_child = _is_child(person, today)
    if is_child:
        return ()
    now = _Turn(0)
    parts: list[tuple[int, int, _Turn]] = []
    is_sure = is_child is False
    for turn in (*_turns(text, person), _Turn(len(text))):
        said = text[now.start : turn.start]
        if now.called and said:
            parts.append((now.start, turn.start, now))
        elif not now.called:
            is_sure |= _charts_mother(said)
        now = turn
    return tuple(NewbornPart(start, end, turn.called, is_sure and turn.sure) for start, end, turn in parts)


def _is_child(person: Person, today: dt.date | None) -> bool | None:
    """Whether the patient is the child; None if nothing tells."""
    if newborn_cues().named.search(person.name):
        return True
    if not person.born or today is None:
        return None
    return (today - dt.date.fromisoformat(person.born)).days < _OLDEST_CHILD * _A_YEAR


def _charts_mother(text: str) -> bool:
    """Whether a text states what only a mother has, or a measurement after a word for her."""
    cues = newborn_cues()
    if cues.mothers_own.search(text):
        return True
    clauses = (text[match.end() : clause_of(text, match.end())[1]] for match in cues.maternal.finditer(text))
    return any(mentions(clause) for clause in clauses)


def words_for_mother(text: str) -> tuple[Span, ...]:
    """The words for the mother that open a clause and read like somebody else's: "Mom's" in "Mom's pain is 2"."""
    cues, found = newborn_cues(), []
    for scope in analyse(text).scopes:
        word = cues.maternal.match(text, scope.start)
        before = cues.begins.search(text[: scope.start]) if word else None
        if scope.status is Status.OTHER and word and before and not before["whose"]:
            found.append(word.span())
    return tuple(found)


def _turns(text: str, person: Person) -> Iterator[_Turn]:
    """Every change from the mother to the child and back, in order."""
    cues = newborn_cues()
    of_birth, is_birth = _speaks_of_birth(text), bool(newborn_cues().at_birth.search(text))
    now, boy = _Turn(0), None  # the last turn, and the words for a boy
    for sentence in analyse(text).sentences:
        openings = list(_openings(sentence.text, of_birth=of_birth))
        if is_birth and not openings:
            openings = list(_births(sentence.text, sure=of_birth))
        taken = {turn.start for turn in openings}  # "mom's baby boy"
        returns = [turn for turn in _returns(sentence.text, person) if turn.start not in taken]
        found = sorted((*openings, *returns), key=lambda turn: turn.start)
        if boy and now.called and cues.she.match(sentence.text):
            found.insert(0, _Turn(0))
        elif boy and not now.called and cues.he.match(sentence.text):
            found.insert(0, boy)
        before = now
        for turn in found:
            if bool(turn.called) != bool(now.called):
                before, now = now, turn
                yield replace(turn, start=sentence.start + turn.start)
            if turn.is_boy:
                boy = replace(turn, start=0, lasts=True)
        if found and not now.lasts and before is not now:
            now = before
            yield replace(now, start=sentence.end)


def _speaks_of_birth(text: str) -> bool:
    """Whether a text speaks of a newborn or its mother beyond words such as "baby" that may be said of others."""
    cues = newborn_cues()
    return bool(cues.mothers_own.search(text) or cues.only_at_birth.search(text)) or any(
        cues.certain.fullmatch(match.group()) for match in cues.named.finditer(text)
    )


def _openings(sentence: str, *, of_birth: bool) -> Iterator[_Turn]:
    """Where a clause of the sentence begins to speak of a newborn."""
    cues = newborn_cues()
    for match in cues.named.finditer(sentence):
        before = cues.begins.search(sentence[: match.start()])
        if before is None or cues.thing.match(sentence, match.end()):
            continue
        name = _NAME.match(sentence, match.end())  # "Baby Okafor"
        end = name.end() if name else match.end()
        rest, clause = sentence[end:], sentence[end : clause_of(sentence, end)[1]]
        named = mentions(rest)
        is_measured = bool(named) or any(character.isdigit() for character in rest)
        is_certain = bool(cues.certain.fullmatch(match.group()))
        is_born = cues.birth.match(sentence, match.start())
        if cues.little.fullmatch(match.group()) and not (of_birth or named or is_born):
            continue
        if cues.heading.match(rest):
            is_charted = is_certain or of_birth or is_measured
        else:
            is_charted = bool(cues.said_of.match(rest) or any(one.start == _first(rest) for one in named))
        if is_charted and (is_measured or not cues.together.search(clause or rest)):
            start = before.end() - len(before.group().lstrip(_MARKS))
            lasts = bool(named or not before["whose"]) and (is_certain or not cues.unborn.search(rest))
            yield _Turn(start, sentence[start : match.end()], lasts, bool(cues.boy.search(match.group())))


def _births(sentence: str, *, sure: bool) -> Iterator[_Turn]:
    """Where a clause of the sentence tells of a birth: "he was out at 1615, limp and blue"."""
    cues = newborn_cues()
    for match in cues.birth.finditer(sentence):
        if before := cues.begins.search(sentence[: match.start()]):
            start = before.end() - len(before.group().lstrip(_MARKS))
            yield _Turn(start, sentence[start : match.end()], is_boy=bool(cues.he.match(match.group())), sure=sure)


def _first(text: str) -> int:
    """The place of the first word."""
    return len(text) - len(text.lstrip())


def _returns(sentence: str, person: Person) -> Iterator[_Turn]:
    """Where a clause of the sentence begins to speak of the mother.

    A word such as "mom" within a sentence may be said by the way: "thirty-six weeker, mom's on insulin".
    """
    cues = newborn_cues()
    own = (*first_names(sentence, (person,)), *last_names(sentence, (person,)))
    said = [(match.start(), False) for match in cues.mother.finditer(sentence)]
    said += [(match.start(), True) for match in cues.mothers_own.finditer(sentence)]
    for start, is_hers in (*said, *((one.start, True) for one in own)):
        if before := cues.begins.search(sentence[:start]):
            begin = before.end() - len(before.group().lstrip(_MARKS))
            yield _Turn(begin, lasts=is_hers or not sentence[:begin].strip(_MARKS))
