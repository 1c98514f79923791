"""Row by row, where the same questions come twice: first while somebody speaks, then of the finished text.

An answer depends on the question and on the text up to its sentence, and on nothing else. So a dictation that was read
while it was spoken is asked only what was written otherwise since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from extraction.fill import Window
from extraction.rowwise import RowwiseFiller, _Asked
from models.ask import Answer
from models.llm import LlamaRuntime
from models.progress import CancelledCallback, ProgressCallback

Answers = dict[bytes, Answer]  # by a digest: they may be kept for longer than what was said
_MOST = 400  # of 90 kB each: those of the last three dictations or so


class _Keyed(RowwiseFiller):
    def __init__(self, llm: LlamaRuntime, answers: Answers) -> None:
        super().__init__(llm)
        self._answers = answers

    def _keys(self, window: Window, items: Sequence[_Asked]) -> Iterator[bytes]:
        first = window.segments[0].index
        for item in items:
            said = [segment.text for segment in window.segments[: item.behind.index - first + 1]]
            yield hashlib.sha256(repr((said, self._question(item))).encode()).digest()


class NotingFiller(_Keyed):
    """Keeps its latest answers in `answers`."""

    def _ask(
        self, window: Window, items: Sequence[_Asked], progress: ProgressCallback, cancelled: CancelledCallback
    ) -> list[Answer]:
        found = super()._ask(window, items, progress, cancelled)
        for key, answer in zip(self._keys(window, items), found, strict=True):
            self._answers.pop(key, None)  # so that it counts among the latest
            self._answers[key] = answer
        while len(self._answers) > _MOST:
            del self._answers[next(iter(self._answers))]
        return found


class RecallingFiller(_Keyed):
    """Asks only what has no answer in `answers`."""

    def _ask(
        self, window: Window, items: Sequence[_Asked], progress: ProgressCallback, cancelled: CancelledCallback
    ) -> list[Answer]:
        known = [self._answers.get(key) for key in self._keys(window, items)]
        new = [item for item, answer in zip(items, known, strict=True) if answer is None]
        answers = iter(super()._ask(window, new, progress, cancelled) if new else ())
        return [next(answers) if answer is None else answer for answer in known]
