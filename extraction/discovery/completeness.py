"""How complete a schema is for the next dictation: what of the things said there is known already.

A *thing* is a row, or a cluster of phrases without a row. N mentions are counted, one of a thing in each dictation; n1
things were mentioned once. By Good (1953) the next mention is of an unknown thing with probability n1 / N. Beside it
stands the rule by which the program of the paper stops reading: it looks at how much each dictation still changes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

# The rule of entropy: the share of things that a dictation changed stays below a limit for several dictations in turn,
# and enough were read that a thing said in one of twenty dictations is hardly missing.
_CHANGED, _IN_TURN, _FEWEST = 0.05, 3, 5
_RARE, _DOUBT = 0.05, 0.1


@dataclass(frozen=True, slots=True)
class Completeness:
    """Of the mentions of things in some dictations.

    Attributes:
        dictations, mentions, things: how many there are.
        once: things that were mentioned once.
        changed: by dictation in the order read, the share of all things so far that were new in it.
        needed: how many dictations the rule of entropy wants read for so many things.
    """

    dictations: int
    mentions: int
    things: int
    once: int
    changed: tuple[float, ...]
    needed: int

    @property
    def missing(self) -> float:
        """The estimated share of what the next dictation says that is not known, 0 to 1."""
        return self.once / self.mentions if self.mentions else 1.0

    @property
    def read_enough(self) -> bool:
        """Whether the rule of entropy would stop reading."""
        quiet = self.changed[-_IN_TURN:]
        few = self.dictations < max(_FEWEST, self.needed)
        return not few and len(quiet) == _IN_TURN and all(share < _CHANGED for share in quiet)


def completeness(things: Sequence[AbstractSet[Hashable]]) -> Completeness:
    """What the things that each dictation mentions, in the order read, say about the next one."""
    counts: Counter[Hashable] = Counter()
    changed = []
    for of in things:
        new = of - counts.keys()
        counts.update(of)
        changed.append(len(new) / len(counts) if counts else 0.0)
    needed = math.ceil(math.log(max(len(counts), 1) / _DOUBT) / _RARE)
    once = sum(count == 1 for count in counts.values())
    return Completeness(len(things), counts.total(), len(counts), once, tuple(changed), needed)
