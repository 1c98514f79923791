"""The words of a terse name, and the name with some of them written out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.loader import of_vocabularies

_WORD = r"[^\W_]+(?:['’][^\W_]+)*"
_GLUED = re.compile(r"([A-Z]{2,}|[A-Z]?[a-z]{2,})(\d{1,2})")  # "PIV1", but not "pO2"
_RATE = re.compile(r"[^\W_]+(?:[/*][^\W_]+)+")
_BRACKETED = re.compile(r"[(\[][^()\[\]]+[)\]]")
SMALL_WORDS = frozenset("a and as by for in of on or the to with".split())
_LEAST_WORD = 4  # letters of a word that shows how a name uses capitals


@of_vocabularies
def _token() -> re.Pattern[str]:
    joined = sorted((one for one in abbreviations().meanings if not one.isalnum()), key=len, reverse=True)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, joined))})(?![^\W_])|{_WORD}", re.IGNORECASE)


def spans_of(name: str) -> list[tuple[int, int]]:
    """Where the words of a name stand: "B/P" is one word, "PIV1" are two."""
    known = abbreviations().meanings
    found = []
    for match in _token().finditer(name):
        start, end = match.span()
        glued = _GLUED.fullmatch(match.group())
        if glued and glued[1].casefold() in known and match.group().casefold() not in known:
            found += [(start, start + len(glued[1])), (start + len(glued[1]), end)]
        else:
            found.append((start, end))
    return found


def tokens_of(name: str) -> list[str]:
    """The words of a name in order."""
    return [name[start:end] for start, end in spans_of(name)]


def fixed_places(name: str) -> frozenset[int]:
    """The places of words that are no abbreviations: units in brackets, behind a number and in rates, and prefixes."""
    lists, spans = abbreviations(), spans_of(name)
    words = [name[start:end].casefold() for start, end in spans]
    fixed = {
        place
        for place, (word, (_, end)) in enumerate(zip(words, spans, strict=True))
        if (word in lists.prefixes and re.match(r"-[^\W_]", name[end:]))
        or (place and words[place - 1].isdigit() and len(word) > 1 and word in lists.units)
    }
    for match in (*_RATE.finditer(name), *_BRACKETED.finditer(name)):
        within = (place for place, (start, end) in enumerate(spans) if match.start() <= start and end <= match.end())
        places = [place for place in within if not words[place].isdigit()]
        units = [place for place in places if words[place] in lists.units]
        is_rate = units[:1] == places[:1] and len(units) > 1  # "mg/hr/drug"
        if is_rate or (units == places and sum(len(words[place]) for place in units) > 1):
            fixed.update(units)
    return frozenset(fixed)


def written_out(name: str, meanings: Sequence[str | None]) -> str:
    """The name with the meaning of each word, None for those that stay; what stands between them stays."""
    is_upper = not any(map(str.islower, name))
    style = _style(is_upper, [word for word, meaning in zip(tokens_of(name), meanings, strict=True) if meaning is None])
    parts: list[str] = []
    at = 0
    for place, ((start, end), meaning) in enumerate(zip(spans_of(name), meanings, strict=True)):
        between = name[at:start]
        if place and start == at and meanings[place - 1]:
            between = " "  # the number of "PIV1"
        parts += [between, name[start:end] if meaning is None else _styled(meaning, style, not place)]
        at = end
        if meaning and re.match(r"\.(?:\s|$)", name[at:]):  # the full stop of an abbreviation
            at += 1
    return "".join([*parts, name[at:]])


def _style(is_upper: bool, words: Sequence[str]) -> str:
    long = [word for word in words if len(word) >= _LEAST_WORD and word.isalpha()]
    if long and is_upper:
        return "upper"
    return "title" if long and all(word[0].isupper() for word in long) else "sentence"


def _styled(meaning: str, style: str, is_first: bool) -> str:
    if style == "upper":
        return meaning.upper()
    if style == "title":
        words = (word if word in SMALL_WORDS else word[:1].upper() + word[1:] for word in meaning.split(" "))
        meaning = " ".join(words)
    return meaning[:1].upper() + meaning[1:] if is_first else meaning
