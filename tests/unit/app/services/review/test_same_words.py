"""Rows that were read from the same words: a doubt about one of them is a doubt about all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.chart.records import ReviewedValue
from app.chart.sheet import Sheet
from extraction.flowsheet.values import FilledValue
from tests.kit import fake_app
from tests.kit.fake_app import FakeEngine
from tests.kit.workbench import WorkbenchKit

PULSE, SATURATION, PRESSURE = "hr", "spo2", "bp"


@pytest.fixture
def desk(new_desk: Callable[..., WorkbenchKit], monkeypatch: pytest.MonkeyPatch) -> WorkbenchKit:
    """The number of the saturation is read as the pulse, too."""
    read = fake_app.values_of

    def from_one_number(text: str) -> tuple[FilledValue, ...]:
        values = {value.row_id: value for value in read(text)}
        said = replace(values[SATURATION].evidence, end=values[SATURATION].evidence.start + 2, text="94")
        pulse = replace(values[PULSE], value=values[SATURATION].value, evidence=said)
        return (pulse, values[SATURATION], values[PRESSURE])

    monkeypatch.setattr(fake_app, "values_of", from_one_number)
    return new_desk(FakeEngine(), ranged=False)


def of(sheet: Sheet, row_id: str) -> ReviewedValue:
    return next(value for value in sheet.values if value.row_id == row_id)


def rest(desk: WorkbenchKit, sheet: Sheet) -> set[str]:
    """The rows that are accepted together."""
    ids = desk.bench.review.confident(sheet)
    return {value.row_id for value in sheet.values if value.id in ids}


def test_the_other_rows_of_a_lamp_wait_until_it_is_looked_at(desk: WorkbenchKit, tmp_path: Path) -> None:
    desk.engine.flags = {SATURATION: ("either of two rows may be meant",)}
    sheet = desk.filled(tmp_path)
    assert set(sheet.reasons) == {of(sheet, SATURATION).id}
    assert rest(desk, sheet) == {PRESSURE}
    desk.result(desk.bench.review.decide(sheet, [of(sheet, SATURATION).id], "confirm"))
    assert rest(desk, desk.sheet(sheet.dictation.id)) == {PULSE, PRESSURE}


def test_what_shares_its_words_with_no_doubtful_value_is_accepted_with_the_rest(
    desk: WorkbenchKit, tmp_path: Path
) -> None:
    desk.engine.flags = {PRESSURE: ("said twice",)}
    assert rest(desk, desk.filled(tmp_path)) == {PULSE, SATURATION}


@pytest.mark.parametrize("corrected", [True, False])
def test_a_disputed_value_lights_what_was_read_from_its_words(
    desk: WorkbenchKit, tmp_path: Path, *, corrected: bool
) -> None:
    sheet = desk.filled(tmp_path)
    assert sheet.reasons == {}
    saturation = of(sheet, SATURATION)
    if corrected:
        desk.result(desk.bench.review.edit(sheet, saturation.id, 92.0, "%"))
    else:
        desk.result(desk.bench.review.decide(sheet, [saturation.id], "reject"))
    sheet = desk.sheet(sheet.dictation.id)
    what = "corrected to 92" if corrected else "rejected"
    assert sheet.reasons == {of(sheet, PULSE).id: (f"same words as Oxygen saturation, which was {what}",)}
    assert rest(desk, sheet) == {PRESSURE}


def test_another_time_of_observation_disputes_nothing(desk: WorkbenchKit, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    saturation = of(sheet, SATURATION)
    earlier = "2020-01-02T03:04"
    desk.result(desk.bench.review.edit(sheet, saturation.id, saturation.value, "%", earlier))
    assert desk.sheet(sheet.dictation.id).reasons == {}
