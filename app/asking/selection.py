"""The table of a selection: which patients, in which order, with which values, and of whom nothing can be said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from app.asking.answer import Cell, Column, Line, NotCharted
from app.asking.cells import at_words, cell_of, fact_cell, is_any, number_in_cells, strength, title_of
from app.asking.conditions import Judgement, Met, Patients, may_be_absent
from app.asking.figures.amounts import local, minute, number_of, text_of, unit_of
from app.asking.figures.figure import Absent, Figure
from app.asking.leaves import values_of
from app.store.questions import Fact
from extraction.flowsheet.unit_conversion import unit_words
from extraction.questions.query import Aggregate, Balance, Order, Select, Value
from extraction.questions.ward import WardPatient


@dataclass(frozen=True, slots=True)
class Picked:
    """A patient of a selection with the cells of each of its lines.

    Attributes:
        figures: what the first value is made of: one, or one for each value of `ANY`.
        key: by which patients are ordered; None if it cannot be.
        low, high: the bounds of a number by which they are ordered.
        sure: whether the patient is selected whatever flagged values are.
    """

    patient: WardPatient
    rows: tuple[tuple[Cell, ...], ...]
    figures: tuple[Figure, ...] = ()
    key: Decimal | str | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Selection:
    """What a `Select` yields, in its order."""

    asked: Select
    subjects: tuple[WardPatient, ...]
    columns: tuple[Column, ...]
    picked: tuple[Picked, ...]
    not_charted: tuple[NotCharted, ...]
    certain: frozenset[int]
    possible: frozenset[int]

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(
            Line(cells, one.patient.id, one.patient.name, one.patient.bed or "")
            for one in self.picked
            for cells in one.rows
        )

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(one.patient.id for one in self.picked)


@dataclass(slots=True)
class Selector:
    """Reckons a selection; once more for single patients when a flagged value is taken to be wrong."""

    asked: Select
    patients: Patients
    subjects: tuple[WardPatient, ...]
    shown: tuple[Value | Balance, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.shown = self.asked.values or tuple(values_of(self.asked.where))

    # one patient

    def outcome(self, patient: WardPatient, reckoned: Patients | None = None) -> tuple[Picked | None, Judgement | None]:
        """The patient's lines, None if they are not selected, and how they stand to the condition."""
        patients = reckoned or self.patients
        judged = patients.judge(self.asked.where, patient.id) if self.asked.where else None
        if judged and judged.truth is not True:
            return None, judged
        sure = judged is None or judged.could_be == frozenset({True})
        if not self.asked.values:
            met = _by_value(judged.met if judged else ())
            cells = [self._met_cell(met[value], patients) for value in self.shown]
            ordered = [one for one in met.values() if isinstance(one.figure, Figure)]
            picked = Picked(patient, (tuple(cells),), tuple(one.figure for one in ordered[:1]), sure=sure)  # type: ignore[misc]
            return self._keyed(picked, ordered[0].facts if ordered else ()), judged
        return self._with_values(patient, patients, sure=sure), judged

    def _with_values(self, patient: WardPatient, patients: Patients, *, sure: bool) -> Picked | None:
        found = [patients.figure(value, patient.id) for value in self.shown]
        if self.asked.where is None and not any(isinstance(one, Figure) for one in found):
            return None
        rows: list[tuple[Cell, ...]] = []
        several = [
            place for place, value in enumerate(self.shown) if is_any(value) and isinstance(found[place], Figure)
        ]
        if several:
            rows = self._of_each_value(found, several, patients)
        else:
            rows = [tuple(cell_of(one, patients) for one in found)]
        first = found[0]
        figures: tuple[Figure, ...] = (first,) if isinstance(first, Figure) else ()
        if self.asked.where is None:
            sure = any(
                isinstance(one, Figure) and not may_be_absent(one, patients.said(value, patient.id))
                for one, value in zip(found, self.shown, strict=True)
            )
        return self._keyed(Picked(patient, tuple(rows), figures, sure=sure), figures[0].facts if figures else ())

    def _of_each_value(
        self, found: Sequence[Figure | Absent], several: Sequence[int], patients: Patients
    ) -> list[tuple[Cell, ...]]:
        """A line for each value of the columns that ask for all values; other cells stand in the first of them."""
        rows = []
        for place in several:
            figure, value = found[place], self.shown[place]
            for fact in figure.facts if isinstance(figure, Figure) else ():
                cells = [Cell(text="")] * len(self.shown)
                cells[place] = fact_cell(fact, value, patients)
                rows.append((fact.at, fact.value_id, cells))
        newest = self.asked.order is Order.NEWEST_FIRST
        rows.sort(key=lambda row: row[:2], reverse=newest)
        if self.asked.order in (Order.HIGHEST_FIRST, Order.LOWEST_FIRST):
            high = self.asked.order is Order.HIGHEST_FIRST
            rows.sort(key=lambda row: number_in_cells(row[2]), reverse=high)
        for place, figure in enumerate(found):
            if place not in several:
                rows[0][2][place] = cell_of(figure, patients)
        return [tuple(cells) for _, _, cells in rows]

    def _met_cell(self, met: Met, patients: Patients) -> Cell:
        """The value by which a condition is met."""
        figure = met.figure
        if isinstance(figure, Absent) or not met.facts:
            return cell_of(figure, patients)
        value = met.condition.value
        if isinstance(value, Value) and value.aggregate is Aggregate.ANY and met.truth:
            facts = sorted(met.facts, key=lambda fact: strength(fact, met, patients))
            cell = fact_cell(facts[-1], value, patients)
            more = [f"{text_of(one, patients.charts.schema)} at {at_words(one, patients)}" for one in met.facts]
            return replace(
                cell,
                text=", ".join(more),
                value_ids=tuple(one.value_id for one in met.facts),
                options=met.options,
                met=True,
            )
        cell = cell_of(figure, patients)
        return replace(cell, options=met.options or cell.options, met=met.truth)

    def _keyed(self, picked: Picked, facts: Sequence[Fact]) -> Picked:
        """With what the order goes by."""
        if self.asked.order in (Order.NEWEST_FIRST, Order.OLDEST_FIRST):
            times = [fact.at for fact in facts]
            newest = self.asked.order is Order.NEWEST_FIRST
            return replace(picked, key=(max(times) if newest else min(times)) if times else None)
        figure = next(iter(picked.figures), None)
        if figure is None or self.asked.order is None:
            return picked
        value = self.shown[0]
        if is_any(value) and isinstance(value, Value):
            schema = self.patients.charts.schema
            unit = unit_of(schema, value.measure)
            numbers = [n for one in facts if (n := number_of(one, schema, unit, value.measure.part)) is not None]
            best = max if self.asked.order is Order.HIGHEST_FIRST else min
            key = best(numbers) if numbers else None
            return replace(picked, key=key, low=key, high=key)
        if figure.bounds is None:
            return replace(picked, key=figure.number)
        return replace(picked, key=figure.number, low=figure.bounds.low, high=figure.bounds.high)

    # all patients

    def ordered(self, picked: Iterable[Picked]) -> tuple[Picked, ...]:
        """In the order that is asked for, as many as are asked for, with ties of the last one."""
        found = list(picked)
        if self.asked.order is None:
            return tuple(found[: self.asked.limit] if self.asked.limit else found)
        down = self.asked.order in (Order.HIGHEST_FIRST, Order.NEWEST_FIRST)
        known = [one for one in found if one.key is not None]
        known.sort(key=lambda one: one.key, reverse=down)  # type: ignore[arg-type, return-value]
        limit = self.asked.limit
        if limit is None:
            return (*known, *(one for one in found if one.key is None))
        return tuple(one for place, one in enumerate(known) if place < limit or one.key == known[limit - 1].key)

    def select(self) -> tuple[Selection, Mapping[int, Picked]]:
        """The selection, and by patient what is selected before the limit."""
        picked: dict[int, Picked] = {}
        missing: list[NotCharted] = []
        possible: set[int] = set()
        for patient in self.subjects:
            one, judged = self.outcome(patient)
            if one:
                picked[patient.id] = one
            if one or (judged and True in judged.could_be):
                possible.add(patient.id)
            missing += self._missing(patient, one, judged)
        chosen = self.ordered(picked.values())
        certain = {one.patient.id for one in picked.values() if one.sure}
        if self.asked.limit:
            certain, possible = self._within_limit(picked, certain, possible)
        columns = tuple(self._column(place, value, chosen) for place, value in enumerate(self.shown))
        found = Selection(
            self.asked, self.subjects, columns, chosen, tuple(missing), frozenset(certain), frozenset(possible)
        )
        return found, picked

    def _within_limit(
        self, picked: Mapping[int, Picked], certain: set[int], possible: set[int]
    ) -> tuple[set[int], set[int]]:
        """The patients who are among the first whatever flagged values are, and those who could be."""
        chosen = {one.patient.id for one in self.ordered(picked.values())}
        if self.asked.order in (Order.NEWEST_FIRST, Order.OLDEST_FIRST) and self.patients.facts.flagged():
            return set(), possible | chosen
        bounded = [one for one in picked.values() if one.low is not None and one.high is not None]
        doubtful = [one for one in bounded if one.low != one.high or not one.sure]
        if not doubtful:
            return certain & chosen, chosen | (possible - picked.keys())
        limit, sign = self.asked.limit or 0, 1 if self.asked.order is Order.HIGHEST_FIRST else -1
        worst = {one.patient.id: min(sign * (one.low or 0), sign * (one.high or 0)) for one in bounded}
        best = {one.patient.id: max(sign * (one.low or 0), sign * (one.high or 0)) for one in bounded}
        sure = {
            one for one in certain if one in worst and sum(best[it] > worst[one] for it in best if it != one) < limit
        }
        could = {
            one for one in best if sum(worst[it] > best[one] for it in certain if it in worst and it != one) < limit
        }
        return sure & chosen, could | chosen | (possible - picked.keys())

    def _missing(self, patient: WardPatient, picked: Picked | None, judged: Judgement | None) -> list[NotCharted]:
        """What is not charted of a patient, where that keeps the answer from saying something about them."""
        found: dict[Value | Balance, Absent] = {}
        if judged and judged.truth is None:
            found = {
                one.condition.value: one.figure
                for one in judged.met
                if one.truth is None and isinstance(one.figure, Absent)
            }
        elif judged is None or (picked and self.asked.values):
            for value in self.shown:
                figure = self.patients.figure(value, patient.id)
                if isinstance(figure, Absent):
                    found[value] = figure
        return [self.not_charted(patient, value, absent) for value, absent in found.items()]

    def not_charted(self, patient: WardPatient, value: Value | Balance, absent: Absent) -> NotCharted:
        name = "Fluid balance" if isinstance(value, Balance) else value.measure.name
        last, text, value_id = None, "", None
        if isinstance(value, Value):
            charts = self.patients.charts
            before = self.patients.facts.last_before(patient.id, value.measure.row_ids, minute(value.window.until))
            if before:
                last, value_id = local(before.at), before.value_id
                text = text_of(before, charts.schema, value.measure.part)
        return NotCharted(patient.id, patient.name, patient.bed or "", name, last, text, value_id, absent.why)

    def _column(self, place: int, value: Value | Balance, chosen: Sequence[Picked]) -> Column:
        units = {cells[place].unit for one in chosen for cells in one.rows if cells[place].value is not None}
        unit = next(iter(units)) if len(units) == 1 else None
        return Column(title_of(value), unit_words(unit) if unit and not unit.startswith("{") else "")


def _by_value(several: Iterable[Met]) -> dict[Value | Balance, Met]:
    """How a patient stands to the conditions on each value; of several on one value, those that are met."""
    found: dict[Value | Balance, Met] = {}
    for one in several:
        former = found.get(one.condition.value)
        if former is None or (one.truth and not former.truth):
            found[one.condition.value] = one
        elif one.truth and former.truth:
            options = tuple(dict.fromkeys((*former.options, *one.options)))
            facts = tuple(dict.fromkeys((*former.facts, *one.facts)))
            found[one.condition.value] = former._replace(options=options, facts=facts)
    return found
