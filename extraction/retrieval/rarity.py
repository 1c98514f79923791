"""How much a schema's own words identify a row: the rarer a word among the rows, the more it says.

The weight of a word is its inverse document frequency over rows, log((rows + 1) / rows with the word).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.schema import Row, Schema, of_schema
from extraction.language.vocabulary.words import stems

_NONE = frozenset[str]()


@dataclass(frozen=True, slots=True)
class NameRarity:
    """How much of a row's best-said name was said, by weight, 0 to 1; and the weight of its rarest said word."""

    share: float
    rarest: float


@dataclass(frozen=True, slots=True)
class OptionRarity:
    """What was said of options.

    Attributes:
        weight: of the words of the weightiest option that was said completely; 0 if none was.
        owners: natural log of the number of rows with the rarest such option; NaN if none was.
        share: how much of the best-said option was said, by weight, 0 to 1.
    """

    weight: float
    owners: float
    share: float


class Rarity:
    """The weights of the words in a schema's names and options."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self._names = {row.id: tuple(filter(None, map(stems, row.names))) for row in rows}
        self._options = {
            row.id: {option.name: tuple(filter(None, map(stems, option.forms))) for option in row.options}
            for row in rows
        }
        forms = {row_id: {form for of in options.values() for form in of} for row_id, options in self._options.items()}
        self._name_weight = _weights([_NONE.union(*names) for names in self._names.values()])
        self._option_weight = _weights([_NONE.union(*of) for of in forms.values()])
        self._owners = Counter(form for of in forms.values() for form in of)

    def name(self, row_id: str, said: frozenset[str]) -> NameRarity:
        share, rarest = 0.0, 0.0
        for name in self._names[row_id]:
            if common := name & said:
                weights = [self._name_weight[word] for word in common]
                share = max(share, math.fsum(weights) / math.fsum(self._name_weight[word] for word in name))
                rarest = max(rarest, *weights)
        return NameRarity(share, rarest)

    def options(self, row_id: str, said: frozenset[str], only: Iterable[str] | None = None) -> OptionRarity:
        """What was said of the row's options, or `only` of those with these names."""
        weight, owners, share = 0.0, math.nan, 0.0
        known = self._options[row_id]
        for name in known if only is None else only:
            for form in known.get(name, ()):
                common = form & said
                if not common:
                    continue
                own = math.fsum(self._option_weight[word] for word in common)
                share = max(share, own / math.fsum(self._option_weight[word] for word in form))
                if len(common) == len(form):
                    weight = max(weight, own)
                    owners = min(math.log(self._owners[form]), math.inf if math.isnan(owners) else owners)
        return OptionRarity(weight, owners, share)


def _weights(words: list[frozenset[str]]) -> dict[str, float]:
    count = Counter(word for of in words for word in of)
    return {word: math.log((len(words) + 1) / rows) for word, rows in count.items()}


@of_schema
def rarity_of(schema: Schema) -> Rarity:
    """The weights of a schema's words, computed once per schema."""
    return Rarity(as_spoken(schema).rows)
