"""What is taken out of a question, or put right, before it is read: talk around it, misspelt and shortened words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.phrases import compiled
from extraction.language.vocabulary.words import stems
from extraction.questions.words.vocabulary import question_words

_LEAST_MISSPELT = 5  # letters of a word that may be misspelt by one
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")
_CLAUSE = re.compile(r"\s*(?:[,;:!]\s|\.\s(?!\d)|\s-+\s)\s*")
_MOST_LEADS = 2
_NUMBERED = re.compile(
    r"\b(?P<kind>stage|grade|category|level|type|degree|class)s? (?P<first>\d)"
    r"(?P<more>(?: ?(?:,|/|&|or|and|to) ?\d)+)(?![\w%.])",
    re.IGNORECASE,
)


def without_talk(text: str) -> str:
    """A question without phrases, and clauses before it, that mean nothing for its answer."""
    words = question_words()
    plain = " ".join(words.patterns["talk"].sub(" ", text).split())
    for _ in range(_MOST_LEADS):
        lead = _CLAUSE.search(plain)
        if not lead or not _is_talk(plain[: lead.start()]):
            break
        plain = plain[lead.end() :]
    plain = plain.strip(" ,;")
    return _NUMBERED.sub(_each_number, plain) if _WORD.search(plain.lower()) else text


def _is_talk(clause: str) -> bool:
    """Whether a clause says only what goes on around the question: "giving report in 5 min"."""
    words = question_words()
    said = _WORD.findall(clause.lower())
    known = words.harmless | words.talk
    return bool(words.talk.intersection(said)) and all(word in known or word.isdigit() for word in said)


def _each_number(match: re.Match[str]) -> str:
    """ "stage 3 or 4" as "stage 3 or stage 4"; one value cannot be both, so that "and" lists them, too."""
    first, *others = re.findall(r"\d", match["first"] + match["more"])
    if " to " in match["more"]:
        others = [str(one) for one in range(int(first) + 1, int(others[-1]) + 1)]
    return " or ".join(f"{match['kind']} {one}" for one in (first, *others))


@of_vocabularies
def _function_words() -> frozenset[str]:
    """The longer words of which the phrases of questions are made, and the harmless ones."""
    data = cues("questions")
    phrases = [
        phrase
        for key, of in data.items()
        if isinstance(of, list) and key not in ("foreign_words", "elsewhere")
        for phrase in of
    ]
    plain = (word for phrase in phrases for word in re.findall(r"(?<![\\\w?])[a-z]+(?![\w?*+(])", phrase))
    return frozenset(word for word in plain if len(word) >= _LEAST_MISSPELT) - number_words().numbers.keys()


def respelled(text: str, unknown: Sequence[tuple[int, int]], known: frozenset[str]) -> str:
    """A question in which words that nothing knows are put right, where they are one letter away from one word only.

    Args:
        unknown: characters [start, end) of such words.
        known: stems of the flowsheet's words, which are neither touched nor put in.
    """
    for start, end in reversed(unknown):
        word = text[start:end]
        if len(word) < _LEAST_MISSPELT or not word.islower() or stems(word) & known:
            continue
        near = _nearest(word)
        if near and not stems(near) & known:
            text = text[:start] + near + text[end:]
    return text


def _nearest(word: str) -> str | None:
    from rapidfuzz.distance import OSA

    near = [one for one in _function_words() if one[0] == word[0] and OSA.distance(word, one, score_cutoff=1) <= 1]
    return near[0] if len(near) == 1 else None


@of_vocabularies
def people() -> re.Pattern[str]:
    """Words for patients behind what they have: "pressure injury people"."""
    return compiled(rf"\s+(?:{'|'.join(cues('questions')['people'])})(?!\w)")
