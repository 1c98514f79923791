"""What rows record values that are not current, and how that is worded; resources/language/<language>/mentions.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.words import stems


@dataclass(frozen=True, slots=True)
class MentionCues:
    """Of a status: stems of words in the names of rows that record just that, and how it is told."""

    rows: frozenset[str]
    said: str


@of_vocabularies
def mention_cues() -> Mapping[str, MentionCues]:
    """By name of a status. Raises InputError if the ward's own file cannot be read."""
    return {
        status: MentionCues(stems(" ".join(of["row_words"])), of["said"]) for status, of in cues("mentions").items()
    }
