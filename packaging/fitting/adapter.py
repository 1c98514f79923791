"""Fits the adapters of the embedder (`extraction.retrieval.adapter`) to what was said and the rows that record it.

A sentence, or one of its clauses, should be nearer to the row that it states than to any other row of the schema: a
softmax over all rows, each by its nearest text, with a learned temperature. Rows that the same dictation states are no
counterexamples, because the words may mean them as well. The concepts' own words are examples, too: they teach what
no case says.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from extraction.annotation.case_files import Case
from extraction.flowsheet.naming.row_concepts import as_spoken, concepts
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import Row, Schema
from extraction.language.sentences import Segment, clauses
from extraction.language.vocabulary.words import stems
from extraction.retrieval.adapter import Adapter
from extraction.retrieval.index import further_texts

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

_SEED = 20260101
_RANK = 64
_EPOCHS = 4
_BATCH = 128
_RATE = 2e-3
_DECAY = 0.3
_TEMPERATURE = 20.0  # the first factor of the cosines
_FROM_CONCEPTS = 15_000  # of some 47,000 words of concepts
_BARRED = -1e4
# Without the words of a value, its sentence has this share of the value's words, or as many of the row's name.
_VALUE_SAID, _NAME_SAID = 0.6, 2
_NAME_WEIGHT = 0.3


@dataclass(frozen=True)
class Said:
    """Words that state a row.

    Attributes:
        texts: the words, their sentence and its clauses, of which each may be searched with.
        row: the key of the row.
        stated: keys of all rows that its dictation states.
    """

    texts: tuple[str, ...]
    row: Hashable
    stated: frozenset[Hashable]


@dataclass(frozen=True)
class Lesson:
    """What was said about the rows of one schema.

    Attributes:
        rows: the texts of all rows, each with the row's key; rows of the instances of a group share one.
    """

    rows: tuple[tuple[str, Hashable], ...]
    said: tuple[Said, ...]

    @property
    def texts(self) -> Iterator[str]:
        yield from (text for text, _ in self.rows)
        yield from (text for one in self.said for text in one.texts)


def lesson_of(schema: Schema, cases: Sequence[tuple[Case, Sequence[Segment]]]) -> Lesson:
    """What annotated cases say about the rows of a schema; unit rows are left out."""
    schema = as_spoken(schema)
    keys = _keys(schema)
    rows = [row for row in schema.rows if row.unit_of is None]
    texts = [(text, keys[row.id]) for row in rows for text in _texts_of(row)]
    return Lesson(tuple(texts), tuple(one for case, segments in cases for one in _said(schema, keys, case, segments)))


def lesson_of_concepts() -> Lesson:
    """What is said of the bedside concepts, as if each were a row."""
    rows, said = [], []
    draw = random.Random(_SEED)  # no secret
    for concept in concepts().values():
        rows += [(name, concept.id) for name in concept.rows]
        rows += [(f"{concept.rows[0]}: {option}", concept.id) for option in concept.options]
        cues = (*concept.said, *concept.rows[:3])
        said += [
            f"{draw.choice(cues)} {form}\n{concept.id}"
            for option, forms in concept.options.items()
            for form in (option, *forms)
        ]
        said += [f"{cue}\n{concept.id}" for cue in concept.said]
    chosen = draw.sample(said, min(_FROM_CONCEPTS, len(said)))
    each = (one.rpartition("\n") for one in chosen)
    return Lesson(tuple(rows), tuple(Said((text,), concept, frozenset((concept,))) for text, _, concept in each))


def _keys(schema: Schema) -> dict[str, Hashable]:
    """Rows by id, those of several instances by what they record: which instance is meant is decided later."""
    meaning = meaning_of(schema)
    places = {row.id: meaning.of(row.id) for row in schema.rows}
    return {
        row_id: (place.instance.group, place.records) if place.instance else row_id for row_id, place in places.items()
    }


def _texts_of(row: Row) -> Iterator[str]:
    yield row.name
    yield from (text for _, text in further_texts(row))


def _said(schema: Schema, keys: Mapping[str, Hashable], case: Case, segments: Sequence[Segment]) -> Iterator[Said]:
    charted = [one for one in (*case.observations, *(case.acceptable or ())) if not schema.row(one.row_id).unit_of]
    stated = frozenset(keys[one.row_id] for one in charted)
    for one in charted:
        row = schema.row(one.row_id)
        texts = _with_words(one.words, segments) if one.words else _alike(row, str(one.value), segments)
        if texts:
            yield Said(tuple(dict.fromkeys(texts)), keys[row.id], stated)


def _with_words(words: str, segments: Sequence[Segment]) -> list[str]:
    """The words, the first sentence with them, and its clauses that overlap them; empty if no sentence has them."""
    sentence = next((one.text for one in segments if words.casefold() in one.text.casefold()), None)
    if sentence is None:
        return []
    start = sentence.casefold().find(words.casefold())
    found = [words, sentence]
    for clause in clauses(sentence):
        place = sentence.find(clause)
        if place < start + len(words) and start < place + len(clause):
            found.append(clause)
    return found


def _alike(row: Row, value: str, segments: Sequence[Segment]) -> list[str]:
    """The sentence and the clause that share most words with the row and its value; empty if none shares enough."""
    name, stated = stems(row.name), stems(value)

    def weight(text: str) -> float:
        said = stems(text)
        return len(stated & said) / max(len(stated), 1) + _NAME_WEIGHT * len(name & said)

    possible = [
        one.text
        for one in segments
        if len(stated & (said := stems(one.text))) >= _VALUE_SAID * max(len(stated), 1)
        or len(name & said) >= _NAME_SAID
    ]
    if not possible:
        return []
    best = max(possible, key=weight)
    return [best, *sorted(clauses(best), key=weight)[-1:]]


def fit_adapter(lessons: Sequence[Lesson], vectors: Mapping[str, NDArray[np.float32]]) -> Adapter:
    """Fits the two maps.

    Args:
        vectors: the plain embedding of each text of the lessons, shape (dimensions,).
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        maps = _Maps(len(next(iter(vectors.values()))))
        tables = [_Table(lesson, vectors) for lesson in lessons]
        draw = random.Random(_SEED)  # no secret
        optimiser = torch.optim.AdamW(maps.parameters(), lr=_RATE, weight_decay=_DECAY)
        for _ in range(_EPOCHS):
            for table, batch in _batches(tables, draw):
                loss = table.loss(maps, batch, draw)
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
    return Adapter({name: tensor.detach().numpy().astype(np.float32) for name, tensor in maps.arrays.items()})


def _batches(tables: Sequence[_Table], draw: random.Random) -> list[tuple[_Table, list[Said]]]:
    """Everything said, in random order, in batches of one schema each."""
    found = []
    for table in tables:
        said = draw.sample(table.said, len(table.said))
        found += [(table, said[start : start + _BATCH]) for start in range(0, len(said), _BATCH)]
    draw.shuffle(found)
    return found


class _Maps:
    """The maps while they are fitted, and the factor of the cosines."""

    def __init__(self, dimensions: int) -> None:
        import torch

        def narrow() -> torch.Tensor:
            return (torch.randn(dimensions, _RANK) * 0.02).requires_grad_()

        def wide() -> torch.Tensor:
            return torch.zeros(_RANK, dimensions).requires_grad_()

        self.arrays = {"said_down": narrow(), "said_up": wide(), "row_down": narrow(), "row_up": wide()}
        self.factor = torch.tensor(math.log(_TEMPERATURE)).requires_grad_()

    def parameters(self) -> list[torch.Tensor]:
        return [*self.arrays.values(), self.factor]

    def adapted(self, vectors: torch.Tensor, kind: str) -> torch.Tensor:
        import torch

        moved = vectors + vectors @ self.arrays[f"{kind}_down"] @ self.arrays[f"{kind}_up"]
        return torch.nn.functional.normalize(moved, dim=-1)


class _Table:
    """A lesson as tensors."""

    def __init__(self, lesson: Lesson, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        import torch

        self.said = lesson.said
        self._vectors = vectors
        self._number = {key: number for number, key in enumerate(dict.fromkeys(key for _, key in lesson.rows))}
        self._rows = torch.tensor(np.stack([vectors[text] for text, _ in lesson.rows]))
        self._row_of = torch.tensor([self._number[key] for _, key in lesson.rows])

    def loss(self, maps: _Maps, batch: Sequence[Said], draw: random.Random) -> torch.Tensor:
        """Cross-entropy of the rows that were stated, against all others."""
        import torch

        said = torch.tensor(np.stack([self._vectors[draw.choice(one.texts)] for one in batch]))
        cosines = maps.adapted(said, "said") @ maps.adapted(self._rows, "row").T
        nearest = torch.full((len(batch), len(self._number)), -1.0)
        nearest = nearest.scatter_reduce(1, self._row_of.expand(len(batch), -1), cosines, "amax")
        barred = torch.zeros_like(nearest)
        for place, one in enumerate(batch):
            for key in one.stated - {one.row}:
                barred[place, self._number[key]] = _BARRED
        right = torch.tensor([self._number[one.row] for one in batch])
        return torch.nn.functional.cross_entropy(nearest * maps.factor.exp() + barred, right)
