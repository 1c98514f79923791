"""Makes the shipped mention reader: `python packaging/fit_mention_reader.py [--embedder ID] [--folds N]`.

It is fitted to the marked pieces of the corpus (resources/corpus/mentions) and to the numbers of its cases. With
`--folds` whole hands are left out, and only the figures are printed: of the values of the pieces and of the cases, how
many are doubted from which probability on, and how many of those rightly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import resources
from app.system import paths
from extraction.estimators.mention_reader import (
    READER_FILE,
    LearnedMentionReader,
    MentionStatus,
    ReadMention,
)
from fitting.corpus import CORPUS, corpus_cases
from fitting.mention_files import read_pieces
from fitting.mentions import Example, examples_of_cases, examples_of_pieces, fit_reader
from models.base.progress import Progress, ProgressMonitor, never_cancelled
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.embedder import EmbedderRuntime

_FROM = (0.5, 0.7, 0.9, 0.95)


@dataclass(frozen=True)
class Hand:
    """The examples of one hand; `marked` if every value of its texts is marked."""

    examples: Sequence[Example]
    marked: bool = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="", help="its id (default: the default embedder)")
    parser.add_argument("--folds", type=int, default=0, help="leave hands out, so many at a time; write nothing")
    parser.add_argument("--schemas", type=Path, action="append", default=[], help="folder of further schemas")
    arguments = parser.parse_args()
    registry = Registry(load_manifest(), paths.models_dir())
    model = registry.resolve("embedder", arguments.embedder)
    encoder = EmbedderRuntime(registry.path(model.id), threads=1)
    monitor = ProgressMonitor(_say, never_cancelled)
    charted = (
        Hand(examples_of_cases(one.cases.cases), marked=False) for one in corpus_cases(further=arguments.schemas)
    )
    hands = [*_marked(), *charted]
    if arguments.folds:
        _report(hands, arguments.folds, encoder, monitor)
        return
    examples = [one for hand in hands for one in hand.examples]
    folder = resources.FOLDER / "learned" / model.id
    folder.mkdir(exist_ok=True)
    fit_reader(examples, encoder.tokens, monitor).save(folder / READER_FILE)


def _marked() -> list[Hand]:
    files = sorted((CORPUS / "mentions").glob("*.jsonl"))
    return [Hand(examples_of_pieces(read_pieces(path))) for path in files]


def _report(hands: Sequence[Hand], folds: int, encoder: EmbedderRuntime, monitor: ProgressMonitor) -> None:
    read: list[tuple[Hand, Example, ReadMention]] = []
    for fold in range(folds):
        others = [one for place, hand in enumerate(hands) if place % folds != fold for one in hand.examples]
        reader = LearnedMentionReader(fit_reader(others, encoder.tokens, monitor), encoder)
        for hand in hands[fold::folds]:
            for one in hand.examples:
                at = one.values.index(one.value) if one.value in one.values else len(one.values)
                found = reader.read(one.text, (*one.values, one.value))[at]
                read.append((hand, one, found))
    for marked in (True, False):
        for least in _FROM:
            some = [(one.status, found.doubt >= least) for hand, one, found in read if hand.marked is marked]
            print(json.dumps({"marked": marked, "from": least, **_figures(some)}), flush=True)


def _figures(read: Sequence[tuple[MentionStatus, bool]]) -> dict[str, float | int]:
    doubted = [status for status, is_doubted in read if is_doubted]
    other = [status for status, _ in read if status is not MentionStatus.CURRENT]
    right = sum(status is not MentionStatus.CURRENT for status in doubted)
    return {
        "values": len(read),
        "not_current": len(other),
        "doubted": len(doubted),
        "precision": round(right / max(len(doubted), 1), 3),
        "recall": round(right / max(len(other), 1), 3),
    }


def _say(report: Progress) -> None:
    print(report.message, flush=True)


if __name__ == "__main__":
    main()
