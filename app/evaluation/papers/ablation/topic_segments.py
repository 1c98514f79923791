"""Segmentation by the LLM, as in SchemaRAG: sentences are joined into parts about one topic.

The model is asked at every sentence boundary whether a new topic begins, all in one batch, so that it cannot alter the
text itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from extraction.filling.prompts import read_prompts
from extraction.language.sentences import Segment
from models.base.progress import ProgressMonitor
from models.runtimes.closed_questions import Question, ask
from models.runtimes.llm import LlamaRuntime

_PROMPTS = Path(__file__).with_name("prompts") / "segment.toml"
_BLOCK = 40


def join_by_topic(
    text: str,
    sentences: Sequence[Segment],
    llm: LlamaRuntime,
    monitor: ProgressMonitor,
) -> tuple[Segment, ...]:
    """Joins sentences unless the model sees a new topic; a long transcript is read in blocks of sentences."""
    if not sentences:
        return ()
    texts = read_prompts(_PROMPTS)
    begins = [sentences[0]]
    ends: list[int] = []
    for start in range(0, len(sentences), _BLOCK):
        block = sentences[max(start - 1, 0) : start + _BLOCK]
        llm.set_prefix(texts["before"], [text[block[0].start : block[-1].end]], texts["after"], monitor.cancelled)
        questions = [
            Question(texts["boundary"].format(before=a.text, next=b.text), (" Yes", " No")) for a, b in pairwise(block)
        ]
        answers = ask(llm, questions, monitor)
        for (before, after), answer in zip(pairwise(block), answers, strict=True):
            if answer.index == 0:
                ends.append(before.end)
                begins.append(after)
    ends.append(sentences[-1].end)
    return tuple(
        Segment(index, first.start, end, text[first.start : end])
        for index, (first, end) in enumerate(zip(begins, ends, strict=True))
    )
