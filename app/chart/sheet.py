"""A dictation under review, and the rules for what a person enters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from app.chart.computed_rows import Score, differences, scores_of
from app.chart.dictation_identity import IdentityQuestion, LeftOut
from app.chart.lights import Lighting, LitBy
from app.chart.records import Dictation, Filing, IdentityAnswer, Patient, Placed, ReviewedValue, ReviewStatus
from app.chart.trends import Earlier
from extraction.flowsheet.findings import Finding, texts
from extraction.flowsheet.ranges import impossible_words, is_impossible
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.unit_conversion import convert
from extraction.flowsheet.validation import chart_unit, normalise
from extraction.flowsheet.values import Evidence, FilledValue, Value
from extraction.language.sentences import Segment, segment
from extraction.preparation.prepared_transcript import SetAside
from models.errors import InputError, WardlightError
from speech.transcript import Transcript

MAYBE_FROM = 0.05  # below, what was held back is hardly ever right
MAYBE_SHOWN = 12
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class DictationSummary:
    """A dictation as a list shows it.

    Attributes:
        proposed: how many values nobody has decided about.
        lit: how many of these are lit; None while it is not known.
        filed: whether it is filed.
        empty: it has no values at all, not even rejected ones.
        decided: about how many values somebody has decided.
    """

    dictation: Dictation
    patient: Patient
    proposed: int
    lit: int | None = None
    filed: bool = False
    empty: bool = False
    decided: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """All patients, and all dictations, newest first; `partial` while of some it is not known how much is lit."""

    patients: tuple[Patient, ...]
    entries: tuple[DictationSummary, ...]
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A dictation under review.

    Attributes:
        sentences: those of its transcript, see `sentences_of`.
        lights: by id why a proposal is lit by what weighed it; proposals that are not are not in it. See `reasons`.
        lighting: what decided about the lights; None before anything was filled.
        conflicts: by id of a value what else stands in its place in the chart, and says something else.
        earlier: what stands in the patient's chart from earlier assessments.
        filing: that it is filed; None while it is not.
        identity_question: it names others than its patient, and nobody has said yet whose it is: see
            `app.chart.dictation_identity`. None where nothing is in doubt, or it was answered.
        identity_answer: who has said that it is its patient's, where that was in doubt.
        left_out: what it says about others, which was set aside.
    """

    dictation: Dictation
    patient: Patient
    schema: Schema
    transcript: Transcript | None
    values: tuple[ReviewedValue, ...]
    can_undo: bool
    sentences: tuple[Segment, ...] = ()
    lights: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    lighting: Lighting | None = None
    conflicts: Mapping[int, tuple[Placed, ...]] = field(default_factory=dict)
    earlier: Earlier = field(default_factory=Earlier)
    filing: Filing | None = None
    identity_question: IdentityQuestion | None = None
    identity_answer: IdentityAnswer | None = None
    left_out: tuple[LeftOut, ...] = ()

    @property
    def scores(self) -> tuple[Score, ...]:
        """What the schema's formulas make of the values as they stand."""
        return scores_of(self.values, self.schema)

    @property
    def reasons(self) -> dict[int, tuple[str, ...]]:
        """By id all reasons to look at a value: that it is impossible, that its components add up to another one,
        and its lights."""
        found = dict(self.lights)
        for more in (differences(self.scores), self._impossible):
            found |= {value_id: (words, *found.get(value_id, ())) for value_id, words in more.items()}
        return found

    @property
    def _impossible(self) -> dict[int, str]:
        """By id of a value that can never be charted why."""
        rows = {value.id: (self.schema.row(value.row_id), value.value) for value in self.values}
        return {value_id: impossible_words(*one) for value_id, one in rows.items() if is_impossible(*one)}

    @property
    def lit_by(self) -> LitBy:
        return self.lighting.decides(self.dictation.run.weighed_by) if self.lighting else LitBy.CONFIDENCE

    def count(self, *statuses: ReviewStatus) -> int:
        return sum(value.status in statuses for value in self.values)

    def evidence_of(self, value: ReviewedValue) -> Evidence | None:
        """Where in this sheet's transcript a value was said; None for one added by hand or read from a former one."""
        return value.filled.evidence if value.filled and self._was_said(value.filled) else None

    def _was_said(self, filled: FilledValue) -> bool:
        said = filled.evidence
        return self.transcript is not None and self.transcript.text[said.start : said.end] == said.text

    @property
    def exportable(self) -> int:
        """How many values stand in the chart."""
        return sum(value.stands for value in self.values)

    @property
    def maybe(self) -> tuple[FilledValue, ...]:
        """What the run read but held back, best first: the few values that are worth a look.

        Rows that have a value, whatever was decided about it, are left out.
        """
        charted = {value.row_id for value in self.values}
        found: dict[tuple[str, Value], FilledValue] = {}
        for filled in sorted(self.dictation.run.held_back, key=lambda filled: -filled.confidence):
            if filled.row_id not in charted and filled.confidence >= MAYBE_FROM and self._was_said(filled):
                found.setdefault((filled.row_id, filled.value), filled)
        return tuple(found.values())[:MAYBE_SHOWN]

    @property
    def uncharted(self) -> tuple[Segment, ...]:
        """The sentences in which no value was said, rejected ones aside, and what was set aside on purpose in place of
        its sentences: what the speaker took back, parts about other patients, categories without defined limits."""
        covered: set[int] = set()
        for value in self.values:
            said = self.evidence_of(value) if value.status is not ReviewStatus.REJECTED else None
            if said:
                first = bisect_right(self.sentences, said.start, key=lambda sentence: sentence.end)
                behind = bisect_left(self.sentences, said.end, key=lambda sentence: sentence.start)
                covered.update(range(first, behind))
        for aside in self._still_aside():
            first = bisect_left(self.sentences, aside.start, key=lambda sentence: sentence.start)
            behind = bisect_right(self.sentences, aside.end, key=lambda sentence: sentence.end)
            covered.update(range(first, behind))
        left = [self._with_reason(sentence) for place, sentence in enumerate(self.sentences) if place not in covered]
        return tuple(sorted([*left, *self._set_aside(left)], key=lambda sentence: sentence.start))

    def _with_reason(self, sentence: Segment) -> Segment:
        """A sentence with why something in it was set aside."""
        why = [one.why for one in self._still_aside() if sentence.start <= one.start and one.end <= sentence.end]
        return replace(sentence, text=f"{sentence.text} ({'; '.join(dict.fromkeys(why))})") if why else sentence

    def _still_aside(self) -> list[SetAside]:
        """What the run set aside of the transcript as it is now."""
        text = self.transcript.text if self.transcript else ""
        return [one for one in self.dictation.run.set_aside if text[one.start : one.end] == one.text]

    def _set_aside(self, shown: Sequence[Segment]) -> Iterator[Segment]:
        """What the run set aside, as far as it is not within a sentence that is shown anyway."""
        for one in self._still_aside():
            if not any(sentence.start <= one.start and one.end <= sentence.end for sentence in shown):
                yield Segment(len(self.sentences), one.start, one.end, f"{one.text} ({one.why})")


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """The values of a dictation after a step of review, and what conflicts with them (see `Sheet`).

    Attributes:
        undone: the ids of the values that an undo brought back; None after any other step.
    """

    dictation_id: int
    values: tuple[ReviewedValue, ...]
    can_undo: bool
    conflicts: Mapping[int, tuple[Placed, ...]] = field(default_factory=dict)
    undone: tuple[int, ...] | None = None

    @property
    def complete(self) -> bool:
        """Whether somebody has decided about every value."""
        return not any(value.status is ReviewStatus.PROPOSED for value in self.values)


def provisional(patient: Patient, schema: Schema, values: Sequence[FilledValue], text: str) -> Sheet:
    """What is proposed while a dictation is spoken, to be looked at; nothing of it is stored. A row keeps its id.

    Lit is what has flags: the confidences still change with every sentence.
    """
    number = {row.id: place for place, row in enumerate(schema.rows, start=1)}
    shown = {value.row_id: value for value in reversed(values)}
    return Sheet(
        dictation=Dictation(0, 0, "audio", Path(), "", "", 0, "recorded", "", ""),
        patient=patient,
        schema=schema,
        transcript=Transcript(text),
        values=tuple(
            ReviewedValue(number[row], 0, row, value, value.value, value.unit, ReviewStatus.PROPOSED, "", "")
            for row, value in shown.items()
        ),
        can_undo=False,
        lights={number[row]: value.flags for row, value in shown.items() if value.flags},
    )


def sentences_of(transcript: Transcript | None) -> tuple[Segment, ...]:
    """The sentences that are long enough to state something, in order; on a long text this takes a while."""
    return _sentences_in(transcript.text) if transcript else ()


@lru_cache(maxsize=4)  # a dictation is read several times in a row
def _sentences_in(text: str) -> tuple[Segment, ...]:
    return tuple(sentence for sentence in segment(text) if len(sentence.text.split()) >= _FEWEST_WORDS)


def check(row: Row, value: Value, unit: str | None) -> tuple[Value, str | None, tuple[Finding, ...]]:
    """A value entered by hand in the row's type and unit, and what looks wrong with it."""
    own = chart_unit(row)
    if row.value_type is ValueType.QUANTITY and isinstance(value, float) and unit and own and unit != own:
        try:
            value = convert(value, unit, own)
        except ValueError as error:
            raise InputError(f"{row.name}: {error}.", "Choose another unit.") from error
    return normalise(row, value)


def concerns(row: Row, value: ReviewedValue) -> tuple[str, ...]:
    """Why a value needs a second look: what the filler noted, or, once a person changed it, what it shows now."""
    if value.status in (ReviewStatus.EDITED, ReviewStatus.ADDED) or value.filled is None:
        try:
            return texts(check(row, value.value, value.unit)[2])
        except WardlightError as error:
            return (error.what,)
    return value.filled.notes
