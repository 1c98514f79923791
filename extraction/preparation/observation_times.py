"""Spoken times of observation, resolved to a minute.

'At nineteen hundred', '0630', 'quarter past two', 'an hour ago', 'since midnight', 'this morning'. Nothing is guessed:
a time that fits both morning and afternoon, a time in the future, and words without an exact minute are reported with
their doubt in plain words.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import TIME_TYPES, Row, Schema, ValueType, of_rows
from extraction.flowsheet.values import Evidence, Timing
from extraction.language.analysis import analyse
from extraction.language.assertion import Status
from extraction.language.clauses import clause_of
from extraction.language.clock_times import Clock, clocks, whole_number
from extraction.language.numbers import dates, numbers
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.time_cues import time_cues
from extraction.language.vocabulary.words import stems
from extraction.preparation.heading_times import head_of, with_head
from extraction.preparation.moment import Moment
from extraction.preparation.several_readings import is_told, is_untold, with_readings

# Sentence splitting treats 'a.m.' as an abbreviation even at the end of a sentence.
_HALF_ENDS = re.compile(r"(?<=[ap]\.m\.)\s+(?=[A-Z])")
TIME_RULE = "time"  # rule id, see `extraction.rules.engine`
MINUTE = "%Y-%m-%dT%H:%M"
_HALF_DAY = dt.timedelta(hours=12)
_JUST_NOW = dt.timedelta(hours=1)
_LONGEST_SHIFT = dt.timedelta(hours=14)  # with what is told after it
CLOCKS_DIFFER = dt.timedelta(minutes=5)  # a time this little ahead is not in the future


def moments(segments: Sequence[Segment], now: dt.datetime) -> tuple[Moment, ...]:
    """All times of observation in the segments, in order; `now` is the local time of the dictation, without a zone."""
    found: list[Moment] = []
    last: dt.datetime | None = None
    before: list[str] = []
    for segment in segments:
        bounds = [0, *(match.end() for match in _HALF_ENDS.finditer(segment.text)), len(segment.text)]
        for start, end in pairwise(bounds):
            shift = segment.start + start
            sentence = (shift, segment.start + end)
            text = segment.text[start:end]
            said = _of_sentence(text, now, last)
            if any(one.at for one in said):
                said = with_head(text, said, now, found, before)
            before.append(text)
            last = next((one.at for one in reversed(said) if one.at and not one.planned), last)
            found += with_readings(text, shift, [_placed(one, text, sentence) for one in said])
    return tuple(found)


def _placed(one: Moment, text: str, sentence: Span) -> Moment:
    """A moment of a sentence, in positions of the whole text."""
    shift, (first, last) = sentence[0], clause_of(text, one.start)
    clause = shift + min(first, one.start), shift + max(last, one.end)
    apart = one.is_vague or time_cues().of_its_own.search(text, first, one.start) is not None
    return replace(one.shifted(shift), sentence=sentence, clause=clause, apart=apart)


def clock_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Spans in `text` that say a time of day; their numbers are not measurements."""
    return tuple((clock.start, clock.end) for clock in _observed(text))


def named_times(schema: Schema, text: str) -> set[str]:
    """Ids of the rows for which `named_time` finds a time in `text`."""
    said = [stems(text[slice(*clause_of(text, start))]) for start, _ in clock_spans(text)]
    rows = _timed_rows(schema) if said else ()
    return {row.id for row in rows if any(words <= one for words in _name_words(row) for one in said)}


@of_rows
def _timed_rows(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    return tuple(row for row in rows if row.value_type in (ValueType.TIME, ValueType.DATE_TIME))


def _name_words(row: Row) -> tuple[frozenset[str], ...]:
    """Sets of words, any of which names the row."""
    return tuple(words for name in (row.name, *row.synonyms) if (words := stems(name) - time_cues().naming))


def named_time(row: Row, text: str) -> tuple[int, int] | None:
    """The time of day in `text` whose own clause names a row that records a time; None if there is none.

    A clause names a row if it has every word of its name or of a synonym, except words that only mean "time".
    """
    if row.value_type not in (ValueType.TIME, ValueType.DATE_TIME):
        return None
    names = _name_words(row)
    for start, end in clock_spans(text):
        said = stems(text[slice(*clause_of(text, start))])
        if any(words <= said for words in names):
            return start, end
    return None


def moment_of(start: int, moments: Sequence[Moment]) -> Moment | None:
    """The time of something said at a position in the text of the moments.

    That of its sentence, or else the one that heads it; None if there is neither.
    """
    own = _own_moment(start, moments)
    head = head_of([one for one in moments if one.end <= start]) if moments else None
    if own is None or head is None or own.at or own.finding:
        return own or head
    return replace(own, at=head.at, finding=head.finding) if own.since else head  # "currently" in a round is then


def _own_moment(start: int, moments: Sequence[Moment]) -> Moment | None:
    near = [one for one in moments if not one.planned and one.sentence[0] <= start < one.sentence[1]]
    if not near or is_untold(start, near):
        return None
    if told := next((one for one in near if is_told(start, one)), None):
        return told
    own = [one for one in near if one.clause[0] <= start < one.clause[1]]
    if len(near) == 1:
        is_of_another = near[0].apart and near[0].start > start and not own  # "belly soft, last BM at 1930"
        return None if is_of_another else near[0]
    if own:
        return min(own, key=lambda one: abs(one.start - start))
    before = [one for one in near if one.end <= start]
    return before[-1] if before else near[0]


def _of_sentence(text: str, now: dt.datetime, last: dt.datetime | None) -> list[Moment]:
    """The times in a sentence; `last` is the last one said before it."""
    cues = time_cues()
    found = [_resolve(text, clock, now) for clock in _observed(text)]
    found = [*_with_periods_joined(text, found), *_times_ago(text, now), *_last_periods(text, now)]
    found += _times_later(text, found, last, now)
    for match in cues.vague.finditer(text):
        if not found and not _is_current(match.group(), now) and not cues.since.search(text[: match.start()]):
            found.append(_vague(match))
    if found:
        is_vague = all(one.is_vague for one in found)
        taken = [(one.start, one.end) for one in found]
        present = [*cues.now.finditer(text), *(cues.today.finditer(text) if is_vague else ())]
        found += [
            Moment(m.start(), m.end(), (0, 0))
            for m in present
            if not any(overlap(m.span(), span) or _leads(text, m.end(), span[0]) for span in taken)
        ]
    return sorted((_planned(text, one) for one in found), key=lambda one: one.start)


def _leads(text: str, end: int, time: int) -> bool:
    """Whether "now" stands right before a time, as in "just now, seven thirty"."""
    return end <= time and not text[end:time].strip(" ,")


def _planned(text: str, one: Moment) -> Moment:
    start, _ = clause_of(text, one.start)
    plans = (scope for scope in analyse(text).scopes if scope.status is Status.PLANNED)
    is_planned = bool(time_cues().planned.search(text, start, one.start)) or any(
        scope.start <= one.start < scope.end for scope in plans
    )
    return replace(one, planned=one.planned or is_planned)


def _observed(text: str) -> Iterator[Clock]:
    return (clock for clock in clocks(text) if clock.observed)


# from a time of day to a minute


def _resolve(text: str, clock: Clock, now: dt.datetime) -> Moment:
    """Resolves a time of day to the latest matching minute that is not in the future."""
    start, end, day, part = _with_day(text, clock, now)
    hours = tuple(hour for hour in clock.hours if _hour_fits(hour, part)) or clock.hours
    cues, before, behind = time_cues(), text[:start], text[end:]
    tomorrow = cues.tomorrow.match(behind.lstrip()) if behind[:1].isspace() else None
    planned = bool(cues.until.search(before) or tomorrow)
    days = [day] if day else [now.date(), now.date() - dt.timedelta(days=1)]
    at, finding = None, None
    for one in days:
        options = [dt.datetime.combine(one, dt.time(hour, clock.minute)) for hour in hours]
        past = [option for option in options if option <= now + CLOCKS_DIFFER]
        if past:
            at = max(past)
            if len(past) > 1:
                finding = _half_unknown(sorted(past), now)
            elif one != now.date() and not day and now - at > _HALF_DAY:
                finding = Finding("time_day_before", (f"{at:%H:%M}",))
            break
    else:
        at = min(dt.datetime.combine(days[0], dt.time(hour, clock.minute)) for hour in hours)
        finding = Finding("time_to_come", (f"{at:%H:%M}",))
    if planned and not tomorrow and _was_done_by(text, start, at, now, ambiguous=len(hours) > 1):
        planned = False
    moment = Moment(start, end, (0, 0), at=at, finding=finding, planned=planned)
    return replace(moment, at=None, since=at) if cues.since.search(before) else moment


def _was_done_by(text: str, start: int, at: dt.datetime, now: dt.datetime, *, ambiguous: bool) -> bool:
    """Whether what was to be done by a time that has come is told as done: "voided 400 by 0300".

    A verb of the past tells, or a number where the time can be no other. `_planned` finds what is still to be done.
    """
    cues, (first, _) = time_cues(), clause_of(text, start)
    if not cues.done_by.search(text, 0, start) or not now - _HALF_DAY <= at <= now + CLOCKS_DIFFER:
        return False
    if cues.told_as_meant.search(text, first, start):
        return False
    return bool(cues.told_as_done.search(text, first, start) or (not ambiguous and numbers(text[first:start])))


def _half_unknown(either: list[dt.datetime], now: dt.datetime) -> Finding:
    """The doubt of a time that fits both halves of the day, of which the later one is taken.

    A dictation tells of what was just seen, or of its shift. The later one is plain if it was within the last hour,
    or if the earlier one was before the shift. Otherwise the value is flagged.
    """
    said = Finding("time_half_unknown", (" or ".join(f"{one:%H:%M}" for one in either),))
    is_plain = now - either[-1] <= _JUST_NOW or now - either[0] > _LONGEST_SHIFT
    return said if is_plain else Finding("time_unclear", (said.text,))


def _with_day(text: str, clock: Clock, now: dt.datetime) -> tuple[int, int, dt.date | None, str]:
    """Extends a time of day by the day and the part of the day said with it; returns the span, day and part."""
    cues, start, end, day, part = time_cues(), clock.start, clock.end, None, ""
    for match in cues.vague.finditer(text):
        behind, before = re.sub(r"\s|,", "", text[end : match.start()]), text[match.end() : start].strip(" ,")
        if (match.start() >= end and not behind) or (match.end() <= start and cues.day_joint.fullmatch(before)):
            part = match.group().lower()
            start, end = min(start, match.start()), max(end, match.end())
    if (
        cues.yesterday.search(part)
        or (cues.last_night.fullmatch(part) and min(clock.hours) >= 12)
        or (_is_night_before(part) and 12 not in clock.hours and max(clock.hours) >= 18)
    ):
        day = now.date() - dt.timedelta(days=1)
    elif cues.this.match(part):
        day = now.date()
    for date in dates(text, now.date()):
        gap = text[min(date.end, clock.end) : max(date.start, clock.start)].strip(" ,")
        if cues.date_joint.fullmatch(gap) and not cues.vague.fullmatch(text[date.start : date.end]):
            start, end, day = min(start, date.start), max(end, date.end), dt.date.fromisoformat(date.value)
    return start, end, day, part


def _is_night_before(part: str) -> bool:
    return any(cue.fullmatch(part) for cue in (time_cues().last_night, time_cues().overnight))


def _hour_fits(hour: int, part: str) -> bool:
    """Whether an hour lies in a spoken part of the day; true if no part was said."""
    cues = time_cues()
    if cues.morning.search(part):
        return hour < 12
    if cues.afternoon.search(part):
        return 12 <= hour < 19
    if cues.evening.search(part):
        return hour >= 16
    return not cues.night.search(part) or hour >= 18 or hour < 6


def _is_current(words: str, now: dt.datetime) -> bool:
    """Whether a part of the day includes the time of the dictation, in which case it adds no information."""
    cues = time_cues()
    if any(cue.search(words) for cue in (cues.yesterday, cues.last_night, cues.earlier, cues.tomorrow)):
        return False
    return _hour_fits(now.hour, words)


def _with_periods_joined(text: str, found: list[Moment]) -> Iterator[Moment]:
    """Joins 'from 0700 to 1500' into one period; other times are unchanged."""
    through, rest = time_cues().through, list(found)
    while rest:
        first = rest.pop(0)
        second = rest[0] if rest else None
        if second and second.at and first.since and through.fullmatch(text, first.end, second.start):
            rest.pop(0)
            yield replace(
                second, start=first.start, since=first.since, finding=second.finding or first.finding, planned=False
            )
        else:
            yield first


# durations


def _times_ago(text: str, now: dt.datetime) -> Iterator[Moment]:
    for match in time_cues().ago.finditer(text):
        minutes = _minutes(match)
        if minutes is None:
            yield _vague(match)
        else:
            yield Moment(*match.span(), (0, 0), at=_minutes_before(now, minutes))


def _times_later(text: str, found: Sequence[Moment], last: dt.datetime | None, now: dt.datetime) -> list[Moment]:
    """Times that are counted from the last one said before: "15 minutes later"."""
    later: list[Moment] = []
    for match in time_cues().later.finditer(text):
        before = [one.at for one in (*found, *later) if one.at and not one.planned and one.end <= match.start()]
        since, minutes = before[-1] if before else last, _minutes(match)
        at = _minutes_before(since, -minutes) if since and minutes is not None else None
        if since and at and at <= now + CLOCKS_DIFFER:
            counted = Finding("time_counted", (match.group(), f"{since:%H:%M}"))
            later.append(Moment(*match.span(), (0, 0), at=at, finding=counted))
        else:
            later.append(_vague(match))
    return later


def _vague(match: re.Match[str]) -> Moment:
    return Moment(*match.span(), (0, 0), finding=Finding("time_vague", (match.group(),)))


def _minutes(passed: re.Match[str]) -> float | None:
    """The minutes that have passed; None for days, and if the words give no number."""
    if passed["few"] or passed["days"]:
        return None
    fractions, count = number_words().fractions, 1.0
    if passed["share"]:
        count = fractions[passed["share"].lower()]
    elif passed["count"]:
        count = float(passed["count"]) if passed["count"][0].isdigit() else float(whole_number(passed["count"]))
    if more := passed["more"] or passed["late"]:
        count += fractions[more.lower().split()[-1]]
    return count * (60 if passed["hours"] else 1)


def _last_periods(text: str, now: dt.datetime) -> Iterator[Moment]:
    for match in time_cues().last.finditer(text):
        count = whole_number(match["count"] or "1")
        yield Moment(*match.span(), (0, 0), since=_minutes_before(now, count * (60 if match["hours"] else 1)))


def _minutes_before(now: dt.datetime, minutes: float) -> dt.datetime:
    return (now - dt.timedelta(minutes=round(minutes))).replace(second=0, microsecond=0)


def stated_time(
    transcript: str, row: Row, said: Evidence, moments: Sequence[Moment]
) -> tuple[Timing | None, tuple[Finding, ...]]:
    """The time of observation that is stated where a value was said, and the doubts about it; None if none is stated.

    A value of a row that records a time has none, but the doubts about the words that it was read from.
    """
    if row.value_type in TIME_TYPES:
        read = [one for one in moments if one.start < said.end and said.start < one.end]
        return None, () if row.value_type is ValueType.DATE else _doubts(*read)
    moment = moment_of(said.start, moments)
    if moment is None:
        return None, _doubts_of_untold(said, moments)
    timing = Timing(
        at=f"{moment.at:{MINUTE}}" if moment.at else None,
        since=f"{moment.since:{MINUTE}}" if moment.since else None,
        start=moment.start,
        end=moment.end,
        text=transcript[moment.start : moment.end],
    )
    named = timing if moment.at or moment.since or moment.finding else None  # 'now' is the time of the dictation
    return named, _doubts(moment)


def _doubts_of_untold(said: Evidence, moments: Sequence[Moment]) -> tuple[Finding, ...]:
    """The doubt about a reading that no time was said of, in the sentence of others that have one."""
    beside = (f"{one.at:%H:%M}" for one in moments if one.at and one.told and is_untold(said.start, [one]))
    times = ", ".join(dict.fromkeys(beside))
    return (Finding("time_untold", (times,), rule=TIME_RULE),) if times else ()


def _doubts(*moments: Moment) -> tuple[Finding, ...]:
    return tuple(replace(one.finding, rule=TIME_RULE) for one in moments if one.finding)
