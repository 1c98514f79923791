"""Approximate pronunciation: words that Whisper confuses have equal or similar keys."""

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
# Merges voiced and voiceless consonants, and all vowels, which Whisper confuses.
_SOUNDS = str.maketrans("bdgvzcqjyeiouw", "ptkfskkkaaaaaa")

SHORTEST_SOUND = 4
FURTHEST = 0.25  # edits per sound


def sound_of(word: str) -> str:
    """A rough phonetic key: words that Whisper confuses have equal or nearly equal keys."""
    sound = re.sub(r"[^a-z]", "", word.lower())
    for pattern, replacement in _SPELLINGS:
        sound = pattern.sub(replacement, sound)
    return re.sub(r"(.)\1+", r"\1", sound.translate(_SOUNDS))


def sounds_like(one: str, other: str) -> bool:
    """Whether two words sound nearly the same; always false for short ones, which differ too little."""
    from rapidfuzz.distance import Levenshtein

    sounds = sound_of(one), sound_of(other)
    if min(map(len, sounds)) < SHORTEST_SOUND:
        return False
    most = int(FURTHEST * max(map(len, sounds)))
    return Levenshtein.distance(*sounds, score_cutoff=most) <= most
