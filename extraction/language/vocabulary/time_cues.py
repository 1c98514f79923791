"""Words for days, parts of the day, periods and durations; resources/language/<language>/times.toml.

Times of day are in `extraction.language.clock_times`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.language.vocabulary.words import stems

_ENDING = "st|nd|rd|th"
DAY_ENDING = re.compile(rf"(?:{_ENDING})(?!\w)", re.IGNORECASE)  # after the number of a day


@dataclass(frozen=True, slots=True)
class TimeCues:
    """Patterns of words that say when; the data file explains each.

    Attributes:
        date: ten groups: year, month, day in digits; month, day, year in digits; name of month, day, year; a day by
            name. `day_of_month` is the day that follows the name of a month.
        months: the names of each month, in calendar order.
        part_behind, part_before: a part of the day after a time, or before the words that introduce it (anchored at
            the end).
        vague: a part of the day, or an even vaguer time.
        morning, afternoon, evening, night: which part of the day a phrase names.
        this, last_night, overnight, today, yesterday, earlier, tomorrow: which day a phrase names.
        since, until, done_by: the words before a time, anchored at the end; `done_by` is of `until`.
        told_as_done, told_as_meant: words that tell that something was done, or was only to be done.
        through: everything between the two times of a period.
        day_joint, date_joint: everything between a time and its part of the day, or its date.
        now: the time of the dictation.
        planned: something still to be done.
        of_its_own: makes a time that of its clause alone.
        ago: the time that has passed. Groups: `few`, or `share` of an hour, or `count`; a further fraction (`more`,
            `late`); and a unit (`minutes`, `hours`, `days`).
        later: the time that has passed since another time; the groups of `ago`.
        last: a period up to now; groups `count` and a unit (`minutes`, `hours`).
        naming: stems of words in a row's name that only say it records a time.
    """

    date: re.Pattern[str]
    months: tuple[re.Pattern[str], ...]
    part_behind: re.Pattern[str]
    part_before: re.Pattern[str]
    vague: re.Pattern[str]
    morning: re.Pattern[str]
    afternoon: re.Pattern[str]
    evening: re.Pattern[str]
    night: re.Pattern[str]
    this: re.Pattern[str]
    last_night: re.Pattern[str]
    overnight: re.Pattern[str]
    today: re.Pattern[str]
    yesterday: re.Pattern[str]
    earlier: re.Pattern[str]
    tomorrow: re.Pattern[str]
    since: re.Pattern[str]
    until: re.Pattern[str]
    done_by: re.Pattern[str]
    told_as_done: re.Pattern[str]
    told_as_meant: re.Pattern[str]
    through: re.Pattern[str]
    day_joint: re.Pattern[str]
    date_joint: re.Pattern[str]
    now: re.Pattern[str]
    planned: re.Pattern[str]
    of_its_own: re.Pattern[str]
    ago: re.Pattern[str]
    later: re.Pattern[str]
    last: re.Pattern[str]
    naming: frozenset[str]


@of_vocabularies
def time_cues() -> TimeCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("times")
    nights = [*of["tonight"], *of["night"], *of["last_night"], *of["overnight"]]
    days = any_of([*of["this"], *of["tomorrow"], *of["yesterday"], *of["in"]])
    spans = any_of([*of["morning"], *of["afternoon"], *of["evening"]])
    part = rf"(?:{days}\s+(?:{any_of(of['shades'])}\s+)?{spans}|{any_of(nights)})"
    month = any_of(name for names in of["months"].values() for name in names)
    day = any_of([*of["today"], *of["yesterday"], *of["tonight"], *of["last_night"]])
    this_morning = rf"{any_of(of['this'])}\s+{any_of(of['morning'])}"
    minutes, hours = any_of(of["minute_units"]), any_of(of["hour_units"])
    fraction, articles = either(number_words().fractions), any_of(of["articles"])
    passed = (
        rf"\b(?:(?P<few>{any_of(of['few'])})|(?:{articles}\s+)?(?P<share>{fraction})(?:\s+{articles})?"
        rf"|(?P<count>(?<![\d.])\d{{1,3}}(?:\.\d+)?|{_up_to_fifty_nine()})|{articles})(?P<more>\s+and\s+a\s+{fraction})?"
        rf"\s+(?:(?P<minutes>{minutes})|(?P<hours>{hours})|(?P<days>{any_of(of['day_units'])}))"
        rf"(?P<late>\s+and\s+a\s+{fraction})?"
    )
    until_the_day = rf"(?:{any_of(of['yesterday'])}\s+{any_of(of['day_joints'])}\s+)?"
    return TimeCues(
        date=compiled(
            r"\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{1,2})/(\d{1,2})/(\d{2,4})\b"
            rf"|\b({month})\.?\s+(?P<day_of_month>\d{{1,2}})(?:{_ENDING})?(?:,?\s+(\d{{4}}))?\b|\b({day}|{this_morning})\b"
        ),
        months=tuple(map(whole_words, of["months"].values())),
        part_behind=compiled(rf"\s+{part}\b"),
        part_before=compiled(rf"\b(?:{part}|{any_of(of['yesterday'])})\s+\Z"),
        vague=compiled(rf"\b(?:{part}|{any_of([*of['yesterday'], *of['earlier']])})\b"),
        morning=whole_words(of["morning"]),
        afternoon=whole_words(of["afternoon"]),
        evening=whole_words(of["evening"]),
        night=whole_words(nights),
        this=whole_words(of["this"]),
        last_night=whole_words(of["last_night"]),
        overnight=whole_words(of["overnight"]),
        today=whole_words(of["today"]),
        yesterday=whole_words(of["yesterday"]),
        earlier=whole_words(of["earlier"]),
        tomorrow=whole_words(of["tomorrow"]),
        since=compiled(rf"\b{any_of([*of['since'], *of['from']])}\s+(?:{any_of(of['about'])}\s+)?{until_the_day}\Z"),
        until=compiled(rf"\b{any_of(of['until'])}\s+\Z"),
        done_by=compiled(rf"\b{any_of(of['done_by'])}\s+(?:{any_of(of['about'])}\s+)?\Z"),
        told_as_done=compiled(rf"\b{any_of(of['told_as_done'])}\b"),
        told_as_meant=compiled(rf"\b{any_of(of['told_as_meant'])}\b"),
        through=compiled(rf"\s+{any_of(of['through'])}\s+"),
        day_joint=compiled(rf"{any_of(of['day_joints'])}?"),
        date_joint=compiled(rf"{any_of(of['date_joints'])}?"),
        now=compiled(rf"\b{any_of(of['now'])}\b"),
        planned=compiled(rf"\b{any_of(of['planned'])}\b"),
        of_its_own=whole_words(of["of_its_own"]),
        ago=compiled(rf"{passed}\s+{any_of(of['ago'])}\b"),
        later=compiled(rf"{passed}\s+{any_of(of['later'])}\b"),
        last=compiled(
            rf"\b{any_of(of['over'])}\s+{any_of(of['last'])}\s+(?:(?P<count>\d{{1,3}}|{_up_to_fifty_nine()})\s*)?"
            rf"(?:(?P<minutes>{minutes})|(?P<hours>{hours}))\b"
        ),
        naming=stems(" ".join(of["time_words"])),
    )


def _up_to_fifty_nine() -> str:
    """Source of a pattern for the numbers 1 to 59 in words."""
    words = number_words()
    return rf"(?:{either(words.tens(50))}(?:[\s-]+{either(words.ones)})?|{either((*words.teens, *words.ones))})"
