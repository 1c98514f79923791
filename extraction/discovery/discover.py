"""Finds what dictations say that no row of the flowsheet takes (ReDD's first phase, without a question asked)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from extraction.discovery.clusters import Cluster, Clusters, Mention
from extraction.discovery.completeness import Completeness, completeness
from extraction.discovery.phrases import Phrase, masked, phrases, subject_words
from extraction.flowsheet.schema import Schema
from extraction.language.numbers import numbers
from extraction.language.spans import overlap
from extraction.language.vocabulary.words import stem
from extraction.preparation.people.other_patients import NOBODY, Person
from extraction.retrieval.candidates import words_of_rows
from extraction.retrieval.index import Embedder, IndexEntry
from models.base.progress import Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A phrase means a row from this similarity on. What was read of a dictation says already what is charted, so that only
# what nearly names a row is left out; of a text that nothing was read of, whatever is near one.
_MEANS, _MEANS_UNREAD = 0.75, 0.6
_NEAR = 5  # rows kept of a phrase
_SEARCHED = 40  # entries of the index, several of which may be of one row
_FEWEST_DICTATIONS, _FEWEST_PATIENTS = 3, 2
_MOST_EXAMPLES = 3
_MOSTLY = 0.5


class RowSearch(Protocol):
    """Finds the entries of rows nearest to vectors, see `extraction.retrieval.index.RowIndex`."""

    def nearest(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[IndexEntry, float]]]: ...


@dataclass(frozen=True, slots=True)
class Covered:
    """Characters [start, end) of a dictation that a value of a row was read from; or set aside, without a row."""

    start: int
    end: int
    row_id: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A dictation in which something is looked for.

    Attributes:
        id, patient: texts that tell it and its patient from others; they are shown to nobody.
        title: what a person calls it.
        covered: the characters that values were read from, with the row; or that were set aside, without one.
        rows: ids of the rows that have a value of it; None if nothing was read of it.
        person, ward: whose it is and who else is on the ward, as far as that is known.
    """

    id: str
    patient: str
    title: str
    text: str
    covered: tuple[Covered, ...] = ()
    rows: frozenset[str] | None = None
    person: Person = NOBODY
    ward: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence in which it was said; for the eyes of whoever decides, and never stored."""

    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Something that dictations say and no row takes.

    Attributes:
        name: a phrase that dictations of at least two patients have, see `Cluster.name`.
        mentions, dictations, patients: how many there are.
        examples: at most three sentences, the most usual first, of different dictations.
        near: ids of the rows nearest to it with their similarity, -1 to 1, nearest first.
        numbers: the share of mentions with a number; `unit` the unit most of these have, empty if none does.
        denied: the share of mentions that deny something.
    """

    name: str
    mentions: int
    dictations: int
    patients: int
    examples: tuple[Example, ...]
    near: tuple[tuple[str, float], ...]
    numbers: float
    unit: str
    denied: float


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found in some dictations.

    Attributes:
        found: the one in most dictations first.
        with_row: the share of all mentions that have a row.
    """

    found: tuple[Unplaced, ...]
    completeness: Completeness
    with_row: float
    clusters: tuple[Cluster, ...] = field(default=(), compare=False, repr=False)


def discover(
    notes: Sequence[Note], schema: Schema, index: RowSearch, embedder: Embedder, monitor: ProgressMonitor
) -> Discovery:
    """Reads dictations in their order. Raises Cancelled."""
    clusters = Clusters()
    said: list[set[object]] = []
    placed = unplaced = 0
    for number, note in enumerate(notes):
        stop_if(monitor.cancelled)
        monitor.report(Progress("discover", number / len(notes), f"dictation {number + 1} of {len(notes)}"))
        things: set[object] = set(note.rows or ())
        pieces = [one for one in phrases(note.text, schema, note.person, note.ward) if _has_rest(note, one, schema)]
        if pieces:
            vectors = embedder.encode([one.words for one in pieces])
            near = _nearest(index, vectors)
            for piece, vector, rows in zip(pieces, vectors, near, strict=True):
                if rows and rows[0][1] >= (_MEANS_UNREAD if note.rows is None else _MEANS):
                    things.add(rows[0][0])
                    continue
                sentence = note.text[slice(*piece.sentence)]
                mention = Mention(note.id, note.patient, note.title, piece, sentence, rows)
                things.add(id(clusters.add(mention, vector)))
        placed += sum(isinstance(one, str) for one in things)
        unplaced += sum(not isinstance(one, str) for one in things)
        said.append(things)
    shown = [one for one in clusters.all if _is_shown(one)]
    shown.sort(key=lambda one: (-one.dictations, -len(one.mentions), one.name))
    total = placed + unplaced
    monitor.report(Progress("discover", 1.0))
    return Discovery(tuple(map(_told, shown)), completeness(said), placed / total if total else 0.0, tuple(shown))


def _has_rest(note: Note, piece: Phrase, schema: Schema) -> bool:
    """Whether a phrase says more than the values in it: a number, or a subject that is no word of their rows."""
    inside = [one for one in note.covered if overlap((one.start, one.end), piece.span)]
    if not inside:
        return True
    rest = "".join(
        " " if any(one.start <= place < one.end for one in inside) else note.text[place]
        for place in range(piece.start, piece.end)
    )
    known = words_of_rows(schema)
    named = {word for one in inside if one.row_id in schema.by_id for name in known[one.row_id].names for word in name}
    return any(numbers(rest)) or any(stem(word) not in named for word in subject_words(masked(rest)))


def _nearest(index: RowSearch, vectors: NDArray[np.float32]) -> list[tuple[tuple[str, float], ...]]:
    found = []
    for entries in index.nearest(vectors, _SEARCHED):
        rows: dict[str, float] = {}
        for entry, similarity in entries:
            rows.setdefault(entry.row_id, similarity)
        found.append(tuple(rows.items())[:_NEAR])
    return found


def _is_shown(cluster: Cluster) -> bool:
    """Whether enough people say it that it is no accident, and nobody can be known by it."""
    return cluster.dictations >= _FEWEST_DICTATIONS and cluster.patients >= _FEWEST_PATIENTS and bool(cluster.name)


def _told(cluster: Cluster) -> Unplaced:
    mentions = cluster.mentions
    units = Counter(one.phrase.unit for one in mentions if one.phrase.number)
    unit, count = units.most_common(1)[0] if units else ("", 0)
    return Unplaced(
        name=cluster.name,
        mentions=len(mentions),
        dictations=cluster.dictations,
        patients=cluster.patients,
        examples=tuple(_examples(cluster)),
        near=tuple(cluster.near[:_NEAR]),
        numbers=units.total() / len(mentions),
        unit=unit if count > _MOSTLY * units.total() else "",
        denied=sum(one.phrase.denied for one in mentions) / len(mentions),
    )


def _examples(cluster: Cluster) -> Iterator[Example]:
    shown: set[str] = set()
    for one in cluster.central():
        if one.dictation not in shown and len(shown) < _MOST_EXAMPLES:
            shown.add(one.dictation)
            yield Example(one.title, one.sentence)
