"""What a sheet offers beyond its values: what was held back, and sentences from which nothing was charted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chart.records import Dictation, Patient, ReviewedValue, ReviewStatus
from app.chart.sheet import MAYBE_SHOWN, Sheet, provisional, sentences_of
from app.chart.uncharted import uncharted
from app.record.run import NO_RUN, RunRecord, SetAside
from app.record.values import Evidence, Neighbour, ProposedValue
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Contradiction, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.language.sentences import segment
from models.base.errors import InputError
from speech.transcript import Transcript
from tests.kit.fake_app import MORE, TEXT
from tests.kit.store import SCHEMA
from tests.kit.workbench import WorkbenchKit

SAID = "Heart rate is 110. Good morning. She slept well until four. Sodium was 131 and chloride 98."


def read(row_id: str, value: Value, words: str, confidence: float = 0.2, text: str = SAID) -> ProposedValue:
    start = text.index(words)
    evidence = Evidence(start, start + len(words), words, 0, len(text))
    neighbour = Neighbour("row", row_id, 0)
    return ProposedValue(row_id, value, None, evidence, -1.0, 0.5, confidence, 0.5, neighbour, "rowwise")


def sheet_of(
    *values: tuple[ProposedValue, ReviewStatus],
    held_back: tuple[ProposedValue, ...] = (),
    text: str = SAID,
    schema: Schema = SCHEMA,
    set_aside: tuple[SetAside, ...] = (),
) -> Sheet:
    run = RunRecord(held_back=held_back, set_aside=set_aside)
    dictation = Dictation(1, 1, "text", Path("x"), "x", "", 1, "filled", "", "2026-01-01T00:00:00+00:00")
    reviewed = tuple(
        ReviewedValue(number, 1, filled.row_id, filled, filled.value, filled.unit, status, "", "", 1)
        for number, (filled, status) in enumerate(values, 1)
    )
    transcript = Transcript(text)
    return Sheet(dictation, Patient(1, "A", "", ""), schema, transcript, reviewed, False, run, sentences_of(transcript))


def test_held_back_values_are_sorted_and_filtered_by_confidence() -> None:
    sure, less, least = (
        read("note", "slept", "slept", 0.3),
        read("rass", 4.0, "four", 0.05),
        read("hr", 98.0, "98", 0.04),
    )
    assert sheet_of(held_back=(least, less, sure)).maybe == (sure, less)


@pytest.mark.parametrize("status", ReviewStatus)
def test_a_row_that_has_a_value_is_not_offered_whatever_was_decided(status: ReviewStatus) -> None:
    other, note = read("hr", 98.0, "98"), read("note", "slept", "slept")
    assert sheet_of((read("hr", 110.0, "110", 0.9), status), held_back=(other, note)).maybe == (note,)


def test_a_value_read_twice_is_offered_once() -> None:
    sites = [read("edema", ("left leg",), words, sure) for words, sure in (("slept", 0.1), ("four", 0.2), ("98", 0.15))]
    other = read("edema", ("right leg",), "98", 0.06)
    assert sheet_of(held_back=(*sites, other)).maybe == (sites[1], other)


def test_what_a_range_or_a_unit_speaks_against_is_offered_last() -> None:
    percent, degrees = (
        Row("sat", "Saturation", ValueType.NUMERIC, ("Vital signs",), unit="%", minimum=50, maximum=100),
        Row("temp", "Temperature", ValueType.QUANTITY, ("Vital signs",), unit="[degF]"),
    )
    schema = replace(SCHEMA, rows=(*SCHEMA.rows, percent, degrees))
    text = "Temp 98.2, sats 97, pulse 60, slept."
    temperature = (read("temp", 98.2, "98.2", 0.9, text), ReviewStatus.PROPOSED)
    saturation, rate = read("sat", 98.2, "98.2", 0.3, text), read("hr", 60.0, "60", 0.1, text)
    note = read("note", "slept", "slept", 0.2, text)
    held_back = (saturation, rate, note)
    assert sheet_of(temperature, held_back=held_back, text=text, schema=schema).maybe == (note, rate, saturation)
    rejected = (temperature[0], ReviewStatus.REJECTED)
    assert sheet_of(rejected, held_back=held_back, text=text, schema=schema).maybe == (saturation, note, rate)
    implausible = replace(saturation, value=30.0)
    assert sheet_of(held_back=(implausible, rate), text=text, schema=schema).maybe == (rate, implausible)
    of_another = replace(saturation, findings=(Finding("number_of_row", ("98.2", "Temperature")),))
    assert sheet_of(held_back=(of_another, rate), text=text, schema=schema).maybe == (rate, of_another)


def test_at_most_a_few_are_offered() -> None:
    many = tuple(read("note", f"note {number}", "slept", 0.05 + number / 100) for number in range(30))
    offered = sheet_of(held_back=many).maybe
    assert offered == many[: -1 - MAYBE_SHOWN : -1]


def test_values_of_a_former_transcript_are_not_offered() -> None:
    sheet = sheet_of(held_back=(read("note", "slept", "slept"),))
    assert sheet.maybe
    assert replace(sheet, transcript=Transcript("She slept well.")).maybe == ()
    assert replace(sheet, transcript=None).maybe == ()


def test_flagged_values_are_lit_while_speaking() -> None:
    plain, flagged = (
        read("hr", 110.0, "110"),
        replace(read("note", "slept", "slept"), findings=(Finding("noted_lit", ("listen again",)),)),
    )
    sheet = provisional(Patient(1, "A", "", ""), SCHEMA, (plain, flagged), SAID)
    assert {value.row_id: sheet.reasons.get(value.id, ()) for value in sheet.values} == {
        "hr": (),
        "note": ("listen again",),
    }


def test_all_readings_of_a_row_are_shown_while_it_is_spoken_each_with_an_id_that_stays() -> None:
    text = "Heart rate 110 at six, 96 at seven. Sodium 131."
    first, second = (read("hr", value, words, text=text) for value, words in ((110.0, "110"), (96.0, "96")))
    patient = Patient(1, "A", "", "")
    before = provisional(patient, SCHEMA, (first,), text)
    after = provisional(patient, SCHEMA, (second, first), text)
    assert [(one.row_id, one.value) for one in after.values] == [("hr", 110.0), ("hr", 96.0)]
    assert len({one.id for one in after.values}) == 2
    assert before.values[0].id == after.values[0].id


def test_a_dictation_that_was_never_filled_offers_nothing() -> None:
    sheet = sheet_of()
    empty = replace(sheet, run=NO_RUN, transcript=None, sentences=sentences_of(None))
    assert (empty.maybe, empty.uncharted) == ((), ())


def test_sentences_without_a_value_are_uncharted() -> None:
    assert [sentence.text for sentence in sheet_of().uncharted] == [
        "Heart rate is 110.",
        "She slept well until four.",
        "Sodium was 131 and chloride 98.",
    ]
    charted = sheet_of(
        (read("hr", 110.0, "110"), ReviewStatus.PROPOSED), (read("rass", 1.0, "131"), ReviewStatus.EDITED)
    )
    assert [sentence.text for sentence in charted.uncharted] == ["chloride 98.", "She slept well until four."]


def test_a_short_sentence_is_listed_unless_it_states_nothing() -> None:
    text = "SCDs on. Right. No, sorry. Okay then, next. Bed 4. Ambulating. That's all. Um, yes."
    assert listed(text) == ["Bed 4.", "SCDs on.", "Ambulating."]


def test_numbers_and_clinical_words_are_listed_first_and_fragments_last() -> None:
    rhythm = Row("rhythm", "Heart rhythm", ValueType.SINGLE_SELECT, ("Heart",), (Option("Sinus bradycardia"),))
    schema = replace(SCHEMA, rows=(*SCHEMA.rows, rhythm))
    text = "Anyhow Tuesday. The family came by after lunch. Bradycardia again. Drain put out 30. Just there."
    shown = [one.text for one in sheet_of(text=text, schema=schema).uncharted]
    assert shown == [
        "Drain put out 30.",
        "Bradycardia again.",
        "The family came by after lunch.",
        "Anyhow Tuesday.",
        "Just there.",
    ]
    assert sorted(shown, key=text.index) == [one.text for one in segment(text)], "nothing is hidden"


NO_PAIN = Row(
    "pain", "Pain present", ValueType.YES_NO, ("P",), contradicts=(Contradiction(False, ("score",), above=0),)
)
SCORE = Row("score", "Pain score", ValueType.NUMERIC, ("P",))


@pytest.mark.parametrize(
    ("score", "observed_at", "status", "named"),
    [
        (7.0, None, ReviewStatus.ADDED, True),
        (7.0, None, ReviewStatus.REJECTED, False),
        (7.0, "2025-12-31T22:00", ReviewStatus.ADDED, False),
        (0.0, None, ReviewStatus.ADDED, False),
    ],
)
def test_a_value_entered_by_hand_that_contradicts_a_read_one_is_named(
    score: float, observed_at: str | None, status: ReviewStatus, *, named: bool
) -> None:
    schema = replace(SCHEMA, rows=(*SCHEMA.rows, NO_PAIN, SCORE))
    sheet = sheet_of((read("pain", False, "slept"), ReviewStatus.CONFIRMED), schema=schema)
    added = ReviewedValue(2, 1, "score", None, score, None, status, "Kim", "", observed_at=observed_at)
    both = replace(sheet, values=(*sheet.values, added))
    assert both.contradiction_words == (("Pain present: No and Pain score: 7",) if named else ())
    assert both.reasons == (
        {1: ("does not fit Pain score: 7",), 2: ("does not fit Pain present: No",)} if named else {}
    )


def listed(text: str, *words: str) -> list[str]:
    """What is not charted of a text when these words of it are values."""
    values = [(read("note", word, word, text=text), ReviewStatus.PROPOSED) for word in words]
    return [one.text for one in sheet_of(*values, text=text).uncharted]


@pytest.mark.parametrize(
    ("text", "charted", "left"),
    [
        ("Deltoids 4, biceps 3 right, grips zero.", ("4",), ["biceps 3 right", "grips zero."]),
        ("Pain is 6 out of 10 in the right hip.", ("6",), []),
        ("Pressure 142 over 78, pulse 90.", ("142",), ["pulse 90."]),
        ("Woken at 0630 and calm.", ("calm",), []),
        ("Drains bulge, the right one is dry.", ("dry",), []),
        ("Calm, biceps 3, 4, grips 2.", ("Calm",), ["biceps 3, 4", "grips 2."]),
        ("Alert, on two liters by cannula.", ("Alert", "cannula"), ["on two liters by cannula."]),
    ],
)
def test_a_number_in_no_value_is_listed_with_its_clause(text: str, charted: tuple[str, ...], left: list[str]) -> None:
    assert listed(text, *charted) == left


@pytest.mark.parametrize(
    ("row_id", "value", "words", "left"),
    [
        ("note", "oozing", "oozing, potassium 6.7", []),
        ("hr", 6.7, "oozing, potassium 6.7", []),
        ("edema", ("left leg",), "oozing, potassium 6.7", ["potassium 6.7"]),
        ("edema", ("left leg", "right leg"), "oozing at 2 sites", ["potassium 6.7"]),
    ],
)
def test_a_number_counts_as_charted_where_a_value_states_it(
    row_id: str, value: Value, words: str, left: list[str]
) -> None:
    text = f"{words}, warm." if "potassium" in words else f"{words}, potassium 6.7, warm."
    charted = (read(row_id, value, words, text=text), ReviewStatus.PROPOSED)
    assert [one.text for one in sheet_of(charted, text=text).uncharted] == left


@pytest.mark.parametrize(
    ("text", "doubted", "left"),
    [
        ("Calm, sweaty, picking at the sheets, hands warm.", ("sweaty", "sheets"), ["sweaty, picking at the sheets"]),
        (
            "Calm, sweaty, hands warm, picking at the sheets.",
            ("sweaty", "sheets"),
            ["sweaty", "picking at the sheets."],
        ),
        ("Calm today, grips 2 and weak.", ("grips", "weak"), ["grips 2", "weak."]),
        ("Calm and sweaty. Sweaty and cold.", ("sweaty",), ["sweaty.", "Sweaty and cold."]),
        ("Calm today, hands warm.", ("today",), []),
    ],
)
def test_a_clause_with_a_doubtful_reading_is_listed(text: str, doubted: tuple[str, ...], left: list[str]) -> None:
    held_back = tuple(read("note", words, words, text=text) for words in doubted)
    charted = (read("note", "Calm", "Calm", text=text), ReviewStatus.PROPOSED)
    assert [one.text for one in sheet_of(charted, held_back=held_back, text=text).uncharted] == left
    sure_of_nothing = tuple(replace(one, confidence=0.04) for one in held_back)
    shown = sheet_of(charted, held_back=sure_of_nothing, text=text).uncharted
    assert [one.text for one in shown] == [one for one in left if "grips" in one or one.startswith("Sweaty")]


def test_a_rejected_value_leaves_its_sentence_uncharted() -> None:
    hr = read("hr", 110.0, "110")
    first = sheet_of((hr, ReviewStatus.REJECTED)).uncharted[0]
    assert first.text == "Heart rate is 110."
    assert first not in sheet_of((hr, ReviewStatus.REJECTED), (hr, ReviewStatus.CONFIRMED)).uncharted


def test_words_across_two_sentences_chart_both() -> None:
    across = read("note", "x", "four. Sodium")
    shown = [sentence.text for sentence in sheet_of((across, ReviewStatus.PROPOSED)).uncharted]
    assert shown == ["Sodium was 131", "chloride 98.", "Heart rate is 110."]


def test_the_number_of_a_wound_is_no_measurement() -> None:
    text = "Wound 2 is on the left, 3 centimeters."
    wound = replace(SCHEMA.rows[0], id="wound2", name="Wound 2 location")
    schema = replace(SCHEMA, rows=(*SCHEMA.rows, wound))
    place = (text.index("left"), text.index("left") + 4)
    assert [one.text for one in uncharted(text, segment(text), [place], (), schema)] == ["3 centimeters."]
    assert uncharted(text, segment(text), [place], (), SCHEMA)[0].text == "Wound 2 is on the left"


sentence_lists = st.lists(
    st.sampled_from(["She slept well.", "Pain is bad now.", "Okay.", "[RN] Ate half\n"]), max_size=8
)


@given(sentence_lists, st.data())
def test_uncharted_are_exactly_the_sentences_that_no_evidence_touches(parts: list[str], data: st.DataObject) -> None:
    text = " ".join(parts)
    spans = data.draw(st.lists(st.tuples(st.integers(0, len(text)), st.integers(1, 12)), max_size=4)) if text else []
    spans = [(start, min(start + length, len(text))) for start, length in spans if start < len(text)]
    values = [
        ProposedValue(
            "note", "x", None, Evidence(start, end, text[start:end], 0, 0), 0.0, 0.0, 0.5, 0.5,
            Neighbour("row", "", 0), "rowwise",
        )
        for start, end in spans
    ]  # fmt: skip
    sheet = sheet_of(*((value, ReviewStatus.PROPOSED) for value in values), text=text)
    touched = {place for start, end in spans for place in range(start, end)}
    expected = [one for one in sheet.sentences if touched.isdisjoint(range(one.start, one.end))]
    assert sorted(sheet.uncharted, key=lambda one: one.start) == expected


def test_taking_a_held_back_value_confirms_it_and_undo_restores_it(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.heard = TEXT + MORE
    sheet = kit.filled(tmp_path)
    assert [(value.row_id, value.value) for value in sheet.maybe] == [("visitors", True), ("diet", "Regular diet")]
    assert len(sheet.uncharted) == 5
    reviewed = kit.result(kit.bench.review.take(sheet, sheet.maybe[0]))
    now = replace(sheet, values=reviewed.values)
    assert (now.values[-1].row_id, now.values[-1].status) == ("visitors", ReviewStatus.CONFIRMED)
    assert now.values[-1].reviewer == "R. Nurse"
    assert now.evidence_of(now.values[-1])
    assert [value.row_id for value in now.maybe] == ["diet"]
    assert len(now.uncharted) == 4
    with pytest.raises(InputError, match="already"):
        kit.result(kit.bench.review.take(sheet, sheet.maybe[0]))
    back = kit.result(kit.bench.review.undo(sheet))
    assert back.values == sheet.values
    assert kit.sheet(sheet.dictation.id).maybe == sheet.maybe


def test_what_cannot_be_a_value_of_its_row_is_not_taken(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    (diet,) = sheet.maybe
    with pytest.raises(InputError, match="'Soup' cannot be a value of 'Diet'"):
        kit.bench.review.take(sheet, replace(diet, value="Soup"))


def test_statements_set_aside_are_listed_with_sentences_without_a_value() -> None:
    text = "Heart rate is 110, scratch that. Skin WDL. She slept well until four."
    aside = (
        SetAside(0, 17, text[0:17], "taken back"),
        SetAside(33, 41, text[33:41], "no limits are defined for skin"),
        SetAside(43, 52, "of another transcript", "taken back"),
    )
    slept = read("note", "slept", "slept well until four", text=text)
    slept = replace(slept, evidence=replace(slept.evidence, sentence_start=43))
    shown = sheet_of((slept, ReviewStatus.PROPOSED), text=text, set_aside=aside).uncharted
    assert [(line.start, line.text) for line in shown] == [
        (0, "Heart rate is 110, scratch that. (taken back)"),
        (33, "Skin WDL. (no limits are defined for skin)"),
    ]


def test_a_part_about_another_patient_replaces_its_sentences() -> None:
    text = "Heart rate is 110. Moving on to bed 14. Heart rate is 72 and regular."
    aside = (SetAside(19, len(text), text[19:], "about bed 14"),)
    shown = sheet_of(text=text, set_aside=aside).uncharted
    assert [line.text for line in shown] == ["Heart rate is 110.", f"{text[19:]} (about bed 14)"]


@pytest.mark.parametrize(
    ("text", "line", "left"),
    [
        ("Last bowel movement was on Tuesday. Calm.", "Last bowel movement was on Tuesday.", ["Calm."]),
        ("Walked with 2 helpers. Calm.", "Walked with 2 helpers.", ["Calm."]),
        ("Diet is soft, urine 300. Calm.", "Diet is soft, urine 300.", ["urine 300.", "Calm."]),
    ],
)
def test_a_line_that_a_value_was_added_for_by_hand_is_no_longer_listed(text: str, line: str, left: list[str]) -> None:
    """Neither if it was set aside, nor if it has a number that is not in the value; another clause with one stays."""
    start = text.index(line)
    aside = SetAside(start, start + len(line), line, "of the past") if "Last" in line else None
    schema = replace(SCHEMA, rows=(*SCHEMA.rows, Row("seen", "Seen", ValueType.YES_NO, ("General",))))
    sheet = sheet_of(text=text, schema=schema, set_aside=(aside,) if aside else ())
    assert len(sheet.uncharted) == 2
    quote = sheet.quote_of(sheet.uncharted[0])
    added = ReviewedValue(1, 1, "seen", None, True, None, ReviewStatus.ADDED, "Kim", "", 1, quote=quote)
    assert [one.text for one in replace(sheet, values=(added,)).uncharted] == left
    rejected = replace(added, status=ReviewStatus.REJECTED)
    assert replace(sheet, values=(rejected,)).uncharted == sheet.uncharted


def test_nothing_between_two_joints_is_no_line_of_its_own() -> None:
    text = "Drank two cups with lunch, then a liter of tea."
    charted = [(0, 25), (32, 39)]
    lines = uncharted(text, segment(text), charted, (), SCHEMA, [(0, len(text))])
    assert [one.text for one in lines if not one.text.strip()] == []
