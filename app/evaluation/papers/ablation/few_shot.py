"""Annotated cases as worked examples: whole cases similar to a transcript, and their single sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extraction.annotation.case_files import Case, Observation
from extraction.annotation.scoring import Item, comparable
from extraction.flowsheet.schema import Schema
from extraction.language.vocabulary.words import stems
from extraction.retrieval.exemplars import exemplars_of
from extraction.retrieval.index import Embedder

# Weights of transcript similarity, similarity to row names, and shared words (MasonNLP, section 4.3).
_TRANSCRIPT, _NAMES, _WORDS = 0.70, 0.25, 0.05
# Cases preselected by transcript similarity and then ranked by all three.
_POOL = 30


def barred_for(own: Sequence[Case], examples: Sequence[Case]) -> frozenset[str]:
    """Ids of the examples that must not help with `own`: those with the same id or text."""
    texts = {case.text for case in own}
    return frozenset(case.id for case in own) | {case.id for case in examples if case.text in texts}


def most_alike(
    text: str, examples: Sequence[Case], barred: frozenset[str], schema: Schema, embedder: Embedder, count: int
) -> tuple[Case, ...]:
    """Up to `count` cases most similar to a transcript, most similar first, without barred ones.

    The transcript's rows are unknown, so its own embedding is compared with the row names of a case.
    """
    places = [place for place, case in enumerate(examples) if case.id not in barred]
    if not places or not count:
        return ()
    query = embedder.encode([text])[0]
    by_transcript = encoded(embedder, [case.text for case in examples]) @ query
    by_names = encoded(embedder, [_names(case, schema) for case in examples]) @ query
    said = stems(text)

    def score(place: int) -> float:
        words = stems(examples[place].text)
        jaccard = len(words & said) / max(len(words | said), 1)
        return float(_TRANSCRIPT * by_transcript[place] + _NAMES * by_names[place] + _WORDS * jaccard)

    pool = sorted(places, key=lambda place: -by_transcript[place])[: max(_POOL, count)]
    return tuple(examples[place] for place in sorted(pool, key=lambda place: -score(place))[:count])


def sentences_of(examples: tuple[Case, ...], schema: Schema, embedder: Embedder) -> tuple[Case, ...]:
    """The sentences of the examples that state something, each as a case with the same id and its own observations."""
    return _sentences_of(examples, schema, embedder)  # type: ignore[arg-type]  # hashed by identity, as objects are


def encoded(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Cached embeddings, shape (texts, dimensions), for texts that are requested repeatedly."""
    return _encoded(embedder, tuple(texts))  # type: ignore[arg-type]  # the same


@lru_cache(maxsize=2)
def _sentences_of(examples: tuple[Case, ...], schema: Schema, embedder: Embedder) -> tuple[Case, ...]:
    return tuple(sentence for case in examples for sentence in _sentences(case, schema, embedder))


@lru_cache(maxsize=16)
def _encoded(embedder: Embedder, texts: tuple[str, ...]) -> NDArray[np.float32]:
    return embedder.encode(texts)


def _sentences(case: Case, schema: Schema, embedder: Embedder) -> Iterator[Case]:
    for exemplar in exemplars_of(case, schema, embedder):
        stated = [part for it in case.observations for part in _stated_part(it, frozenset(exemplar.values))]
        if stated:
            yield Case(case.id, exemplar.text, tuple(stated))


def _stated_part(observation: Observation, stated: frozenset[Item]) -> Iterator[Observation]:
    """The observation if it is stated; for a multi-select, only the stated options."""
    row_id, value = observation.row_id, observation.value
    if isinstance(value, tuple):
        chosen = tuple(part for part in value if (row_id, comparable(part)) in stated)
        if chosen:
            yield Observation(row_id, chosen)
    elif (row_id, comparable(value)) in stated:
        yield observation


def _names(case: Case, schema: Schema) -> str:
    return " | ".join(schema.row(observation.row_id).name for observation in case.observations)
