"""From weighed readings to proposals: multi-selects, rival values, alternatives, and unit rows."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from extraction.filling.closed_answers import said_numbers
from extraction.filling.evidence import evidence
from extraction.filling.proposals import WeighedReading, propose, proposed_alone
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Proposals, Timing, Value
from extraction.language.sentences import segment
from extraction.preparation.self_corrections import corrected
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.conditions import candidate
from tests.kit.learning import SCHEMA
from tests.kit.rules import task_of

TEXT = "Skin condition is red and dry. Heart rate is 110 beats per minute, later 96. Temperature 38.4. Gait is steady."
KEEP_FROM = 0.5
TASK = Task(TEXT, segment(TEXT), SCHEMA, ReducedSchema(()), dt.date(2026, 1, 1))


def reading(row_id: str, value: Value, said: str = "") -> Reading:
    """A reading of the words `said`, or of the whole first sentence."""
    span = (TEXT.index(said), TEXT.index(said) + len(said)) if said else None
    place = next((s for s in TASK.segments if span and s.start <= span[0] < s.end), TASK.segments[0])
    return Reading(SCHEMA.row(row_id), candidate(row_id, place.index), value, place, span, 0.9, 0.8)


def proposed(*weighed: tuple[Reading, float]) -> Proposals:
    return propose(TASK, [WeighedReading(one, confidence) for one, confidence in weighed], KEEP_FROM, "test")


def short(proposals: Proposals) -> tuple[list[tuple[str, Value, float]], list[tuple[str, Value, float]]]:
    values, held_back = (
        [(value.row_id, value.value, value.confidence) for value in part]
        for part in (proposals.values, proposals.held_back)
    )
    return values, held_back


# multi selects


def test_confident_options_form_one_value_with_the_lowest_confidence() -> None:
    found = proposed(
        (reading("skin", ("dry",)), 0.6), (reading("skin", ("red",)), 0.9), (reading("skin", ("warm",)), 0.3)
    )
    assert short(found) == ([("skin", ("red", "dry"), 0.6)], [("skin", ("warm",), 0.3)])
    assert found.values[0].alternatives == (("warm", 0.3),)
    assert found.values[0].evidence.text == "red"


def test_doubtful_options_stay_separate() -> None:
    found = proposed((reading("skin", ("dry",)), 0.2), (reading("skin", ("red",)), 0.4))
    assert short(found) == ([], [("skin", ("red",), 0.4), ("skin", ("dry",), 0.2)])


def test_an_option_read_twice_keeps_its_better_reading() -> None:
    found = proposed(
        (reading("skin", ("red", "dry")), 0.8), (reading("skin", ("dry",)), 0.6), (reading("skin", ("red",)), 0.3)
    )
    assert short(found) == ([("skin", ("red", "dry"), 0.8)], [])


def test_options_keep_the_order_of_the_schema() -> None:
    found = proposed((reading("skin", ("warm",)), 0.9), (reading("skin", ("red",)), 0.7))
    assert found.values[0].value == ("red", "warm")


def test_options_of_what_was_so_stay_separate() -> None:
    text = "Skin was red earlier, it's warm and dry now."
    task = Task(text, segment(text), SCHEMA, ReducedSchema(()), dt.date(2026, 1, 1))
    weighed = []
    for option, confidence in (("red", 0.9), ("warm", 0.8), ("dry", 0.7)):
        span = (text.index(option), text.index(option) + len(option))
        one = Reading(SCHEMA.row("skin"), candidate("skin", 0), (option,), task.segments[0], span, 0.9, 0.8)
        weighed.append(WeighedReading(one, confidence))
    values = propose(task, weighed, KEEP_FROM, "test").values
    assert [(value.value, value.evidence.text) for value in values] == [(("red",), "red"), (("dry", "warm"), "warm")]


# several readings of one row


@pytest.mark.parametrize(
    ("text", "confidences", "expected"),
    [
        ("Gait was shuffling earlier, steady now.", (0.8, 0.6), "steady"),
        ("Gait was shuffling earlier, steady now.", (0.8, 0.4), "shuffling"),  # too doubtful to be proposed
        ("Gait is shuffling, he was steady earlier.", (0.8, 0.6), "shuffling"),
        ("Gait was shuffling earlier. It is steady now.", (0.8, 0.6), "shuffling"),  # another sentence
    ],
)
def test_how_it_is_now_comes_before_how_it_was(text: str, confidences: tuple[float, float], expected: str) -> None:
    task = Task(text, segment(text), SCHEMA, ReducedSchema(()), dt.date(2026, 1, 1))
    weighed = []
    for option, confidence in zip(("shuffling", "steady"), confidences, strict=True):
        start = text.index(option)
        place = next(one for one in task.segments if one.start <= start < one.end)
        span = (start, start + len(option))
        one = Reading(SCHEMA.row("gait"), candidate("gait", place.index), option, place, span, 0.9, 0.8)
        weighed.append(WeighedReading(one, confidence))
    (value,) = propose(task, weighed, KEEP_FROM, "test").values
    assert value.value == expected


def test_two_confident_values_of_one_row_are_a_conflict() -> None:
    found = proposed((reading("gait", "shuffling"), 0.6), (reading("gait", "steady", "steady"), 0.8))
    (value,) = found.values
    assert (value.value, value.confidence) == ("steady", 0.8)
    assert value.findings == (Finding("also_said", ("shuffling",)),)
    assert value.notes == ("could also be shuffling",)
    assert value.alternatives == (("shuffling", 0.6),)
    assert found.held_back == ()


def test_a_doubtful_other_value_is_only_an_alternative() -> None:
    found = proposed((reading("gait", "steady"), 0.8), (reading("gait", "shuffling"), 0.1))
    assert found.values[0].findings == ()
    assert found.values[0].alternatives == (("shuffling", 0.1),)


def test_the_same_value_read_twice_is_not_a_conflict() -> None:
    found = proposed((reading("hr", 110.0, "110 beats per minute"), 0.8), (reading("hr", 110.0, "110"), 0.7))
    assert found.values[0].findings == ()
    assert found.values[0].alternatives == ()


def test_alternatives_are_the_three_likeliest_each_named_once() -> None:
    others = {98.0: 0.3, 97.0: 0.25, 96.0: 0.2, 95.0: 0.15, 94.0: 0.04}
    weighed = [(reading("hr", value), confidence) for value, confidence in others.items()]
    found = proposed((reading("hr", 110.0), 0.9), (reading("hr", 98.0), 0.06), *weighed)
    assert found.values[0].alternatives == (("98", 0.3), ("97", 0.25), ("96", 0.2))
    alone = proposed((reading("hr", 110.0), 0.9), (reading("hr", 94.0), 0.04))
    assert alone.values[0].alternatives == ()


def test_an_invalid_reading_yields_to_the_next() -> None:
    found = proposed((reading("bp", "4/142"), 0.9), (reading("bp", "142/74"), 0.7))
    assert short(found) == ([("bp", "142/74", 0.7)], [])
    assert short(proposed((reading("bp", "4/142"), 0.9))) == ([], [])


def test_proposals_are_sorted_by_confidence() -> None:
    found = proposed(
        (reading("gait", "steady"), 0.6), (reading("nausea", value=True), 0.9), (reading("pain", "dull ache"), 0.1)
    )
    assert [value.row_id for value in (*found.values, *found.held_back)] == ["nausea", "gait", "pain"]
    assert proposed() == Proposals((), ())


# several rows from the same words


def test_a_number_goes_to_the_more_confident_row_and_names_the_other() -> None:
    found = proposed(
        (reading("temp", 110.0, "110 beats per minute"), 0.6), (reading("hr", 110.0, "110 beats per minute"), 0.8)
    )
    assert short(found) == ([("hr", 110.0, 0.8), ("hr_unit", "bpm", 0.8)], [("temp", 110.0, 0.6)])
    assert found.values[0].findings == (Finding("may_belong", ("Temperature",)),)
    assert found.values[0].notes == ("may belong to Temperature instead",)


def test_the_unit_row_follows_a_number_that_is_not_proposed() -> None:
    found = proposed((reading("temp", 38.4, "38.4"), 0.8), (reading("hr", 38.4, "38.4"), 0.6))
    assert short(found) == ([("temp", 38.4, 0.8)], [("hr", 38.4, 0.6), ("hr_unit", "bpm", 0.6)])


def test_options_of_several_rows_may_share_their_words() -> None:
    found = proposed((reading("gait", "steady", "steady"), 0.8), (reading("pain", "steady", "steady"), 0.6))
    assert len(found.values) == 2


# units


def test_the_unit_row_has_the_spoken_unit() -> None:
    found = proposed((reading("hr", 110.0, "110 beats per minute"), 0.8))
    number, unit = found.values
    assert (unit.row_id, unit.value, unit.unit, unit.confidence) == ("hr_unit", "bpm", None, 0.8)
    assert (unit.findings, unit.alternatives) == ((), ())
    assert unit.evidence == number.evidence
    assert (unit.neighbour.kind, unit.neighbour.text) == ("unit", "Heart rate")


def test_the_unit_row_of_a_bare_number_states_the_assumption() -> None:
    number, unit = proposed((reading("hr", 96.0, "96"), 0.8)).values
    assert (number.row_id, number.findings, number.confidence) == ("hr", (), 0.8)
    assert unit.findings == (Finding("unit_guessed", ("bpm",)),)
    assert unit.flags == ("unit not said, taken as bpm",)
    assert unit.confidence == 0.5, "its row could hold another unit"


def test_a_unit_row_with_a_single_option_has_the_confidence_of_its_number() -> None:
    rows = tuple(replace(row, options=row.options[:1]) if row.id == "hr_unit" else row for row in SCHEMA.rows)
    task = replace(TASK, schema=replace(SCHEMA, rows=rows))
    _, unit = propose(task, [WeighedReading(reading("hr", 96.0, "96"), 0.8)], KEEP_FROM, "test").values
    assert (unit.row_id, unit.value, unit.confidence) == ("hr_unit", "bpm", 0.8)
    assert unit.findings == (), "no other unit is possible"


def test_the_unit_row_is_as_doubtful_as_its_number() -> None:
    found = proposed((reading("hr", 96.0, "96"), 0.2))
    assert short(found) == ([], [("hr", 96.0, 0.2), ("hr_unit", "bpm", 0.2)])


def test_the_unit_row_follows_the_likeliest_number() -> None:
    found = proposed((reading("hr", 96.0, "96"), 0.6), (reading("hr", 110.0, "110 beats per minute"), 0.9))
    assert short(found)[0] == [("hr", 110.0, 0.9), ("hr_unit", "bpm", 0.9)]
    assert found.values[1].findings == ()


@pytest.mark.parametrize(
    ("value", "kept", "finding", "words", "sure"),
    [
        (101.3, 38.5, Finding("unit_guessed", ("°F",)), "unit not said, taken as °F", 0.5),
        (12.0, 12.0, Finding("implausible", ("25 to 45 °C",)), "outside the plausible range 25 to 45 °C", 0.5),
        (386.0, 38.6, Finding("point_guessed", ("386", "38.6 °C")), "“386” is not possible; taken as 38.6 °C", 0.5),
        (
            1013.0,
            38.5,
            Finding("point_guessed", ("1013", "101.3 °F")),
            "“1013” is not possible; taken as 101.3 °F",
            0.5,
        ),
    ],
)
def test_a_quantity_without_a_unit_gets_the_plausible_one(
    value: float, kept: float, finding: Finding, words: str, sure: float
) -> None:
    (found,) = proposed((reading("temp", value, "38.4"), 0.9)).values
    assert (found.value, found.unit, found.findings, finding.text) == (kept, "Cel", (finding,), words)
    assert found.confidence == sure, "a guess is as likely right as wrong"


def test_a_unit_that_was_not_said_is_no_finding_where_no_other_one_is_possible() -> None:
    (found,) = proposed((reading("temp", 38.4, "38.4"), 0.9)).values
    assert (found.value, found.findings, found.confidence) == (38.4, (), 0.9)


def test_a_unit_that_was_not_said_is_a_note_where_another_one_is_possible() -> None:
    rows = tuple(replace(row, minimum=0, maximum=120) if row.id == "temp" else row for row in SCHEMA.rows)
    task = replace(TASK, schema=replace(SCHEMA, rows=rows))
    one = reading("temp", 38.4, "38.4")
    one = replace(one, row=task.schema.row("temp"))
    (found,) = propose(task, [WeighedReading(one, 0.9)], KEEP_FROM, "test").values
    assert found.notes == ("unit not said, taken as °C",)


def test_two_numbers_of_one_row_light_the_value_and_the_other_is_offered() -> None:
    found = proposed((reading("hr", 96.0, "96"), 0.6), (reading("hr", 110.0, "110 beats per minute"), 0.9))
    number = next(one for one in found.values if one.row_id == "hr")
    assert (number.value, number.confidence, number.flags) == (110.0, 0.9, ("also said: 96",))
    assert number.alternatives == (("96", 0.6),)


@pytest.mark.parametrize(
    ("text", "words", "value", "expected"),
    [
        ("She calls it two out of five on the faces.", "two", 2.0, None),
        ("She calls it two out of five on the faces.", "five", 5.0, None),
        ("Seven of ten when he coughs.", "Seven", 7.0, 7.0),
        ("Seven of ten when he coughs.", "ten", 10.0, None),
        ("The line went in on three of four attempts.", "three", 3.0, None),
    ],
)
def test_a_number_out_of_another_one_is_no_value_unless_that_is_the_largest(
    text: str, words: str, value: float, expected: float | None
) -> None:
    row = Row("pain", "Pain score", ValueType.NUMERIC, ("Pain",), unit="{score}", minimum=0, maximum=10)
    span = (text.index(words), text.index(words) + len(words))
    assert [one.value for one in proposed_of(row, text, value, span)] == ([] if expected is None else [expected])


def proposed_of(row: Row, text: str, value: Value, span: tuple[int, int]) -> tuple[FilledValue, ...]:
    """What comes of one reading of a text with one row."""
    segments = segment(text)
    task = Task(text, segments, Schema("t", "T", "1", (row,), "", ""), ReducedSchema(()), TASK.today)
    one = Reading(row, candidate(row.id, 0), value, segments[0], span, 0.9, 0.9)
    return propose(task, [WeighedReading(one, 0.9)], KEEP_FROM, "test").values


def test_a_volume_in_cups_is_converted_and_lit() -> None:
    text = "Drank one and three quarter cups."
    row = Row("po", "Oral intake", ValueType.QUANTITY, ("Fluids",), unit="mL", dimension="volume")
    (said,) = said_numbers(row, segment(text))
    assert said.span
    (found,) = proposed_of(row, text, said.value, said.span)
    assert (found.value, found.flags) == (414.03, ("said in cups, taken as 237 mL each",))


def test_guessed_values_have_no_layer_errors_and_capped_confidence() -> None:
    def weighed(value: float, confidence: float) -> FilledValue:
        return propose(
            TASK, [WeighedReading(reading("temp", value, "38.4"), confidence, (0.2, 0.3))], 0.4, "test"
        ).values[0]

    assert (weighed(101.3, 0.9).confidence, weighed(101.3, 0.9).errors) == (0.5, ())
    assert (weighed(101.3, 0.45).confidence, weighed(101.3, 0.45).errors) == (0.45, ())
    assert (weighed(38.4, 0.9).confidence, weighed(38.4, 0.9).errors) == (0.9, (0.2, 0.3))


def test_a_single_reading_proposes_its_value_and_unit() -> None:
    assert [(value.row_id, value.value) for value in proposed_alone(TASK, reading("hr", 96.0, "96"))] == [
        ("hr", 96.0),
        ("hr_unit", "bpm"),
    ]
    assert proposed_alone(TASK, reading("bp", "4/142")) == []


def test_the_evidence_of_a_number_in_the_next_sentence_is_quoted_with_that_sentence() -> None:
    text = "Heart rate checked on the monitor. It read 96 at rest."
    row, segments = SCHEMA.row("hr"), segment(text)
    span = (text.index("96"), text.index("96") + 2)
    found = evidence(task_of(text, SCHEMA), Reading(row, candidate("hr", 0), 96.0, segments[0], span, 0.9, 0.9))
    assert text[found.sentence_start : found.sentence_end] == "It read 96 at rest."


def test_what_is_proposed_of_a_corrected_text_points_into_the_transcript() -> None:
    heard = "Heart rate 80, correction, 88 at 0600."
    task = task_of(corrected(heard, SCHEMA).text, SCHEMA, now=dt.datetime(2026, 1, 1, 8, 0))  # noqa: DTZ001
    start = task.text.index("88")
    reading = Reading(SCHEMA.row("hr"), candidate("hr", 0), 88.0, task.segments[0], (start, start + 2), 0.9, 0.9)
    assert task.text == "Heart rate 88 at 0600."
    values = propose(task, [WeighedReading(reading, 0.9)], 0.5, "test").values
    assert [value.row_id for value in values] == ["hr", "hr_unit"]
    for value in values:
        assert value.evidence == Evidence(27, 29, "88", 0, len(heard))
        assert value.timing == Timing("2026-01-01T06:00", None, 33, 37, "0600")
