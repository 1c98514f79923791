"""Values that their surroundings say were taken back: they go, and what was said instead takes their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from extraction.estimators.mention_reader import STATUSES, MentionStatus, ReadMention
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.schema_files.native_format import load_schema
from tests.kit.mention_readers import ScriptedReader, surely

CORRECTED = surely(MentionStatus.CORRECTED)


SCHEMA = load_schema(resources.DEMONSTRATION_SCHEMA)


def read(text: str, **said: ReadMention) -> PreparedTranscript:
    reader = ScriptedReader({words.strip("_").replace("_", " "): one for words, one in said.items()})
    return PreparedTranscript.of(text, SCHEMA, reader=reader)


@pytest.mark.parametrize(
    ("heard", "taken_back", "meant"),
    [
        # the number that follows without a name takes its place
        ("Heart rate 88, he'd moved the probe, 72.", "_88", "Heart rate 72, he'd moved the probe."),
        (
            "Weight is 84 kilos. I looked at the wrong line, 48.",
            "_84",
            "Weight is 48 kilos. I looked at the wrong line.",
        ),
        # one with its own name stays where it is
        ("Heart rate 88. The probe slipped, heart rate 72.", "_88", "Heart rate. The probe slipped, heart rate 72."),
        # a number of something else never takes it, and then it stays
        ("Heart rate 88, that's the neighbor's. Temp 37.2.", "_88", "Heart rate 88, that's the neighbor's. Temp 37.2."),
        ("Heart rate 88, he'd moved. On 2 liters.", "_88", "Heart rate 88, he'd moved. On 2 liters."),
        # a pressure is no rate
        ("Heart rate 88, that's not hers. 120 over 80.", "_88", "Heart rate 88, that's not hers. 120 over 80."),
    ],
)
def test_a_value_that_was_taken_back_is_not_read(heard: str, taken_back: str, meant: str) -> None:
    assert read(heard, **{taken_back: CORRECTED}).text.text == meant


def test_both_are_remembered() -> None:
    text = "Heart rate 88, he'd moved the probe, 72."
    (one,) = read(text, _88=CORRECTED).corrections
    assert one.instead
    assert [text[slice(*one.taken_back)], text[slice(*one.instead)], one.is_read] == ["88", "72", True]


def test_what_is_not_likely_taken_back_stays() -> None:
    text = "Heart rate 88, then 72."
    assert read(text, _88=surely(MentionStatus.CORRECTED, 0.2)).text.text == text


def test_a_correction_that_a_cue_announces_is_made_once() -> None:
    said = read("Heart rate 88, correction, 98.", _88=CORRECTED)
    assert said.text.text == "Heart rate 98."
    assert len(said.corrections) == 1


@given(
    st.lists(
        st.sampled_from(["heart rate 88", "no", "72", "120 over 80.", "temp 37.2,", "on 2 liters", "then"]), max_size=9
    ),
    st.lists(st.sampled_from(STATUSES), min_size=9, max_size=9),
)
def test_every_word_that_is_read_was_said(words: list[str], statuses: list[MentionStatus]) -> None:
    text = " ".join(words)

    class Cycling:
        def read(self, _: str, values: object) -> list[ReadMention]:
            return [surely(status) for status, _ in zip(statuses * 3, values, strict=False)]  # type: ignore[call-overload]

    said = PreparedTranscript.of(text, SCHEMA, reader=Cycling())
    assert [text[place] for place in said.text.places] == list(said.text.text)
