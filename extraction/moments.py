"""Spoken times of observation: where a sentence says when something was seen, and which minute that is.

'At nineteen hundred', '0630', 'quarter past two', 'an hour ago', 'since midnight', 'this morning'. Nothing is guessed:
a time of twelve hours that fits the morning and the afternoon, one that is still to come, and words that name no
minute are found with their doubt in plain words.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from extraction.findings import Finding
from extraction.lexical import stems
from extraction.schema import Row, Schema, ValueType, of_rows
from extraction.segment import Segment
from extraction.spoken import dates
from extraction.units import is_measured

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = {word: 10 * place for place, word in enumerate("twenty thirty forty fifty".split(), 2)}
_NUMBER = {word: place for place, word in enumerate((*_ONES, *_TEENS), 1)} | _TENS
_ONE, _TEEN, _TEN = "|".join(_ONES), "|".join(_TEENS), "|".join(_TENS)
_S = r"[\s-]+"
_HOUR = rf"(?:twenty(?:{_S}(?:one|two|three))?|(?:oh|zero){_S}(?:{_ONE})|{_TEEN}|{_ONE})"
_MINUTE = rf"(?:(?:oh|zero){_S}(?:{_ONE})|{_TEEN}|(?:{_TEN})(?:{_S}(?:{_ONE}))?)"
_TWELVE = rf"(?:{'|'.join([*_ONES, *_TEENS[:3]])}|1[0-2]|[1-9])"
_HALF = r"(?:\s*(?P<half>[ap])(?:\.\s?m\b\.?|\s?m\b))"
_PART = (
    r"(?:this|tomorrow|yesterday|in\s+the)\s+(?:early\s+|late\s+)?(?:morning|afternoon|evening)"
    r"|tonight|last\s+night|overnight|at\s+night"
)
_LEAD = r"\b(?:at|around|since|from|by|until|till|before|after|at\s+(?:about|around|approximately))\s+"
_CLOCK = re.compile(
    rf"(?<![\d:/.])(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?::\d{{2}})?(?![\d:/]){_HALF}?"
    rf"|\b(?P<hh>{_TWELVE}){_HALF.replace('half', 'half2')}"
    rf"|\b(?P<hm>{_HOUR}){_S}(?P<mm>{_MINUTE}){_HALF.replace('half', 'half3')}"
    rf"|\b(?P<oclock>{_TWELVE})\s+o['’]?\s?clock\b{_HALF.replace('half', 'half4')}?"
    rf"|\b(?P<fraction>quarter|half|(?:five|ten|twenty(?:{_S}five)?|5|10|20|25)(?:\s+minutes)?"
    rf"|(?:(?:{_TEN})(?:{_S}(?:{_ONE}))?|{_TEEN}|{_ONE}|\d{{1,2}})\s+minutes)"
    rf"\s+(?P<side>past|after|to|before|till)\s+(?P<of>{_TWELVE}|noon|midnight)\b(?!\s+(?:over|out|point|percent))"
    rf"{_HALF.replace('half', 'half5')}?"
    r"|\b(?P<named>noon|midnight|midday)\b"
    rf"|\b(?P<hundred>{_HOUR}|\d{{1,2}}){_S}hundred(?:\s+(?:hours|hrs)\b)?"
    r"|(?<![\d:/.,])(?P<four>(?:[01]\d|2[0-3])[0-5]\d)(?![\d/]|[:.,]\d)(?:\s*(?P<hours>hours|hrs|h)\b)?"
    rf"|\b(?P<spoken>{_HOUR}){_S}(?P<minute>{_MINUTE})\b"
    rf"|\b(?P<bare>{_TWELVE})\b",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|around|about)\s+$", re.IGNORECASE)
_LED = re.compile(rf"(?:{_LEAD}|\bfrom\s+[\w:]+(?:{_S}[\w:]+){{0,2}}\s+(?:to|until|till)\s+)$", re.IGNORECASE)
_AGO = re.compile(
    rf"\b(?P<count>half\s+an|an?(?:\s+(?:half|quarter))?|an?\s+couple\s+of|a\s+few|several|\d+(?:\.5)?"
    rf"|(?:{_TEN})(?:{_S}(?:{_ONE}))?|{_TEEN}|{_ONE})(?P<more>\s+and\s+a\s+half)?"
    r"\s+(?P<unit>minutes?|mins?|hours?|hrs?|days?)(?P<late>\s+and\s+a\s+half)?\s+(?:ago|earlier|prior)\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\b(?:over|for|in|during|within)\s+the\s+(?:last|past)\s+(?P<count>\d+|" + f"{_TEEN}|{_ONE}" + r")?\s*"
    r"(?P<unit>minutes?|hours?|hrs?)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(rf"\b(?:{_PART}|yesterday|earlier(?:\s+today)?)\b", re.IGNORECASE)
_PART_NEXT = re.compile(rf"\s+(?:{_PART})\b", re.IGNORECASE)
_PART_LAST = re.compile(rf"\b(?:{_PART}|yesterday)\s+$", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|currently|at\s+(?:this|the\s+present)\s+time|at\s+present|presently)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|from)\s+(?:about\s+)?(?:yesterday\s+at\s+)?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|before|after|by)\s+$", re.IGNORECASE)
_TO = re.compile(r"\s+(?:to|until|till|through)\s+$", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:due|scheduled|planned|plans?|will|going\s+to|tomorrow|next|ordered\s+for|needs?\s+to|supposed)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;]\s+(?:and\s+|but\s+|then\s+)?|\s+(?=(?:and|but|then|while)\s)", re.IGNORECASE)
# The segmentation takes 'a.m.' for an abbreviation, also where it ends a sentence.
_HALF_ENDS = re.compile(r"(?<=[ap]\.m\.)\s+(?=[A-Z])")
_NOT_A_TIME = re.compile(
    r"\s*(?:/|over\b|out\s+of\b|point\b|percent\b|%|beats\b|breaths\b|times\b|by\b)", re.IGNORECASE
)
_A_NUMBER = re.compile(rf"\d|\b(?:{_ONE}|{_TEEN}|{_TEN}|hundred)\b", re.IGNORECASE)
_TIME_WORDS = stems("time date last when hour patient")
_HALF_DAY = dt.timedelta(hours=12)
_AHEAD = dt.timedelta(minutes=5)  # clocks differ a little


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was observed, as it was said in characters [start, end) of the transcript.

    Attributes:
        sentence: characters of the sentence that it holds for.
        at: the minute, local time of the ward; None for the time of the dictation and where the words name no minute.
        since: where a period begins that ends at `at`.
        finding: why it is doubtful; None where it is not.
        planned: whether it was said of something that is still to be done: no observation has this time.
    """

    start: int
    end: int
    sentence: tuple[int, int]
    at: dt.datetime | None = None
    since: dt.datetime | None = None
    finding: Finding | None = None
    planned: bool = False


@dataclass(frozen=True, slots=True)
class _Clock:
    """A time of day in characters [start, end): the hours that it may mean, of 0 to 23, and its minute."""

    start: int
    end: int
    hours: tuple[int, ...]
    minute: int


def moments(segments: Sequence[Segment], now: dt.datetime) -> tuple[Moment, ...]:
    """All times of observation that the segments say, in their order; `now` is when the dictation was made, as local
    time without a zone."""
    found: list[Moment] = []
    for segment in segments:
        bounds = [0, *(match.end() for match in _HALF_ENDS.finditer(segment.text)), len(segment.text)]
        for start, end in pairwise(bounds):
            shift = segment.start + start
            sentence = (shift, segment.start + end)
            found += (
                replace(one, start=one.start + shift, end=one.end + shift, sentence=sentence)
                for one in _of_sentence(segment.text[start:end], now)
            )
    return tuple(found)


def clock_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Characters of `text` that say a time of day; their numbers measure nothing."""
    return tuple((clock.start, clock.end) for clock in _clocks(text))


def named_times(schema: Schema, text: str) -> set[str]:
    """Ids of the rows of which `named_time` finds the time in `text`."""
    said = [stems(text[slice(*clause_of(text, start))]) for start, _ in clock_spans(text)]
    return {row_id for row_id, names in _timed_rows(schema) if any(words <= one for words in names for one in said)}


@of_rows
def _timed_rows(rows: tuple[Row, ...]) -> tuple[tuple[str, tuple[frozenset[str], ...]], ...]:
    """Ids of the rows that record a time of day, with the words of which one set names each."""
    return tuple((row.id, _naming(row)) for row in rows if row.value_type in (ValueType.TIME, ValueType.DATE_TIME))


def _naming(row: Row) -> tuple[frozenset[str], ...]:
    return tuple(words for name in (row.name, *row.synonyms) if (words := stems(name) - _TIME_WORDS))


def named_time(row: Row, text: str) -> tuple[int, int] | None:
    """The time of day in `text` whose own clause names a row that records a time; None where there is no such.

    A clause names a row when it has all words of its name or a synonym, those aside that only say that it is a time.
    """
    if row.value_type not in (ValueType.TIME, ValueType.DATE_TIME):
        return None
    names = _naming(row)
    for start, end in clock_spans(text):
        said = stems(text[slice(*clause_of(text, start))])
        if any(words <= said for words in names):
            return start, end
    return None


def moment_of(text: str, start: int, moments: Sequence[Moment]) -> Moment | None:
    """The time of what was said at a character of the transcript; None where its sentence says none."""
    near = [one for one in moments if not one.planned and one.sentence[0] <= start < one.sentence[1]]
    if len(near) < 2:
        return near[0] if near else None
    shift, end = near[0].sentence
    clause = clause_of(text[shift:end], start - shift)
    own = [one for one in near if clause[0] <= one.start - shift < clause[1]]
    if own:
        return min(own, key=lambda one: abs(one.start - start))
    before = [one for one in near if one.end <= start]
    return before[-1] if before else near[0]


def clause_of(text: str, position: int) -> tuple[int, int]:
    """Characters of the clause of `text` in which a position lies."""
    start, end = 0, len(text)
    for cut in _CLAUSE.finditer(text):
        if cut.end() <= position:
            start = cut.end()
        elif cut.start() >= position:
            end = cut.start()
            break
    return start, end


def _of_sentence(text: str, now: dt.datetime) -> list[Moment]:
    found = [_resolved(text, clock, now) for clock in _clocks(text)]
    found = [*_joined(text, found), *_ago(text, now), *_last(text, now)]
    taken = [(one.start, one.end) for one in found]
    for match in _VAGUE.finditer(text):
        if not found and not _holds(match.group(), now) and not _SINCE.search(text[: match.start()]):
            vague = Finding("time_vague", (match.group(),))
            found.append(Moment(match.start(), match.end(), (0, 0), finding=vague))
    if found:
        present = (m for m in _NOW.finditer(text) if not any(s < m.end() and m.start() < e for s, e in taken))
        found += [Moment(m.start(), m.end(), (0, 0)) for m in present]
    return sorted((_planned(text, one) for one in found), key=lambda one: one.start)


def _planned(text: str, one: Moment) -> Moment:
    start, _ = clause_of(text, one.start)
    return replace(one, planned=one.planned or bool(_PLANNED.search(text, start, one.start)))


# clocks


def _clocks(text: str) -> list[_Clock]:
    """Times of day, without overlaps; numbers that a unit or another number shows to be a measurement are none."""
    found: list[_Clock] = []
    position = 0
    while match := _CLOCK.search(text, position):
        clock = _clock(text, match)
        if clock:
            found.append(clock)
        position = clock.end if clock else match.start() + 1
    return found


def _clock(text: str, match: re.Match[str]) -> _Clock | None:
    said = match.groupdict()
    half = next((said[name] for name in ("half", "half2", "half3", "half4", "half5") if said[name]), None)
    minute, sure = 0, True
    if said["h"]:
        hour, minute = int(said["h"]), int(said["m"])
        twelve = 1 <= hour <= 12 and len(said["h"]) == len(str(hour)) and (hour > 9 or said["h"][0] != "0")
    elif said["hh"] or said["oclock"]:
        hour, twelve = _number(said["hh"] or said["oclock"]), True
    elif said["hm"]:
        hour, minute = _number(said["hm"]), _number(said["mm"])
        twelve = 1 <= hour <= 12
    elif said["fraction"]:
        return _fraction(text, match, half)
    elif said["named"]:
        hour, twelve = (0 if said["named"].lower() == "midnight" else 12), False
    elif said["hundred"]:
        hour, twelve = _number(said["hundred"]), False
        spoken = said["hundred"].lower()
        # 'running at one hundred' says a number; so early an hour is said with 'oh' before it or 'hours' behind
        sure = match.group().lower().endswith(("hours", "hrs")) or (
            bool(_LED.search(text[: match.start()])) and (hour > 9 or spoken.startswith(("oh", "zero", "0")))
        )
    elif said["four"]:
        hour, minute, twelve = int(said["four"][:2]), int(said["four"][2:]), False
        sure = bool(said["hours"] or _LED.search(text[: match.start()]) or _begins(text, match))
    elif said["spoken"]:
        hour, minute = _number(said["spoken"]), _number(said["minute"])
        twelve = 1 <= hour <= 12 and not said["spoken"].lower().startswith(("oh", "zero"))
        # 'heart rate is at one twenty' says a number: so early an hour is one only where its clause has another number
        start, end = clause_of(text, match.start())
        rest = text[start : match.start()] + text[match.end() : end]
        sure = bool(_LED.search(text[: match.start()])) and (hour > 3 or not twelve or bool(_A_NUMBER.search(rest)))
    else:
        hour, twelve = _number(said["bare"]), True
        sure = _beside_part(text, match)
    if not sure or hour > 23 or minute > 59 or (half is None and _is_measured(text, match.end())):
        return None
    return _Clock(match.start(), match.end(), _hours(hour, half, twelve=twelve), minute)


def _hours(hour: int, half: str | None, *, twelve: bool) -> tuple[int, ...]:
    if half:
        return (hour % 12 + (12 if half.lower() == "p" else 0),) if hour <= 12 else (hour,)
    return (hour % 12, hour % 12 + 12) if twelve else (hour,)


def _fraction(text: str, match: re.Match[str], half: str | None) -> _Clock | None:
    """'Quarter past two', 'half past eleven', 'ten to four', 'twenty minutes before noon'."""
    words, of = match["fraction"].lower(), match["of"].lower()
    part = re.sub(r"\s+minutes$", "", words)
    minutes = {"quarter": 15, "half": 30}.get(part) or _number(part)
    forward = match["side"].lower() in ("past", "after")
    plain = part in ("quarter", "half") or words != part or match["side"].lower() == "past"
    led = _AT.search(text[: match.start()])
    if (
        not 0 < minutes < 60
        or (part == "half" and not forward)
        or not (plain or led)
        or _is_measured(text, match.end())
    ):
        return None
    named = {"noon": (12,), "midnight": (0,)}.get(of)
    hours = named or _hours(_number(of), half, twelve=True)
    if forward:
        return _Clock(match.start(), match.end(), hours, minutes)
    return _Clock(match.start(), match.end(), tuple((hour - 1) % 24 for hour in hours), 60 - minutes)


def _beside_part(text: str, match: re.Match[str]) -> bool:
    """Whether a part of the day makes a bare number an hour: 'at 7 this morning', 'this morning at 7'."""
    led = _LED.search(text[: match.start()])
    return bool(led and (_PART_NEXT.match(text, match.end()) or _PART_LAST.search(text[: led.start()])))


def _begins(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence begins with a time: '0630 vitals: ...'."""
    follows = re.match(
        r"\s*[:,]|\s+(?:vitals?|vital\s+signs|assessment|check|rounds)\b", text[match.end() :], re.IGNORECASE
    )
    return not text[: match.start()].strip() and bool(follows)


def _is_measured(text: str, position: int) -> bool:
    return is_measured(text, position) or bool(_NOT_A_TIME.match(text, position))


def _number(words: str) -> int:
    """Whole numbers up to 59 in digits or words; 0 for words that are none."""
    if words.isdigit():
        return int(words)
    parts = re.split(_S, words.lower())
    return sum(_NUMBER.get(part, 0) for part in parts)


# from a time of day to a minute


def _resolved(text: str, clock: _Clock, now: dt.datetime) -> Moment:
    """The minute that a time of day means: the latest that is not still to come."""
    start, end, day, part = _day_said(text, clock, now)
    hours = tuple(hour for hour in clock.hours if _fits(hour, part)) or clock.hours
    before, behind = text[:start], text[end:]
    planned = bool(_UNTIL.search(before)) or bool(re.match(r"\s+tomorrow\b", behind, re.IGNORECASE))
    days = [day] if day else [now.date(), now.date() - dt.timedelta(days=1)]
    at, finding = None, None
    for one in days:
        options = [dt.datetime.combine(one, dt.time(hour, clock.minute)) for hour in hours]
        past = [option for option in options if option <= now + _AHEAD]
        if past:
            at = max(past)
            if len(past) > 1:
                both = " or ".join(f"{option:%H:%M}" for option in sorted(past))
                finding = Finding("time_half_unknown", (both,))
            elif one != now.date() and not day and now - at > _HALF_DAY:
                finding = Finding("time_day_before", (f"{at:%H:%M}",))
            break
    else:
        at = min(dt.datetime.combine(days[0], dt.time(hour, clock.minute)) for hour in hours)
        finding = Finding("time_to_come", (f"{at:%H:%M}",))
    moment = Moment(start, end, (0, 0), at=at, finding=finding, planned=planned)
    return replace(moment, at=None, since=at) if _SINCE.search(before) else moment


def _day_said(text: str, clock: _Clock, now: dt.datetime) -> tuple[int, int, dt.date | None, str]:
    """The characters of a time of day with those of its day and part of the day, and these two."""
    start, end, day, part = clock.start, clock.end, None, ""
    for match in _VAGUE.finditer(text):
        behind, before = re.sub(r"\s|,", "", text[end : match.start()]), text[match.end() : start].strip(" ,").lower()
        if (match.start() >= end and not behind) or (
            match.end() <= start and before in ("", "at", "around", "at about")
        ):
            part = match.group().lower()
            start, end = min(start, match.start()), max(end, match.end())
    if (
        "yesterday" in part
        or (part.startswith("last") and min(clock.hours) >= 12)
        or (part in ("last night", "overnight") and 12 not in clock.hours and max(clock.hours) >= 18)
    ):
        day = now.date() - dt.timedelta(days=1)
    elif part.startswith("this"):
        day = now.date()
    for date in dates(text, now.date()):
        gap = text[min(date.end, clock.end) : max(date.start, clock.start)].strip(" ,").lower()
        if gap in ("", "at", "on", "around") and not _VAGUE.fullmatch(text[date.start : date.end]):
            start, end, day = min(start, date.start), max(end, date.end), dt.date.fromisoformat(date.value)
    return start, end, day, part


def _fits(hour: int, part: str) -> bool:
    """Whether an hour lies in a part of the day as it is said; every hour lies in none."""
    if "morning" in part:
        return hour < 12
    if "afternoon" in part:
        return 12 <= hour < 19
    if "evening" in part:
        return hour >= 16
    return "night" not in part or hour >= 18 or hour < 6


def _holds(words: str, now: dt.datetime) -> bool:
    """Whether a part of the day is the one in which the dictation was made: then nothing else was meant."""
    words = words.lower()
    if "yesterday" in words or "last" in words or "earlier" in words or "tomorrow" in words:
        return False
    return _fits(now.hour, words)


def _joined(text: str, found: list[Moment]) -> Iterator[Moment]:
    """'From 0700 to 1500' is one period; other times stay as they are."""
    rest = list(found)
    while rest:
        first = rest.pop(0)
        second = rest[0] if rest else None
        if second and second.at and first.since and _TO.match(text[first.end : second.start]):
            rest.pop(0)
            yield replace(
                second, start=first.start, since=first.since, finding=second.finding or first.finding, planned=False
            )
        else:
            yield first


# lengths of time


def _ago(text: str, now: dt.datetime) -> Iterator[Moment]:
    for match in _AGO.finditer(text):
        count, unit = re.sub(r"\s+", " ", match["count"].lower()), match["unit"].lower()
        place = (match.start(), match.end(), (0, 0))
        vague = count in ("a few", "several") or "couple" in count or unit.startswith("day")
        if vague:
            yield Moment(*place, finding=Finding("time_vague", (match.group(),)))
            continue
        number = {"half an": 0.5, "a half": 0.5, "an half": 0.5, "a quarter": 0.25, "a": 1.0, "an": 1.0}.get(count)
        number = number or (float(count) if re.fullmatch(r"[\d.]+", count) else float(_number(count)))
        number += 0.5 if match["more"] or match["late"] else 0.0
        minutes = number * (60 if unit.startswith("h") else 1)
        at = (now - dt.timedelta(minutes=round(minutes))).replace(second=0, microsecond=0)
        yield Moment(*place, at=at)


def _last(text: str, now: dt.datetime) -> Iterator[Moment]:
    for match in _LAST.finditer(text):
        count = _number(match["count"] or "1")
        minutes = count * (60 if match["unit"].lower().startswith("h") else 1)
        since = (now - dt.timedelta(minutes=minutes)).replace(second=0, microsecond=0)
        yield Moment(match.start(), match.end(), (0, 0), since=since)
