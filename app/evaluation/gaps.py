"""Measures what is offered before filing: of values that were charted and are taken away again, how many are named.

Each file of cases is one author. What is usual is counted in the cases of the others; nobody's own cases are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.chart.gaps.gaps import SHOWN_FIRST, GapReason, gaps_of
from app.chart.gaps.habits import ChartingHabits
from app.chart.records import Dictation, Patient, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet, sentences_of
from app.record.run import LikelyRows, RunRecord
from app.record.values import Evidence
from app.services.handover.stated_rows import rows_stated
from extraction.annotation.case_files import Case, Observation
from extraction.flowsheet.schema import Schema
from extraction.retrieval.likely_rows import LikelyRows as Likely
from extraction.retrieval.likely_rows import of_clauses
from models.base.progress import ProgressMonitor, stop_if
from speech.transcript import Transcript


@dataclass(slots=True)
class Offers:
    """Counts over cases.

    Attributes:
        taken: required rows that were taken away, one at a time.
        named: how many of them were offered among the first.
        by_words, by_habit: how many would be if only words in no value, or only what is usual, decided.
        complete: cases in which nothing was taken away.
        demanded: rows that were offered among the first in those because the schema requires them.
        noise: other rows that were offered among the first there, and that may not be charted.
        acceptable: other rows that were offered among the first there, and that may be charted.
    """

    taken: int = 0
    named: int = 0
    by_words: int = 0
    by_habit: int = 0
    complete: int = 0
    demanded: int = 0
    noise: int = 0
    acceptable: int = 0

    def add(self, other: Offers) -> None:
        for name in Offers.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_json(self) -> dict[str, Any]:
        return {
            "taken_away": self.taken,
            "offered": _share(self.named, self.taken),
            "offered_by_words_alone": _share(self.by_words, self.taken),
            "offered_by_habit_alone": _share(self.by_habit, self.taken),
            "complete_dictations": self.complete,
            "required_per_dictation": _share(self.demanded, self.complete),
            "noise_per_dictation": _share(self.noise, self.complete),
            "acceptable_per_dictation": _share(self.acceptable, self.complete),
        }


def measure(authors: Sequence[Sequence[Case]], schema: Schema, monitor: ProgressMonitor) -> Offers:
    """Counts over the cases of all authors of one schema, each with the habits of the others."""
    total = Offers()
    for place, cases in enumerate(authors):
        others = [case for other, of in enumerate(authors) if other != place for case in of]
        habits = habits_of(others)
        for case in cases:
            stop_if(monitor.cancelled)
            total.add(_of_case(case, schema, habits))
    return total


def habits_of(cases: Iterable[Case]) -> ChartingHabits:
    """What cases chart, as if each were a filed dictation."""
    charted = [{one.row_id for one in case.observations} for case in cases]
    return ChartingHabits(len(charted), Counter(row_id for rows in charted for row_id in rows))


def _of_case(case: Case, schema: Schema, habits: ChartingHabits) -> Offers:
    sheet = _sheet(case, schema)
    found = Offers(complete=1)
    may = {one.row_id for one in case.acceptable or ()}
    for gap in gaps_of(sheet, habits, rows_stated(sheet))[:SHOWN_FIRST]:
        if gap.row.required:
            found.demanded += 1
        elif gap.row.id in may:
            found.acceptable += 1
        else:
            found.noise += 1
    for row_id in dict.fromkeys(one.row_id for one in case.observations):
        row = schema.row(row_id)
        if row.formula is not None or row.unit_of is not None:
            continue  # follows from others
        lacking = replace(sheet, values=tuple(one for one in sheet.values if one.row_id != row_id))
        gaps = gaps_of(lacking, habits, rows_stated(lacking))
        found.taken += 1
        found.named += row_id in {one.row.id for one in gaps[:SHOWN_FIRST]}
        for reason, name in ((GapReason.SAID, "by_words"), (GapReason.USUAL, "by_habit")):
            alone = [one.row.id for one in gaps if reason in one.reasons][:SHOWN_FIRST]
            setattr(found, name, getattr(found, name) + (row_id in alone))
    return found


def _sheet(case: Case, schema: Schema) -> Sheet:
    """The sheet on which everything that a case requires is charted; its words are matched with rows by words alone."""
    transcript = Transcript(case.text)
    sentences = sentences_of(transcript)
    spans = (Likely(one.start, one.end, ()) for one in sentences)
    likely = tuple(LikelyRows(one.start, one.end, one.row_ids) for one in of_clauses(case.text, schema, spans))
    return Sheet(
        dictation=Dictation(1, 1, "text", Path(), "", "", 1, "filled", "", case.dictated_at.isoformat()),
        patient=Patient(1, "", "", ""),
        schema=schema,
        transcript=transcript,
        values=tuple(_values(case)),
        can_undo=False,
        run=RunRecord(likely=likely),
        sentences=sentences,
    )


def _values(case: Case) -> Iterator[ReviewedValue]:
    for number, one in enumerate(case.observations, start=1):
        yield ReviewedValue(
            number, 1, one.row_id, None, one.value, None, ReviewStatus.ADDED, "", "", quote=_quote(case, one)
        )


def _quote(case: Case, one: Observation) -> Evidence | None:
    start = case.text.find(one.words) if one.words else -1
    return Evidence(start, start + len(one.words), one.words, start, start + len(one.words)) if start >= 0 else None


def _share(part: int, of: int) -> float:
    return round(part / of, 3) if of else 0.0
