"""What is known of a row whose name is to be written out, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row of an export.

    Attributes:
        labels: its other names, such as a display name or a label beside an abbreviation.
        categories: names of the groups and templates that it stands in.
        options: names of its choices, or values that were charted.
    """

    id: str
    name: str
    labels: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    unit: str = ""


class Evidence(StrEnum):
    """What shows what a word of a name stands for."""

    LABEL = "label"
    ROW = "row"
    TEXT = "text"
    LEXICON = "lexicon"
    GROUP = "group"
    OPTION = "option"
    WORD = "word"
    CONCEPT = "concept"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word of a name stands for.

    Attributes:
        confidence: how sure that is, 0 to 1.
        beside: the words around it that decided, if it could mean something else.
    """

    text: str
    evidence: Evidence
    confidence: float
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameToken:
    """A word of a row's name.

    Attributes:
        meaning: None if it stays as it is.
        possible: what it could stand for, where that is not clear.
    """

    text: str
    meaning: Meaning | None = None
    possible: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """The name of a row written out.

    Attributes:
        name: the row's own name where nothing was written out.
        grouped: the name of a bedside concept that it is together with that of its group; empty if there is none.
        tokens: the words of the row's own name, all and in order.
    """

    row_id: str
    name: str
    tokens: tuple[NameToken, ...]
    grouped: str = ""

    @property
    def confidence(self) -> float:
        """How sure the least sure word is; 1 if nothing was written out."""
        return min((token.meaning.confidence for token in self.tokens if token.meaning), default=1.0)

    @property
    def open(self) -> tuple[NameToken, ...]:
        """The words that a person should be asked about."""
        return tuple(token for token in self.tokens if token.possible)
