"""Marks in a question whatever its tree can be made of: patients, times, rows, options, numbers and cue words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from extraction.flowsheet.schema import Schema
from extraction.language.vocabulary.words import stems
from extraction.questions.query import Part
from extraction.questions.ward import WardFacts
from extraction.questions.words.names import NamedOption, NamedRow, Names, Rank, is_generic_option, names_of
from extraction.questions.words.subjects import NamedSubject, misspelt, named_subjects
from extraction.questions.words.thresholds import named_thresholds
from extraction.questions.words.vocabulary import question_words
from extraction.questions.words.windows import bare_lengths, named_windows

# Lists of cues whose words are marked as such, by their key in the vocabulary.
CUES = (
    "who", "count", "times", "group", "missing", "old", "not", "double", "and", "or", "with", "latest",
    "whose_is_it", "first", "highest", "lowest", "mean", "sum", "over_ward", "change", "trend", "course", "all", "ever",
    "when", "since_when", "time_since", "everything", "compare", "heavier", "in_out", "balance", "positive", "negative",
    "intake_total", "output_total", "per_hour", "per_day", "per_kilogram_hour", "per_patient", "highest_first",
    "lowest_first", "newest_first", "oldest_first", "sort", "now",
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LONGEST = 7  # words of a name
_LONGEST_NAME = 70  # characters
_POSSESSIVE = re.compile(r"['’]s\b")
_PLURAL = re.compile(r"(?<=\w{3})ies\b")
_JOINT = re.compile(r"\b(?:and|or|but)\b", re.IGNORECASE)
_NEVER = re.compile(r"(?!)")
_BREAK = re.compile(r"[,;:?!]")
_LEAST_FUZZY = 6  # letters of a word that may be misspelt by one


@dataclass(frozen=True, slots=True)
class Mention:
    """What words name: rows, or options of rows.

    Attributes:
        options_alone: whether the words name the options without their row, too.
    """

    rows: tuple[NamedRow, ...] = ()
    options: tuple[NamedOption, ...] = ()
    options_alone: bool = True


@dataclass(frozen=True, slots=True)
class Tag:
    """What characters [start, end) of a question are.

    Attributes:
        kind: `subject`, `window`, `name`, `set`, `oxygen`, `threshold`, `number`, `length`, `part`, or the key of a
            list of cues.
    """

    kind: str
    start: int
    end: int
    value: Any = None
    words: str = ""


@dataclass(frozen=True)
class Tagged:
    """A question with its tags in order, and the words that none of them has."""

    text: str
    tags: tuple[Tag, ...]
    left: tuple[Tag, ...]

    def of(self, *kinds: str) -> list[Tag]:
        return [tag for tag in self.tags if tag.kind in kinds]

    def has(self, *kinds: str) -> bool:
        return any(tag.kind in kinds for tag in self.tags)


def tagged(text: str, schema: Schema, ward: WardFacts) -> Tagged:
    """Tags of a question: the longest ones first, without overlaps."""
    names = names_of(schema)
    fixed = [_subject_tag(one) for one in named_subjects(text, ward)]
    fixed += [
        Tag("before_after", *match.span(), words=match.group())
        for match in question_words().patterns["before_after"].finditer(text)
    ]
    for period in named_windows(text, ward):
        start = max([period.start, *(tag.end for tag in fixed if tag.start <= period.start < tag.end)])
        if start < period.end and not _overlaps(start, period.end, fixed):
            fixed.append(Tag("window", start, period.end, period, period.window.words))
    found = list(fixed)
    candidates = [*_compared(text, fixed), *_named(text, names), *_cues(text, names)]
    for one in sorted(candidates, key=lambda tag: (-(tag.end - tag.start), _rank(tag), tag.start)):
        if not _overlaps(one.start, one.end, found):
            found.append(one)
    for start, end, length in bare_lengths(text):
        if not _overlaps(start, end, found):
            found.append(Tag("length", start, end, length, text[start:end]))
    left = _left(text, found)
    found += _misspelt(left, text, names, ward, found)
    return Tagged(text, tuple(sorted(found, key=lambda tag: tag.start)), tuple(_left(text, found)))


def _rank(tag: Tag) -> int:
    """Which of two tags as long as each other counts, lowest first: names of rows before cues before other names."""
    if tag.kind == "name":
        rows = tag.value.rows
        return 2 if rows and rows[0].rank is Rank.NAME else 4
    return _RANK.get(tag.kind, 3)


_RANK = {"threshold": 0, "number": 0, "oxygen": 0, "intake_total": 0, "output_total": 0, "set": 1}


def _subject_tag(one: NamedSubject) -> Tag:
    return Tag("subject", one.start, one.end, one, one.words)


def _overlaps(start: int, end: int, tags: Sequence[Tag]) -> bool:
    return any(start < tag.end and tag.start < end for tag in tags)


def _cues(text: str, names: Names) -> Iterator[Tag]:
    words = question_words()
    for key in CUES:
        yield from (Tag(key, *match.span(), words=match.group()) for match in words.patterns[key].finditer(text))
    for match in words.patterns["time"].finditer(text):
        start = match.start() + match.group().rindex(" ") + 1
        yield Tag("when", start, match.end(), words=text[start : match.end()])
    for part, pattern in words.parts.items():
        yield from (Tag("part", *match.span(), Part(part), match.group()) for match in pattern.finditer(text))
    oxygen = words.oxygen if names.named(words.oxygen_rows) else _NEVER
    yield from (Tag("oxygen", *match.span(), words=match.group()) for match in oxygen.finditer(text))


def _named(text: str, names: Names) -> Iterator[Tag]:
    """The longest runs of words that name rows or options."""
    words_ = question_words()
    words, determiners, harmless = list(_WORD.finditer(text)), words_.determiners, words_.harmless
    for place, first in enumerate(words):
        for last in words[place : place + _LONGEST]:
            start, end = first.start(), last.end()
            said = text[start:end]
            if len(said) > _LONGEST_NAME or _BREAK.search(said):
                break
            key = stems(_PLURAL.sub("y", determiners.sub(" ", _POSSESSIVE.sub("", said.lower()))))
            if not key or not stems(first.group()) or not stems(last.group()):
                continue
            rows, options = names.rows.get(key, ()), names.options.get(key, ())
            if rows and rows[0].rank > Rank.NAME and len(key) == 1 and key <= question_words().generic:
                rows = ()
            if not rows and not options:
                rows = names.partly_named(key)
            if _JOINT.search(said) and last.group().lower() in text[start : last.start()].lower().split():
                continue  # "stage 3 or stage" of "stage 3 or stage 4"
            if _JOINT.search(said):  # "fall risk and moderate assist" is two things, unless a chart says it so
                rows = tuple(one for one in rows if one.rank <= Rank.SYNONYM)
                options = tuple(one for one in options if one.rank <= Rank.SYNONYM)
            denied = words_.find("not", said) or words_.find("missing", said)
            if denied:
                rows = tuple(one for one in rows if one.rank <= Rank.SYNONYM)
            if denied or first.group().lower() in harmless:  # "not on oxygen", "uses a walker"
                options = tuple(one for one in options if one.rank <= Rank.SYNONYM)
            options = tuple(one for one in options if not _tells_why(one, key))
            idle = all(word in harmless for word in said.lower().split())
            if idle and rows and rows[0].rank > Rank.NAME:
                rows = ()
            if rows or options:
                mention = Mention(rows, options, options_alone=not idle and not is_generic_option(key))
                yield Tag("name", start, end, mention, said)
            if key in names.sets:
                yield Tag("set", start, end, names.sets[key], said)


def _tells_why(one: NamedOption, key: frozenset[str]) -> bool:
    """Whether words are another name for an option that says why something was, such as a reason or a reaction."""
    return len(key) > 1 and one.rank > Rank.NAME and bool(stems(one.row.name) & question_words().contextual)


def _compared(text: str, fixed: Sequence[Tag]) -> Iterator[Tag]:
    for (start, end), threshold, compares in named_thresholds(text, [(tag.start, tag.end) for tag in fixed]):
        if threshold.length is not None and not compares:
            yield Tag("length", start, end, threshold.length, text[start:end])
        else:
            yield Tag("threshold" if compares else "number", start, end, threshold, text[start:end])


def _left(text: str, tags: Sequence[Tag]) -> list[Tag]:
    """The words that no tag has and that are not harmless."""
    words = question_words()
    found = []
    for match in _WORD.finditer(text):
        plain = re.sub(r"['’]s$", "", match.group().lower().replace("’", "'"))
        if _overlaps(match.start(), match.end(), tags) or plain in words.harmless or len(plain) == 0:
            continue
        found.append(Tag("left", *match.span(), words=match.group()))
    return found


def _misspelt(left: Sequence[Tag], text: str, names: Names, ward: WardFacts, found: Sequence[Tag]) -> Iterator[Tag]:
    """Words one letter away from the only name of a patient or row that they can mean."""
    from rapidfuzz.distance import OSA

    words = question_words()
    for one in left:
        if ids := misspelt(one.words, ward):
            yield Tag("subject", one.start, one.end, NamedSubject(one.start, one.end, ids, one.words), one.words)
            continue
        word = one.words.lower()
        if len(word) < _LEAST_FUZZY or (one.words[:1].isupper() and one.start):
            continue
        known = words.generic | words.generic_options
        if stems(word) & known or any(one_stem in names.by_word for one_stem in stems(word)):
            continue
        near = {
            tuple(sorted(row.row.id for row in rows)): rows
            for key, rows in names.rows.items()
            if len(key) == 1 and not key <= words.generic
            for only in key
            if len(only) >= _LEAST_FUZZY - 1
            and only[0] == word[0]
            and OSA.distance(next(iter(stems(word)), word), only, score_cutoff=1) <= 1
        }
        if len(near) == 1:
            rows = next(iter(near.values()))
            yield Tag("name", one.start, one.end, Mention(rows), one.words)
