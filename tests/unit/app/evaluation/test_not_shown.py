"""What a reviewer would not see of what has to be charted."""

from __future__ import annotations

from dataclasses import replace

from app.evaluation.not_shown import not_shown
from app.pipeline import PipelineResult
from extraction.annotation.case_files import Case, Observation
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Value
from speech.transcript import Transcript
from tests.kit.store import SCHEMA

TEXT = "Heart rate is 110 and steady. She slept well until four, edema in the left leg."
GOLD = (
    Observation("hr", 110.0, words="110"),
    Observation("note", "slept well", words="slept well"),
    Observation("edema", ("left leg",), words="edema in the left leg"),
)
CASE = Case("one", TEXT, GOLD, acceptable=(), forbidden=())


def read(row_id: str, value: Value, words: str, confidence: float) -> FilledValue:
    start = TEXT.index(words)
    evidence = Evidence(start, start + len(words), words, 0, len(TEXT))
    return FilledValue(row_id, value, None, evidence, -1.0, 0.5, confidence, 0.5, Neighbour("row", "", 0), "rowwise")


def result(*values: FilledValue, held_back: tuple[FilledValue, ...] = ()) -> PipelineResult:
    return PipelineResult(Transcript(TEXT), values, held_back, (), "", {}, {}, {}, {})


def test_what_is_proposed_possible_or_listed_is_shown() -> None:
    hr = read("hr", 110.0, "110", 0.9)
    until, note = read("rass", 4.0, "until four", 0.9), read("note", "until four", "until four", 0.9)
    edema = read("edema", ("right leg",), "left leg", 0.3)
    assert not_shown(CASE, result(), SCHEMA) == 0  # every sentence is listed
    assert not_shown(CASE, result(hr), SCHEMA) == 0
    assert not_shown(CASE, result(hr, until), SCHEMA) == 2  # of the second sentence something is charted
    assert not_shown(CASE, result(hr, until, held_back=(edema,)), SCHEMA) == 1
    assert not_shown(CASE, result(hr, until, note), SCHEMA) == 1  # the row is looked at, though its text is another


def test_cases_without_grades_or_words_tell_nothing() -> None:
    assert not_shown(replace(CASE, acceptable=None, forbidden=None), result(), SCHEMA) is None
    assert not_shown(replace(CASE, observations=(replace(GOLD[0], words=""),)), result(), SCHEMA) is None
