"""How words sound, roughly: what Whisper confuses sounds the same here, or nearly so."""

from __future__ import annotations

import re

_SPELLINGS = (
    (re.compile("ph"), "f"),
    (re.compile("ch|ck"), "k"),
    (re.compile("sh"), "s"),
    (re.compile("c(?=[eiy])"), "s"),
    (re.compile("gu"), "g"),
    (re.compile("pn"), "n"),
    (re.compile("x"), "ks"),
    (re.compile("h"), ""),
)
# Voiced and voiceless consonants are one sound here, and so are all vowels: these are what Whisper confuses.
_SOUNDS = str.maketrans("bdgvzcqjyeiouw", "ptkfskkkaaaaaa")

SHORTEST_SOUND = 4
FURTHEST = 0.25  # edits for each sound


def sound_of(word: str) -> str:
    """A rough key of how a word sounds: words that Whisper confuses have the same or nearly the same."""
    sound = re.sub(r"[^a-z]", "", word.lower())
    for pattern, replacement in _SPELLINGS:
        sound = pattern.sub(replacement, sound)
    return re.sub(r"(.)\1+", r"\1", sound.translate(_SOUNDS))


def sounds_like(one: str, other: str) -> bool:
    """Whether two words sound nearly the same; short ones are not compared, for they differ in little anyway."""
    from rapidfuzz.distance import Levenshtein

    sounds = sound_of(one), sound_of(other)
    if min(map(len, sounds)) < SHORTEST_SOUND:
        return False
    most = int(FURTHEST * max(map(len, sounds)))
    return Levenshtein.distance(*sounds, score_cutoff=most) <= most
