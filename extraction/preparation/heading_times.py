"""Times that head a dictation: "0200 rounds", "obs at nine thirty", "bed 4, about quarter past six I think".

Such a time is at the beginning, preceded at most by the patient's name or bed, in a clause that says only what is done
then. A time in any other clause belongs to what that clause says.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from extraction.flowsheet.findings import Finding, quote
from extraction.language.clauses import clause_of, clauses
from extraction.language.spans import Span
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.preparation.moment import Moment
from extraction.preparation.people.patient_names import forms

_NEAR = dt.timedelta(hours=6)  # a round is dictated within this time
_HALF_DAY = dt.timedelta(hours=12)
_LETTER = re.compile(r"[^\W\d_]")
_PART_ENDS = re.compile(r"[:.]|\s[–—-]\s")  # a heading ends there within its clause
_WORD = re.compile(r"[^\W_][\w'’]*")


class Heading(Enum):
    """How a time heads what follows."""

    PLAIN = "plain"
    VAGUE = "vague"
    ASSUMED = "assumed"  # beside words that may name what was done then


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns of the clause around a time.

    Attributes:
        named_before: what is done, and what leads from it to its time.
        named_behind: what is done, behind its time.
        begins, begins_at: what else may stand before a time; before one with a name behind it, also "at".
        ends: what else may stand behind it.
        unknown: a few words behind it that may name what was done.
        hedge: words that make it vague.
        never: words with which it heads nothing.
        charts: one of the words that make it a heading, `fills` any of those that it may be made of, in any order.
        doing: what is done, with anything behind it.
        whose: a word beside the name or bed of a patient.
    """

    named_before: re.Pattern[str]
    named_behind: re.Pattern[str]
    begins: re.Pattern[str]
    begins_at: re.Pattern[str]
    ends: re.Pattern[str]
    unknown: re.Pattern[str]
    hedge: re.Pattern[str]
    never: re.Pattern[str]
    charts: re.Pattern[str]
    fills: re.Pattern[str]
    doing: re.Pattern[str]
    whose: re.Pattern[str]


@of_vocabularies
def _forms() -> _Forms:
    """Raises InputError if the ward's own file cannot be read."""
    of, patients = cues("times"), cues("patients")
    hedge, openings = any_of(of["hedges"]), any_of([*of["heading_openings"], *of["heading_entries"]])
    word = r"(?:q\d+\w*|(?!\w+ed\b(?<!focused))[a-z][\w'’/&-]*)"  # a verb of the past tense names no round
    doing = rf"(?:{word}\s+){{0,2}}{any_of([*of['headings'], *of['headings_before']])}"
    done = rf"(?:{word}\s+){{0,2}}{any_of([*of['headings'], *of['headings_behind']])}"
    begins = rf"\W*(?:{openings}\b[\s,]*)*(?:{hedge}\s+)*"
    charting = [*of["headings"], *of["headings_behind"], *of["heading_entries"], *of["oclock"]]
    fillers = [*charting, *of["heading_openings"], *of["heading_fillers"], *of["heading_ends"], *of["hedges"]]
    last = any_of([*of["hedges"], *of["heading_ends"]])
    ends = rf"(?:[\s,-]*{last})*(?:\s+{any_of(of['heading_tails'])}\b.*)?\s*"
    states = rf"\s+{any_of(of['heading_verbs'])}\s.*\d.*"
    beside = (patients[key] for key in ("who", "whose", "here", "at", "openings", "opening_joints", "stays"))
    return _Forms(
        named_before=compiled(rf"{begins}{doing}[\s,]*(?:{any_of(of['heading_joints'])}\s+)?(?:{hedge}\s+)*"),
        named_behind=compiled(rf"\s+{done}(?:{ends}|{states})"),
        begins=compiled(begins),
        begins_at=compiled(rf"(?:\W*at\s+)?{begins}"),
        ends=compiled(ends),
        unknown=compiled(rf"\s+{word}(?:\s+{word})?\s*"),
        hedge=compiled(rf"\b{hedge}\b"),
        never=whole_words(of["no_heading_words"]),
        charts=whole_words([*charting, "we['’]re", "here['’]s"]),
        fills=compiled(rf"\W*(?:{any_of(fillers)}(?!\w)\W*)*"),
        doing=compiled(rf"{begins}{doing}\b.*"),
        whose=whole_words(
            [*of["heading_openings"], *of["heading_entries"], *(form for forms in beside for form in forms)]
        ),
    )


def with_head(
    text: str, said: list[Moment], now: dt.datetime, former: Sequence[Moment], before: Sequence[str]
) -> list[Moment]:
    """Marks the time of a sentence that heads what follows (`extraction.preparation.heading_times`).

    Where a time heads the dictation, a later one may head a part of it. `before` are the sentences before this one.
    """
    timed = [one for one in said if one.at and not one.planned]
    if not timed or any(not _LETTER.search(text, one.end, other.start) for one, other in pairwise(timed)):
        return said
    first, head = timed[0], head_of(former)
    assert first.at
    goes_on = head is not None and head.at is not None and head.at <= first.at
    if first.since or not (goes_on or all(map(says_whose, before))):
        return said
    heading = heading_of(text, (first.start, first.end), alone=len(timed) == 1)
    if heading is None:
        return said
    headed = replace(first, heads=True, finding=_doubt_of_head(text, first, heading, now))
    return [headed if one is first else one for one in said]


def head_of(former: Sequence[Moment]) -> Moment | None:
    """The time that heads what follows after these; doubtful where a later time was said since."""
    head = next((one for one in reversed(former) if one.heads), None)
    if head is None or head.at is None:
        return None
    later = [one.at for one in former if one.at and not one.planned and one.start > head.start and one.at > head.at]
    if not later or head.finding:
        return head
    return replace(head, finding=Finding("heading_passed", (f"{later[-1]:%H:%M}", f"{head.at:%H:%M}")))


def _doubt_of_head(text: str, one: Moment, heading: Heading, now: dt.datetime) -> Finding | None:
    """Why a time that heads a dictation must be checked: unlike other times, it is one for many values."""
    assert one.at
    words, passed = text[one.start : one.end], now - one.at
    if heading is Heading.VAGUE:
        return Finding("heading_vague", (words, f"{one.at:%H:%M}"))
    if heading is Heading.ASSUMED:
        return Finding("heading_assumed", (f"{one.at:%H:%M}", quote(text)))
    if passed > _HALF_DAY:
        return Finding("heading_long_before", (words, f"{passed.total_seconds() / 3600:.0f}"))
    if one.finding and not (one.finding.code == "time_half_unknown" and passed <= _NEAR):
        return Finding("time_unclear", (one.finding.text,))
    return None


def heading_of(sentence: str, time: Span, *, alone: bool) -> Heading | None:
    """How a time in the first sentence that says more than whose the dictation is heads it; None if it does not.

    `alone` says that the sentence states no other time: else what is done must stand beside it.
    """
    known, (first, last) = _forms(), clause_of(sentence, time[0])
    first = max([first, *(part.end() for part in _PART_ENDS.finditer(sentence, first, time[0]))])
    before, behind = sentence[first : time[0]], _PART_ENDS.split(sentence[time[1] : max(last, time[1])])[0]
    if known.never.search(f"{before} {behind}") or not says_whose(sentence[:first]):
        return None
    clause = sentence[first : max(last, time[1])]
    is_named = (
        (known.named_before.fullmatch(before) and known.ends.fullmatch(behind))
        or (known.begins_at.fullmatch(before) and known.named_behind.fullmatch(behind))
        or (alone and known.charts.search(clause) and all(map(known.fills.fullmatch, (before, behind))))
    )
    if not is_named:
        if not alone or not known.begins.fullmatch(before):
            return None
        if not known.ends.fullmatch(behind):
            is_all = not _LETTER.search(sentence, time[1] + len(behind))
            return Heading.ASSUMED if is_all and known.unknown.fullmatch(behind) else None
    return Heading.VAGUE if known.hedge.search(f"{before} {behind}") else Heading.PLAIN


def says_whose(text: str) -> bool:
    """Whether words at the beginning of a dictation say no more than whose it is, or what is done."""
    return all(_says_whose(text[start:end].strip(" .:\n")) for start, end in clauses(text))


def _says_whose(clause: str) -> bool:
    known, names = _forms(), forms()
    rest = clause
    for name in (names.place, names.name, names.record):
        rest = name.sub(" ", rest)
    unknown = _WORD.findall(known.whose.sub(" ", rest))
    named = rest != clause or known.whose.search(clause) or len(unknown) > 1 or clause.isupper()
    is_name = named and all(word[0].isupper() for word in unknown)
    is_heading = known.charts.search(clause) and known.fills.fullmatch(clause)
    return bool(not clause or is_name or is_heading or known.doing.fullmatch(clause))
