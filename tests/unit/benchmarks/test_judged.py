"""Figures of judged proposals, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.evaluation.folder import CaseRun, Read
from extraction.annotation.case_files import Case, Observation
from models.base.errors import InputError
from tests.benchmarks.judged import judged, read_judgments


def run(*values: tuple[str, object, float, bool]) -> CaseRun:
    read = tuple(Read(row_id, value, confidence, "", lit=lit) for row_id, value, confidence, lit in values)
    return CaseRun("1", 1, "", read, (), (), {}, {}, {})


CASE = Case("1", "", (Observation("hr", 88.0),))


def test_what_the_gold_leaves_out_is_right_where_it_was_judged_so() -> None:
    found = judged(
        [CASE],
        [run(("hr", 88.0, 0.9, False), ("pain", 3.0, 0.8, False), ("rr", 20.0, 0.6, True), ("bm", "soft", 0.7, False))],
        {("1", ("pain", "3.0")): "supported", ("1", ("rr", "20.0")): "wrong_value"},
    )
    assert (found["precision_by_gold"], found["precision_judged"]) == (0.25, 0.5)
    assert found["labels"] == {"supported": 1, "wrong_value": 1, "not judged": 1}
    assert (found["lit"], found["unlit_wrong"]) == (0.25, pytest.approx(1 / 3, abs=1e-4))
    assert found["roc_auc"] == 1.0
    assert found["unlit_wrong_at"]["0.3"] == pytest.approx(1 / 3, abs=1e-4)


def test_one_wrong_option_makes_the_proposal_wrong() -> None:
    found = judged(
        [CASE],
        [run(("lungs", ("clear", "wheezes"), 0.9, False), ("hr", 88.0, 0.5, True))],
        {("1", ("lungs", "clear")): "supported", ("1", ("lungs", "wheezes")): "hallucinated"},
    )
    assert (found["precision_judged"], found["unlit_wrong"]) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"case": "1", "row_id": "hr", "value": "88.0", "label": "fine"}', 'there is no label "fine"'),
        ('{"case": "1", "row_id": "hr", "label": "status"}', '"value" is missing'),
    ],
)
def test_a_judgment_that_cannot_be_used_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "judgments.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_judgments(path)
