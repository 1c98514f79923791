"""Hours that are times because they stand in a list of times: "at 8, 10 and noon it was 30, 45 and 50"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from extraction.language.clock_forms import JOINED
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled

_FEWEST = 2  # times of a list
_LATEST = 24
_HALF_DAY = 12


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns of a list of `times` and an `item` of it, and of a list of other `numbers` and `one` of these."""

    times: re.Pattern[str]
    item: re.Pattern[str]
    numbers: re.Pattern[str]
    one: re.Pattern[str]


@of_vocabularies
def _forms() -> _Forms:
    """Raises InputError if the ward's own file cannot be read."""
    of, words = cues("times"), number_words()
    word = either((*words.numbers, *words.noughts, *words.scales))
    spoken = rf"{word}(?:{JOINED}{word}){{0,3}}"
    named = any_of([*of["noon"], *of["midnight"]])
    after = (
        rf"(?:{JOINED}{either(words.hundreds)})?(?:\s*(?:{any_of(of['hours'])}|{any_of(of['oclock'])}|[ap]\.?m\b\.?))?"
    )
    item = rf"(?:\d{{1,2}}:\d{{2}}|[012]\d[0-5]\d|{named}|(?:\d{{1,2}}|{spoken}){after})(?![\w/]|[.,:]\d)"
    joint = r"\s*(?:,\s*(?:and\s+)?|\band\s+)"
    number = rf"(?:\d+(?:\.\d+)?(?:\s*(?:/|over)\s*\d+)?|{spoken}(?:\s+over\s+{spoken})?)"
    lead = any_of(of["list_leads"])
    return _Forms(
        times=compiled(rf"(?<!\w){lead}\s+({item}(?:{joint}{item})+)(?!\s+{lead}\s)"),
        item=compiled(item),
        numbers=compiled(rf"(?<![\w/.:])(?<!\bat\s){number}(?:{joint}{number})+(?![\w/:])"),
        one=compiled(rf"(?<![\w.]){number}"),
    )


@of_vocabularies
def listed_times(text: str) -> frozenset[int]:
    """Where the items of a list of times begin; none without a list of as many other numbers in the text."""
    found: list[int] = []
    for match in _forms().times.finditer(text):
        items = list(_forms().item.finditer(text, match.start(1), match.end(1)))
        rest = (text[: match.start()], text[match.end(1) :])
        counts = {len(_forms().one.findall(one.group())) for part in rest for one in _forms().numbers.finditer(part)}
        if len(items) >= _FEWEST and len(items) in counts and _are_in_order([one.group() for one in items]):
            found += (one.start() for one in items)
    return frozenset(found)


def _are_in_order(items: list[str]) -> bool:
    """Whether the hours among the items that are bare can be one day's, each later than the one before."""
    hours = [hour for hour in map(_bare_hour, items) if hour is not None]
    return all(0 < hour <= _LATEST for hour in hours) and all(
        (after - before) % _HALF_DAY in range(1, 7) for before, after in pairwise(hours)
    )


def _bare_hour(item: str) -> int | None:
    """The hour of an item that is a number alone; None for a time in another form."""
    if item.isdigit() and len(item) <= len(str(_LATEST)):
        return int(item)
    return number_words().numbers.get(item.lower())
