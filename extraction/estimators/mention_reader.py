"""The mention reader: what the words around a value make of it, whatever row it belongs to.

"Heart rate is 88. Hold on, that was bed six, hers is 72": 88 was taken back, 72 is current. Cues by regular expression
find the words that their author thought of; this reads the sentences before and after, too. It is fitted to pieces of
dictation in which people marked every value (`resources/corpus/mentions`, `packaging/fitting/mentions.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from extraction.estimators.network_weights import AdaptableEncoder, NetworkWeights, TokenEncoder, Tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extraction.estimators.mention_network import MentionNetwork

READER_FILE = "mentions.npz"
# Words around a value that are read. Values in one stretch of so many words are read in the same surroundings, which
# are encoded once.
_BEFORE, _STRETCH, _AFTER = 20, 12, 30
_AT_ONCE = 128
_MOST_TEXTS, _MOST_MENTIONS = 2_000, 20_000
_WORD = re.compile(r"\S+")

Span = tuple[int, int]  # characters [start, end)


class MentionStatus(StrEnum):
    """What is said of a value."""

    CURRENT = "current"  # as it is, or was at a stated time
    CORRECTED = "corrected"  # taken back, replaced or disowned
    PAST = "past"  # how it was before
    GOAL = "goal"  # a goal, a limit or what is expected
    SET = "set"  # what a device is set to
    PLANNED = "planned"  # planned, ordered, recommended or refused
    OTHER = "other"  # of somebody else
    CHANGE = "change"  # a difference, or a part of an amount
    FAILED = "failed"  # tried and not obtained, or not believed


STATUSES = tuple(MentionStatus)


@dataclass(frozen=True, slots=True)
class ReadMention:
    """The probability of each status of a value, in the order of `STATUSES`; they sum to 1."""

    probabilities: tuple[float, ...]

    def of(self, *statuses: MentionStatus) -> float:
        """The probability that one of these is its status."""
        return sum(self.probabilities[STATUSES.index(one)] for one in statuses)

    @property
    def doubt(self) -> float:
        """The probability that it is not current."""
        return 1 - self.of(MentionStatus.CURRENT)

    def likeliest(self, among: Sequence[MentionStatus] = STATUSES[1:]) -> MentionStatus:
        """Its likeliest status, other than current."""
        return max(among, key=self.of)


class MentionReader(Protocol):
    """Reads values in their surroundings."""

    def read(self, text: str, values: Sequence[Span]) -> list[ReadMention]:
        """What is said of each value; `values` are all that the text says, as characters [start, end)."""
        ...


class LearnedMentionReader:
    """Weights with the embedder that they belong to; keeps what it has encoded and read.

    The names of the weights begin with `encoder.` for the changes of the embedder's layers, and with `network.`.
    """

    def __init__(self, weights: NetworkWeights, encoder: AdaptableEncoder) -> None:
        self._network = _network_of(weights, encoder)
        self._windows = Windows(encoder.adapted(_part_of(weights, "encoder.")))
        self._known: dict[tuple[str, Span], ReadMention] = {}

    def read(self, text: str, values: Sequence[Span]) -> list[ReadMention]:
        around = surroundings(text, values, values)
        if len(self._known) > _MOST_MENTIONS:
            self._known.clear()
        if new := [one for one in around if one.place not in self._known]:
            read = self._estimated(self._windows.of(new))
            self._known |= dict(zip((one.place for one in new), read, strict=True))
        return [self._known[one.place] for one in around]

    def _estimated(self, windows: Sequence[Tokens]) -> list[ReadMention]:
        import torch

        from extraction.estimators.mention_network import batch_of

        found: list[ReadMention] = []
        with torch.inference_mode():
            for start in range(0, len(windows), _AT_ONCE):
                logits = self._network(batch_of(windows[start : start + _AT_ONCE]))
                found += [ReadMention(tuple(one)) for one in torch.softmax(logits, -1).tolist()]
        return found


class Windows:
    """The surroundings of values as the network reads them; each text is encoded once."""

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = encoder
        self._texts: dict[str, Any] = {}

    def of(self, around: Sequence[Surroundings]) -> list[Tokens]:
        """The tokens around each value."""
        if len(self._texts) > _MOST_TEXTS:
            self._texts.clear()
        new = list(dict.fromkeys(one.text for one in around if one.text not in self._texts))
        self._texts |= dict(zip(new, self._encoder.encode_tokens(new), strict=True))
        return [self._tokens(one) for one in around]

    def _tokens(self, around: Surroundings) -> Tokens:
        import numpy as np

        from extraction.estimators.mention_network import OTHER, OWN, WORDS

        ids, places, states = self._texts[around.text]
        kinds = np.full(len(ids), WORDS)
        for kind, spans in ((OTHER, around.values), (OWN, (around.value,))):
            for start, end in spans:
                kinds[(places[:, 0] < end) & (places[:, 1] > start)] = kind
        return Tokens(ids, kinds, states)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text around a value, and the characters in it of the value and of all values of the whole text."""

    text: str
    value: Span
    values: tuple[Span, ...]

    @property
    def place(self) -> tuple[str, Span]:
        return self.text, self.value


def surroundings(text: str, wanted: Sequence[Span], values: Sequence[Span]) -> list[Surroundings]:
    """The surroundings of the wanted ones of a text's values."""
    words = [match.span() for match in _WORD.finditer(text)]
    return [_around(text, words, value, values) for value in wanted]


def _around(text: str, words: Sequence[Span], value: Span, values: Sequence[Span]) -> Surroundings:
    own = next((number for number, word in enumerate(words) if word[1] > value[0] and word[0] < value[1]), 0)
    stretch = own // _STRETCH * _STRETCH
    start = words[max(0, stretch - _BEFORE)][0]
    end = max(words[min(len(words) - 1, stretch + _STRETCH + _AFTER)][1], value[1])
    moved = tuple((first - start, last - start) for first, last in values)
    return Surroundings(text[start:end], (value[0] - start, value[1] - start), moved)


def _network_of(weights: NetworkWeights, encoder: TokenEncoder) -> MentionNetwork:
    import torch

    from extraction.estimators.mention_network import MentionNetwork

    network = MentionNetwork(encoder.token_inputs, len(STATUSES))
    arrays = _part_of(weights, "network.")
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    return network.eval()


def _part_of(weights: NetworkWeights, part: str) -> dict[str, NDArray[np.float32]]:
    """The weights of a part of the reader, by the names of its module."""
    return {name.removeprefix(part): array for name, array in weights.arrays.items() if name.startswith(part)}
