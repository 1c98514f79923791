"""What the prior of a candidate row is weighed by."""

from __future__ import annotations

import math
from collections.abc import Sequence

from extraction.flowsheet.schema import SAID_TYPES, Row, ValueType, is_yes_no, of_rows
from extraction.language.vocabulary.words import numbered, stems
from extraction.retrieval.candidates import Candidate

FEATURES = (
    "relevance",
    "sentence_relevance",
    "clause_relevance",
    "sentence_rank",
    "clause_rank",
    "name_said",
    "value_said",
    "name_and_value_said",
    "name_words",
    "value_words",
    "segments",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
    "nearest_exemplar",
    "nearest_exemplar_of_clause",
    "exemplar_vote",
    "exemplar_score",
    "frequency",
    "largest_vote",
    "largest_score",
    "largest_nearest_of_clause",
)


NO_RANK = 12


class RowWords:
    """What a row and its options are called, in stems; worked out once for a schema."""

    __slots__ = ("is_yes_no", "kind", "name", "names", "numbered", "options", "row")

    def __init__(self, row: Row) -> None:
        self.row = row
        self.name = stems(row.name)
        self.names = (self.name, *map(stems, row.synonyms))
        self.options = tuple(tuple(map(stems, (option.name, *option.synonyms))) for option in row.options)
        self.numbered = numbered(row.name)
        self.kind = (row.value_type, row.option_names, row.unit)  # the values that siblings have in common
        self.is_yes_no = is_yes_no(row)

    def named(self, said: frozenset[str]) -> tuple[float, int]:
        """Which share of the words of its best name was said, 0 to 1, and how many words of a name at most."""
        share, words = 0.0, 0
        for name in self.names:
            if common := len(name & said):
                share, words = max(share, common / len(name)), max(words, common)
        return share, words

    def optioned(self, said: frozenset[str]) -> tuple[float, int]:
        """The same share for its options, and the words of the longest of which every word was said."""
        share, whole = 0.0, 0
        for names in self.options:
            for name in names:
                if common := len(name & said):
                    share = max(share, common / len(name))
                    whole = max(whole, common) if common == len(name) else whole
        return share, whole


class _Words(dict[str, RowWords]):
    """The words of each row, by its id, worked out when they are first asked for."""

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__()
        self._rows = {row.id: row for row in rows}

    def __missing__(self, row_id: str) -> RowWords:
        found = self[row_id] = RowWords(self._rows[row_id])
        return found


@of_rows
def words_of_rows(rows: tuple[Row, ...]) -> _Words:
    return _Words(rows)


def features(row: Row, candidate: Candidate) -> tuple[float, ...]:
    """The numbers named in FEATURES, in their order; NaN for what only exemplars could tell."""
    return features_of_words(RowWords(row), candidate)


def features_of_words(words: RowWords, candidate: Candidate) -> tuple[float, ...]:
    hit, kind = candidate.hits[0], words.row.value_type
    precedent = hit.precedent
    return (
        hit.relevance,
        hit.sentence_relevance,
        hit.clause_relevance,
        float(min(hit.sentence_rank, NO_RANK)),
        float(min(hit.clause_rank, NO_RANK)),
        hit.name_said,
        hit.value_said,
        hit.name_said * hit.value_said,
        float(hit.name_words),
        float(hit.value_words),
        float(min(len(candidate.hits), 5)),
        float(words.is_yes_no),
        float(kind is ValueType.MULTI_SELECT),
        float(kind in SAID_TYPES),
        float(kind is ValueType.TEXT),
        precedent.nearest if precedent else math.nan,
        precedent.clause_nearest if precedent else math.nan,
        precedent.vote if precedent else math.nan,
        precedent.score if precedent else math.nan,
        candidate.frequency,
        candidate.largest_vote,
        candidate.largest_score,
        candidate.largest_nearest,
    )
