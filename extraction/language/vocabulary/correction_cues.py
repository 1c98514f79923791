"""Words that announce a self-correction; resources/language/<language>/corrections.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.language.vocabulary.words import stems

_PAUSE = r"[\s,.;:!…–—-]*"


@dataclass(frozen=True, slots=True)
class CorrectionCues:
    """Patterns of a self-correction; the data file explains each.

    Attributes:
        interregnum: everything between the withdrawn words and their replacement; may hold several cues and pauses.
        strike, backwards, correct, change, restating: kinds of cue within it.
        answers: cues that are an answer unless a value follows.
        continued, continuation: a cue at the end, and the words after it that make it an ordinary phrase.
        thing: words, anchored at the end, that make a following "correction" a noun.
        lead_in: pauses and words that introduce the replacement; always matches.
        filler: a sound without meaning.
        of_number: words after a number that belong to it.
        phrase_end: where a replacement phrase ends.
        subjects, functions: words in lower case.
        off_topic: stems of words that say nothing about the topic of a statement.
    """

    interregnum: re.Pattern[str]
    strike: re.Pattern[str]
    backwards: re.Pattern[str]
    correct: re.Pattern[str]
    change: re.Pattern[str]
    restating: re.Pattern[str]
    answers: re.Pattern[str]
    continued: re.Pattern[str]
    continuation: re.Pattern[str]
    thing: re.Pattern[str]
    lead_in: re.Pattern[str]
    filler: re.Pattern[str]
    of_number: re.Pattern[str]
    phrase_end: re.Pattern[str]
    subjects: frozenset[str]
    functions: frozenset[str]
    off_topic: frozenset[str]


@of_vocabularies
def correction_cues() -> CorrectionCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("corrections")
    strikes = [*of["strike"], *of["backwards"]]
    change = rf"{any_of(of['change'])}(?:\s+{any_of(of['articles'])})?(?=\s+\w)"
    cue = f"(?:{any_of(strikes)}|{any_of(of['correct'])}|{change}|{any_of(of['weak'])})"
    fillers = rf"(?:{any_of(of['fillers'])}\b[\s,]*)*"
    lead_in = "".join(rf"(?:{any_of(of[key])}\s+)?" for key in ("lead_ins", "nearly", "introducing"))
    return CorrectionCues(
        interregnum=compiled(rf"(?<![\w'-]){cue}\b(?:{_PAUSE}{fillers}{cue}\b)*"),
        strike=whole_words(strikes),
        backwards=whole_words(of["backwards"]),
        correct=whole_words(of["correct"]),
        change=compiled(rf"\b{change}"),
        restating=whole_words(of["restating"]),
        answers=whole_words(of["answers"]),
        continued=compiled(rf"\b{any_of(of['continued'])}$"),
        continuation=compiled(rf"\s+{any_of(of['continuations'])}\b"),
        thing=compiled(rf"\b{any_of(of['things'])}\s+$"),
        lead_in=compiled(f"{_PAUSE}{fillers}{lead_in}"),
        filler=whole_words(of["fillers"]),
        of_number=compiled(rf"\s*(?:\+|{any_of(of['of_numbers'])}\b)"),
        phrase_end=compiled(rf"[,;:.!?…–—]+(?=\s|$)|\n|\s+{any_of(of['phrase_ends'])}\s"),
        subjects=frozenset(of["subject_words"]),
        functions=frozenset(of["function_words"]),
        off_topic=stems(" ".join(of["statement_words"])),
    )
