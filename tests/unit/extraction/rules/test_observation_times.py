"""Spoken times of observation: the minute meant, doubts, and the values they apply to."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, replace

import pytest

from extraction.filling.closed_answers import choices
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.sentences import segment
from extraction.preparation.observation_times import clock_spans, moment_of, moments
from extraction.preparation.self_corrections import corrected
from extraction.retrieval.candidates import ReducedSchema
from extraction.rules.observation_times import observation_times
from tests.kit.conditions import candidate
from tests.kit.records import kept
from tests.kit.rules import after, as_proposed, task_of

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")
NIGHT = dt.datetime.fromisoformat("2026-03-04T23:45")
EARLY = dt.datetime.fromisoformat("2026-03-05T02:10")
TODAY, BEFORE = "2026-03-04", "2026-03-03"
ROWS = (
    Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",), unit="/min"),
    Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("Vitals",), unit="mm[Hg]"),
    Row("urine", "Urine output", ValueType.QUANTITY, ("Output",), unit="mL", dimension="volume", ucum="mL"),
    Row("voided", "Voiding time", ValueType.TIME, ("Output",)),
    Row("removed", "Catheter removed", ValueType.DATE_TIME, ("Output",)),
    Row("day", "Last bowel movement", ValueType.DATE, ("Output",)),
)
SCHEMA = Schema("t", "Test", "1", ROWS, "0" * 64, "test.json")


def said(text: str, now: dt.datetime = NOW) -> list[tuple[str, str | None, str | None, Finding | None]]:
    """Words, minute, start and doubt of each moment that is not planned."""
    form = "%Y-%m-%dT%H:%M"
    return [
        (text[one.start : one.end], one.at and f"{one.at:{form}}", one.since and f"{one.since:{form}}", one.finding)
        for one in moments(segment(text), now)
        if not one.planned
    ]


@pytest.mark.parametrize(
    ("text", "now", "words", "at"),
    [
        ("Voided 150 at nineteen hundred.", NIGHT, "nineteen hundred", f"{TODAY}T19:00"),
        ("Voided 150 at 0630.", NOW, "0630", f"{TODAY}T06:30"),
        ("Voided 150 at oh six thirty.", NOW, "oh six thirty", f"{TODAY}T06:30"),
        ("At 0700 hours the pulse was 90.", NOW, "0700 hours", f"{TODAY}T07:00"),
        ("0630 vitals: heart rate 96.", NOW, "0630", f"{TODAY}T06:30"),
        ("Vitals at 0630: heart rate 96.", NOW, "0630", f"{TODAY}T06:30"),
        ("0630: heart rate 96.", NOW, "0630", f"{TODAY}T06:30"),
        ("Pulse 96 at 19:05.", NIGHT, "19:05", f"{TODAY}T19:05"),
        ("Pulse 96 at 7:05 pm.", NIGHT, "7:05 pm", f"{TODAY}T19:05"),
        ("Pulse 96 at seven p.m.", NIGHT, "seven p.m.", f"{TODAY}T19:00"),
        ("Pulse 96 at 12 a.m.", NOW, "12 a.m.", f"{TODAY}T00:00"),
        ("Pulse 96 at 12 p.m.", NOW, "12 p.m.", f"{TODAY}T12:00"),
        ("Pulse 96 at eight o'clock tonight.", NIGHT, "eight o'clock tonight", f"{TODAY}T20:00"),
        ("This morning at 7 the pulse was 96.", NOW, "This morning at 7", f"{TODAY}T07:00"),
        ("Pulse 96 at 7 this morning.", NOW, "7 this morning", f"{TODAY}T07:00"),
        ("Pulse 96 at quarter past two in the morning.", NOW, "quarter past two in the morning", f"{TODAY}T02:15"),
        ("Pulse 96 at half past eleven.", NOW, "half past eleven", f"{TODAY}T11:30"),
        ("Pulse 96 at ten to four.", dt.datetime.fromisoformat("2026-03-04T05:00"), "ten to four", f"{TODAY}T03:50"),
        ("Pulse 96 at twenty minutes before noon.", NOW, "twenty minutes before noon", f"{TODAY}T11:40"),
        ("Pulse 96 at noon.", NOW, "noon", f"{TODAY}T12:00"),
        ("Pulse 96 at 2310.", EARLY, "2310", f"{TODAY}T23:10"),
        ("Pulse 96 yesterday at 1930.", NOW, "yesterday at 1930", f"{BEFORE}T19:30"),
        ("Pulse 96 on March 2nd at 1930.", NOW, "March 2nd at 1930", "2026-03-02T19:30"),
        ("An hour ago the pulse was 96.", NOW, "An hour ago", f"{TODAY}T13:30"),
        ("Half an hour ago the pulse was 96.", NOW, "Half an hour ago", f"{TODAY}T14:00"),
        ("An hour and a half ago the pulse was 96.", NOW, "An hour and a half ago", f"{TODAY}T13:00"),
        ("The pulse was 96 20 minutes ago.", NOW, "20 minutes ago", f"{TODAY}T14:10"),
        ("The pulse was 96 three hours ago.", EARLY, "three hours ago", f"{TODAY}T23:10"),
    ],
)
def test_a_spoken_time_resolves_to_a_minute(text: str, now: dt.datetime, words: str, at: str) -> None:
    assert said(text, now) == [(words, at, None, None)]


@pytest.mark.parametrize(
    ("text", "now", "at", "doubt"),
    [
        (
            "Pulse 96 at quarter past two.", NOW, f"{TODAY}T14:15",
            "time given without a.m. or p.m.: 02:15 or 14:15",
        ),
        ("Pulse 96 at 9:40.", NIGHT, f"{TODAY}T21:40", "time given without a.m. or p.m.: 09:40 or 21:40"),
        (
            "Pulse 96 at nineteen hundred.", NOW, f"{BEFORE}T19:00",
            "19:00 was still to come when this was dictated; taken as the day before",
        ),
        ("Pulse 96 at 7 this evening.", NOW, f"{TODAY}T19:00", "19:00 was still to come when this was dictated"),
        ("Pulse was 96 this morning.", NOW, None, "time given only as “this morning”"),
        ("Last night the pulse was 96.", NOW, None, "time given only as “Last night”"),
        ("A few hours ago the pulse was 96.", NOW, None, "time given only as “A few hours ago”"),
        ("Two days ago the pulse was 96.", NOW, None, "time given only as “Two days ago”"),
    ],
)  # fmt: skip
def test_doubtful_times_are_worded(text: str, now: dt.datetime, at: str | None, doubt: str) -> None:
    ((_, found, _, finding),) = said(text, now)
    assert found == at
    assert finding is not None
    assert (finding.text, finding.lights) == (doubt, finding.code == "time_to_come")


@pytest.mark.parametrize(
    ("text", "now", "at", "lights"),
    [
        ("Pulse 96 at half past seven.", "20:10", "19:30", False),  # just seen
        ("Pulse 96 at half past seven.", "21:20", "19:30", True),  # both in one shift
        ("Pulse 96 at half past seven.", "22:10", "19:30", False),  # the other one was before the shift
    ],
)
def test_either_half_of_the_day_is_flagged_where_one_shift_holds_both(
    text: str, now: str, at: str, lights: bool
) -> None:
    ((_, found, _, finding),) = said(text, dt.datetime.fromisoformat(f"{TODAY}T{now}"))
    assert found == f"{TODAY}T{at}"
    assert finding
    assert (finding.text, finding.lights) == ("time given without a.m. or p.m.: 07:30 or 19:30", lights)


@pytest.mark.parametrize(
    ("text", "now", "times"),
    [
        ("Six o'clock 98/60, half seven it's 108/62.", NOW, {"98/60": "06:00", "108/62": "07:30"}),
        ("BP at six was 98/60, at seven 108/62, at eight 110/70.", NOW,
            {"98/60": "06:00", "108/62": "07:00", "110/70": "08:00"}),
        ("Pulse at seven 110, half seven 98, eight o'clock 90.", NOW, {"110": "07:00", "98": "07:30", "90": "08:00"}),
        ("BP at one. 120/80, pulse 88. Temp 37.", NOW, {"120/80": "13:00", "88": "13:00", "37": "13:00"}),
        ("Urine two hundred fifty just now seven thirty amber.", NOW, {"two hundred fifty": "07:30"}),
        ("Pulse 88, and the last BM was yesterday at 1930.", NOW, {"88": None}),
        ("Last set 0600: 118/72, 66.", NOW, {"118/72": "06:00", "66": "06:00"}),
        ("PEEP at five, rate at twelve.", NOW, {"five": None, "twelve": None}),
        ("Pain at three. Resps at twelve.", NOW, {"three": None, "twelve": None}),
    ],
)  # fmt: skip
def test_each_value_takes_the_time_that_was_said_of_it(text: str, now: dt.datetime, times: dict[str, str]) -> None:
    spoken = moments(segment(text), now)
    found = {words: moment_of(text.index(words), spoken) for words in times}
    assert {words: one and one.at and f"{one.at:%H:%M}" for words, one in found.items()} == times


@pytest.mark.parametrize(
    ("text", "words", "at", "since"),
    [
        ("Sugar 62 at 0700, juice given, 15 minutes later 98.", "15 minutes later", "07:15", "07:00"),
        ("Sugar 62 at 0700. Juice given. Half an hour later it was 98.", "Half an hour later", "07:30", "07:00"),
        ("Pulse 118 at 0900, twenty minutes after that 92.", "twenty minutes after that", "09:20", "09:00"),
        ("Sugar 62 at 0700, an hour later 84, an hour later 98.", "an hour later", "09:00", "08:00"),
    ],
)  # fmt: skip
def test_a_later_time_is_counted_from_the_one_before(text: str, words: str, at: str, since: str) -> None:
    assert said(text)[-1] == (words, f"{TODAY}T{at}", None, Finding("time_counted", (words, since)))


@pytest.mark.parametrize(
    "text",
    [
        "Sugar was 62, fifteen minutes later 98.",  # later than what?
        "Sugar 62 at 0700, a few minutes later 98.",
        "Sugar 62 at 1400, an hour later 98.",  # still to come
    ],
)
def test_a_later_time_that_cannot_be_counted_is_vague(text: str) -> None:
    _, at, _, doubt = said(text)[-1]
    assert at is None
    assert doubt
    assert doubt.code == "time_vague"


def test_today_is_the_time_of_the_dictation_beside_a_vague_time() -> None:
    assert [words for words, *_ in said("Red yesterday, today no redness.")] == ["yesterday", "today"]
    assert [words for words, *_ in said("Today he ate at 0900, heart rate 88.")] == ["0900"]


def test_a_period_has_a_beginning_and_an_end() -> None:
    assert said("Drained 650 since midnight.") == [("midnight", None, f"{TODAY}T00:00", None)]
    assert said("Drained 650 over the last 4 hours.") == [("over the last 4 hours", None, f"{TODAY}T10:30", None)]
    assert said("Drained 650 from 0700 to 1100.") == [("0700 to 1100", f"{TODAY}T11:00", f"{TODAY}T07:00", None)]


@pytest.mark.parametrize(
    "text",
    [
        "Blood pressure 142 over 80, heart rate at one twenty.",
        "Norepinephrine is at 8 and propofol at 20.",
        "He drank about 1200 milliliters at lunch.",
        "Fluids are running at one hundred twenty five.",
        "Pain goes from five to ten with movement.",
        "The wound is 4 by 3 by 2 centimeters.",
        "Heparin at twelve hundred units per hour.",
        "The pressure bag is at 300.",
        "Residual of 1900.",
        "This is the morning assessment for bed twelve.",
        "She was calm all day, her skin is intact.",
    ],
)
def test_other_numbers_and_words_are_not_times(text: str) -> None:
    assert moments(segment(text), NOW) == ()
    assert clock_spans(text) == ()


def test_the_current_part_of_the_day_adds_nothing() -> None:
    assert said("This morning the pulse was 96.", dt.datetime.fromisoformat("2026-03-04T08:00")) == []
    assert said("Tonight the pulse was 96.", NIGHT) == []


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Voided 400 by 0300.", "03:00"),
        ("She had put out 350 by midnight.", "00:00"),
        ("Drained 120 by 0500.", "05:00"),
        ("Heart rate was down to 92 by 0330.", "03:30"),
        ("Made 200 of urine by four a.m.", "04:00"),
        ("Urine 600 total by 0530.", "05:30"),
        ("Temp came down to 37.4 by 0400.", "04:00"),
        ("Her pressure was 128 over 70 by 0215.", "02:15"),
        ("Pain was a 3 by 0130.", "01:30"),
    ],
)
def test_what_was_done_by_a_time_was_seen_then(text: str, at: str) -> None:
    ((_, minute, _, finding),) = said(text, dt.datetime.fromisoformat("2026-03-05T06:00"))
    assert (minute, finding) == (f"2026-03-05T{at}", None)


@pytest.mark.parametrize(
    "text",
    [
        "To be done by 0300, urine 400 now.",
        "Void due by 0500, bladder scan 250.",
        "Needs to void by 0500, 50 so far.",
        "He will be turned by 0500, heart rate 80.",
        "Wanted 300 of urine by 0500.",
        "Goal was 300 by 0500.",
        "Discharged by 1600.",
        "Ice chips by 0400.",
    ],
)
def test_what_is_still_to_be_done_by_a_time_was_not_seen_then(text: str) -> None:
    assert all(minute is None for _, minute, _, _ in said(text, dt.datetime.fromisoformat("2026-03-05T06:00")))


def test_a_planned_time_is_not_a_time_of_observation() -> None:
    for text in (
        "The dressing change is due at 1800.",
        "NPO until 1800.",
        "Next turn at 1600.",
        "Labs tomorrow at 0600.",
    ):
        (one,) = moments(segment(text), NOW)
        assert one.planned


def test_a_sentence_may_end_with_am_or_pm() -> None:
    text = "He voided 200 at 7 a.m. His pulse is 96."
    (one,) = moments(segment(text), NOW)
    assert text[slice(*one.sentence)] == "He voided 200 at 7 a.m. "


# the values they apply to


def value_of(text: str, row_id: str, words: str) -> FilledValue:
    """A proposal read from words of the text."""
    segments = segment(text)
    start = text.index(words)
    place = next(one for one in segments if one.start <= start < one.end)
    task = Task(text, segments, SCHEMA, ReducedSchema(()), NOW.date())
    value = {ValueType.BLOOD_PRESSURE: "120/80", ValueType.TIME: "02:15"}.get(SCHEMA.row(row_id).value_type, 96.0)
    reading = Reading(
        SCHEMA.row(row_id), candidate(row_id, place.index), value, place, (start, start + len(words)), 0.9, 0.9
    )
    return propose(task, [WeighedReading(reading, 0.9)], 0.5, "test").values[0]


def with_times(text: str, proposals: Proposals, now: dt.datetime = NOW) -> Proposals:
    task = task_of(text, SCHEMA, now=now)
    proposals = as_proposed(task, proposals)
    return after(observation_times(task, proposals), proposals, SCHEMA, rule="time")


def times_of(text: str, *values: FilledValue, now: dt.datetime = NOW) -> list[str | None]:
    proposed, held_back = with_times(text, Proposals(values, ()), now), with_times(text, Proposals((), values), now)
    assert proposed.values == held_back.held_back
    assert [(value.rule, value.confidence) for value in proposed.values] == [("", 0.9)] * len(values)
    return [value.observed_at for value in proposed.values]


def test_a_time_applies_to_its_own_sentence() -> None:
    text = "Pulse was 96 at 0630. Pressure is 120 over 80."
    assert times_of(text, value_of(text, "hr", "96"), value_of(text, "bp", "120 over 80")) == [f"{TODAY}T06:30", None]


def test_a_value_gets_the_time_of_its_clause() -> None:
    text = "At 0630 the pulse was 96 and the pressure is 120 over 80 now."
    assert times_of(text, value_of(text, "hr", "96"), value_of(text, "bp", "120 over 80")) == [f"{TODAY}T06:30", None]
    text = "Pulse 96 at 0800, 88 at 1200."
    assert times_of(text, value_of(text, "hr", "96"), value_of(text, "hr", "88")) == [
        f"{TODAY}T08:00",
        f"{TODAY}T12:00",
    ]


def test_a_clause_without_a_time_keeps_the_last_one() -> None:
    text = "At 0630 the pulse was 96, pressure 120 over 80, and at 1200 he was calm."
    assert times_of(text, value_of(text, "bp", "120 over 80")) == [f"{TODAY}T06:30"]


def test_a_vague_time_is_not_that_of_what_was_said_before_in_another_clause() -> None:
    findings = {}
    for text in ("Pulse is 96, seen by the doctor yesterday.", "Yesterday he was calm, pulse 96."):
        (value,) = with_times(text, Proposals((value_of(text, "hr", "96"),), ())).values
        findings[text] = [one.code for one in value.findings]
    assert list(findings.values()) == [[], ["time_vague"]]


HALF_UNKNOWN = (Finding("time_half_unknown", ("02:15 or 14:15",), "time"),)


def test_a_doubtful_time_is_noted_on_the_value() -> None:
    text = "At quarter past two the pulse was 96."
    (value,) = with_times(text, Proposals((value_of(text, "hr", "96"),), ())).values
    assert value.findings == HALF_UNKNOWN
    assert value.timing is not None
    assert (value.timing.at, value.timing.text) == (f"{TODAY}T14:15", "quarter past two")
    assert asdict(kept(value)) == asdict(value)


def test_without_a_time_nothing_changes() -> None:
    text = "Pulse is 96."
    proposals = Proposals((value_of(text, "hr", "96"),), ())
    assert with_times(text, proposals) == proposals


def test_a_time_row_has_the_time_as_its_value() -> None:
    text = "He voided at quarter past two."
    (value,) = with_times(text, Proposals((value_of(text, "voided", "quarter past two"),), ())).values
    assert value.timing is None
    assert value.findings == HALF_UNKNOWN


def test_time_rows_are_asked_with_resolved_times() -> None:
    text = "He voided at nineteen hundred, the catheter was removed at 7:15 p.m. yesterday."
    task = task_of(text, SCHEMA, now=NIGHT)
    found = [choice.value for choice in choices(SCHEMA.row("voided"), task.segments, task.today, task.times)]
    assert found == ["19:00", "19:15"]
    found = [choice.value for choice in choices(SCHEMA.row("removed"), task.segments, task.today, task.times)]
    assert found == [f"{TODAY}T19:00", f"{BEFORE}T19:15"]


def test_time_rows_are_asked_with_times_where_the_corrected_text_says_them() -> None:
    heard = "Pulse is 90, correction, 96. He voided at nineteen hundred."
    edited = corrected(heard, SCHEMA).text
    assert edited.text == "Pulse is 96. He voided at nineteen hundred."
    task = task_of(edited, SCHEMA, now=NIGHT)
    (said,) = choices(SCHEMA.row("voided"), task.segments, task.today, task.times)
    assert said.span
    assert edited.text[slice(*said.span)] == "nineteen hundred"
    assert [heard[one.start : one.end] for one in task.moments] == ["nineteen hundred"]


def test_a_time_of_day_is_not_a_measurement() -> None:
    segments = segment("She voided 150 at nineteen hundred.")
    assert [choice.value for choice in choices(SCHEMA.row("urine"), segments, NOW.date())] == [150.0]


def test_a_row_may_have_a_value_at_each_time() -> None:
    text = "Pulse was 118 at 0630. It is 92 now. It is 95 now."
    segments = segment(text)
    task = Task(text, segments, SCHEMA, ReducedSchema(()), NOW.date(), moments(segments, NOW))

    def reading(words: str, place: int) -> Reading:
        start = text.index(words)
        span = (start, start + len(words))
        return Reading(SCHEMA.row("hr"), candidate("hr", place), float(words), segments[place], span, 0.9, 0.9)

    weighed = [
        WeighedReading(reading("118", 0), 0.9),
        WeighedReading(reading("92", 1), 0.8),
        WeighedReading(reading("95", 2), 0.7),
    ]
    found = propose(task, weighed, 0.5, "test")
    assert [(value.value, value.findings) for value in found.values] == [
        (118.0, ()),
        (92.0, (Finding("several_said", ("95",)),)),
    ]
    together = propose(replace(task, moments=()), weighed, 0.5, "test")
    assert [value.value for value in together.values] == [118.0]


def held_back(text: str, row_id: str, words: str) -> list[str]:
    """Rows proposed from held-back values."""
    value = replace(value_of(text, row_id, words), confidence=0.1)
    found = with_times(text, Proposals((), (value,)))
    for one in found.values:
        assert (one.rule, one.confidence) == ("time", 0.5)
        assert one.findings == (Finding("by_words", (one.evidence.text,), "time"),)
    return [one.row_id for one in found.values]


def test_a_held_back_time_is_promoted_if_its_clause_names_the_row() -> None:
    assert held_back("He voided 350 at 0630.", "voided", "0630") == ["voided"]
    assert held_back("At 0630 he slept, then he voided.", "voided", "0630") == []
    assert held_back("He will have voided by then, at 0630 next.", "voided", "0630") == []
    assert held_back("His pulse was 96 at 0630.", "hr", "96") == []
