"""Answers to query trees: arithmetic and sources, what is not charted, and what flagged values could change."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from app.asking.answer import Kind
from app.record.run import NO_RUN
from extraction.flowsheet.schema import ValueType
from extraction.flowsheet.values import NotObtained
from extraction.questions.query import (
    WARD,
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Compare,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Missing,
    Not,
    Order,
    OverPatients,
    Part,
    Quote,
    Rate,
    Reason,
    Select,
    Sequence,
    Subject,
    Value,
    Window,
)
from tests.unit.app.asking.conftest import NOW, REVIEWER, Ward

NIGHT = Window(NOW - timedelta(hours=8), NOW, "in the last 8 hours")


def test_a_rate_keeps_its_arithmetic_and_the_values_it_is_made_of(ward: Ward) -> None:
    ann = ward.patient()
    ids = [ward.chart(ann, f"2026-11-23T0{hour}:00", "out.urine", 240.0) for hour in (1, 5)]
    weight = ward.chart(ann, "2026-11-20T08:00", "meas.weight", 82.0)
    value = Value(ward.measure("out.urine"), Aggregate.SUM, NIGHT, Rate.KILOGRAM_HOUR, ward.measure("meas.weight"))
    answer = ward.answer(Select(Subject((ann,)), (value,)))
    (line,) = answer.lines
    (cell,) = line.cells
    assert cell.text == "0.73 mL/kg/h"
    assert cell.arithmetic == "240 + 240 = 480 mL (2 values in 8 h); 480 mL / 8 h = 60 mL/h; / 82 kg = 0.73 mL/kg/h"
    assert cell.value_ids == (*ids, weight)
    assert answer.head == "Ann Lee: Urine output volume per kg and hour 0.73 mL/kg/h."
    assert {one.row for one in answer.citations.values()} == {"Urine output volume", "Body weight"}


@pytest.mark.parametrize(
    ("aggregate", "text"),
    [
        (Aggregate.LATEST, "90 /min"),
        (Aggregate.FIRST, "100 /min"),
        (Aggregate.LOWEST, "80 /min"),
        (Aggregate.HIGHEST, "100 /min"),
        (Aggregate.MEAN, "90 /min"),
        (Aggregate.COUNT, "3 values"),
        (Aggregate.CHANGE, "-10 /min"),
        (Aggregate.TREND, "varying, 100 to 90 /min (3 values)"),
        (Aggregate.WHEN_FIRST, "00:00"),
        (Aggregate.WHEN_LAST, "06:00"),
        (Aggregate.TIME_SINCE, "1 h"),
    ],
)
def test_each_aggregate(ward: Ward, aggregate: Aggregate, text: str) -> None:
    ann = ward.patient()
    for hour, rate in ((0, 100.0), (3, 80.0), (6, 90.0)):
        ward.chart(ann, f"2026-11-23T0{hour}:00", "vs.heart_rate", rate)
    answer = ward.answer(Select(Subject((ann,)), (Value(ward.measure("vs.heart_rate"), aggregate, NIGHT),)))
    assert [line.cells[0].text for line in answer.lines] == [text]


@pytest.mark.parametrize(
    ("comparison", "numbers", "met"),
    [
        (Comparison.EQUAL, (90.0,), {2}),
        (Comparison.NOT_EQUAL, (90.0,), {1, 3}),
        (Comparison.BELOW, (90.0,), {1}),
        (Comparison.AT_MOST, (90.0,), {1, 2}),
        (Comparison.ABOVE, (90.0,), {3}),
        (Comparison.AT_LEAST, (90.0,), {2, 3}),
        (Comparison.BETWEEN, (80.0, 90.0), {1, 2}),
        (Comparison.CHARTED, (), {1, 2, 3}),
        (Comparison.NOT_CHARTED, (), {4}),
    ],
)
def test_each_comparison(ward: Ward, comparison: Comparison, numbers: tuple[float, ...], met: set[int]) -> None:
    for rate in (80.0, 90.0, 100.0):
        ward.chart(ward.patient(), "2026-11-23T06:00", "vs.heart_rate", rate)
    ward.patient()
    answer = ward.answer(Select(where=Condition(Value(ward.measure("vs.heart_rate")), comparison, numbers=numbers)))
    assert {line.patient_id for line in answer.lines} == met == answer.certain == answer.possible
    assert {one.patient_id for one in answer.not_charted} == (set() if "charted" in comparison.value else {4})


@pytest.mark.parametrize(("rate", "text"), [(Rate.HOUR, "60 mL/h"), (Rate.DAY, "1440 mL/d")])
def test_each_rate(ward: Ward, rate: Rate, text: str) -> None:
    ann = ward.patient()
    ward.chart(ann, "2026-11-23T06:00", "out.urine", 480.0)
    answer = ward.answer(Select(WARD, (Value(ward.measure("out.urine"), Aggregate.SUM, NIGHT, rate),)))
    assert answer.lines[0].cells[0].text == text


def test_absent_is_not_zero_and_is_told_with_the_last_time(ward: Ward) -> None:
    ann, ben, cas = (ward.patient(name) for name in ("Ann Lee", "Ben Ode", "Cas Moe"))
    ward.chart(ann, "2026-11-23T06:00", "out.urine", 100.0)
    ward.chart(ben, "2026-11-22T22:10", "out.urine", 500.0)
    low = Condition(
        Value(ward.measure("out.urine"), Aggregate.SUM, NIGHT, Rate.HOUR),
        Comparison.BELOW,
        numbers=(30.0,),
        unit="mL/h",
    )
    answer = ward.answer(Select(where=low))
    assert [line.patient_id for line in answer.lines] == [ann]
    assert [(one.patient_id, one.last_text) for one in answer.not_charted] == [(ben, "500 mL"), (cas, "")]
    assert answer.head == "1 of 3 patients; 2 not charted."
    without = ward.answer(Select(Subject((ann, ben)), where=low))
    assert without.head == "1 of 2 patients; 1 not charted since 22 Nov 22:10."
    balance = ward.answer(Select(Subject((ann,)), (Balance(NIGHT),)))
    assert not balance.lines
    assert balance.not_charted[0].tried == "output 100 mL, the other side not charted"


def test_what_was_tried_and_refused_is_said_and_is_no_value(ward: Ward) -> None:
    ann = ward.patient()
    number = ward.dictation(ann, "2026-11-23T05:00")
    ward.store.runs.save(number, [], NO_RUN)
    ward.store.reviews.add(number, "pain.score", NotObtained.REFUSED, None, REVIEWER)
    answer = ward.answer(Select(where=Condition(Value(ward.measure("pain.score")), Comparison.ABOVE, numbers=(3.0,))))
    assert [one.tried for one in answer.not_charted] == ["Not obtained: refused at 05:00"]
    missing = ward.answer(Missing(WARD, (ward.measure("pain.score"),), NIGHT))
    assert missing.lines[0].cells[1].text == "Not obtained: refused at 05:00"


def test_both_numbers_of_a_pressure(ward: Ward) -> None:
    ann = ward.patient()
    ward.chart(ann, "2026-11-23T06:00", "vs.bp", "118/92")
    for part, limit, met in ((None, 110.0, 1), (Part.SYSTOLIC, 120.0, 0), (Part.DIASTOLIC, 90.0, 1)):
        measure = ward.measure("vs.bp", part=part)
        answer = ward.answer(Select(where=Condition(Value(measure), Comparison.ABOVE, numbers=(limit,))))
        assert len(answer.lines) == met
    latest = ward.answer(Select(WARD, (Value(ward.measure("vs.bp")),)))
    assert latest.lines[0].cells[0].text == "118/92 mmHg"


def test_limits_are_compared_in_the_unit_of_the_chart(ward: Ward) -> None:
    ann = ward.patient()
    ward.chart(ann, "2026-11-23T06:00", "vs.temperature", 38.2)
    warm = Condition(Value(ward.measure("vs.temperature")), Comparison.ABOVE, numbers=(100.4,), unit="[degF]")
    assert len(ward.answer(Select(where=warm)).lines) == 1
    wrong = Condition(Value(ward.measure("vs.temperature")), Comparison.ABOVE, numbers=(3.0,), unit="kg")
    refused = ward.answer(Select(where=wrong))
    assert refused.refusal is not None
    assert (refused.kind, refused.refusal.reason) == (Kind.REFUSED, Reason.UNIT)


def test_conditions_together(ward: Ward) -> None:
    fast, sick, both, none = (ward.patient() for _ in range(4))
    for patient, rate, nausea in (
        (fast, 110.0, "none"),
        (sick, 70.0, "severe"),
        (both, 120.0, "severe"),
        (none, 70.0, None),
    ):
        ward.chart(patient, "2026-11-23T06:00", "vs.heart_rate", rate)
        if nausea:
            ward.chart(patient, "2026-11-23T06:30", "gi.nausea", nausea)
    rate = Condition(Value(ward.measure("vs.heart_rate")), Comparison.ABOVE, numbers=(100.0,))
    nausea = Condition(Value(ward.measure("gi.nausea")), Comparison.EQUAL, options=("severe",))

    def found(where: object) -> tuple[set[int | None], set[int]]:
        answer = ward.answer(Select(where=where))  # type: ignore[arg-type]
        return {line.patient_id for line in answer.lines}, {one.patient_id for one in answer.not_charted}

    assert found(AllOf((rate, nausea))) == ({both}, set()), "a slow rate decides"
    assert found(AnyOf((rate, nausea))) == ({fast, sick, both}, {none})
    assert found(Not(nausea)) == ({fast}, {none}), "who is not charted is not without nausea"


def test_the_hour_that_the_clock_repeats_counts_twice(ward: Ward, berlin: None) -> None:
    ann = ward.patient()
    ward.now = datetime.fromisoformat("2026-10-25T07:00")
    for utc in ("2026-10-25T00:30+00:00", "2026-10-25T01:30+00:00"):  # both 02:30 by the clock
        ward.chart(ann, utc, "out.urine", 100.0)
    window = Window(datetime.fromisoformat("2026-10-25T00:00"), ward.now)
    answer = ward.answer(Select(WARD, (Value(ward.measure("out.urine"), Aggregate.SUM, window, Rate.HOUR),)))
    assert answer.lines[0].cells[0].arithmetic == "100 + 100 = 200 mL (2 values in 8 h); 200 mL / 8 h = 25 mL/h"


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if os.name != "posix":
        pytest.skip("time zones of POSIX")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def test_numbers_over_patients_groups_and_orders(ward: Ward) -> None:
    for rate in (60.0, 80.0, 80.0, 100.0):
        ward.chart(ward.patient(), "2026-11-23T06:00", "vs.heart_rate", rate)
    rates = Select(WARD, (Value(ward.measure("vs.heart_rate")),))
    mean = ward.answer(OverPatients(Aggregate.MEAN, rates))
    assert mean.number is not None
    assert (mean.number.text, mean.arithmetic) == ("80 /min", ("(60 + 80 + 80 + 100) / 4 = 80 /min",))
    groups = ward.answer(Group(rates, (70.0, 90.0), list_patients=True))
    assert [tuple(cell.text for cell in line.cells[:2]) for line in groups.lines] == [
        ("below 70", "1"),
        ("70 to below 90", "2"),
        ("90 and more", "1"),
    ]
    few = ward.answer(Select(WARD, rates.values, order=Order.HIGHEST_FIRST, limit=2))
    assert [line.cells[0].value for line in few.lines] == [100.0, 80.0, 80.0], "with ties of the last"
    two = ward.answer(Compare(Select(Subject((4,)), rates.values), Select(Subject((1,)), rates.values)))
    assert two.number is not None
    assert (two.number.value, two.arithmetic) == (40.0, ("100 /min - 60 /min = 40 /min",))
    assert len(two.lines) == 2


def test_values_before_and_after_a_time(ward: Ward) -> None:
    ann = ward.patient()
    for at, score in (
        ("2026-11-22T10:00", 7.0),
        ("2026-11-22T13:50", 8.0),
        ("2026-11-22T15:00", 3.0),
        ("2026-11-22T18:00", 4.0),
    ):
        ward.chart(ann, at, "pain.score", score)
    dose = datetime.fromisoformat("2026-11-22T14:00")
    answer = ward.answer(Sequence(Subject((ann,)), (ward.measure("pain.score"),), around=dose))
    assert [(line.at, line.cells[1].value) for line in answer.lines] == [
        (datetime.fromisoformat("2026-11-22T13:50"), 8.0),
        (datetime.fromisoformat("2026-11-22T15:00"), 3.0),
    ]


def test_sentences_about_a_topic_are_quoted_as_they_were_said(ward: Ward) -> None:
    ann = ward.patient()
    ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 110.0)
    answer = ward.answer(Quote("heart rate", Subject((ann,))))
    (quoted,) = answer.quotes
    assert (quoted.text, quoted.start, quoted.end, quoted.second) == ("Heart rate 110.", 0, 15, 0.5)
    assert ward.answer(Quote("left heel", Subject((ann,)))).head == "No dictation speaks of “left heel”."


def test_a_citation_leads_to_the_words_and_their_second(ward: Ward) -> None:
    ann = ward.patient()
    value = ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 110.0)
    citation = ward.answer(Select(WARD, (Value(ward.measure("vs.heart_rate")),))).citations[value]
    assert (citation.start, citation.end, citation.second) == (11, 14, 1.2)
    assert (citation.signer, citation.row, citation.text) == (REVIEWER, "Heart rate", "110 /min")


def test_a_flagged_value_could_change_a_count(ward: Ward) -> None:
    ann, ben = ward.patient(), ward.patient()
    doubtful = ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 110.0, flagged=True)
    ward.chart(ben, "2026-11-23T06:00", "vs.heart_rate", 120.0)
    answer = ward.answer(
        CountPatients(Select(where=Condition(Value(ward.measure("vs.heart_rate")), Comparison.ABOVE, numbers=(100.0,))))
    )
    assert answer.number is not None
    assert (answer.number.value, answer.number.low, answer.number.high) == (2.0, 1.0, 2.0)
    assert (answer.certain, answer.possible) == ({ben}, {ann, ben})
    assert answer.could_change == (doubtful,)
    assert answer.head == "2 of 2 patients; 1 flagged value could change this."
    higher = ward.answer(
        CountPatients(Select(where=Condition(Value(ward.measure("vs.heart_rate")), Comparison.ABOVE, numbers=(115.0,))))
    )
    assert higher.possible == {ben}


def test_a_flagged_option_could_be_another_one(ward: Ward) -> None:
    ann = ward.patient()
    ward.chart(ann, "2026-11-23T05:00", "gi.nausea", "none")
    ward.chart(ann, "2026-11-23T06:00", "gi.nausea", "mild", flagged=True, others=("severe",))
    severe = Condition(Value(ward.measure("gi.nausea")), Comparison.EQUAL, options=("severe",))
    answer = ward.answer(Select(where=severe))
    assert not answer.lines
    assert (answer.certain, answer.possible) == (set(), {ann})
    assert answer.head == "0 of 1 patient; 1 flagged value could change this."


def test_a_changed_value_is_no_longer_flagged(ward: Ward) -> None:
    ann = ward.patient()
    value = ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 110.0, flagged=True)
    ward.store.reviews.decide(value, "edit", REVIEWER, 112.0, "/min")
    answer = ward.answer(Select(WARD, (Value(ward.measure("vs.heart_rate")),)))
    assert (answer.lines[0].cells[0].value, answer.could_change) == (112.0, ())


def test_a_replaced_a_moved_and_a_deleted_value(ward: Ward) -> None:
    ann, ben = ward.patient("Ann Lee"), ward.patient("Ben Ode")
    rates = Select(WARD, (Value(ward.measure("vs.heart_rate")),))
    ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 110.0)
    later = ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 96.0)  # of the same minute: a person replaced it
    assert [line.cells[0].value for line in ward.answer(rates).lines] == [96.0]
    dictation = ward.answer(rates).citations[later].dictation_id
    ward.store.dictations.delete(dictation, REVIEWER, "Wrong patient")
    assert [line.cells[0].value for line in ward.answer(rates).lines] == [110.0], "the replaced one stands again"
    other = ward.chart(ben, "2026-11-23T06:30", "vs.heart_rate", 70.0)
    moved = ward.answer(rates).citations[other].dictation_id
    ward.store.dictations.move(moved, ann, REVIEWER, "Wrong patient")
    assert [one.patient_id for one in ward.answer(rates).not_charted] == [ben]


def test_an_amount_that_is_charted_as_text_is_compared_as_a_number(ward: Ward) -> None:
    notes = ("250", "0.5 L", "small amount")
    row = next(row.id for row in ward.schema.rows if row.value_type is ValueType.TEXT)
    for text in notes:
        ward.chart(ward.patient(), "2026-11-23T06:00", row, text)
    little = Condition(Value(ward.measure(row)), Comparison.BELOW, numbers=(300.0,))
    answer = ward.answer(Select(where=little))
    assert [(line.patient_id, line.cells[0].value, line.cells[0].text) for line in answer.lines] == [(1, 250.0, "250")]
    assert [one.tried for one in answer.not_charted] == ["charted without a number, last small amount"]
    latest = ward.answer(Select(WARD, (Value(ward.measure(row)),)))
    assert [line.cells[0].text for line in latest.lines] == list(notes)


def test_all_that_was_ever_charted_of_the_ward_is_not_read_at_once(ward: Ward) -> None:
    ward.chart(ward.patient(), "2026-11-23T06:00", "vs.heart_rate", 110.0)
    assert ward.answer(Sequence(WARD)).kind is Kind.REFUSED
    assert len(ward.answer(Sequence(WARD, window=NIGHT)).lines) == 1
