"""START HERE for extraction: from a transcript to what is put before the nurse, the one chain of steps.

    prepare   what was taken back, is about others or charts a category by its definition is set aside; what is left
              is cut into sentences, and these where one speaks of several lines or wounds
    reduce    the rows that the sentences can mean, each at its times and for its line or wound
    read      every value that those rows may have, by the filler
    weigh     how likely each reading is right
    propose   one value a row, validated and in the chart's unit
    rules     what the words themselves say, see `extraction.rules.engine`

A finished text (`app.tasks.extract_text`), one that is still being spoken (`app.live_tasks`), a condition of an
ablation (`app.stages`) and learning, which stops after the readings (`app.learning`), all go through here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extraction.filling.proposals import Weighed, propose
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NO_PROPOSALS, Proposals
from extraction.language.sentences import Segment, segment
from extraction.meaning import NOTHING_BESIDE, Beside, Meaning
from extraction.preparation.instance_assignment import placed_readings
from extraction.preparation.other_patients import NAMES_NOBODY, Naming
from extraction.preparation.prepared_transcript import SetAside
from extraction.retrieval.reduction import Candidate, ReducedSchema
from extraction.rules.changes import NOT_MEASURED, Precisions

if TYPE_CHECKING:
    from extraction.confidence.learned_models import Learned

Cut = Callable[[str], tuple[Segment, ...]]
Reduce = Callable[[tuple[Segment, ...]], ReducedSchema]
Fill = Callable[[Task], Proposals]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a transcript gives.

    Attributes:
        candidates: the reduced schema, most relevant row first.
        set_aside: what was said and is not charted on purpose.
        naming: whom it names.
    """

    proposals: Proposals = NO_PROPOSALS
    candidates: tuple[Candidate, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    naming: Naming = NAMES_NOBODY


@dataclass(frozen=True, slots=True)
class Prepared:
    """A transcript, what it means as far as rules can tell, and what the models are to be asked of it."""

    transcript: str
    meaning: Meaning
    task: Task

    def charted(self, proposals: Proposals, precisions: Precisions = NOT_MEASURED) -> Extraction:
        """What comes of what was proposed of the task; `precisions` says how often each rule is right."""
        charted = self.meaning.charted(self.task, proposals, precisions)
        return Extraction(charted, self.task.reduced.candidates, self.meaning.set_aside, self.meaning.naming)


def extract(
    transcript: str,
    schema: Schema,
    *,
    reduce: Reduce,
    fill: Fill,
    cut: Cut = segment,
    beside: Beside = NOTHING_BESIDE,
    precisions: Precisions = NOT_MEASURED,
) -> Extraction:
    """All steps, one after the other; `cut`, `reduce` and `fill` are those that need models, `precisions` says how
    often each rule is right."""
    prepared = prepare(transcript, schema, reduce=reduce, cut=cut, beside=beside)
    return prepared.charted(fill(prepared.task), precisions)


def prepare(
    transcript: str, schema: Schema, *, reduce: Reduce, cut: Cut = segment, beside: Beside = NOTHING_BESIDE
) -> Prepared:
    """The steps up to what is to be read."""
    meaning = Meaning(transcript, schema, beside)
    sentences = cut(meaning.text)
    segments = meaning.parts(sentences)
    reduced = reduce(segments) if segments else ReducedSchema(())
    return Prepared(transcript, meaning, meaning.task(segments, reduced, sentences))


def weigh_and_propose(task: Task, readings: Sequence[Reading], learned: Learned, strategy: str) -> Proposals:
    """What is proposed of everything that was read of a task."""
    confidences, errors, features = learned.weigh(readings, len(task.segments))
    placed = placed_readings(task.plan, readings)
    weighed = map(Weighed, placed, confidences.tolist(), map(tuple, errors.tolist()), features)
    return propose(task, list(weighed), learned.acceptance.keep_from, strategy)
