"""The conditions of an ablation: ways from text to values, each differing from another in one respect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.evaluation.papers.ablation.baselines import Reduction
from app.evaluation.papers.ablation.library import EXAMPLE, ROW
from extraction.language.sentences import Segment

# Embeddings considered for each segment, such that every scope asks about equally many rows of a dictation.
_K = {"sentence": 5, "topics": 10, "paragraph": 20, "whole": 60}
_SHOWN_SENTENCES = 10


@dataclass(frozen=True, slots=True)
class Condition:
    """One way from text to values.

    Attributes:
        name: of its folder and its line in the table.
        filler: `rowwise` or `json`; every answer of `json` is proposed, whatever its confidence.
        reduction: None for the product's own; then the product reads.
        scope: what one search for rows covers: `sentence`, or with `json` also `paragraph`, `topics` or `whole`.
        shots: how many examples the prompt shows.
        shown: what the examples are: `sentences` (the nearest) or `cases` (the most similar).
        audit: whether the filler is shown its answer and may add to it.
    """

    name: str
    filler: str
    reduction: Reduction | None = None
    scope: str = "sentence"
    shots: int = 0
    shown: str = "cases"
    audit: bool = False

    @property
    def needs_examples(self) -> bool:
        return bool(self.shots) or (self.reduction is not None and "example" in self.reduction.kinds)


def _near(kinds: tuple[str, ...] = ROW, scope: str = "sentence", *, names_only: bool = False) -> Reduction:
    return Reduction("nearest", kinds, names_only, _K[scope])


_ALL, _PRUNED, _ANNOTATED = Reduction("all"), Reduction("pruned"), Reduction("annotated")
_BOTH = _near(ROW + EXAMPLE)
_NAMES = _near(names_only=True)

CONDITIONS = {
    condition.name: condition
    for condition in (
        Condition("full-schema", "json", _ALL),
        Condition("names-only", "json", _near(scope="whole", names_only=True), scope="whole"),
        Condition("names-only+segments", "json", _NAMES),
        Condition("row", "json", _near()),
        Condition("example", "json", _near(EXAMPLE)),
        Condition("to-schema", "json", _BOTH),
        Condition("to-prompt", "json", _near(), shots=_SHOWN_SENTENCES, shown="sentences"),
        Condition("to-both", "json", _BOTH, shots=_SHOWN_SENTENCES, shown="sentences"),
        *(Condition(f"row+{it}", "json", _near(scope=it), scope=it) for it in ("whole", "paragraph", "topics")),
        Condition("oracle", "json", _ANNOTATED),
        Condition("pruned", "json", _PRUNED),
        *(Condition(f"pruned+{shots}", "json", _PRUNED, shots=shots) for shots in (3, 5, 10)),
        Condition("pruned+audit", "json", _PRUNED, audit=True),
        Condition("rowwise", "rowwise"),
        Condition("rowwise+full-schema", "rowwise", _ALL),
        Condition("rowwise+names-only", "rowwise", _NAMES),
        Condition("rowwise+row", "rowwise", _near()),
        Condition("rowwise+example", "rowwise", _near(EXAMPLE)),
        Condition("rowwise+both", "rowwise", _BOTH),
        Condition("rowwise+oracle", "rowwise", _ANNOTATED),
        Condition("rowwise+pruned", "rowwise", _PRUNED),
    )
}


def joined(text: str, sentences: Sequence[Segment], *, paragraphs: bool) -> tuple[Segment, ...]:
    """Joins the sentences into one segment or, with `paragraphs`, one for each paragraph (divided by blank lines)."""
    groups: list[list[Segment]] = [[sentence] for sentence in sentences[:1]]
    for before, after in pairwise(sentences):
        if paragraphs and text[before.end : after.start].count("\n") > 1:
            groups.append([])
        groups[-1].append(after)
    spans = [(group[0].start, group[-1].end) for group in groups]
    return tuple(Segment(index, start, end, text[start:end]) for index, (start, end) in enumerate(spans))
