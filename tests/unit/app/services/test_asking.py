"""Questions of the window: asked on a lane of their own, changed, cited and exported."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from app.record.errors import NotSigned
from app.services.asking.jobs import Asked
from extraction.questions.query import WARD, Measure, Select, Value
from tests.kit.fake_app import FakeEngine, until_cancelled, write_recording
from tests.kit.workbench import WorkbenchKit, of


@pytest.fixture
def desk(new_desk: Callable[..., WorkbenchKit]) -> WorkbenchKit:
    return new_desk(FakeEngine())


def charted(desk: WorkbenchKit, folder: Path) -> Select:
    """A question whose answer is a value that was just confirmed."""
    sheet = desk.filled(folder)
    value = next(iter(sheet.values))
    desk.result(desk.bench.review.decide(sheet, [value.id], "confirm"))
    row = sheet.schema.row(value.row_id)
    return Select(WARD, (Value(Measure(row.name, (row.id,))),))


def test_a_tree_is_answered_and_exported_with_its_sources(desk: WorkbenchKit, tmp_path: Path) -> None:
    query = charted(desk, tmp_path)
    asked: Asked = desk.result(desk.bench.asking.answer(query, "Heart rate?"))
    (line,) = asked.answer.lines
    assert asked.answer.citations.keys() == set(line.cells[0].value_ids)
    assert desk.result(desk.bench.asking.cite(line.cells[0].value_ids)) == asked.answer.citations
    for name in ("answer.csv", "answer.pdf"):
        desk.result(desk.bench.asking.export(asked, tmp_path / name))
    rows = list(csv.reader((tmp_path / "answer.csv").read_text("utf-8-sig").splitlines()))
    assert rows[0] == ["Heart rate?"]
    assert f"value {line.cells[0].value_ids[0]}" in rows[-1][-1]
    assert (tmp_path / "answer.pdf").read_bytes().startswith(b"%PDF")


def test_a_question_is_read_answered_and_logged(desk: WorkbenchKit) -> None:
    asked: Asked = desk.result(desk.bench.asking.ask("What shall I cook?"))
    assert asked.answer.refusal is not None
    (logged,) = desk.bench.workspace.store.questions.asked()
    assert logged.refusal == asked.answer.refusal.reason.value


def test_a_question_is_answered_while_a_dictation_is_filled(desk: WorkbenchKit, tmp_path: Path) -> None:
    query = charted(desk, tmp_path)
    desk.engine.before_fill.append(until_cancelled)
    _, filling = desk.bring(write_recording(tmp_path / "b.wav", 3.0))
    assert desk.result(desk.bench.asking.answer(query)).answer.lines
    assert not filling.ended
    filling.cancel()


def test_who_asks_has_to_sign(desk: WorkbenchKit) -> None:
    desk.bench.signing.signer = None
    with pytest.raises(NotSigned):
        desk.bench.asking.ask("What shall I cook?")


def test_changes_of_a_value_are_in_the_next_answer(desk: WorkbenchKit, tmp_path: Path) -> None:
    query = charted(desk, tmp_path)
    former: Asked = desk.result(desk.bench.asking.answer(query))
    (value_id,) = former.answer.lines[0].cells[0].value_ids
    sheet = desk.sheet(former.answer.citations[value_id].dictation_id)
    value = of(sheet, former.answer.citations[value_id].row_id)
    desk.result(desk.bench.review.decide(sheet, [value.id], "reject"))
    asked: Asked = desk.result(desk.bench.asking.answer(query))
    assert not asked.answer.lines


def test_questions_and_filing_do_not_wait_for_each_other(desk: WorkbenchKit, tmp_path: Path) -> None:
    query = charted(desk, tmp_path)
    (dictation,) = desk.bench.workspace.store.dictations.all()
    proposed = [one.id for one in desk.sheet(dictation.id).values if not one.stands]
    desk.result(desk.bench.review.decide(desk.sheet(dictation.id), proposed, "reject"))
    asking = [desk.bench.asking.answer(query) for _ in range(5)]
    desk.bench.workspace.store.filings.file(dictation.id, "R. Nurse", [])
    answers = [desk.result(job).answer for job in asking]
    assert len({answer.lines for answer in answers}) == 1
    assert answers[0].lines
    assert desk.bench.workspace.store.filings.of(dictation.id) is not None
