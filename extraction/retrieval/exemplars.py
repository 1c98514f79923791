"""Exemplars: annotated sentences as evidence for the sentences of a new dictation.

Each annotated value is aligned to the sentence of its dictation that most likely states it. For a new sentence, its
nearest exemplars show which rows, and which of their values, similar sentences filled. Sentences without values are
kept too, as negative evidence.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from extraction.annotation.case_files import Case
from extraction.annotation.scoring import comparable
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.language.numbers import numbers
from extraction.language.sentences import segment
from extraction.language.vocabulary.words import best_share, share, stems

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extraction.retrieval.index import Embedder

# Weights when a value is aligned to a sentence: similarity to "name: value", similarity to the name, words of the
# value, words of the name, and an equal number.
_BOTH, _NAME, _VALUE_WORDS, _NAME_WORDS, _SAME_NUMBER = 0.6, 0.4, 0.3, 0.15, 0.5
_NEIGHBOURS = 15
# Decay of similarity: a neighbour that is 0.1 less similar counts 1/e as much.
_SOFTNESS = 0.1
_RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class Exemplar:
    """An annotated sentence with the values aligned to it as (row id, value as text), often none."""

    case_id: str
    text: str
    values: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> str:
        return json.dumps([self.case_id, self.text, self.values], ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Exemplar:
        case_id, text, values = json.loads(line)
        return cls(case_id, text, tuple((row_id, value) for row_id, value in values))


@dataclass(frozen=True, slots=True)
class Precedent:
    """What annotated sentences say about one row at one segment.

    Attributes:
        nearest: largest cosine similarity to the segment of a sentence that fills the row; 0 if there is none.
        clause_nearest: the same for the segment or any of its clauses.
        vote: share of the nearest annotated sentences that fill the row, weighted by similarity.
        score: output of a linear classifier of sentences for the row, about 0 to 1.
        values: values of the row with (weighted share among its exemplars, largest similarity, plain share).
    """

    nearest: float
    clause_nearest: float
    vote: float
    score: float
    values: tuple[tuple[str, float, float, float], ...] = ()

    @property
    def weight(self) -> float:
        """How strongly the exemplars suggest that the segment states the row."""
        return self.vote + self.score + self.nearest


@dataclass(frozen=True, slots=True)
class Precedents:
    """Precedents of every row at every segment of a dictation; each array has the shape (segments, rows)."""

    book: ExemplarBook
    similarity: NDArray[np.float32]
    nearest: NDArray[np.float32]
    clause_nearest: NDArray[np.float32]
    vote: NDArray[np.float32]
    score: NDArray[np.float32]

    def at(self, place: int, row_id: str) -> Precedent:
        """The precedent of a row at a segment; zeros for a row without exemplars."""
        row = self.book.columns.get(row_id)
        if row is None:
            return Precedent(0.0, 0.0, 0.0, 0.0)
        return Precedent(
            float(self.nearest[place, row]),
            float(self.clause_nearest[place, row]),
            float(self.vote[place, row]),
            float(self.score[place, row]),
        )

    def with_values(self, precedent: Precedent, place: int, row_id: str) -> Precedent:
        """Adds the values of the row's exemplars to a precedent."""
        return replace(precedent, values=self.book.values(row_id, self.similarity[place]))

    def rows(self, vote: float, score: float, clause_nearest: float) -> list[str]:
        """Rows that exceed any of the three thresholds at any segment."""
        import numpy as np

        reached = (self.vote > vote) | (self.score > score) | (self.clause_nearest > clause_nearest)
        return [self.book.row_ids[column] for column in np.flatnonzero(reached.any(axis=0))]


@dataclass(frozen=True)
class ExemplarBook:
    """All exemplars of a hospital; `vectors` are their unit-length embeddings, shape (exemplars, dimensions)."""

    exemplars: tuple[Exemplar, ...]
    vectors: NDArray[np.float32]

    def of_rows(self, row_ids: Collection[str]) -> ExemplarBook:
        """The same sentences with only the values of these rows."""
        if all(row_id in row_ids for row_id in self.row_ids):
            return self
        return replace(
            self,
            exemplars=tuple(
                replace(one, values=tuple(pair for pair in one.values if pair[0] in row_ids)) for one in self.exemplars
            ),
        )

    @cached_property
    def row_ids(self) -> tuple[str, ...]:
        """Rows that any exemplar fills, in the column order of the arrays in `Precedents`."""
        return tuple(sorted({row_id for exemplar in self.exemplars for row_id, _ in exemplar.values}))

    @cached_property
    def columns(self) -> dict[str, int]:
        return {row_id: column for column, row_id in enumerate(self.row_ids)}

    @cached_property
    def case_ids(self) -> frozenset[str]:
        return frozenset(exemplar.case_id for exemplar in self.exemplars)

    def without(self, case_ids: Collection[str]) -> ExemplarBook:
        """The exemplars without those of the given cases."""
        kept = [place for place, exemplar in enumerate(self.exemplars) if exemplar.case_id not in case_ids]
        return ExemplarBook(tuple(self.exemplars[place] for place in kept), self.vectors[kept])

    def frequency(self, row_id: str) -> float:
        """Log-odds that a case fills the row, with half a case added on either side."""
        import math

        filled = self._cases_of_row.get(row_id, 0)
        return math.log((filled + 0.5) / (len(self.case_ids) - filled + 0.5))

    def precedents(
        self, sentences: NDArray[np.float32], clauses: NDArray[np.float32], owner: Sequence[int]
    ) -> Precedents:
        """The precedents of a dictation.

        Args:
            sentences: embeddings of its segments, shape (segments, dimensions).
            clauses: embeddings of their clauses; `owner` holds the index of each clause's segment.
        """
        import numpy as np

        similarity = sentences @ self.vectors.T
        with_clauses = similarity.copy()
        if len(owner):
            np.maximum.at(with_clauses, np.asarray(owner), clauses @ self.vectors.T)
        return Precedents(
            self,
            similarity,
            self._nearest(similarity),
            self._nearest(with_clauses),
            self._vote(similarity),
            sentences @ self._ridge[0] + self._ridge[1],
        )

    def values(self, row_id: str, similarity: NDArray[np.float32]) -> tuple[tuple[str, float, float, float], ...]:
        """The values of a row's exemplars, given each exemplar's similarity to a segment; see `Precedent.values`."""
        import numpy as np

        known = self._values_of_row.get(row_id, ())
        weight: defaultdict[str, float] = defaultdict(float)
        nearest: defaultdict[str, float] = defaultdict(float)
        count: defaultdict[str, int] = defaultdict(int)
        for place, value in known:
            near = float(similarity[place])
            weight[value] += float(np.exp((near - 1) / _SOFTNESS))
            nearest[value] = max(nearest[value], near)
            count[value] += 1
        total = sum(weight.values())
        return tuple((value, weight[value] / total, nearest[value], count[value] / len(known)) for value in weight)

    @cached_property
    def _cases_of_row(self) -> dict[str, int]:
        cases: defaultdict[str, set[str]] = defaultdict(set)
        for exemplar in self.exemplars:
            for row_id, _ in exemplar.values:
                cases[row_id].add(exemplar.case_id)
        return {row_id: len(ids) for row_id, ids in cases.items()}

    @cached_property
    def _values_of_row(self) -> dict[str, list[tuple[int, str]]]:
        found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, exemplar in enumerate(self.exemplars):
            for row_id, value in exemplar.values:
                found[row_id].append((place, value))
        return dict(found)

    @cached_property
    def _labels(self) -> NDArray[np.float32]:
        """Which exemplar fills which row, shape (exemplars, rows)."""
        import numpy as np

        labels = np.zeros((len(self.exemplars), len(self.row_ids)), dtype=np.float32)
        for place, exemplar in enumerate(self.exemplars):
            for row_id, _ in exemplar.values:
                labels[place, self.columns[row_id]] = 1.0
        return labels

    @cached_property
    def _ridge(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Coefficients (dimensions, rows) and intercepts (rows,) of a ridge regression of the labels."""
        from sklearn.linear_model import Ridge

        model = Ridge(alpha=_RIDGE).fit(self.vectors, self._labels)
        rows = len(self.row_ids)
        return model.coef_.reshape(rows, -1).T, model.intercept_.reshape(rows)

    def _nearest(self, similarity: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        found = np.zeros((len(similarity), len(self.row_ids)), dtype=np.float32)
        for column in range(len(self.row_ids)):
            found[:, column] = similarity[:, self._labels[:, column] > 0].max(axis=1)
        return np.maximum(found, 0)

    def _vote(self, similarity: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        votes = np.zeros((len(similarity), len(self.row_ids)), dtype=np.float32)
        for place, row in enumerate(similarity):
            nearest = np.argsort(-row, kind="stable")[:_NEIGHBOURS]
            weights = np.exp((row[nearest] - 1) / _SOFTNESS)
            votes[place] = weights @ self._labels[nearest] / weights.sum()
        return votes


def exemplars_of(case: Case, schema: Schema, embedder: Embedder) -> list[Exemplar]:
    """Every sentence of an annotated case with the values aligned to it; unit rows are left out."""
    sentences = [sentence.text for sentence in segment(case.text)]
    if not sentences:
        return []
    vectors = embedder.encode(sentences)
    values: list[list[tuple[str, str]]] = [[] for _ in sentences]
    wanted = [
        (schema.row(it.row_id), part)
        for it in case.observations
        if schema.row(it.row_id).unit_of is None
        for part in (it.value if isinstance(it.value, tuple) else (it.value,))
    ]
    if wanted:
        texts = [text for row, part in wanted for text in (f"{row.name}: {comparable(part)}", row.name)]
        queries = embedder.encode(texts)
        said = [stems(sentence) for sentence in sentences]
        for number, (row, part) in enumerate(wanted):
            both, name = queries[2 * number], queries[2 * number + 1]
            fit = _BOTH * (vectors @ both) + _NAME * (vectors @ name)
            words = [_word_score(row, part, sentence, said[place]) for place, sentence in enumerate(sentences)]
            values[int((fit + words).argmax())].append((row.id, comparable(part)))
    return [Exemplar(case.id, text, tuple(values[place])) for place, text in enumerate(sentences)]


def _word_score(row: Row, part: str | float | bool, sentence: str, said: frozenset[str]) -> float:
    """What the words of a sentence add to its match with a value."""
    same = isinstance(part, float) and any(number.value == part for number in numbers(sentence))
    value = "" if row.value_type is ValueType.YES_NO else str(part)
    return (
        _VALUE_WORDS * share(stems(value), said)
        + _NAME_WORDS * best_share((row.name, *row.synonyms), said)
        + _SAME_NUMBER * same
    )


def book_of(cases: Iterable[Case], schema: Schema, embedder: Embedder) -> ExemplarBook:
    exemplars = tuple(exemplar for case in cases for exemplar in exemplars_of(case, schema, embedder))
    return ExemplarBook(exemplars, embedder.encode([exemplar.text for exemplar in exemplars]))
