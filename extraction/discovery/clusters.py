"""Clusters of phrases that say the same thing, made in one pass: what is read later moves nothing that was read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from extraction.discovery.phrases import NUMBER, Phrase, subject_words
from extraction.language.vocabulary.words import stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.7  # cosine similarity of a phrase to the middle of a cluster
_GROWS = 256  # clusters for which room is made at once


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase with where it was said.

    Attributes:
        dictation, patient: texts that tell them apart; `title` is what a person calls the dictation.
        sentence: its words, for a person to read; they are kept nowhere.
        near: rows nearest to it with their similarity, nearest first.
    """

    dictation: str
    patient: str
    title: str
    phrase: Phrase
    sentence: str
    near: tuple[tuple[str, float], ...] = ()


@dataclass
class Cluster:
    """Mentions of one thing, in the order read; `vectors` are of their phrases, one each."""

    mentions: list[Mention] = field(default_factory=list)
    vectors: list[NDArray[np.float32]] = field(default_factory=list)

    @property
    def dictations(self) -> int:
        return len({one.dictation for one in self.mentions})

    @property
    def patients(self) -> int:
        return len({one.patient for one in self.mentions})

    def central(self) -> list[Mention]:
        """The mentions, the one that is most like all others first; of equals the one that was read first."""
        import numpy as np

        vectors = np.stack(self.vectors)
        closeness = vectors @ vectors.sum(axis=0)
        return [self.mentions[place] for place in np.argsort(-closeness, kind="stable")]

    @property
    def name(self) -> str:
        """The most central phrase, without numbers and without words that only one patient's dictations have.

        So it can be kept and handed on. Empty if nothing is left.
        """
        patients: dict[str, set[str]] = {}
        for one in self.mentions:
            for word in one.phrase.words.split():
                patients.setdefault(stem(word), set()).add(one.patient)
        named: list[tuple[int, int, str]] = []
        for one in self.central():
            words = one.phrase.words.split()
            shared = [word for word in words if word != NUMBER and len(patients[stem(word)]) > 1]
            if subject_words(" ".join(shared)):
                lost = sum(word != NUMBER for word in words) - len(shared)
                named.append((lost, len(named), " ".join(shared)))
        return min(named)[2].strip(" ,;:.") if named else ""

    @property
    def near(self) -> list[tuple[str, float]]:
        """The rows nearest to its mentions with their mean similarity, nearest first."""
        total: Counter[str] = Counter()
        for one in self.mentions:
            total.update(dict(one.near))
        count = len(self.mentions)
        return sorted(((row, total[row] / count) for row in total), key=lambda pair: (-pair[1], pair[0]))


class Clusters:
    """Takes mentions one after the other.

    Each joins the cluster whose middle is most similar to it, if that is similar enough, or opens another. So the same
    mentions in the same order give the same clusters, and further ones can be added at any time.
    """

    def __init__(self, alike: float = ALIKE) -> None:
        self._alike = alike
        self.all: list[Cluster] = []
        self._sums: NDArray[np.float32] | None = None
        self._middles: NDArray[np.float32] | None = None

    def add(self, mention: Mention, vector: NDArray[np.float32]) -> Cluster:
        """Adds a mention with the unit-length vector of its words, and returns its cluster."""
        import numpy as np

        if self._middles is None or self._sums is None:
            self._middles = np.zeros((_GROWS, len(vector)), dtype=np.float32)
            self._sums = np.zeros_like(self._middles)
        count = len(self.all)
        place = count
        if count:
            similar = self._middles[:count] @ vector
            best = int(similar.argmax())
            place = best if similar[best] >= self._alike else count
        if place == count:
            if count == len(self._middles):
                self._middles = np.concatenate([self._middles, np.zeros_like(self._middles)])
                self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
            self.all.append(Cluster())
        cluster = self.all[place]
        cluster.mentions.append(mention)
        cluster.vectors.append(vector)
        self._sums[place] += vector
        self._middles[place] = self._sums[place] / np.linalg.norm(self._sums[place])
        return cluster
