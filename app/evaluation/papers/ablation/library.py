"""What the reductions of the papers search: the rows of a schema, and the sentences of annotated cases.

Embeddings are compared exactly, without the graph of the product's index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.evaluation.papers.ablation.few_shot import encoded, most_alike, sentences_of
from extraction.annotation.case_files import Case
from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.schema import Schema
from extraction.retrieval.index import NAME_WEIGHT, OPTIONS_WEIGHT, Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROW: tuple[str, ...] = ("row",)
EXAMPLE: tuple[str, ...] = ("example",)


@dataclass(frozen=True, slots=True)
class Entry:
    """What an embedding stands for; `kind` is 'row' or 'example', an annotated sentence with the rows it fills."""

    row_ids: tuple[str, ...]
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Library:
    """What is searched for a case: the rows of a schema, and the sentences of any examples.

    Attributes:
        examples: annotated cases, except those in `barred`, which must not help with this case.
    """

    schema: Schema
    embedder: Embedder
    examples: tuple[Case, ...]
    barred: frozenset[str]

    def nearest(
        self, texts: Sequence[str], kinds: Sequence[str] = ROW, *, names_only: bool = False
    ) -> list[list[tuple[Entry, float]]]:
        """For each text, every embedding of these kinds with its cosine similarity, nearest first.

        Args:
            names_only: whether rows are embedded by name only, without their options.
        """
        import numpy as np

        entries: list[Entry] = []
        parts: list[NDArray[np.float32]] = []
        if "row" in kinds:
            rows = as_spoken(self.schema).rows
            entries += [Entry((row.id,), "row", row.name) for row in rows]
            parts.append(self._row_vectors(names_only=names_only))
        if "example" in kinds and (sentences := self._allowed_sentences()):
            entries += [Entry(tuple(it.row_id for it in one.observations), "example", one.text) for one in sentences]
            parts.append(encoded(self.embedder, [one.text for one in sentences]))
        if not entries or not texts:
            return [[] for _ in texts]
        similarity = encoded(self.embedder, texts) @ np.concatenate(parts).T
        order = np.argsort(-similarity, axis=1, kind="stable")
        return [
            [(entries[place], float(row[place])) for place in places]
            for row, places in zip(similarity, order, strict=True)
        ]

    @property
    def sentences(self) -> tuple[Case, ...]:
        """See `sentences_of`; includes barred examples."""
        return sentences_of(self.examples, self.schema, self.embedder)

    def asked(self, row_ids: Iterable[str]) -> list[str]:
        """The rows without duplicates and without unit rows, which follow their number."""
        return [row_id for row_id in dict.fromkeys(row_ids) if self.schema.row(row_id).unit_of is None]

    def alike(self, text: str, count: int) -> tuple[Case, ...]:
        """See `most_alike`."""
        return most_alike(text, self.examples, self.barred, self.schema, self.embedder, count)

    def _allowed_sentences(self) -> list[Case]:
        """The sentences without those of barred examples, nor those that others share with them."""
        hidden = {one.text for one in self.sentences if one.id in self.barred}
        return [one for one in self.sentences if one.text not in hidden]

    def _row_vectors(self, *, names_only: bool) -> NDArray[np.float32]:
        """Eq. 1 of SchemaRAG, with the product's weights; shape (rows, dimensions)."""
        import numpy as np

        rows = as_spoken(self.schema).rows
        vectors = encoded(self.embedder, [row.name for row in rows])
        if not names_only:
            with_options = np.array([bool(row.options) for row in rows])
            options = encoded(self.embedder, [", ".join(row.option_names) for row in rows])
            mixed = np.float32(NAME_WEIGHT) * vectors + np.float32(OPTIONS_WEIGHT) * options
            vectors = np.where(with_options[:, None], mixed, vectors)
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit
