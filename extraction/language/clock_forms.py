"""Patterns of times of day and of the words around them; resources/language/<language>/times.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words

JOINED = r"[\s-]+"
HALVES = ("half", "half2", "half3", "half4", "half5")  # regex groups that capture the letter of a.m. or p.m.
_FIGURES = r"(?<![\d:/.])"
_SHORT_HALF = r"(?:(?<=\d)a|\s?p)\b(?!['’]|\.\w)"  # '7:30p', but not 'at 7:30 a bolus' or '7:30 p.o.'


@dataclass(frozen=True, slots=True)
class ClockForms:
    """Patterns of times of day and of their context.

    Attributes:
        clock: any form, with one group for each.
        figures: digits that look like a time, even where they are not one.
        noon, midnight: the named times.
        after, past: the words between a fraction and its hour.
        led: the words before a time of observation, anchored at the end.
        before_fraction, before_answer: the same for fractions and for times that may answer a row.
        heads: what follows a time that opens a sentence.
        names, named: what is done at a time, behind it, and before it or an entry (anchored at the end, then `ends`).
        introduces: what precedes a time that a heading follows, anchored at the end.
        opens: what precedes a time that heads a set of readings, anchored at the end.
        pause: what may stand between a time and what was measured then.
        measure: what follows a number that is not a time.
        length: what follows the first of two dimensions; not applied to '19:05' and '1905'.
        number: any number.
        heads_hour: what stands before an hour alone that heads what follows; must match fully.
        heads_list: what stands before an hour alone with a colon behind it, "at two: 118 over 68"; must match fully.
        series: times of a series: an `hour` alone behind "at", or another form.
    """

    clock: re.Pattern[str]
    figures: re.Pattern[str]
    noon: re.Pattern[str]
    midnight: re.Pattern[str]
    after: re.Pattern[str]
    past: re.Pattern[str]
    led: re.Pattern[str]
    before_fraction: re.Pattern[str]
    before_answer: re.Pattern[str]
    heads: re.Pattern[str]
    names: re.Pattern[str]
    named: re.Pattern[str]
    ends: re.Pattern[str]
    introduces: re.Pattern[str]
    opens: re.Pattern[str]
    pause: re.Pattern[str]
    measure: re.Pattern[str]
    length: re.Pattern[str]
    number: re.Pattern[str]
    heads_hour: re.Pattern[str]
    heads_list: re.Pattern[str]
    series: re.Pattern[str]


@of_vocabularies
def clock_forms() -> ClockForms:
    """Raises InputError if the ward's own file cannot be read."""
    of, words = cues("times"), number_words()
    ones, teens, tens = either(words.ones), either(words.teens), either(words.tens(50))
    up_to = {most: [word for word, value in words.numbers.items() if 1 <= value <= most] for most in (3, 12)}
    nought = rf"{either((*words.zeros, *words.noughts))}{JOINED}{ones}"
    hour = rf"(?:{either(words.tens(20))}(?:{JOINED}{either(up_to[3])})?|{nought}|{teens}|{ones})"
    minute = rf"(?:{nought}|{teens}|{tens}(?:{JOINED}{ones})?)"
    twelve = rf"(?:{either(up_to[12])}|1[0-2]|[1-9])"
    alone = rf"(?:{twelve}|1[3-9]|2[0-3])"
    named = any_of([*of["noon"], *of["midnight"]])
    minutes = rf"\s+{any_of(of['minute_units'])}"
    some = rf"(?:{tens}(?:{JOINED}{ones})?|{teens}|{ones}|\d{{1,2}})"
    sides = any_of([*of["past"], *of["after"], *of["to"]])
    kinds = ("hours", "leads", "through", "headings", "heading_entries", "heading_openings")
    hours, leads, through, headings, entries, openings = (any_of(of[key]) for key in kinds)
    halves, opened = [word for word, share in words.fractions.items() if share == 0.5], rf"(?:{openings}[\s,]+)*"
    return ClockForms(
        clock=compiled(
            rf"{_FIGURES}(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?::\d{{2}})?(?![\d/]|:\d)(?:{_half(0)}|(?P<short>{_SHORT_HALF}))?"
            rf"|(?:{_FIGURES}(?P<figure>0?[1-9]|1[0-2])|\b(?P<hh>{either(up_to[12])})){_half(1)}"
            rf"|\b(?P<hm>{hour}){JOINED}(?P<mm>{minute}){_half(2)}"
            rf"|\b(?P<oclock>{twelve})\s+{any_of(of['oclock'])}\b{_half(3)}?"
            rf"|\b(?P<fraction>{either(words.fractions)}|(?:{_fives()}|5|10|20|25)|{some}(?P<minutes>{minutes}))"
            rf"\s+(?P<side>{sides})\s+(?P<of>{twelve}|{named})\b(?!:\d){_half(4)}?"
            rf"|\b(?P<half_hour>{either(halves)})\s+(?P<half_of>{twelve})\b(?!:\d)"
            rf"|\b(?P<named>{named})\b"
            rf"|\b(?P<hundred>{hour}|\d{{1,2}}){JOINED}{either(words.hundreds)}(?P<hundred_hours>\s+{hours}\b)?"
            rf"|(?<![\d:/.,])(?P<four>(?:[01]\d|2[0-3])[0-5]\d)(?![\d/]|[:.,]\d)(?P<hours>\s*{hours}\b)?"
            rf"|\b(?P<spoken>{hour}){JOINED}(?P<minute>{minute})\b"
            rf"|\b(?P<bare>{alone})\b"
        ),
        figures=compiled(rf"{_FIGURES}\d{{1,2}}(?::\d{{2}}|{_half(0)})"),
        noon=whole_words(of["noon"]),
        midnight=whole_words(of["midnight"]),
        after=whole_words([*of["past"], *of["after"]]),
        past=whole_words(of["past"]),
        led=compiled(rf"(?:\b{leads}\s+|\b{any_of(of['from'])}\s+[\w:]+(?:{JOINED}[\w:]+){{0,2}}\s+{through}\s+)\Z"),
        before_fraction=compiled(rf"\b{any_of(of['before_fractions'])}\s+\Z"),
        before_answer=compiled(rf"\b{any_of(of['before_answers'])}\s+\Z"),
        introduces=compiled(rf"(?:^|[.;,:!?\n]|\b{openings})\s*\Z"),
        opens=compiled(rf"(?:^|[.;,:!?\n]|(?<!\w){any_of(of['openings'])})\s*\Z"),
        pause=compiled(rf"[\s,:=]*(?:{any_of(of['pauses'])}[\s,]+)*"),
        heads=compiled(rf"\s*[:,]|\s+{headings}\b"),
        names=compiled(rf"\s+(?:[a-z][\w-]*\s+){{0,2}}{headings}\b"),
        named=compiled(
            rf"(?:^|[.;:!?\n])\s*(?:(?:[a-z][\w-]*\s+){{0,3}}{headings}[,:]?\s+|{opened}{entries}[\s,]+{opened})\Z"
        ),
        ends=compiled(r"\s*(?:[.,;:!?\n]|$)"),
        measure=compiled(rf"\s*(?:/|%|{any_of(of['measures'])}\b)"),
        length=compiled(rf"\s*{any_of(of['dimensions'])}\s+(?:\d|(?:{ones}|{teens}|{tens})\b)"),
        heads_hour=compiled(
            rf"\A\W*{opened}(?:(?:[a-z][\w-]*\s+){{0,2}}{headings}|{any_of(of['headings_before'])})\s+at\s+"
            rf"(?:{any_of(of['about'])}\s+)?\Z"
        ),
        heads_list=compiled(rf"\W*(?:and\s+|then\s+)*{any_of(of['list_leads'])}\s+"),
        series=compiled(
            rf"\b(?:{either(words.fractions)}|{some}(?:{minutes})?)\s+{sides}\s+(?:{twelve}|{named})\b"
            rf"|\bat\s+(?P<hour>{alone})\b(?!\s*[:.]\d)|\b{twelve}\s+{any_of(of['oclock'])}\b|\b{named}\b"
            rf"|\b{either(halves)}\s+{twelve}\b|(?<![\d:])\d{{1,2}}:\d{{2}}(?!\d)|\bat\s+[012]\d[0-5]\d\b"
        ),
        number=compiled(rf"\d|\b(?:{ones}|{teens}|{tens}|{either(words.hundreds)})\b"),
    )


def _half(number: int) -> str:
    """Source of a pattern for a.m. or p.m."""
    return rf"(?:\s*(?P<{HALVES[number]}>[ap])(?:\.\s*m\b\.?|\s*m\b))"


def _fives() -> str:
    """Source of a pattern for 5, 10, 20 and 25 in words, which may count minutes without the word "minutes"."""
    numbers = number_words().numbers
    five, ten, twenty = (either(word for word, value in numbers.items() if value == one) for one in (5, 10, 20))
    return rf"(?:{twenty}(?:{JOINED}{five})?|{ten}|{five})"
