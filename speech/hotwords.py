"""Chooses the terms of a schema to suggest to Whisper, by the sound of its first transcription.

A schema has far more terms than fit into Whisper's prompt, and a long list makes a small model repeat them. So each
window is transcribed twice: once without help, then with the few terms that sound like something in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rapidfuzz.distance import Levenshtein

from models.base.phonetics import FURTHEST, SHORTEST_SOUND, sound_of

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_LONGEST_RUN = 3  # "tack it nake" is one word in three pieces
_SHORTEST_TERM = 5  # letters
_MOST = 8  # suggested terms; with more, Whisper repeats the prompt instead of using it


class HotwordFinder:
    """The terms of one schema, indexed by sound.

    `terms` are words or phrases, most important first; `pieces` returns how many tokens the speech model needs for a
    word: one that needs a single token is already known to it and is left out.
    """

    def __init__(self, terms: Iterable[str], pieces: Callable[[str], int]) -> None:
        self._pieces = pieces
        words = dict.fromkeys(word for term in terms for word in _WORD.findall(term) if len(word) >= _SHORTEST_TERM)
        spelled = {word.lower(): word for word in reversed(words)}
        self._by_length: dict[int, list[tuple[str, str]]] = {}
        for word in (word for word in words if spelled[word.lower()] == word and pieces(word) > 1):
            sound = sound_of(word)
            if len(sound) >= SHORTEST_SOUND:
                self._by_length.setdefault(len(sound), []).append((word, sound))

    def near(self, heard: str) -> list[str]:
        """Up to a handful of terms that sound like words in `heard` but do not occur there, closest first."""
        words = [word.strip('.,;:!?"') for word in heard.split()]
        said = {word.lower() for word in words}
        found: dict[str, float] = {}
        for run in self._runs(words):
            slack = int(FURTHEST * len(run) / (1 - FURTHEST))
            for length in range(len(run) - slack, len(run) + slack + 1):
                longest = max(length, len(run))
                most = int(FURTHEST * longest)
                for term, sound in self._by_length.get(length, ()):
                    edits = Levenshtein.distance(run, sound, score_cutoff=most)
                    # One more edit than there are: of two equally close terms the longer is the safer guess.
                    if edits <= most and term.lower() not in said:
                        found[term] = min(found.get(term, 1.0), (edits + 1) / longest)
        return sorted(found, key=lambda term: found[term])[:_MOST]

    def _runs(self, words: Sequence[str]) -> list[str]:
        """Sounds of one or more consecutive words; single words only if the model hardly knows them."""
        runs: dict[str, None] = {}  # keeps text order, so that the order of equally close terms is deterministic
        for start in range(len(words)):
            for end in range(start + 1, min(start + _LONGEST_RUN, len(words)) + 1):
                if end > start + 1 or self._pieces(words[start]) > 1:
                    runs[sound_of("".join(words[start:end]))] = None
        return list(runs)


def hotword_text(terms: Sequence[str]) -> str:
    """A prompt that suggests the terms to Whisper, in whole sentences, so that it keeps writing sentences."""
    return " ".join(["Nursing note.", *(f"{term[0].upper()}{term[1:]}, {term}." for term in terms)])
