"""Row-by-row filling with cached answers, for questions that are asked twice: live, and on the finished text.

An answer depends only on the question and on the text up to its sentence. So a dictation that was read while being
spoken, or for another patient, is asked only about what has changed since, and annotated cases are asked once for all
fits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from extraction.estimators.array_file import save_arrays
from extraction.filling.rowwise import AskedRow, RowwiseFiller
from extraction.filling.task import TextWindow
from models.base.progress import ProgressMonitor
from models.runtimes.closed_questions import Answer
from models.runtimes.llm import LlamaRuntime

Answers = dict[bytes, Answer]  # keyed by digest, because they may be kept longer than the text
_DIGEST = 32  # bytes
LATEST = 400  # of 90 kB each: about the last three dictations


class CachingFiller(RowwiseFiller):
    """Asks only questions without an answer in `answers`, and stores the new answers there.

    At most the latest `most` answers are kept; None keeps all.
    """

    def __init__(self, llm: LlamaRuntime, answers: Answers, most: int | None = None) -> None:
        super().__init__(llm)
        self._answers, self._most = answers, most

    def _ask(self, window: TextWindow, items: Sequence[AskedRow], monitor: ProgressMonitor) -> list[Answer]:
        keys = list(_keys(window, items))
        known = [self._answers.get(key) for key in keys]
        new = [item for item, answer in zip(items, known, strict=True) if answer is None]
        answers = iter(super()._ask(window, new, monitor) if new else ())
        found = [next(answers) if answer is None else answer for answer in known]
        for key, answer in zip(keys, found, strict=True):
            self._answers.pop(key, None)  # re-inserted to count as recent
            self._answers[key] = answer
        while self._most is not None and len(self._answers) > self._most:
            del self._answers[next(iter(self._answers))]
        return found


def _keys(window: TextWindow, items: Sequence[AskedRow]) -> Iterator[bytes]:
    first = window.segments[0].index
    for item in items:
        said = [segment.text for segment in window.segments[: item.after_sentence.index - first + 1]]
        yield hashlib.sha256(repr((said, item.question)).encode()).digest()


def save_answers(path: Path, answers: Answers) -> None:
    """Writes answers atomically, with hidden states in half precision. Raises OSError."""
    layers = sorted({layer for answer in answers.values() for layer in answer.states})
    states = [[answer.states[layer] for layer in layers] for answer in answers.values()]
    arrays: dict[str, NDArray[Any]] = {
        "keys": np.frombuffer(b"".join(answers), dtype=np.uint8).reshape(-1, _DIGEST),
        "index": np.array([answer.index for answer in answers.values()], dtype=np.int64),
        "counts": np.array([len(answer.probabilities) for answer in answers.values()], dtype=np.int64),
        "probabilities": np.array([share for answer in answers.values() for share in answer.probabilities]),
        "permitted_mass": np.array([answer.permitted_mass for answer in answers.values()]),
        "layers": np.array(layers, dtype=np.int64),
        "states": np.array(states, dtype=np.float16),
    }
    save_arrays(path, arrays)


def load_answers(path: Path) -> Answers:
    """Reads what `save_answers` wrote; empty if the file is missing or damaged."""
    answers: Answers = {}
    with suppress(OSError, EOFError, BadZipFile, ValueError, KeyError), np.load(path, allow_pickle=False) as data:
        ends = np.cumsum(data["counts"])
        shares = np.split(data["probabilities"], ends[:-1])
        layers = data["layers"].tolist()
        states = data["states"].astype(np.float32)
        read = {
            key.tobytes(): Answer(
                int(data["index"][place]),
                tuple(shares[place].tolist()),
                float(data["permitted_mass"][place]),
                dict(zip(layers, states[place], strict=True)),
            )
            for place, key in enumerate(data["keys"])
        }
        answers = read
    return answers
