"""Annotated cases as worked examples: whole ones that are like a transcript, and single sentences of them."""

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

# How likeness of transcripts, of transcript and row names, and words in common count (MasonNLP, section 4.3).
_TRANSCRIPT, _NAMES, _WORDS = 0.70, 0.25, 0.05
# Cases that are near by their transcripts and then put into order by all three.
_POOL = 30


def barred_for(own: Sequence[Case], examples: Sequence[Case]) -> frozenset[str]:
    """Ids of the examples that may not help with `own`: those of the same id or text."""
    texts = {case.text for case in own}
    return frozenset(case.id for case in own) | {case.id for case in examples if case.text in texts}


def most_alike(
    text: str, examples: Sequence[Case], barred: frozenset[str], schema: Schema, embedder: Embedder, count: int
) -> tuple[Case, ...]:
    """Up to `count` cases most like a transcript, the most alike first; none whose id is barred.

    The rows of the transcript are not known, so that its own embedding is compared with the row names of a case.
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
    """The sentences of the examples that state something, each as a case of the same id with what it states."""
    return _sentences_of(examples, schema, embedder)  # type: ignore[arg-type]  # hashed by identity, as objects are


def encoded(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Embeddings, shape (texts, dimensions), kept while the same texts are asked for again and again."""
    return _encoded(embedder, tuple(texts))  # type: ignore[arg-type]  # the same


@lru_cache(maxsize=2)
def _sentences_of(examples: tuple[Case, ...], schema: Schema, embedder: Embedder) -> tuple[Case, ...]:
    return tuple(sentence for case in examples for sentence in _sentences(case, schema, embedder))


@lru_cache(maxsize=16)
def _encoded(embedder: Embedder, texts: tuple[str, ...]) -> NDArray[np.float32]:
    return embedder.encode(texts)


def _sentences(case: Case, schema: Schema, embedder: Embedder) -> Iterator[Case]:
    for exemplar in exemplars_of(case, schema, embedder):
        stated = [part for it in case.observations for part in _stated(it, frozenset(exemplar.values))]
        if stated:
            yield Case(case.id, exemplar.text, tuple(stated))


def _stated(observation: Observation, stated: frozenset[Item]) -> Iterator[Observation]:
    """The observation if it is stated; of several choices those that are."""
    row_id, value = observation.row_id, observation.value
    if isinstance(value, tuple):
        chosen = tuple(part for part in value if (row_id, comparable(part)) in stated)
        if chosen:
            yield Observation(row_id, chosen)
    elif (row_id, comparable(value)) in stated:
        yield observation


def _names(case: Case, schema: Schema) -> str:
    return " | ".join(schema.row(observation.row_id).name for observation in case.observations)
