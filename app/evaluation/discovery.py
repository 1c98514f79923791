"""How well discovery finds rows that are missing: rows are hidden from a schema, and should come back as clusters.

A row can be hidden if at least five dictations have it in their gold. What counts, by the gold of the cases:

- A mention *belongs* to a row if it shares a character with the words that the gold names for it. Gold without words
  gets as words the phrase that is most like the row's name with the value, of those that say the number if it is one.
- A hidden row is *back* if at least half of the mentions of one cluster belong to it.
- Any other cluster is *junk*, unless at least half of its mentions belong to hidden rows together. Of junk, those are
  told apart of which at least half belong to rows that stay; the rest is talk, or about something that the gold lacks.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.inference.client import Inference
from app.inference.tasks import index_of
from app.system import paths
from extraction.annotation.case_files import Case, Observation
from extraction.discovery.clusters import Cluster
from extraction.discovery.discover import Covered, Note, discover
from extraction.discovery.phrases import phrases
from extraction.flowsheet.schema import Schema
from extraction.language.numbers import numbers
from extraction.language.spans import Span, overlap
from extraction.retrieval.embedding_cache import KeptVectors
from extraction.retrieval.index import Embedder, IndexEntry, RowIndex
from models.base.errors import InputError
from models.base.progress import Progress, ProgressMonitor
from models.runtimes.loaded import Runtimes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEWEST = 5  # dictations with a row that can be hidden
_HALF = 0.5
HEADINGS = ("read", "hidden", "back", "clusters", "junk", "of rows that stay", "of nothing in the gold")

Said = dict[str, list[tuple[str, Span]]]  # by case: rows with the characters that say them


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of hidden rows.

    Attributes:
        charted: whether the values of the other rows counted as read.
        hidden, back: row ids.
        clusters, junk, of_others: numbers of clusters; `of_others` of the junk belong to rows that stay.
    """

    charted: bool
    hidden: tuple[str, ...]
    back: tuple[str, ...]
    clusters: int
    junk: int
    of_others: int


class _WithoutRows:
    """An index that finds some rows no more."""

    def __init__(self, index: RowIndex, hidden: frozenset[str]) -> None:
        self._index, self._hidden = index, hidden

    def nearest(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[IndexEntry, float]]]:
        found = self._index.nearest(vectors, 3 * k)
        return [[one for one in entries if one[0].row_id not in self._hidden][:k] for entries in found]


def measure(
    cases: Sequence[Case], schema: Schema, inference: Inference, hidden: int, draws: int, monitor: ProgressMonitor
) -> dict[str, Any]:
    """Hides rows `draws` times and looks for them, with the values of the other rows charted and without.

    Raises InputError if no row is in the gold of enough cases.
    """
    found: list[Draw] = inference.call(
        "embedder",
        draw_and_look,
        monitor,
        cases=tuple(cases),
        schema=schema,
        hidden=hidden,
        draws=draws,
        index_folder=paths.cache_dir() / "indexes",
    )
    return {
        "cases": len(cases),
        "draws": draws,
        "charted": figures([one for one in found if one.charted]),
        "texts": figures([one for one in found if not one.charted]),
    }


def figures(draws: Sequence[Draw]) -> dict[str, float]:
    """The mean over draws."""

    def mean(numbers: list[int]) -> float:
        return sum(numbers) / len(draws)

    return {
        "hidden": mean([len(one.hidden) for one in draws]),
        "back": mean([len(one.back) for one in draws]),
        "clusters": mean([one.clusters for one in draws]),
        "junk": mean([one.junk for one in draws]),
        "of_others": mean([one.of_others for one in draws]),
    }


def draw_and_look(
    runtimes: Runtimes,
    *,
    cases: tuple[Case, ...],
    schema: Schema,
    hidden: int,
    draws: int,
    index_folder: Path,
    monitor: ProgressMonitor,
) -> list[Draw]:
    """See `measure`; runs in the inference process."""
    index, embedder = index_of(runtimes, schema, index_folder, monitor), KeptVectors(runtimes.embedder)
    said = {case.id: _said(case, schema, embedder) for case in cases}
    counts = Counter(row_id for of in said.values() for row_id in {one for one, _ in of})
    can_hide = sorted(row_id for row_id, count in counts.items() if count >= FEWEST)
    if not can_hide:
        raise InputError(f"No row is in the gold of {FEWEST} of these cases.", "Give more cases.")
    found = []
    for number in range(draws):
        rows = frozenset(random.Random(number).sample(can_hide, min(hidden, len(can_hide))))
        for charted in (True, False):
            monitor.report(Progress("discover", (2 * number + (not charted)) / (2 * draws), f"draw {number + 1}"))
            notes = [_note(case, said[case.id], rows, charted=charted) for case in cases]
            quiet = ProgressMonitor(cancelled=monitor.cancelled)
            clusters = discover(notes, schema, _WithoutRows(index, rows), embedder, quiet).clusters
            found.append(judged(clusters, said, rows, charted=charted))
    return found


def judged(clusters: Sequence[Cluster], said: Said, hidden: frozenset[str], *, charted: bool) -> Draw:
    """What of some clusters is a hidden row, see the module."""
    back, junk, of_others = set[str](), 0, 0
    for cluster in clusters:
        belonging = [_rows_of(said[one.dictation], one.phrase.span) for one in cluster.mentions]
        half = _HALF * len(belonging)
        rows = Counter(row_id for of in belonging for row_id in of & hidden)
        own = {row_id for row_id, count in rows.items() if count >= half}
        back |= own
        if not own and sum(bool(of & hidden) for of in belonging) < half:
            junk += 1
            of_others += sum(bool(of) for of in belonging) >= half
    return Draw(charted, tuple(sorted(hidden)), tuple(sorted(back)), len(clusters), junk, of_others)


def _rows_of(said: Sequence[tuple[str, Span]], span: Span) -> frozenset[str]:
    return frozenset(row_id for row_id, words in said if overlap(words, span))


def _note(case: Case, said: Sequence[tuple[str, Span]], hidden: frozenset[str], *, charted: bool) -> Note:
    note = Note(case.id, case.id, case.id, case.text)
    if not charted:
        return note
    stay = [(row_id, span) for row_id, span in said if row_id not in hidden]
    return replace(
        note,
        covered=tuple(Covered(*span, row_id) for row_id, span in stay),
        rows=frozenset(row_id for row_id, _ in stay),
    )


def _said(case: Case, schema: Schema, embedder: Embedder) -> list[tuple[str, Span]]:
    """The rows that a case has in its gold, with the words that say them."""
    gold = [one for one in case.observations if one.row_id in schema.by_id]
    found = [(one.row_id, span) for one in gold if one.words for span in _places(case.text, one.words)]
    return found + _aligned(case, schema, [one for one in gold if not one.words], embedder)


def _places(text: str, words: str) -> list[Span]:
    place = text.find(words)
    return [(place, place + len(words))] if place >= 0 else []


def _aligned(case: Case, schema: Schema, gold: Sequence[Observation], embedder: Embedder) -> list[tuple[str, Span]]:
    """Values without words, each with the phrase that is most like it."""
    pieces = phrases(case.text, schema)
    if not pieces or not gold:
        return []
    similar = (
        embedder.encode([_words(schema, one) for one in gold])
        @ embedder.encode([case.text[slice(*one.span)] for one in pieces]).T
    )
    said = [frozenset(one.value for one in numbers(case.text[slice(*piece.span)])) for piece in pieces]
    found = []
    for one, row in zip(gold, similar, strict=True):
        stating = [place for place, numbers_said in enumerate(said) if one.value in numbers_said]
        best = max(stating or range(len(pieces)), key=row.__getitem__)
        found.append((one.row_id, pieces[best].span))
    return found


def _words(schema: Schema, gold: Observation) -> str:
    value = ", ".join(gold.value) if isinstance(gold.value, tuple) else str(gold.value)
    return f"{schema.row(gold.row_id).name}: {value}"
