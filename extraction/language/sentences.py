"""Splits a transcript into sentences with their spans.

Sentences retrieve far better than paragraphs: on SYNUR the top 5 rows per sentence reach a recall that paragraphs need
twice as many rows for (docs/extraction.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled

_BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+")
_SPEAKER = re.compile(r"\[[^\]\n]{1,40}\]\s*")
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"[\w'’]+")
_LONGEST_WORDS = 40


@dataclass(frozen=True, slots=True)
class SentenceCues:
    """Patterns of resources/language/<language>/sentences.toml."""

    abbreviation: re.Pattern[str]
    clause: re.Pattern[str]
    part: re.Pattern[str]
    empty: frozenset[str]
    common: frozenset[str]
    light: frozenset[str]


@of_vocabularies
def sentence_cues() -> SentenceCues:
    of = cues("sentences")
    return SentenceCues(
        abbreviation=compiled(rf"\b{any_of(of['abbreviations'])}\.$"),
        clause=re.compile(rf"[;:]\s+|,\s+(?={any_of(of['clause_joints'])}\b)"),
        part=re.compile(rf",\s+|;\s+|\s+(?={any_of(of['part_joints'])}\b)"),
        empty=frozenset(of["empty_words"]),
        common=frozenset(of["common_words"]),
        light=frozenset(of["light_words"]),
    )


@dataclass(frozen=True, slots=True)
class Segment:
    """Characters [start, end) of the transcript; `index` counts segments from 0."""

    index: int
    start: int
    end: int
    text: str


def segment(text: str) -> tuple[Segment, ...]:
    """The sentences of `text` in order, without speaker tags and without spans that have no letter or digit."""
    spans = [
        span
        for sentence in _sentences(text)
        for span in _short_enough(text, *_trimmed(text, *sentence))
        if _WORD.search(text, *span)
    ]
    return tuple(Segment(i, start, end, text[start:end]) for i, (start, end) in enumerate(spans))


def states_something(sentence: str) -> bool:
    """Whether it has a word that can be part of a statement, which "Right, okay." has not."""
    return any(word not in sentence_cues().empty for word in _WORDS.findall(sentence.lower()))


def whole_sentences(text: str) -> str:
    """`text` without its last sentence if that is incomplete."""
    *_, (start, _) = _sentences(text)
    last = text[start:].rstrip()
    return (
        text
        if last.endswith((".", "!", "?")) and not sentence_cues().abbreviation.search(last)
        else text[:start].rstrip()
    )


def clauses(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence that may each make a statement; empty if there is only one."""
    parts = [part.strip(" ,.;") for part in sentence_cues().part.split(sentence)]
    parts = [part for part in parts if " " in part]
    return tuple(parts) if len(parts) > 1 else ()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        before = text[start : boundary.start()]
        if "\n" not in boundary.group() and sentence_cues().abbreviation.search(before):
            continue
        yield start, boundary.end()
        start = boundary.end()
    yield start, len(text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while tag := _SPEAKER.match(text, start, end):
        start = tag.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _short_enough(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Splits a run-on sentence at its clauses, or in the middle if it has none."""
    if len(text[start:end].split()) <= _LONGEST_WORDS:
        yield start, end
        return
    cuts = [match.end() for match in sentence_cues().clause.finditer(text, start, end)]
    middle = min(cuts, key=lambda cut: abs(cut - (start + end) / 2), default=None)
    if middle is None or middle in (start, end):
        words = list(re.finditer(r"\S+\s*", text[start:end]))
        middle = start + words[len(words) // 2].start()
    yield from _short_enough(text, *_trimmed(text, start, middle))
    yield from _short_enough(text, *_trimmed(text, middle, end))
