"""A dictation under review, and the checks of what a person enters."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.chart.cells import Cell, beside, cell_of, column_at, column_of, contradictions, differ, local_of
from app.chart.computed_rows import Score, differences, scores_of
from app.chart.dictation_identity import IdentityQuestion, LeftOut
from app.chart.lights import LightsBasis, LitBy, disputed_beside
from app.chart.quotes import around
from app.chart.records import ChartEntry, Dictation, Filing, IdentityAnswer, Patient, ReviewedValue, ReviewStatus
from app.chart.trends import Charted, charted
from app.chart.uncharted import counted_in, uncharted
from app.record.run import NO_RUN, RunRecord, SetAside
from app.record.values import Evidence, ProposedValue
from extraction.flowsheet.findings import Finding, reason_texts
from extraction.flowsheet.ranges import RangeLevel, impossible_words, is_impossible, level
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, ValueType
from extraction.flowsheet.unit_conversion import convert
from extraction.flowsheet.validation import chart_unit, display, normalise
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment, segment, states_something
from extraction.language.spans import Span, overlap
from models.base.errors import InputError, WardlightError
from models.base.text_caches import text_cache
from speech.transcript import Transcript

# findings that a number was said of something else
_OF_OTHERS = frozenset({"number_of_row", "number_of_instance", "may_belong", "unit_contradicted", "other_amount"})
MAYBE_FROM = 0.05  # held-back values below this confidence are hardly ever right
MAYBE_SHOWN = 12


@dataclass(frozen=True, slots=True)
class DictationSummary:
    """A dictation as shown in a list.

    Attributes:
        proposed: number of undecided values.
        to_check: how many of them are to check, see `Sheet.to_check`; None if not known yet.
        filed: whether it is filed.
        empty: whether it has no values at all, not even rejected ones.
        decided: number of decided values.
    """

    dictation: Dictation
    patient: Patient
    proposed: int
    to_check: int | None = None
    filed: bool = False
    empty: bool = False
    decided: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """All patients, and all dictations, newest first.

    Attributes:
        partial: whether the numbers to check of some dictations are not known as they are now.
        entry_to_come: see `app.services.review.cautions.entry_to_come`.
    """

    patients: tuple[Patient, ...]
    entries: tuple[DictationSummary, ...]
    partial: bool = False
    entry_to_come: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A dictation under review.

    Attributes:
        run: the record of its last run.
        sentences: the sentences of its transcript, see `sentences_of`.
        lights: by value id, why a proposal is lit; has only lit proposals. See `reasons`.
        lighting: what they are based on; None if not determined.
        conflicts: by value id, the differing values charted in its cell.
        others: what other dictations of the patient charted, with what values of this one replaced when it was read.
        read_before: what was read of it for another patient, until it is read for this one.
        filing: None unless it is filed.
        identity_question: the open question whose dictation it is, if it names others than its patient, see
            `app.chart.dictation_identity`. None if there is no doubt or it was answered.
        identity_answer: the answer that it is its patient's, if that was in doubt.
        left_out: what it says about others, which was set aside.
    """

    dictation: Dictation
    patient: Patient
    schema: Schema
    transcript: Transcript | None
    values: tuple[ReviewedValue, ...]
    can_undo: bool
    run: RunRecord = NO_RUN
    sentences: tuple[Segment, ...] = ()
    lights: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    lighting: LightsBasis | None = None
    conflicts: Mapping[int, tuple[ChartEntry, ...]] = field(default_factory=dict)
    others: tuple[ChartEntry, ...] = ()
    read_before: tuple[ProposedValue, ...] = ()
    filing: Filing | None = None
    identity_question: IdentityQuestion | None = None
    identity_answer: IdentityAnswer | None = None
    left_out: tuple[LeftOut, ...] = ()

    @property
    def scores(self) -> tuple[Score, ...]:
        """Scores computed from the current values; none while they are still read (see `provisional`)."""
        return scores_of(self.values, self.schema) if self.dictation.id else ()

    @property
    def column(self) -> str:
        """The chart's time column of this dictation."""
        return column_at(self.dictation.created_at)

    @property
    def charted(self) -> Charted:
        """What other dictations charted, as it stands beside the current values of this one."""
        own: defaultdict[Cell, list[ReviewedValue]] = defaultdict(list)
        for one in self.placed:
            if one.value.stands:
                own[cell_of(one)].append(one.value)
        return charted(one for one in self.others if not _is_replaced(one.value, own.get(cell_of(one), ())))

    @property
    def earlier(self) -> Charted:
        """What other dictations charted up to the minute of this one."""
        return self.charted.until(self.column)

    @property
    def placed(self) -> tuple[ChartEntry, ...]:
        """The values of this dictation, in their places of the chart."""
        return tuple(ChartEntry.of(value, self.dictation) for value in self.values)

    @property
    def day(self) -> dt.date:
        """The ward's date on which it was dictated."""
        return local_of(self.dictation.created_at).date()

    @property
    def reasons(self) -> dict[int, tuple[str, ...]]:
        """By id, why to check a value, the most decisive reason first: it is lit, impossible, not the only one, in
        contradiction to another, not what its formula gives, or what else was read from its words was disputed."""
        found = defaultdict(list, {value_id: list(why) for value_id, why in self.lights.items()})
        for more in (
            disputed_beside(self.values, self.schema),
            differences(self.scores),
            self._several,
            self._impossible,
        ):
            for value_id, finding in more.items():
                found[value_id].append(finding)
        for one, other in self.contradictions:
            for mine, its in ((one, other), (other, one)):
                row = self.schema.row(its.row_id)
                found[mine.id].append(Finding("contradicts_row", (row.name, display(row, its.value))))
        return {value_id: reason_texts(why) for value_id, why in found.items()}

    @property
    def contradictions(self) -> tuple[tuple[ReviewedValue, ReviewedValue], ...]:
        """Pairs of values of one time that by the schema cannot both be so."""
        return tuple(contradictions(self.placed, self.schema))

    @property
    def contradiction_words(self) -> tuple[str, ...]:
        """The contradictions in words, such as "Pain present: No and Pain score: 7"."""
        return tuple(
            " and ".join(f"{self.schema.row(value.row_id).name}: {self._words_of(value)}" for value in pair)
            for pair in self.contradictions
        )

    @property
    def to_check(self) -> frozenset[int]:
        """Ids of the proposals that a person must look at, because they are in conflict or have `reasons`."""
        calling = self.reasons.keys() | self.conflicts.keys()
        return frozenset(one.id for one in self.values if one.id in calling and one.status is ReviewStatus.PROPOSED)

    @property
    def _several(self) -> dict[int, Finding]:
        """By id of a value that is not the only one of its row and time in this dictation, the others."""
        return {
            value_id: Finding("several_said", (", ".join(self._words_of(one) for one in others),))
            for value_id, others in beside(self.placed).items()
        }

    @property
    def read_several_times(self) -> frozenset[str]:
        """Ids of the rows with several values that stand or wait."""
        left = (one for one in self.values if one.status is not ReviewStatus.REJECTED and one.replaced_by is None)
        return frozenset(row_id for row_id, count in Counter(one.row_id for one in left).items() if count > 1)

    def waiting(self, row_id: str) -> tuple[ReviewedValue, ...]:
        """The proposals of a row, the latest observed first."""
        own = [one for one in self.values if one.row_id == row_id and one.status is ReviewStatus.PROPOSED]
        return tuple(sorted(own, key=lambda one: column_of(ChartEntry.of(one, self.dictation)), reverse=True))

    def words_around(self, value: ReviewedValue, most: int) -> str:
        """The words that a value was read from with about `most` characters before and after; empty without any."""
        said = self.evidence_of(value)
        if said is None or self.transcript is None:
            return ""
        text, sentence = self.transcript.text, (said.sentence_start, said.sentence_end)
        before, after = around(text, said.start, said.end, sentence, most)
        return f"{before}{said.text}{after}"

    def _words_of(self, value: ReviewedValue) -> str:
        return display(self.schema.row(value.row_id), value.value)

    @property
    def _impossible(self) -> dict[int, Finding]:
        """By id of a value that can never be charted, the reason."""
        rows = {value.id: (self.schema.row(value.row_id), value.value) for value in self.values}
        return {
            value_id: Finding("impossible", (impossible_words(*one),))
            for value_id, one in rows.items()
            if is_impossible(*one)
        }

    @property
    def lit_by(self) -> LitBy:
        return self.lighting.by if self.lighting else LitBy.CONFIDENCE

    @property
    def answered_last(self) -> bool:
        """Whether the latest decision is the answer to whose it is."""
        answer = self.identity_answer
        return answer is not None and all(value.reviewed_at <= answer.answered_at for value in self.values)

    def count(self, *statuses: ReviewStatus) -> int:
        return sum(value.status in statuses for value in self.values)

    def evidence_of(self, value: ReviewedValue) -> Evidence | None:
        """Where in this transcript a value was said; None if nowhere, or in an earlier transcript."""
        return value.evidence if value.evidence and self._was_said(value.evidence) else None

    def quote_of(self, line: Segment) -> Evidence:
        """The words of a line of `uncharted`, as the evidence of a value that is added for it."""
        assert self.transcript, "the line has its words there"
        inside = (one for one in self.sentences if one.start <= line.start and line.end <= one.end)
        sentence = next(inside, line)
        text = self.transcript.text[line.start : line.end]
        return Evidence(line.start, line.end, text, sentence.start, sentence.end)

    def _was_said(self, said: Evidence) -> bool:
        return self.transcript is not None and self.transcript.text[said.start : said.end] == said.text

    @property
    def exportable(self) -> int:
        """Number of values that are charted."""
        return sum(value.stands for value in self.values)

    @property
    def maybe(self) -> tuple[ProposedValue, ...]:
        """The few held-back values of the run that are worth a look, most confident first, unlikely ones last.

        Rows that have a value, whatever was decided about it, are left out; of a row of which only such values were
        rejected, the others remain.
        """
        held_back = self.run.held_back
        rejected = {
            (value.row_id, value.value)
            for value in self.values
            if value.status is ReviewStatus.REJECTED and value.filled in held_back
        }
        charted = {value.row_id for value in self.values if (value.row_id, value.value) not in rejected}
        found: dict[tuple[str, Value], ProposedValue] = {}
        for filled in sorted(held_back, key=lambda filled: (self._is_unlikely(filled), -filled.confidence)):
            is_open = filled.row_id not in charted and (filled.row_id, filled.value) not in rejected
            if is_open and filled.confidence >= MAYBE_FROM and self._was_said(filled.evidence):
                found.setdefault((filled.row_id, filled.value), filled)
        return tuple(found.values())[:MAYBE_SHOWN]

    def _is_unlikely(self, filled: ProposedValue) -> bool:
        """Whether the range of a row or the unit of what was said speaks against a value that was held back."""
        row = self.schema.row(filled.row_id)
        if level(row, filled.value) >= RangeLevel.IMPLAUSIBLE or any(one.code in _OF_OTHERS for one in filled.findings):
            return True
        said = (filled.evidence.start, filled.evidence.end)
        sharing = (
            self.schema.row(one.row_id)
            for one in self.values
            if one.status is not ReviewStatus.REJECTED
            and (its := self.evidence_of(one))
            and overlap(said, (its.start, its.end))
        )
        numbers = (other for other in sharing if row.value_type in NUMBER_TYPES and other.value_type in NUMBER_TYPES)
        return any(chart_unit(row) != chart_unit(other) for other in numbers)  # a number has one unit

    @property
    def missing(self) -> tuple[Row, ...]:
        """The required rows without a value that is not rejected, in the schema's order; computed ones left out."""
        there = {value.row_id for value in self.values if value.status is not ReviewStatus.REJECTED}
        return tuple(row for row in self.schema.rows if row.required and row.formula is None and row.id not in there)

    @property
    def uncharted(self) -> tuple[Segment, ...]:
        """What was said and is in no value that stands or waits, see `app.chart.uncharted`."""
        if self.transcript is None:
            return ()
        charted: list[Span] = []
        counted: list[Span] = []
        by_hand: list[Span] = []  # lines that a person added a value for
        for value in self.values:
            said = self.evidence_of(value) if value.status is not ReviewStatus.REJECTED else None
            if said:
                by_hand += [(said.start, said.end)] if value.filled is None else []
                with_it = (*value.filled.taken_back, value.filled.timing) if value.filled else ()
                more = [(one.start, one.end) for one in with_it if one]
                charted += [(said.start, said.end), *more]
                counted += [*counted_in(self.schema.row(value.row_id), value.value, said), *more]
        doubtful = [
            (one.evidence.start, one.evidence.end)
            for one in self.run.held_back
            if one.confidence >= MAYBE_FROM and self._was_said(one.evidence)
        ]
        aside = [
            one
            for one in self._still_aside()
            if self._has_several_sentences(one) or not any(overlap((one.start, one.end), it) for it in by_hand)
        ]
        found = uncharted(self.transcript.text, self.sentences, charted, aside, self.schema, doubtful, counted)
        return tuple(
            line
            for line in found
            if self._has_several_sentences(line)
            or not any(line.start <= start and end <= line.end for start, end in by_hand)
        )

    def _has_several_sentences(self, words: SetAside | Segment) -> bool:
        """Whether words go over several sentences, so that one value does not say all of them."""
        return sum(overlap((words.start, words.end), (one.start, one.end)) for one in self.sentences) > 1

    def _still_aside(self) -> list[SetAside]:
        """What the run set aside, as far as it still matches the transcript."""
        text = self.transcript.text if self.transcript else ""
        return [one for one in self.run.set_aside if text[one.start : one.end] == one.text]


def _is_replaced(value: ReviewedValue, own: Sequence[ReviewedValue]) -> bool:
    """Whether the values of this dictation that stand in the place of another one's say something else."""
    return bool(own) and all(differ(value, mine) for mine in own)


def provisional(patient: Patient, schema: Schema, values: Sequence[ProposedValue], text: str) -> Sheet:
    """A sheet of the proposals in a dictation that is being spoken; nothing of it is stored. The readings of a row have
    fixed ids, in the order in which they were said.

    Only values with flags are lit, because confidences still change with every sentence.
    """
    number = {row.id: place for place, row in enumerate(schema.rows, start=1)}
    shown: dict[int, ProposedValue] = {}
    readings: Counter[str] = Counter()
    for value in sorted(values, key=lambda one: one.evidence.start):
        shown[number[value.row_id] + readings[value.row_id] * len(number)] = value
        readings[value.row_id] += 1
    now = dt.datetime.now(dt.UTC).isoformat()
    return Sheet(
        dictation=Dictation(0, 0, "audio", Path(), "", "", 0, "recorded", "", now),
        patient=patient,
        schema=schema,
        transcript=Transcript(text),
        values=tuple(
            ReviewedValue(
                key, 0, one.row_id, one, one.value, one.unit, ReviewStatus.PROPOSED, "", "", observed_at=one.observed_at
            )
            for key, one in shown.items()
        ),
        can_undo=False,
        lights={key: one.lighting for key, one in shown.items() if one.lighting},
    )


def sentences_of(transcript: Transcript | None) -> tuple[Segment, ...]:
    """The sentences that can state something, however short, in order; slow for a long text."""
    return _sentences_in(transcript.text) if transcript else ()


@text_cache(4)  # a dictation is read several times in a row
def _sentences_in(text: str) -> tuple[Segment, ...]:
    return tuple(sentence for sentence in segment(text) if states_something(sentence.text))


def check(row: Row, value: Value, unit: str | None) -> tuple[Value, str | None, tuple[Finding, ...]]:
    """Converts a value entered by hand to the row's type and unit, and returns it with findings about it.

    Raises InputError if it cannot be a value of the row.
    """
    own = chart_unit(row)
    if row.value_type is ValueType.QUANTITY and isinstance(value, float) and unit and own and unit != own:
        try:
            value = convert(value, unit, own)
        except ValueError as error:
            raise InputError(f"{row.name}: {error}.", "Choose another unit.") from error
    return normalise(row, value)


def concerns(row: Row, value: ReviewedValue) -> tuple[str, ...]:
    """Why a value needs a second look: the filler's notes or, if a person entered it, the findings of `check`."""
    if value.status in (ReviewStatus.EDITED, ReviewStatus.ADDED) or value.filled is None:
        try:
            return reason_texts(check(row, value.value, value.unit)[2])
        except WardlightError as error:
            return (error.what,)
    return reason_texts(one for one in value.filled.findings if not one.lights)
