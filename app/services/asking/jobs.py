"""The jobs of questions: their subjects and results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.asking.answer import Answer, Citation
from app.services.engine.job_lanes import JobKind
from extraction.questions.query import Query, Understood


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was understood, and its answer."""

    understood: Understood
    answer: Answer


ASK = JobKind[str, Asked]("ask", passing=True)
ANSWER_TREE = JobKind[Query, Asked]("answer tree", passing=True)
CITE = JobKind[tuple[int, ...], dict[int, Citation]]("cite", passing=True)
EXPORT_ANSWER = JobKind[Path, None]("export answer")
