"""The statement matcher: how likely a sentence states a row, or one value of it, by their words alone.

It knows neither hospital nor schema. It is fitted to annotated cases of several schemas and to the bedside concepts'
own words (`packaging/fitting/matcher.py`), and its log-odds are features of the prior and of the acceptance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from extraction.estimators.network_weights import NetworkWeights, TokenEncoder, Tokens

if TYPE_CHECKING:
    from extraction.estimators.matcher_network import MatcherNetwork

MATCHER_FILE = "matcher.npz"
_CONTEXT = 160  # characters of the sentence before
_AT_ONCE = 256
# Texts and statements kept in memory: those of a dictation of some minutes and the rows of a large schema near it.
_MOST_TEXTS, _MOST_STATEMENTS = 4_000, 40_000


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence and what it may state.

    Attributes:
        before: the sentence before it; empty if there is none.
        row: the name of the row.
        value: an option, "yes" or "no"; empty if the question is whether the row is stated at all, or a number.
        said: the characters of the sentence that say a number or a text; None for any other value.
    """

    sentence: str
    before: str
    row: str
    value: str = ""
    said: tuple[int, int] | None = None


class Matcher(Protocol):
    """Estimates statements."""

    def log_odds(self, statements: Sequence[Statement]) -> list[float]: ...


class StatementMatcher:
    """Weights with the embedder that they belong to; keeps what it has encoded and estimated."""

    def __init__(self, weights: NetworkWeights, encoder: TokenEncoder) -> None:
        self._network = _network_of(weights, encoder)
        self.tokens = TokenCache(encoder)
        self._known: dict[Statement, float] = {}

    def log_odds(self, statements: Sequence[Statement]) -> list[float]:
        """The natural log-odds that each statement is true."""
        new = list(dict.fromkeys(one for one in statements if one not in self._known))
        if len(self._known) > _MOST_STATEMENTS:
            self._known.clear()
            new = list(dict.fromkeys(statements))
        self._known |= dict(zip(new, self._estimated(new), strict=True))
        return [self._known[one] for one in statements]

    def _estimated(self, statements: Sequence[Statement]) -> list[float]:
        import torch

        from extraction.estimators.matcher_network import batch_of

        pairs = self.tokens.pairs(statements)
        found = [0.0] * len(pairs)
        by_length = sorted(range(len(pairs)), key=lambda number: sum(len(one.ids) for one in pairs[number]))
        with torch.inference_mode():
            for start in range(0, len(by_length), _AT_ONCE):
                some = by_length[start : start + _AT_ONCE]
                for number, one in zip(some, self._network(batch_of([pairs[n] for n in some])).tolist(), strict=True):
                    found[number] = one
        return found


class TokenCache:
    """The tokens of sentences and of rows, each encoded once."""

    def __init__(self, encoder: TokenEncoder, most: int = _MOST_TEXTS) -> None:
        self._encoder, self._most = encoder, most
        self._texts: dict[tuple[str, str], Any] = {}

    def pairs(self, statements: Sequence[Statement]) -> list[tuple[Tokens, Tokens]]:
        """The tokens of each statement's sentence and of its row and value."""
        self.encode(statements)
        return [(self._sentence(one), self._row(one)) for one in statements]

    def encode(self, statements: Sequence[Statement]) -> None:
        """Encodes the texts of the statements that are not known yet."""
        wanted = dict.fromkeys(key for one in statements for key in (_context(one), _row_and_value(one)))
        if len(self._texts) > self._most:
            self._texts.clear()
        new = [key for key in wanted if key not in self._texts]
        encoded = self._encoder.encode_tokens([before + text for before, text in new])
        self._texts |= dict(zip(new, encoded, strict=True))

    def _sentence(self, statement: Statement) -> Tokens:
        import numpy as np

        from extraction.estimators.matcher_network import MOST_SENTENCE, SAID, SENTENCE

        key = _context(statement)
        ids, places, states = self._texts[key]
        own = np.flatnonzero(places[:, 0] >= len(key[0]))[:MOST_SENTENCE]
        kinds = np.full(len(own), SENTENCE)
        if statement.said:
            start, end = (place + len(key[0]) for place in statement.said)
            kinds[(places[own, 0] < end) & (places[own, 1] > start)] = SAID
        return Tokens(ids[own], kinds, states[own])

    def _row(self, statement: Statement) -> Tokens:
        import numpy as np

        from extraction.estimators.matcher_network import MOST_STATEMENT, ROW, VALUE

        key = _row_and_value(statement)
        ids, places, states = (array[:MOST_STATEMENT] for array in self._texts[key])
        kinds = np.where(places[:, 0] >= len(key[0]), VALUE, ROW) if statement.value else np.full(len(ids), ROW)
        return Tokens(ids, kinds, states)


def _context(statement: Statement) -> tuple[str, str]:
    """The sentence and what is put before it."""
    before = statement.before[-_CONTEXT:]
    return (before + " " if before else "", statement.sentence)


def _row_and_value(statement: Statement) -> tuple[str, str]:
    """The value and what is put before it."""
    return (statement.row + ": ", statement.value) if statement.value else ("", statement.row)


def _network_of(weights: NetworkWeights, encoder: TokenEncoder) -> MatcherNetwork:
    import torch

    from extraction.estimators.matcher_network import MatcherNetwork

    network = MatcherNetwork(encoder.token_inputs)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.arrays.items()})
    return network.eval()
