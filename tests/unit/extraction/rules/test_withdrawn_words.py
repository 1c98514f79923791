"""Rules around the models: evidence in the original transcript, history, and doubts."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, replace

from extraction.estimators.mention_reader import MentionStatus
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Timing, Value
from extraction.preparation.prepared_transcript import PreparedTranscript
from tests.kit.mention_readers import ScriptedReader, surely
from tests.kit.records import kept
from tests.kit.speech import after_the_last_rules

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (Row("hr", "Heart rate", ValueType.NUMERIC, ("V",)), Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("V",))),
    "0" * 64,
    "t",
)


def charted(heard: str, row_id: str, value: Value, words: str, sentence: str) -> FilledValue:
    """A value that a model read from these words of its text."""
    said = PreparedTranscript.of(heard, SCHEMA)
    start, begin = said.text.text.index(words), said.text.text.index(sentence)
    evidence = Evidence(start, start + len(words), words, begin, begin + len(sentence))
    read = FilledValue(row_id, value, None, evidence, -0.1, 0.1, 0.8, 0.5, Neighbour("row", "", 0), "rowwise")
    return after_the_last_rules(said, Proposals((read,), ()), SCHEMA, NOW).values[0]


def test_a_corrected_value_points_into_the_transcript_and_keeps_its_history() -> None:
    heard = "Slept well. Blood pressure 130 over 90, correction, 140 over 90."
    value = charted(heard, "bp", "140/90", "140 over 90", "Blood pressure 140 over 90.")
    assert value.evidence == Evidence(52, 63, "140 over 90", 12, 64)
    assert heard[52:63] == "140 over 90"
    assert value.taken_back == (Evidence(27, 38, "130 over 90", 12, 64),)
    assert value.findings == (Finding("corrected_from", ("130 over 90",), "correction"),)
    assert value.notes == ("corrected from “130 over 90”",)
    assert (value.rule, value.confidence) == ("", 0.8), "unchanged from the models"
    assert asdict(kept(value)) == asdict(value)


def test_the_words_of_a_time_come_from_the_transcript() -> None:
    said = PreparedTranscript.of("Heart rate 80, correction, 88 at 0600.", SCHEMA)
    text = said.text.text
    start = text.index("88")
    evidence = Evidence(start, start + 2, "88", 0, len(text))
    at = text.index("0600")
    timing = Timing("2026-03-04T06:00", None, at, at + 4, "0600")
    read = FilledValue("hr", 88.0, None, evidence, -0.1, 0.1, 0.8, 0.5, Neighbour("row", "", 0), "rowwise")
    value = after_the_last_rules(said, Proposals((replace(read, timing=timing),), ()), SCHEMA, NOW).values[0]
    assert value.timing == replace(timing, start=33, end=37)
    assert said.transcript[33:37] == "0600"


def test_a_value_that_was_read_as_corrected_is_flagged_and_names_the_other() -> None:
    heard = "Heart rate 80. I had the wrong line, 88."
    reader = ScriptedReader({"80": surely(MentionStatus.CORRECTED)})
    said = PreparedTranscript.of(heard, SCHEMA, reader=reader)
    start = said.text.text.index("88")
    evidence = Evidence(start, start + 2, "88", 0, said.text.text.index(".") + 1)
    read = FilledValue("hr", 88.0, None, evidence, -0.1, 0.1, 0.8, 0.5, Neighbour("row", "", 0), "rowwise")
    (value,) = after_the_last_rules(said, Proposals((read,), ()), SCHEMA, NOW).values
    assert value.flags == ("also said: 80",)
    assert [one.text for one in value.taken_back] == ["80"]


def test_an_unrelated_value_has_no_history() -> None:
    heard = "Heart rate 70. Blood pressure 130 over 90, correction, 140 over 90."
    value = charted(heard, "hr", 70.0, "70", "Heart rate 70.")
    assert (value.findings, value.taken_back) == ((), ())


def test_a_chain_of_corrections_is_kept_completely() -> None:
    value = charted("Heart rate 88, no, 90, no wait, 92.", "hr", 92.0, "92", "Heart rate 92.")
    assert [one.text for one in value.taken_back] == ["88", "90"]


def test_an_unclear_correction_is_flagged() -> None:
    value = charted("Blood pressure 150 over 90, no, 95.", "bp", "150/95", "150 over 95", "Blood pressure 150 over 95.")
    assert value.findings == (
        Finding("corrected_from", ("90",), "correction"),
        Finding("unclear_correction", (), "correction"),
    )
    assert value.notes == ("corrected from “90”", "it is not clear which number was corrected")
    value = charted("Heart rate 80, correction, he is asleep.", "hr", 80.0, "80", "Heart rate 80, correction, he is")
    assert value.findings == (Finding("correction_without_target", ("correction",), "correction"),)
    assert value.notes == ("“correction” was said here: listen again",)


def test_a_dictation_without_corrections_is_unchanged() -> None:
    said = PreparedTranscript.of("Heart rate 80. No chest pain.", SCHEMA)
    proposals = Proposals((), ())
    assert said.plain
    assert said.text.text == said.transcript
    assert after_the_last_rules(said, proposals, SCHEMA, NOW) == proposals
