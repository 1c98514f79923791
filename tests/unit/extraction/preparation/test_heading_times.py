"""Times that head a dictation apply to all of it; the times of single values, plans and events do not."""

from __future__ import annotations

import datetime as dt

import pytest

from extraction.flowsheet.findings import Finding
from extraction.language.sentences import segment
from extraction.preparation.observation_times import moment_of, moments

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")
NIGHT = dt.datetime.fromisoformat("2026-03-04T02:40")


def at_the_end(text: str, now: dt.datetime = NOW) -> tuple[str | None, Finding | None]:
    """The time of what is said last, and the doubt about it."""
    one = moment_of(len(text.rstrip(". ")) - 1, moments(segment(text), now))
    return (f"{one.at:%H:%M}" if one and one.at else None), one.finding if one else None


@pytest.mark.parametrize(
    ("text", "now", "at"),
    [
        ("0200 rounds. Asleep, resps even. Skin intact.", NIGHT, "02:00"),
        ("Bed 4, 0200 rounds. Asleep. Skin intact.", NIGHT, "02:00"),
        ("Ward B bed 6, fourteen hundred assessment. GCS 15. Skin intact.", NOW, "14:00"),
        ("Obs at nine thirty: pulse 80. Skin intact.", NOW, "09:30"),
        ("Two o'clock obs for bed six. Pulse 80. Skin intact.", NOW, "14:00"),
        ("Good morning, this is the nine o'clock assessment for my lady. Alert. Skin intact.", NOW, "09:00"),
        ("Neuro check, oh two hundred, bed 12. GCS 15. Skin intact.", NIGHT, "02:00"),
        ("Vitals taken at 0630. Pulse 80. Skin intact.", NOW, "06:30"),
        ("Right, it's ten past two. Pulse 80. Skin intact.", NOW, "14:10"),
        ("The time is 1410. Pulse 80. Skin intact.", NOW, "14:10"),
        ("1130, drowsy, pulse 80. Skin intact.", NOW, "11:30"),
        ("Room 12, Mrs. Lund, 7 a.m. Pulse 80. Skin intact.", NOW, "07:00"),
        ("0200 rounds. Asleep. 0230 rounds. Awake. Skin intact.", NIGHT, "02:30"),
        ("1200, pulse 80. 1300, pulse 84. Skin intact.", NOW, "13:00"),
        ("0200 rounds. Had voided at 0130. Next turn at 0400. Skin intact.", NIGHT, "02:00"),
        ("0200 rounds. Drained 60 since midnight.", NIGHT, "02:00"),
        ("Two o'clock CIWA. Tremor 3. Skin intact.", NOW, "14:00"),
        ("Half two obs. Pulse 80. Skin intact.", NOW, "14:30"),
        ("The midnight set. Pulse 80. Skin intact.", NIGHT, "00:00"),
        ("Midday sugar. Skin intact.", NOW, "12:00"),
        ("This is my two a m round. Pulse 80. Skin intact.", NIGHT, "02:00"),
        ("Doing the two o'clock round now. Pulse 80. Skin intact.", NOW, "14:00"),
        ("Charting for 1400. Pulse 80. Skin intact.", NOW, "14:00"),
        ("I'm charting the noon check. Pulse 80. Skin intact.", NOW, "12:00"),
        ("Late entry, 1300, pulse 80. Skin intact.", NOW, "13:00"),
        ("Entering for oh two hundred. Pulse 80. Skin intact.", NIGHT, "02:00"),
        ("Vitals as of 1400: pulse 80. Skin intact.", NOW, "14:00"),
        ("For the 1400 vitals, pulse 80. Skin intact.", NOW, "14:00"),
        ("1330 vitals were 126 over 78. Skin intact.", NOW, "13:30"),
        ("Filling in the 1300 round. Pulse 80. Skin intact.", NOW, "13:00"),
        ("Here's the two o'clock. Pulse 80. Skin intact.", NOW, "14:00"),
        ("We're at 1400. Pulse 80. Skin intact.", NOW, "14:00"),
        ("This entry covers noon. Pulse 80. Skin intact.", NOW, "12:00"),
        ("Documentation, noon round. Pulse 80. Skin intact.", NOW, "12:00"),
    ],
)
def test_a_plain_time_at_the_head_applies_to_the_dictation(text: str, now: dt.datetime, at: str) -> None:
    assert at_the_end(text, now) == (at, None)


@pytest.mark.parametrize(
    ("text", "now", "at", "doubt"),
    [
        (
            "This is Ada in bed nine, about quarter past two I think. Skin intact.", NOW, "14:15",
            "the dictation is timed vaguely (“quarter past two”); taken as 14:15",
        ),
        ("Around 0600 rounds. Skin intact.", NOW, "06:00",
         "the dictation is timed vaguely (“0600”); taken as 06:00"),
        ("0200 rounds. Skin intact.", NOW, "02:00", "“0200” at the start is 12 hours before the recording"),
        ("1900 rounds. Skin intact.", NOW, "19:00", "“1900” at the start is 20 hours before the recording"),
        ("Seven o'clock obs. Skin intact.", dt.datetime.fromisoformat("2026-03-04T05:30"), "19:00", None),
        ("Two o'clock obs. Skin intact.", dt.datetime.fromisoformat("2026-03-04T23:30"), "14:00",
         "time given without a.m. or p.m.: 02:00 or 14:00"),
        ("Two o'clock dressing. Skin intact.", NOW, "14:00",
         "taken as of 14:00, because the dictation begins with “Two o'clock dressing.”"),
        ("0200 rounds. Pulse 118. Gave oxygen at 0230. Skin intact.", NIGHT.replace(hour=3), "02:00",
         "said after 02:30; taken as 02:00, the time at the start"),
    ],
)  # fmt: skip
def test_a_time_that_is_vague_or_does_not_fit_lights_the_values(
    text: str, now: dt.datetime, at: str, doubt: str | None
) -> None:
    found, finding = at_the_end(text, now)
    assert found == at
    assert finding
    assert finding.lights
    if doubt:
        assert finding.text == doubt


@pytest.mark.parametrize(
    "text",
    [
        "Pulse was 96 at 0630. Skin intact.",
        "He voided 350, about quarter past six I think. Skin intact.",
        "Vomited, about quarter past six I think. Skin intact.",
        "Foley out at 0630. Skin intact.",
        "At 11:05, I rang the doctor. Skin intact.",
        "Back from theatre at 1310. Skin intact.",
        "Last set 0200: 118/70. Skin intact.",
        "Refused obs at 0800. Skin intact.",
        "Rounds 0000, 0100, 0200: asleep. Skin intact.",
        "Next assessment at 1600. Skin intact.",
        "The 0600 assessment is due. Skin intact.",
        "Release at sixteen hundred. Skin intact.",
        "Lungs are clear. Vitals at 0630: pulse 80. Skin intact.",
        "Dr Smith's rounds at 0900 were late. Skin intact.",
        "The 0900 obs were late. Skin intact.",
        "Two o'clock position, 3 by 2. Skin intact.",
        "Two o'clock dressing dry, pulse 80. Skin intact.",
        "Ate half six grapes. Skin intact.",
        "Foley for 1800. Skin intact.",
        "In the chair by noon. Skin intact.",
        "Turned at two o'clock. Skin intact.",
        "Note says he fell at 1100. Skin intact.",
        "The two o'clock turn was not done. Skin intact.",
        "Blood sugar two ten. Skin intact.",
        "Two ten blood sugar. Skin intact.",
        "Got up at half two. Skin intact.",
    ],
)
def test_the_time_of_a_value_a_plan_or_an_event_heads_nothing(text: str) -> None:
    assert at_the_end(text) == (None, None)


def test_a_sentence_with_a_time_of_its_own_keeps_it() -> None:
    text = "0200 rounds. Pulse was 118 at 0130. Sugar yesterday was 90."
    found = moments(segment(text), NIGHT)
    pulse, sugar = moment_of(text.index("118"), found), moment_of(text.index("90"), found)
    assert pulse
    assert (f"{pulse.at:%H:%M}", pulse.finding) == ("01:30", None)
    assert sugar
    assert sugar.finding == Finding("time_vague", ("yesterday",))


def test_now_is_the_time_of_the_round() -> None:
    text = "0200 rounds. Pulse was 118 at 0130 and it is 92 now."
    one = moment_of(text.index("92"), moments(segment(text), NIGHT))
    assert one
    assert f"{one.at:%H:%M}" == "02:00"
