"""Periods that a question names, by the ward's clock: "in the last 8 hours", "since 7", "yesterday after 19:00"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.phrases import any_of, compiled
from extraction.questions.query import Window
from extraction.questions.ward import WardFacts
from extraction.questions.words.days import NamedDay, named_days

_DAY = timedelta(days=1)
_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0}


@dataclass(frozen=True, slots=True)
class NamedWindow:
    """A window in characters [start, end) of a question.

    Attributes:
        whole_day: whether it begins with a day that is named, as in "since Monday".
        part: the bounds of the part of a day that it is, as in "yesterday morning"; None for anything else.
        clock: the time of day that was said, if it was one; for what was before and after it.
        until_now: whether it lasts until the question.
    """

    start: int
    end: int
    window: Window
    whole_day: bool = False
    clock: datetime | None = None
    until_now: bool = True
    part: tuple[datetime, datetime] | None = None


@dataclass(frozen=True, slots=True)
class _Patterns:
    counted: re.Pattern[str]
    ago: re.Pattern[str]
    bare: re.Pattern[str]
    clock: re.Pattern[str]
    range: re.Pattern[str]
    bound: re.Pattern[str]


_CLOCK = (
    r"(?:(?P<{p}named>noon|midday|midnight)|(?P<{p}h>[01]?\d|2[0-3])(?:[:.](?P<{p}m>[0-5]\d))\s*(?P<{p}half>[ap]\.?m\.?)?"
    r"|(?P<{p}four>(?:[01]\d|2[0-3])[0-5]\d)(?:\s*(?:h|hrs|hours))?(?!\s*(?:mls?|cc|mg))"
    r"|(?P<{p}hour>[01]?\d|2[0-3])\s*(?:(?P<{p}only>[ap]\.?m\.?)|o['’]?clock)?)(?![\w/%:.]\w|\w)"
)


_DATED = re.compile(r"\s+(?:on\b|yesterday\b|today\b|last night\b)", re.IGNORECASE)


@of_vocabularies
def _patterns() -> _Patterns:
    data = cues("questions")
    number = rf"(?P<count>\d+(?:\.\d+)?\s*-?|(?:{any_of(number_words().numbers)}|an?|half an|couple of)\s+)"
    unit = (
        rf"(?:(?P<hour>{any_of(data['hour_units'])})|(?P<minute>{any_of(data['minute_units'])})|(?P<day>{any_of(data['day_units'])})"
        r"|(?P<week>weeks?)|(?P<month>months?)|(?P<year>years?))(?![\w/])"
    )
    clock = _CLOCK.format(p="")
    return _Patterns(
        counted=compiled(
            rf"(?<!\w)(?:{any_of(data['last_counted'])}\s+(?:{number})?"
            rf"|{any_of(data['since_counted'])}\s+{number.replace('count', 'count2')}){unit}"
        ),
        ago=compiled(rf"(?<!\w)(?:(?P<since>since|from|after)\s+)?{number}{unit}\s+(?:ago|back)(?!\w)"),
        bare=compiled(rf"(?<![\w.]){number}{unit}"),
        clock=compiled(rf"(?<!\w)(?:(?:the|about)\s+)*{clock}"),
        range=compiled(
            rf"(?<!\w)(?:from|between)\s+{_CLOCK.format(p='a')}\s*(?:to|and|until|till|-)\s*{_CLOCK.format(p='b')}"
        ),
        bound=compiled(
            rf"(?<!\w)(?<!compared )(?:(?P<since>{any_of(data['since'])})|(?P<until>{any_of(data['until'])})"
            r"|(?P<at>at|around|on|in|during|for|of|from))\s+(?:the\s+)?$"
        ),
    )


def named_windows(text: str, ward: WardFacts) -> list[NamedWindow]:
    """The windows that a question names, in its order, without overlaps; a day and a time of day are one window."""
    found: list[NamedWindow] = []
    for one in sorted(_all(text, ward), key=lambda one: (one.start - one.end, one.start)):
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)
    return _joined(text, sorted(found, key=lambda one: one.start), ward)


def _all(text: str, ward: WardFacts) -> Iterator[NamedWindow]:
    yield from _counted(text, ward.now)
    yield from _ranges(text, ward.now)
    yield from (_of_day(text, day) for day in named_days(text, ward))
    yield from _clocks(text, ward.now)


def bare_length(text: str, start: int, end: int) -> timedelta | None:
    """How long a number with its unit of time is: "24h", "8 hours"."""
    match = _patterns().bare.fullmatch(text, start, end)
    return _length(match, match["count"]) if match else None


def bare_lengths(text: str) -> Iterator[tuple[int, int, timedelta]]:
    """Lengths of time that stand alone, as in "i/o 24h"."""
    for match in _patterns().bare.finditer(text):
        if length := _length(match, match["count"]):
            yield match.start(), match.end(), length


def _length(match: re.Match[str], said: str | None) -> timedelta | None:
    words = {"a": 1.0, "an": 1.0, "half an": 0.5, "couple of": 2.0, None: 1.0}
    key = said.lower().strip(" -") if said else None
    if key in words:
        count = words[key]
    elif key is not None and key in number_words().numbers:
        count = float(number_words().numbers[key])
    else:
        count = float(key or 1)
    unit = next((name for name in ("hour", "minute", "day", "week", "month", "year") if match[name]), None)
    days = {"month": 30.0, "year": 365.0}
    if unit is None or count > 10_000:
        return None
    return timedelta(days=count * days[unit]) if unit in days else timedelta(hours=count * _HOURS[unit])


def _counted(text: str, now: datetime) -> Iterator[NamedWindow]:
    for match in _patterns().counted.finditer(text):
        said = match["count"] or match["count2"]
        if said is None and (match["week"] or match["month"] or match["year"]):
            continue  # "last month" is the month before this one
        if length := _length(match, said):
            yield NamedWindow(*match.span(), Window(_minute(now - length), None, _words(match.group())))
    for match in _patterns().ago.finditer(text):
        if length := _length(match, match["count"]):
            since = _minute(now - length)
            window = Window(since, None, _words(match.group()))
            if not match["since"]:  # "2 hours ago" is a moment: an hour around it
                window = replace(window, since=since - timedelta(minutes=30), until=since + timedelta(minutes=30))
            yield NamedWindow(*match.span(), window, until_now=bool(match["since"]))


def _ranges(text: str, now: datetime) -> Iterator[NamedWindow]:
    for match in _patterns().range.finditer(text):
        begin, end = _time(match, "a", now), _time(match, "b", now)
        if (
            begin
            and end
            and (match["ah"] or match["afour"] or match["aonly"] or match["bonly"] or match["bh"] or match["bfour"])
        ):
            if end <= begin:
                begin -= _DAY
            yield NamedWindow(*match.span(), Window(begin, end, _words(match.group())), until_now=False)


def _clocks(text: str, now: datetime) -> Iterator[NamedWindow]:
    for match in _patterns().clock.finditer(text):
        bound = _patterns().bound.search(text[: match.start()])
        certain = match["named"] or match["h"] or match["only"] or match.group().lower().rstrip().endswith("clock")
        dated = match["four"] and _DATED.match(text, match.end())
        if (
            not certain
            and not (bound and (bound["since"] or bound["until"]))
            and not (match["four"] and (bound or dated))
        ):
            continue
        if bound and bound["until"] in ("up to", "to", "by") and not certain:
            continue  # "up to 8"
        at = _time(match, "", now)
        if at is None:
            continue
        start = bound.start() if bound else match.start()
        words = _words(text[start : match.end()])
        if bound and bound["since"]:
            yield NamedWindow(start, match.end(), Window(at, None, words), clock=at)
        elif bound and bound["until"]:
            yield NamedWindow(start, match.end(), Window(None, at, words), clock=at, until_now=False)
        elif certain or match["four"]:
            around = timedelta(minutes=30)
            yield NamedWindow(start, match.end(), Window(at - around, at + around, words), clock=at, until_now=False)


def _time(match: re.Match[str], prefix: str, now: datetime) -> datetime | None:
    """The latest such time up to now; an hour without a.m. or p.m. may be of either half of the day."""
    said = {name: match[prefix + name] for name in ("named", "h", "m", "half", "four", "hour", "only")}
    minute, halves = 0, False
    if said["named"]:
        hour = 0 if said["named"].lower() == "midnight" else 12
    elif said["h"]:
        hour, minute = int(said["h"]), int(said["m"])
    elif said["four"]:
        hour, minute = int(said["four"][:2]), int(said["four"][2:])
    else:
        hour = int(said["hour"])
        halves = 1 <= hour <= 12 and not said["only"] and not said["hour"].startswith("0")
    half = (said["half"] or said["only"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    hours = {hour % 12, hour % 12 + 12} if halves else {hour}
    today = now.replace(second=0, microsecond=0)
    options = [today.replace(hour=one, minute=minute) for one in hours]
    return max(one if one <= now else one - _DAY for one in options)


def _of_day(text: str, day: NamedDay) -> NamedWindow:
    """A day with "since" or "until" before it."""
    start, end, since, until = day.start, day.end, day.since, day.until
    bound = _patterns().bound.search(text[:start])
    if bound:
        start = bound.start()
    words = _words(text[start:end])
    if bound and bound["since"]:
        begins = until if bound["since"].lower() in ("after", "later than") and until else since
        return NamedWindow(start, end, Window(begins, None, words), whole_day=day.whole, part=_bounds(day))
    if bound and bound["until"] and bound["until"].lower() not in ("to", "through", "by"):
        return NamedWindow(start, end, Window(None, since, words), until_now=False)
    return NamedWindow(
        start, end, Window(since, until, words), whole_day=day.whole, until_now=until is None, part=_bounds(day)
    )


def _bounds(day: NamedDay) -> tuple[datetime, datetime] | None:
    return (day.since, day.until) if day.part and day.since and day.until else None


def _joined(text: str, found: Sequence[NamedWindow], ward: WardFacts) -> list[NamedWindow]:
    """A day and a time of day beside each other are one window: "after 19:00 yesterday", "yesterday at 8 pm"."""
    joined: list[NamedWindow] = []
    for one in found:
        before = joined[-1] if joined else None
        if before is None or text[before.end : one.start].strip(" ,"):
            joined.append(one)
        elif bool(before.clock) != bool(one.clock) and ((day := one if before.clock else before).whole_day or day.part):
            clock = before if before.clock else one
            joined[-1] = _at_day(clock, day, text)
        elif (both := _overlap(before, one)) is not None:  # "from 8 am until noon"
            joined[-1] = both
        else:
            joined.append(one)
    return joined


def _at_day(clock: NamedWindow, day: NamedWindow, text: str) -> NamedWindow:
    start, end = min(clock.start, day.start), max(clock.end, day.end)
    begins = day.window.since
    at = clock.clock
    if at is None or begins is None:
        return replace(day, start=start, end=end)
    moved = datetime.combine(begins.date(), at.time())
    if day.part and not day.part[0] <= moved < day.part[1]:  # "7 yesterday evening"
        moved += timedelta(hours=12) if moved < day.part[0] else -timedelta(hours=12)
    shift = moved - at
    since = clock.window.since + shift if clock.window.since else None
    until = clock.window.until + shift if clock.window.until else None
    if clock.window.since is not None and clock.until_now and day.window.until and not day.until_now:
        until = None  # "after 19:00 yesterday" lasts until now
    if since is None and until is not None:
        since = begins
    return NamedWindow(start, end, Window(since, until, _words(text[start:end])), clock=moved, until_now=until is None)


def _overlap(one: NamedWindow, other: NamedWindow) -> NamedWindow | None:
    since, until = one.window.since, other.window.until
    if one.window.until is None and since and until and other.window.since is None and since < until:
        words = f"{one.window.words} {other.window.words}"
        return NamedWindow(one.start, other.end, Window(since, until, words), until_now=False)
    return None


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


def _words(text: str) -> str:
    return " ".join(text.split())
