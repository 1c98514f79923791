"""Answers a query tree from what is charted, from the leaves up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.asking.answer import Answer, Kind
from app.asking.conditions import Patients
from app.asking.courses import missing, sequence
from app.asking.figures.comparisons import UnitMisfit
from app.asking.figures.figure import Charts
from app.asking.heads import compare_head, refusal_head, selection_head
from app.asking.leaves import Facts, Flags, Reach, Source, needs
from app.asking.quotes import Similarity, quotes
from app.asking.selection import Selector
from app.asking.summaries import count, difference, group, over_patients
from app.asking.toggling import could_change
from extraction.flowsheet.schema import Schema
from extraction.questions.query import (
    Compare,
    CountPatients,
    Group,
    Missing,
    OverPatients,
    Query,
    Quote,
    Reason,
    Refusal,
    Select,
    Subject,
)
from extraction.questions.ward import WardPatient

MOST_LEAVES = 12


@dataclass(frozen=True, slots=True)
class Chart:
    """What questions are answered from.

    Attributes:
        patients: those of the ward.
        others: further patients whom a question may name, such as discharged ones.
        now: the clock, by which "so far" and "since" are reckoned.
        flags: tells which values were flagged when they were confirmed.
        similarity: compares a topic with sentences; None to compare words.
    """

    source: Source
    schema: Schema
    patients: tuple[WardPatient, ...]
    now: datetime
    flags: Flags = lambda _: {}
    others: tuple[WardPatient, ...] = ()
    similarity: Similarity | None = None

    def of(self, subject: Subject) -> tuple[WardPatient, ...]:
        """Whom a question is about, in order of beds."""
        if subject.patient_ids is None:
            return self.patients
        known = {one.id: one for one in (*self.others, *self.patients)}
        return tuple(known[one] for one in subject.patient_ids if one in known)


def answer(query: Query, chart: Chart) -> Answer:
    """The answer, without citations. What cannot be answered is refused, never guessed."""
    needed = list(needs(query, chart.schema))
    if len({reach for _, reach in needed}) > MOST_LEAVES or any(map(_is_everything, needed)):
        return refused(Refusal(Reason.NOT_UNDERSTOOD), chart.now, query)
    facts = Facts(chart.source, chart.flags, chart.now)
    facts.read((reach, [one.id for one in chart.of(subject)]) for subject, reach in needed)
    try:
        return _answer(query, chart, Patients(facts, Charts(chart.schema, chart.now)))
    except UnitMisfit as misfit:
        return refused(Refusal(Reason.UNIT, str(misfit)), chart.now, query)


def _is_everything(needed: tuple[Subject, Reach]) -> bool:
    """Whether all that was ever charted of the ward would be read."""
    subject, reach = needed
    return subject.patient_ids is None and reach.row_ids is None and reach.since is None


def refused(refusal: Refusal, now: datetime, query: Query | None = None) -> Answer:
    """The answer that says why there is none."""
    return Answer(Kind.REFUSED, refusal_head(refusal), query, now, refusal=refusal)


def _answer(query: Query, chart: Chart, patients: Patients) -> Answer:
    match query:
        case Select():
            return _select(query, chart, patients)
        case CountPatients() | OverPatients() | Group():
            return _summary(query, chart, patients)
        case Compare():
            return _compare(query, [_answer(one, chart, patients) for one in (query.left, query.right)], chart)
        case Missing():
            return missing(query, chart.of(query.subject), patients)
        case Quote():
            return quotes(query, chart.of(query.subject), chart.source, chart.similarity, chart.now)
    return sequence(query, chart.of(query.subject), patients)


def _select(query: Select, chart: Chart, patients: Patients) -> Answer:
    selector = Selector(query, patients, chart.of(query.subject))
    found, picked = selector.select()
    changing = could_change(
        selector, picked, lambda those: [(one.patient.id, one.rows) for one in selector.ordered(those)]
    )
    return Answer(
        Kind.TABLE,
        selection_head(found, len(changing), chart.now),
        query,
        chart.now,
        columns=found.columns,
        lines=found.lines,
        ordered=query.order is not None,
        not_charted=found.not_charted,
        certain=found.certain,
        possible=found.possible,
        could_change=changing,
    )


def _summary(query: CountPatients | OverPatients | Group, chart: Chart, patients: Patients) -> Answer:
    selector = Selector(query.of, patients, chart.of(query.of.subject))
    found, picked = selector.select()
    if isinstance(query, CountPatients):
        return count(query, selector, found, picked)
    if isinstance(query, OverPatients):
        return over_patients(query, selector, found, picked)
    return group(query, selector, found, picked)


def _compare(query: Compare, parts: Sequence[Answer], chart: Chart) -> Answer:
    left, right = parts
    for part in parts:
        if part.refusal:
            return replace(part, query=query)
    number, arithmetic = difference(left, right)
    same = left.columns == right.columns and {left.kind, right.kind} == {Kind.TABLE}
    return Answer(
        Kind.TABLE,
        compare_head(left, right, number),
        query,
        chart.now,
        columns=left.columns if same else (),
        lines=(*left.lines, *right.lines) if same else (),
        not_charted=tuple(dict.fromkeys((*left.not_charted, *right.not_charted))),
        number=number,
        arithmetic=arithmetic,
        parts=(left, right),
        could_change=tuple(sorted({*left.could_change, *right.could_change})),
    )
